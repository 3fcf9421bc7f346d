"""One address before several nodes, for the demo: what any balancer without stickiness does, on this machine alone.

A new connection goes to the next node that is ready; where none is, to any that answers. When one does not answer, its
connections are cut, so that whoever was on them comes back elsewhere.
"""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections import defaultdict
from contextlib import suppress
from itertools import count
from typing import Final

from natural9.server.demo.floor import HOST

PIECE: Final = 64 * 1024


class Balancer:
    def __init__(self) -> None:
        self._open: defaultdict[int, set[StreamWriter]] = defaultdict(set)  # by the node's port
        self._ready: list[int] = []
        self._answering: list[int] = []
        self._turns = count()
        self._server: asyncio.Server
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, port: int) -> int:
        """The port that it listens on."""
        self._server = await asyncio.start_server(self._accept, HOST, port)
        listening: int = self._server.sockets[0].getsockname()[1]
        return listening

    async def stop(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def learn(self, *, ready: list[int], answering: list[int]) -> None:
        """At which ports there is a node that takes connections, and one that answers at all."""
        silent = set(self._answering) - set(answering)
        self._ready, self._answering = ready, answering
        for port in silent:
            for writer in self._open[port]:
                writer.transport.abort()

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            if found := await self._node():
                port, node_reader, node_writer = found
                self._open[port].add(node_writer)
                try:
                    await _both_ways((reader, node_writer), (node_reader, writer))
                finally:
                    self._open[port].discard(node_writer)
                    node_writer.transport.abort()
        finally:
            await _close(writer)

    async def _node(self) -> tuple[int, StreamReader, StreamWriter] | None:
        """The next that takes a connection, and its port."""
        first, ports = next(self._turns), self._ready or self._answering
        for turn in range(len(ports)):
            port = ports[(first + turn) % len(ports)]
            with suppress(OSError):
                return port, *await asyncio.open_connection(HOST, port)
        return None


async def _both_ways(*ways: tuple[StreamReader, StreamWriter]) -> None:
    """Until either ends."""
    tasks = [asyncio.create_task(_copy(*way)) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _copy(reader: StreamReader, writer: StreamWriter) -> None:
    with suppress(OSError):
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()


async def _close(writer: StreamWriter) -> None:
    """What was written still goes out."""
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
