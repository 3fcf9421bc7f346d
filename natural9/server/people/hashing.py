"""Where passwords are hashed and checked: work that is dear on purpose, so that few wait for it and none without end.

Strangers, the house's own consoles and players' cards have a thread each, and so nobody of one kind keeps another
waiting. Whoever finds a queue full is told at once to come back: nothing was checked, and nothing is learnt from it.
"""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import StrEnum
from functools import partial
from threading import get_native_id
from typing import Final, ParamSpec, TypeVar

from natural9.server.people.limits import TooOften

MOST_WAITING: Final = 64  # of a kind, with the one that is checked: at some 70 ms each, the last waits for 5 s
MOST_OF_ONE: Final = 16  # from one address or device: a shift that begins behind one
BUSY_S: Final = 2
NICER: Final = 10  # each takes 64 MiB and a core while it runs: the tables go first

P = ParamSpec("P")
T = TypeVar("T")


class Queue(StrEnum):
    """Whose passwords they are."""

    HOUSE = "house"
    CARDS = "cards"
    STRANGERS = "strangers"


class HashingThreads:
    """A thread for each kind, and who waits for it."""

    def __init__(self) -> None:
        self._threads = {one: ThreadPoolExecutor(1, f"hashing for {one}", _give_way) for one in Queue}
        self._waiting: dict[Queue, Counter[str]] = {one: Counter() for one in Queue}
        self._is_closed = False

    async def run(self, queue: Queue, place: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the work comes to; TooOften where too many wait. `place` is where it comes from, "" for one's own."""
        waiting = self._waiting[queue]
        if self._is_closed or waiting.total() >= MOST_WAITING or (place and waiting[place] >= MOST_OF_ONE):
            raise TooOften(BUSY_S)
        waiting[place] += 1
        try:
            thread = self._threads[queue]
            return await asyncio.get_running_loop().run_in_executor(thread, partial(work, *args, **kwargs))
        finally:
            waiting[place] -= 1
            if not waiting[place]:
                del waiting[place]

    def close(self) -> None:
        """Whoever comes as the house ends is told to come back, too."""
        self._is_closed = True
        for one in self._threads.values():
            one.shutdown(wait=False)


def _give_way() -> None:
    """Linux knows each thread by a number of its own, which may be nicer than its process."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), NICER)
