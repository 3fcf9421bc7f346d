"""All tests of the shuffler as one report, at one level for all of them together."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import factorial
from typing import Final

import numpy as np
from msgspec import Struct

from natural9.chance.statistics import OF_SHOES, ChanceFinding, Shoes, drawn_bytes, even_counts
from natural9.chance.stream import TappedRandom
from natural9.core.shoe import CARDS_IN_A_DECK
from natural9.table.shoes.shuffler import Below, shuffled

LEVEL: Final = 0.01
SMALL_DECKS: Final = (4, 5, 6)  # cards, each of whose orders is counted
TIMES_EACH: Final = 40  # that an order of a small deck is due
EXHAUSTED: Final = (2, 3, 4, 5, 6)


class ChanceTest(Struct, frozen=True, kw_only=True):
    """A finding, and its p-value adjusted for how many there are (Holm): below the level, it speaks against chance."""

    name: str
    words: str
    found: str
    p: float
    adjusted_p: float


class ChanceReport(Struct, frozen=True, kw_only=True):
    """`exhausted`: for so many cards, how many sequences of draws there are, each of which makes another order."""

    decks: int
    shoes: int
    source: str
    drawn_bytes: int
    level: float
    holds: bool
    exhausted: dict[int, int]
    tests: list[ChanceTest]


def examine_shuffler(
    decks: int, shoes: int, source: str, random_bytes: Callable[[int], bytes] | None = None
) -> ChanceReport:
    """New shoes, each drawn from this source of bytes; without one from the operating system's, as at a table."""
    tap = TappedRandom(random_bytes) if random_bytes else TappedRandom()
    orders = shuffled_shoes(decks, shoes, tap.below)
    findings = [statistic(orders) for statistic in OF_SHOES]
    findings += [_orders_of(cards, tap.below) for cards in SMALL_DECKS]
    findings.append(drawn_bytes(bytes(tap.drawn)))
    tests = adjusted(findings)
    return ChanceReport(
        decks=decks,
        shoes=shoes,
        source=source,
        drawn_bytes=len(tap.drawn),
        level=LEVEL,
        holds=all(one.adjusted_p >= LEVEL for one in tests),
        exhausted={cards: ways_to_every_order(cards) for cards in EXHAUSTED},
        tests=tests,
    )


def shuffled_shoes(decks: int, shoes: int, below: Below) -> Shoes:
    """A shoe a row, its cards by their numbers before they were shuffled."""
    numbers = range(decks * CARDS_IN_A_DECK)
    return np.array([shuffled(numbers, below) for _ in range(shoes)], np.int16)


def _orders_of(cards: int, below: Below) -> ChanceFinding:
    """A deck so small that every order comes many times."""
    orders = factorial(cards)
    counts = Counter(tuple(shuffled(range(cards), below)) for _ in range(TIMES_EACH * orders))
    every = [*counts.values(), *[0] * (orders - len(counts))]
    return even_counts(f"all orders of {cards}", f"each of the {orders} orders of {cards} cards comes as often", every)


def ways_to_every_order(cards: int) -> int:
    """How many sequences of draws there are for so many cards: as many as orders, and each makes another one."""
    made = set[tuple[int, ...]]()
    ways = 0
    for draws in product(*(range(below) for below in range(cards, 1, -1))):
        asked = iter(draws)
        made.add(tuple(shuffled(range(cards), lambda _, asked=asked: next(asked))))  # type: ignore[misc]
        ways += 1
    assert len(made) == ways == factorial(cards), "then fair draws would not make a fair shuffle"
    return ways


def adjusted(findings: Sequence[ChanceFinding]) -> list[ChanceTest]:
    """By Holm: the smallest p-value counts as often as there are tests, the next one once less, and so on. So if all
    is fair, the chance that any of them is below the level is no more than the level, however they hang together.
    """
    worst_first = sorted(range(len(findings)), key=lambda at: findings[at].p)
    whole, so_far = dict[int, float](), 0.0
    for rank, at in enumerate(worst_first):
        so_far = max(so_far, min(1.0, findings[at].p * (len(findings) - rank)))
        whole[at] = so_far
    return [
        ChanceTest(name=one.name, words=one.words, found=one.found, p=one.p, adjusted_p=whole[at])
        for at, one in enumerate(findings)
    ]
