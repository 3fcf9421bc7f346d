"""However many knock at once, whoever is connected has a turn in between."""

import asyncio
import errno
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from typing import Any

from natural9.server.accepting import A_TURN, PAUSE_S, Acceptor

WAIT_S = 10


class Guest(asyncio.Protocol):
    """Says hello, and is counted."""

    def __init__(self, arrived: list["Guest"]) -> None:
        self._arrived = arrived

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._arrived.append(self)
        transport.write(b"hello")
        transport.close()


class Listening:
    """A socket, or what stands in for one that has no handle left for whoever comes next."""

    def __init__(self, real: socket.socket, failures: list[int]) -> None:
        self._real, self._failures = real, failures

    def accept(self) -> Any:
        if self._failures:
            raise OSError(self._failures.pop(0), "as asked for")
        return self._real.accept()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


@asynccontextmanager
async def door(arrived: list[Guest], *failures: int) -> AsyncIterator[tuple[Acceptor, Any]]:
    with socket.create_server(("127.0.0.1", 0), backlog=1000) as real:
        acceptor = Acceptor(Listening(real, list(failures)), lambda: Guest(arrived))  # type: ignore[arg-type]
        yield acceptor, real.getsockname()
        acceptor.close()
        await acceptor.wait_closed()


async def heard(at: Any) -> bytes:
    reader, writer = await asyncio.open_connection(*at)
    said = await asyncio.wait_for(reader.read(), WAIT_S)
    writer.close()
    return said


async def test_a_crowd_comes_in_a_few_at_a_turn() -> None:
    arrived: list[Guest] = []
    async with door(arrived) as (_, at):
        crowd = [socket.create_connection(at) for _ in range(10 * A_TURN)]  # before the loop has had a turn
        seen = [0]
        async with asyncio.timeout(WAIT_S):
            while seen[-1] < len(crowd):
                await asyncio.sleep(0)
                seen.append(len(arrived))
        assert max(after - before for before, after in pairwise(seen)) <= 2 * A_TURN  # two turns of tasks may meet
        for one in crowd:
            one.close()


async def test_without_a_handle_it_waits_and_goes_on() -> None:
    arrived: list[Guest] = []
    async with door(arrived, errno.EMFILE, errno.ENFILE, errno.ECONNABORTED) as (_, at):
        start = asyncio.get_running_loop().time()
        assert await heard(at) == b"hello"
        assert asyncio.get_running_loop().time() - start >= 2 * PAUSE_S - 0.01, "it does not try all the time"


async def test_closed_it_lets_nobody_in() -> None:
    arrived: list[Guest] = []
    async with door(arrived, errno.EMFILE) as (acceptor, at):
        late = socket.create_connection(at)
        await asyncio.sleep(PAUSE_S / 2)  # it waits for a handle
        acceptor.close()
        await asyncio.sleep(2 * PAUSE_S)
        assert not arrived
        late.close()
