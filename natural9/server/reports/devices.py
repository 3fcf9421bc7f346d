"""Terminals, displays and readers, for who reads and does not manage them."""

from typing import Annotated, Final

from msgspec import Struct, json

from natural9.server.people.permissions import Action
from natural9.server.people.records import DEVICE, DeviceRecord
from natural9.server.reports.columns import ColumnHint
from natural9.server.reports.filters import TableFilter
from natural9.server.reports.report import Report
from natural9.store.contract import Store


class DeviceLine(Struct, frozen=True, kw_only=True):
    """Nothing of its token or its code but until when a code may be used."""

    id: Annotated[str, ColumnHint(title="Device")]
    kind: str
    table: str  # "": a display of all tables
    seat: int | None
    status: str
    code_expires_at_ms: int | None


async def device_report(store: Store, *, table: TableFilter = None) -> list[DeviceLine]:
    kept = [json.decode(one, type=DeviceRecord) for one in (await store.documents(DEVICE)).values()]
    return [
        DeviceLine(
            id=one.id,
            kind=one.kind,
            table=one.table,
            seat=one.seat,
            status=one.status,
            code_expires_at_ms=one.code.expires_ms if one.code else None,
        )
        for one in sorted(kept, key=lambda one: (one.table, one.seat or 0, one.id))
        if table in (None, one.table)
    ]


DEVICES: Final = Report(
    name="devices",
    title="Devices",
    says="Terminals, displays and readers, and whether each is enrolled or revoked: requirement 35.",
    permission=Action.SEE_PEOPLE,
    row=DeviceLine,
    make=device_report,
)
