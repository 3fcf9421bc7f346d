"""Staff accounts, for who reads and does not manage them."""

from typing import Annotated, Final

from msgspec import Struct, json

from natural9.server.people.permissions import Action
from natural9.server.people.records import STAFF as STAFF_KEPT
from natural9.server.people.records import StaffRecord
from natural9.server.reports.asker import Asker
from natural9.server.reports.columns import ColumnHint
from natural9.server.reports.report import Report
from natural9.store.contract import Store


class StaffLine(Struct, frozen=True, kw_only=True):
    """Nothing that a password or a code could be tried against."""

    id: Annotated[str, ColumnHint(title="Who")]
    name: str
    role: str
    status: str
    locked_from: str  # the places where wrong passwords have locked it
    code_expires_at_ms: int | None  # of a one-time code that is out


async def staff_report(store: Store, asker: Asker) -> list[StaffLine]:
    kept = await store.documents(STAFF_KEPT)
    return [_line(json.decode(kept[key], type=StaffRecord), asker.at_ms) for key in sorted(kept)]


def _line(one: StaffRecord, at_ms: int) -> StaffLine:
    return StaffLine(
        id=one.id,
        name=one.name,
        role=one.role,
        status=one.status(at_ms),
        locked_from=", ".join(one.locked_at(at_ms)),
        code_expires_at_ms=one.code.expires_ms if one.code else None,
    )


STAFF: Final = Report(
    name="staff",
    title="Staff",
    says="Who has an account, in which role, and whether it is locked or disabled: requirement 46.",
    permission=Action.SEE_PEOPLE,
    row=StaffLine,
    make=staff_report,
)
