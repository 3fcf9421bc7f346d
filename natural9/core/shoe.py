"""What a shoe of N decks holds, and so which cards cannot come out of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from natural9.core.cards import ALL_CARDS, Card
from natural9.core.errors import BadInput
from natural9.core.saying import Said, say

CARDS_IN_A_DECK: Final = 52
# By its text: a card that is looked up by itself is hashed by rank and suit each time.
_PLACE: Final = {str(card): place for place, card in enumerate(ALL_CARDS)}


def place_of(card: Card) -> int:
    """Of this kind of card among a shoe's counts."""
    return _PLACE[card.rank + card.suit]


@dataclass(frozen=True, slots=True)
class Shoe:
    """The cards still in the shoe, by kind; a value, like everything here.

    >>> shoe = Shoe.of(decks=4)
    >>> shoe.cards_left, shoe.left(Card.parse("9H"))
    (208, 4)
    >>> shoe.without([Card.parse("9H")] * 4).left(Card.parse("9H"))
    0
    """

    decks: int
    counts: tuple[int, ...]

    @classmethod
    def of(cls, *, decks: int) -> Self:
        if decks < 1:
            raise BadInput("bad-decks", say("a shoe needs at least one deck, not {decks}", decks=decks))
        return cls(decks, (decks,) * CARDS_IN_A_DECK)

    @property
    def cards_left(self) -> int:
        """How many cards are left."""
        return sum(self.counts)

    def left(self, card: Card) -> int:
        """How many of this card are left."""
        return self.counts[place_of(card)]

    def without(self, cards: Iterable[Card]) -> Self:
        """The shoe after these cards were drawn; one that is not in it is one too many for the decks in use."""
        counts = list(self.counts)
        for card in cards:
            place = _PLACE[card.rank + card.suit]
            if counts[place] == 0:
                raise BadInput("card-too-many", one_too_many(card, self.decks))
            counts[place] -= 1
        return type(self)(self.decks, tuple(counts))

    def with_back(self, cards: Iterable[Card]) -> Self:
        """The shoe with cards counted again that were registered in error."""
        counts = list(self.counts)
        for card in cards:
            place = _PLACE[card.rank + card.suit]
            counts[place] += 1
            assert counts[place] <= self.decks, f"{card} was never drawn"
        return type(self)(self.decks, tuple(counts))


def one_too_many(card: Card, decks: int) -> Said:
    """Why this card cannot come, in words."""
    if decks == 1:
        return say("{card} is one too many: 1 deck holds it once, and it is out", card=str(card))
    return say(
        "{card} is one too many: {decks} decks hold it {decks} times, and all of them are out",
        card=str(card),
        decks=decks,
    )
