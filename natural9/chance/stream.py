"""The very bytes that the shuffler draws, shoe after shoe, for dieharder, PractRand and the like."""

import os
from collections.abc import Callable, Iterator
from random import SystemRandom
from typing import Final

from natural9.table.shoes.shuffler import shuffle

FEW_BYTES: Final = 1 << 16  # written at a time


class TappedRandom(SystemRandom):
    """What `secrets.randbelow` is, which keeps every byte that it draws from the operating system, those of rejected
    numbers too."""

    def __init__(self, urandom: Callable[[int], bytes] = os.urandom) -> None:
        self.drawn = bytearray()
        self._urandom = urandom

    def getrandbits(self, k: int) -> int:
        count = (k + 7) // 8
        drawn = self._urandom(count)
        self.drawn += drawn
        return int.from_bytes(drawn, "big") >> (count * 8 - k)

    def below(self, number: int) -> int:
        """From 0 up to but not including this one, as `secrets.randbelow` draws it."""
        return self.randrange(number)


def raw_bytes(decks: int, count: int) -> Iterator[bytes]:
    """So many bytes, as one new shoe after the other is shuffled."""
    tap = TappedRandom()
    while count > 0:
        while len(tap.drawn) < min(count, FEW_BYTES):
            shuffle(decks, tap.below)
        written, tap.drawn = tap.drawn[:count], bytearray()
        count -= len(written)
        yield bytes(written)
