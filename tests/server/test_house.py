"""A house that has been opened and has not started yet, and one whose journal hangs: what it answers then."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from natural9.core.errors import BadInput
from natural9.server import house as house_module
from natural9.server.app import make_app
from natural9.server.floor import lobby_row
from natural9.server.guests import MOST_OPEN, STRANGERS, Guest
from natural9.server.house import House
from natural9.server.people.devices import Place
from natural9.server.people.sessions import Session, cookie_name
from natural9.server.protocol import SESSION_ENDED
from natural9.server.rates import Rate
from natural9.server.throttle import HttpRates
from natural9.server.websocket import Connection, Handshake, UpgradeRefused
from natural9.store.contract import StoreFailed
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Voucher
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.live.answers import Accepted
from natural9.table.state.visits import SeatPlace
from tests.server.enrolling import enrol_terminals
from tests.server.opened_house import opened
from tests.table.live import CASHIER, MANAGER
from tests.table.nodes import SharedMemory
from tests.table.stores import SlowStore

HERE = "http://127.0.0.1:8909"
TABLE = "super-six-1"


@asynccontextmanager
async def asking(house: House) -> AsyncIterator[httpx.AsyncClient]:
    app: Any = make_app(house)
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 5000))
    async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
        yield client


async def test_before_its_tables_are_recovered_a_house_says_so_everywhere(tmp_path: Path) -> None:
    house = await opened(tmp_path, SlowStore())
    [code] = await house.accounts.devices.add([Place("display", TABLE)], by="ada")
    session = (await house.accounts.devices.enrol(code.code, peer="")).session

    def connects(path: str) -> object:
        return house.hub.opening(_handshake(house, path, session))

    waits = UpgradeRefused(503, "not-ready", "the tables are not recovered yet: connect again in a moment")
    assert connects(f"/ws/table/{TABLE}") == connects("/ws/floor") == waits
    assert isinstance(never := connects("/ws/table/none"), UpgradeRefused)
    assert never.status == 404
    with pytest.raises(BadInput, match="not recovered yet"):
        house.room(TABLE)
    with pytest.raises(BadInput, match="not recovered yet"):  # nobody knows yet what the seat holds
        await house.accounts.devices.add([Place("terminal", TABLE, 1)], by="ada")
    with pytest.raises(BadInput, match="there is no table 'none': there are"):
        house.room("none")
    async with asking(house) as client:
        assert (await client.get("/readyz")).status_code == 503
        assert (await client.get("/metrics")).status_code == 200
        assert (await client.get("/api/venue/")).json()["tables"] == []
        assert (await client.get(f"/api/venue/tables/{TABLE}/rules")).status_code == 200
        await house.start()
        assert (await client.get("/readyz")).status_code == 200
    assert not isinstance(connects(f"/ws/table/{TABLE}"), UpgradeRefused)
    await house.stop("over")


async def test_nobody_is_excluded_whose_card_might_bet_on(tmp_path: Path) -> None:
    """While the tables are not recovered, or the one that the card is in at has halted, it cannot be barred."""
    house = await opened(tmp_path, SlowStore())
    players = house.accounts.players

    async def exclude() -> None:
        await players.exclude(number, until_day="", own=True, why="asked for it", by="ada")

    number = (await players.add("Mei", by="ada")).number
    with pytest.raises(BadInput, match="not recovered yet"):
        await exclude()
    await house.start()
    writer = house.room(TABLE).writer
    card = taps.CardIn(request="in", player=number, points_per_100=0)
    assert isinstance(await writer.answer(card, Who.terminal(TABLE, 1)), Accepted)
    writer.halt(writer.state.status.words)
    with pytest.raises(StoreFailed):
        await exclude()
    assert players.find(number).exclusion is None
    await house.stop("over")


async def test_the_lobby_says_that_a_table_is_out_of_service_once_it_has_halted(tmp_path: Path) -> None:
    house = await opened(tmp_path, SlowStore())
    await house.start()
    room = house.room(TABLE)
    assert not lobby_row(room).is_out_of_service
    room.writer.halt(room.writer.state.status.words)
    assert lobby_row(room).is_out_of_service
    await house.stop("over")


def _handshake(house: House, path: str, *sessions: Session) -> Handshake:
    token = house.accounts.sessions.token
    cookie = "; ".join(f"{cookie_name(one.kind, secure=False)}={token(one)}" for one in sessions)
    return Handshake(path, {}, {"host": "127.0.0.1:8909", "cookie": cookie}, "127.0.0.1")


async def test_a_person_at_a_device_opens_no_more_connections_of_it_than_the_device_alone(tmp_path: Path) -> None:
    house = await opened(tmp_path, SlowStore())
    await house.start()
    [code] = await house.accounts.devices.add([Place("display", TABLE)], by="ada")
    device = (await house.accounts.devices.enrol(code.code, peer="")).session
    claim, word = house.accounts.first_code() or "", "seven green lamps"
    person = (await house.accounts.claim_administrator(claim, id="ada", name="Ada", password=word, peer="")).session
    both = _handshake(house, f"/ws/table/{TABLE}", device, person)
    guest = house.hub.opening(both)
    assert isinstance(guest, Guest)
    house.hub.guests._open[guest.session.holder] = MOST_OPEN
    full = house.hub.opening(both)
    assert isinstance(full, UpgradeRefused)
    assert full.code == "too-many"
    await house.stop("over")


class Line:
    """A connection as a room knows it, without a socket."""

    def __init__(self) -> None:
        self.closed = 0
        self.who: Guest | None = None

    @property
    def is_shut(self) -> bool:
        return self.closed > 0

    def close(self, code: int, reason: str) -> None:
        self.closed = code

    def send(self, message: bytes) -> bool:
        return True


async def test_a_terminal_revoked_while_it_sits_down_as_a_visitor_does_not_play(tmp_path: Path) -> None:
    store = SlowStore()
    house = await opened(tmp_path, store)
    await house.start()
    home, room = next(one for one in house.rooms if one != TABLE), house.room(TABLE)
    [code] = await house.accounts.devices.add([Place("terminal", home, 1)], by="ada")
    session = (await house.accounts.devices.enrol(code.code, peer="")).session
    line, guest = Line(), Guest(session, TABLE, home=SeatPlace(home, 1))
    line.who = guest
    sits = asyncio.ensure_future(room.seat_visitor(cast(Connection, line), guest, SeatPlace(home, 1)))
    await house.accounts.devices.revoke(session.id, by="ada")
    await sits
    assert (line.closed, room.seated()) == (SESSION_ENDED, 0)
    await house.stop("over")


async def test_what_the_gate_refuses_is_as_rare_as_what_it_lets_through(tmp_path: Path) -> None:
    house = await opened(tmp_path, SlowStore())
    app: Any = make_app(house, rates=HttpRates(strangers=Rate(3, 0.001), slow_s=0))
    transport = httpx.ASGITransport(app, client=("10.0.0.9", 5000))
    async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
        answers = [await client.post("/api/sign-in", headers={"origin": "http://evil.example"}) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [403] * 3 + [429] * 2
    assert answers[-1].headers["x-frame-options"] == "DENY", "and still no answer leaves without its headers"
    evil = _handshake(house, "/ws/floor")
    evil = evil._replace(headers={**evil.headers, "origin": "http://evil.example"})
    refused = [house.hub.opening(evil) for _ in range(int(STRANGERS.at_once) + 1)]
    assert [one.status for one in refused if isinstance(one, UpgradeRefused)] == [403] * (len(refused) - 1) + [429]
    await house.stop("over")


async def test_a_device_is_held_against_the_venue_file_before_any_table_plays(tmp_path: Path) -> None:
    house = await opened(tmp_path, SlowStore())
    with pytest.raises(BadInput, match="there is no table 'none'"):
        await house.accounts.devices.add([Place("terminal", "none", 1)], by="ada")
    with pytest.raises(BadInput, match=f"table {TABLE} has seats 1 to"):
        await house.accounts.devices.add([Place("terminal", TABLE, 9999)], by="ada")
    await house.stop("over")


async def test_the_metrics_show_what_is_durable(tmp_path: Path) -> None:
    store = SlowStore()
    house = await opened(tmp_path, store)
    await house.start()
    room = house.room(TABLE)
    await enrol_terminals(house, TABLE, 1)
    for number, command in enumerate(
        (staff.OpenTable(), staff.CreditTerminal(seat=1, cents=100_000), staff.LoadNewShoe(), staff.StartRound())
    ):
        who = CASHIER if isinstance(command, staff.CreditTerminal) else MANAGER
        assert isinstance(await room.writer.answer(Order(str(number), command), who), Accepted)
    async with asking(house) as client:
        assert await _staked_cents(client) == 0
        store.slow = True
        bet = taps.Bet(request="5", round=room.published.round, wager="banker", cents=10_000)
        placed = asyncio.ensure_future(room.writer.answer(bet, Who.terminal(TABLE, 1)))
        while not store.queued:
            await asyncio.sleep(0)
        assert room.writer.state.round.staked_cents == 10_000, "memory is ahead of the journal"
        assert await _staked_cents(client) == 0
        store.slow = False
        await store.let_one_be_durable()
        assert isinstance(await placed, Accepted)
        while not room.published.laid:  # bets alone are published a moment later
            await asyncio.sleep(0.01)
        assert await _staked_cents(client) == 10_000
    await house.stop("over")


async def _staked_cents(client: httpx.AsyncClient) -> int:
    lines = (await client.get("/metrics")).text.splitlines()
    [line] = [line for line in lines if line.startswith(f'natural9_staked_cents{{table="{TABLE}"}}')]
    return int(float(line.split()[1]))


async def test_metrics_are_for_the_machines_that_the_venue_file_names(tmp_path: Path) -> None:
    house = await opened(tmp_path, SlowStore())
    for networks, status in (((), 403), ((ip_network("10.1.0.0/16"),), 200), ((ip_network("10.2.0.0/16"),), 403)):
        house.venue = dataclasses.replace(house.venue, metrics_from=networks)
        app: Any = make_app(house)
        transport = httpx.ASGITransport(app, client=("10.1.0.9", 5000))
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            assert (await client.get("/metrics")).status_code == status
            assert (await client.get("/metrics", headers={"host": "evil.example"})).status_code == 403
    await house.stop("over")


async def test_a_house_of_several_nodes_forgets_every_day_what_was_redeemed_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def unchanged(house: House) -> list[str]:
        return []

    monkeypatch.setattr(house_module, "DAY_S", 0)
    monkeypatch.setattr(House, "check_program", unchanged)
    house = await opened(tmp_path, SharedMemory())
    outstanding = house.vouchers.outstanding
    outstanding["1"] = Voucher(number="1", cents=100, table="t", seat=1, issued_at_ms=1, expires_at_ms=2)
    daily = asyncio.create_task(house._check_daily())
    async with asyncio.timeout(60):
        while outstanding:
            await asyncio.sleep(0.01)
    daily.cancel()
    await asyncio.gather(daily, return_exceptions=True)
