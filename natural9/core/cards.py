"""Cards: 52 of them, suits kept, and a notation that round-trips.

A rank is one of ``A23456789TJQK``, a suit one of ``CDHS``. Nothing in the approved rules looks at a suit, so
whatever only plays or settles takes ranks; whatever records what lay on the table takes cards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.saying import say

Rank = str

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
_SUIT_SIGNS: Final = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card.

    >>> Card.parse("10♥"), str(Card.parse("9h"))
    (Card(rank='T', suit='H'), '9H')
    """

    rank: Rank
    suit: str

    def __str__(self) -> str:
        return self.rank + self.suit

    @staticmethod
    def parse(text: str) -> "Card":
        """A card from its rank and suit, as ``9H`` or ``10s``."""
        card = _CARDS.get(text)
        if card is None:
            token = _tidy(text)
            card = _CARDS.get(token)
            if card is None and token in _RANK_OF:
                raise BadInput(
                    "card-without-suit",
                    say("card {card} has no suit; write {rank}C, {rank}D, ...", card=repr(text), rank=token),
                )
            if card is None:
                raise _bad_card(text)
        return card


def parse_cards(text: str) -> tuple[Card, ...]:
    """Cards divided by spaces or commas: ``"4S 2H KD"``."""
    return tuple(Card.parse(token) for token in split_cards(text))


def parse_rank(text: str) -> Rank:
    """The rank of a card written with or without its suit.

    >>> parse_rank("KD"), parse_rank("10"), parse_rank("q")
    ('K', 'T', 'Q')
    """
    rank = _RANK_OF.get(text)
    if rank is None:
        rank = _RANK_OF.get(_tidy(text))
        if rank is None:
            raise _bad_card(text)
    return rank


def parse_ranks(tokens: Iterable[str]) -> tuple[Rank, ...]:
    """The ranks of a round whose suits do not matter, one token a card."""
    try:
        return tuple([_RANK_OF[token] for token in tokens])
    except (KeyError, TypeError):
        return tuple([parse_rank(token) for token in tokens])


def split_cards(text: str) -> list[str]:
    """The cards of a text, each still as text: divided by spaces or commas, or not at all."""
    return text.replace(",", " ").split()


def show_cards(cards: Sequence[Card]) -> str:
    """Cards as text, divided by spaces."""
    return " ".join(map(str, cards)) or "no card"


def name_cards(cards: Sequence[Card]) -> str:
    """Cards in a sentence."""
    return show_cards(cards) if cards else say("no card")


def _tidy(text: str) -> str:
    token = text.strip().replace("10", "T", 1)
    token = token[:-1] + _SUIT_SIGNS.get(token[-1:], token[-1:])
    return token.upper() if token.isascii() else token


def _bad_card(text: str) -> BadInput:
    return BadInput(
        "unknown-card",
        say(
            "{card} is not a card: a rank A 2 3 4 5 6 7 8 9 T J Q K (or 10), then a suit C D H S, as in 9H",
            card=repr(text),
        ),
    )


ALL_CARDS: Final = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
_CARDS: Final = {str(card): card for card in ALL_CARDS}
_RANK_OF: Final = {str(card): card.rank for card in ALL_CARDS} | {rank: rank for rank in RANKS}
