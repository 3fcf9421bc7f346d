"""Whether an entry is one that is looked for, by what it says itself. Most are ruled out by their bytes, unread."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any, Final

from natural9.core.errors import BadInput
from natural9.core.events import Event, seat_of
from natural9.journal.line import JournalLine, OriginKind, read_body
from natural9.journal.people_events import DeviceAdded, DeviceEnrolled, DeviceRevoked, OccupiedSeatEnrolled
from natural9.server.search.query import SearchQuery
from natural9.server.search.rounds import ENDING
from natural9.store.contract import Written

# Whatever an entry says of money, save the limits that it was played under.
_CENTS: Final = re.compile(rb'(?<!min_)(?<!max_)(?<!unit_)cents":(-?\d+)')
_DEVICES: Final = (DeviceAdded, DeviceEnrolled, DeviceRevoked, OccupiedSeatEnrolled)
# Where an event names a person; `id` does in those about people.
_PEOPLE: Final = frozenset(("by", "dealer", "relieves", "desk", "signed_by", "asked_by", "person", "id", "player"))
_DEVICE_NAMES: Final = frozenset(("id", "device", "former"))

Check = Callable[[Written], bool]
Periods = tuple[
    tuple[str, int, int], ...
]  # a terminal's id as 3-7, and the entries between which a device had its seat


def checks_of(query: SearchQuery, periods: Periods) -> list[Check]:
    """Each must say yes; the quickest come first."""
    checks: list[Check] = []
    if query.asks_for_rounds:
        checks.append(lambda written: written.kind in ENDING)
    if query.least_cents is not None or query.most_cents is not None:
        checks.append(_names_amount(query.least_cents or 0, query.most_cents))
    if query.seat is not None:
        checks.append(_is_of_seat(query.seat))
    if query.person is not None:
        checks.append(_names_person(query.person))
    if query.device is not None:
        checks.append(_is_of_device(query.device, periods))
    return checks


def _names_amount(least: int, most: int | None) -> Check:
    """Any amount that it moves or speaks of, one that was asked for and refused as well."""

    def fits(cents: int) -> bool:
        return least <= cents and (most is None or cents <= most)

    def check(written: Written) -> bool:
        return any(fits(one.cents) for one in written.transfers) or any(
            fits(abs(int(found))) for found in _CENTS.findall(written.body)
        )

    return check


def _is_of_seat(seat: int) -> Check:
    at, named = f"-{seat}", re.compile(rf'seat":{seat}[,}}]|"seats":\[[^]]*\b{seat}\b|-{seat}"'.encode())

    def check(written: Written) -> bool:
        if not named.search(written.body) or (line := line_of(written)) is None:
            return False
        event, origin = line.event, line.origin
        if seat in (seat_of(event), getattr(event, "bet_seat", None)) or seat in getattr(event, "seats", ()):
            return True
        return origin.kind is OriginKind.TERMINAL and origin.by.endswith(at)

    return check


def _names_person(person: str) -> Check:
    quoted = f'"{person}"'.encode()

    def check(written: Written) -> bool:
        if quoted not in written.body or (line := line_of(written)) is None:
            return False
        if line.origin.person == person:
            return True
        return not isinstance(line.event, _DEVICES[:3]) and person in _values(line.event, _PEOPLE)

    return check


def _is_of_device(device: str, periods: Periods) -> Check:
    quoted = f'"{device}"'.encode()
    terminals = [f'"{terminal}"'.encode() for terminal, _, _ in periods]

    def check(written: Written) -> bool:
        body = written.body
        if quoted not in body and not any(one in body for one in terminals):
            return False
        if (line := line_of(written)) is None:
            return False
        origin = line.origin
        if origin.kind in (OriginKind.TERMINAL, OriginKind.DEVICE) and origin.by == device:
            return True
        if origin.kind is OriginKind.TERMINAL and any(
            origin.by == terminal and first <= written.seq <= last for terminal, first, last in periods
        ):
            return True
        return device in _values(
            line.event, _DEVICE_NAMES if isinstance(line.event, _DEVICES) else frozenset(("device",))
        )

    return check


def _values(event: Event, names: frozenset[str]) -> Iterator[Any]:
    return (getattr(event, one.name) for one in fields(event) if one.name in names)  # type: ignore[arg-type]


def line_of(written: Written) -> JournalLine | None:
    """What cannot be read is found by nothing that it says."""
    try:
        return read_body(written.body)
    except BadInput:
        return None
