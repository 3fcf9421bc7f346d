"""The electronic shuffler: every shoe afresh, its order promised before the first card and shown after the last.

The promise is the SHA-256 of a text that anyone can write down once the shoe is revealed, four lines of ASCII, each
ended by one newline:

    natural9 shoe 1
    decks 8
    salt 0f3c... (64 digits)
    order 9H KD 4S ... (every card of the shoe, divided by single spaces)

So `printf '%s\\n' 'natural9 shoe 1' 'decks 8' 'salt ...' 'order ...' | sha256sum` prints the commitment. The salt keeps
anybody from trying out orders before the reveal.
"""

import os
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from typing import Final, NamedTuple, TypeVar

from natural9.core.cards import ALL_CARDS, Card, parse_cards, show_cards, split_cards
from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.core.shoe import CARDS_IN_A_DECK

FACE_DOWN: Final = "-"  # in place of a dealt card that nobody saw, because it was burnt face down

T = TypeVar("T")
Below = Callable[[int], int]  # a whole number from 0 up to but not including this one, each as likely

SALT_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_TEXT: Final = re.compile(r"natural9 shoe 1\ndecks (\d+)\nsalt ([0-9a-f]{64})\norder ([^\n]+)\n(?:mixed ([^\n]+)\n)?")


class RandomnessFailed(Exception):
    """The source of chance failed: no shoe can be shuffled, and the table is not available until it works again."""


class SealBroken(Exception):
    """A stored shoe cannot be opened: it is missing, it was changed, or it belongs to another table, shoe or key."""


@dataclass(frozen=True)
class Shuffled:
    """A shoe as the shuffler ordered it, and, once its seats have mixed it, as they did."""

    decks: int
    salt: bytes
    order: tuple[Card, ...]
    mixed: tuple[Card, ...] = ()

    @property
    def coming(self) -> tuple[Card, ...]:
        """The order in which its cards come."""
        return self.mixed or self.order

    @property
    def text(self) -> str:
        return f"natural9 shoe 1\ndecks {self.decks}\nsalt {self.salt.hex()}\norder {show_cards(self.order)}\n"

    @cached_property
    def commitment(self) -> str:
        return sha256(self.text.encode()).hexdigest()

    @staticmethod
    def parse(text: str) -> "Shuffled":
        match = _TEXT.fullmatch(text)
        if match is None:
            raise BadInput("bad-shoe", "this is not a shoe: four lines, natural9 shoe 1, decks, salt and order")
        mixed = parse_cards(match[4]) if match[4] else ()
        return Shuffled(int(match[1]), bytes.fromhex(match[2]), parse_cards(match[3]), mixed)

    @property
    def kept(self) -> str:
        """As it is sealed: with the order that its seats have made of it."""
        return self.text + (f"mixed {show_cards(self.mixed)}\n" if self.mixed else "")


def shuffle(decks: int, random: Below = secrets.randbelow) -> list[Card]:
    """So many decks in an order of which every one is as likely.

    `secrets.randbelow` draws from the operating system and rejects what would favour some numbers; nothing is carried
    from one shoe to another.
    """
    return shuffled([*ALL_CARDS] * decks, random)


def shuffled(things: Iterable[T], random: Below) -> list[T]:
    """The same of anything: whoever tests the shuffler numbers the cards."""
    return permuted(things, partial(_drawn, random))


def permuted(cards: Iterable[T], random: Below) -> list[T]:
    """Fisher and Yates: each place, from the last to the second, swaps with one up to itself."""
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = random(place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def shuffled_shoe(
    decks: int, random: Below = secrets.randbelow, random_bytes: Callable[[int], bytes] = secrets.token_bytes
) -> Shuffled:
    """A new shoe with a salt of its own, ready to be promised and dealt."""
    return Shuffled(decks, _random_bytes(random_bytes, SALT_BYTES), tuple(shuffle(decks, random)))


def _drawn(random: Below, below: int) -> int:
    try:
        number = random(below)
    except (OSError, NotImplementedError) as error:
        raise RandomnessFailed(say("the source of chance failed: {error}", error=str(error))) from error
    if not 0 <= number < below:
        wrong = say(
            "the source of chance gave {number} where a number below {below} was asked for", number=number, below=below
        )
        raise RandomnessFailed(wrong)
    return number


def _random_bytes(random_bytes: Callable[[int], bytes], count: int) -> bytes:
    try:
        drawn = random_bytes(count)
    except (OSError, NotImplementedError) as error:
        raise RandomnessFailed(say("the source of chance failed: {error}", error=str(error))) from error
    # Twelve good bytes show fewer than four values less than once in 10^16 times; a stuck source always does.
    if len(drawn) != count or len(set(drawn)) < 4:
        stuck = say(
            "the source of chance is stuck: asked for {count} bytes, it gave {drawn}", count=count, drawn=drawn.hex()
        )
        raise RandomnessFailed(stuck)
    return drawn


def sealed(key: bytes, shuffled: Shuffled, context: str, random_bytes: Callable[[int], bytes] = os.urandom) -> bytes:
    """The shoe as it may be stored: nobody without the key (32 bytes) reads it, or changes it unnoticed.

    The seal is bound to a context, so that no other can take its place.
    """
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305  # slow to load: checking needs none of it

    nonce = _random_bytes(random_bytes, _NONCE_BYTES)
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, shuffled.kept.encode(), context.encode())


def unsealed(key: bytes, stored: bytes, context: str) -> Shuffled:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    nonce, rest = stored[:_NONCE_BYTES], stored[_NONCE_BYTES:]
    try:
        text = ChaCha20Poly1305(key).decrypt(nonce, rest, context.encode())
    except (InvalidTag, ValueError):
        raise SealBroken(say("was changed, or is another's")) from None
    return Shuffled.parse(text.decode())


class Check(NamedTuple):
    """One thing that was checked, whether it holds, and that in words."""

    what: str
    holds: bool
    words: str


def check_reveal(
    decks: int,
    salt: bytes,
    order: Sequence[Card],
    commitment: str,
    dealt: Sequence[Card | None] | None,
    mixed: Sequence[Card] = (),
) -> tuple[Check, ...]:
    """Whether a revealed shoe is whole, the one that was promised, and the one that the cards were dealt from; None in
    place of a card is one that nobody saw, because it was burnt face down. `mixed` is what its seats made of it."""
    shown = Shuffled(decks, salt, tuple(order)).commitment
    fits = shown == commitment.lower()
    words = f"the SHA-256 of decks, salt and order is {shown}"
    checks = [
        _check_cards(decks, order),
        Check("commitment", fits, f"{words}, {'as' if fits else f'not {commitment.lower()} as'} promised"),
    ]
    return (*checks, _check_dealt(mixed or order, dealt)) if dealt is not None else tuple(checks)


def parse_dealt(text: str) -> tuple[Card | None, ...]:
    """The cards as they came, None for each that was burnt face down.

    >>> parse_dealt("2H - - KD")
    (Card(rank='2', suit='H'), None, None, Card(rank='K', suit='D'))
    """
    return tuple(None if token == FACE_DOWN else Card.parse(token) for token in split_cards(text))


def _check_cards(decks: int, order: Sequence[Card]) -> Check:
    count = Counter(order)
    total = decks * CARDS_IN_A_DECK
    for card in ALL_CARDS:
        if count[card] != decks:
            wrong = f"{decks} decks hold {card} {decks} times, and the order has it {count[card]} times"
            return Check("cards", False, f"{wrong} ({len(order)} cards, not {total})" if len(order) != total else wrong)
    return Check("cards", True, f"the order holds the {total} cards of {decks} decks, each as often as it should")


def _check_dealt(order: Sequence[Card], dealt: Sequence[Card | None]) -> Check:
    for place, card in enumerate(dealt):
        if place >= len(order):
            return Check(
                "dealt", False, f"card {place + 1} was dealt as {card}, and the order has only {len(order)} cards"
            )
        if card is not None and card != order[place]:
            return Check(
                "dealt", False, f"card {place + 1} was dealt as {card}, and the order has {order[place]} there"
            )
    unseen = f", of which {count} were burnt face down" if (count := sum(card is None for card in dealt)) else ""
    words = f"the {len(dealt)} cards that were dealt are the first {len(dealt)} of the order{unseen}"
    return Check("dealt", True, words)
