"""Terminals, displays and readers: enrolled once, replaced, revoked."""

import asyncio

import pytest

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal import people_events as events
from natural9.journal.line import Origin, OriginKind
from natural9.server.people.accounts import Accounts
from natural9.server.people.devices import ENROLMENT_MS, REVOKED_AFTER, Place
from natural9.server.people.records import Device
from tests.server.people.house import CHEAP, PEER, House, house


async def added(venue: House, *places: Place) -> list[str]:
    return [issued.code for issued in await venue.accounts.devices.add(places, by="ada")]


async def test_a_device_is_enrolled_by_its_code_once() -> None:
    venue = await house()
    [code] = await added(venue, Place("terminal", "3", 12))
    enrolled = await venue.accounts.devices.enrol(code.lower(), peer=PEER)
    assert enrolled.device == Device("terminal-3-12", "terminal", "3", 12)
    assert venue.accounts.devices.device_of(enrolled.session) == enrolled.device
    with pytest.raises(BadInput, match="wrong, used or expired"):
        await venue.accounts.devices.enrol(code, peer=PEER)
    assert await venue.tags() == ["device-added", "device-enrolled"]


async def test_a_devices_secret_is_what_makes_its_token_good() -> None:
    """Not the venue's key: it may be changed, and a terminal stays enrolled."""
    venue = await house()
    [code] = await added(venue, Place("terminal", "3", 12))
    enrolled = await venue.accounts.devices.enrol(code, peer=PEER)
    forged = venue.accounts.sessions.begin("device", enrolled.device.id)
    assert venue.accounts.devices.device_of(forged) is None
    assert enrolled.session.nonce.encode() not in b"".join((await venue.store.documents("")).values())
    later = await Accounts.open(
        venue.store, key=bytes(32), clock_ms=venue.clock, gaming_day=lambda at_ms: "2026-09-21", hasher=CHEAP
    )
    session = later.sessions.read(venue.accounts.sessions.token(enrolled.session))
    assert session
    assert later.devices.device_of(session) == enrolled.device


async def test_of_two_who_enrol_at_once_one_succeeds() -> None:
    venue = await house()
    [code] = await added(venue, Place("reader", "3"))
    answers = await asyncio.gather(
        *(venue.accounts.devices.enrol(code, peer=PEER) for _ in range(5)), return_exceptions=True
    )
    assert sum(not isinstance(answer, BaseException) for answer in answers) == 1


async def test_an_enrolment_code_expires() -> None:
    venue = await house()
    [code] = await added(venue, Place("display"))
    venue.clock.pass_ms(ENROLMENT_MS)
    with pytest.raises(BadInput, match="expired"):
        await venue.accounts.devices.enrol(code, peer=PEER)


async def test_a_staff_code_enrols_nothing_and_a_device_is_no_person() -> None:
    venue = await house()
    issued = await venue.accounts.add("mei", name="Mei", role="dealer", by="ada")
    with pytest.raises(BadInput, match="wrong, used or expired"):
        await venue.accounts.devices.enrol(issued.code, peer=PEER)
    [code] = await added(venue, Place("display"))
    enrolled = await venue.accounts.devices.enrol(code, peer=PEER)
    assert venue.accounts.person_of(enrolled.session) is None


async def test_a_new_terminal_at_a_seat_replaces_the_former() -> None:
    venue = await house()
    devices = venue.accounts.devices
    ended: list[tuple[str, str]] = []
    venue.accounts.register.watch(lambda kind, id: ended.append((kind, id)))
    codes = await added(venue, Place("terminal", "3", 1), Place("terminal", "3", 1), Place("terminal", "3", 2))
    first, neighbour = await devices.enrol(codes[0], peer=PEER), await devices.enrol(codes[2], peer=PEER)
    second = await devices.enrol(codes[1], peer=PEER)
    assert second.device.id == "terminal-3-1.2"
    assert devices.device_of(first.session) is None
    assert devices.device_of(second.session)
    assert devices.device_of(neighbour.session)
    assert ended == [("device", "terminal-3-1")]
    revoked = (await venue.lines())[-2]
    assert revoked.event == events.DeviceRevoked(id="terminal-3-1", why=say("replaced by {id}", id="terminal-3-1.2"))
    assert revoked.origin == Origin(OriginKind.DEVICE, "terminal-3-1.2")


async def test_a_revoked_device_is_out_at_once_and_after_a_restart() -> None:
    venue = await house()
    codes = await added(venue, Place("terminal", "3", 1), Place("terminal", "3", 2), Place("display"))
    one, two = [await venue.accounts.devices.enrol(code, peer=PEER) for code in codes[:2]]
    await venue.accounts.devices.revoke("terminal-3-1", by="ada")
    await venue.accounts.devices.revoke("display-all", by="ada")
    again = await house(venue.store, clock=venue.clock)
    for accounts in (venue.accounts, again.accounts):
        assert accounts.devices.device_of(one.session) is None
        assert accounts.devices.device_of(two.session)
        with pytest.raises(BadInput, match="wrong, used or expired"):
            await accounts.devices.enrol(codes[2], peer=PEER)
    assert [one.status for one in again.accounts.devices.all()] == ["revoked", "revoked", "enrolled"]


async def test_revoking_twice_is_one_event() -> None:
    venue = await house()
    await added(venue, Place("display"))
    for _ in range(2):
        assert (await venue.accounts.devices.revoke("display-all", by="ada")).revoked
    assert (await venue.tags()).count("device-revoked") == 1
    with pytest.raises(BadInput, match="no device 'display-9'"):
        await venue.accounts.devices.revoke("display-9", by="ada")


async def test_repeated_failures_in_a_row_revoke_a_device() -> None:
    venue, why = await house(), say("a message out of order")
    devices = venue.accounts.devices
    [code] = await added(venue, Place("terminal", "3", 1))
    enrolled = await devices.enrol(code, peer=PEER)
    for _ in range(3):
        for _ in range(REVOKED_AFTER - 1):
            assert not devices.failed(enrolled.device.id, why=why)
        devices.succeeded(enrolled.device.id)
    assert devices.device_of(enrolled.session)
    outs = [devices.failed(enrolled.device.id, why=why) for _ in range(REVOKED_AFTER + 1)]
    assert outs[: REVOKED_AFTER - 1] == [None] * (REVOKED_AFTER - 1)
    await asyncio.gather(*[out for out in outs if out])
    assert [bool(out) for out in outs[REVOKED_AFTER - 1 :]] == [True, True], "sent at once, it is revoked once"
    assert devices.failed(enrolled.device.id, why=why) is None
    assert devices.device_of(enrolled.session) is None
    assert (await venue.tags()).count("device-revoked") == 1


@pytest.mark.parametrize(
    ("place", "code"),
    [
        (Place("terminal", "", 1), "bad-device"),
        (Place("reader"), "bad-device"),
        (Place("terminal", "3"), "bad-seat"),
        (Place("terminal", "3", 0), "bad-seat"),
        (Place("display", "3", 1), "bad-seat"),
        (Place("display", "a/b"), "bad-table"),
    ],
)
async def test_a_place_that_is_none_is_refused_and_nothing_is_added(place: Place, code: str) -> None:
    venue = await house()
    with pytest.raises(BadInput) as refused:
        await venue.accounts.devices.add([Place("display"), place], by="ada")
    assert refused.value.code == code
    assert venue.accounts.devices.all() == []


async def test_the_venue_says_which_places_it_has() -> None:
    def check_place(place: Place) -> None:
        raise BadInput("unknown-table", f"there is no table {place.table}")

    venue = await house()
    venue.accounts.devices.check_place = check_place
    with pytest.raises(BadInput, match="no table 9"):
        await venue.accounts.devices.add([Place("display", "9")], by="ada")


async def test_ten_thousand_terminals_are_added_at_once() -> None:
    venue = await house()
    places = [Place("terminal", "1", seat) for seat in range(1, 10_001)]
    issued = await venue.accounts.devices.add(places, by="ada")
    assert len({one.code for one in issued}) == len({one.id for one in issued}) == 10_000
    assert (await venue.store.head()).seq == 10_000
    enrolled = await venue.accounts.devices.enrol(issued[-1].code, peer=PEER)
    assert enrolled.device.seat == 10_000
    journal = b"".join(entry.body for entry in await venue.store.entries(limit=100_000)).decode()
    assert not any(one.code in journal for one in issued[:100])
    with pytest.raises(BadInput, match="1 to 10000"):
        await venue.accounts.devices.add([*places, places[0]], by="ada")
    with pytest.raises(BadInput, match="1 to 10000"):
        await venue.accounts.devices.add([], by="ada")
