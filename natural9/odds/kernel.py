"""The weight of every outcome class for any shoe: how many ordered six-card deals lead to it.

For each pair of two-card totals it sums, over the cards that make them, how often that happens (`ways`), how often each
point value is then missing from the shoe (`gone`), and how often each two of them are (`both_gone`). The third cards
follow from those sums without looking at the cards again: a third card of t can come in ways * left[t] - gone[t] ways,
and so on. The same lines run compiled on floats, compiled on 64-bit integers, and uncompiled on Python's
integers, with NumPy or without (`backend`).
"""

from collections.abc import Iterator
from itertools import accumulate
from typing import Any, Final

from natural9.core.table_of_play import banker_draws, player_draws
from natural9.odds.backend import compiled, np, register_jitable

# Pair classes, the first axis of the weights.
NO_PAIR, PLAYER_PAIR, BANKER_PAIR, BOTH_PAIRS, SAME_PAIR = range(5)
SHAPE: Final = (5, 10, 10, 2, 2)  # pair class, final totals of Player and Banker, whether each drew

PLAYER_DRAWS: Final = np.array([[player_draws(p, b) for b in range(10)] for p in range(10)])
STOOD: Final = 10  # in place of the points of a third card
# Whether the Banker draws: on a third card of each point value, or when the Player stood.
BANKER_DRAWS: Final = np.array(
    [[[banker_draws(p, b, t if t < 10 else None) for t in range(11)] for b in range(10)] for p in range(10)]
)


@register_jitable
def _ten_value_ways(ranks: Any, ways: Any) -> None:
    """How often the Player's a and the Banker's b ten-value cards can come, by the pairs that they make.

    Only these need their ranks: any other two cards of one point value are of one rank.
    """
    all_ = ranks[9] + ranks[10] + ranks[11] + ranks[12]
    pair = ranks[9] * 0
    pair_squared, four = pair, pair
    for rank in range(9, 13):
        two = ranks[rank] * (ranks[rank] - 1)
        pair += two
        pair_squared += two * two
        four += two * (ranks[rank] - 2) * (ranks[rank] - 3)
    any_two = all_ * (all_ - 1)
    ways[0, 0, NO_PAIR] = 1
    ways[1, 0, NO_PAIR] = all_
    ways[0, 1, NO_PAIR] = all_
    ways[1, 1, NO_PAIR] = any_two
    ways[2, 0, PLAYER_PAIR] = pair
    ways[2, 0, NO_PAIR] = any_two - pair
    ways[0, 2, BANKER_PAIR] = pair
    ways[0, 2, NO_PAIR] = any_two - pair
    ways[2, 1, PLAYER_PAIR] = pair * (all_ - 2)
    ways[2, 1, NO_PAIR] = (any_two - pair) * (all_ - 2)
    ways[1, 2, BANKER_PAIR] = pair * (all_ - 2)
    ways[1, 2, NO_PAIR] = (any_two - pair) * (all_ - 2)
    ways[2, 2, SAME_PAIR] = four
    ways[2, 2, BOTH_PAIRS] = pair * pair - pair_squared
    one = pair * (all_ - 2) * (all_ - 3) - four - ways[2, 2, BOTH_PAIRS]
    ways[2, 2, PLAYER_PAIR] = one
    ways[2, 2, BANKER_PAIR] = one
    ways[2, 2, NO_PAIR] = any_two * (all_ - 2) * (all_ - 3) - four - ways[2, 2, BOTH_PAIRS] - 2 * one


def _pair_class(of_tens: int, player_pair: bool, banker_pair: bool, same: bool) -> int:
    """The class of the whole deal, from that of its ten-value cards and the pairs that its other cards make."""
    if of_tens == SAME_PAIR or same:
        return SAME_PAIR
    player = player_pair or of_tens in (PLAYER_PAIR, BOTH_PAIRS)
    banker = banker_pair or of_tens in (BANKER_PAIR, BOTH_PAIRS)
    if player and banker:
        return BOTH_PAIRS
    return PLAYER_PAIR if player else BANKER_PAIR if banker else NO_PAIR


def _first_four(player: int, banker: int) -> Iterator[list[int]]:
    """The cards that give these two-card totals, by pair class: in each line their point values, where the number left
    of each stands and how many of these are gone, in how many orders they may come, the ways of the ten-value cards
    among them, and the class."""
    for i, k in _two_cards(player):
        for j, m in _two_cards(banker):
            cards, tens = (i, k, j, m), (int(i == 0) + int(k == 0), int(j == 0) + int(m == 0))
            stands = [value or _NOTHING for value in cards]  # the ten-value cards have a factor of their own
            gone = [cards[:place].count(value) if value else 0 for place, value in enumerate(cards)]
            pairs = i == k != 0, j == m != 0
            of_tens = [NO_PAIR] + [PLAYER_PAIR] * (tens[0] == 2) + [BANKER_PAIR] * (tens[1] == 2)
            for ten_class in of_tens + [BOTH_PAIRS, SAME_PAIR] * (tens == (2, 2)):
                whole = _pair_class(ten_class, *pairs, all(pairs) and i == j)
                yield [
                    *cards,
                    *stands,
                    *gone[1:],
                    (2 - (i == k)) * (2 - (j == m)),
                    tens[0] * 15 + tens[1] * 5 + ten_class,
                    whole,
                ]


def _two_cards(total: int) -> list[tuple[int, int]]:
    """The point values of two cards that make it, the lower first."""
    return [(i, k) for i in range(10) for k in range(i, 10) if (i + k) % 10 == total]


_NOTHING: Final = 10  # a place beyond the point values, where a one stands
_BY_TOTALS: Final = [list(_first_four(player, banker)) for player in range(10) for banker in range(10)]
_FOURS: Final = np.array([line for lines in _BY_TOTALS for line in lines], np.uint8)
_FIRST_OF: Final = np.array([0, *accumulate(len(lines) for lines in _BY_TOTALS)])


@register_jitable
def _four_cards(
    player: int, banker: int, draws: int, left: Any, tens: Any, ways: Any, gone: Any, both_gone: Any
) -> None:
    """Sum over the cards that give these two-card totals, by pair class, as far as the draws to come need it."""
    ways.fill(0)
    if draws:
        gone.fill(0)
    if draws == 2:
        both_gone.fill(0)
    totals = player * 10 + banker
    for line in range(_FIRST_OF[totals], _FIRST_OF[totals + 1]):
        i, k, j, m = _FOURS[line, 0], _FOURS[line, 1], _FOURS[line, 2], _FOURS[line, 3]
        weight = left[_FOURS[line, 4]] * int(_FOURS[line, 11])
        weight *= left[_FOURS[line, 5]] - int(_FOURS[line, 8])
        weight *= left[_FOURS[line, 6]] - int(_FOURS[line, 9])
        weight *= left[_FOURS[line, 7]] - int(_FOURS[line, 10])
        weight *= tens[_FOURS[line, 12]]
        pairs = _FOURS[line, 13]
        ways[pairs] += weight
        if draws:
            gone[pairs, i] += weight
            gone[pairs, k] += weight
            gone[pairs, j] += weight
            gone[pairs, m] += weight
        if draws == 2:  # each two of the four cards, once
            both_gone[pairs, i, k] += weight
            both_gone[pairs, i, j] += weight
            both_gone[pairs, i, m] += weight
            both_gone[pairs, k, j] += weight
            both_gone[pairs, k, m] += weight
            both_gone[pairs, j, m] += weight


@compiled
def outcome_weights(ranks: Any) -> Any:
    """The number of ordered six-card deals from a shoe of these ranks that end in each outcome class."""
    return weights_between(ranks, 0, 10, 0, 10)


@register_jitable
def weights_between(ranks: Any, first_player: int, last_player: int, first_banker: int, last_banker: int) -> Any:
    """The same, of the deals whose two-card totals are in these ranges, which leave out their ends."""
    left = np.zeros(11, ranks.dtype)
    for rank in range(13):
        left[rank + 1 if rank < 9 else 0] += ranks[rank]
    cards = left.sum()
    left[_NOTHING] = 1
    fifth, sixth = cards - 4, cards - 5
    tens = np.zeros((3, 3, 5), ranks.dtype)
    _ten_value_ways(ranks, tens)
    ten_values = tens.ravel()
    ways = np.zeros(5, ranks.dtype)
    gone = np.zeros((5, 10), ranks.dtype)
    both_gone = np.zeros((5, 10, 10), ranks.dtype)
    weights = np.zeros(SHAPE, ranks.dtype)
    for player in range(first_player, last_player):
        for banker in range(first_banker, last_banker):
            draws = 2 if PLAYER_DRAWS[player, banker] else 1 if BANKER_DRAWS[player, banker, STOOD] else 0
            _four_cards(player, banker, draws, left, ten_values, ways, gone, both_gone)
            for pairs in range(5):
                four = ways[pairs]
                if four == 0:
                    continue
                if PLAYER_DRAWS[player, banker]:
                    for third in range(10):
                        five = four * left[third] - gone[pairs, third]
                        final = (player + third) % 10
                        if not BANKER_DRAWS[player, banker, third]:
                            weights[pairs, final, banker, 1, 0] += five * sixth
                            continue
                        for last in range(10):
                            six = five * left[last] - gone[pairs, last] * left[third]
                            six += both_gone[pairs, third, last] + both_gone[pairs, last, third]
                            if last == third:
                                six += gone[pairs, third] - five
                            weights[pairs, final, (banker + last) % 10, 1, 1] += six
                elif BANKER_DRAWS[player, banker, STOOD]:
                    for last in range(10):
                        five = four * left[last] - gone[pairs, last]
                        weights[pairs, player, (banker + last) % 10, 0, 1] += five * sixth
                else:
                    weights[pairs, player, banker, 0, 0] += four * fifth * sixth
    return weights
