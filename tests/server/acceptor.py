"""A bill acceptor as a test plays it: it says what it is told to say, and keeps what the table answers."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Device:
    def __init__(self) -> None:
        self.heard: list[str] = []  # all that it was told, in order
        self.connected = asyncio.Event()
        self._news = asyncio.Event()
        self._table: asyncio.StreamWriter | None = None
        self.address = ""
        self.refuses = False  # as if it were switched off

    async def welcome(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            writer.transport.abort()
            return
        self._table = writer
        self.connected.set()
        try:
            async for line in reader:
                self.heard.append(line.decode().rstrip("\n"))
                self._news.set()
        except OSError:  # cut off
            pass
        finally:
            if self._table is writer:
                self.connected.clear()
            writer.transport.abort()

    async def is_connected(self) -> bool:
        await asyncio.sleep(0)
        return self.connected.is_set()

    async def say(self, *lines: str | bytes) -> None:
        await self.connected.wait()
        assert self._table
        self._table.write(b"".join(one if isinstance(one, bytes) else f"{one}\n".encode() for one in lines))
        await self._table.drain()

    async def told(self, count: int) -> list[str]:
        """Once it was told so many lines: the last of them."""
        while len(self.heard) < count:
            self._news.clear()
            await self._news.wait()
        return self.heard[-count:]

    async def asks(self, line: str) -> str:
        """What it is told next."""
        count = len(self.heard)
        await self.say(line)
        await self.told(count + 1)
        return self.heard[count]

    def cut(self) -> None:
        """The cable is pulled."""
        assert self._table
        self.connected.clear()
        self._table.transport.abort()


def _socket_of_seat_1() -> socket.socket:
    """Whose port ends with the seat, so that the address of all seats is one text."""
    while True:
        place = socket.socket()
        place.bind(("127.0.0.1", 0))
        if place.getsockname()[1] % 10 == 1:
            return place
        place.close()


@asynccontextmanager
async def device() -> AsyncIterator[Device]:
    """At seat 1 of whatever table has `address`."""
    one, place = Device(), _socket_of_seat_1()
    one.address = f"tcp:127.0.0.1:{place.getsockname()[1] // 10}{{seat}}"
    async with await asyncio.start_server(one.welcome, sock=place):
        try:
            yield one
        finally:
            if one._table:
                one._table.transport.abort()
