"""The WebSocket transport against a real uvicorn, with the `websockets` library as an independent client."""

import asyncio
import contextlib
import gc
import json
import os
import socket
import ssl
import weakref
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Frame, Opcode

from natural9.server.rates import Bucket, Rate
from natural9.server.upgrade import websocket_protocol
from natural9.server.websocket import Connection, Handshake, UpgradeRefused, broadcast

pytestmark = pytest.mark.asyncio(loop_factories=["asyncio", "uvloop"])  # a plain install's, and with the extra `fast`
WAIT_S = 20  # how long a test waits before it calls a thing missing
UPGRADE = (
    b"GET /table HTTP/1.1\r\nHost: table\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


class EchoListener:
    """A listener that writes down what it hears and gives it back."""

    def __init__(self) -> None:
        self.handshakes: list[Handshake] = []
        self.open: set[Connection] = set()
        self.heard: list[bytes] = []
        self.opens = self.closes = 0

    def opening(self, handshake: Handshake) -> object:
        self.handshakes.append(handshake)
        if refuse := handshake.query.get("refuse"):
            retry_s = int(handshake.query.get("retry", "0"))
            return UpgradeRefused(int(refuse), "no-entry", f"refused with {refuse} – try another table", retry_s)
        if handshake.path == "/broken":
            raise RuntimeError("a secret of the server")
        return handshake.query.get("seat", "nobody")

    def opened(self, connection: Connection) -> None:
        self.opens += 1
        self.open.add(connection)
        if connection.path == "/broken-later":
            raise RuntimeError("a secret of the server")

    def message(self, connection: Connection, message: bytes) -> None:
        self.heard.append(message)
        if message == b"raise":
            raise RuntimeError("a secret of the server")
        connection.send(message)

    def closed(self, connection: Connection) -> None:
        self.closes += 1
        self.open.remove(connection)


async def page(scope: Any, receive: Any, send: Any) -> None:
    """The HTTP application on the same port."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"page"})


class House:
    """A running server and its listener."""

    def __init__(self, server: uvicorn.Server, listener: EchoListener) -> None:
        self.server = server
        self.listener = listener
        self.port: int = server.servers[0].sockets[0].getsockname()[1]

    def url(self, target: str = "/table") -> str:
        return f"ws://127.0.0.1:{self.port}{target}"

    async def upgraded(self, behind: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A raw socket past the handshake."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(UPGRADE + behind)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        return reader, writer


@contextlib.asynccontextmanager
async def serving(
    listener: EchoListener | None = None, *, tls: Path | None = None, **limits: Any
) -> AsyncIterator[House]:
    listener = listener or EchoListener()
    config = uvicorn.Config(
        page,
        ws=websocket_protocol(listener, **limits),
        http="httptools",
        host="127.0.0.1",
        port=0,
        lifespan="off",
        log_config=None,
        access_log=False,
        ssl_certfile=tls,
    )
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    try:
        yield House(server, listener)
    finally:
        if not server.should_exit:
            await asyncio.wait_for(server.shutdown(), WAIT_S)
    assert listener.opens == listener.closes
    assert not listener.open


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await asyncio.sleep(0.005)


async def close_of(client: ClientConnection) -> tuple[int, str]:
    """The close frame that the server sent."""
    async with asyncio.timeout(WAIT_S):
        with contextlib.suppress(ConnectionClosed):
            while True:
                await client.recv()
    received = client.protocol.close_rcvd
    assert received is not None, "the connection broke without a close frame"
    return received.code, received.reason


async def frame_of(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Opcode and payload of the next short frame on a raw socket."""
    first, length = await asyncio.wait_for(reader.readexactly(2), WAIT_S)
    return first & 0xF, await reader.readexactly(length)


def masked(opcode: Opcode, payload: bytes, *, fin: bool = True) -> bytes:
    return Frame(opcode=opcode, data=payload, fin=fin).serialize(mask=True)


async def test_echo_and_what_a_connection_knows() -> None:
    async with serving() as house, connect(house.url("/t%C3%A9ble?seat=7&empty=")) as client:
        for message in ("", "9♥", "x" * 16_384):
            await client.send(message)
            assert await client.recv() == message
        (connection,) = house.listener.open
        assert (connection.who, connection.path, connection.peer) == ("7", "/téble", "127.0.0.1")
        assert connection.waiting == 0
        assert not hasattr(connection, "__dict__")
        assert house.listener.handshakes[0].query == {"seat": "7", "empty": ""}


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 503])
async def test_a_refused_upgrade_is_answered_with_its_status_and_reason(status: int) -> None:
    async with serving() as house:
        with pytest.raises(InvalidStatus) as refused:
            await connect(house.url(f"/?refuse={status}"))
        response = refused.value.response
        assert response.status_code == status
        assert response.headers["content-type"] == "application/json"
        assert json.loads(response.body or b"") == {
            "code": "no-entry",
            "message": f"refused with {status} – try another table",
        }
        await until(lambda: not house.server.server_state.connections)
        assert house.listener.opens == 0


async def test_who_is_told_to_wait_is_told_so_late_and_may_leave_before() -> None:
    async with serving(refuse_s=1.5) as house:
        waits = asyncio.ensure_future(connect(house.url("/?refuse=429&retry=7")).__aenter__())
        _, leaves = await asyncio.open_connection("127.0.0.1", house.port)
        leaves.write(UPGRADE.replace(b"/table", b"/?refuse=429&retry=7"))
        await until(lambda: len(house.listener.handshakes) == 2)
        leaves.transport.abort()
        async with connect(house.url()) as other:
            await other.send("meanwhile")
            assert await other.recv() == "meanwhile"
            assert not waits.done()
        with pytest.raises(InvalidStatus) as refused:
            await waits
        assert refused.value.response.status_code == 429
        assert refused.value.response.headers["retry-after"] == "7"
        await until(lambda: not house.server.server_state.connections)


@pytest.mark.parametrize(
    ("target", "status", "code"),
    [
        ("/%ff", 400, "bad-target"),
        ("/?seat=%ff", 400, "bad-target"),
        ("/?" + "a&" * 40, 400, "bad-target"),
        ("/broken", 500, "internal-error"),
    ],
)
async def test_a_bad_target_and_a_failing_listener_are_refused_without_a_secret(
    target: str, status: int, code: str
) -> None:
    async with serving() as house:
        with pytest.raises(InvalidStatus) as refused:
            await connect(house.url(target))
        assert refused.value.response.status_code == status
        body = refused.value.response.body or b""
        assert json.loads(body)["code"] == code
        assert b"secret" not in body


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        (b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", b"Sec-WebSocket-Key: short"),
        (b"Sec-WebSocket-Version: 13", b"Sec-WebSocket-Version: 99"),
        (b"GET", b"POST"),
    ],
)
async def test_a_handshake_against_the_protocol_gets_a_400(line: bytes, instead: bytes) -> None:
    async with serving() as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(UPGRADE.replace(line, instead))
        assert (await asyncio.wait_for(reader.read(), WAIT_S)).startswith(b"HTTP/1.1 400 ")
        writer.close()
        assert house.listener.opens == 0


async def test_plain_http_is_answered_on_the_same_port() -> None:
    async with serving() as house, connect(house.url()) as client, httpx.AsyncClient() as browser:
        assert (await browser.get(f"http://127.0.0.1:{house.port}/")).text == "page"
        await client.send("still here")
        assert await client.recv() == "still here"


async def test_the_listener_sees_origin_and_cookies_and_nothing_hides_behind_a_second_header() -> None:
    twice = [("Cookie", "seat=1"), ("Cookie", "seat=2"), ("X-Twice", "a"), ("X-Twice", "b")]
    async with (
        serving() as house,
        connect(house.url(), origin="https://venue.example", additional_headers=twice),  # type: ignore[arg-type]
    ):
        headers = house.listener.handshakes[0].headers
        assert headers["origin"] == "https://venue.example"
        assert headers["cookie"] == "seat=1; seat=2"
        assert headers["x-twice"] == "a, b"


async def test_fragments_are_joined_also_around_a_ping() -> None:
    async with serving() as house:
        reader, writer = await house.upgraded()
        whole = "9♥ of hearts".encode()
        writer.write(masked(Opcode.TEXT, whole[:2], fin=False) + masked(Opcode.CONT, b"", fin=False))
        writer.write(masked(Opcode.PING, b"alive?") + masked(Opcode.CONT, whole[2:]))
        assert await frame_of(reader) == (Opcode.PONG, b"alive?")
        assert await frame_of(reader) == (Opcode.TEXT, whole)
        writer.write(masked(Opcode.TEXT, b"next"))
        assert await frame_of(reader) == (Opcode.TEXT, b"next")
        writer.close()
        assert house.listener.heard == [whole, b"next"]


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        pytest.param([masked(Opcode.TEXT, b"x" * 16_385)], 1009, id="oversize"),
        pytest.param(
            [masked(Opcode.TEXT, b"x" * 16_000, fin=False), masked(Opcode.CONT, b"x" * 385)], 1009, id="fragments"
        ),
        pytest.param([masked(Opcode.BINARY, b"chips")], 1003, id="binary"),
        pytest.param([masked(Opcode.BINARY, b"chips", fin=False)], 1003, id="binary-fragment"),
        pytest.param([masked(Opcode.TEXT, b"\xff\xfe")], 1007, id="not-utf-8"),
        pytest.param([masked(Opcode.TEXT, b"\xe2\x99", fin=False), masked(Opcode.CONT, b"")], 1007, id="cut-utf-8"),
        pytest.param([masked(Opcode.CONT, b"x")], 1002, id="continues-nothing"),
        pytest.param([masked(Opcode.TEXT, b"a", fin=False), masked(Opcode.TEXT, b"b")], 1002, id="two-at-once"),
        pytest.param([b"\xc1" + masked(Opcode.TEXT, b"a")[1:]], 1002, id="reserved-bit"),
        pytest.param([b"\x81\x01a"], 1002, id="not-masked"),
        pytest.param([b"\x83\x80\0\0\0\0"], 1002, id="unknown-opcode"),
        pytest.param([b"GET / HTTP/1.1\r\n\r\n" * 50], 1002, id="http"),
        pytest.param([masked(Opcode.TEXT, b"raise")], 1011, id="listener-fails"),
    ],
)
async def test_what_breaks_the_protocol_closes_with_its_code_and_the_server_lives(
    frames: list[bytes], code: int
) -> None:
    async with serving() as house:
        reader, writer = await house.upgraded()
        writer.writelines(frames)
        writer.write(masked(Opcode.TEXT, b"behind it"))
        opcode, payload = await frame_of(reader)
        assert (opcode, int.from_bytes(payload[:2])) == (Opcode.CLOSE, code)
        assert b"secret" not in payload
        assert not any(connection.send(b"behind the close") for connection in house.listener.open)
        writer.write(masked(Opcode.CLOSE, payload[:2]))
        assert await asyncio.wait_for(reader.read(), WAIT_S) == b""
        writer.close()
        assert b"behind it" not in house.listener.heard
        async with connect(house.url()) as other:
            await other.send("next")
            assert await other.recv() == "next"


FEW = Rate(50, 0.001)
FLOODS = {
    "text": [masked(Opcode.TEXT, b"x")] * 300,
    "pings": [masked(Opcode.PING, b"?")] * 300,
    "pongs": [masked(Opcode.PONG, b"")] * 300,
    "empty-fragments": [masked(Opcode.TEXT, b"", fin=False), *[masked(Opcode.CONT, b"", fin=False)] * 300],
    "fragments-around-pings": [
        masked(Opcode.TEXT, b"", fin=False),
        *[masked(Opcode.PING, b""), masked(Opcode.CONT, b"", fin=False)] * 150,
    ],
    "large": [masked(Opcode.TEXT, b"x" * 16_000)] * 20,
}


async def until_closed(reader: asyncio.StreamReader) -> tuple[int, list[int]]:
    """The code of the close frame, and the opcodes of the frames before it."""
    opcodes: list[int] = []
    while True:
        first, length = await asyncio.wait_for(reader.readexactly(2), WAIT_S)
        if length == 126:
            length = int.from_bytes(await reader.readexactly(2))
        payload = await reader.readexactly(length)
        if first & 0xF == Opcode.CLOSE:
            return int.from_bytes(payload[:2]), opcodes
        opcodes.append(first & 0xF)


@pytest.mark.parametrize("kind", FLOODS)
async def test_a_frame_counts_whatever_its_kind_and_who_exceeds_is_read_no_further(kind: str) -> None:
    async with serving(rate=FEW, close_s=0.05) as house:
        reader, writer = await house.upgraded()
        writer.writelines(FLOODS[kind])
        code, answers = await until_closed(reader)
        assert code == 4429
        assert len(answers) <= 50
        assert len(house.listener.heard) <= 50
        for connection in house.listener.open:
            assert not connection.reads
        await until(lambda: not house.listener.open)
        writer.close()
        async with connect(house.url()) as other:
            await other.send("next")
            assert await other.recv() == "next"


async def test_a_frame_that_comes_byte_by_byte_counts_by_the_byte() -> None:
    async with serving(rate=FEW, close_s=0.05) as house:
        reader, writer = await house.upgraded()
        sent = 0
        closed = asyncio.ensure_future(until_closed(reader))
        for byte in masked(Opcode.TEXT, b"x" * 10_000):
            if closed.done():
                break
            writer.write(bytes([byte]))
            sent += 1
            await asyncio.sleep(0)
        assert (await closed)[0] == 4429
        assert sent < 10_000
        writer.close()


async def test_many_frames_in_one_packet_are_all_answered_within_the_budget() -> None:
    async with serving(rate=Rate(20_000, 1)) as house:
        reader, writer = await house.upgraded()
        writer.write(masked(Opcode.PING, b"") * 3_000 + masked(Opcode.TEXT, b"last"))
        assert (await reader.readexactly(2 * 3_000)) == bytes([0x80 | Opcode.PONG, 0]) * 3_000
        assert await frame_of(reader) == (Opcode.TEXT, b"last")
        writer.close()


async def test_a_budget_may_be_shared_by_several_connections() -> None:
    """It is whose the connections are that counts, not how many they make."""

    class OneBudget(EchoListener):
        budget = Bucket(FEW)

        def opened(self, connection: Connection) -> None:
            super().opened(connection)
            connection.budget = self.budget

    async with serving(OneBudget(), close_s=0.05) as house:
        for turn in range(3):
            reader, writer = await house.upgraded()
            writer.writelines([masked(Opcode.TEXT, b"x")] * 20)
            if turn == 2:
                assert (await until_closed(reader))[0] == 4429
            else:
                assert [await frame_of(reader) for _ in range(20)] == [(Opcode.TEXT, b"x")] * 20
            writer.close()
        assert len(house.listener.heard) <= 50


async def test_random_garbage_ends_connections_and_nothing_else() -> None:
    async with serving(close_s=0.05) as house:
        for size in (1, 2, 7, 100, 5_000, 100_000):
            reader, writer = await house.upgraded()
            writer.write(os.urandom(size))
            writer.write_eof()
            with contextlib.suppress(ConnectionError):
                await asyncio.wait_for(reader.read(), WAIT_S)
            writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(UPGRADE[:-2] + b"Cookie: " + b"c" * 20_000 + b"\r\n\r\n")
        assert await asyncio.wait_for(reader.read(), WAIT_S) == b""
        writer.close()
        async with connect(house.url()) as client:
            await client.send("next")
            assert await client.recv() == "next"


async def test_half_a_handshake_stops_nobody() -> None:
    async with serving() as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(UPGRADE[:60])
        async with connect(house.url()) as client:
            await client.send("go on")
            assert await client.recv() == "go on"
        await house.server.shutdown()
        house.server.should_exit = True
        assert await asyncio.wait_for(reader.read(), WAIT_S) == b""
        writer.close()


async def test_a_handshake_that_comes_in_pieces() -> None:
    async with serving() as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        cookie = b"Cookie: " + b"c" * 6_000 + b"\r\n\r\n"
        for piece in (UPGRADE[:30], UPGRADE[30:-2], cookie[:-3], cookie[-3:], masked(Opcode.TEXT, b"hello")):
            writer.write(piece)
            await asyncio.sleep(0.01)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101 ")
        assert await frame_of(reader) == (Opcode.TEXT, b"hello")
        assert len(house.listener.handshakes[0].headers["cookie"]) == 6_000
        writer.close()


async def test_data_sent_before_the_answer_does_not_spoil_the_connection() -> None:
    """A client must wait for the answer (RFC 6455, 4.1): uvicorn drops what shares a packet with the handshake."""
    async with serving() as house:
        reader, writer = await house.upgraded(behind=masked(Opcode.TEXT, b"too early"))
        writer.write(masked(Opcode.TEXT, b"in time"))
        assert await frame_of(reader) == (Opcode.TEXT, b"in time")
        writer.close()


async def test_long_and_short_messages_sent_at_once_arrive_whole_and_in_order() -> None:
    async with serving() as house, connect(house.url(), max_size=None) as client:
        (connection,) = house.listener.open
        messages = [("9" * 200_000), "a", "b" * 9_000, "c" * 70_000, "d"] * 2
        assert all(connection.send(message.encode()) for message in messages)
        assert [await client.recv() for _ in messages] == messages


async def test_broadcast_reaches_the_open_and_counts_them() -> None:
    async with serving() as house, connect(house.url("/?seat=1")) as one, connect(house.url("/?seat=2")) as two:
        seats = sorted(house.listener.open, key=lambda connection: str(connection.who))
        assert broadcast(seats, b"bets, please") == 2
        assert [await one.recv(), await two.recv()] == ["bets, please"] * 2
        seats[0].close(4001, "é" * 100)
        assert broadcast(seats, b"no more bets") == 1
        assert not seats[0].send(b"too late")
        assert await two.recv() == "no more bets"
        assert await close_of(one) == (4001, "é" * 61)
        await until(lambda: house.listener.closes == 1)
        seats[0].close(1000, "again")
        assert not seats[0].send(b"far too late")


async def test_a_failing_opened_closes_and_tells_no_secret() -> None:
    async with serving() as house, connect(house.url("/broken-later")) as client:
        assert await close_of(client) == (1011, "internal error")


@pytest.mark.parametrize("over_tls", [False, True])
async def test_a_client_that_never_reads_is_dropped_while_another_goes_on(over_tls: bool, certificate: Path) -> None:
    trusted = ssl.create_default_context(cafile=certificate) if over_tls else None
    async with serving(max_waiting=200_000, close_s=0.05, tls=certificate if over_tls else None) as house:
        sock = socket.create_connection(("127.0.0.1", house.port))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        reader, writer = await asyncio.open_connection(
            sock=sock, ssl=trusted, server_hostname="127.0.0.1" if over_tls else None, limit=1024
        )
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        (stalled,) = house.listener.open
        url = house.url().replace("ws:", "wss:") if over_tls else house.url()
        async with connect(url, ssl=trusted) as client:
            (quick,) = house.listener.open - {stalled}
            sent = 0
            while broadcast([stalled, quick], b"9" * 10_000) == 2:
                sent += 1
                await client.recv()
                assert sent < 10_000, "nobody was dropped"
            waiting = stalled.waiting
            assert waiting > 200_000
            assert not stalled.send(b"more")
            assert stalled.waiting == waiting
            await until(lambda: house.listener.open == {quick})
            await client.recv()
            await client.send("still served")
            assert await client.recv() == "still served"
        writer.transport.abort()


async def test_a_client_that_reads_late_is_told_that_it_was_too_slow() -> None:
    async with serving(max_waiting=500_000) as house, connect(house.url(), max_size=None) as client:
        (connection,) = house.listener.open
        while connection.send(b"9" * 100_000):
            pass
        assert await close_of(client) == (1013, "too slow: connect again")


async def test_what_opened_sends_is_watched_too() -> None:
    class Generous(EchoListener):
        def opened(self, connection: Connection) -> None:
            super().opened(connection)
            self.all_sent = all(connection.send(b"9" * 100_000) for _ in range(200))

    listener = Generous()
    async with serving(listener, max_waiting=500_000) as house, connect(house.url(), max_size=None) as client:
        assert await close_of(client) == (1013, "too slow: connect again")
        assert not listener.all_sent


async def test_a_client_that_answers_pings_stays_and_a_silent_one_goes() -> None:
    async with serving(ping_s=0.5) as house, connect(house.url()) as client:
        reader, writer = await house.upgraded()
        assert await frame_of(reader) == (Opcode.PING, b"")
        opcode, payload = await frame_of(reader)
        assert (opcode, payload[:2]) == (Opcode.CLOSE, (1001).to_bytes(2))
        await until(lambda: house.listener.closes == 1)
        await client.send("still here")
        assert await client.recv() == "still here"
        writer.close()


async def test_thousands_of_connects_and_disconnects_leave_nothing_behind() -> None:
    everyone: list[weakref.ref[Connection]] = []

    class Counting(EchoListener):
        def opened(self, connection: Connection) -> None:
            super().opened(connection)
            everyone.append(weakref.ref(connection))

    async def visit(house: House, number: int) -> None:
        reader, writer = await house.upgraded()
        if number % 4 == 0:
            writer.write(masked(Opcode.CLOSE, b""))
            assert (await frame_of(reader))[0] == Opcode.CLOSE
        elif number % 4 == 1:
            writer.write(masked(Opcode.TEXT, b"half", fin=False))
        elif number % 4 == 2:
            writer.transport.abort()
        writer.close()

    async with serving(Counting()) as house:
        for start in range(0, 2_000, 100):
            await asyncio.gather(*(visit(house, number) for number in range(start, start + 100)))
        await until(lambda: house.listener.closes == 2_000)
        await until(lambda: not house.server.server_state.connections)
        assert len(everyone) == 2_000
        await until(lambda: gc.collect() >= 0 and all(gone() is None for gone in everyone))


async def test_shutdown_closes_with_1012_and_does_not_wait_for_the_deaf() -> None:
    async with serving(close_s=0.05) as house, connect(house.url()) as client:
        _, deaf = await house.upgraded()
        asked = asyncio.create_task(close_of(client))
        await asyncio.wait_for(house.server.shutdown(), WAIT_S)
        house.server.should_exit = True
        assert house.listener.closes == 2
        assert await asked == (1012, "the server restarts: connect again")
        deaf.close()


async def test_over_tls(certificate: Path) -> None:
    trusted = ssl.create_default_context(cafile=certificate)
    async with serving(tls=certificate, close_s=0.05) as house:
        url = house.url("/?seat=3").replace("ws:", "wss:")
        async with httpx.AsyncClient(verify=trusted) as browser:
            assert (await browser.get(f"https://127.0.0.1:{house.port}/")).text == "page"
        async with connect(url, ssl=trusted, max_size=None) as client:
            (connection,) = house.listener.open
            messages = ["9" * 300_000, "a", "b" * 9_000, "c"]
            assert all(connection.send(message.encode()) for message in messages)
            assert [await client.recv() for _ in messages] == messages
            await client.send("x" * 16_384)
            assert await client.recv() == "x" * 16_384
            deaf = socket.create_connection(("127.0.0.1", house.port))
            reader, writer = await asyncio.open_connection(sock=deaf, ssl=trusted, server_hostname="127.0.0.1")
            writer.write(UPGRADE)
            await reader.readuntil(b"\r\n\r\n")
            writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport for both ways
            asked = asyncio.create_task(close_of(client))
            await asyncio.wait_for(house.server.shutdown(), WAIT_S)
            house.server.should_exit = True
            assert (await asked)[0] == 1012
            writer.transport.abort()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and the certificate it signed for itself, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "table.pem"
    kept = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(kept + signed.public_bytes(serialization.Encoding.PEM))
    return path
