"""What a table does most, known by its bytes: bets, cards and settlements of a round in which nothing else happens.

Deriving takes an entry apart, asks the rules and puts it together again. Here the entry that is due is put together,
from what the core's own functions say and in the one way that entries are written, and compared as it stands. Whatever
is not exactly that (another word, another order, a fault, a player's card, insurance, a correction) is left to the
closer look, which judges alone: this knows no rule of its own, never says that anything is wrong, and a property holds
the two together.

Meanwhile the table's state waits where the last closer look left it. For the next one the entries since are folded into
it; when another round opens, what they came to is enough.
"""

import re
from collections.abc import Callable, Sequence
from copy import copy
from itertools import islice
from typing import Final

from natural9.core.cards import Card
from natural9.core.outcome import Outcome
from natural9.core.round import events as round_events
from natural9.core.round.betting import BetTerms
from natural9.core.round.seats import Seats
from natural9.core.round.state import DEALING, Phase
from natural9.core.shoe import CARDS_IN_A_DECK, Shoe
from natural9.core.table_of_play import POINTS
from natural9.journal.accounts import TransferKind
from natural9.journal.labels import round_label
from natural9.journal.line import Origin, OriginKind, read_body
from natural9.journal.session_events import PlayTimeNoted
from natural9.store.balances import Balances, Counts
from natural9.store.contract import Transfer, Written
from natural9.table.audit.derive import Decision
from natural9.table.audit.findings import Verified, fault_of
from natural9.table.audit.plain_game import SEAT_SETTLED, PlainGame, PlainResult
from natural9.table.audit.plain_known import KnownEntries
from natural9.table.audit.shoe_audit import Draw, DrawnCards
from natural9.table.state.evolve import evolve
from natural9.table.state.state import RoundResult, TableState, Terminal

_ITS_REQUEST: Final = b',"request":"'
_ITS_COMMAND: Final = b'","command":{"type":"bet","request":"'
_is_plain_text: Final = re.compile(rb"[ !#-\[\]-~]+").fullmatch  # as it stands in JSON
_BET: Final = TransferKind.BET.value
_LOST: Final = TransferKind.STAKE_LOST.value
_RETURNED: Final = TransferKind.STAKE_RETURNED.value
_WINNINGS: Final = TransferKind.WINNINGS.value
_NO_SEATS: Final = Seats()
_NO_LIMIT: Final = 2**63
_OPENING: Final = round_events.BettingOpened.TAG
_OPENED: Final = b'{"event":"betting-opened","v":1,"record":{"round":'
_NOTED: Final = b'{"event":"play-time-noted","v":1,"record":{"table_ms":'
_NOTED_END: Final = b'},"from":"program"}'
# What a round opens by is as it was: the closer look at these changes no limit, dealer, shoe, fault or report.
_LEAVES_TERMS: Final = frozenset(
    {
        "bet-placed",
        "bet-taken-back",
        "bets-cleared",
        "betting-closed",
        "card-dealt",
        "result-declared",
        "seat-settled",
        "round-settled",
        "credit-bought",
        "hand-paid",
        "voucher-issued",
        "voucher-inserted",
        "session-started",
        "session-ended",
        "reality-check-due",
        "play-paused",
        "play-continued",
        "play-time-noted",
    }
)
_SETTLED: Final = round_events.SeatSettled.TAG
_STANDS: Final = (Phase.BETTING_OPEN, Phase.COMPLETE, Phase.SETTLED)

_Opening = tuple[
    round_events.BettingOpened, bytes, Origin
]  # the last, what it says after its round's number, and whose
_Moved = list[int]  # cents, and how often, that are not in the meters yet


class _AtSeat:
    """One seat, as far as plain play goes."""

    __slots__ = (
        "bets", "credit_cents", "is_plain", "laid", "may_bet", "number", "returned", "staked_cents", "terminal", "won"
    )  # fmt: skip

    def __init__(self, number: int, terminal: Terminal) -> None:
        self.number, self.terminal = number, terminal
        self.credit_cents = terminal.credit_cents
        self.bets: dict[str, int] = {}
        self.staked_cents = 0
        self.laid: _Moved = [0, 0]
        self.returned: _Moved = [0, 0]
        self.won: _Moved = [0, 0]
        session = terminal.session
        # Whose rounds are counted, who owes and who is a visitor has more to be asked.
        self.is_plain = not (terminal.card or terminal.counted or terminal.home or terminal.owed_cents)
        self.may_bet = self.is_plain and not (terminal.locked or (session and session.is_watched))


class PlainPlay:
    """One table's. `take` says how many entries were plain, and those are done with."""

    def __init__(
        self,
        state: TableState,
        decision: Decision,
        shoes: DrawnCards,
        found: Verified,
        balances: Balances,
        counts: Counts,
        games: dict[tuple[str, tuple[str, ...]], PlainGame],
    ) -> None:
        self._state, self._decision, self._shoes, self._found = state, decision, shoes, found
        self._balances, self._counts, self._games = balances, counts, games
        self.last_ms = 0  # when the table's last entry was written, plain or not
        self._may_begin = self._is_on = False
        self._last = 0
        self._never: set[str] = set()  # kinds of entries that need not be tried in this round
        self._ways: dict[str, Callable[[bytes, tuple[Transfer, ...], Written], bool]] = {
            round_events.BetPlaced.TAG: self._bet,
            round_events.CardDealt.TAG: self._card,
            round_events.SeatSettled.TAG: self._seat_settled,
            round_events.BettingOpened.TAG: self._opened,
            round_events.BettingClosed.TAG: self._closed,
            round_events.ResultDeclared.TAG: self._declared,
            round_events.RoundSettled.TAG: self._settled,
            PlayTimeNoted.TAG: self._time,
        }
        self._known = KnownEntries(state)
        self._known_bets, self._known_cards = self._known.bets, self._known.cards
        # What the last round opened by.
        self._opening: _Opening | None = None
        self._game: PlainGame
        # Where the round stands.
        self._entries: list[Written] = []  # since the state was as it is
        self._is_since_opening = False  # and that was when a round opened
        self._at_opening: list[int] | None = None  # the shoe then, if that was a later round than the state's
        self._phase, self._is_dealing = Phase.NO_ROUND, False
        self._number = 0
        self._in_a_shoe = 0
        self._seat_max = self._table_max = _NO_LIMIT
        self._day = ""
        self._table_ms = 0
        self._staked_cents = 0
        self._stakes_cents = 0  # in their account, but for what was staked in this round
        self._house_cents = 0
        self._lost: _Moved = [0, 0]
        self._seats: dict[int, _AtSeat] = {}
        self._cards: list[Card] = []
        self._points: list[int] = []
        self._counts_left: list[int] = []
        self._cards_left = 0
        self._draws: list[Draw] | None = None
        self._outcome: Outcome | None = None
        self._result: PlainResult | None = None  # once it is declared
        self._order: list[_AtSeat] = []  # the seats to be settled
        self._place = 0
        self._returned_cents = self._collected_cents = 0
        self._round_part = b""

    # On and off.

    def take(self, run: Sequence[Written], place: int) -> int:
        """How many of these entries of the table, from this place on, are what plain play makes due; then their money
        is counted, too. Their chain holds already."""
        taken, last_ms, way_of = 0, self.last_ms, self._ways.get
        for written in islice(run, place, None):
            kind, body, at_ms, day, label, request, _, transfers, documents = written[3:12]
            way = way_of(kind)
            if way is None or at_ms < last_ms or request or ((label or documents) and kind != _OPENING):
                break
            if not self._is_on and (not self._may_begin or kind in self._never or not self._begin()):
                break
            if day != self._day:
                self._count_money()
                self._day = day
            self._entries.append(written)
            if not way(body, transfers, written):
                self._entries.pop()
                if not taken and not self._last:  # at this table they are never plain, as it seems
                    self._never.add(kind)
                break
            last_ms = at_ms
            taken += 1
        if taken:
            self.last_ms, self._last = last_ms, run[place + taken - 1].seq
        return taken

    def looked_at(self, written: Written, *, may_go_on: bool) -> None:
        """The closer look has passed this entry; what follows may be plain, or not."""
        self._may_begin, self.last_ms = may_go_on, written.at_ms
        if written.kind == _OPENING:
            self._never.clear()
            self._learn_terms(written)
        elif self._opening and written.kind not in _LEAVES_TERMS:
            self._opening = None

    def _learn_terms(self, written: Written) -> None:
        self._opening = None
        line = read_body(written.body)
        event, head = line.event, _OPENED + b"%d" % self._state.round.number
        is_by_itself = line.origin.kind is OriginKind.PROGRAM and line.command is None
        if is_by_itself and isinstance(event, round_events.BettingOpened) and written.body.startswith(head):
            self._opening = (event, written.body[len(head) :], line.origin)

    def _begin(self) -> bool:
        """From where the state stands, if nothing there asks for a closer look."""
        state = self._state
        now = state.round
        if (
            now.rules is None
            or self._decision.due
            or state.faults
            or now.pending
            or now.held
            or now.new_shoe
            or now.window_open
            or now.waived is not None
            or now.ruled
            or now.paid
            or now.from_old_set
            or now.shoe is None
            or (now.phase not in DEALING and now.phase not in _STANDS)
        ):
            return False
        key = (now.rules.sha256, now.offered)
        self._game = self._games.get(key) or self._games.setdefault(key, PlainGame(now.rules))
        self._seats, self._entries = {}, []
        for number, at_seat in now.seats.everybody():
            seat = self._seat(number)
            if at_seat.insurance or (at_seat.returned_cents and now.phase is not Phase.SETTLED):
                return False
            seat.bets, seat.staked_cents = dict(at_seat.bets), sum(at_seat.bets.values())
        self._phase, self._number, self._table_ms = now.phase, now.number, state.table_ms
        self._is_dealing = now.phase in DEALING
        self._staked_cents = now.staked_cents
        self._known.under(BetTerms.of(now))
        limits = state.limits
        self._seat_max = _NO_LIMIT if limits.seat_max_cents is None else limits.seat_max_cents
        self._table_max = _NO_LIMIT if limits.table_max_cents is None else limits.table_max_cents
        self._round_part = b'","round":%d' % now.number
        self._cards, self._points = list(now.cards), [POINTS[card.rank] for card in now.cards]
        self._counts_left, self._cards_left = list(now.shoe.counts), now.cards_left
        self._draws = self._shoes.draws_of(state.commitment) if state.commitment else None
        self._in_a_shoe = now.shoe.decks * CARDS_IN_A_DECK
        self._result, self._place, self._is_since_opening, self._at_opening = None, 0, False, None
        self._returned_cents = self._collected_cents = 0
        self._stakes_cents = self._balances.get(state.stakes, 0) - now.staked_cents
        self._house_cents = self._balances.get(state.house, 0)
        if now.declared and now.phase is Phase.COMPLETE:
            self._prepare()
        self._is_on, self._last = True, 0
        return True

    def leave(self) -> int:
        """Fold what was taken into the state: somebody wants to see it. The place of the last entry taken, if any."""
        if not self._is_on:
            return 0
        self._is_on = False
        self._pay()
        state, decision = self._state, self._decision
        if self._at_opening is not None:
            state.round = state.round._replace(number=self._number, shoe=self._shoe_of(self._at_opening))
        is_being_settled = self._phase is Phase.COMPLETE and self._place > 0  # then the rest of that decision is due
        for written in self._entries:
            line = read_body(written.body)
            if is_being_settled and written.kind == _SETTLED and (wrong := decision.wrong(state.round, line)):
                raise fault_of(written, state.round.number)(*wrong)
            evolve(state, line.event, written.transfers, line.origin, written.at_ms)
        self._entries = []
        return self._last

    def _pay(self) -> None:
        """What the accounts hold by now; at every entry it was seen that none falls below zero."""
        self._count_money()
        balances = self._balances
        for seat in self._seats.values():
            _set(balances, seat.terminal.account, seat.credit_cents)
        _set(balances, self._state.stakes, self._stakes_cents + self._staked_cents)
        _set(balances, self._state.house, self._house_cents)

    def _count_money(self) -> None:
        """Into the meters of this day goes what has moved since the last time."""
        stakes, house = self._state.stakes, self._state.house
        for seat in self._seats.values():
            account = seat.terminal.account
            self._count(_BET, account, stakes, seat.laid)
            self._count(_RETURNED, stakes, account, seat.returned)
            self._count(_WINNINGS, house, account, seat.won)
        self._count(_LOST, stakes, house, self._lost)

    def _count(self, kind: str, source: str, target: str, moved: _Moved) -> None:
        cents, many = moved
        if many:
            out = self._counts.setdefault((source, self._day, kind), [0, 0, 0, 0])
            out[2] += cents
            out[3] += many
            into = self._counts.setdefault((target, self._day, kind), [0, 0, 0, 0])
            into[0] += cents
            into[1] += many
            moved[:] = 0, 0

    def _seat(self, number: int) -> _AtSeat:
        seat = self._seats.get(number)
        if seat is None:
            seat = _AtSeat(number, self._state.terminal(number))
            self._seats = dict(sorted([*self._seats.items(), (number, seat)]))
        return seat

    # What comes in a round.

    def _bet(self, body: bytes, transfers: tuple[Transfer, ...], written: Written) -> bool:
        start, _, rest = body.partition(_ITS_REQUEST)
        known = self._known_bets.get(start) or self._known.read_bet(start)
        if known is None:
            return False
        number, wager, cents, due, room, end = known
        seat = self._seats.get(number) or self._seat(number)
        lies = seat.bets.get(wager, 0)
        end = self._round_part + end
        request = rest[: (len(rest) - len(_ITS_COMMAND) - len(end)) >> 1]
        if (
            self._phase is not Phase.BETTING_OPEN
            or transfers != due
            or lies not in room
            or seat.credit_cents < cents
            or not seat.may_bet
            or rest != request.join((b"", _ITS_COMMAND, end))
            or not (request.isalnum() or _is_plain_text(request))
            or seat.staked_cents + cents > self._seat_max
            or self._staked_cents + cents > self._table_max
        ):
            return False
        seat.bets[wager] = lies + cents
        seat.staked_cents += cents
        seat.credit_cents -= cents
        self._staked_cents += cents
        laid = seat.laid
        laid[0] += cents
        laid[1] += 1
        self._found.bets += 1
        return True

    def _closed(self, body: bytes, transfers: tuple[Transfer, ...], written: Written) -> bool:
        if self._phase is not Phase.BETTING_OPEN or transfers or body != self._game.closed % self._staked_cents:
            return False
        self._phase, self._is_dealing = Phase.BETS_CLOSED, True
        return True

    def _card(self, body: bytes, transfers: tuple[Transfer, ...], written: Written) -> bool:
        known = self._known_cards.get(body) or self._known.read_card(body)
        if known is None:
            return False
        card, text, place, point, shape = known
        left = self._cards_left
        if not self._is_dealing or not self._counts_left[place] or not left or transfers:
            return False
        points = self._points
        many = len(points)
        lie: tuple[int, ...] = (many,)  # and from the fourth card on the totals matter, and the Player's third
        if many == 3:
            lie = (many, (points[0] + points[2]) % 10, (points[1] + point) % 10)
        elif many > 3:
            third = point if many == 4 else points[4]
            lie = (many, (points[0] + points[2]) % 10, (points[1] + points[3]) % 10, third)
        due = self._game.deals.get(lie) or self._game.deal(lie, self._state.round, self._cards, self._phase, card)
        if due[0] != shape:
            return False
        if self._draws is not None:
            self._draws.append((written[0], self._number, self._in_a_shoe - left, text, round_events.CardDealt.TAG))
        self._counts_left[place] -= 1
        self._cards_left = left - 1
        _, self._phase, self._is_dealing = due
        self._cards.append(card)
        points.append(point)
        self._found.cards += 1
        return True

    def _declared(self, body: bytes, transfers: tuple[Transfer, ...], written: Written) -> bool:
        if self._phase is not Phase.COMPLETE or self._result or transfers:
            return False
        if body != self._prepare().text:
            self._result = None
            return False
        return True

    def _prepare(self) -> PlainResult:
        """How the round has ended, and the seats to be settled, in their order."""
        self._outcome = outcome = Outcome.of([card.rank for card in self._cards])
        self._result = result = self._game.result(self._state.round, outcome, self._cards)
        self._order = [seat for seat in self._seats.values() if seat.bets]
        self._place = self._returned_cents = self._collected_cents = 0
        return result

    def _seat_settled(self, body: bytes, transfers: tuple[Transfer, ...], written: Written) -> bool:
        place, order, result = self._place, self._order, self._result
        if result is None or place >= len(order) or not order[place].is_plain:
            return False
        seat, known = order[place], result.lines
        texts = []
        returned = lost = 0
        for bet in seat.bets.items():
            line = known.get(bet)
            if line is None:
                assert self._outcome is not None
                line = self._game.line(self._state.round, self._outcome, bet, known)
            text, back, gone = line
            texts.append(text)
            returned += back
            lost += gone
        staked, state = seat.staked_cents, self._state
        if body != SEAT_SETTLED % (seat.number, b",".join(texts), staked, returned):
            return False
        kept = staked - lost
        won = returned - kept
        moved: list[tuple[str, str, str, int]] = []
        if lost:
            moved.append((_LOST, state.stakes, state.house, lost))
        if kept:
            moved.append((_RETURNED, state.stakes, seat.terminal.account, kept))
        if won > 0:
            moved.append((_WINNINGS, state.house, seat.terminal.account, won))
        if transfers != tuple(moved):
            return False
        if lost:
            self._lost[0] += lost
            self._lost[1] += 1
        if kept:
            seat.returned[0] += kept
            seat.returned[1] += 1
        if won > 0:
            seat.won[0] += won
            seat.won[1] += 1
        seat.credit_cents += returned
        self._stakes_cents -= staked
        self._house_cents += staked - returned
        self._returned_cents += returned
        self._collected_cents += lost
        self._place = place + 1
        self._found.seats_settled += 1
        return True

    def _settled(self, body: bytes, transfers: tuple[Transfer, ...], written: Written) -> bool:
        if not self._result or self._phase is not Phase.COMPLETE or self._place != len(self._order) or transfers:
            return False
        collected = self._collected_cents
        kept = self._staked_cents - collected
        if body != self._game.settled % (self._staked_cents, kept, collected, self._returned_cents - kept):
            return False
        self._phase = Phase.SETTLED
        return True

    def _time(self, body: bytes, transfers: tuple[Transfer, ...], written: Written) -> bool:
        digits = body[len(_NOTED) : -len(_NOTED_END)]
        if transfers or not digits.isdigit() or body != _NOTED + digits + _NOTED_END:
            return False
        if self._place and self._phase is Phase.COMPLETE:  # a settlement is begun, and nothing comes between
            return False
        table_ms = int(digits)
        if digits != b"%d" % table_ms or table_ms < self._table_ms or table_ms >= 2**63:
            return False
        self._table_ms = table_ms
        return True

    # Another round.

    def _opened(self, body: bytes, transfers: tuple[Transfer, ...], written: Written) -> bool:
        opening, state, number = self._opening, self._state, self._number + 1
        if (
            opening is None
            or self._phase is not Phase.SETTLED
            or state.round.cut_card_out
            or transfers
            or written.label != round_label(state.table, number)
            or body != b"%b%d%b" % (_OPENED, number, opening[1])
        ):
            return False
        self._entries.pop()  # the state is told of an opening in another way
        if self._is_since_opening:
            self._count_round()
            self._open_alike(number)
        else:
            self._open_anew(number, opening, written.at_ms)
        self._is_since_opening = True
        self._never.clear()
        self._found.rounds += 1
        return True

    def _count_round(self) -> None:
        """What the table keeps of the round that is over, without its entries folded one by one."""
        state = self._state
        assert self._result is not None
        for seat in self._order:
            terminal = seat.terminal
            terminal.credit_cents, terminal.last_bets = seat.credit_cents, seat.bets
            terminal.session_view = None
            if session := terminal.session:
                session.staked_cents += seat.staked_cents
                session.rounds += 1
            seat.bets, seat.staked_cents = {}, 0
        state.results.append(tuple.__new__(RoundResult, (self._number, *self._result.seen)))
        state.table_ms = self._table_ms

    def _open_alike(self, number: int) -> None:
        """The round is as when the last one opened, but for its number and the shoe: `leave` tells the state."""
        self._at_opening = self._counts_left.copy()
        self._phase, self._number, self._round_part = Phase.BETTING_OPEN, number, b'","round":%d' % number
        self._stakes_cents += self._staked_cents
        self._staked_cents = self._place = 0
        self._cards, self._points, self._result = [], [], None
        self._entries = []

    def _open_anew(self, number: int, opening: _Opening, at_ms: int) -> None:
        """Plain play began after the last round had opened."""
        state = self._state
        if state.round.phase is Phase.SETTLED:
            self.leave()
        else:
            self._pay()
            self._count_round()
            state.round = state.round._replace(shoe=self._shoe_of(self._counts_left), seats=_NO_SEATS)
        event = copy(opening[0])
        event.round = number  # type: ignore[misc]
        evolve(state, event, (), opening[2], at_ms)
        self._begin()

    def _shoe_of(self, counts: list[int]) -> Shoe:
        return Shoe(self._in_a_shoe // CARDS_IN_A_DECK, tuple(counts))


def _set(balances: Balances, account: str, cents: int) -> None:
    if cents:
        balances[account] = cents
    else:
        balances.pop(account, None)
