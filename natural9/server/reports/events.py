"""Significant events."""

from typing import Annotated, Final

from natural9.server.people.permissions import Action
from natural9.server.reports.days import EVERY_DAY, Days
from natural9.server.reports.filters import LimitFilter, TableFilter, before_column
from natural9.server.reports.report import Report
from natural9.server.reports.significant import EventLine, event_lines
from natural9.store.contract import Store


async def event_report(
    store: Store,
    days: Days = EVERY_DAY,
    *,
    table: TableFilter = None,
    before: Annotated[int | None, before_column("entry")] = None,
    limit: LimitFilter = 1000,
) -> list[EventLine]:
    return await event_lines(store, days, table=table, before=before, limit=limit)


EVENTS: Final = Report(
    name="events",
    title="Significant events",
    says="Significant events, newest first: requirement 43.",
    permission=Action.SEE_EVENTS,
    row=EventLine,
    make=event_report,
)
