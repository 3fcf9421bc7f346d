"""The proxies do what the nemesis believes of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from tests.nemesis.links import CUT, DEAF, HELD, MUTE, OPEN, Links, State


class Echo(asyncio.Protocol):
    """At the far end: says everything again, and remembers it."""

    def __init__(self, heard: bytearray) -> None:
        self._heard = heard

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._heard += data
        self._transport.write(data)


class Far:
    def __init__(self, links: Links, heard: bytearray) -> None:
        self.links, self.heard = links, heard

    @asynccontextmanager
    async def line(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.links.ports["echo"])
        try:
            yield reader, writer
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def linked() -> AsyncIterator[Far]:
    heard = bytearray()
    server = await asyncio.get_running_loop().create_server(lambda: Echo(heard), "127.0.0.1", 0)
    links = Links({"echo": server.sockets[0].getsockname()[1]})
    try:
        yield Far(links, heard)
    finally:
        links.end()
        server.close()
        await server.wait_closed()


async def test_what_is_sent_arrives_and_the_answer_comes_back() -> None:
    async with linked() as far, far.line() as (reader, writer):
        writer.write(b"hello")
        writer.write_eof()
        assert await reader.read() == b"hello"


@pytest.mark.parametrize(("state", "arrives"), [(DEAF, True), (MUTE, False), (HELD, False)])
async def test_what_is_held_up_arrives_later(state: State, arrives: bool) -> None:
    async with linked() as far, far.line() as (reader, writer):
        writer.write(b"one")
        assert await reader.readexactly(3) == b"one"
        far.links.set("echo", state)
        writer.write(b"two")
        while arrives and far.heard != b"onetwo":
            await asyncio.sleep(0.01)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.readexactly(3), 0.2)
        assert (b"two" in far.heard) == arrives
        far.links.set("echo", OPEN)
        assert await reader.readexactly(3) == b"two"


async def test_a_link_that_is_cut_ends_what_goes_over_it_and_takes_nobody() -> None:
    async with linked() as far:
        async with far.line() as (reader, writer):
            writer.write(b"one")
            assert await reader.readexactly(3) == b"one"
            far.links.set("echo", CUT)
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)
        async with far.line() as (reader, writer):
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)
        far.links.set("echo", OPEN)
        async with far.line() as (reader, writer):
            writer.write(b"two")
            assert await reader.readexactly(3) == b"two"


async def test_a_slow_link_delays_and_loses_nothing() -> None:
    async with linked() as far:
        far.links.set("echo", State(slow_s=0.1))
        async with far.line() as (reader, writer):
            began = asyncio.get_running_loop().time()
            for piece in (b"one", b"two", b"three"):
                writer.write(piece)
            assert await reader.readexactly(11) == b"onetwothree"
            assert asyncio.get_running_loop().time() - began >= 0.2
