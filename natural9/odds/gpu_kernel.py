"""What a thread of the GPU deals, dealt once more from seed and block: `gpu/deal.cu` in a few lines.

A shoe is shuffled without bias once, at the start of its block, and never put back in order. Every round swaps each of
its cards with another that has not been seen, then looks at it; a new shoe is the old one as it lies. The places to
swap with come from random words, two from each, and not every place is quite as likely as the next; nor is a card
swapped with itself. That favours no card: while all orders of the unseen cards are equally likely, they still are after
a swap of two of them, however it was chosen. So each shoe is dealt from all orders alike. What the places have to do is
to make one shoe forget the one before.

The first four cards of a round come from the front and third cards from the back, which is as fair for the same reason.
"""

from typing import Any, Final

import numpy as np
from numba.extending import register_jitable

from natural9.odds.compiled import compiled
from natural9.odds.simulation_kernel import RANKS_IN_A_DECK, hands_of, place_of, splitmix64

_MULTIPLIER: Final = np.uint64(0xFFFA19FA)
_GOLD: Final = np.uint64(0x9E3779B97F4A7C15)
_HALF: Final = np.uint64(0xFFFFFFFF)
_THIRTY_TWO: Final = np.uint64(32)
_ROW: Final = 128  # a place is 128 for each row of four cards before it, and the card in its row


@register_jitable
def _word(state: Any, place: Any) -> Any:
    """Multiply with carry: the oldest of three words becomes the newest."""
    following = state[place] * _MULTIPLIER + state[3]
    state[place], state[3] = following & _HALF, following >> _THIRTY_TWO
    return state[place] ^ state[3]


@register_jitable
def _generator(seed: Any, block: Any) -> Any:
    start = splitmix64(np.uint64(seed) + _GOLD) ^ np.uint64(block)
    one, two = splitmix64(start + _GOLD), splitmix64(start + _GOLD * np.uint64(2))
    state = np.empty(4, np.uint64)
    state[0], state[1], state[2] = one & _HALF, one >> _THIRTY_TWO, two & _HALF
    state[3] = two >> np.uint64(33) | np.uint64(1)
    return state


@register_jitable
def _shuffled(cards: Any, state: Any) -> Any:
    """A shoe in any order, each as likely, and the generator as if its oldest word were its first."""
    shoe, drawn = np.empty(cards, np.uint8), 0
    for card in range(cards):
        shoe[card] = card % RANKS_IN_A_DECK
    for last in range(cards - 1, 0, -1):
        bound = np.uint64(last + 1)
        product = np.uint64(0)
        while True:
            product = _word(state, drawn % 3) * bound
            drawn += 1
            if product & _HALF >= (_HALF + np.uint64(1)) % bound:
                break
        other = product >> _THIRTY_TWO
        shoe[last], shoe[other] = shoe[other], shoe[last]
    turned = state.copy()
    for place in range(3):
        turned[place] = state[(place + drawn) % 3]
    return shoe, turned


@register_jitable
def _swap(shoe: Any, at: Any, rest: Any, between: Any, following: Any) -> Any:
    """Swap the card at `at` with one between front and back: what is left of the random word."""
    product = rest * np.uint64(between)
    drawn = np.int64(product >> _THIRTY_TWO)
    other = following + drawn // _ROW * 4 + drawn % 4
    shoe[at], shoe[other] = shoe[other], shoe[at]
    return product & _HALF


@register_jitable
def _spread(card: Any) -> Any:
    return card // 4 * _ROW + card % 4


@register_jitable
def _deal(shoe: Any, state: Any, front: Any, back: Any) -> Any:
    """One round: its place in the histogram, and how many of its cards came from the back."""
    following = front + 4
    between = _spread(back - 2) - _spread(following)
    a, b, c = _word(state, 0), _word(state, 1), _word(state, 2)
    a = _swap(shoe, front, a, between, following)
    _swap(shoe, front + 1, a, between, following)
    b = _swap(shoe, front + 2, b, between, following)
    _swap(shoe, front + 3, b, between, following)
    c = _swap(shoe, back - 1, c, between, following)
    _swap(shoe, back - 2, c, between, following)
    player, banker = hands_of(shoe[front], shoe[front + 1], shoe[front + 2], shoe[front + 3])
    fifth, sixth = np.uint64(shoe[back - 1]), np.uint64(shoe[back - 2])
    place, taken = place_of(player, banker, shoe[front] == shoe[front + 1], fifth, sixth)
    return place, int(taken) - 4


@compiled
def redeal_block(seed: Any, block: Any, rounds: int, decks: int, cut: int, histogram: Any) -> int:
    """Add so many rounds of the GPU's block to the histogram; how many shoes were begun."""
    cards = decks * 52
    shoe, state = _shuffled(cards, _generator(seed, block))
    front, back, shoes = 0, cards, 1
    for _ in range(rounds):
        if back - front <= cut:
            front, back, shoes = 0, cards, shoes + 1
        place, thirds = _deal(shoe, state, front, back)
        histogram[place] += 1
        front, back = front + 4, back - thirds
    return shoes


@compiled
def redeal_late_rounds(seed: Any, block: Any, shoes: int, decks: int, cut: int, sure: int, states: Any) -> int:
    """The cards left by rank before every round after the first `sure` of some shoes of a block; how many rounds."""
    cards, found = decks * 52, 0
    shoe, state = _shuffled(cards, _generator(seed, block))
    for _ in range(shoes):
        front, back, rounds = 0, cards, 0
        while back - front > cut:
            if rounds >= sure:
                states[found] = 0
                for card in shoe[front:back]:
                    states[found, card] += 1
                found += 1
            _, thirds = _deal(shoe, state, front, back)
            front, back, rounds = front + 4, back - thirds, rounds + 1
    return found
