"""A checkpoint (c2sp.org/tlog-checkpoint): how many entries there are and the root over them, signed by the house."""

from collections.abc import Iterable
from typing import NamedTuple, Self

from natural9.proof.merkle import HASH_BYTES, MOST_LEAVES
from natural9.proof.signed_note import (
    BadNote,
    SignedNote,
    SigningKey,
    VerifierKey,
    from_base64,
    sign,
    to_base64,
    verify,
)


class TreeHead(NamedTuple):
    """What a checkpoint says."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()  # the house writes none; another log's are kept, for they are signed with the rest

    @classmethod
    def parse(cls, text: str) -> Self:
        """The text of a note, or BadNote."""
        lines = text.split("\n")
        if len(lines) < 4 or not all(lines[:-1]) or lines[-1]:
            raise BadNote("this is no checkpoint: a line each for origin, size and root are due")
        origin, size, root, *extensions = lines[:-1]
        hashed = from_base64(root, "the root of the checkpoint")
        if len(hashed) != HASH_BYTES:
            raise BadNote(f"the root of the checkpoint has {len(hashed)} bytes, and {HASH_BYTES} are due")
        return cls(origin, parse_count(size, "the size of the checkpoint"), hashed, tuple(extensions))

    @property
    def text(self) -> str:
        """
        >>> TreeHead("example.com/log", 0, bytes(32)).text
        'example.com/log\\n0\\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\\n'
        """
        return "\n".join([self.origin, str(self.size), to_base64(self.root), *self.extensions, ""])


def sign_checkpoint(head: TreeHead, key: SigningKey) -> SignedNote:
    return sign(head.text, key)


def verify_checkpoint(note: SignedNote, origin: str, keys: Iterable[VerifierKey]) -> TreeHead:
    """What the checkpoint says, once it is known to be this log's own; else BadNote."""
    verify(note, keys)
    head = TreeHead.parse(note.text)
    if head.origin != origin:
        raise BadNote(f"the checkpoint is of {head.origin[:80]!r}, and not of {origin[:80]!r}")
    return head


def parse_count(written: str, what: str) -> int:
    """A number in decimal digits, in the one way to write it; else BadNote."""
    if not (written.isascii() and written.isdigit()) or len(written) > 19 or str(int(written)) != written:
        raise BadNote(f"{what} is not a number: {written[:40]!r}")
    number = int(written)
    if number > MOST_LEAVES:
        raise BadNote(f"{what} is too large: {written}")
    return number
