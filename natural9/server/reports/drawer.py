"""What went through one drawer."""

from typing import Annotated, Final

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal.accounts import desk_account
from natural9.server.people.permissions import Action
from natural9.server.reports.asker import Asker
from natural9.server.reports.filters import DeskFilter, Filter, FilterKind
from natural9.server.reports.report import Report
from natural9.server.reports.transactions import TransactionLine, transaction_report
from natural9.store.contract import Store


async def drawer_report(
    store: Store,
    asker: Asker,
    *,
    desk: DeskFilter = None,
    count: Annotated[int, Filter(FilterKind.COUNT, "Rows", "How many, newest first.", least=1, most=100)] = 20,
) -> list[TransactionLine]:
    """One's own, unless another is named."""
    whose = desk or asker.desk
    if not whose:
        raise BadInput("no-desk", say("a drawer belongs to a desk: name the cashier, as in --desk cass"))
    return await transaction_report(store, account=desk_account(whose), limit=count) if asker.sees(whose) else []


DRAWER: Final = Report(
    name="drawer",
    title="Drawer",
    says="The last that went through one drawer, newest first; for a cashier, their own.",
    permission=Action.SEE_DRAWER,
    row=TransactionLine,
    make=drawer_report,
)
