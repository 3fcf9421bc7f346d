"""One machine: a server that whatever looks after it (systemd with its watchdog) starts again.

It is started again when it has ended, and told to end when it says that it has stopped; nobody else lends a hand.
"""

import asyncio
import random
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx

from tests.nemesis.disk import SlowDisk, fill, make_room, slow_disk, small_disk
from tests.nemesis.links import Links
from tests.nemesis.node import KILL, Node

LOOKS_EVERY_S = 0.3
ANSWERS_S = 1.0  # to whoever asks whether it is well
ENDS_S = 20.0  # once it was told to
STOPPED = "Stopped: "  # as it says when only a new start helps


class Machine(Node):
    """Made by `open_machine`. `disk` is where its folder lies, if that can be filled."""

    def __init__(self, folder: Path, log: Path, disk: Path | None, slow: SlowDisk | None) -> None:
        port = free_port()
        super().__init__(folder, "machine", port, "--port", str(port))
        self.log, self.disk, self.slow = log, disk, slow
        self.links: Links
        self.away_s = 0.0  # how long nobody starts it again
        self.is_looked_after = True
        self.gave_up: list[str] = []
        self._is_full = False
        self._is_excused = False  # for ending: it was killed, told to, or had no room
        if slow:
            self.environment = slow.environment

    def begin(self) -> None:
        self._is_excused = self._is_full
        super().begin()

    def end(self, pids: list[int], how: signal.Signals = KILL) -> None:
        self._is_excused = True
        self.signal(pids, how)

    def fill_disk(self) -> None:
        assert self.disk, "only where there is a small one"
        self._is_excused = self._is_full = True
        fill(self.disk)

    def make_room(self) -> None:
        if self.disk:
            make_room(self.disk)
        self._is_full = False

    async def look_after(self) -> None:
        """For ever."""
        while True:
            await asyncio.sleep(LOOKS_EVERY_S)
            if not self.is_looked_after:
                continue
            if not self.is_running:
                await self._start_again()
            elif await self._says_that_it_stopped():
                await self.ends_when_told()

    async def _start_again(self) -> None:
        status = await self.ended()
        if not self._is_excused:
            self.gave_up.append(f"it ended with {status}: {self.log.read_text(errors='replace')[-1500:]}")
        away_s, self.away_s = self.away_s, 0.0
        await asyncio.sleep(away_s)
        self.begin()

    async def until_it_stops(self, most_s: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(most_s):
                while self.is_running and not await self._says_that_it_stopped():
                    await asyncio.sleep(LOOKS_EVERY_S)

    async def _says_that_it_stopped(self) -> bool:
        try:
            async with httpx.AsyncClient(trust_env=False, verify=False, timeout=ANSWERS_S) as http:
                said = await http.get(f"{self.address}/readyz")
        except httpx.TransportError:  # it starts, or is held up: that is no reason
            return False
        return said.status_code == 503 and STOPPED in said.text

    async def ends_when_told(self) -> None:
        """With status 0, in time; else it is killed, and that is told."""
        _ = self.processes()  # known before it ends
        self.end([self.pid], signal.SIGTERM)
        try:
            async with asyncio.timeout(ENDS_S):
                status = await self.ended()
        except TimeoutError:
            self.end(self.processes())
            status = await self.ended()
        if status:
            said = self.log.read_text(errors="replace")[-1500:]
            self.gave_up.append(f"it was told to end, and ended with {status}: {said}")

    @property
    def journal_file(self) -> Path:
        return self.folder / "journal.db"


@asynccontextmanager
async def open_machine(folder: Path, disk_size: str = "512m") -> AsyncIterator[Machine]:
    """With an empty folder on a disk of its own where one can be mounted; in the end everything is gone."""
    disk = folder / "disk"
    disk.mkdir()
    with small_disk(disk, disk_size) as is_small:
        machine = Machine(disk / "venue", folder / "log", disk if is_small else None, slow_disk(folder))
        try:
            yield machine
        finally:
            machine.is_looked_after = False
            await machine.clear_away()
            with suppress(AttributeError):  # it may not have come so far
                machine.links.end()


def free_port() -> int:
    """Below those that clients are given, who would take one while the server is away."""
    for port in random.SystemRandom().sample(range(20_000, 30_000), k=200):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("there is no free port on this machine")
