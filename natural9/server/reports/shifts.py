"""Who dealt where, from when to when."""

from typing import Annotated, Final

from msgspec import Struct

from natural9.journal import table_events
from natural9.journal.line import read_line
from natural9.server.people.permissions import Action
from natural9.server.reports.columns import ColumnHint, SheetOnly
from natural9.server.reports.days import EVERY_DAY, Days, Rounds
from natural9.server.reports.filters import LimitFilter, TableFilter, before_column
from natural9.server.reports.report import Report
from natural9.server.reports.significant import significant
from natural9.store.contract import Store, Written


class ShiftLine(Struct, frozen=True, kw_only=True):
    """One dealer at one table, of the gaming day that they signed on; `rounds` are those that opened meanwhile."""

    entry: Annotated[int, ColumnHint(on_screen=False, summed=False)]
    day: SheetOnly[str]
    table: str
    dealer: str
    on_at_ms: int
    off_at_ms: int | None  # None: still on
    rounds: int


async def shift_report(
    store: Store,
    days: Days = EVERY_DAY,
    *,
    table: TableFilter = None,
    before: Annotated[int | None, before_column("entry")] = None,
    limit: LimitFilter = 1000,
) -> list[ShiftLine]:
    """Read backwards: whatever changed the dealer of a table after a sign-on is where that shift ended."""
    ended: dict[str, Written] = {}
    rounds: dict[str, Rounds] = {}
    lines: list[ShiftLine] = []
    async for written in significant(store, Days(first=days.first)):
        whose = written.stream.partition("/")[2]
        if written.kind not in _CHANGES or (table is not None and whose != table):
            continue
        event = read_line(written).event
        if isinstance(event, table_events.DealerSignedOn) and days.hold(written.day) and _is_before(written, before):
            dealt = rounds.setdefault(whose, Rounds(store, whose))
            lines.append(await _line(written, event.dealer, whose, ended.get(whose), dealt))
            if len(lines) >= limit:
                break
        ended[whose] = written
    return lines


_CHANGES: Final = (table_events.DealerSignedOn.TAG, table_events.DealerSignedOff.TAG)


def _is_before(written: Written, entry: int | None) -> bool:
    return entry is None or written.seq < entry


async def _line(on: Written, dealer: str, table: str, off: Written | None, rounds: Rounds) -> ShiftLine:
    last = await rounds.at(off.seq) if off else await rounds.last()
    return ShiftLine(
        entry=on.seq,
        day=on.day,
        table=table,
        dealer=dealer,
        on_at_ms=on.at_ms,
        off_at_ms=off.at_ms if off else None,
        rounds=last - await rounds.at(on.seq),
    )


SHIFTS: Final = Report(
    name="shifts",
    title="Shifts",
    says="Who dealt at which table, from when to when, and the rounds that opened meanwhile. Newest first.",
    permission=Action.SEE_REPORTS,
    row=ShiftLine,
    make=shift_report,
    adds_up=True,
)
