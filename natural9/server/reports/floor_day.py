"""The gaming day of the floor as it goes on: what was played and won by the hour, and what the odds expect of it.

The pit asks every few seconds. The day's journal is read once, by a process of its own, which keeps what it came to:
whoever asks again has only what was written since read.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from functools import partial
from math import sqrt
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.round import events as round_events
from natural9.games import load_game
from natural9.journal.accounts import house_account, stake_account
from natural9.journal.catalogue import shape_of
from natural9.journal.line import read_body
from natural9.server.reports.days import Rounds
from natural9.server.reports.examination import games_beside
from natural9.server.reports.hold import PAGE, USUAL_DECKS, decks_beside, stakes_of
from natural9.server.reports.theoretical import Bet, Expected, Situation, expected_of
from natural9.server.reports.win import TURNOVER, WINS
from natural9.store.contract import Store, Written
from natural9.table.audit.recall import tables

MINUTE_MS: Final = 60_000
SLOT_MS: Final = 10 * MINUTE_MS  # between two points of the curve
HOUR_MS: Final = 60 * MINUTE_MS
LEAST_MS: Final = 10 * MINUTE_MS  # of play: before that nobody can say how fast it goes


class CurvePoint(Struct, frozen=True, kw_only=True):
    """All tables together, from the beginning of the gaming day to this moment. `expected_cents` is what the exact
    house edge makes of what was staked, `deviation_cents` one standard deviation around it; None where a round was
    played by rules that are not here."""

    at_ms: int
    house_win_cents: int
    expected_cents: int | None
    deviation_cents: int | None


class HourLine(Struct, frozen=True, kw_only=True):
    """One table in one hour; the money is None for whoever may not see the reports."""

    table: str
    from_ms: int
    rounds: int
    staked_cents: int | None
    house_win_cents: int | None


class FloorDay(Struct, frozen=True, kw_only=True):
    day: str
    at_ms: int
    curve: tuple[CurvePoint, ...]  # empty for whoever may not see the reports, and while nothing was settled
    hours: tuple[HourLine, ...]  # by table and time; those with nothing in them are left out
    pace: dict[str, int | None]  # rounds an hour, of the last hour; None where it is too early to say


class Slot(NamedTuple):
    """What ten minutes came to, or one round. `unknown` counts rounds that nobody can price."""

    rounds: int = 0
    staked_cents: int = 0
    win_cents: int = 0
    expected: float = 0.0
    variance: float = 0.0
    unknown: int = 0

    def plus(self, other: "Slot", times: int = 1) -> "Slot":
        """With -1 times, without the other."""
        return Slot(
            self.rounds + times * other.rounds,
            self.staked_cents + times * other.staked_cents,
            self.win_cents + times * other.win_cents,
            self.expected + times * other.expected,
            self.variance + times * other.variance,
            self.unknown + times * other.unknown,
        )


_NOTHING: Final = Slot()


class Prices:
    """What a round's stakes are worth by the odds of a fresh shoe; each price is found once."""

    def __init__(self, find_game: Callable[[str], Game]) -> None:
        self._find_game = find_game
        self._found: dict[tuple[str, int, frozenset[Situation]], Expected | None] = {}

    def of_round(self, game: str, decks: int, stakes: Counter[Bet]) -> Slot:
        insured = frozenset(bet for bet in stakes if not isinstance(bet, str))
        key = (game, decks, insured)
        if key not in self._found:
            self._found[key] = self._expected(*key)
        expected = self._found[key]
        if expected is None or not expected.edge.keys() >= stakes.keys():
            return Slot(unknown=1)
        mean = sum(expected.edge[bet] * cents for bet, cents in stakes.items())
        variance = sum(
            expected.covariance[one, other] * cents * others
            for one, cents in stakes.items()
            for other, others in stakes.items()
        )
        return Slot(expected=mean, variance=variance)

    def _expected(self, game: str, decks: int, insured: frozenset[Situation]) -> Expected | None:
        try:
            return expected_of(self._find_game(game), decks, insured)
        except BadInput:
            return None  # a rule pack that is no longer there


class TableDay:
    """One table's day, read on from where it was read last."""

    def __init__(self, table: str, day: str, prices: Prices, *, decks: int) -> None:
        self.table, self.day = table, day
        self.slots: dict[int, Slot] = {}  # by when they begin
        self.first_ms = 0  # when the first round of the day was settled
        self.last_hour: deque[int] = deque()  # when each round was
        self._prices, self._decks, self._game = prices, decks, ""
        self._after = -1
        self._house, self._stake = house_account(table), stake_account(table)
        self._settled: dict[int, round_events.SeatSettled] = {}
        self._cards: list[Card] = []
        self._booked: tuple[int, Slot] | None = None  # what the round that may still be corrected was booked as
        self._counted = False  # among those of the last hour

    async def read_on(self, store: Store) -> None:
        if self._after < 0:  # from the round before the day's first: it may have ended today
            self._after = await Rounds(store, self.table).before_day(self.day)
        while page := await store.entries(after=self._after, stream=f"table/{self.table}", limit=PAGE):
            self._after = page[-1].seq
            for written in page:
                if written.day <= self.day:
                    self._read(written)

    def rounds_an_hour(self, now_ms: int) -> int | None:
        while self.last_hour and self.last_hour[0] <= now_ms - HOUR_MS:
            self.last_hour.popleft()
        played_ms = min(HOUR_MS, now_ms - self.first_ms) if self.first_ms else 0
        return round(len(self.last_hour) * HOUR_MS / played_ms) if played_ms >= LEAST_MS else None

    def _read(self, written: Written) -> None:
        shape = shape_of(written.kind)
        if shape is None or shape.IS_QUIET:  # bets, by far the most: what they came to is told by the settlement
            return
        if written.transfers and written.day == self.day:
            self._add(written.at_ms, self._moved(written))
        match event := read_body(written.body).event:
            case round_events.ShoeLoaded() | round_events.ShoeReplaced():
                self._decks = event.decks
            case round_events.BettingOpened():
                self._game, self._settled, self._cards = event.game, {}, []
                self._booked, self._counted = None, False
            case round_events.CardDealt():
                self._cards.append(Card.parse(event.card))
            case round_events.CardsCorrected():
                self._cards = [Card.parse(card) for card in event.cards]
            case round_events.SeatSettled():
                self._settled[event.seat] = event
            case round_events.SettlementReversed():
                self._settled.pop(event.seat, None)
                self._unbook()
            case round_events.RoundSettled() if written.day == self.day:
                self._book(written.at_ms)
            case round_events.RoundVoided():
                self._unbook()
            case _:
                pass

    def _moved(self, written: Written) -> Slot:
        """To the cent what the report of the win counts: corrections and rulings, whatever round they are of."""
        win = staked = 0
        for kind, source, target, cents in written.transfers:
            if kind in WINS:
                win += cents * ((target == self._house) - (source == self._house))
            if kind in TURNOVER:
                staked += cents * ((source == self._stake) - (target == self._stake))
        return Slot(staked_cents=staked, win_cents=win)

    def _book(self, at_ms: int) -> None:
        """The round is settled, for the first time or again."""
        self._unbook()
        stakes = stakes_of(self._settled.values(), self._cards)
        priced = self._prices.of_round(self._game, self._decks, stakes) if stakes else _NOTHING
        booked = priced._replace(rounds=1)
        self._booked = (self._add(at_ms, booked), booked)
        if not self._counted:
            self._counted = True
            self.first_ms = self.first_ms or at_ms
            self.last_hour.append(at_ms)

    def _unbook(self) -> None:
        if self._booked:
            start, booked = self._booked
            self.slots[start] = self.slots[start].plus(booked, -1)
            self._booked = None

    def _add(self, at_ms: int, more: Slot) -> int:
        start = at_ms - at_ms % SLOT_MS
        self.slots[start] = self.slots.get(start, _NOTHING).plus(more)
        return start


class FloorBooks:
    """The day of every table."""

    def __init__(self, day: str, *, find_game: Callable[[str], Game], decks: Mapping[str, int]) -> None:
        self.day = day
        self._prices, self._decks = Prices(find_game), decks
        self._tables: dict[str, TableDay] = {}

    async def read_on(self, store: Store) -> None:
        for table in sorted(await tables(store)):
            if table not in self._tables:
                decks = self._decks.get(table, USUAL_DECKS)
                self._tables[table] = TableDay(table, self.day, self._prices, decks=decks)
            await self._tables[table].read_on(store)

    def shown(self, now_ms: int, *, with_money: bool) -> FloorDay:
        return FloorDay(
            day=self.day,
            at_ms=now_ms,
            curve=self._curve(now_ms) if with_money else (),
            hours=tuple(self._hours(with_money=with_money)),
            pace={name: table.rounds_an_hour(now_ms) for name, table in self._tables.items()},
        )

    def _curve(self, now_ms: int) -> tuple[CurvePoint, ...]:
        by_time: dict[int, Slot] = {}
        for table in self._tables.values():
            for start, slot in table.slots.items():
                by_time[start] = by_time.get(start, _NOTHING).plus(slot)
        so_far = _NOTHING
        points: list[CurvePoint] = []
        for start, slot in sorted(by_time.items()):
            if not points:
                points.append(_point(start, _NOTHING))
            so_far = so_far.plus(slot)
            points.append(_point(min(start + SLOT_MS, max(now_ms, start)), so_far))
        return tuple(points)

    def _hours(self, *, with_money: bool) -> list[HourLine]:
        found = []
        for name, table in self._tables.items():
            hours: dict[int, Slot] = {}
            for start, slot in table.slots.items():
                hour = start - start % HOUR_MS
                hours[hour] = hours.get(hour, _NOTHING).plus(slot)
            found += [
                HourLine(
                    table=name,
                    from_ms=hour,
                    rounds=slot.rounds,
                    staked_cents=slot.staked_cents if with_money else None,
                    house_win_cents=slot.win_cents if with_money else None,
                )
                for hour, slot in sorted(hours.items())
                if slot.rounds or (with_money and (slot.staked_cents or slot.win_cents))
            ]
        return found


def _point(at_ms: int, so_far: Slot) -> CurvePoint:
    known = not so_far.unknown
    return CurvePoint(
        at_ms=at_ms,
        house_win_cents=so_far.win_cents,
        expected_cents=round(so_far.expected) if known else None,
        deviation_cents=round(sqrt(max(0.0, so_far.variance))) if known else None,
    )


_kept: dict[Path, FloorBooks] = {}  # in the process that reads aside


async def floor_day(store: Store, day: str, now_ms: int, with_money: bool) -> bytes:
    """As it goes over the wire. Runs aside, where what was read of a store is kept."""
    books = _kept.get(store.place) if store.place else None
    if books is None or books.day != day:
        books = _books(store.place, day)
        if store.place:
            _kept[store.place] = books
    try:
        await books.read_on(store)
    except BaseException:
        _kept.clear()  # half read: the next one begins anew
        raise
    return msgspec.json.encode(books.shown(now_ms, with_money=with_money))


def _books(place: Path | None, day: str) -> FloorBooks:
    open_books = partial(FloorBooks, day)
    if place is None:
        return open_books(find_game=load_game, decks=MappingProxyType({}))
    return open_books(find_game=games_beside(place), decks=decks_beside(place))
