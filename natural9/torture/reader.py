"""A reading shoe that stutters: lines come late, twice, in pieces, garbled or not at all, and the cable comes loose."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Final

from natural9.table.devices.line import LineToDevice, Serial, Tcp, parse_address

GARBLED: Final = ("??", "9X", "\x00\x7f", "JOKER", "B" * 90)


class SimulatedReader:
    """One device. `share`: of the lines with which something goes wrong."""

    def __init__(self, chance: Random, tell: Callable[[str], None], *, share: float) -> None:
        self._chance, self._tell, self.share = chance, tell, share
        self._lines: list[asyncio.StreamReader] = []

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[LineToDevice]:
        """As the program connects to it."""
        stream = asyncio.StreamReader()
        self._lines.append(stream)
        try:
            yield LineToDevice(stream, _takes_nothing)
        finally:
            if stream in self._lines:
                self._lines.remove(stream)

    def read(self, what: str) -> None:
        """A card passes the window, or what else the device can tell: "CUT", "EMPTY"."""
        if self._chance.random() >= self.share:
            self._write(f"{what}\n")
            return
        wrong = (self._drop, self._twice, self._garble, self._late, self._in_pieces, self._come_loose)
        self._chance.choice(wrong)(what)

    def _write(self, text: str) -> None:
        for line in self._lines:
            line.feed_data(text.encode())

    def _drop(self, what: str) -> None:
        self._tell(f"the reading shoe misses {what}")

    def _twice(self, what: str) -> None:
        self._tell(f"the reading shoe reads {what} twice")
        self._write(f"{what}\n{what}\r\n")

    def _garble(self, what: str) -> None:
        text = self._chance.choice(GARBLED)
        self._tell(f"the reading shoe reads {text[:8]!r} for {what}")
        self._write(f"{text}\n")

    def _late(self, what: str) -> None:
        late_s = self._chance.uniform(0.5, 8)
        self._tell(f"the reading shoe reads {what} {late_s:.1f} s late")
        asyncio.get_running_loop().call_later(late_s, self._write, f"{what}\n")

    def _in_pieces(self, what: str) -> None:
        self._tell(f"the reading shoe tells {what} letter by letter")
        for place, letter in enumerate(f"{what}\n"):
            asyncio.get_running_loop().call_later(0.01 * place, self._write, letter)

    def _come_loose(self, what: str) -> None:
        """What it had begun to tell is lost with the line."""
        self._tell(f"the reading shoe's cable comes loose while it reads {what}")
        self._write(what[:1])
        for line in [*self._lines]:
            line.feed_eof()
        self._lines.clear()


class SimulatedReaders:
    """The devices of a floor, by their addresses in the venue file."""

    def __init__(self) -> None:
        self._by_address: dict[Tcp | Serial, SimulatedReader] = {}

    def add(self, address: str, reader: SimulatedReader) -> None:
        self._by_address[parse_address(address)] = reader

    def __getitem__(self, address: str) -> SimulatedReader:
        return self._by_address[parse_address(address)]

    @asynccontextmanager
    async def opened(self, where: Tcp | Serial) -> AsyncIterator[LineToDevice]:
        """In the place of a socket or a serial port."""
        async with self._by_address[where].opened() as line:
            yield line


async def _takes_nothing(data: bytes) -> None:
    raise AssertionError(f"a reading shoe is told nothing, and now {data!r}")
