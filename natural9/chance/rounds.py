"""Rounds dealt from many shoes at once, by the Table of Play.

Of every shoe the same number of rounds is dealt, as many as it always holds. To swap the cards of two rounds in a shoe
makes another order that is as likely, in which the two rounds are swapped: so within a shoe the rounds can be
exchanged, and each is as likely to end in an outcome as the first.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from natural9.core.cards import ALL_CARDS, RANKS
from natural9.core.table_of_play import MOST_CARDS, POINTS, banker_draws, player_draws

Numbers = NDArray[Any]
NO_CARD: Final = 10  # in place of the points of a third card
RANK: Final = np.array([RANKS.index(card.rank) for card in ALL_CARDS])
POINT: Final = np.array([POINTS[card.rank] for card in ALL_CARDS])
_PLAYER_DRAWS: Final = np.array([[player_draws(player, banker) for banker in range(10)] for player in range(10)])
_BANKER_DRAWS: Final = np.array(
    [
        [
            [banker_draws(player, banker, None if third == NO_CARD else third) for third in range(NO_CARD + 1)]
            for banker in range(10)
        ]
        for player in range(10)
    ]
)  # where the Player stands there is no third card, and where it draws there is


class DealtRounds(NamedTuple):
    """For each shoe (row) and round (column)."""

    player_total: Numbers
    banker_total: Numbers
    cards: Numbers
    player_pair: Numbers
    banker_pair: Numbers


def deal_rounds(cards: Numbers) -> DealtRounds:
    """From shoes whose cards are their places in `ALL_CARDS`, a shoe a row."""
    shoes, size = cards.shape
    shoe = np.arange(shoes)
    points, ranks = POINT[cards], RANK[cards]
    at = np.zeros(shoes, np.int64)
    dealt = []
    for _ in range(size // MOST_CARDS):
        point = [points[shoe, at + place] for place in range(4)]
        rank = [ranks[shoe, at + place] for place in range(4)]
        player, banker = (point[0] + point[2]) % 10, (point[1] + point[3]) % 10
        draws = _PLAYER_DRAWS[player, banker]
        third = np.where(draws, points[shoe, at + 4], NO_CARD)
        follows = _BANKER_DRAWS[player, banker, third]
        last = points[shoe, at + 4 + draws]
        count = 4 + draws + follows
        dealt.append((
            (player + np.where(draws, third, 0)) % 10,
            (banker + np.where(follows, last, 0)) % 10,
            count,
            rank[0] == rank[2],
            rank[1] == rank[3],
        ))  # fmt: skip
        at = at + count
    return DealtRounds(*(np.stack(column, axis=1) for column in zip(*dealt, strict=True)))
