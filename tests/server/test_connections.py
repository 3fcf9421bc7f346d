"""Half-open connections and too many of them, against a real uvicorn over raw sockets."""

import asyncio
import contextlib
import resource
import socket
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import uvicorn

from natural9.server.connections import (
    MOST_HEADERS,
    MOST_OF_ONE,
    Door,
    HttpConnection,
    Patience,
    http_protocol,
    raise_handle_limit,
)

pytestmark = pytest.mark.asyncio(loop_factories=["asyncio", "uvloop"])  # a plain install's, and with the extra `fast`
WAIT_S = 20
LONG = Patience(WAIT_S * 10, WAIT_S * 10, WAIT_S * 10)
GET = b"GET / HTTP/1.1\r\nHost: table\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: table\r\nContent-Length: 9\r\n\r\n"


async def page(scope: Any, receive: Any, send: Any) -> None:
    """Says whose the connection is when asked to, and answers at length at /long."""
    path = scope["path"]
    if path.startswith("/of/"):
        scope["connection"].identify(path)
    while scope["method"] == "POST" and (await receive()).get("more_body"):
        pass
    body = b"9" * 20_000_000 if path == "/long" else b"page"
    length = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": body})


class House:
    def __init__(self, server: uvicorn.Server, door: Door) -> None:
        self.server, self.door = server, door
        self.port: int = server.servers[0].sockets[0].getsockname()[1]

    async def connect(self, *said: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.writelines(said)
        return reader, writer

    async def answer(self, *said: bytes) -> bytes:
        """All that is answered until the server hangs up."""
        reader, writer = await self.connect(*said)
        answer = await until_closed(reader)
        writer.transport.abort()  # what the server did not take will never go
        return answer

    def open(self) -> int:
        return len([one for one in self.server.server_state.connections if isinstance(one, HttpConnection)])


@contextlib.asynccontextmanager
async def serving(door: Door | None = None, patience: Patience = LONG) -> AsyncIterator[House]:
    door = door or Door(handles=1_000_000, strangers=1000)
    http = http_protocol(door, patience)
    config = uvicorn.Config(
        page, http=http, ws="none", host="127.0.0.1", port=0, lifespan="off", log_config=None, access_log=False
    )
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    house = House(server, door)
    try:
        yield house
    finally:
        await asyncio.wait_for(server.shutdown(), WAIT_S)
    assert not door.unknown
    assert not door._known
    assert not door._by_address


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT_S):
        while not condition():
            await asyncio.sleep(0.005)


async def until_closed(reader: asyncio.StreamReader) -> bytes:
    heard = b""
    with contextlib.suppress(ConnectionError):
        while piece := await asyncio.wait_for(reader.read(100_000), WAIT_S):
            heard += piece
    return heard


async def page_of(reader: asyncio.StreamReader) -> bytes:
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), WAIT_S)
    assert head.startswith(b"HTTP/1.1 200 "), head
    return await reader.readexactly(4)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"G", id="a-byte"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: ta", id="half-a-head"),
        pytest.param(b"\r\n", id="an-empty-line"),
    ],
)
async def test_who_never_ends_the_head_is_hung_up_on(said: bytes) -> None:
    async with serving(patience=LONG._replace(head_s=0.05)) as house:
        assert (await house.answer(said)).startswith(b"HTTP/1.1 408 ")


async def test_a_head_that_dribbles_in_has_no_more_time_than_another() -> None:
    async with serving(patience=LONG._replace(head_s=0.1)) as house:
        reader, writer = await house.connect(b"GET / HTTP/1.1\r\n")
        closed = asyncio.ensure_future(until_closed(reader))
        async with asyncio.timeout(WAIT_S):
            while not closed.done():
                writer.write(b"X: y\r\n")
                await asyncio.sleep(0.01)
        assert (await closed).startswith(b"HTTP/1.1 408 ")
        writer.close()


async def test_who_never_ends_the_body_is_hung_up_on() -> None:
    async with serving(patience=LONG._replace(body_s=0.5)) as house:
        assert (await house.answer(POST, b"half")).startswith(b"HTTP/1.1 408 ")
        reader, writer = await house.connect(POST, b"the whole")
        assert await page_of(reader) == b"page"
        writer.close()


async def test_half_of_a_second_request_is_no_reason_to_wait_for_ever() -> None:
    async with serving(patience=LONG._replace(head_s=0.5)) as house:
        reader, writer = await house.connect(GET)
        assert await page_of(reader) == b"page"
        writer.write(GET + b"GET / HT")
        assert await page_of(reader) == b"page"
        assert (await until_closed(reader)).startswith(b"HTTP/1.1 408 ")
        writer.close()


async def test_who_does_not_take_the_answer_is_cut_off() -> None:
    async with serving(patience=LONG._replace(answer_s=0.3)) as house:
        deaf = socket.socket()
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.setblocking(False)
        await asyncio.get_running_loop().sock_connect(deaf, ("127.0.0.1", house.port))
        await asyncio.get_running_loop().sock_sendall(deaf, GET.replace(b"/ ", b"/long "))
        await until(lambda: house.open() == 1)
        await until(lambda: house.open() == 0)
        deaf.close()
        reader, writer = await house.connect(GET.replace(b"/ ", b"/long "))
        assert len(await asyncio.wait_for(reader.readexactly(20_000_000), WAIT_S)) == 20_000_000
        writer.close()


HEADERS = b"GET / HTTP/1.1\r\nHost: table\r\n" + b"a:\r\n" * MOST_HEADERS + b"\r\n"


@pytest.mark.parametrize(
    "said",
    [b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000, HEADERS, GET * 500],
    ids=["head", "headers", "pipeline"],
)
async def test_too_much_at_once_is_refused(said: bytes) -> None:
    async with serving() as house:
        assert b"HTTP/1.1 400 " in await house.answer(said)
        reader, writer = await house.connect(GET * 3)
        assert [await page_of(reader) for _ in range(3)] == [b"page"] * 3
        writer.close()


async def test_of_too_many_unknown_ones_of_an_address_the_oldest_goes() -> None:
    async with serving(Door(handles=1_000_000, strangers=1000, most_of_an_address=5)) as house:
        silent = [await house.connect() for _ in range(5)]
        await until(lambda: house.door.unknown == 5)
        reader, writer = await house.connect(GET)
        assert await page_of(reader) == b"page", "whoever comes with a request is served"
        assert await until_closed(silent[0][0]) == b""
        assert house.door.unknown == 5
        for _, one in [*silent, (reader, writer)]:
            one.close()
        await until(lambda: not house.door.unknown)


async def test_who_is_known_does_not_count_and_does_not_go() -> None:
    async with serving(Door(handles=1_000_000, strangers=1000, most_of_an_address=2)) as house:
        known = []
        for seat in range(10):
            reader, writer = await house.connect(GET.replace(b"/ ", b"/of/%d " % seat))
            assert await page_of(reader) == b"page"
            known.append((reader, writer))
        silent = [await house.connect() for _ in range(5)]
        await until(lambda: house.door.unknown == 2)
        for reader, writer in known:
            writer.write(GET)
            assert await page_of(reader) == b"page"
        for _, one in [*silent, *known]:
            one.close()
        await until(lambda: house.open() == 0)


async def test_when_handles_are_short_the_unknown_go_and_the_known_stay() -> None:
    door = Door(handles=1_000_000, strangers=1000)
    async with serving(door) as house:
        seated, keeps = await house.connect(GET.replace(b"/ ", b"/of/seat "))
        assert await page_of(seated) == b"page"
        first = await house.connect()
        await until(lambda: door.unknown == 1)
        door._handles = 0  # as if every handle beyond the reserve were in use
        second = await house.connect()
        assert await until_closed(first[0]) == b""
        third = await house.connect()
        assert await until_closed(second[0]) == b""
        keeps.write(GET)
        assert await page_of(seated) == b"page"
        newcomer, comes = await house.connect(GET.replace(b"/ ", b"/of/another "))
        assert await page_of(newcomer) == b"page", "who is quick to say who it is gets in all the same"
        for one in (keeps, first[1], second[1], third[1], comes):
            one.close()


async def test_however_many_are_known_a_newcomer_gets_in_while_there_are_handles() -> None:
    """A hall of terminals takes more handles than strangers may: its last terminal connects all the same."""
    async with serving(Door(handles=1_000_000, strangers=2)) as house:
        known = [await house.connect(GET.replace(b"/ ", b"/of/%d " % seat)) for seat in range(10)]
        assert [await page_of(reader) for reader, _ in known] == [b"page"] * 10
        silent = [await house.connect() for _ in range(5)]
        await until(lambda: house.door.unknown == 2)
        last, comes = await house.connect(GET.replace(b"/ ", b"/of/last "))
        assert await page_of(last) == b"page"
        for _, one in [*known, *silent, (last, comes)]:
            one.close()


async def test_of_the_many_connections_of_one_few_are_kept_open() -> None:
    async with serving() as house:
        ours = []
        for _ in range(MOST_OF_ONE + 5):
            reader, writer = await house.connect(GET.replace(b"/ ", b"/of/one "))
            assert await page_of(reader) == b"page", "every one of them is answered"
            ours.append((reader, writer))
        await until(lambda: house.open() == MOST_OF_ONE)
        for reader, _ in ours[MOST_OF_ONE:]:
            assert await until_closed(reader) == b""
        for _, writer in ours:
            writer.close()
        await until(lambda: house.open() == 0)


async def test_the_soft_limit_of_handles_is_raised_to_the_hard_one() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        assert raise_handle_limit() == before[1]
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
