"""What the cut card does to a wager: rounds dealt to it are not quite rounds from a fresh shoe.

Until the last rounds of a shoe every shoe goes on, and a wager is worth on average what it is worth from a fresh shoe.
Who is dealt a late round depends on how many cards the rounds before took, and so on what is left. So the effect is the
mean over all rounds of what the late ones are worth more than a fresh shoe: priced exactly, on shoes dealt for it.
"""

from dataclasses import dataclass
from math import ceil
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from natural9.odds.composition import MOST_CARDS_IN_A_ROUND, SUITS_IN_A_DECK

BLOCK_SHOES: Final = 8
PIECE_BLOCKS: Final = 2**16
FIRST_BLOCK: Final = 2**63  # far from those of the simulation


class LatePiece(NamedTuple):
    """Shoes to be dealt and priced: what a GPU does at a time."""

    seed: int
    decks: int
    cut: int
    first_block: int
    blocks: int
    nets: NDArray[np.float64]


class LatePriced(NamedTuple):
    first_block: int
    rounds: int
    gained: NDArray[np.float64]  # by the wagers, in all rounds together, over what a fresh shoe gives


@dataclass(frozen=True, slots=True)
class CutCardEffect:
    """What a round dealt to the cut card is worth more than one from a fresh shoe, for each unit staked."""

    value: float
    stderr: float


def sure_rounds(decks: int, cut: int) -> int:
    """How many rounds every shoe has.

    >>> sure_rounds(8, 14)
    67
    """
    return ceil((decks * 13 * SUITS_IN_A_DECK - cut) / MOST_CARDS_IN_A_ROUND)


def effects_of(priced: list[LatePriced]) -> list[CutCardEffect]:
    """From pieces of the same size, in any order: the mean, and the standard error that their spread tells."""
    priced = sorted(priced, key=lambda one: one.first_block)  # sums of floats depend on the order
    rounds = np.array([one.rounds for one in priced], np.float64)
    gained = np.array([one.gained for one in priced])
    means = gained.sum(axis=0) / rounds.sum()
    spread = ((gained - means * rounds[:, None]) ** 2).sum(axis=0) / (len(priced) - 1)
    errors = np.sqrt(spread / len(priced)) / rounds.mean()
    return [CutCardEffect(value, error) for value, error in zip(means.tolist(), errors.tolist(), strict=True)]
