"""The house's keys, oldest first: each is vouched for by itself and by the one before it.

So whoever knows one of them knows whether the next is the house's, too, and need not ask anybody.
"""

from collections.abc import Iterable
from typing import NamedTuple

from natural9.proof.signed_note import ED25519, BadNote, SigningKey, VerifierKey, from_base64, to_base64


class HouseKey(NamedTuple):
    """One key as the journal tells of it. Without `signature_before` it is the first, or the one before was lost."""

    key: VerifierKey
    signature: str  # base64, by the key itself
    signature_before: str = ""  # by the key before it


def new_house_key(key: SigningKey, before: SigningKey | None = None) -> HouseKey:
    """A key that begins to sign; `before` is the one whose place it takes."""
    message = _message(key.verifier)
    vouched = "" if before is None else to_base64(before.sign(message))
    return HouseKey(key.verifier, to_base64(key.sign(message)), vouched)


def check_succession(origin: str, keys: Iterable[HouseKey]) -> None:
    """BadNote names the first key that is not this house's, that nobody holds, or that the one before did not vouch
    for where it claims to; where it claims nothing (a lost key) is the reader's own to judge."""
    before: VerifierKey | None = None
    for one in keys:
        key = one.key
        if key.name != origin or key.kind != ED25519:
            raise BadNote(f"the key {key} is not one that signs checkpoints of {origin}")
        if not _is_signed(key, one.signature, key):
            raise BadNote(f"the key {key} is not signed by itself: nobody showed that they hold it")
        if one.signature_before and (before is None or not _is_signed(key, one.signature_before, before)):
            raise BadNote(f"the key {key} is not signed by the key before it")
        before = key


def vouched_for(known: VerifierKey, keys: Iterable[HouseKey]) -> list[VerifierKey]:
    """The known key and all that follow from it without a break; none if it is not among them."""
    good: list[VerifierKey] = []
    for one in keys:
        if good and not one.signature_before:
            break
        if good or one.key == known:
            good.append(one.key)
    return good


def _message(key: VerifierKey) -> bytes:
    return f"natural9 checkpoint key\n{key.name}\n{key}\n".encode()


def _is_signed(key: VerifierKey, signature: str, by: VerifierKey) -> bool:
    return by.has_signed(_message(key), from_base64(signature, "a key's signature"))
