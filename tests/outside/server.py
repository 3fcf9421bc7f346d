"""The server as an operator runs it: a process started on a folder, killed, and started again."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

START_S = 60
END_S = 60
WRITES_THE_JOURNAL = re.compile(rb"natural9\.store\.\w+\.process")
LISTENS = r" at (http://\S+)"


class Server:
    """One run after another of `natural9 serve`."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options, self.address = folder, options, ""
        self.environment: dict[str, str] = {}  # beside our own
        self.log = folder / "log"
        self.start_s: list[float] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._journal = 0

    def begin(self) -> None:
        """Start it; `says` waits until it has come so far."""
        command = (sys.executable, "-m", "natural9", "serve", str(self.folder), *self.options)
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stderr=log, env={**os.environ, **self.environment}
            )
        self._journal = 0

    async def start(self) -> None:
        began = time.monotonic()
        self.begin()
        self.address = (await self.says(LISTENS))[1]
        self.start_s.append(time.monotonic() - began)

    async def says(self, pattern: str) -> re.Match[str]:
        async with asyncio.timeout(START_S):
            while not (found := re.search(pattern, self.log.read_text(errors="replace"))):
                if not self.is_running:
                    raise AssertionError(f"the server ended before it said {pattern}: {self.log.read_text()[-3000:]}")
                await asyncio.sleep(0.01)
        return found

    @property
    def pid(self) -> int:
        assert self._process, "it was started"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def journal_pid(self) -> int:
        """The process that writes its journal; 0 while there is none."""
        if not self._journal and self.is_running:
            for child in map(int, Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()):
                if WRITES_THE_JOURNAL.search(Path(f"/proc/{child}/cmdline").read_bytes()):
                    self._journal = child
        return self._journal

    def kill(self, pid: int, how: signal.Signals = signal.SIGKILL) -> None:
        assert pid in (self.pid, self._journal), "nothing else is killed"
        if _lives(pid):
            os.kill(pid, how)

    async def ended(self) -> int:
        """The server's exit status, once both processes are gone: what the journal's had been sent it still writes."""
        assert self._process, "it was started"
        async with asyncio.timeout(END_S):
            while self._process.poll() is None or _lives(self._journal):
                await asyncio.sleep(0.005)
        return self._process.returncode

    async def verify(self) -> tuple[int, str]:
        """What `natural9 verify` says about the folder."""
        command = (sys.executable, "-m", "natural9", "verify", str(self.folder))
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        return done.returncode, (done.stdout + done.stderr).strip()

    async def clear_away(self) -> None:
        if self._process:
            _ = self.journal_pid
            self.kill(self.pid)
            await self.ended()


def _lives(pid: int) -> bool:
    """A zombie does not: it holds no file and no lock."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return bool(pid) and stat.rpartition(")")[2].split()[0] != "Z"
