"""A slice of every flood that `bench/floods.py` makes: what is refused and how, and that the others are served."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator

import httpx
import msgspec
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as ws_connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from bench.attacks import KINDS, Target, attack
from natural9.server import protocol
from natural9.server.client import Client
from natural9.server.websocket import TOO_MANY
from tests.server.live_server import PLAIN, Server, Terminal, Visit, automatic, new_venue, running, visit

WAIT_S = 30
PING = b'{"type":"ping"}'


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    tables = [automatic("a", "mbs-nc", betting=30.0)]
    with running(new_venue(tmp_path_factory.mktemp("floods"), *tables)) as one:
        visit(one, lambda visit: visit.open("a"))
        yield one
    assert not [line for line in one.log if '"error"' in line or "Traceback" in line], "\n".join(one.log)


@pytest.fixture
async def other(visit: Visit) -> Terminal:
    """Who must be served all the while."""
    return await visit.sit("a", 50)


async def is_served(terminal: Terminal) -> None:
    sent = float(len(terminal.heard))
    terminal.live.send(protocol.Ping(sent=sent))
    await terminal.until(lambda one: any(pong.sent == sent for pong in one.of(protocol.Pong)), "pong")


async def open_socket(server: Server, client: Client, path: str = "/ws/table/a") -> ClientConnection:
    url = server.address.replace("http", "ws", 1) + path
    return await ws_connect(url, additional_headers={"Cookie": client.cookies}, origin=None)


async def refusal_of(server: Server, client: Client, path: str = "/ws/table/a") -> tuple[int, str, int]:
    """Status, code and Retry-After of an upgrade that is not granted."""
    with pytest.raises(InvalidStatus) as refused:
        await open_socket(server, client, path)
    response = refused.value.response
    code = msgspec.json.decode(response.body or b"{}")["code"]
    return response.status_code, code, int(response.headers.get("retry-after", 0))


async def close_code(socket: ClientConnection) -> int:
    async with asyncio.timeout(WAIT_S):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await socket.recv()
    assert socket.close_code, "it broke without a close frame"
    return socket.close_code


async def connected_until_refused(server: Server, client: Client, *, stay: bool) -> tuple[int, InvalidStatus]:
    """How many times it was let in, and how it then was not."""
    stays: list[ClientConnection] = []
    connected = 0
    try:
        while True:
            socket = await open_socket(server, client)
            connected += 1
            if stay:
                stays.append(socket)
            else:
                socket.transport.abort()
    except InvalidStatus as refused:
        return connected, refused
    finally:
        for socket in stays:
            socket.transport.abort()


@pytest.mark.parametrize("kind", ["text", "ping", "fragments"])
async def test_a_flood_of_frames_ends_with_4429_and_coming_back_takes_a_pause(
    server: Server, visit: Visit, other: Terminal, kind: str
) -> None:
    seat = {"text": 1, "ping": 2, "fragments": 3}[kind]
    flooder = await visit.enrolled("a", seat)
    socket = await open_socket(server, flooder)
    frames = {"text": b"\x81\x8f\0\0\0\0" + PING, "ping": b"\x89\x80\0\0\0\0", "fragments": b"\x00\x80\0\0\0\0"}
    first = b"\x01\x80\0\0\0\0" if kind == "fragments" else b""
    socket.transport.write(first + frames[kind] * 2000)
    assert await close_code(socket) == TOO_MANY
    status, code, retry_s = await refusal_of(server, flooder)
    assert (status, code) == (429, "too-often")
    assert retry_s > 0
    await is_served(other)


async def test_what_a_device_may_send_does_not_begin_anew_with_each_connection(
    server: Server, visit: Visit, other: Terminal
) -> None:
    flooder = await visit.enrolled("a", 4)
    first = await open_socket(server, flooder)
    first.transport.write((b"\x81\x8f\0\0\0\0" + PING) * 340)
    pongs = 0
    while pongs < 340:
        pongs += b'"pong"' in await first.recv(decode=False)
    first.transport.abort()
    second = await open_socket(server, flooder)
    second.transport.write((b"\x81\x8f\0\0\0\0" + PING) * 580)
    assert await close_code(second) == TOO_MANY
    await is_served(other)


async def test_connecting_in_a_loop_is_slowed_down_for_that_device_alone(
    server: Server, visit: Visit, other: Terminal
) -> None:
    flooder, neighbour = await visit.enrolled("a", 5), await visit.enrolled("a", 6)
    connected, refused = await connected_until_refused(server, flooder, stay=False)
    assert refused.response.status_code == 429
    assert int(refused.response.headers["retry-after"]) >= 1
    assert connected >= 20, "a terminal that was moved or restarted a few times is let in"
    await is_served(await visit.connect(neighbour, "a"))
    await is_served(other)


async def test_a_person_has_only_so_many_connections_open(server: Server, visit: Visit, other: Terminal) -> None:
    auditor = await visit.person("auditor")
    connected, refused = await connected_until_refused(server, auditor, stay=True)
    assert refused.response.status_code == 429
    assert connected >= 10
    await is_served(other)


async def test_who_is_nobody_and_keeps_trying_is_told_to_wait(server: Server, visit: Visit, other: Terminal) -> None:
    stranger = await visit.stranger()
    seen = await asyncio.gather(*[refusal_of(server, stranger) for _ in range(150)])
    assert {status for status, _, _ in seen} == {401, 429}
    newcomer = await visit.enrolled("a", 7)
    await is_served(await visit.connect(newcomer, "a"))
    await is_served(other)


async def test_recalls_in_a_loop_are_slowed_down_for_that_device_alone(visit: Visit, other: Terminal) -> None:
    flooder, neighbour = await visit.enrolled("a", 8), await visit.enrolled("a", 9)
    number = await other.betting_open()
    url = f"{visit.server.address}/api/rounds/a/{number}"
    async with httpx.AsyncClient(headers={"Cookie": flooder.cookies}, verify=PLAIN, timeout=60) as http:
        answers = await asyncio.gather(*[http.get(url) for _ in range(60)])
    statuses = Counter(answer.status_code for answer in answers)
    assert statuses[200] > 0
    assert statuses[429] > 0
    assert set(statuses) <= {200, 429, 503}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers if answer.status_code != 200)
    assert (await neighbour.get(f"/api/rounds/a/{number}"))["round"] == number
    await is_served(other)


async def test_half_open_connections_keep_nobody_out(server: Server, visit: Visit, other: Terminal) -> None:
    host, _, port = server.address.removeprefix("http://").partition(":")
    half = [
        b"",
        b"GET / HTT",
        b"GET / HTTP/1.1\r\nHost: a\r\n",
        b"POST /api/sign-in HTTP/1.1\r\nContent-Length: 99\r\n\r\n{",
    ]
    opened = []
    for said in half * 50:
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(said)
        opened.append(writer)
    newcomer = await visit.enrolled("a", 11)
    await is_served(await visit.connect(newcomer, "a"))
    await is_served(other)
    for writer in opened:
        writer.close()


FRAMES, HALVES, READS = {"4429", "429", "cut off"}, {"408", "429", "cut off"}, {"200", "429", "503"}
EXPECTED = {
    "text": FRAMES,
    "pings": FRAMES,
    "fragments": FRAMES,
    "reconnects": {"101", "429"},
    "silent": HALVES,
    "half-heads": HALVES,
    "half-bodies": HALVES,
    "sign-ins": {"401", "429"},
    "recalls": READS,
    "reports": READS,
}


@pytest.mark.parametrize("kind", KINDS)
async def test_a_slice_of_every_flood(server: Server, visit: Visit, other: Terminal, kind: str) -> None:
    """As `bench/floods.py` makes it, from one guest and for a moment."""
    await other.betting_open()
    guest = await visit.enrolled("a", 20 + list(KINDS).index(kind))
    staff = await visit.person("pit-manager")
    host, _, port = server.address.removeprefix("http://").partition(":")
    came = await attack(kind, Target(host, int(port), "a", [guest.cookies], staff.cookies, seconds=0.5))
    assert set(came) <= EXPECTED[kind]
    await is_served(other)
