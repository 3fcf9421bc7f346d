"""Players' sessions: how long, how much, and what their limits, checks and breaks were."""

from collections import Counter, defaultdict
from typing import Annotated, Final

from msgspec import Struct

from natural9.journal import session_events
from natural9.journal.labels import SESSIONS
from natural9.journal.line import read_line
from natural9.server.people.permissions import Action
from natural9.server.reports.columns import ColumnHint, SheetOnly, WideOnly
from natural9.server.reports.days import EVERY_DAY, Days
from natural9.server.reports.filters import LimitFilter, TableFilter, before_column
from natural9.server.reports.report import Report
from natural9.store.contract import Store, Written
from natural9.table.state.sessions import SEAT_OWNS

PAGE: Final = 1000
_MINUTE_MS: Final = 60_000


class PlayerSessionLine(Struct, frozen=True, kw_only=True):
    """One session, of the gaming day that it began. Until it has ended, what was staked, paid in and out is not known
    here."""

    entry: Annotated[int, ColumnHint(on_screen=False, summed=False)]
    day: SheetOnly[str]
    table: str
    seat: int
    player: Annotated[str, ColumnHint(title="Player no.")]  # "" where no card was in
    started_at_ms: int
    ended_at_ms: int | None  # None: still on
    minutes: int | None
    rounds: int | None
    staked_cents: int | None
    in_cents: Annotated[int | None, ColumnHint(title="Money in")]
    out_cents: Annotated[int | None, ColumnHint(title="Money out")]
    net_cents: Annotated[int | None, ColumnHint(title="Player's net")]
    checks: Annotated[int, ColumnHint(title="Reality checks")]
    breaks: int
    limit_changes: int
    time_limit_minutes: Annotated[int | None, ColumnHint(wide=True, summed=False)]
    loss_limit_cents: Annotated[int | None, ColumnHint(wide=True, summed=False)]
    stake_limit_cents: Annotated[int | None, ColumnHint(wide=True, summed=False)]
    pauses: WideOnly[int]


class _Later:
    """What is known of a session from its later entries."""

    def __init__(self) -> None:
        self.ended: tuple[Written, session_events.SessionEnded] | None = None
        self.limits: session_events.PlayLimitsSet | None = None  # the last that were set
        self.times: Counter[str] = Counter()  # by the tag of what happened


async def protection_report(
    store: Store,
    days: Days = EVERY_DAY,
    *,
    table: TableFilter = None,
    before: Annotated[int | None, before_column("entry")] = None,
    limit: LimitFilter = 1000,
) -> list[PlayerSessionLine]:
    """Read backwards: what happened in a session is known when its beginning is found."""
    later: defaultdict[tuple[str, int], _Later] = defaultdict(_Later)
    lines: list[PlayerSessionLine] = []
    at: int | None = None
    while page := await store.labelled(SESSIONS, before=at, limit=PAGE):
        for written in page:
            whose = written.stream.partition("/")[2]
            if written.day < days.first or table not in (None, whose):
                continue
            event = read_line(written).event
            known = later[whose, event.session]  # type: ignore[attr-defined]
            known.times[event.TAG] += 1
            if isinstance(event, session_events.SessionEnded):
                known.ended = (written, event)
            elif isinstance(event, session_events.PlayLimitsSet):
                known.limits = known.limits or event
            elif isinstance(event, session_events.SessionStarted):
                del later[whose, event.session]
                if days.hold(written.day) and (before is None or written.seq < before):
                    lines.append(_line(written, event, whose, known))
                    if len(lines) >= limit:
                        return lines
        if page[0].day < days.first:  # a whole page of older ones: a venue may change when its day starts
            return lines
        at = page[-1].seq
    return lines


def _line(written: Written, started: session_events.SessionStarted, table: str, known: _Later) -> PlayerSessionLine:
    end_entry, end = known.ended or (None, None)
    limits = known.limits or started
    return PlayerSessionLine(
        entry=written.seq,
        day=written.day,
        table=table,
        seat=started.seat,
        player="" if started.owner == SEAT_OWNS else started.owner,
        started_at_ms=written.at_ms,
        ended_at_ms=end_entry.at_ms if end_entry else None,
        minutes=end.played_ms // _MINUTE_MS if end else None,
        rounds=end.rounds if end else None,
        staked_cents=end.staked_cents if end else None,
        in_cents=end.in_cents if end else None,
        out_cents=end.out_cents if end else None,
        net_cents=end.out_cents - end.in_cents if end else None,
        checks=known.times[session_events.RealityCheckDue.TAG],
        breaks=known.times[session_events.BreakTaken.TAG],
        limit_changes=known.times[session_events.PlayLimitsSet.TAG],
        time_limit_minutes=None if limits.time_ms is None else limits.time_ms // _MINUTE_MS,
        loss_limit_cents=limits.loss_cents,
        stake_limit_cents=limits.stake_cents,
        pauses=known.times[session_events.PlayPaused.TAG],
    )


PROTECTION: Final = Report(
    name="protection",
    title="Player protection",
    says="Players' sessions: time, money, reality checks, breaks and limits. Newest first.",
    permission=Action.SEE_REPORTS,
    row=PlayerSessionLine,
    make=protection_report,
    adds_up=True,
)
