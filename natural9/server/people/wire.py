"""What goes over the wire about people and devices: requests and answers."""

from typing import Annotated

from msgspec import Meta, Struct

from natural9.server.people.permissions import Action, Role
from natural9.server.people.records import DeviceKind, DeviceStatus, StaffStatus

Id = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9.-]{1,30}$", description="The id of a person.")]
TypedId = Annotated[str, Meta(max_length=100, description="The id as it was typed.")]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Password = Annotated[str, Meta(max_length=1000)]
OneTimeCode = Annotated[str, Meta(max_length=100, description="Case, blanks and dashes do not count.")]
TableId = Annotated[str, Meta(max_length=31, description="Empty only for a display of all tables.")]
Seat = Annotated[int, Meta(ge=1, le=999_999)]


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not named here is refused, so that a slip of the pen is not ignored."""


class SignIn(Request, frozen=True):
    id: TypedId
    password: Password


class ClaimAdministrator(Request, frozen=True):
    code: OneTimeCode
    id: Id
    name: Name
    password: Password


class SetPassword(Request, frozen=True):
    code: OneTimeCode
    password: Password


class ChangePassword(Request, frozen=True):
    present: Password
    new: Password


class Enrol(Request, frozen=True):
    code: OneTimeCode


class NewStaff(Request, frozen=True):
    """Who becomes one who signs for money is signed for by another who does: so it takes two people."""

    id: Id
    name: Name
    role: Role
    signature: SignIn | None = None


class NewRole(Request, frozen=True):
    role: Role
    signature: SignIn | None = None


class NewCode(Request, frozen=True):
    signature: SignIn | None = None


class NewDevices(Request, frozen=True):
    """One display or reader, or a terminal for each seat from the first to the last. A seat that holds money takes the
    signature of a Pit Manager or above, for this request alone."""

    kind: DeviceKind
    table: TableId = ""
    first_seat: Seat | None = None
    last_seat: Seat | None = None
    signature: SignIn | None = None


class PersonView(Struct, frozen=True):
    id: str
    name: str
    role: Role
    may: list[Action]  # so that a screen shows no button that would be refused
    ranks: list[str]  # of the pit, that this person holds or stands above


class DeviceIdentity(Struct, frozen=True):
    id: str
    kind: DeviceKind
    table: str
    seat: int | None


class Me(Struct, frozen=True):
    """Who this browser is; `csrf` goes into the header x-csrf-token of everything that changes something."""

    csrf: str
    expires_ms: int | None  # when the session ends if nothing more is heard; None for a device
    person: PersonView | None = None
    device: DeviceIdentity | None = None


class PermissionView(Struct, frozen=True):
    """One line of the table of permissions: "may {says}"."""

    action: Action
    says: str
    roles: list[Role]
    changes: bool
    paragraph: str


class PasswordSet(Struct, frozen=True):
    id: str


class LockView(Struct, frozen=True):
    """Where an account is locked after wrong passwords: an address, a network of them, or "device/ID"."""

    place: str
    until_ms: int | None  # None: until an administrator unlocks


class StaffView(Struct, frozen=True):
    id: str
    name: str
    role: Role
    status: StaffStatus
    locked: list[LockView]


class DeviceView(Struct, frozen=True):
    id: str
    kind: DeviceKind
    table: str
    seat: int | None
    status: DeviceStatus


class CodeView(Struct, frozen=True):
    """Shown once; hand it over and forget it."""

    id: str
    code: str
    expires_ms: int
