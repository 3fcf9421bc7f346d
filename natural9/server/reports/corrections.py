"""What was corrected, overridden or voided."""

from typing import Annotated, Final

from natural9.server.people.permissions import Action
from natural9.server.reports.days import EVERY_DAY, Days
from natural9.server.reports.filters import LimitFilter, TableFilter, before_column
from natural9.server.reports.report import Report
from natural9.server.reports.significant import EventLine, event_lines
from natural9.store.contract import Store


async def correction_report(
    store: Store,
    days: Days = EVERY_DAY,
    *,
    table: TableFilter = None,
    before: Annotated[int | None, before_column("entry")] = None,
    limit: LimitFilter = 1000,
) -> list[EventLine]:
    return await event_lines(store, days, table=table, before=before, limit=limit, only_overrides=True)


CORRECTIONS: Final = Report(
    name="corrections",
    title="Corrections",
    says="Corrections, overrides and voids, with who and why: requirement 45. Newest first.",
    permission=Action.SEE_REPORTS,
    row=EventLine,
    make=correction_report,
)
