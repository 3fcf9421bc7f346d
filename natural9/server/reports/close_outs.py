"""Drawers that were closed: what went through each, what it must have held, and what was counted."""

from typing import Annotated, Any, Final

from msgspec import Struct

from natural9.journal.line import read_line
from natural9.journal.venue_events import DrawerClosed
from natural9.server.people.permissions import Action
from natural9.server.reports.asker import Asker
from natural9.server.reports.columns import ColumnHint, SheetOnly, WideOnly
from natural9.server.reports.days import EVERY_DAY, Days
from natural9.server.reports.filters import DeskFilter, LimitFilter, before_column
from natural9.server.reports.report import Report
from natural9.server.reports.significant import significant
from natural9.store.contract import Store, Written


class CloseOutLine(Struct, frozen=True, kw_only=True):
    """One cashier's shift. `over_cents` is below zero where cash was missing."""

    entry: Annotated[int, ColumnHint(on_screen=False, summed=False)]
    day: SheetOnly[str]
    desk: str
    opened_at_ms: int
    closed_at_ms: int
    carried_cents: WideOnly[int]
    float_cents: int
    filled_cents: Annotated[int, ColumnHint(title="Fills", wide=True)]
    returned_cents: Annotated[int, ColumnHint(title="Back to the vault", wide=True)]
    taken_in_cents: int
    hand_paid_cents: Annotated[int, ColumnHint(title="Paid by hand")]
    vouchers_paid_cents: int
    expected_cents: int
    counted_cents: int
    over_cents: Annotated[int, ColumnHint(title="Over or short")]
    signed_by: SheetOnly[str]


async def close_out_report(
    store: Store,
    asker: Asker,
    days: Days = EVERY_DAY,
    *,
    desk: DeskFilter = None,
    before: Annotated[int | None, before_column("entry")] = None,
    limit: LimitFilter = 1000,
) -> list[CloseOutLine]:
    lines: list[CloseOutLine] = []
    async for written in significant(store, days, before=before):
        if written.kind != DrawerClosed.TAG:
            continue
        event = read_line(written).event
        assert isinstance(event, DrawerClosed)
        if desk in (None, event.desk) and asker.sees(event.desk):
            lines.append(_line(written, event))
        if len(lines) >= limit:
            break
    return lines


def _line(written: Written, event: DrawerClosed) -> CloseOutLine:
    own: dict[str, Any] = {"entry": written.seq, "day": written.day, "closed_at_ms": written.at_ms}
    told = [name for name in CloseOutLine.__struct_fields__ if name not in own]
    return CloseOutLine(**own, **{name: getattr(event, name) for name in told})


CLOSE_OUTS: Final = Report(
    name="close-outs",
    title="Close-outs",
    says="Cashiers' shifts: float, fills, cash in and out, the count, and what was over or short. Newest first.",
    permission=Action.SEE_DRAWER,
    row=CloseOutLine,
    make=close_out_report,
    adds_up=True,
)
