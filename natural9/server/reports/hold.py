"""Hold against what the mathematics expects: turnover and win of each wager, and how far chance may carry them.

Meters count money by account, not by wager, so the settlements of the days asked for are read again, in another
process, where no table waits for it. Everybody at a table bets on the same cards: the deviation is that of whole
rounds, with what the wagers have in common counted, and not a sum over single bets.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

import msgspec
from msgspec import Struct

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.insurance import Window
from natural9.core.notation import split_hands
from natural9.core.round import events as round_events
from natural9.core.settlement import InsuranceLine
from natural9.core.table_of_play import total
from natural9.games import load_game
from natural9.journal.catalogue import shape_of
from natural9.journal.line import read_body
from natural9.server.people.permissions import Action
from natural9.server.reports.columns import ColumnHint, SheetOnly, WideOnly
from natural9.server.reports.days import Days, Rounds
from natural9.server.reports.examination import games_beside, venue_file_beside
from natural9.server.reports.filters import TableFilter
from natural9.server.reports.report import Report
from natural9.server.reports.theoretical import Bet, Expected, Situation, expected_of
from natural9.store.contract import Access, Store, StoreFailed
from natural9.store.opening import open_store
from natural9.table.audit.recall import tables
from natural9.table.venue.venue import load_venue

PAGE: Final = 5000
USUAL_DECKS: Final = 8
INSURANCE: Final = "insurance"


class HoldLine(Struct, frozen=True, kw_only=True):
    """One wager of a table on a gaming day; `wager` is empty for all of them together.

    `theoretical_cents` is what a fresh shoe's exact house edge makes of the turnover, `deviation_cents` the standard
    deviation around it. Insurance is priced at the points that lay when it was taken, and so is what it has in common
    with the bets of its round: it moves against the very ones that it insures.
    """

    table: str
    day: str
    game: WideOnly[str]
    decks: SheetOnly[int]
    wager: str
    rounds: WideOnly[int]
    turnover_cents: int
    house_win_cents: int
    hold_percent: float
    theoretical_cents: int | None
    theoretical_percent: Annotated[float | None, ColumnHint(title="Edge")]
    deviation_cents: Annotated[int | None, ColumnHint(title="Standard deviation")]


Key = tuple[str, str, str, int]  # table, day, game, decks


class Played:
    """What was staked and won on one table and day, bet by bet, and how the bets came together."""

    def __init__(self) -> None:
        self.rounds: Counter[str] = Counter()
        self.staked: Counter[Bet] = Counter()
        self.win: Counter[str] = Counter()
        # The sum of products of two bets' stakes over all rounds: with their covariance, it makes the variance.
        self.together: Counter[tuple[Bet, Bet]] = Counter()

    def add(self, settled: Iterable[round_events.SeatSettled], cards: Sequence[Card]) -> None:
        settled = tuple(settled)
        stakes = stakes_of(settled, cards)
        for one in settled:
            for line in one.lines:
                self.win[line.wager] -= line.net_cents
            for insured in one.insurance:
                self.win[INSURANCE] -= insured.net_cents
        self.staked += stakes
        self.rounds.update({_name(bet) for bet in stakes})
        self.rounds[""] += bool(stakes)
        for first, cents in stakes.items():
            for second, others in stakes.items():
                self.together[first, second] += cents * others


def stakes_of(settled: Iterable[round_events.SeatSettled], cards: Sequence[Card]) -> Counter[Bet]:
    """What lay on each bet of a round, all seats together."""
    stakes: Counter[Bet] = Counter()
    for one in settled:
        for line in one.lines:
            stakes[line.wager] += line.stake_cents
        for insured in one.insurance:
            stakes[_situation(insured, cards)] += insured.stake_cents
    return stakes


async def hold_report(
    store: Store,
    days: Days,
    *,
    table: str | None = None,
    find_game: Callable[[str], Game] = load_game,
    decks: Mapping[str, int] = MappingProxyType({}),  # a table's usual shoe, until one is loaded in what is read
) -> list[HoldLine]:
    """Read in this process; `counted_aside` asks another one."""
    known = await tables(store)
    names = sorted(known) if table is None else [table] if table in known else []
    played: defaultdict[Key, Played] = defaultdict(Played)
    for name in names:
        await _read_table(store, name, days, decks.get(name, USUAL_DECKS), played)
    return [line for key in sorted(played) for line in _lines(key, played[key], find_game)]


async def _read_table(store: Store, table: str, days: Days, decks: int, played: defaultdict[Key, Played]) -> None:
    """Round by round; a settlement that was reversed before the next one opened does not count."""
    after = await Rounds(store, table).before_day(days.first)
    opened: Key | None = None  # the round that settlements belong to, if it is of these days
    settled: dict[int, round_events.SeatSettled] = {}
    cards: list[Card] = []
    while page := await store.entries(after=after, stream=f"table/{table}", limit=PAGE):
        after = page[-1].seq
        for written in page:
            shape = shape_of(written.kind)
            if shape is None or shape.IS_QUIET:  # bets, by far the most: what they came to is told by the settlement
                continue
            event = read_body(written.body).event
            match event:
                case round_events.ShoeLoaded() | round_events.ShoeReplaced():
                    decks = event.decks
                case round_events.BettingOpened():
                    if opened is not None and settled:
                        played[opened].add(settled.values(), cards)
                    if written.day > days.last:
                        return
                    opened = (table, written.day, event.game, decks) if days.hold(written.day) else None
                    settled, cards = {}, []
                case round_events.CardDealt():
                    cards.append(Card.parse(event.card))
                case round_events.CardsCorrected():
                    cards = [Card.parse(card) for card in event.cards]
                case round_events.SeatSettled():
                    settled[event.seat] = event
                case round_events.SettlementReversed():
                    settled.pop(event.seat, None)
                case _:
                    pass
    if opened is not None and settled:
        played[opened].add(settled.values(), cards)


def _situation(insured: InsuranceLine, cards: Sequence[Card]) -> Situation:
    hands = split_hands(cards[: 4 if insured.window is Window.FOUR_CARDS else 5])
    player, banker = (total([card.rank for card in hand]) for hand in hands)
    return insured.wager, insured.window, player, banker


def _name(bet: Bet) -> str:
    """Of the line that it stands in."""
    return bet if isinstance(bet, str) else INSURANCE


def _lines(key: Key, played: Played, find_game: Callable[[str], Game]) -> list[HoldLine]:
    try:
        game: Game | None = find_game(key[2])
    except BadInput:
        game = None  # a rule pack that is no longer there
    wagers = {bet for bet in played.staked if isinstance(bet, str)}
    insured = [bet for bet in played.staked if not isinstance(bet, str)]
    known = game is not None and {wager.id for wager in game.wagers} >= wagers
    expected = expected_of(game, key[3], insured) if game and known else None
    by_line: dict[str, list[Bet]] = {}
    for bet in played.staked:
        by_line.setdefault(_name(bet), []).append(bet)
    by_line[INSURANCE] = by_line.pop(INSURANCE, [])  # behind the wagers, before the sum
    by_line[""] = list(played.staked)
    return [_line(key, name, bets, played, expected) for name, bets in by_line.items() if bets]


def _line(key: Key, name: str, bets: list[Bet], played: Played, expected: Expected | None) -> HoldLine:
    turnover = sum(played.staked[bet] for bet in bets)
    win = sum(played.win[line] for line in dict.fromkeys(map(_name, bets)))
    worth = deviation = None
    if expected is not None and expected.edge.keys() >= set(bets):  # or by rules that are not these
        worth = sum(expected.edge[bet] * played.staked[bet] for bet in bets)
        pairs = [(one, other) for one in bets for other in bets if played.together[one, other]]
        variance = sum(expected.covariance[pair] * played.together[pair] for pair in pairs)
        deviation = round(sqrt(max(0.0, variance)))
    return HoldLine(
        table=key[0],
        day=key[1],
        game=key[2],
        decks=key[3],
        wager=name,
        rounds=played.rounds[name],
        turnover_cents=turnover,
        house_win_cents=win,
        hold_percent=round(100 * win / turnover, 4) if turnover else 0.0,
        theoretical_cents=None if worth is None else round(worth),
        theoretical_percent=None if worth is None or not turnover else round(100 * worth / turnover, 4),
        deviation_cents=deviation,
    )


async def counted_aside(store: Store, days: Days, *, table: TableFilter = None) -> list[HoldLine]:
    """By another process, where it finds the records; a store in memory has no other to be read by."""
    if store.place is None:
        return await hold_report(store, days, table=table)
    asked = (str(store.place), days.first, days.last, table or "")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "natural9.server.reports.hold", *asked, stdout=PIPE, stderr=PIPE
    )
    try:
        found, complaint = await process.communicate()
    finally:
        if process.returncode is None:  # whoever asked has left
            process.kill()
    if process.returncode:
        raise StoreFailed(complaint.decode(errors="replace").strip().rpartition("\n")[2])
    return msgspec.json.decode(found, type=list[HoldLine])


def decks_beside(place: Path) -> dict[str, int]:
    try:
        return {name: table.decks for name, table in load_venue(venue_file_beside(place)).tables.items()}
    except BadInput:
        return {}  # a journal is read without its venue, too


def _hold_at(place: Path, days: Days, table: str) -> list[HoldLine]:
    async def read() -> list[HoldLine]:
        store = open_store(place, Access.READ)
        try:
            game, decks = games_beside(place), decks_beside(place)
            return await hold_report(store, days, table=table or None, find_game=game, decks=decks)
        finally:
            await store.close()

    return asyncio.run(read())


HOLD: Final = Report(
    name="hold",
    title="Hold against theoretical",
    says="Hold against the exact theoretical win, wager by wager. It reads every settlement of the days asked for.",
    permission=Action.SEE_REPORTS,
    row=HoldLine,
    make=counted_aside,
    heavy=True,
)


if __name__ == "__main__":
    os.nice(10)  # whoever plays comes first
    asked_place, first_day, last_day, only_table = sys.argv[1:]
    sys.stdout.buffer.write(msgspec.json.encode(_hold_at(Path(asked_place), Days(first_day, last_day), only_table)))
