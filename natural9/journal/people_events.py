"""What happens to people and devices. No password, code or hash is ever among it; who did it stands beside it."""

from typing import Final

from natural9.core.events import NOTHING, SIGNIFICANT, STAFF, Event, because, event, spoken

_WHY_NOT: Final = {
    "password": "wrong password",
    "locked": "the account is locked",
    "disabled": "the account is disabled",
    "unknown": "there is no such account",
}


_WHAT_FOR: Final = {"authorise": " to sign a decision", "demo": " by a link of the demo"}


@event("staff-added", STAFF, SIGNIFICANT, NOTHING)
class StaffAdded(Event):
    id: str
    name: str
    role: str

    def describe(self) -> str:
        return f"{self.id} ({self.name}) added as {spoken(self.role)}"


@event("administrator-claimed", STAFF, SIGNIFICANT, NOTHING)
class AdministratorClaimed(Event):
    id: str
    name: str
    peer: str

    def describe(self) -> str:
        return f"{self.id} ({self.name}) became the first administrator from {self.peer}"


@event("code-issued", STAFF, SIGNIFICANT, NOTHING)
class CodeIssued(Event):
    """A new one-time code for setting a password."""

    id: str

    def describe(self) -> str:
        return f"A new code was issued for {self.id}"


@event("staff-disabled", STAFF, SIGNIFICANT, NOTHING)
class StaffDisabled(Event):
    id: str

    def describe(self) -> str:
        return f"{self.id} was disabled"


@event("staff-enabled", STAFF, SIGNIFICANT, NOTHING)
class StaffEnabled(Event):
    id: str

    def describe(self) -> str:
        return f"{self.id} was enabled again"


@event("role-changed", STAFF, SIGNIFICANT, NOTHING)
class RoleChanged(Event):
    id: str
    before: str
    after: str

    def describe(self) -> str:
        return f"{self.id} changed from {spoken(self.before)} to {spoken(self.after)}"


@event("password-changed", STAFF, SIGNIFICANT, NOTHING)
class PasswordChanged(Event):
    id: str
    peer: str

    def describe(self) -> str:
        return f"{self.id} has a new password, set from {self.peer}"


@event("sign-in", STAFF, SIGNIFICANT, NOTHING)
class StaffSignedIn(Event):
    """`purpose` is "session", "authorise" for one decision at a console where someone else is signed in, or "demo"."""

    id: str
    peer: str
    purpose: str

    def describe(self) -> str:
        return f"{self.id} signed in from {self.peer}{_WHAT_FOR.get(self.purpose, '')}"


@event("sign-in-failed", STAFF, SIGNIFICANT, NOTHING)
class SignInFailed(Event):
    """`id` is empty where no account has the id that was typed: it may have been a password in the wrong field.

    `purpose` is as of a sign-in, or "change-password" for someone who is signed in and mistook their present one.
    """

    id: str
    peer: str
    purpose: str
    why: str  # password, locked, disabled, unknown
    failures: int  # in a row

    def describe(self) -> str:
        row = f", {self.failures} in a row" if self.failures > 1 else ""
        return f"{self.id or 'Somebody'} could not sign in from {self.peer}: {_WHY_NOT.get(self.why, self.why)}{row}"


@event("locked-out", STAFF, SIGNIFICANT, NOTHING)
class LockedOut(Event):
    id: str
    until_ms: int | None  # None: until an administrator unlocks

    def describe(self) -> str:
        return f"{self.id} is locked out"


@event("unlocked", STAFF, SIGNIFICANT, NOTHING)
class Unlocked(Event):
    id: str

    def describe(self) -> str:
        return f"{self.id} was unlocked"


@event("signed-out", STAFF, SIGNIFICANT, NOTHING)
class SignedOut(Event):
    id: str
    everywhere: bool

    def describe(self) -> str:
        return f"{self.id} signed out{' everywhere' if self.everywhere else ''}"


@event("peer-refused", STAFF, SIGNIFICANT, NOTHING)
class PeerRefused(Event):
    """An address failed so often that it is not listened to for a while: requirement 35."""

    peer: str

    def describe(self) -> str:
        return f"{self.peer} failed too often and is blocked for a while"


@event("device-added", STAFF, SIGNIFICANT, NOTHING)
class DeviceAdded(Event):
    id: str
    kind: str
    table: str  # empty for a display of all tables
    seat: int | None

    def describe(self) -> str:
        where = f" at table {self.table}" if self.table else " of all tables"
        seat = f", seat {self.seat}" if self.seat is not None else ""
        return f"Device {self.id} added: {self.kind}{where}{seat}"


@event("device-enrolled", STAFF, SIGNIFICANT, NOTHING)
class DeviceEnrolled(Event):
    id: str
    peer: str

    def describe(self) -> str:
        return f"Device {self.id} enrolled from {self.peer}"


@event("device-revoked", STAFF, SIGNIFICANT, NOTHING)
class DeviceRevoked(Event):
    id: str
    why: str

    def describe(self) -> str:
        return f"Device {self.id} revoked{because(self.why)}"


PeopleEvent = (
    StaffAdded
    | AdministratorClaimed
    | CodeIssued
    | StaffDisabled
    | StaffEnabled
    | RoleChanged
    | PasswordChanged
    | StaffSignedIn
    | SignInFailed
    | LockedOut
    | Unlocked
    | SignedOut
    | PeerRefused
    | DeviceAdded
    | DeviceEnrolled
    | DeviceRevoked
)
