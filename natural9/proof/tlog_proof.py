"""A proof on one page (c2sp.org/tlog-proof): where an entry is, the way to the root, and the checkpoint that signs it.

Whoever has it, the entry and the house's public key needs nobody else.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from natural9.proof.checkpoint import TreeHead, parse_count, verify_checkpoint
from natural9.proof.merkle import HASH_BYTES, BadProof, check_inclusion
from natural9.proof.signed_note import LONGEST_NOTE, BadNote, SignedNote, VerifierKey, from_base64, to_base64

FIRST_LINE: Final = "c2sp.org/tlog-proof@v1"
MOST_HASHES: Final = 63


@dataclass(frozen=True)
class LogProof:
    """As it was written: `check` says whether it holds."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: SignedNote
    extra: bytes | None = None  # nobody signs it

    @classmethod
    def parse(cls, written: str) -> Self:
        """The page, or BadProof."""
        if len(written) > LONGEST_NOTE:
            raise BadProof(f"the proof is longer than {LONGEST_NOTE} bytes")
        page, blank, note = written.partition("\n\n")
        lines = page.split("\n")
        if not blank or lines.pop(0) != FIRST_LINE:
            raise BadProof(
                f"this is no proof: its first line is {FIRST_LINE}, and a checkpoint comes after an empty line"
            )
        try:
            extra = None
            if lines and lines[0].startswith("extra "):
                extra = from_base64(lines.pop(0).removeprefix("extra "), "the extra line of the proof")
            word, _, index = (lines.pop(0) if lines else "").partition(" ")
            if word != "index":
                raise BadProof("the proof does not say which entry it is of")
            if len(lines) > MOST_HASHES:
                raise BadProof(f"the proof has {len(lines)} hashes, and {MOST_HASHES} at most may be")
            hashes = tuple(from_base64(line, "a hash of the proof") for line in lines)
            return cls(parse_count(index, "the proof's index"), hashes, SignedNote.parse(note), extra)
        except BadNote as error:
            raise BadProof(str(error)) from None

    def __str__(self) -> str:
        extra = [] if self.extra is None else [f"extra {to_base64(self.extra)}"]
        hashes = map(to_base64, self.hashes)
        return "\n".join([FIRST_LINE, *extra, f"index {self.index}", *hashes, "", str(self.checkpoint)])

    def check(self, leaf: bytes, origin: str, keys: Iterable[VerifierKey]) -> TreeHead:
        """The checkpoint that the leaf's hash is proved to be in; BadProof or BadNote if it is not.

        Who cosigned it is asked of `cosignature.cosigned_by`, for whom to trust is the reader's own choice.
        """
        assert len(leaf) == HASH_BYTES
        head = verify_checkpoint(self.checkpoint, origin, keys)
        check_inclusion(leaf, self.index, head.size, self.hashes, head.root)
        return head
