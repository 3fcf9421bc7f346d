"""A seat that holds money is given to another device only with a pit manager's signature, and not in silence."""

from collections.abc import Iterator

import msgspec
import pytest

from natural9.journal import people_events
from natural9.journal.line import OriginKind, read_line
from natural9.server import protocol
from natural9.server.client import Client, ServerSaidNo
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.live_server import PEOPLE, Server, Visit, new_venue, password, running, table


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(new_venue(tmp_path_factory.mktemp("seats"), table("a", "rws-nc"))) as one:
        yield one


async def codes(admin: Client, seat: int, last: int | None = None, *, signed_by: str = "") -> list[str]:
    wish = {"kind": "terminal", "table": "a", "first_seat": seat, "last_seat": last or seat}
    if signed_by:
        wish["signature"] = {"id": PEOPLE[signed_by], "password": password(signed_by)}
    return [one["code"] for one in await admin.post("/api/devices/", wish)]


async def test_an_administrator_alone_does_not_get_a_seats_credit(visit: Visit, server: Server) -> None:
    admin = await visit.person("administrator")
    player = await visit.sit("a", 1, 123_400)
    with pytest.raises(ServerSaidNo) as no:
        await codes(admin, 1)
    assert (no.value.status, no.value.code) == (409, "seat-holds-money")
    assert "Seat 1 at table a holds credit" in no.value.message
    assert "1,234" not in no.value.message, "an administrator is not told how much"
    for role, code in (("pit-supervisor", "not-allowed"), ("cashier", "not-allowed"), ("administrator", "same-person")):
        with pytest.raises(ServerSaidNo) as no:
            await codes(admin, 1, signed_by=role)
        assert (no.value.status, no.value.code) == (403, code)

    [code] = await codes(admin, 1, signed_by="pit-manager")
    await player.do(taps.CashOut, cents=100)  # until the code is used, it is the player's
    taker = await visit.stranger()
    await taker.enrol(code)
    closed = await player.live.wait_closed()
    assert closed.code == protocol.SEAT_GIVEN
    assert "this seat was given to another device" in closed.reason
    with pytest.raises(ServerSaidNo) as no:
        await player.client.get("/api/me")
    assert no.value.status == 401
    other = await visit.connect(taker, "a")
    assert other.you.credit_cents == 123_300

    lines = [read_line(one) for one in await server.history("venue")]
    [given] = [line for line in lines if isinstance(line.event, people_events.OccupiedSeatEnrolled)]
    event = given.event
    assert event == people_events.OccupiedSeatEnrolled(
        id="terminal-a-1.2",
        former="terminal-a-1",
        table="a",
        seat=1,
        asked_by=PEOPLE["administrator"],
        signed_by=PEOPLE["pit-manager"],
    )
    assert given.origin.kind is OriginKind.DEVICE
    listed = await (await visit.person("pit-manager")).get("/api/reports/events")
    assert any(row["kind"] == "occupied-seat-enrolled" and PEOPLE["pit-manager"] in row["says"] for row in listed)


async def test_bets_that_lie_are_money_too(visit: Visit) -> None:
    admin = await visit.person("administrator")
    player = await visit.sit("a", 2, 10_000)
    await visit.begin_round("a")
    await player.betting_open()
    await player.bet("player", 10_000)
    with pytest.raises(ServerSaidNo, match="Seat 2 at table a holds bets"):
        await codes(admin, 2)
    await visit.finish("a", "2C 9D KS TD")  # lost: nothing is left
    assert len(await codes(admin, 2)) == 1


async def test_a_code_made_for_an_empty_seat_is_no_way_to_the_next_players_credit(visit: Visit) -> None:
    admin = await visit.person("administrator")
    [code] = await codes(admin, 3)
    player = await visit.sit("a", 3, 5_000)
    thief = await visit.stranger()
    with pytest.raises(ServerSaidNo) as no:
        await thief.enrol(code)
    assert (no.value.status, no.value.code) == (409, "seat-holds-money")
    assert "made without a signature" in no.value.message
    await player.do(taps.CashOut)  # it goes on as before
    await thief.enrol(code)
    assert (await player.live.wait_closed()).code == protocol.SEAT_GIVEN


async def test_one_of_many_seats_that_holds_money_is_named(visit: Visit) -> None:
    admin = await visit.person("administrator")
    await visit.sit("a", 5, 1_000)
    await visit.sit("a", 6, 1_000)
    with pytest.raises(ServerSaidNo, match="2 of these seats hold money, first seat 5 at table a"):
        await codes(admin, 5, 7)
    assert len(await codes(admin, 5, 7, signed_by="shift-manager")) == 3


async def test_a_wrong_signature_signs_nothing_and_a_seat_that_was_paid_out_needs_none(visit: Visit) -> None:
    admin = await visit.person("administrator")
    await visit.sit("a", 4, 1_000)
    wrong = {"id": PEOPLE["pit-manager"], "password": "not the password"}
    with pytest.raises(ServerSaidNo) as no:
        await admin.post("/api/devices/", {"kind": "terminal", "table": "a", "first_seat": 4, "signature": wrong})
    assert no.value.status == 403
    await visit.do("cashier", "a", staff.HandPay, seat=4, why="paid out at the desk")
    assert len(await codes(admin, 4)) == 1


async def test_an_administrator_alone_makes_nobody_who_signs(visit: Visit) -> None:
    """Neither a new manager, nor a manager of somebody there, nor the password of one."""
    admin, dora, manager = await visit.person("administrator"), PEOPLE["dealer"], PEOPLE["pit-manager"]
    paul = {"id": "paul", "name": "Paul Low", "role": "pit-manager"}
    role = {"role": "shift-manager"}
    asked: list[tuple[str, dict[str, str]]] = [
        ("/api/staff/", paul),
        (f"/api/staff/{dora}/role", role),
        (f"/api/staff/{manager}/new-code", {}),
    ]
    for path, body in asked:
        with pytest.raises(ServerSaidNo, match="two people appoint one") as no:
            await admin.post(path, body)
        assert (no.value.status, no.value.code) == (409, "appointment-unsigned")
    own = {"id": manager, "password": password("pit-manager")}
    with pytest.raises(ServerSaidNo, match="Nobody signs for themselves"):
        await admin.post(f"/api/staff/{manager}/new-code", {"signature": own})
    low = {"id": PEOPLE["pit-supervisor"], "password": password("pit-supervisor")}
    with pytest.raises(ServerSaidNo, match="a Pit Manager or above"):
        await admin.post("/api/staff/", {**paul, "signature": low})
    assert {one["id"]: one["role"] for one in await admin.get("/api/staff/")} == {
        id: role for role, id in PEOPLE.items()
    }
    signed = await admin.post("/api/staff/", {**paul, "signature": own})
    assert signed["id"] == "paul"
    clerk = await admin.post("/api/staff/", {"id": "kit", "name": "Kit Low", "role": "cashier"})
    assert clerk["id"] == "kit", "whoever signs for nothing is one person's affair"


async def test_a_voucher_that_is_out_is_not_shown_to_the_seats_next_device(visit: Visit, server: Server) -> None:
    player = await visit.sit("a", 12, 10_000)
    await player.do(taps.CashOut)
    lines = [read_line(one) for one in await server.history("table/a")]
    [asked] = [line.command for line in lines if line.origin.by == "a-12" and line.origin.command == "cash-out"]
    assert asked, "what the journal keeps of it, which is no secret"
    taker = await visit.connect(await visit.enrolled("a", 12), "a")  # nothing lies there: nobody signs
    told = await taker.live.ask(msgspec.json.decode(asked, type=taps.CashOut))
    assert getattr(told, "voucher", None) is None, "whoever has the code has the money"
