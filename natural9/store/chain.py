"""What chains each entry to the one before it in its stream. Every store and the audit use this one definition."""

from collections.abc import Sequence
from hashlib import sha256

from msgspec.json import Encoder

from natural9.store.contract import Corrupt, Hashed, Head, StreamHead, Transfer, Written

FORMAT = 2  # of the envelope; part of what is hashed
GENESIS = bytes(32)  # what the first entry of a stream follows
START = Head(seq=0, hash=GENESIS, transfers=0)
STREAM_START = StreamHead(number=0, hash=GENESIS, transfers=0)

_encode = Encoder().encode
_begin = sha256().copy


def link(
    previous: bytes,
    stream: str,
    number: int,
    kind: str,
    body: bytes,
    at_ms: int,
    day: str,
    label: str,
    request: str,
    first_transfer: int,
    transfers: tuple[Transfer, ...],
    documents: Hashed,
    documents_sum: str,
) -> bytes:
    """The hash of an entry: SHA-256 of the hash before it, the length of its envelope, the envelope, and its body.

    The envelope is a JSON list of everything but the body. Its length stands before it, so that no byte can be
    moved from the one to the other. Its place among the entries of other streams is no part of it: the tree says that.
    """
    envelope = _encode(
        (FORMAT, stream, number, kind, at_ms, day, label, request, first_transfer, transfers, documents, documents_sum)
    )
    hashed = _begin()  # a copy, which is cheaper than a new one
    hashed.update(b"".join((previous, len(envelope).to_bytes(8, "big"), envelope, body)))
    return hashed.digest()


def follows(previous: bytes, written: Written) -> bool:
    """Whether the hash of an entry follows from the one before it in its stream."""
    return link(previous, *written[1:-1]) == written.hash


def follow(head: StreamHead, written: Written) -> StreamHead:
    """Its stream's head once this entry is added; Corrupt if it does not follow from the one before it."""
    seq, stream, number, _, _, _, _, _, _, first, transfers, _, _, hashed = written
    if number != head.number + 1:
        due = head.number + 1
        raise Corrupt(f"entry {seq}: entry {due} of {stream} is missing, and {number} comes after {head.number}")
    if first != head.transfers + 1:
        due = head.transfers + 1
        raise Corrupt(f"entry {seq}: its transfers are numbered from {first}, but {due} comes next in {stream}")
    if head.hash is None or not follows(head.hash, written):
        before = f"entry {head.number}" if head.number else "the start"
        raise Corrupt(f"entry {seq}: its hash does not follow from {before} of {stream}")
    return StreamHead(number, hashed, head.transfers + len(transfers))


def follow_all(heads: dict[str, StreamHead], page: Sequence[Written]) -> int:
    """The heads once all of these, at least one, are added, and how many transfers they have. Corrupt, as `follow`
    says it, if one does not follow: then the heads are left as they were. (It is `link`, written out: audits come here
    by the million.)"""
    reached: dict[str, tuple[int, bytes | None, int]] = {}
    many = 0
    own = page[0].stream
    last, previous, moved = heads.get(own, STREAM_START)
    for written in page:
        _, stream, number, kind, body, at_ms, day, label, request, first, transfers, documents, added, hashed = written
        if stream != own:
            reached[own] = (last, previous, moved)
            own = stream
            last, previous, moved = reached.get(stream) or heads.get(stream, STREAM_START)
        envelope = _encode(
            (FORMAT, stream, number, kind, at_ms, day, label, request, first, transfers, documents, added)
        )
        if (
            number != last + 1
            or first != moved + 1
            or previous is None
            or sha256(b"".join((previous, len(envelope).to_bytes(8, "big"), envelope, body))).digest() != hashed
        ):
            follow(StreamHead(last, previous, moved), written)
        last, previous = number, hashed
        if transfers:
            moved += len(transfers)
            many += len(transfers)
    reached[own] = (last, previous, moved)
    heads |= {stream: StreamHead(*head) for stream, head in reached.items()}
    return many
