"""A server over many lives, all at one address: started, stopped, made to go on, killed, its clock set wrong."""

import os
import re
import signal
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from tests.outside.server import LISTENS, Server

KILL, STOP, GO_ON = signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT


def fake_clock() -> Path | None:
    """What sets one process's clock wrong (libfaketime, of pip or of Debian); None where it is not installed: its wheel
    is compiled when it is installed, so we lock none."""
    found = find_spec("libfaketime")
    files = [*Path("/usr/lib").glob("*/faketime/libfaketime.so.1")]
    if found and found.origin:
        files.insert(0, Path(found.origin).parent / "vendor/libfaketime/src/libfaketime.so.1")
    return next((file for file in files if file.exists()), None)


class Node(Server):
    """`port` stays the same over all its lives."""

    def __init__(self, folder: Path, name: str, port: int, *options: str) -> None:
        super().__init__(folder, *options)
        self.name, self.port = name, port
        self.address = f"http://127.0.0.1:{port}"
        self.lives = 0
        self.is_paused = False

    def begin(self) -> None:
        """What it said in its life before is kept, for whoever looks for a cause."""
        if self.log.exists():
            self.log.replace(self.log.with_name(f"log.{self.lives}"))
        self.lives += 1
        self.is_paused = False
        super().begin()

    def set_clock(self, offset_s: int) -> None:
        """From its next life on; 0 is the right time."""
        library = fake_clock()
        self.environment = {}
        if offset_s:
            assert library, "there is nothing to set a clock wrong with"
            self.environment = {
                "LD_PRELOAD": str(library),
                "FAKETIME": f"{offset_s:+}s",
                "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "DONT_FAKE_MONOTONIC": "1",
            }

    async def up(self) -> None:
        """Once it listens."""
        await self.says(LISTENS)

    def processes(self) -> list[int]:
        """The node, and the process that writes its journal: another one, if the last was killed."""
        self._journal = 0
        with suppress(OSError):  # it may end just now
            return [pid for pid in (self.pid, self.journal_pid) if pid]
        return [self.pid]

    def signal(self, pids: Iterable[int], how: signal.Signals) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, how)
        if how in (STOP, GO_ON):
            self.is_paused = how is STOP

    def said(self, pattern: str) -> list[str]:
        """Of all its lives."""
        logs = self.log.parent.glob("log*")
        return [line for log in logs for line in re.findall(pattern, log.read_text(errors="replace"))]

    async def clear_away(self) -> None:
        if self._process and not self.is_running:
            await self.ended()
        elif self._process:
            pids = self.processes()
            self.signal(pids, GO_ON)
            self.signal(pids, KILL)
            await self.ended()
