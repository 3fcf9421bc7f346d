"""Terminals, displays and card readers: enrolled once by a code, known by a token until revoked."""

import asyncio
import hmac
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final, NamedTuple

from msgspec import json
from msgspec.structs import replace

from natural9.core.errors import BadInput
from natural9.core.saying import Said, because, say, verbatim
from natural9.journal import people_events as events
from natural9.journal.line import Origin, OriginKind
from natural9.server.people.passwords import code_hash, new_code
from natural9.server.people.records import DEVICE, Device, DeviceKind, DeviceRecord, IssuedCode, OneTimeCode
from natural9.server.people.register import VENUE, By, PeopleChange, Register, origin_of
from natural9.server.people.sessions import MINUTE_MS, Session, Sessions, secret_hash

ENROLMENT_MS: Final = 7 * 24 * 60 * MINUTE_MS  # a hall of terminals is not set up in a day
SIGNED_MS: Final = 30 * MINUTE_MS  # a signature is for the player who sits there now, not for the next
REVOKED_AFTER: Final = 20  # failures in a row (requirement 35); a page of an older program makes a few
MOST_AT_ONCE: Final = 10_000
_IN_ONE_BREATH: Final = 250
_NO_REASON: Final = verbatim("")
_PAY_OR_SIGN: Final = say("pay the seat out first, or have a Pit Manager or above sign for the new terminal")


class Place(NamedTuple):
    """Where a device stands. A display without a table shows all of them."""

    kind: DeviceKind
    table: str = ""
    seat: int | None = None


class Enrolled(NamedTuple):
    device: Device
    session: Session


class Devices:
    """All devices of a venue; loaded with the accounts."""

    def __init__(self, register: Register, sessions: Sessions) -> None:
        self._register = register
        self._sessions = sessions
        self._devices: dict[str, DeviceRecord] = {}
        self._by_code: dict[str, str] = {}
        self._seats: defaultdict[str, set[int]] = defaultdict(set)  # with a terminal, of each table
        self._at_seat: dict[tuple[str, int | None], str] = {}  # the terminal enrolled there
        self._failures: dict[str, int] = {}
        # Says whether the venue has such a place, by raising BadInput; until it is set, every place will do.
        self.check_place: Callable[[Place], None] = lambda place: None
        # What of a player's is at seats of a table now: credit, bets, a debt.
        self.held_at: Callable[[str, Sequence[int]], Awaitable[list[tuple[Said, ...]]]] = _nothing_held

    @property
    def ids(self) -> Collection[str]:
        return self._devices.keys()

    def follow(self, id: str, kept: bytes | None) -> bool:
        """A device as the store has it by now, None where it never had it; whether that is another."""
        record = json.decode(kept, type=DeviceRecord) if kept is not None else None
        if record == self._devices.get(id):
            return False
        if record:
            self._hold(record)
        else:
            self._let_go_of(id)
            del self._devices[id]
        return True

    def all(self) -> list[DeviceRecord]:
        return list(self._devices.values())

    def find(self, id: str) -> DeviceRecord:
        record = self._devices.get(id)
        if record is None:
            raise BadInput("unknown-device", say("there is no device {id}", id=repr(id[:80])))
        return record

    def has_terminal(self, table: str, seat: int) -> bool:
        """One is enrolled at this seat now."""
        return (table, seat) in self._at_seat

    def seats_of(self, table: str) -> set[int]:
        """Where one is enrolled now."""
        return self._seats.get(table, set()).copy()

    def device_of(self, session: Session) -> Device | None:
        """Whose token it is, unless it was revoked: a device is enrolled once, and once revoked never again."""
        record = self._devices.get(session.id) if session.kind == "device" else None
        if record is None or record.revoked or not record.enrolled:
            return None
        return _device(record) if hmac.compare_digest(record.secret_hash, secret_hash(session)) else None

    async def add(
        self, places: Sequence[Place], *, by: By, signed_by: str = "", good_ms: int = ENROLMENT_MS
    ) -> list[IssuedCode]:
        """A device for each place; each code enrols one device, once. Thousands share a commit or two.

        A terminal's seat that holds money takes a signature: who enrols a device there can collect it.
        """
        if not 1 <= len(places) <= MOST_AT_ONCE:
            wrong = say("1 to {most} devices are added at a time, not {count}", most=MOST_AT_ONCE, count=len(places))
            raise BadInput("bad-devices", wrong)
        for place in places:
            _check(place)
            self.check_place(place)
        if not signed_by:
            await self._check_empty(places)
        issued: list[IssuedCode] = []
        queued: list[Awaitable[int]] = []
        for start in range(0, len(places), _IN_ONE_BREATH):
            added = [self._new(place, by, signed_by, good_ms) for place in places[start : start + _IN_ONE_BREATH]]
            queued.append(self._register.write([change for _, change in added]))
            issued += [code for code, _ in added]
            await asyncio.sleep(0)  # the tables go on meanwhile
        await asyncio.gather(*queued)
        return issued

    async def _check_empty(self, places: Sequence[Place]) -> None:
        seats: dict[str, list[int]] = {}
        for place in places:
            if place.kind == "terminal":
                seats.setdefault(place.table, []).append(place.seat or 0)
        held = {
            (table, seat): what
            for table, asked in seats.items()
            for seat, what in zip(asked, await self.held_at(table, asked), strict=True)
            if what
        }
        for (table, seat), what in held.items():
            first = say("seat {seat} at table {table} holds {what}", seat=seat, table=table, what=what)
            if len(held) > 1:
                first = say("{count} of these seats hold money, first {seat}", count=len(held), seat=first)
            raise BadInput("seat-holds-money", because(first, _PAY_OR_SIGN))

    def _new(self, place: Place, by: By, signed_by: str, good_ms: int) -> tuple[IssuedCode, PeopleChange]:
        id, code = self._new_id(place), new_code(self._register.random_bytes)
        expires_ms = self._register.clock_ms() + good_ms
        record = DeviceRecord(
            id=id,
            kind=place.kind,
            table=place.table,
            seat=place.seat,
            code=OneTimeCode(code_hash(code), expires_ms),
            asked_by=origin_of(by).person,
            signed_by=signed_by,
        )
        self._hold(record)
        added = events.DeviceAdded(id=id, kind=place.kind, table=place.table, seat=place.seat, signed_by=signed_by)
        return IssuedCode(id, code, expires_ms), PeopleChange(added, by, [(DEVICE + id, record)])

    async def enrol(self, code: str, *, peer: str) -> Enrolled:
        """The device takes its place; a terminal that was enrolled at the same seat before is revoked.

        The seat may have got money since the code was made: then only one that was signed for is good.
        """
        given = code_hash(code)
        record, held = self._holder(given), tuple[Said, ...]()
        if record.kind == "terminal":
            [held] = await self.held_at(record.table, [record.seat or 0])
            record = self._holder(given)  # again: another may have used it while its table was asked
        changes: list[PeopleChange] = []
        itself = Origin(OriginKind.DEVICE, record.id)
        if held and not record.signed_by:
            holds = say(
                "seat {seat} at table {table} holds {what}, and this code was made without a signature: pay the seat "
                "out, or make a new code that a Pit Manager or above signs",
                seat=record.seat or 0,
                table=record.table,
                what=held,
            )
            raise BadInput("seat-holds-money", holds)
        former = self._at_seat.get((record.table, record.seat)) if record.kind == "terminal" else None
        if held:
            taken = events.OccupiedSeatEnrolled(
                id=record.id,
                former=former or "",
                table=record.table,
                seat=record.seat or 0,
                asked_by=record.asked_by,
                signed_by=record.signed_by,
            )
            changes.append(PeopleChange(taken, itself))
        if former:
            replaced = replace(self.find(former), replaced_by=record.id)
            changes.append(self._revoked(replaced, why=say("replaced by {id}", id=record.id), by=itself))
        session = self._sessions.begin("device", record.id)
        now_ms = self._register.record_ms()
        record = replace(record, code=None, enrolled=True, enrolled_ms=now_ms, secret_hash=secret_hash(session))
        self._hold(record)
        enrolled = events.DeviceEnrolled(id=record.id, peer=peer)
        await self._register.write([*changes, PeopleChange(enrolled, itself, [(DEVICE + record.id, record)])])
        if former:
            self._register.ended("device", former)
        return Enrolled(_device(record), session)

    def _holder(self, given: str) -> DeviceRecord:
        """Whose code it is."""
        record = self._devices.get(self._by_code.get(given, ""))
        if record is None or record.code is None or self._register.clock_ms() >= record.code.expires_ms:
            why = say("this code is wrong, used or expired: add the device again for a new one")
            raise BadInput("bad-code", why)
        return record

    async def revoke(self, id: str, *, by: By, why: Said = _NO_REASON) -> DeviceRecord:
        """Its token and any code are worth nothing from now on."""
        record = self.find(id)
        if not record.revoked:
            await self._register.write([self._revoked(record, why=why, by=by)])
            self._register.ended("device", id)
        return self.find(id)

    def failed(self, id: str, *, why: Said) -> "asyncio.Task[None] | None":
        """A device did what no working one does; so often in a row, it is revoked: then the task that does it.

        Only what it did on its own connection, which its token opened, is a failure of that device: a token with its
        name and another's secret is a stranger's, and counts against the stranger's address.
        """
        self._failures[id] = failures = self._failures.get(id, 0) + 1
        if failures < REVOKED_AFTER or self.find(id).revoked:
            return None
        often = say("{count} failures in a row, the last: {why}", count=failures, why=why)
        return asyncio.create_task(self._revoke_failed(id, often))

    async def _revoke_failed(self, id: str, why: Said) -> None:
        if office := self._register.elsewhere():
            await office.revoke(id, why)
        else:
            await self.revoke(id, by=VENUE, why=why)

    def succeeded(self, id: str) -> None:
        """It connected and said what it should: counting starts anew."""
        self._failures.pop(id, None)

    def _revoked(self, record: DeviceRecord, *, why: Said, by: By) -> PeopleChange:
        record = replace(record, revoked=True, code=None)
        self._hold(record)
        self._failures.pop(record.id, None)
        return PeopleChange(events.DeviceRevoked(id=record.id, why=why), by, [(DEVICE + record.id, record)])

    def _let_go_of(self, id: str) -> None:
        """Of its code and its seat, as they were."""
        former = self._devices.get(id)
        if former and former.code:
            self._by_code.pop(former.code.hash, None)
        if former and self._at_seat.get((former.table, former.seat)) == id:
            del self._at_seat[former.table, former.seat]
            self._seats[former.table].discard(former.seat or 0)

    def _hold(self, record: DeviceRecord) -> None:
        self._let_go_of(record.id)
        if record.code:
            self._by_code[record.code.hash] = record.id
        if record.kind == "terminal" and record.enrolled and not record.revoked:
            self._at_seat[record.table, record.seat] = record.id
            self._seats[record.table].add(record.seat or 0)
        self._devices[record.id] = record

    def _new_id(self, place: Place) -> str:
        """Where it stands, as people would say it; the second one there gets a number."""
        parts = [place.kind, place.table or "all", *([] if place.seat is None else [str(place.seat)])]
        id = first = "-".join(parts)
        number = 1
        while id in self._devices:
            number += 1
            id = f"{first}.{number}"
        return id


async def _nothing_held(table: str, seats: Sequence[int]) -> list[tuple[Said, ...]]:
    return [() for _ in seats]


def _check(place: Place) -> None:
    kind = events.device_words(place.kind)
    if place.table and not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]{0,30}", place.table):
        raise BadInput("bad-table", say("{table} is not the id of a table", table=repr(place.table[:40])))
    if not place.table and place.kind != "display":
        raise BadInput("bad-device", say("a {kind} belongs to a table: say which", kind=kind))
    if place.kind == "terminal" and (place.seat is None or not 1 <= place.seat < 1_000_000):
        none = say("a terminal belongs to a seat, numbered from 1; {seat} is none", seat=str(place.seat))
        raise BadInput("bad-seat", none)
    if place.kind != "terminal" and place.seat is not None:
        raise BadInput("bad-seat", say("a {kind} has no seat", kind=kind))


def _device(record: DeviceRecord) -> Device:
    return Device(record.id, record.kind, record.table, record.seat)
