"""Ends what a program has started, should the program itself be killed: a process that listens to it, and to its end.

Run as a script, so that it needs nothing of ours: each line that comes says what to keep an eye on, and when no more
can come, whatever is still there is ended, the last first.
"""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

PATIENCE_S: Final = 10.0  # before a process that was asked to end is killed


class Keeper:
    """One for each program; it goes when the program goes."""

    def __init__(self) -> None:
        command = [sys.executable, "-I", "-S", __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)
        atexit.register(self.close)

    def end(self, pid: int, how: signal.Signals) -> None:
        """This process is to be ended, by this signal, when we are gone."""
        self._say(f"end {pid} {how.value}")

    def forget(self, pid: int) -> None:
        """It has ended."""
        self._say(f"forget {pid}")

    def remove(self, folder: Path) -> None:
        """This folder is to be removed when we are gone."""
        self._say(f"remove {folder}")

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # somebody has killed it: then it is up to us alone
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()


@cache
def keeper() -> Keeper:
    """This program's."""
    return Keeper()


def is_alive(pid: int) -> bool:
    """It runs; one that has ended and that nobody asked about does not."""
    try:
        os.kill(pid, 0)
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's, or a machine without /proc
        return True


def end_process(pid: int, how: signal.Signals) -> None:
    """Ask it to end, wait, and kill it if it does not."""
    for one in (how, signal.SIGKILL):
        try:
            os.kill(pid, one)
        except ProcessLookupError:
            return
        until = time.monotonic() + PATIENCE_S
        while is_alive(pid) and time.monotonic() < until:
            time.sleep(0.02)


def watch(lines: Iterable[str]) -> None:
    """Until no more lines come; then everything that they named and that was not forgotten goes."""
    to_end: dict[int, signal.Signals] = {}
    to_remove: list[str] = []
    for line in lines:
        verb, _, what = line.rstrip("\n").partition(" ")
        if verb == "end":
            pid, how = map(int, what.split())
            to_end[pid] = signal.Signals(how)
        elif verb == "forget":
            to_end.pop(int(what), None)
        else:
            to_remove.append(what)
    for pid, way in reversed(to_end.items()):
        end_process(pid, way)
    for folder in to_remove:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    watch(sys.stdin)
