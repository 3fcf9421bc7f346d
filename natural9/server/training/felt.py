"""The cards that lie on the felt and in the shoe. Nobody has told the table of them yet."""

from random import Random
from typing import Final

from natural9.core.cards import ALL_CARDS, RANKS, Card
from natural9.core.outcome import Outcome
from natural9.core.round import RoundState
from natural9.core.table_of_play import is_complete

_SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def signs(card: Card) -> str:
    """As it is printed.

    >>> signs(Card("T", "H"))
    '10♥'
    """
    return f"{'10' if card.rank == 'T' else card.rank}{_SIGNS[card.suit]}"


def in_signs(cards: tuple[Card, ...]) -> str:
    """Several, as they lie."""
    return " ".join(map(signs, cards))


def draw(state: RoundState, chance: Random, count: int = 1) -> tuple[Card, ...]:
    """The next cards of the shoe, from those that the table knows to be left: none is ever one too many for it."""
    assert state.shoe is not None, "no round opens without a shoe"
    shoe, drawn = state.shoe, list[Card]()
    for _ in range(count):
        left = [card for card in ALL_CARDS for _ in range(shoe.left(card))]
        drawn.append(chance.choice(left))
        shoe = shoe.without(drawn[-1:])
    return tuple(drawn)


def misread(state: RoundState, chance: Random) -> tuple[Card, ...] | None:
    """The cards of a whole round as they really lay, one of them not as it was registered, with another result by them;
    None where no one card makes another."""
    registered, shoe = state.cards, state.shoe
    assert shoe is not None, "no round opens without a shoe"
    others = [
        lay
        for place, card in enumerate(registered)
        for rank in RANKS
        if rank != card.rank and shoe.left(Card(rank, card.suit))
        for lay in [(*registered[:place], Card(rank, card.suit), *registered[place + 1 :])]
        if is_complete(ranks := [one.rank for one in lay])
        and Outcome.of(ranks).winner is not Outcome.of(state.ranks).winner
    ]
    return chance.choice(others) if others else None
