"""Decide what a command at a live table leads to, or why it is refused. It reads the state and changes nothing."""

from dataclasses import dataclass, field
from functools import partial
from typing import Final, NamedTuple

from natural9.core.events import Event
from natural9.core.round import Refusal, RoundState
from natural9.core.round.betting import no_such_seat
from natural9.core.round.commands import Command, without_reason
from natural9.core.saying import say
from natural9.core.staff import Rank, Staff
from natural9.journal import table_events
from natural9.journal.accounts import terminal_id
from natural9.journal.card_events import PlayerPlay
from natural9.journal.line import Origin, OriginKind, sender_of
from natural9.table.commands import (
    attendant,
    betting,
    cage,
    mixing,
    player_cards,
    protection,
    shift,
    staff,
    terminal,
    visiting,
)
from natural9.table.commands.bills import NO_BILLS, BillFacts, insert_bill
from natural9.table.commands.cage import Voucher
from natural9.table.commands.console import Chance, console, new_shoe
from natural9.table.commands.orders import Order, tag_of
from natural9.table.commands.pit import RULES
from natural9.table.commands.refusals import TableCode, terminal_locked
from natural9.table.commands.terminal import Tap
from natural9.table.state.state import Status, TableState
from natural9.table.venue.cash import NO_CASH_LIMITS, CashLimits

Decision = list[Event] | Refusal


@dataclass(slots=True, frozen=True)
class Who:
    """Who gives a command: a person by their id and, in the pit, their rank; a terminal at its seat, or the bill
    acceptor there; or the table's reading shoe or the table itself, which have no id and act as a dealer would."""

    id: str
    rank: Rank | None = None
    seat: int | None = None
    kind: OriginKind = OriginKind.STAFF
    signed_by: str = ""  # another person, who signed for this command besides
    since_ms: int = -1  # when a terminal's device came to the seat, by the record
    # No two senders of any kind have the same: requests are remembered by it. Every bet asks for its terminal's.
    sender: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sender", sender_of(self.kind, self.id))

    @staticmethod
    def terminal(table: str, seat: int, since_ms: int = -1) -> "Who":
        return Who(terminal_id(table, seat), seat=seat, kind=OriginKind.TERMINAL, since_ms=since_ms)

    @staticmethod
    def acceptor(table: str, seat: int) -> "Who":
        return Who(terminal_id(table, seat), seat=seat, kind=OriginKind.ACCEPTOR)

    @property
    def person(self) -> str:
        """The id of a person; nothing where no person gives the command."""
        return self.id if self.kind is OriginKind.STAFF else ""

    def origin(self, request: str, command: str) -> Origin:
        """Who gave this command, as the journal keeps it."""
        rank = self.rank.tag if self.rank and self.kind is OriginKind.STAFF else ""
        return Origin(self.kind, self.id, request, command, rank)


THE_TABLE: Final = Who("", rank=Rank.DEALER, kind=OriginKind.PROGRAM)
THE_READER: Final = Who("", rank=Rank.DEALER, kind=OriginKind.READER)


class Facts(NamedTuple):
    """Time and chance, and what lies outside the table: arguments of a decision, like the command itself."""

    at_ms: int
    voucher_days: int = 30
    chance: Chance = Chance()
    voucher: Voucher | Refusal | None = None  # the one that the command names
    earlier: RoundState | None = None  # the round before this one that the command is about
    cash: CashLimits = NO_CASH_LIMITS
    has_terminal: bool = True  # a terminal is enrolled at the seat that the command names
    has_drawer: bool = True  # whoever gives the command has opened their drawer
    play: PlayerPlay | Refusal | None = None  # what the player brings whose card goes in
    table_ms: int = 0  # by the table's own time, which sessions are timed by
    checkpoint: str = ""  # the last that was cosigned, as "SIZE ROOT"; "" where there is none
    bills: BillFacts = NO_BILLS  # of the acceptor at the seat that the command comes from
    no_more: Refusal | None = None  # why a visitor's own table lets no more credit go


def decide(state: TableState, asked: Tap | Order, who: Who, facts: Facts) -> Decision:
    if isinstance(asked, Tap):
        return _terminal(state, asked, who, facts)
    if who.seat is not None:
        return Refusal(TableCode.NOT_STAFF, say("This is for staff, not for a terminal"))
    command, why = asked.command, asked.why
    by = Staff(who.person, who.rank or Rank.DEALER)
    if isinstance(command, staff.LoadNewShoe):
        return _staff(who) or new_shoe(state, command, by, why, facts.chance, facts.checkpoint)
    if isinstance(command, staff.MixShoe):
        return mixing.mix_shoe(state)
    if isinstance(command, staff.VoidVoucher):
        return _reason(state, asked) or _void_voucher(state, command, who, why, facts)
    if isinstance(command, staff.CreditTerminal | staff.HandPay):
        return _no_such_seat(state, command) or _no_cash(state, command) or _cash(state, command, who, why, facts)
    if rule := RULES.get(type(command)):
        return _reason(state, asked) or _no_such_seat(state, command) or rule(state, command, who.person, why)
    if isinstance(command, staff.ReleaseSeat):
        refusal = _reason(state, asked) or _no_such_seat(state, command)
        return refusal or protection.release_seat(state, command, who.person, why, facts.table_ms)
    if isinstance(command, staff.SignOn):
        return _staff(who) or shift.sign_on(state, by)
    if isinstance(command, staff.SignOff):
        return _staff(who) or shift.sign_off(state, command, by)
    return _staff(who) or console(state, command, by, why, facts.chance, facts.earlier)


def _reason(state: TableState, order: Order) -> Refusal | None:
    return without_reason(order.command, order.why, declared=state.round.declared)


def _void_voucher(state: TableState, command: staff.VoidVoucher, who: Who, why: str, facts: Facts) -> Decision:
    if isinstance(facts.voucher, Voucher):
        return cage.void_voucher(state, facts.voucher, who.person, why)
    return facts.voucher or _no_such_voucher(command.number)


def _cash(
    state: TableState, command: staff.CreditTerminal | staff.HandPay, who: Who, why: str, facts: Facts
) -> Decision:
    if refusal := cage.no_drawer(facts.cash, has_drawer=facts.has_drawer):
        return refusal
    by = cage.CashSigners(who.person, who.signed_by)
    if isinstance(command, staff.HandPay):
        return cage.hand_pay(state, command, by, why, facts.cash)
    if not facts.has_terminal:
        return cage.no_terminal(command.seat)
    return cage.credit_terminal(state, command, by, facts.cash)


def _no_cash(state: TableState, command: staff.CreditTerminal | staff.HandPay) -> Refusal | None:
    """A visitor's money is at the seat where it belongs."""
    if (home := state.home_of(command.seat)) is None:
        return None
    why = say(
        "Seat {seat} is a visitor's, whose credit is at {table} seat {home}",
        seat=command.seat,
        table=home.table,
        home=home.seat,
    )
    return Refusal(TableCode.NOT_HERE, why)


def _no_such_voucher(number: str) -> Refusal:
    return Refusal(TableCode.NO_SUCH_VOUCHER, say("There is no voucher {number}", number=number))


def _staff(who: Who) -> Refusal | None:
    if who.rank is None:
        return Refusal(TableCode.NOT_STAFF, say("{who} has no rank at the table", who=who.id))
    return None


def _terminal(state: TableState, tap: Tap, who: Who, facts: Facts) -> Decision:
    seat = who.seat
    if seat is None:
        return Refusal(TableCode.NOT_A_TERMINAL, say("Only a terminal can bet: {who} is not one", who=who.id))
    if refusal := _out_of_service(state, tap, seat):
        return refusal
    decided = _tap(state, tap, seat, facts)
    return decided if isinstance(decided, Refusal) else _session_refuses(state, seat, facts, decided) or decided


def _session_refuses(state: TableState, seat: int, facts: Facts, decided: list[Event]) -> Refusal | None:
    at_seat = state.terminals[seat]
    if at_seat.card and at_seat.card.is_barred and protection.added_cents(decided) > 0:
        return player_cards.is_barred()
    session = at_seat.session
    if session is None or not session.is_watched:
        return None
    return protection.refuses(state, seat, session, decided, facts.table_ms)


def _tap(state: TableState, tap: Tap, seat: int, facts: Facts) -> Decision:
    match tap:
        case terminal.Bet():
            return betting.bet(state, seat, tap)
        case terminal.TakeBack():
            return betting.take_back(state, seat, tap)
        case terminal.Clear():
            return betting.clear(state, seat, tap)
        case terminal.Undo():
            return betting.undo(state, seat, tap)
        case terminal.Double():
            return betting.double(state, seat, tap, partial(_session_refuses, state, seat, facts), facts.no_more)
        case terminal.ReBet():
            return betting.re_bet(state, seat, tap)
        case terminal.LayBets():
            return betting.lay_bets(state, seat, tap)
        case terminal.Insure():
            return betting.insure(state, seat, tap)
        case terminal.CashOut():
            decided = cage.cash_out(state, seat, tap, at_ms=facts.at_ms, voucher_days=facts.voucher_days)
            return player_cards.with_the_money(state, seat, decided, tap.cents, facts.table_ms)
        case terminal.CallAttendant():
            return attendant.call(state, seat, tap, at_ms=facts.at_ms)
        case terminal.InsertVoucher():
            if isinstance(facts.voucher, Voucher):
                return cage.insert_voucher(state, seat, facts.voucher)
            return facts.voucher or _no_such_voucher(tap.number)
        case terminal.InsertBill():
            return insert_bill(state, seat, tap.cents, facts.bills, facts.table_ms)
        case terminal.CardIn():
            return player_cards.card_in(state, seat, tap, facts.play, facts.table_ms)
        case terminal.CommitNonce():
            return mixing.commit(state, seat, tap)
        case terminal.RevealNonce():
            return mixing.reveal(state, seat, tap)
        case terminal.PlayTap():
            return protection.own_play(state, seat, tap, facts.table_ms)
        case _:
            raise AssertionError(f"{tag_of(tap)} is no terminal's")


def _out_of_service(state: TableState, tap: Tap, seat: int) -> Refusal | None:
    """No credit is taken in a fault or lock-up (requirement 15); cashing out and own limits are still the player's. An
    attendant may be called, and a shoe mixed, whenever there is a seat. Who is barred is so wherever the card is."""
    if isinstance(tap, terminal.BarCard):
        return None
    if not state.is_a_seat(seat):
        return Refusal(TableCode.NO_SUCH_SEAT, no_such_seat(seat, state.config.seats))
    if isinstance(tap, terminal.MixTap):
        return None
    if state.home_of(seat) and not isinstance(tap, terminal.BetTap):
        return visiting.not_here()
    locked = state.terminal(seat).locked
    if isinstance(tap, terminal.CallAttendant):
        return None
    if locked:
        return terminal_locked(locked)
    return None if isinstance(tap, terminal.CashOut | terminal.PlayTap) else takes_no_bets(state)


def takes_no_bets(state: TableState) -> Refusal | None:
    """Why no terminal may bet here, whatever the round allows."""
    if state.faults:
        fault, detail = next(iter(state.faults.items()))
        why = say(
            "The table has a fault, {fault}: {detail}. Bets already registered are safe",
            fault=table_events.fault_words(fault),
            detail=detail,
        )
        return Refusal(TableCode.FAULT, why)
    if state.status is Status.CLOSED:
        return Refusal(TableCode.TABLE_NOT_OPEN, say("The table is closed"))
    return None


def _no_such_seat(state: TableState, command: Command) -> Refusal | None:
    seat = getattr(command, "seat", None)
    if seat is None or state.is_a_seat(seat):
        return None
    return Refusal(TableCode.NO_SUCH_SEAT, no_such_seat(seat, state.config.seats))
