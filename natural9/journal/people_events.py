"""What happens to people and devices. No password, code or hash is ever among it; who did it stands beside it."""

from typing import Final

from natural9.core.events import NOTHING, SIGNIFICANT, STAFF, Event, event
from natural9.core.saying import Said, because, countersigned, name_of, say

_WHY_NOT: Final = {
    "password": say("wrong password"),
    "locked": say("the account is locked"),
    "disabled": say("the account is disabled"),
    "unknown": say("there is no such account"),
}


_DEVICES: Final = {"terminal": say("terminal"), "display": say("display"), "reader": say("card reader")}


def device_words(kind: str) -> Said:
    """What kind of device it is."""
    return _DEVICES.get(kind) or name_of(kind)


@event("staff-added", STAFF, SIGNIFICANT, NOTHING, version=2)
class StaffAdded(Event):
    """Whoever may sign for money is `signed_by` a second person; "" where nobody had to."""

    id: str
    name: str
    role: str
    signed_by: str

    def describe(self) -> Said:
        added = say("{id} ({name}) added as {role}", id=self.id, name=self.name, role=name_of(self.role))
        return countersigned(added, self.signed_by)


@event("administrator-claimed", STAFF, SIGNIFICANT, NOTHING)
class AdministratorClaimed(Event):
    id: str
    name: str
    peer: str

    def describe(self) -> Said:
        return say(
            "{id} ({name}) became the first administrator from {peer}", id=self.id, name=self.name, peer=self.peer
        )


@event("code-issued", STAFF, SIGNIFICANT, NOTHING, version=2)
class CodeIssued(Event):
    """A new one-time code for setting a password; `signed_by` as when somebody is added."""

    id: str
    signed_by: str

    def describe(self) -> Said:
        return countersigned(say("A new code was issued for {id}", id=self.id), self.signed_by)


@event("staff-disabled", STAFF, SIGNIFICANT, NOTHING)
class StaffDisabled(Event):
    id: str

    def describe(self) -> Said:
        return say("{id} was disabled", id=self.id)


@event("staff-enabled", STAFF, SIGNIFICANT, NOTHING)
class StaffEnabled(Event):
    id: str

    def describe(self) -> Said:
        return say("{id} was enabled again", id=self.id)


@event("role-changed", STAFF, SIGNIFICANT, NOTHING, version=2)
class RoleChanged(Event):
    """`signed_by` as when somebody is added."""

    id: str
    before: str
    after: str
    signed_by: str

    def describe(self) -> Said:
        before, after = name_of(self.before), name_of(self.after)
        changed = say("{id} changed from {before} to {after}", id=self.id, before=before, after=after)
        return countersigned(changed, self.signed_by)


@event("password-changed", STAFF, SIGNIFICANT, NOTHING)
class PasswordChanged(Event):
    id: str
    peer: str

    def describe(self) -> Said:
        return say("{id} has a new password, set from {peer}", id=self.id, peer=self.peer)


@event("sign-in", STAFF, SIGNIFICANT, NOTHING)
class StaffSignedIn(Event):
    """`purpose` is "session", "authorise" for one decision at a console where someone else is signed in, or "demo"."""

    id: str
    peer: str
    purpose: str

    def describe(self) -> Said:
        if self.purpose == "authorise":
            return say("{id} signed in from {peer} to sign a decision", id=self.id, peer=self.peer)
        if self.purpose == "demo":
            return say("{id} signed in from {peer} by a link of the demo", id=self.id, peer=self.peer)
        return say("{id} signed in from {peer}", id=self.id, peer=self.peer)


@event("sign-in-failed", STAFF, SIGNIFICANT, NOTHING)
class SignInFailed(Event):
    """`id` is empty where no account has the id that was typed: it may have been a password in the wrong field.

    `purpose` is as of a sign-in, or "change-password" for someone who is signed in and mistook their present one.
    Repeated within a minute they are told as one, and beyond many addresses as one without `peer`.
    """

    id: str
    peer: str
    purpose: str
    why: str  # password, locked, disabled, unknown
    failures: int  # in a row, from there
    times: int  # how many this entry tells of

    def describe(self) -> Said:
        failed = say(
            "{who} could not sign in from {peer}: {why}",
            who=self.id or say("Somebody"),
            peer=self.peer or say("many addresses"),
            why=_WHY_NOT.get(self.why, self.why),
        )
        if self.times > 1:
            return say("{what}, {count} times", what=failed, count=self.times)
        return say("{what}, {count} in a row", what=failed, count=self.failures) if self.failures > 1 else failed


@event("locked-out", STAFF, SIGNIFICANT, NOTHING)
class LockedOut(Event):
    """Where the wrong passwords came from, and nowhere else."""

    id: str
    peer: str
    device: str  # the device of the house that they were typed at; empty where it was none
    until_ms: int | None  # None: until an administrator unlocks

    def describe(self) -> Said:
        if self.device:
            return say("{id} is locked out at device {device}", id=self.id, device=self.device)
        return say("{id} is locked out from {peer}", id=self.id, peer=self.peer)


@event("unlocked", STAFF, SIGNIFICANT, NOTHING)
class Unlocked(Event):
    id: str

    def describe(self) -> Said:
        return say("{id} was unlocked", id=self.id)


@event("signed-out", STAFF, SIGNIFICANT, NOTHING)
class SignedOut(Event):
    id: str
    everywhere: bool

    def describe(self) -> Said:
        if self.everywhere:
            return say("{id} signed out everywhere", id=self.id)
        return say("{id} signed out", id=self.id)


@event("peer-refused", STAFF, SIGNIFICANT, NOTHING)
class PeerRefused(Event):
    """An address failed so often that it is not listened to for a while: requirement 35."""

    peer: str

    def describe(self) -> Said:
        return say("{peer} failed too often and is blocked for a while", peer=self.peer)


@event("device-added", STAFF, SIGNIFICANT, NOTHING)
class DeviceAdded(Event):
    id: str
    kind: str
    table: str  # empty for a display of all tables
    seat: int | None
    signed_by: str  # who signed that it may take a seat that holds money; "" where nobody had to

    def describe(self) -> Said:
        if self.signed_by:
            return say("{added}, signed by {signed}", added=self._added, signed=self.signed_by)
        return self._added

    @property
    def _added(self) -> Said:
        kind = device_words(self.kind)
        if not self.table:
            return say("Device {id} added: {kind} of all tables", id=self.id, kind=kind)
        if self.seat is None:
            return say("Device {id} added: {kind} at table {table}", id=self.id, kind=kind, table=self.table)
        return say(
            "Device {id} added: {kind} at table {table}, seat {seat}",
            id=self.id,
            kind=kind,
            table=self.table,
            seat=self.seat,
        )


@event("device-enrolled", STAFF, SIGNIFICANT, NOTHING)
class DeviceEnrolled(Event):
    id: str
    peer: str

    def describe(self) -> Said:
        return say("Device {id} enrolled from {peer}", id=self.id, peer=self.peer)


@event("occupied-seat-enrolled", STAFF, SIGNIFICANT, NOTHING)
class OccupiedSeatEnrolled(Event):
    """A seat with a player's credit, bets or debt was given to another device."""

    id: str  # the device that has the seat now
    former: str  # the one that had it; "" where none was left
    table: str
    seat: int
    asked_by: str  # "" where the program asked
    signed_by: str

    def describe(self) -> Said:
        return say(
            "Seat {seat} at table {table} held money and was given to {id}: asked by {asked}, signed by {signed}",
            seat=self.seat,
            table=self.table,
            id=self.id,
            asked=self.asked_by or say("the program"),
            signed=self.signed_by,
        )


@event("device-revoked", STAFF, SIGNIFICANT, NOTHING)
class DeviceRevoked(Event):
    id: str
    why: Said

    def describe(self) -> Said:
        return because(say("Device {id} revoked", id=self.id), self.why)


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
    | OccupiedSeatEnrolled
    | DeviceRevoked
)
