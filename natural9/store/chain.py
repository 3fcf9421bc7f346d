"""What chains each entry to the one before it. Every store and the audit use this one definition."""

from hashlib import sha256

from msgspec.json import Encoder

from natural9.store.contract import Corrupt, Hashed, Head, Transfer, Written

FORMAT = 1  # of the envelope; part of what is hashed
GENESIS = bytes(32)  # what the first entry follows
START = Head(seq=0, hash=GENESIS, transfers=0)

_encode = Encoder().encode


def link(
    previous: bytes,
    seq: int,
    stream: str,
    kind: str,
    body: bytes,
    at_ms: int,
    day: str,
    label: str,
    request: str,
    first_transfer: int,
    transfers: tuple[Transfer, ...],
    documents: Hashed,
    all_documents: str,
) -> bytes:
    """The hash of an entry: SHA-256 of the hash before it, the length of its envelope, the envelope, and its body.

    The envelope is a JSON list of everything but the body. Its length stands before it, so that no byte can be
    moved from the one to the other.
    """
    envelope = _encode(
        (FORMAT, seq, stream, kind, at_ms, day, label, request, first_transfer, transfers, documents, all_documents)
    )
    return sha256(b"".join((previous, len(envelope).to_bytes(8, "big"), envelope, body))).digest()


def follow(head: Head, written: Written) -> Head:
    """The head once this entry is added; Corrupt if the entry does not follow from the one before it."""
    seq = head.seq + 1
    if written.seq != seq:
        raise Corrupt(f"entry {seq} is missing: entry {written.seq} comes after entry {head.seq}")
    if written.first_transfer != head.transfers + 1:
        first, due = written.first_transfer, head.transfers + 1
        raise Corrupt(f"entry {seq}: its transfers are numbered from {first}, but {due} comes next")
    if link(head.hash, *written[:-1]) != written.hash:
        raise Corrupt(f"entry {seq}: its hash does not follow from {f'entry {head.seq}' if head.seq else 'the start'}")
    return Head(seq, written.hash, head.transfers + len(written.transfers))
