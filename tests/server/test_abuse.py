"""Clients that do what no terminal does: the server says no in words, goes on, and forgets them."""

import asyncio
import os
import socket
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from picows import WSInvalidStatusError, WSMsgType
from websockets.asyncio.client import connect as ws_connect
from websockets.exceptions import InvalidStatus

from natural9.core.round import commands as round_commands
from natural9.journal.line import read_line
from natural9.journal.people_events import DeviceRevoked
from natural9.server import protocol
from natural9.server.client import Client, Live, ServerSaidNo
from natural9.server.clock import machine_ms
from natural9.server.guests import ASKED_AGAIN
from natural9.server.people.devices import REVOKED_AFTER
from natural9.server.people.keys import venue_keys
from natural9.server.people.sessions import ABSOLUTE_MS, IDLE_MS, Sessions, cookie_name, read_cookie
from natural9.server.websocket import RATE
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.live_server import (
    PEOPLE,
    PLAIN,
    Server,
    Terminal,
    Visit,
    automatic,
    new_venue,
    running,
    session_of,
    table,
    visit,
)

LONG = "A title for large messages " * 1000
CONNECTS = int(os.environ.get("NATURAL9_CONNECTS", "500"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    tables = [table("a", "rws-nc"), automatic("b", "mbs-nc", betting=30.0, seats=101), table("c", "rws-nc", title=LONG)]
    with running(new_venue(tmp_path_factory.mktemp("abuse"), *tables)) as one:
        visit(one, lambda visit: visit.open("a", "b", "c"))
        yield one


async def is_alive(terminal: Terminal) -> None:
    sent = float(len(terminal.heard))
    terminal.live.send(protocol.Ping(sent=sent))
    await terminal.until(lambda one: any(pong.sent == sent for pong in one.of(protocol.Pong)), "pong")


async def connections(server: Server) -> int:
    async with httpx.AsyncClient(verify=PLAIN) as client:
        text = (await client.get(f"{server.address}/metrics")).text
    [line] = [line for line in text.splitlines() if line.startswith("natural9_connections ")]
    return int(float(line.split()[1]))


async def settles_at(server: Server, wanted: int) -> None:
    async with asyncio.timeout(20):
        while await connections(server) != wanted:
            await asyncio.sleep(0.02)


GARBAGE = [
    b"",
    b"hello",
    b"{",
    b"[]",
    b"null",
    b'"bet"',
    b"{}",
    b'{"type":"no-such-thing","request":"1"}',
    b'{"type":7}',
    b'{"type":"bet"}',
    b'{"type":"bet","request":1,"round":1,"wager":"tie","cents":100}',
    b'{"type":"bet","request":"1","round":"1","wager":"tie","cents":100}',
    b'{"type":"bet","request":"1","round":1,"wager":"tie","cents":1.5}',
    b'{"type":"bet","request":"1","round":1,"wager":"tie","cents":-100}',
    b'{"type":"bet","request":"1","round":1,"wager":"tie","cents":1e30}',
    b'{"type":"bet","request":"1","round":1,"wager":"tie","cents":99999999999999999999999999999}',
    b'{"type":"bet","request":"1","round":1,"wager":"tie","cents":100,"seat":2}',
    b'{"type":"bet","request":"","round":1,"wager":"tie","cents":100}',
    b'{"type":"bet","request":"' + b"x" * 65 + b'","round":1,"wager":"tie","cents":100}',
    b'{"type":"credit-terminal","request":"1","seat":1,"cents":100}',
    b'{"type":"settle","request":"1"}',
    b'{"type":"welcome"}',
    b"[" * 8000,
    b'{"type":"insert-voucher","request":"1","number":"' + b"9" * 65 + b'","code":"x"}',
]


def more_refusals(before: int, terminal: Terminal) -> bool:
    return len(terminal.of(protocol.Refused)) > before


async def test_garbage_is_refused_in_words_and_the_connection_lives(visit: Visit) -> None:
    terminal = await visit.sit("a", 1, 1_000)
    for garbage in GARBAGE:
        before = len(terminal.of(protocol.Refused))
        terminal.live.send(garbage)
        await terminal.until(partial(more_refusals, before), repr(garbage[:60]))
        refused = terminal.of(protocol.Refused)[-1]
        assert refused.code == "bad-message", (garbage, refused)
        assert len(refused.message) > 20
        await is_alive(terminal)  # what it says now is understood: so many in a row would revoke it
    assert terminal.you.credit_cents == 1_000


async def test_a_device_that_cannot_be_understood_is_revoked_and_no_stranger_can_bring_that_about(
    server: Server, visit: Visit
) -> None:
    """Requirement 35. Failures count on its own connection, over reconnections, and in a row."""
    terminal, other = await visit.sit("a", 12), await visit.sit("a", 13)
    names = {one["seat"]: one["id"] for one in await (await visit.person("administrator")).get("/api/devices/")}
    forged = Sessions(b"", clock_ms=machine_ms)
    stranger = f"{cookie_name('device', secure=False)}={forged.token(forged.begin('device', names[13]))}"
    for _ in range(REVOKED_AFTER + 1):
        assert await upgrade(server, "/ws/table/a", Cookie=stranger, Origin=server.address) in (401, 429)
    for _ in range(REVOKED_AFTER - 1):
        terminal.live.send(b"hello")
    await is_alive(terminal)
    for _ in range(REVOKED_AFTER - 1):
        terminal.live.send(b"hello")
    await terminal.until(lambda one: len(one.of(protocol.Refused)) == 2 * (REVOKED_AFTER - 1))
    terminal.live.close()
    again = await visit.connect(terminal.client, "a")
    again.live.send(b"hello")
    assert (await again.live.wait_closed()).code == protocol.SESSION_ENDED
    assert await upgrade(server, "/ws/table/a", Cookie=terminal.client.cookies, Origin=server.address) == 401
    await is_alive(other)
    revoked = [read_line(one).event for one in await server.history("venue") if one.kind == DeviceRevoked.TAG]
    assert [one.id for one in revoked if isinstance(one, DeviceRevoked)] == [names[12]]
    assert "20 failures in a row, the last: this message cannot be understood" in revoked[0].describe()


async def test_sensible_messages_that_make_no_sense_here(visit: Visit) -> None:
    """Everything is answered with a code of its own, and nothing is charged."""
    terminal = await visit.sit("a", 2, 1_000)
    number = await visit.begin_round("a")
    await terminal.betting_open(after=number - 1)
    wrong: list[tuple[type[taps.Tap], dict[str, Any], str]] = [
        (taps.Bet, {"wager": "no-such", "cents": 100}, "wager-not-offered"),
        (taps.Bet, {"wager": "tie", "cents": 150}, "bad-stake"),
        (taps.Bet, {"wager": "tie", "cents": 10_000_000}, "outside-limits"),
        (taps.Bet, {"wager": "tie", "cents": 1_100}, "not-enough-credit"),
        (taps.Bet, {"wager": "tie", "cents": 100, "round": number + 1}, "not-open-yet"),
        (taps.Bet, {"wager": "tie", "cents": 100, "round": number - 1}, "other-round"),
        (taps.Undo, {}, "nothing-to-undo"),
        (taps.Double, {}, "nothing-to-repeat"),
        (taps.ReBet, {}, "nothing-to-repeat"),
        (taps.CashOut, {"cents": 1_100}, "not-enough-credit"),
        (taps.InsertVoucher, {"number": "\x00\ud7ff", "code": "?"}, "no-such-voucher"),
    ]
    for shape, fields, code in wrong:
        answer = await terminal.ask(shape, **fields)
        assert isinstance(answer, protocol.Refused), (shape, fields)
        assert answer.code == code, answer
    assert terminal.you.credit_cents == 1_000
    await visit.do("shift-manager", "a", round_commands.VoidRound, why="only a test")


@pytest.mark.parametrize(
    ("kind", "payload", "code"),
    [
        (WSMsgType.BINARY, b"\x00\x01", 1003),
        (WSMsgType.TEXT, b"\xff\xfe", 1007),
        (WSMsgType.TEXT, b"x" * 20_000, 1009),
        (WSMsgType.CONTINUATION, b"x", 1002),
    ],
)
async def test_what_is_no_message_at_all_closes_the_connection_with_a_code(
    visit: Visit, kind: WSMsgType, payload: bytes, code: int
) -> None:
    other, terminal = await visit.sit("a", 3), await visit.sit("a", 4)
    terminal.live._transport.send(kind, payload)
    assert (await terminal.live.wait_closed()).code == code
    await is_alive(other)


async def test_a_flood_of_messages_is_closed_and_after_a_pause_the_terminal_is_served_again(visit: Visit) -> None:
    other, terminal = await visit.sit("a", 5), await visit.sit("a", 6, 500)
    flood = 1000
    for _ in range(flood):
        terminal.live.send(protocol.Ping())
    assert (await terminal.live.wait_closed()).code == 4429
    await is_alive(other)
    with pytest.raises(WSInvalidStatusError) as refused:
        await terminal.client.connect("/ws/table/a")
    response = refused.value.response
    assert response
    assert response.status == 429
    pause_s = int(response.headers["retry-after"])
    # Until what it sent too much is made good, and it could ask again for all that was not answered.
    assert 0 < pause_s <= (flood - RATE.at_once + ASKED_AGAIN) / RATE.a_second + 1
    await asyncio.sleep(pause_s)
    again = await visit.connect(terminal.client, "a")
    for _ in range(ASKED_AGAIN // 2):
        again.live.send(protocol.Ping())
    await is_alive(again)
    paid = await again.do(taps.CashOut)
    assert paid.voucher
    assert paid.voucher.cents == 500
    await is_alive(other)


async def deaf_socket(server: Server) -> socket.socket:
    """One that takes next to nothing from the network."""
    taking = socket.socket()
    taking.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    taking.setblocking(False)
    host, _, port = server.address.removeprefix("http://").partition(":")
    await asyncio.get_running_loop().sock_connect(taking, (host, int(port)))
    return taking


async def test_a_client_that_never_reads_is_dropped_and_the_others_go_on(server: Server, visit: Visit) -> None:
    """It asks for everything that is kept, and takes none of it."""
    other, silent = await visit.sit("c", 7), await visit.enrolled("c", 8)
    before = await connections(server)
    url = f"{server.address.replace('http', 'ws')}/ws/table/c"
    headers = {"Cookie": silent.cookies}
    async with ws_connect(url, sock=await deaf_socket(server), additional_headers=headers, max_queue=1) as deaf:
        deaf.transport.pause_reading()
        await settles_at(server, before + 1)
        turns = 0
        async with asyncio.timeout(100):
            while await connections(server) > before:
                await visit.do("pit-supervisor", "c", staff.ResumeTable if turns % 2 else staff.PauseTable)
                turns += 1
                await asyncio.sleep(0.02)  # or /metrics tells a stranger who asks so often to wait
        deaf.transport.abort()
    assert turns > 10, "a few messages wait for it"
    assert len(other.of(protocol.TableMessage)) >= turns, "while the others are told"
    await is_alive(other)


async def upgrade(server: Server, path: str, **headers: str) -> int:
    url = server.address.replace("http", "ws") + path
    try:
        async with ws_connect(url, additional_headers=headers):
            return 101
    except InvalidStatus as error:
        return error.response.status_code


async def test_who_may_not_connect_gets_a_status(server: Server, visit: Visit) -> None:
    cookies = (await visit.enrolled("a", 9)).cookies
    ours = server.address
    assert await upgrade(server, "/ws/table/a", Cookie=cookies, Origin=ours) == 101
    assert await upgrade(server, "/ws/table/a", Cookie=cookies, Origin="http://elsewhere.example") == 403
    assert await upgrade(server, "/ws/table/a", Cookie=cookies, Origin="null") == 403
    assert (
        await upgrade(server, "/ws/table/a", Cookie=cookies, Host="evil.example", Origin="http://evil.example") == 403
    )
    assert await upgrade(server, "/ws/table/a", Origin=ours) == 401
    assert await upgrade(server, "/ws/table/a", Cookie=cookies[:-3] + "abc", Origin=ours) == 401
    assert await upgrade(server, "/ws/table/b", Cookie=cookies, Origin=ours) == 403, "another table's terminal"
    assert await upgrade(server, "/ws/floor", Cookie=cookies, Origin=ours) == 403
    assert await upgrade(server, "/ws/table/none", Cookie=cookies, Origin=ours) == 404
    assert await upgrade(server, "/ws/%FF", Cookie=cookies, Origin=ours) in (400, 404)


async def test_a_second_connection_of_one_terminal_replaces_the_first(visit: Visit) -> None:
    first = await visit.sit("a", 10, 500)
    second = await visit.connect(first.client, "a")
    assert (await first.live.wait_closed()).code == 4001
    await is_alive(second)
    await visit.do("cashier", "a", staff.CreditTerminal, seat=10, cents=100)
    await second.until(lambda one: one.you.credit_cents == 600)


async def test_a_revoked_terminal_is_cut_off_at_once(server: Server, visit: Visit) -> None:
    terminal = await visit.sit("a", 11)
    admin = await visit.person("administrator")
    devices = await admin.get("/api/devices/", table="a")
    [mine] = [one["id"] for one in devices if one["seat"] == 11 and one["status"] == "enrolled"]
    await admin.post(f"/api/devices/{mine}/revoke")
    assert (await terminal.live.wait_closed()).code == 4401
    assert await upgrade(server, "/ws/table/a", Cookie=terminal.client.cookies, Origin=server.address) == 401


async def test_disabled_staff_lose_their_sessions_at_once(visit: Visit) -> None:
    dealer = await visit.person("dealer")
    floor, at_table = await dealer.connect("/ws/floor"), await dealer.connect("/ws/table/a")
    await floor.wait_for(protocol.Floor)
    await at_table.wait_for(protocol.Welcome)
    admin = await visit.person("administrator")
    await admin.post(f"/api/staff/{PEOPLE['dealer']}/disable")
    try:
        assert (await floor.wait_closed()).code == 4401
        assert (await at_table.wait_closed()).code == 4401
        with pytest.raises(ServerSaidNo, match="401"):
            await dealer.order("a", staff.LoadNewShoe())
    finally:
        await admin.post(f"/api/staff/{PEOPLE['dealer']}/enable")


def cookie_of(server: Server, role: str, *, issued_s: float, seen_s: float) -> str:
    """A session of this person that began and was last heard of so long ago."""
    name, sessions = cookie_name("staff", secure=False), Sessions(venue_keys(server.folder)[0], clock_ms=machine_ms)
    theirs, now_ms = sessions.read(read_cookie(session_of(role), name)), machine_ms()
    assert theirs is not None
    began_ms, seen_ms = now_ms - round(issued_s * 1000), now_ms - round(seen_s * 1000)
    nonce = sessions.begin("staff", theirs.id).nonce
    return f"{name}={sessions.token(replace(theirs, issued_ms=began_ms, seen_ms=seen_ms, nonce=nonce))}"


async def test_staffs_connections_end_with_their_session(server: Server, visit: Visit) -> None:
    """One at the end of its shift, one that is only watched, and one whose page still asks: that goes on."""
    shift_s, idle_s = ABSOLUTE_MS / 1000 - 8, IDLE_MS / 1000 - 8  # until all three are connected
    url = server.address.replace("http", "ws")

    def connected(path: str, cookie: str) -> ws_connect:
        return ws_connect(url + path, additional_headers={"Cookie": cookie})

    over = cookie_of(server, "pit-supervisor", issued_s=shift_s, seen_s=60)
    watched = cookie_of(server, "pit-supervisor", issued_s=3600, seen_s=idle_s)
    used = cookie_of(server, "pit-supervisor", issued_s=3600, seen_s=idle_s)
    async with (
        connected("/ws/floor", over) as at_the_end,
        connected("/ws/table/a", watched) as only_watched,
        connected("/ws/table/a", used) as in_use,
        httpx.AsyncClient(base_url=server.address, verify=PLAIN) as page,
    ):
        assert (await page.get("/api/me", headers={"cookie": used})).status_code == 200
        async with asyncio.timeout(30):
            await at_the_end.wait_closed()
            await only_watched.wait_closed()
        assert (at_the_end.close_code, only_watched.close_code) == (protocol.SESSION_ENDED,) * 2
        assert (await page.get("/api/me", headers={"cookie": watched})).status_code == 401
        await in_use.send(b'{"type":"ping","sent":7}'.decode())
        async with asyncio.timeout(30):
            while b'"pong"' not in (await in_use.recv(decode=False)):
                pass


async def connected(client: Client) -> Live:
    """However often it is told to wait."""
    while True:
        try:
            return await client.connect("/ws/table/b")
        except WSInvalidStatusError as refused:
            headers = refused.response.headers if refused.response else {}
            await asyncio.sleep(int(headers["retry-after"]))


async def test_hundreds_come_and_go_and_nothing_is_left_behind(server: Server) -> None:
    """Half of them say goodbye, half vanish; afterwards no connection and no open file is left of them."""

    async def come_and_go(client: Client, turns: int) -> None:
        for turn in range(turns):
            live = await connected(client)
            if turn % 2:
                await live.wait_for(protocol.Welcome)
                live.close()
            else:
                live._transport.underlying_transport.abort()

    async with Visit(server) as visit:
        stays = await visit.sit("b", 1)
        clients = [await visit.enrolled("b", seat) for seat in range(2, 102)]
        await asyncio.gather(*(come_and_go(client, 2) for client in clients))
        await settles_at(server, 1)
        files = server.open_files()
        await asyncio.gather(*(come_and_go(client, CONNECTS // len(clients)) for client in clients))
        await settles_at(server, 1)
        assert abs(server.open_files() - files) <= 3
        await is_alive(stays)
    assert not [line for line in server.log if '"error"' in line or "Traceback" in line]
