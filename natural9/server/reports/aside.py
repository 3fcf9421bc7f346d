"""The records read aside: in processes of their own and a few at a time, so that no table ever waits for a reader.

Each lane is one process and a short queue: guests cannot keep staff waiting, and a long report keeps nobody else. What
comes back is the finished answer, so that even writing it as JSON takes no time from the tables.
"""

import asyncio
import atexit
import os
import pickle
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Final

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.server.people.answers import ApiError, ApiRefused
from natural9.store.contract import Access, Store, StoreFailed
from natural9.store.opening import open_store

MOST_WAITING: Final = 16  # in each lane
BUSY_S: Final = 2  # until it is worth asking again
LENGTH_BYTES: Final = 8
GOODBYE_S: Final = 5

Job = Callable[..., Awaitable[bytes]]  # of a store and whatever it is asked; known to both processes by its name


class Lane(StrEnum):
    GUESTS = "guests"
    STAFF = "staff"
    SEARCH = "search"
    LONG = "long"
    FLOOR = "floor"  # the day of the pit's page: what it has read it keeps


_waiting: Counter[Lane] = Counter()


async def aside(lane: Lane, store: Store, job: Job, *asked: Any) -> bytes:
    """What the job answers, by another process; a store in memory has no other to be read by."""
    if store.place is None:
        return await job(store, *asked)
    if _waiting[lane] >= MOST_WAITING:
        raise busy()
    _waiting[lane] += 1
    try:
        process = _process_of(lane)
        return await asyncio.wrap_future(process.thread.submit(process.ask, store.place, job, asked))
    finally:
        _waiting[lane] -= 1


def busy() -> ApiRefused:
    why = say("Too much is being read at the moment: ask again in {seconds} s.", seconds=BUSY_S)
    return ApiRefused(503, ApiError.of("busy", why), {"retry-after": str(BUSY_S)})


class LaneProcess:
    """One process that reads, started when it is first needed, and the thread that speaks with it."""

    def __init__(self, lane: Lane) -> None:
        self.thread = ThreadPoolExecutor(1, thread_name_prefix=f"reader for {lane}")
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self.close)

    def ask(self, place: Path, job: Job, asked: tuple[Any, ...]) -> bytes:
        process = self._process = self._process or _start()
        assert process.stdin
        assert process.stdout
        try:
            _send(process.stdin, (place, job, asked))
            kind, *answer = _receive(process.stdout)
        except (OSError, EOFError):
            self.close()
            raise busy() from None  # it was killed; the next one asks a new process
        if kind == "answer":
            made: bytes = answer[0]
            return made
        if kind == "bad-input":
            code, why, paragraph = answer
            raise BadInput(code, why, paragraph)
        raise StoreFailed(*answer)

    def close(self) -> None:
        """It ends when nobody asks any more."""
        process, self._process = self._process, None
        if process and process.stdin and process.stdout:
            with suppress(OSError):
                process.stdin.close()
            process.stdout.close()
            try:
                process.wait(GOODBYE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@cache
def _process_of(lane: Lane) -> LaneProcess:
    return LaneProcess(lane)


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},  # it finds what we have found
        start_new_session=True,  # a Ctrl-C is for its owner
    )


def _send(line: BinaryIO | Any, message: tuple[Any, ...]) -> None:
    packed = pickle.dumps(message)
    line.write(len(packed).to_bytes(LENGTH_BYTES, "big") + packed)
    line.flush()


def _receive(line: BinaryIO | Any) -> tuple[Any, ...]:
    """Between processes of one program, so that a pickle is safe. EOFError when the other side has gone."""
    packed = line.read(int.from_bytes(line.read(LENGTH_BYTES), "big"))
    received: tuple[Any, ...] = pickle.loads(packed)
    return received


async def _done(place: Path, job: Job, asked: tuple[Any, ...]) -> tuple[Any, ...]:
    try:
        store = open_store(place, Access.READ)
        try:
            return "answer", await job(store, *asked)
        finally:
            await store.close()
    except BadInput as error:
        return "bad-input", error.code, error.message, error.paragraph
    except Exception as error:  # whatever it was, whoever asked must not wait for ever
        return "failed", repr(error)


def main() -> None:
    """What the process does, until the line ends."""
    os.nice(10)  # whoever plays comes first
    # Closed in here: what nobody reads any more breaks the pipe once more.
    with suppress(EOFError, BrokenPipeError), os.fdopen(os.dup(1), "wb") as line:
        os.dup2(2, 1)  # whatever is printed is no answer
        while True:
            _send(line, asyncio.run(_done(*_receive(sys.stdin.buffer))))


if __name__ == "__main__":
    main()
