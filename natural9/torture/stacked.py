"""Shoes in which rare rounds come often. The first rounds are drawn as such: most of them so that no cell of the
Table of Play is rare (the Banker's total and the Player's third card are each as likely as any other), and others of a
few ranks only, which make pairs, ties and winning totals that a fair shoe deals once in hundreds of rounds. Every other
is one that a certain pay row decides, each row of the floor's games in turn.

Every card is there as often as it should. Whoever burns cards or draws out of turn is one or two off from then on.
"""

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import Final

from natural9.core.cards import ALL_CARDS, RANKS, Card, Rank
from natural9.core.shoe import CARDS_IN_A_DECK
from natural9.core.table_of_play import POINTS, next_hand
from natural9.torture.pay_rows import RareRounds

FEW: Final = 4  # ranks
CELLS: Final = 0.6  # of the rounds
EVERY: Final = 2  # rounds, one is decided by a certain pay row
ROUNDS: Final = 30  # of a shoe; then it is fair
WORTH: Final = {points: tuple(rank for rank in RANKS if POINTS[rank] == points) for points in range(10)}


def stacked(cards: list[Card], chance: Random, rare: RareRounds | None = None) -> list[Card]:
    """These, in the order in which they come."""
    few, order = chance.sample(RANKS, k=FEW), list[Card]()
    chance.shuffle(cards)
    left = defaultdict[Rank, list[Card]](list)
    for card in cards:
        left[card.rank].append(card)
    for number in range(ROUNDS):
        plan, ranks = _cell(chance) if chance.random() < CELLS else (), list[Rank]()
        decided = rare.next() if rare and number % EVERY == 0 else ()
        while next_hand(ranks):
            wanted: Sequence[Rank] = WORTH[plan[len(ranks)]] if len(ranks) < len(plan) else few
            wanted = decided[len(ranks)] if decided else wanted
            there = [rank for rank in wanted if left[rank]] or [rank for rank in RANKS if left[rank]]
            if not there:  # a short shoe
                return order
            ranks.append(chance.choice(there))
            order.append(left[ranks[-1]].pop())
    rest = [card for of_rank in left.values() for card in of_rank]
    chance.shuffle(rest)
    return order + rest


def _cell(chance: Random) -> tuple[int, ...]:
    """The points of the first five cards: a Player who draws, and any third card; mostly a Banker who looks at that."""
    player, third, *first = [chance.randrange(below) for below in (6, 10, 10, 10)]
    banker = chance.randrange(3, 7) if chance.random() < 0.7 else chance.randrange(10)
    return (*first, (player - first[0]) % 10, (banker - first[1]) % 10, third)


class StackedShuffles:
    """What a shuffler draws so that a shoe comes out like that: it swaps each place, from the last to the second, with
    the one that is drawn for it. `share`: of the shoes; the others are fair."""

    def __init__(self, chance: Random, share: float, rare: RareRounds | None = None) -> None:
        self._chance, self._share, self._rare = chance, share, rare
        self._due: list[int] = []  # the numbers that this shoe still takes, the next one last
        self._next = 0  # what is asked for next, if it is the same shoe

    def below(self, below: int) -> int:
        if below != self._next:
            self._due = self._of_a_shoe(below) if self._chance.random() < self._share else []
        self._next = below - 1
        return self._due.pop() if self._due else self._chance.randrange(below)

    def _of_a_shoe(self, cards: int) -> list[int]:
        order = [*ALL_CARDS] * (cards // CARDS_IN_A_DECK)
        wanted, drawn = stacked([*order], self._chance, self._rare), list[int]()
        for place in range(cards - 1, 0, -1):
            other = order.index(wanted[place])
            order[place], order[other] = order[other], order[place]
            drawn.append(other)
        return drawn[::-1]
