"""Cash desks by gaming day."""

from collections import defaultdict
from typing import Annotated, Final

from msgspec import Struct

from natural9.journal.accounts import TransferKind, desk_account
from natural9.server.people.permissions import Action
from natural9.server.reports.asker import Asker
from natural9.server.reports.columns import ColumnHint
from natural9.server.reports.days import Days
from natural9.server.reports.filters import DeskFilter
from natural9.server.reports.report import Report
from natural9.server.reports.sums import Sums
from natural9.store.contract import Store


class DeskLine(Struct, frozen=True, kw_only=True):
    """One drawer on one gaming day: cash taken in and paid out. `drawer_now_cents` counts from an empty drawer."""

    desk: str
    day: str
    taken_in_cents: int
    taken_in_count: Annotated[int, ColumnHint(title="Times")]
    hand_paid_cents: Annotated[int, ColumnHint(title="Paid by hand")]
    vouchers_paid_cents: int
    paid_out_count: Annotated[int, ColumnHint(title="Times")]
    drawer_now_cents: Annotated[int, ColumnHint(summed=False)]  # the same on each of a desk's days


async def desk_report(store: Store, asker: Asker, days: Days, *, desk: DeskFilter = None) -> list[DeskLine]:
    meters: defaultdict[tuple[str, str], Sums] = defaultdict(Sums)
    for meter in await store.meters(f"desk/{desk or ''}", first_day=days.first, last_day=days.last):
        whose = meter.account.partition("/")[2]
        if desk in (None, whose) and asker.sees(whose):
            meters[meter.day, whose].add(meter)
    balances = await store.balances("desk/")
    return [
        DeskLine(
            desk=whose,
            day=day,
            taken_in_cents=-sums[TransferKind.BUY_IN],
            taken_in_count=sums.count[TransferKind.BUY_IN],
            hand_paid_cents=sums[TransferKind.HAND_PAY],
            vouchers_paid_cents=sums[TransferKind.VOUCHER_PAID],
            paid_out_count=sums.count[TransferKind.HAND_PAY] + sums.count[TransferKind.VOUCHER_PAID],
            drawer_now_cents=-balances.get(desk_account(whose), 0),
        )
        for (day, whose), sums in sorted(meters.items())
    ]


DESKS: Final = Report(
    name="desks",
    title="Desks",
    says="Cash desks by gaming day; a cashier sees their own drawer.",
    permission=Action.SEE_DRAWER,
    row=DeskLine,
    make=desk_report,
    adds_up=True,
)
