"""Events of people and devices in words, for the pit and for reports: one sentence each."""

from collections.abc import Callable
from typing import Any, Final

from natural9.server.people import events as people_events

_WHY_NOT: Final = {
    "password": "wrong password",
    "locked": "the account is locked",
    "disabled": "the account is disabled",
    "unknown": "there is no such account",
}


def tell(event: people_events.Event) -> str:
    return _TELLERS[type(event)](event)


def _signed_in(event: people_events.SignedIn) -> str:
    purpose = "" if event.purpose == "session" else f" ({event.purpose})"
    return f"{event.id} signed in from {event.peer}{purpose}"


def _failed(event: people_events.SignInFailed) -> str:
    row = f", {event.failures} in a row" if event.failures > 1 else ""
    who = event.id or "Somebody"
    return f"{who} could not sign in from {event.peer}: {_WHY_NOT.get(event.why, event.why)}{row}"


def _device_added(event: people_events.DeviceAdded) -> str:
    where = f" at table {event.table}" if event.table else " of all tables"
    seat = f", seat {event.seat}" if event.seat is not None else ""
    return f"Device {event.id} added: {event.kind}{where}{seat}"


_TELLERS: Final[dict[type[people_events.Event], Callable[[Any], str]]] = {
    people_events.StaffAdded: lambda event: f"{event.id} ({event.name}) added as {event.role}",
    people_events.AdministratorClaimed: lambda event: (
        f"{event.id} ({event.name}) became the first administrator from {event.peer}"
    ),
    people_events.CodeIssued: lambda event: f"A new code was issued for {event.id}",
    people_events.StaffDisabled: lambda event: f"{event.id} was disabled",
    people_events.StaffEnabled: lambda event: f"{event.id} was enabled again",
    people_events.RoleChanged: lambda event: f"{event.id} was {event.before} and is {event.after} now",
    people_events.PasswordChanged: lambda event: f"{event.id} has a new password, set from {event.peer}",
    people_events.SignedIn: _signed_in,
    people_events.SignInFailed: _failed,
    people_events.LockedOut: lambda event: f"{event.id} is locked out",
    people_events.Unlocked: lambda event: f"{event.id} was unlocked",
    people_events.SignedOut: lambda event: f"{event.id} signed out{' everywhere' if event.everywhere else ''}",
    people_events.PeerRefused: lambda event: f"{event.peer} failed too often and is not listened to for a while",
    people_events.DeviceAdded: _device_added,
    people_events.DeviceEnrolled: lambda event: f"Device {event.id} enrolled from {event.peer}",
    people_events.DeviceRevoked: lambda event: f"Device {event.id} revoked{': ' + event.why if event.why else ''}",
}
