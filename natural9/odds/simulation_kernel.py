"""Whole shoes, dealt at the speed of the machine into a histogram of outcomes.

A round takes one word of the generator. Each half of it gives three places in the shoe (Lemire's multiplication, three
bounds in turn from one word, as Brackett-Rozinsky and Lemire do it), and is drawn anew where it would favour some
places over others. Six cards are put in place for every round and it takes as many as the Table of Play says; the
others stay in the shoe, which is as well shuffled with them moved as without. So hardly a branch can be mispredicted.

`bench/simulator.c` says the same in C, and must deal the same cards.
"""

from typing import Any, Final

import numpy as np
from numba.extending import register_jitable

from natural9.core.table_of_play import banker_draws, player_draws
from natural9.odds.compiled import compiled

PLACES_IN_HISTOGRAM: Final = 2000  # natural9.odds.kernel.SHAPE, flat
RANKS_IN_A_DECK: Final = 13
MOST_CARDS: Final = 1600  # three bounds of a shoe must multiply to less than 2**32

NO_THIRD: Final = 10  # in place of the points of the Player's third card
PLAYER_WON, BANKER_WON, TIED = 0, 1, 2
PATHS: Final = (10, 10, 11, 3)  # two-card totals, the Player's third card, who won: what insurance is settled by

_PAIR: Final = 16
_HALF: Final = np.uint64(0xFFFFFFFF)
_THIRTY_TWO: Final = np.uint64(32)


def _points(rank: int) -> int:
    return rank + 1 if rank < 9 else 0


# A two-card hand, by both ranks: its total, and 16 more if it is a pair.
_HANDS: Final = np.array(
    [[(_points(a) + _points(b)) % 10 + (_PAIR if a == b else 0) for b in range(16)] for a in range(16)], np.uint8
).ravel()
_PLAYER_DRAWS: Final = np.array(
    [[p < 10 and b < 10 and player_draws(p, b) for b in range(16)] for p in range(16)], np.uint8
).ravel()
# Whether the Banker draws: by both totals and the rank of the Player's third card; a Player who stands has rank 15.
_BANKER_DRAWS: Final = np.array(
    [
        [
            [p < 10 and b < 10 and banker_draws(p, b, _points(third) if third < 15 else None) for third in range(16)]
            for b in range(16)
        ]
        for p in range(16)
    ],
    np.uint8,
).ravel()
# A total and one more card, by rank; rank 15 is no card.
_FINAL: Final = np.array(
    [[(total + (_points(rank) if rank < 15 else 0)) % 10 for rank in range(16)] for total in range(16)], np.uint8
).ravel()


@register_jitable
def splitmix64(state: Any) -> Any:
    """One step of the generator that seeds the other: the mixed word."""
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@register_jitable
def generator(seed: Any, block: Any) -> Any:
    """xoshiro256++'s state for one block of the work: the same whoever does it."""
    gold = np.uint64(0x9E3779B97F4A7C15)
    at = splitmix64(np.uint64(seed) + gold) ^ np.uint64(block)
    first, second = splitmix64(at + gold), splitmix64(at + gold * np.uint64(2))
    third, fourth = splitmix64(at + gold * np.uint64(3)), splitmix64(at + gold * np.uint64(4))
    return first, second, third, fourth


@register_jitable
def step(s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """The next word of xoshiro256++ (Blackman and Vigna), and the state after it."""
    total = s0 + s3
    word = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    shifted = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    return word, s0, s1, s2, s3


@register_jitable
def _favours(half: Any, left: Any) -> Any:
    """Whether to draw half a word anew, since three bounds from `left` down would let it favour some places."""
    product = left * (left - np.uint64(1)) * (left - np.uint64(2))
    rest = half * product & _HALF
    return rest < product and rest < (_HALF + np.uint64(1)) % product


@register_jitable
def _put(shoe: Any, at: Any, half: Any, left: Any) -> Any:
    """Swap a card from anywhere in the rest of the shoe to its front: the card, and the rest of the half word."""
    product = half * left
    other = at + (product >> _THIRTY_TWO)
    card = shoe[other]
    shoe[other] = shoe[at]
    shoe[at] = card
    return np.uint64(card), product & _HALF


@register_jitable
def draw(shoe: Any, at: Any, s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """One card from anywhere in the rest of the shoe to place `at`, as in burning: the generator after it."""
    left = np.uint64(shoe.size) - at
    word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
    while ((word >> _THIRTY_TWO) * left & _HALF) < (_HALF + np.uint64(1)) % left:
        word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
    _put(shoe, at, word >> _THIRTY_TWO, left)
    return s0, s1, s2, s3


@register_jitable
def hands_of(player_1: Any, banker_1: Any, player_2: Any, banker_2: Any) -> Any:
    """Both two-card hands, from the ranks as dealt."""
    sixteen = np.uint64(16)
    player = np.uint64(_HANDS[np.uint64(player_1) * sixteen + np.uint64(player_2)])
    banker = np.uint64(_HANDS[np.uint64(banker_1) * sixteen + np.uint64(banker_2)])
    return player, banker


@register_jitable
def place_of(player: Any, banker: Any, same: Any, fifth: Any, sixth: Any) -> Any:
    """A round's place in the histogram and the number of its cards, from both two-card hands and the next two cards."""
    no_card, total_bits = np.uint64(15), np.uint64(15)
    player_total, banker_total = player & total_bits, banker & total_bits
    totals = player_total * np.uint64(16) + banker_total
    player_drew = np.uint64(_PLAYER_DRAWS[totals])
    third = fifth if player_drew else no_card
    banker_drew = np.uint64(_BANKER_DRAWS[totals * np.uint64(16) + third])
    last = (sixth if player_drew else fifth) if banker_drew else no_card
    player_final = np.uint64(_FINAL[player_total * np.uint64(16) + third])
    banker_final = np.uint64(_FINAL[banker_total * np.uint64(16) + last])
    pairs = (player >> np.uint64(4)) + (banker >> np.uint64(4)) * np.uint64(2)
    if pairs == np.uint64(3) and same:
        pairs = np.uint64(4)
    place = (pairs * np.uint64(10) + player_final) * np.uint64(10) + banker_final
    place = place * np.uint64(4) + player_drew * np.uint64(2) + banker_drew
    return place, np.uint64(4) + player_drew + banker_drew


@register_jitable
def deal(shoe: Any, at: Any, s0: Any, s1: Any, s2: Any, s3: Any) -> Any:
    """A round from place `at` of the shoe: its place in the histogram, its number of cards, and the generator after it.

    There must be six cards to come.
    """
    one, two, three, four, five = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4), np.uint64(5)
    left = np.uint64(shoe.size) - at
    word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
    while _favours(word >> _THIRTY_TWO, left) or _favours(word & _HALF, left - three):
        word, s0, s1, s2, s3 = step(s0, s1, s2, s3)
    player_1, half = _put(shoe, at, word >> _THIRTY_TWO, left)
    banker_1, half = _put(shoe, at + one, half, left - one)
    player_2, half = _put(shoe, at + two, half, left - two)
    banker_2, half = _put(shoe, at + three, word & _HALF, left - three)
    fifth, half = _put(shoe, at + four, half, left - four)
    sixth, half = _put(shoe, at + five, half, left - five)
    player, banker = hands_of(player_1, banker_1, player_2, banker_2)
    place, taken = place_of(player, banker, player_1 == banker_1, fifth, sixth)
    return place, taken, s0, s1, s2, s3


@register_jitable
def path_of(shoe: Any, at: Any, taken: Any) -> Any:
    """What insurance looks at, beside the winner, in the round dealt at this place: both two-card totals and the points
    of the Player's third card, NO_THIRD if there is none.
    """
    player, banker = hands_of(shoe[at], shoe[at + np.uint64(1)], shoe[at + np.uint64(2)], shoe[at + np.uint64(3)])
    player_total, banker_total = np.int64(player) & 15, np.int64(banker) & 15
    third: Any = NO_THIRD
    if taken > np.uint64(4) and _PLAYER_DRAWS[player_total * 16 + banker_total]:
        rank = np.int64(shoe[at + np.uint64(4)])
        third = rank + 1 if rank < 9 else 0
    return player_total, banker_total, third


@register_jitable
def winner_of_place(place: Any) -> Any:
    """Who won, from a round's place in the histogram: PLAYER_WON, BANKER_WON or TIED."""
    player, banker = np.int64(place) // 40 % 10, np.int64(place) // 4 % 10
    return TIED if player == banker else PLAYER_WON if player > banker else BANKER_WON


@register_jitable
def new_shoe(decks: int) -> Any:
    """The ranks of so many decks, in order: dealing shuffles them."""
    shoe = np.empty(decks * 52, np.uint8)
    for place in range(shoe.size):
        shoe[place] = place % RANKS_IN_A_DECK
    return shoe


@compiled
def play_block(seed: Any, block: Any, rounds: int, decks: int, cut: int, histogram: Any) -> int:
    """Add so many rounds of block `block` to the histogram; how many shoes were begun.

    A shoe ends with the round in which the cut card comes out, `cut` cards before its end; six or more.
    """
    shoe = new_shoe(decks)
    cut_card = np.uint64(shoe.size - cut)
    s0, s1, s2, s3 = generator(seed, block)
    at, shoes = np.uint64(0), 1
    for _ in range(rounds):
        if at >= cut_card:
            at, shoes = np.uint64(0), shoes + 1
        place, taken, s0, s1, s2, s3 = deal(shoe, at, s0, s1, s2, s3)
        histogram[place] += 1
        at += taken
    return shoes


@compiled
def play_two_blocks(seed: Any, block: Any, rounds: int, decks: int, cut: int, histogram: Any) -> int:
    """What `play_block` plays of this block and of the next, so many rounds of each.

    A round waits for its cards most of the time: while one block's wait, the processor deals the other's.
    """
    shoe, other_shoe = new_shoe(decks), new_shoe(decks)
    cut_card = np.uint64(shoe.size - cut)
    s0, s1, s2, s3 = generator(seed, block)
    t0, t1, t2, t3 = generator(seed, np.uint64(block) + np.uint64(1))
    at, other_at, shoes = np.uint64(0), np.uint64(0), 2
    for _ in range(rounds):
        if at >= cut_card:
            at, shoes = np.uint64(0), shoes + 1
        if other_at >= cut_card:
            other_at, shoes = np.uint64(0), shoes + 1
        place, taken, s0, s1, s2, s3 = deal(shoe, at, s0, s1, s2, s3)
        other_place, other_taken, t0, t1, t2, t3 = deal(other_shoe, other_at, t0, t1, t2, t3)
        histogram[place] += 1
        histogram[other_place] += 1
        at += taken
        other_at += other_taken
    return shoes


@compiled
def play_insured_block(seed: Any, block: Any, rounds: int, decks: int, cut: int, histogram: Any, paths: Any) -> int:
    """The same rounds, and beside them the paths of those in which a third card was drawn."""
    shoe = new_shoe(decks)
    cut_card = np.uint64(shoe.size - cut)
    s0, s1, s2, s3 = generator(seed, block)
    at, shoes = np.uint64(0), 1
    for _ in range(rounds):
        if at >= cut_card:
            at, shoes = np.uint64(0), shoes + 1
        place, taken, s0, s1, s2, s3 = deal(shoe, at, s0, s1, s2, s3)
        histogram[place] += 1
        if taken > np.uint64(4):
            player, banker, third = path_of(shoe, at, taken)
            paths[player, banker, third, winner_of_place(place)] += 1
        at += taken
    return shoes
