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
from collections.abc import Callable
from copy import copy
from typing import Final

import msgspec

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.outcome import Outcome
from natural9.core.round import events as round_events
from natural9.core.round.betting import BetTerms
from natural9.core.round.seats import MAX_SEAT, Seats
from natural9.core.round.state import DEALING, Phase
from natural9.core.shoe import CARDS_IN_A_DECK, Shoe, place_of
from natural9.core.table_of_play import POINTS
from natural9.journal.accounts import TransferKind, credit_account, terminal_id
from natural9.journal.labels import round_label
from natural9.journal.line import Origin, OriginKind, encode_line, read_body
from natural9.journal.session_events import PlayTimeNoted
from natural9.store.balances import Balances, Counts
from natural9.store.contract import Transfer, Written
from natural9.table.audit.derive import Decision
from natural9.table.audit.findings import Verified, fault_of
from natural9.table.audit.plain_game import DEALS, PlainGame, PlainResult, keep, without_card
from natural9.table.audit.shoe_audit import Draw, DrawnCards
from natural9.table.state.evolve import evolve
from natural9.table.state.state import RoundResult, TableState, Terminal

_SETTLES: Final = Origin(OriginKind.PROGRAM, command="settle")
_CLOSES: Final = Origin(OriginKind.PROGRAM, command="close-betting")
_ITS_REQUEST: Final = b',"request":"'
_ITS_COMMAND: Final = b'","command":{"type":"bet","request":"'
_is_plain_text: Final = re.compile(rb"[ !#-\[\]-~]+").fullmatch  # as it stands in JSON
_BET: Final = TransferKind.BET.value
_LOST: Final = TransferKind.STAKE_LOST.value
_RETURNED: Final = TransferKind.STAKE_RETURNED.value
_WINNINGS: Final = TransferKind.WINNINGS.value
_OPEN: Final = Phase.BETTING_OPEN
_COMPLETE: Final = Phase.COMPLETE
_NO_SEATS: Final = Seats()
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
_OF_SETTLING: Final = (round_events.SeatSettled.TAG, round_events.RoundSettled.TAG)
_STANDS: Final = (Phase.BETTING_OPEN, Phase.COMPLETE, Phase.SETTLED)
_encode: Final = msgspec.json.Encoder().encode


_Opening = tuple[
    round_events.BettingOpened, bytes, Origin
]  # the last, what it says after its round's number, and whose


class _AtSeat:
    """One seat, as far as plain play goes."""

    __slots__ = ("bets", "credit_cents", "is_plain", "may_bet", "meters", "number", "staked_cents", "terminal")

    def __init__(self, number: int, terminal: Terminal) -> None:
        self.number, self.terminal = number, terminal
        self.credit_cents = terminal.credit_cents
        self.bets: dict[str, int] = {}
        self.staked_cents = 0
        self.meters: dict[str, tuple[list[int], list[int]]] = {}  # of this day, by why money moves
        session = terminal.session
        # Whose rounds are counted, who owes and who is a visitor has more to be asked.
        self.is_plain = not (terminal.card or terminal.counted or terminal.home or terminal.owed_cents)
        self.may_bet = self.is_plain and not (terminal.locked or (session and session.is_watched))


class PlainPlay:
    """One table's. `take` says whether an entry was plain, and then it is done with."""

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
        self._ways: dict[str, Callable[[Written], bool]] = {
            round_events.BetPlaced.TAG: self._bet,
            round_events.CardDealt.TAG: self._card,
            round_events.SeatSettled.TAG: self._seat_settled,
            round_events.BettingOpened.TAG: self._opened,
            round_events.BettingClosed.TAG: self._closed,
            round_events.ResultDeclared.TAG: self._declared,
            round_events.RoundSettled.TAG: self._settled,
            PlayTimeNoted.TAG: self._time,
        }
        # What is known of this table whatever happens.
        self._known_bets: dict[bytes, tuple[int, str, int, tuple[Transfer, ...], bytes]] = {}
        self._known_cards: dict[bytes, tuple[Card, str, int, bytes]] = {}
        # What the last round opened by.
        self._opening: _Opening | None = None
        self._game = PlainGame()
        self._terms = BetTerms({}, 1, 0)
        # Where the round stands.
        self._entries: list[Written] = []  # since the state was as it is
        self._is_since_opening = False  # and that was when the round opened
        self._phase, self._is_dealing = Phase.NO_ROUND, False
        self._number = 0
        self._in_a_shoe = 0
        self._seat_max: int | None = None
        self._table_max: int | None = None
        self._day = ""
        self._table_ms = 0
        self._staked_cents = 0
        self._stakes_cents = self._house_cents = 0  # in the two accounts
        self._own_meters: dict[str, tuple[list[int], list[int]]] = {}
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

    def take(self, written: Written) -> bool:
        """Whether the entry is what plain play makes due; then its money is counted, too. Its chain holds already."""
        way = self._ways.get(written[3])
        if (
            way is None
            or written[5] < self.last_ms
            or written[8]
            or not (self._is_on or (self._may_begin and written[3] not in self._never and self._begin()))
        ):
            return False
        if written[6] != self._day:
            self._another_day(written[6])
        if not way(written):
            if not self._last:  # at this table they are never plain, as it seems
                self._never.add(written[3])
            return False
        self._last, self.last_ms = written[0], written[5]
        return True

    def looked_at(self, written: Written, *, may_go_on: bool) -> None:
        """The closer look has passed this entry; what follows may be plain, or not."""
        self._may_begin, self.last_ms = may_go_on, written.at_ms
        if written.kind == round_events.BettingOpened.TAG:
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
        self._game = self._games.get(key) or self._games.setdefault(key, PlainGame())
        self._seats = {}
        self._own_meters, self._entries = {}, []
        for number, at_seat in now.seats.everybody():
            seat = self._seat(number)
            if at_seat.insurance or (at_seat.returned_cents and now.phase is not Phase.SETTLED):
                return False
            seat.bets, seat.staked_cents = dict(at_seat.bets), sum(at_seat.bets.values())
        self._phase, self._number, self._table_ms = now.phase, now.number, state.table_ms
        self._is_dealing = now.phase in DEALING
        self._staked_cents = now.staked_cents
        self._terms = BetTerms.of(now)
        limits = state.limits
        self._seat_max, self._table_max = limits.seat_max_cents, limits.table_max_cents
        self._round_part = b'","round":%d' % now.number
        self._cards, self._points = list(now.cards), [POINTS[card.rank] for card in now.cards]
        self._counts_left, self._cards_left = list(now.shoe.counts), now.cards_left
        self._draws = self._shoes.draws_of(state.commitment) if state.commitment else None
        self._in_a_shoe = now.shoe.decks * CARDS_IN_A_DECK
        self._result, self._place, self._is_since_opening = None, 0, False
        self._returned_cents = self._collected_cents = 0
        self._stakes_cents = self._balances.get(state.stakes, 0)
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
        for written in self._entries:
            line = read_body(written.body)
            if written.kind in _OF_SETTLING and (wrong := decision.wrong(state.round, line)):
                raise fault_of(written, state.round.number)(*wrong)
            evolve(state, line.event, written.transfers, line.origin, written.at_ms)
        self._entries = []
        return self._last

    def _pay(self) -> None:
        """What the accounts hold by now; at every entry it was seen that none falls below zero."""
        balances = self._balances
        for seat in self._seats.values():
            _set(balances, seat.terminal.account, seat.credit_cents)
        _set(balances, self._state.stakes, self._stakes_cents)
        _set(balances, self._state.house, self._house_cents)

    def _another_day(self, day: str) -> None:
        self._day, self._own_meters = day, {}
        for seat in self._seats.values():
            seat.meters = {}

    def _seat(self, number: int) -> _AtSeat:
        seat = self._seats.get(number)
        if seat is None:
            seat = self._seats[number] = _AtSeat(number, self._state.terminal(number))
        return seat

    def _meters(self, kept: dict[str, tuple[list[int], list[int]]], moved: Transfer) -> tuple[list[int], list[int]]:
        """Of the account that money leaves and of the one that it goes to."""
        kind, source, target, _ = moved
        counts, day = self._counts, self._day
        out = counts.setdefault((source, day, kind), [0, 0, 0, 0])
        into = counts.setdefault((target, day, kind), [0, 0, 0, 0])
        found = kept[kind] = (out, into)
        return found

    # What comes in a round.

    def _bet(self, written: Written) -> bool:
        body, transfers = written[4], written[10]
        own = body.find(_ITS_REQUEST)
        start = body[:own]
        known = self._known_bets.get(start)
        if known is None:
            known = self._read_bet(start)
            if known is None:
                return False
        number, wager, cents, due, end = known
        seat = self._seats.get(number) or self._seat(number)
        lies = seat.bets.get(wager, 0)
        if (
            self._phase is not _OPEN
            or transfers != due
            or not self._terms.allow(number, wager, lies, cents)
            or seat.credit_cents < cents
            or not seat.may_bet
            or written[7]
            or written[11]
        ):
            return False
        own += 12
        round_part = self._round_part
        length = (len(body) - own - len(_ITS_COMMAND) - len(round_part) - len(end)) >> 1
        request = body[own : own + length] if length > 0 else b""
        if body[own:] != request + _ITS_COMMAND + request + round_part + end:
            return False
        if not request.isalnum() and not _is_plain_text(request):
            return False
        if self._seat_max is not None and seat.staked_cents + cents > self._seat_max:
            return False
        if self._table_max is not None and self._staked_cents + cents > self._table_max:
            return False
        seat.bets[wager] = lies + cents
        seat.staked_cents += cents
        seat.credit_cents -= cents
        self._staked_cents += cents
        self._stakes_cents += cents
        out, into = seat.meters.get(_BET) or self._meters(seat.meters, due[0])
        out[2] += cents
        out[3] += 1
        into[0] += cents
        into[1] += 1
        self._found.bets += 1
        self._entries.append(written)
        return True

    def _read_bet(self, start: bytes) -> tuple[int, str, int, tuple[Transfer, ...], bytes] | None:
        """What a bet says up to its request, if the terminal of its seat has laid it."""
        whole, state = start + b"}", self._state
        try:
            line = read_body(whole)
        except BadInput:
            return None
        bet, origin = line.event, line.origin
        if not isinstance(bet, round_events.BetPlaced) or encode_line(bet, origin) != whole:
            return None
        is_own = origin == Origin(OriginKind.TERMINAL, terminal_id(state.table, bet.seat))
        if not is_own or not 1 <= bet.seat <= MAX_SEAT:
            return None
        moved = Transfer(_BET, credit_account(state.table, bet.seat), state.stakes, bet.cents)
        end = b',"wager":%b,"cents":%d},"type":"bet"}' % (_encode(bet.wager), bet.cents)
        return keep(self._known_bets, start, (bet.seat, bet.wager, bet.cents, (moved,), end))

    def _closed(self, written: Written) -> bool:
        if self._phase is not Phase.BETTING_OPEN or _has_more(written):
            return False
        paragraph = self._state.round.game.document.procedure.closes
        due = round_events.BettingClosed(staked_cents=self._staked_cents, paragraph=paragraph)
        if written.body != encode_line(due, _CLOSES):
            return False
        self._phase, self._is_dealing = Phase.BETS_CLOSED, True
        self._entries.append(written)
        return True

    def _card(self, written: Written) -> bool:
        body = written[4]
        known = self._known_cards.get(body) or self._read_card(body)
        if known is None:
            return False
        card, text, place, shape = known
        left = self._cards_left
        if not self._is_dealing or not self._counts_left[place] or not left or written[10] or written[7] or written[11]:
            return False
        points, many = self._points, len(self._points)
        lie: tuple[int, ...] = (many,)  # and from the fourth card on the totals matter, and the Player's third
        if many >= 3:
            point = POINTS[card.rank]
            if many == 3:
                lie = (many, (points[0] + points[2]) % 10, (points[1] + point) % 10)
            else:
                lie = (many, (points[0] + points[2]) % 10, (points[1] + points[3]) % 10, (*points, point)[4])
        due = self._game.deals.get(lie)
        if due is None:
            due = self._game.deal(lie, self._state.round, self._cards, self._phase, card)
        if due[0] != shape:
            return False
        if self._draws is not None:
            drawn = (written[0], self._number, self._in_a_shoe - left, text, round_events.CardDealt.TAG)
            self._draws.append(tuple.__new__(Draw, drawn))
        self._counts_left[place] -= 1
        self._cards_left = left - 1
        _, self._phase, self._is_dealing = due
        self._cards.append(card)
        points.append(POINTS[card.rank])
        self._found.cards += 1
        self._entries.append(written)
        return True

    def _read_card(self, body: bytes) -> tuple[Card, str, int, bytes] | None:
        try:
            line = read_body(body)
        except BadInput:
            return None
        event, origin = line.event, line.origin
        if not isinstance(event, round_events.CardDealt) or encode_line(event, origin) != body or origin.rank:
            return None
        try:
            card = Card.parse(event.card)
        except BadInput:
            return None
        if event.card != str(card):
            return None
        known = (card, event.card, place_of(card), without_card(encode_line(event, DEALS), event.card))
        return keep(self._known_cards, body, known)

    def _declared(self, written: Written) -> bool:
        if self._phase is not Phase.COMPLETE or self._result or _has_more(written):
            return False
        result = self._prepare()
        if written[4] != result.text:
            self._result = None
            return False
        self._entries.append(written)
        return True

    def _prepare(self) -> PlainResult:
        """How the round has ended, and the seats to be settled, in their order."""
        self._outcome = outcome = Outcome.of([card.rank for card in self._cards])
        self._result = result = self._game.result(self._state.round, outcome, self._cards)
        seats = self._seats
        self._order = [seats[number] for number in sorted(seats) if seats[number].bets]
        self._place = self._returned_cents = self._collected_cents = 0
        return result

    def _seat_settled(self, written: Written) -> bool:
        place, order, result = self._place, self._order, self._result
        if not result or self._phase is not _COMPLETE or place >= len(order) or written[7] or written[11]:
            return False
        seat = order[place]
        if not seat.is_plain:
            return False
        texts, known = [], result.lines
        returned = lost = 0
        for bet in seat.bets.items():
            line = known.get(bet)
            if line is None:
                assert self._outcome is not None
                line = self._game.line(self._state.round, self._outcome, bet, known)
            texts.append(line[0])
            returned += line[1]
            lost += line[2]
        staked = seat.staked_cents
        due = (
            b'{"event":"seat-settled","v":1,"record":{"seat":%d,"lines":[%b],"insurance":[],"staked_cents":%d,'
            b'"returned_cents":%d},"from":"program","type":"settle"}'
        ) % (seat.number, b",".join(texts), staked, returned)
        if written[4] != due:
            return False
        state, account = self._state, seat.terminal.account
        kept = staked - lost
        moved: list[tuple[str, str, str, int]] = []
        if lost:
            moved.append((_LOST, state.stakes, state.house, lost))
        if kept:
            moved.append((_RETURNED, state.stakes, account, kept))
        if returned > kept:
            moved.append((_WINNINGS, state.house, account, returned - kept))
        if written[10] != tuple(moved):
            return False
        meters = seat.meters
        for transfer in written[10]:
            kind = transfer[0]
            own = self._own_meters if kind == _LOST else meters
            out, into = own.get(kind) or self._meters(own, transfer)
            cents = transfer[3]
            out[2] += cents
            out[3] += 1
            into[0] += cents
            into[1] += 1
        seat.credit_cents += returned
        self._stakes_cents -= staked
        self._house_cents += staked - returned
        self._returned_cents += returned
        self._collected_cents += lost
        self._place = place + 1
        self._found.seats_settled += 1
        self._entries.append(written)
        return True

    def _settled(self, written: Written) -> bool:
        if (
            not self._result
            or self._phase is not Phase.COMPLETE
            or self._place != len(self._order)
            or _has_more(written)
        ):
            return False
        staked, returned, collected = self._staked_cents, self._returned_cents, self._collected_cents
        due = round_events.RoundSettled(
            staked_cents=staked,
            stakes_returned_cents=staked - collected,
            collected_cents=collected,
            winnings_cents=returned - (staked - collected),
            paragraph=self._state.round.game.document.procedure.settlement,
        )
        if written.body != encode_line(due, _SETTLES):
            return False
        self._phase = Phase.SETTLED
        self._entries.append(written)
        return True

    def _time(self, written: Written) -> bool:
        body = written.body
        digits = body[len(_NOTED) : -len(_NOTED_END)]
        if _has_more(written) or not digits.isdigit() or body != _NOTED + digits + _NOTED_END:
            return False
        if self._place and self._phase is Phase.COMPLETE:  # a settlement is begun, and nothing comes between
            return False
        table_ms = int(digits)
        if digits != b"%d" % table_ms or table_ms < self._table_ms or table_ms >= 2**63:
            return False
        self._table_ms = table_ms
        self._entries.append(written)
        return True

    # Another round.

    def _opened(self, written: Written) -> bool:
        opening, state, number = self._opening, self._state, self._number + 1
        if (
            opening is None
            or self._phase is not Phase.SETTLED
            or state.round.cut_card_out
            or written.transfers
            or written.label != round_label(state.table, number)
            or written.body != _OPENED + b"%d" % number + opening[1]
        ):
            return False
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
        for seat in self._seats.values():
            if bets := seat.bets:
                terminal = seat.terminal
                terminal.credit_cents, terminal.last_bets = seat.credit_cents, bets
                terminal.session_view = None
                if session := terminal.session:
                    session.staked_cents += seat.staked_cents
                    session.rounds += 1
                seat.bets, seat.staked_cents = {}, 0
        state.results.append(tuple.__new__(RoundResult, (self._number, *self._result.seen)))
        state.table_ms = self._table_ms

    def _open_alike(self, number: int) -> None:
        """The state is as when the last round opened, but for what was counted of it."""
        state, now = self._state, self._state.round
        state.round = now._replace(shoe=self._shoe_now(), number=number)
        self._phase, self._number, self._round_part = Phase.BETTING_OPEN, number, b'","round":%d' % number
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
            state.round = state.round._replace(shoe=self._shoe_now(), seats=_NO_SEATS)
        event = copy(opening[0])
        event.round = number  # type: ignore[misc]
        evolve(state, event, (), opening[2], at_ms)
        self._begin()

    def _shoe_now(self) -> Shoe:
        return Shoe(self._in_a_shoe // CARDS_IN_A_DECK, tuple(self._counts_left))


def _has_more(written: Written) -> bool:
    """A label, money or documents: most of what is plain has none."""
    return bool(written[7] or written[10] or written[11])


def _set(balances: Balances, account: str, cents: int) -> None:
    if cents:
        balances[account] = cents
    else:
        balances.pop(account, None)
