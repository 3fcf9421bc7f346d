"""Mixing a shoe: the house's order changed by what the seats bring, so that neither the house nor any seat chooses it.

A *nonce* is a text: 64 hexadecimal digits (32 random bytes of the terminal, small letters) and, where the player has
typed some, one space and the player's own words (1 to 64 characters, none of U+0000 to U+001F and U+007F to U+009F).
The digits are always there: words alone could be guessed from their hash.

A seat's *commitment* is the SHA-256, as 64 small hexadecimal digits, of five lines of UTF-8, each ended by one newline:

    natural9 nonce 1
    table nc-1
    shoe 12
    seat 7
    nonce 0f3c... (64 digits) lucky words

The *message* is this, one after the other. LP(x) is the length of x in bytes as 8 bytes, big-endian, and then x; U64(n)
is n as 8 bytes, big-endian:

    LP("natural9 mix 1")        ASCII; this is the rule that the list of commitments names
    LP(house)                   the house's commitment to its order, as 64 ASCII digits
    LP(checkpoint)              the checkpoint that the list names, in UTF-8; empty where it names none
    U64(count)                  how many seats have revealed
    U64(seat) LP(nonce)         of each of them, by ascending seat number; the nonce in UTF-8

The *indexes* come from SHAKE-256 of the message, read two bytes at a time as a big-endian number w from 0 to 65535. For
an index below n, the first w that is less than 65536 - (65536 mod n) counts, and the index is w mod n; every w before
it is dropped. So each index is exactly as likely as any other.

The *order* in which the cards come is the house's order after Fisher and Yates: for each place from the last down to
the second (counted from 0: from N - 1 down to 1), draw an index below place + 1, and swap the two cards.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256, shake_256
from typing import Final

from msgspec import Struct

from natural9.core.cards import Card
from natural9.table.shoes.shuffler import Check, permuted

RULE: Final = "natural9 mix 1"
MOST_WORDS: Final = 64  # characters that a player may type
LONGEST_NONCE: Final = 64 + 1 + MOST_WORDS
_NONCE: Final = re.compile(rf"[0-9a-f]{{64}}(?: [^\x00-\x1f\x7f-\x9f]{{1,{MOST_WORDS}}})?")
_HASH: Final = re.compile("[0-9a-f]{64}")
_WORDS: Final = 1 << 16  # as many as two bytes can be


def is_nonce(text: str) -> bool:
    """
    >>> is_nonce("0f" * 32), is_nonce("0f" * 32 + " my lucky words"), is_nonce("my lucky words")
    (True, True, False)
    """
    return _NONCE.fullmatch(text) is not None


def is_hash(text: str) -> bool:
    return _HASH.fullmatch(text) is not None


def nonce_commitment(*, table: str, shoe: int, seat: int, nonce: str) -> str:
    """What a seat fixes beforehand. Table, shoe and seat are in it, so that it is good for nothing else."""
    text = f"natural9 nonce 1\ntable {table}\nshoe {shoe}\nseat {seat}\nnonce {nonce}\n"
    return sha256(text.encode()).hexdigest()


def mix_message(house: str, checkpoint: str, revealed: Mapping[int, str]) -> bytes:
    """All that the indexes follow from."""
    parts = [_sized(RULE), _sized(house), _sized(checkpoint), _number(len(revealed))]
    for seat, nonce in sorted(revealed.items()):
        parts += [_number(seat), _sized(nonce)]
    return b"".join(parts)


def mixed_order(order: Sequence[Card], message: bytes) -> tuple[Card, ...]:
    """The order in which the cards come."""
    return tuple(permuted(order, Indexes(message)))


class MixedSeat(Struct, frozen=True):
    """What a seat committed to, and what it revealed; None where it was left out."""

    seat: int
    commitment: str
    nonce: str | None


class MixShown(Struct, frozen=True, kw_only=True):
    """How a shoe was mixed, as anybody may check it."""

    rule: str
    checkpoint: str
    seats: tuple[MixedSeat, ...]

    def order(self, house: str, order: Sequence[Card]) -> tuple[Card, ...]:
        """The order in which the cards come, by the house's own and its commitment."""
        revealed = {one.seat: one.nonce for one in self.seats if one.nonce is not None}
        return mixed_order(order, mix_message(house, self.checkpoint, revealed))


def check_mix(table: str, shoe: int, mix: MixShown) -> Check:
    """Whether each seat revealed what it had committed to, by the rule that is known here."""
    if mix.rule != RULE:
        return Check("mix", False, f"it was mixed by the rule {mix.rule!r}, and the only one is {RULE!r}")
    numbers = [one.seat for one in mix.seats]
    if numbers != sorted(set(numbers)):
        return Check("mix", False, "the list does not have every seat once, by their numbers")
    for one in mix.seats:
        if one.nonce is None:
            continue
        made = nonce_commitment(table=table, shoe=shoe, seat=one.seat, nonce=one.nonce)
        if made != one.commitment.lower() or not is_nonce(one.nonce):
            words = f"seat {one.seat} committed to {one.commitment}, and what it revealed is {made}"
            return Check("mix", False, words)
    left_out = sum(one.nonce is None for one in mix.seats)
    words = f"{len(numbers) - left_out} seats revealed what they had committed to, {left_out} were left out"
    return Check("mix", True, words)


class Indexes:
    """A whole number below any up to 65536, each as likely, from SHAKE-256 of a message."""

    def __init__(self, message: bytes) -> None:
        self._shake = shake_256(message)
        self._squeezed, self._at = b"", 0

    def __call__(self, below: int) -> int:
        while (drawn := index_of(self._word(), below)) is None:
            pass
        return drawn

    def _word(self) -> int:
        if self._at == len(self._squeezed):  # more of the same stream: what was squeezed before is its beginning
            self._squeezed = self._shake.digest(2 * len(self._squeezed) or 2048)
        self._at += 2
        return int.from_bytes(self._squeezed[self._at - 2 : self._at], "big")


def index_of(word: int, below: int) -> int | None:
    """The index that two bytes stand for; None where they would favour some, and the next two are read."""
    return word % below if word < _WORDS - _WORDS % below else None


def _number(number: int) -> bytes:
    return number.to_bytes(8, "big")


def _sized(text: str) -> bytes:
    encoded = text.encode()
    return _number(len(encoded)) + encoded
