"""What is left in a shoe, by rank: all that the odds depend on."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from natural9.core.cards import RANKS, Rank
from natural9.core.errors import BadInput

SUITS_IN_A_DECK: Final = 4
MOST_CARDS_IN_A_ROUND: Final = 6


@dataclass(frozen=True, slots=True)
class Composition:
    """How many cards of each rank are left, in the order A to K.

    >>> Composition.of(decks=8).without("99").counts
    (32, 32, 32, 32, 32, 32, 32, 32, 30, 32, 32, 32, 32)
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.counts) != len(RANKS) or min(self.counts) < 0:
            raise BadInput("bad-composition", f"a shoe has a count from 0 up for each of 13 ranks, not {self.counts}")

    @classmethod
    def of(cls, *, decks: int) -> Self:
        """A fresh shoe."""
        if decks < 1:
            raise BadInput("bad-decks", f"a shoe needs at least one deck, not {decks}")
        return cls((SUITS_IN_A_DECK * decks,) * len(RANKS))

    @property
    def cards(self) -> int:
        return sum(self.counts)

    def left(self, rank: Rank) -> int:
        return self.counts[RANKS.index(rank)]

    def without(self, ranks: Iterable[Rank]) -> Self:
        counts = list(self.counts)
        for rank in ranks:
            place = RANKS.index(rank)
            if not counts[place]:
                raise BadInput("card-too-many", f"no {rank} is left to take out: all {self.left(rank)} are gone")
            counts[place] -= 1
        return type(self)(tuple(counts))

    def check_for_a_round(self) -> None:
        """A round may need six cards, so with fewer it has no odds."""
        if self.cards < MOST_CARDS_IN_A_ROUND:
            raise BadInput(
                "too-few-cards", f"{self.cards} cards are left, and a round may need {MOST_CARDS_IN_A_ROUND}"
            )


def ordered_draws(cards: int, draws: int) -> int:
    """In how many ways so many cards can be drawn, one after the other.

    >>> ordered_draws(416, 6)
    4998398275503360
    """
    ways = 1
    for drawn in range(draws):
        ways *= cards - drawn
    return ways
