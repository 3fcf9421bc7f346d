"""The Table of Play, once: rws-nc 3.9, 3.10; rws-nc-insurance 3.6, 3.7; rws-nc-super-six-plus 3.5, 3.6; mbs 3.8.

The four documents print it four times and mean the same table, which binds both hands (rws-nc 1.1,
rws-nc-insurance 1:baccarat-table-of-play, rws-nc-super-six-plus 1:baccarat-table-of-play). It answers one question,
for the live round, the completion solver and the mathematics alike: which hand gets the next card, or is the round
complete?
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from natural9.core.cards import RANKS, Rank
from natural9.core.saying import Said, say


class Hand(StrEnum):
    """The two hands."""

    PLAYER = "player"
    BANKER = "banker"

    @property
    def other(self) -> "Hand":
        """The other hand."""
        return Hand.BANKER if self is Hand.PLAYER else Hand.PLAYER

    @property
    def words(self) -> Said:
        """As a sentence names it."""
        return _HANDS[self]


_HANDS: Final = {Hand.PLAYER: say("Player"), Hand.BANKER: say("Banker")}


# Ace 1, two to nine their face, the rest nothing: rws-nc 3.2, 3.2.1, 3.2.2, 3.2.3; rws-nc-insurance 3.8;
# rws-nc-super-six-plus 3.8; mbs 3.3, 3.3.1, 3.3.2. (rws-nc 3.2.2 gives a ten its face value, which is the same thing
# once only the last digit of a total counts.)
POINTS: Final[dict[Rank, int]] = {rank: place + 1 if place < 9 else 0 for place, rank in enumerate(RANKS)}

# The first four cards go Player, Banker, Player, Banker: rws-nc 3.8, rws-nc-insurance 3.4, rws-nc-super-six-plus 3.4,
# mbs 3.6, 3.6.1, 3.6.2.
INITIAL_DEAL: Final = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER)
MOST_CARDS: Final = 6  # in a round: neither hand gets a fourth

PLAYER_DRAWS: Final = frozenset({0, 1, 2, 3, 4, 5})
BANKER_DRAWS_WHEN_PLAYER_STANDS: Final = frozenset({0, 1, 2, 3, 4, 5})
# Banker's two-card total -> the points of the Player's third card on which the Banker draws.
BANKER_DRAWS_ON: Final[dict[int, frozenset[int]]] = {
    0: frozenset(range(10)),
    1: frozenset(range(10)),
    2: frozenset(range(10)),
    3: frozenset({0, 1, 2, 3, 4, 5, 6, 7, 9}),
    4: frozenset({2, 3, 4, 5, 6, 7}),
    5: frozenset({4, 5, 6, 7}),
    6: frozenset({6, 7}),
    7: frozenset(),
}


def total(ranks: Sequence[Rank]) -> int:
    """The point total of a hand: the last digit of the sum.

    rws-nc 1.16, rws-nc-super-six-plus 1:point-total, mbs 3.4, 3.4.1, 3.4.2.

    >>> total("96"), total("K4")
    (5, 4)
    """
    return sum([POINTS[rank] for rank in ranks]) % 10


def is_natural(two_card_total: int) -> bool:
    """Eight or nine on the initial deal of two cards: rws-nc 1.9, rws-nc-insurance 1:natural,
    rws-nc-super-six-plus 1:natural, mbs 1.1.6, 1.1.7."""
    return two_card_total >= 8


def player_draws(player: int, banker: int) -> bool:
    """Whether the Player draws, from both two-card totals."""
    return not is_natural(banker) and player in PLAYER_DRAWS


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """Whether the Banker draws, from both two-card totals and the points of the Player's third card, if any."""
    if is_natural(player) or is_natural(banker):
        return False
    return banker in BANKER_DRAWS_WHEN_PLAYER_STANDS if third is None else third in BANKER_DRAWS_ON[banker]


def next_hand(ranks: Sequence[Rank]) -> Hand | None:
    """Which hand gets the next card after these, in dealt order; None when the round is complete.

    >>> next_hand("4K"), next_hand("9A92"), next_hand("42K9"), next_hand("42K95")
    (<Hand.PLAYER: 'player'>, None, <Hand.PLAYER: 'player'>, <Hand.BANKER: 'banker'>)
    """
    dealt = len(ranks)
    if dealt < 4:
        return INITIAL_DEAL[dealt]
    player = (POINTS[ranks[0]] + POINTS[ranks[2]]) % 10  # what `total` says, which costs more than all the rest
    banker = (POINTS[ranks[1]] + POINTS[ranks[3]]) % 10
    if player_draws(player, banker):
        if dealt == 4:
            return Hand.PLAYER
        third, whole = POINTS[ranks[4]], 6
    else:
        third, whole = None, 5
    return Hand.BANKER if dealt < whole and banker_draws(player, banker, third) else None


def hand_of(ranks: Sequence[Rank], place: int) -> Hand:
    """The hand that the card at this place of the dealt order belongs to."""
    hand = next_hand(ranks[:place])
    assert hand is not None, f"place {place} of {ranks!r} is beyond the end of the round"
    return hand


def is_complete(ranks: Sequence[Rank]) -> bool:
    """Whether these ranks are exactly one whole round: nothing due, nothing in excess.

    >>> is_complete("9A92"), is_complete("9A923"), is_complete("42K95")
    (True, False, False)
    """
    return next_hand(ranks) is None and played_count(ranks) == len(ranks)


def played_count(ranks: Sequence[Rank]) -> int:
    """How many of these cards, in order, the round takes; any beyond that are in excess."""
    for count in range(4, len(ranks)):
        if next_hand(ranks[:count]) is None:
            return count
    return min(len(ranks), MOST_CARDS)
