"""A player's win and loss: every visit to a terminal with the card in, as it stands with all corrections."""

from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Struct

from natural9.journal.card_events import PlayCounted, PlayerCardedIn, PlayerCardedOut
from natural9.journal.labels import player_label
from natural9.journal.line import read_line
from natural9.server.people.permissions import Action
from natural9.server.people.records import PLAYER
from natural9.server.reports.columns import ColumnHint, SheetOnly
from natural9.server.reports.days import EVERY_DAY, Days
from natural9.server.reports.filters import Filter, FilterKind
from natural9.server.reports.report import Report
from natural9.store.contract import Store, Written

PAGE: Final = 1000
_NUMBER: Final = Filter(FilterKind.TEXT, "Player no.", "The player's number, as 10001.", longest=20)
PlayerFilter = Annotated[str | None, _NUMBER]


class PlayerVisitLine(Struct, frozen=True, kw_only=True):
    """One visit, of the gaming day that it began."""

    entry: Annotated[int, ColumnHint(on_screen=False, summed=False)]
    day: SheetOnly[str]
    player: Annotated[str, ColumnHint(title="Player no.")]
    table: str
    seat: int
    card_in_at_ms: Annotated[int, ColumnHint(title="Card in")]
    card_out_at_ms: Annotated[int | None, ColumnHint(title="Card out")]  # None: still in
    rounds: int
    staked_cents: int
    returned_cents: int
    net_cents: Annotated[int, ColumnHint(title="Player's net")]
    points: float


@dataclass
class _Visit:
    began: Written
    seat: int
    table: str
    ended: Written | None = None
    rounds: int = 0
    staked_cents: int = 0
    returned_cents: int = 0
    points: int = 0

    def count(self, event: PlayCounted) -> None:
        self.rounds += event.rounds
        self.staked_cents += event.staked_cents
        self.returned_cents += event.returned_cents
        self.points += event.points

    def line(self, player: str) -> PlayerVisitLine:
        return PlayerVisitLine(
            player=player,
            entry=self.began.seq,
            day=self.began.day,
            table=self.table,
            seat=self.seat,
            card_in_at_ms=self.began.at_ms,
            card_out_at_ms=self.ended.at_ms if self.ended else None,
            rounds=self.rounds,
            staked_cents=self.staked_cents,
            returned_cents=self.returned_cents,
            net_cents=self.returned_cents - self.staked_cents,
            points=self.points / 100,
        )


async def statement_report(
    store: Store, days: Days = EVERY_DAY, *, player: PlayerFilter = None
) -> list[PlayerVisitLine]:
    """Newest first; without a number, every player's."""
    numbers = [player] if player else [key.removeprefix(PLAYER) for key in sorted(await store.documents(PLAYER))]
    lines = [line for number in numbers for line in await _visits(store, days, number)]
    return sorted(lines, key=lambda line: -line.entry)


async def _visits(store: Store, days: Days, player: str) -> list[PlayerVisitLine]:
    visits: list[_Visit] = []
    played: dict[tuple[str, int, int], _Visit] = {}  # by table, seat and round: a correction may come long after
    for written in await _entries(store, player, days):
        table, event = written.stream.partition("/")[2], read_line(written).event
        match event:
            case PlayerCardedIn():
                visits.append(_Visit(written, event.seat, table))
            case PlayerCardedOut() if visits:
                visits[-1].ended = written
            case PlayCounted():
                where = (table, event.seat, event.of_round)
                if where not in played and visits and (visits[-1].table, visits[-1].seat) == where[:2]:
                    played[where] = visits[-1]
                if where in played:
                    played[where].count(event)
            case _:
                pass
    return [visit.line(player) for visit in visits if days.hold(visit.began.day)]


async def _entries(store: Store, player: str, days: Days) -> list[Written]:
    """All about this player since the first of the days, oldest first."""
    found: list[Written] = []
    before: int | None = None
    while page := await store.labelled(player_label(player), before=before, limit=PAGE):
        found += page
        if page[0].day < days.first:
            break
        before = page[-1].seq
    return found[::-1]


PLAYER_STATEMENT: Final = Report(
    name="player-statement",
    title="Players' win and loss",
    says="Every visit of a player with the card in: rounds, staked, returned, net and points. Newest first.",
    permission=Action.SEE_PLAYERS,
    row=PlayerVisitLine,
    make=statement_report,
    adds_up=True,
    heavy=True,
    of_players=True,
)
