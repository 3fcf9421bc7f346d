"""What lies outside the state of a table, and what of it a decision is told."""

from collections.abc import Callable, Collection
from typing import Final

from natural9.core.money import MAX_CENTS
from natural9.core.round import Refusal, RoundState
from natural9.core.round import commands as round_commands
from natural9.table.commands import staff, terminal
from natural9.table.commands.bills import NO_BILLS, BillFacts
from natural9.table.commands.cage import Vouchers
from natural9.table.commands.console import Chance
from natural9.table.commands.decide import Facts, Who
from natural9.table.commands.orders import Order
from natural9.table.commands.voucher_door import VoucherDoor
from natural9.table.live.cards_in_play import CardsInPlay
from natural9.table.live.exclusive import busy_elsewhere, exclusive
from natural9.table.live.session_clock import SessionClock
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.state.state import TableState
from natural9.table.venue.venue import ShoeSource, Venue


class Outside:
    def __init__(
        self,
        *,
        venue: Venue,
        vouchers: Vouchers,
        shoebox: Shoebox,
        cards: CardsInPlay | None = None,  # of players, over the whole venue
        has_terminal: Callable[[int], bool] = lambda seat: True,  # whether one is enrolled there
        has_drawer: Callable[[str], bool] = lambda person: True,  # whether they have opened it
        cash_box: Callable[[int], str] = lambda seat: "",  # that is in the bill acceptor there
        checkpoint: Callable[[], str] = lambda: "",  # the last that was cosigned, as "SIZE ROOT"
    ) -> None:
        self.venue, self.vouchers, self.shoebox, self.cards = venue, vouchers, shoebox, cards or CardsInPlay()
        self.busy: Collection[str] = ()  # what somebody else decides about at this moment, so that nobody does here
        self._has_terminal, self._has_drawer, self._cash_box = has_terminal, has_drawer, cash_box
        self._checkpoint = checkpoint
        self._door = VoucherDoor[int]()
        self._plain = Facts(0)

    def facts(
        self,
        asked: terminal.Tap | Order,
        who: Who,
        state: TableState,
        sessions: SessionClock,
        *,
        at_ms: int,
        play_ms: int,
        earlier: RoundState | None,
    ) -> Facts:
        days, cash = self.venue.voucher_days, self.venue.cash
        if isinstance(asked, terminal.Bet):  # by far the most there are, and they depend on nothing outside
            facts, table_ms = self._plain, play_ms + state.ahead_ms
            if facts.at_ms != at_ms or facts.table_ms != table_ms:
                facts = self._plain = Facts(at_ms, days, table_ms=table_ms)
            return facts
        voucher = play = None
        chance, bills = _NO_CHANCE, NO_BILLS
        has_terminal = has_drawer = True
        box = self.shoebox
        match asked.command if isinstance(asked, Order) else asked:
            case round_commands.DealCard():
                chance = Chance(in_use=box.in_use(state))
            case round_commands.BurnCards():
                chance = Chance(waiting=box.waiting(state))
            case staff.LoadNewShoe():
                fresh = box.fresh() if state.config.shoe is ShoeSource.SHUFFLER else None
                chance = Chance(box.in_use(state), box.waiting(state), fresh, box.retired(state))
            case terminal.InsertVoucher(number=number, code=code):
                waits = self._door.refusal(who.seat or 0, play_ms) or self._busy(asked)
                voucher = waits or self.vouchers.find(number, code, at_ms=at_ms)
            case staff.VoidVoucher(number=number):
                voucher = self._busy(asked) or self.vouchers.by_number(number, at_ms=at_ms, even_expired=True)
            case staff.CreditTerminal(seat=seat):
                has_terminal = self._has_terminal(seat)
                has_drawer = self._has_drawer(who.person)
            case terminal.InsertBill() if who.seat is not None:
                most_cents = self.venue.bills.most_credit_cents if self.venue.bills else MAX_CENTS
                bills = BillFacts(self._cash_box(who.seat), most_cents, cash, self._has_terminal(who.seat))
            case terminal.CardIn(player=player):
                play = self._busy(asked) or self.cards.bring(player)
            case staff.HandPay():
                has_drawer = self._has_drawer(who.person)
            case _:
                pass
        table_ms, checkpoint = sessions.table_ms(play_ms), self._checkpoint()
        return Facts(
            at_ms, days, chance, voucher, earlier, cash, has_terminal, has_drawer, play, table_ms, checkpoint, bills
        )

    def wrong_code(self, seat: int, play_ms: int) -> int:
        """How many of them there were in a row, if that is to be told now."""
        return self._door.wrong(seat, play_ms)

    def _busy(self, asked: terminal.Tap | Order) -> Refusal | None:
        name = exclusive(asked) if self.busy else ""
        return busy_elsewhere(name) if name in self.busy else None


_NO_CHANCE: Final = Chance()
