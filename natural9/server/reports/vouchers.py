"""Vouchers outstanding."""

from typing import Annotated, Final

from msgspec import Struct, json

from natural9.server.people.permissions import Action
from natural9.server.reports.asker import Asker
from natural9.server.reports.columns import ColumnHint
from natural9.server.reports.filters import TableFilter
from natural9.server.reports.report import Report
from natural9.store.contract import Store
from natural9.table.commands.cage import DAY_MS, Voucher


class VoucherLine(Struct, frozen=True, kw_only=True):
    number: str
    table: str
    seat: int
    cents: int
    issued_at_ms: int
    age_days: Annotated[int, ColumnHint(title="Days old", summed=False)]
    expires_at_ms: int
    expired: bool


async def voucher_report(store: Store, asker: Asker, *, table: TableFilter = None) -> list[VoucherLine]:
    """Those that are out, oldest first."""
    stored = (await store.documents("voucher/")).values()
    vouchers = sorted(
        (json.decode(one, type=Voucher) for one in stored), key=lambda one: (one.issued_at_ms, one.number)
    )
    return [
        VoucherLine(
            number=one.number,
            table=one.table,
            seat=one.seat,
            cents=one.cents,
            issued_at_ms=one.issued_at_ms,
            age_days=max(0, asker.at_ms - one.issued_at_ms) // DAY_MS,
            expires_at_ms=one.expires_at_ms,
            expired=asker.at_ms >= one.expires_at_ms,
        )
        for one in vouchers
        if table is None or one.table == table
    ]


VOUCHERS: Final = Report(
    name="vouchers",
    title="Vouchers outstanding",
    says="Vouchers outstanding, with their age.",
    permission=Action.SEE_MONEY,
    row=VoucherLine,
    make=voucher_report,
    adds_up=True,
)
