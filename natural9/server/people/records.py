"""People and devices as they stand: the documents of the store, and what the rest of the server sees of them."""

import re
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.core.staff import Staff
from natural9.server.people.permissions import Action, Role, may

DeviceKind = Literal["terminal", "display", "reader"]
StaffStatus = Literal["active", "no-password", "locked", "disabled"]
DeviceStatus = Literal["waiting", "enrolled", "revoked"]
PlayerStatus = Literal["open", "locked", "closed", "excluded"]

STAFF: Final = "staff/"
DEVICE: Final = "device/"
PLAYER: Final = "player/"
MOST_PLACES: Final = 16  # where an account is counted or locked at a time


class OneTimeCode(Struct, frozen=True):
    """What is kept of a one-time code."""

    hash: str
    expires_ms: int


class Lock(Struct, frozen=True, omit_defaults=True):
    """Wrong passwords for an account from one place."""

    failures: int  # in a row
    until_ms: int | None = 0  # None: until an administrator unlocks

    def holds(self, at_ms: int) -> bool:
        return self.until_ms is None or at_ms < self.until_ms


class StaffRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    name: str
    role: Role
    password_hash: str = ""
    code: OneTimeCode | None = None
    generation: int = 1  # a session of an earlier one has ended
    locks: dict[str, Lock] = {}  # by the place that wrong passwords came from: an address, or "device/ID"
    disabled: bool = False
    ended: dict[str, int] = {}  # sessions signed out, by nonce, and when they would have expired anyway
    spared: str = ""  # the session, by nonce, that a change of password left alone when it ended all others

    def is_locked(self, at_ms: int, place: str) -> bool:
        """Elsewhere the account is as it was: a stranger's wrong guesses keep nobody from their work."""
        return place in self.locks and self.locks[place].holds(at_ms)

    def locked_at(self, at_ms: int) -> dict[str, Lock]:
        return {place: lock for place, lock in self.locks.items() if lock.holds(at_ms)}

    def with_lock(self, place: str, lock: Lock, at_ms: int) -> "StaffRecord":
        """Beyond so many places the oldest is forgotten, one that counts and does not lock before one that locks."""
        locks = {one: kept for one, kept in self.locks.items() if one != place}
        while len(locks) >= MOST_PLACES:
            del locks[next((one for one, kept in locks.items() if not kept.holds(at_ms)), next(iter(locks)))]
        return replace(self, locks={**locks, place: lock})

    def without_lock(self, place: str) -> "StaffRecord":
        return replace(self, locks={one: lock for one, lock in self.locks.items() if one != place})

    def status(self, at_ms: int) -> StaffStatus:
        if self.disabled:
            return "disabled"
        if self.locked_at(at_ms):
            return "locked"
        return "active" if self.password_hash else "no-password"


class DeviceRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    kind: DeviceKind
    table: str = ""
    seat: int | None = None
    code: OneTimeCode | None = None
    enrolled: bool = False
    enrolled_ms: int = 0  # by the record
    revoked: bool = False
    secret_hash: str = ""  # of what its token shows
    asked_by: str = ""  # the person who asked for its code
    signed_by: str = ""  # and who signed that it may take a seat that holds money
    replaced_by: str = ""  # the device that its seat was given to

    @property
    def status(self) -> DeviceStatus:
        if self.revoked:
            return "revoked"
        return "enrolled" if self.enrolled else "waiting"


class Exclusion(Struct, frozen=True, kw_only=True):
    """No play until it is lifted, which may be done from a gaming day on; "" for ever."""

    until_day: str
    own: bool  # the player asked for it

    def is_stricter(self, other: "Exclusion") -> bool:
        """It takes nothing away from the other, and adds something."""
        is_longer = not self.until_day or bool(other.until_day and self.until_day >= other.until_day)
        return is_longer and self.own >= other.own and self != other


class PlayerRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The journal knows the number alone; name, card and PIN stand here."""

    number: str
    name: str
    card_hash: str
    pin_hash: str
    failures: int = 0  # wrong PINs in a row
    locked_until_ms: int = 0
    closed: bool = False
    exclusion: Exclusion | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who has shown who they are."""

    id: str
    name: str
    role: Role

    def may(self, action: Action) -> bool:
        return may(self.role, action)

    @property
    def staff(self) -> Staff | None:
        """As the rules know them; cashier, auditor and administrator have no part in the game."""
        return Staff(self.id, self.role.rank) if self.role.rank else None


@dataclass(frozen=True, slots=True)
class Device:
    """A terminal, display or card reader that has been enrolled."""

    id: str
    kind: DeviceKind
    table: str
    seat: int | None


class IssuedCode(NamedTuple):
    """A one-time code, shown once to whoever asked for it; only its hash is kept."""

    id: str
    code: str
    expires_ms: int


def check_id(id: str) -> str:
    if not re.fullmatch(r"[a-z][a-z0-9.-]{1,30}", id):
        none = say(
            "{id} is not a staff id: 2 to 31 small letters, digits, dots and dashes, a letter first", id=repr(id[:40])
        )
        raise BadInput("bad-id", none)
    return id


def check_name(name: str) -> str:
    name = " ".join(name.split())
    if not 1 <= len(name) <= 60 or not name.isprintable():
        none = say("{name} is not a name: 1 to 60 characters that can be printed", name=repr(name[:70]))
        raise BadInput("bad-name", none)
    return name


def check_role(role: str) -> Role:
    try:
        return Role(role)
    except ValueError:
        none = say("there is no role {role}; there are {roles}", role=repr(role[:40]), roles=tuple(map(str, Role)))
        raise BadInput("bad-role", none) from None
