"""A witness's word on a checkpoint (c2sp.org/tlog-cosignature, version 1 with Ed25519).

It says: at this time, this was the longest history of this log that I have seen, and it went on from all that I saw
before.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from natural9.proof.signed_note import (
    COSIGNATURE,
    LONGEST_NOTE,
    MOST_SIGNATURES,
    BadNote,
    NoteSignature,
    SignedNote,
    SigningKey,
    VerifierKey,
)

TIME_BYTES: Final = 8
LATEST_S: Final = 2**63 - 1


class Cosigned(NamedTuple):
    """Who cosigned, and when, in seconds since 1970 UTC."""

    key: VerifierKey
    at_s: int


def cosign(text: str, key: SigningKey, at_s: int) -> NoteSignature:
    """A witness's signature line for the text of a checkpoint."""
    assert key.kind == COSIGNATURE, "a key that signs checkpoints never cosigns"
    assert 0 <= at_s <= LATEST_S
    signature = at_s.to_bytes(TIME_BYTES) + key.sign(_message(text, at_s))
    return NoteSignature(key.name, key.verifier.key_id, signature)


def check_cosignature(text: str, line: NoteSignature, key: VerifierKey) -> int:
    """When this witness cosigned the text, in seconds since 1970 UTC; BadNote if it did not."""
    assert key.kind == COSIGNATURE
    at_s = int.from_bytes(line.signature[:TIME_BYTES])
    is_hers = (line.name, line.key_id) == (key.name, key.key_id)
    if not is_hers or at_s > LATEST_S or not key.has_signed(_message(text, at_s), line.signature[TIME_BYTES:]):
        raise BadNote(f"the cosignature of {key.name} is wrong: it is of another checkpoint, or somebody else made it")
    return at_s


def cosigned_by(note: SignedNote, witnesses: Iterable[VerifierKey]) -> list[Cosigned]:
    """Which of these witnesses have cosigned; one whose line is there and wrong makes it a BadNote."""
    lines = ((key, note.signed_by(key)) for key in witnesses)
    return [Cosigned(key, check_cosignature(note.text, line, key)) for key, line in lines if line is not None]


def parse_cosignatures(written: str) -> Sequence[NoteSignature]:
    """Signature lines alone, as a witness sends them; else BadNote."""
    if len(written) > LONGEST_NOTE:
        raise BadNote(f"the cosignatures are longer than {LONGEST_NOTE} bytes")
    if not written.endswith("\n"):
        raise BadNote("a cosignature is a line, and ends with a newline")
    lines = written[:-1].split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise BadNote(f"{len(lines)} cosignatures are too many: {MOST_SIGNATURES} at most")
    return [NoteSignature.parse(line) for line in lines]


def _message(text: str, at_s: int) -> bytes:
    return f"cosignature/v1\ntime {at_s}\n{text}".encode()
