"""How often, for whoever: buckets of tokens that fill again over time, in bounded memory.

Time is the machine's own running time: a wall clock that is set back would stop the filling.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Final, NamedTuple

MOST_KEYS: Final = 50_000

Clock = Callable[[], float]  # in seconds, never back


class Rate(NamedTuple):
    """So much at once, and so much a second ever after."""

    at_once: float
    a_second: float


class Bucket:
    """What one sender may still do. It goes below nothing where the cost is known only afterwards."""

    __slots__ = ("_a_second", "_at", "_at_once", "_clock", "_left")

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._at_once, self._a_second = rate
        self._clock = clock
        self._left, self._at = self._at_once, clock()

    def spend(self, cost: float) -> bool:
        """Take it in any case; False if that was more than there is. Every frame comes through here."""
        now = self._clock()
        left = self._left + (now - self._at) * self._a_second
        if left > self._at_once:  # `min` would take as long as all the rest
            left = self._at_once
        left -= cost
        self._left, self._at = left, now
        return left >= 0

    def take(self, cost: float = 1) -> int:
        """Take it if it is there: 0, or the seconds until it will be."""
        wait_s = self.wait_s(cost)
        if not wait_s:
            self.spend(cost)
        return wait_s

    def is_full(self) -> bool:
        return not self.wait_s(self._at_once)

    def wait_s(self, cost: float) -> int:
        """Whole seconds until so much is there; 0 if it is."""
        missing = cost - self._left - (self._clock() - self._at) * self._a_second
        return max(0, ceil(missing / self._a_second))


class Buckets:
    """A bucket for each key, made full when it is first asked for. The key unused for longest is forgotten first."""

    def __init__(self, rate: Rate, clock: Clock = time.monotonic, most_keys: int = MOST_KEYS) -> None:
        self._rate, self._clock, self._most_keys = rate, clock, most_keys
        self._buckets: OrderedDict[object, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def of(self, key: object) -> Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = Bucket(self._rate, self._clock)
            if len(self._buckets) > self._most_keys:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(key)
        return bucket
