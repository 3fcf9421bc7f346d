"""Events of people and devices in words, for the pit and for reports: one sentence each."""

from collections.abc import Callable
from typing import Any, Final

from natural9.server.people import events as p

_WHY_NOT: Final = {
    "password": "wrong password",
    "locked": "the account is locked",
    "disabled": "the account is disabled",
    "unknown": "there is no such account",
}


def tell(event: p.Event) -> str:
    return _TELLERS[type(event)](event)


def _signed_in(event: p.SignedIn) -> str:
    purpose = "" if event.purpose == "session" else f" ({event.purpose})"
    return f"{event.id} signed in from {event.peer}{purpose}"


def _failed(event: p.SignInFailed) -> str:
    row = f", {event.failures} in a row" if event.failures > 1 else ""
    who = event.id or "Somebody"
    return f"{who} could not sign in from {event.peer}: {_WHY_NOT.get(event.why, event.why)}{row}"


def _device_added(event: p.DeviceAdded) -> str:
    where = f" at table {event.table}" if event.table else " of all tables"
    seat = f", seat {event.seat}" if event.seat is not None else ""
    return f"Device {event.id} added: {event.kind}{where}{seat}"


_TELLERS: Final[dict[type[p.Event], Callable[[Any], str]]] = {
    p.StaffAdded: lambda event: f"{event.id} ({event.name}) added as {event.role}",
    p.AdministratorClaimed: lambda event: f"{event.id} ({event.name}) became the first administrator from {event.peer}",
    p.CodeIssued: lambda event: f"A new code was issued for {event.id}",
    p.StaffDisabled: lambda event: f"{event.id} was disabled",
    p.StaffEnabled: lambda event: f"{event.id} was enabled again",
    p.RoleChanged: lambda event: f"{event.id} was {event.before} and is {event.after} now",
    p.PasswordChanged: lambda event: f"{event.id} has a new password, set from {event.peer}",
    p.SignedIn: _signed_in,
    p.SignInFailed: _failed,
    p.LockedOut: lambda event: f"{event.id} is locked out",
    p.Unlocked: lambda event: f"{event.id} was unlocked",
    p.SignedOut: lambda event: f"{event.id} signed out{' everywhere' if event.everywhere else ''}",
    p.PeerRefused: lambda event: f"{event.peer} failed too often and is not listened to for a while",
    p.DeviceAdded: _device_added,
    p.DeviceEnrolled: lambda event: f"Device {event.id} enrolled from {event.peer}",
    p.DeviceRevoked: lambda event: f"Device {event.id} revoked{': ' + event.why if event.why else ''}",
}
