"""What happens to people and devices, as the journal keeps it. No password, code or hash is ever among it.

Tags and versions are permanent: an event written today is read for ever.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Struct

from natural9.core.errors import BadInput


class Event(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    TAG: ClassVar[str]
    VERSION: ClassVar[int] = 1

    by: str  # a staff id, "cli:<user>", a device id, or "venue" for what the venue does by itself


class StaffAdded(Event, frozen=True, kw_only=True):
    TAG = "staff-added"
    id: str
    name: str
    role: str


class AdministratorClaimed(Event, frozen=True, kw_only=True):
    TAG = "administrator-claimed"
    id: str
    name: str
    peer: str


class CodeIssued(Event, frozen=True, kw_only=True):
    """A new one-time code for setting a password."""

    TAG = "code-issued"
    id: str


class StaffDisabled(Event, frozen=True, kw_only=True):
    TAG = "staff-disabled"
    id: str


class StaffEnabled(Event, frozen=True, kw_only=True):
    TAG = "staff-enabled"
    id: str


class RoleChanged(Event, frozen=True, kw_only=True):
    TAG = "role-changed"
    id: str
    before: str
    after: str


class PasswordChanged(Event, frozen=True, kw_only=True):
    TAG = "password-changed"
    id: str
    peer: str


class SignedIn(Event, frozen=True, kw_only=True):
    """`purpose` is "session", or "authorise" for one decision at a console where someone else is signed in."""

    TAG = "sign-in"
    id: str
    peer: str
    purpose: str


class SignInFailed(Event, frozen=True, kw_only=True):
    """`id` is empty where no account has the id that was typed: it may have been a password in the wrong field.

    `purpose` is as of a sign-in, or "change-password" for someone who is signed in and mistook their present one.
    """

    TAG = "sign-in-failed"
    id: str
    peer: str
    purpose: str
    why: str  # password, locked, disabled, unknown
    failures: int  # in a row


class LockedOut(Event, frozen=True, kw_only=True):
    TAG = "locked-out"
    id: str
    until_ms: int | None  # None: until an administrator unlocks


class Unlocked(Event, frozen=True, kw_only=True):
    TAG = "unlocked"
    id: str


class SignedOut(Event, frozen=True, kw_only=True):
    TAG = "signed-out"
    id: str
    everywhere: bool


class PeerRefused(Event, frozen=True, kw_only=True):
    """An address failed so often that it is not listened to for a while: requirement 35."""

    TAG = "peer-refused"
    peer: str


class DeviceAdded(Event, frozen=True, kw_only=True):
    TAG = "device-added"
    id: str
    kind: str
    table: str  # empty for a display of all tables
    seat: int | None


class DeviceEnrolled(Event, frozen=True, kw_only=True):
    TAG = "device-enrolled"
    id: str
    peer: str


class DeviceRevoked(Event, frozen=True, kw_only=True):
    TAG = "device-revoked"
    id: str
    why: str


_ALL: Final[tuple[type[Event], ...]] = (
    StaffAdded, AdministratorClaimed, CodeIssued, StaffDisabled, StaffEnabled, RoleChanged, PasswordChanged, SignedIn,
    SignInFailed, LockedOut, Unlocked, SignedOut, PeerRefused, DeviceAdded, DeviceEnrolled, DeviceRevoked,
)  # fmt: skip
EVENTS: Final[Mapping[tuple[str, int], type[Event]]] = {(kind.TAG, kind.VERSION): kind for kind in _ALL}


def to_body(event: Event) -> bytes:
    return msgspec.json.encode({"event": event.TAG, "v": event.VERSION, **msgspec.structs.asdict(event)})


def from_body(body: bytes) -> Event:
    try:
        fields: dict[str, Any] = msgspec.json.decode(body, type=dict[str, Any])
        shape = EVENTS.get((fields.pop("event", ""), fields.pop("v", 0)))
        if shape is None:
            raise BadInput("unknown-event", "no event of people or devices has this tag and version")
        return msgspec.convert(fields, shape)
    except (msgspec.DecodeError, TypeError) as error:
        raise BadInput("bad-event", f"not an event of people or devices: {error}") from None
