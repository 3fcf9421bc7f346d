"""Long work on the event loop is done in turns: whoever else waits there has theirs in between."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

TURN_S: Final = 0.008
LOOKED_AT: Final = 64  # after so many small things the time is looked at


class Turn:
    __slots__ = ("_clock_s", "_until")

    def __init__(self, clock_s: Callable[[], float] = time.perf_counter) -> None:
        self._clock_s = clock_s
        self._begin()

    def _begin(self) -> None:
        self._until = self._clock_s() + TURN_S

    @property
    def is_over(self) -> bool:
        return self._clock_s() >= self._until

    async def give_way(self) -> None:
        await asyncio.sleep(0)
        self._begin()
