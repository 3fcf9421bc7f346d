"""What is checked whenever a journal is opened: all of a short one, the end of a long one, and every document."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from natural9.store.balances import Balances, Book
from natural9.store.chain import START, STREAM_START, follow
from natural9.store.contract import Corrupt, Hashed, Head, Meter, StreamHead, Written
from natural9.store.documents import DocumentHashes, compare_documents
from natural9.store.recount import Recount

CHECKED_AT_OPENING = 1000  # entries at the end of the journal; the whole of it is the audit's
WHOLE_AT_OPENING = 10_000  # entries that are few enough for all of them to be checked by whoever writes


class EndReader(Protocol):
    """What is asked of the records of any store, on one thread."""

    def head(self) -> Head: ...
    def head_at(self, seq: int) -> Head | None:
        """Where the journal stood after this entry, if there is one."""
        ...

    def entries(self, after: int, stream: None, limit: int) -> Sequence[Written]: ...
    def before(self, written: Written) -> Written | None:
        """The entry before it in its stream."""
        ...

    def last_with_documents(self, stream: str) -> Written | None:
        """The last entry of a stream that wrote any: it says what all that it wrote come to."""
        ...

    def written_documents(self) -> Iterable[tuple[str, Hashed]]:
        """Those of every entry that wrote any, with its stream, oldest first, whatever the indexes say."""
        ...

    def document_hashes(self) -> dict[str, str]: ...
    def streams(self) -> dict[str, StreamHead]:
        """How far each goes."""
        ...

    def has_transfers_after(self, number: int) -> bool: ...
    def balances(self, prefix: str) -> Mapping[str, int]: ...
    def meters(self, prefix: str) -> Iterable[Meter]: ...


def book_at_the_end(reader: EndReader, where: str) -> Book:
    """What the writer goes on from, checked over the last entries: opening must not cost more with every round."""
    head = reader.head()
    after = max(head.seq - CHECKED_AT_OPENING, 0)
    last = list(reader.entries(after - 1, None, CHECKED_AT_OPENING + 2))  # one more than there should be
    reached = START
    if after:
        before = reader.head_at(after)
        if before is None or not last or last.pop(0).seq != after:
            raise Corrupt(f"{where}: entry {after} is missing, though the journal goes to entry {head.seq}")
        reached = before
    streams: dict[str, StreamHead] = {}
    for written in last:
        if written.seq != reached.seq + 1:
            raise Corrupt(f"entry {reached.seq + 1} is missing: entry {written.seq} comes after entry {reached.seq}")
        streams[written.stream] = follow(streams.get(written.stream) or _before(reader, written), written)
        reached = Head(written.seq, written.hash, reached.transfers + len(written.transfers))
    if reached != head:
        raise Corrupt(
            f"{where}: the table meta says that the journal ends with entry {head.seq} and transfer {head.transfers},"
            f" but it ends with entry {reached.seq} and transfer {reached.transfers}, or with another hash"
        )
    if reader.has_transfers_after(head.transfers):
        raise Corrupt(f"{where}: transfer {head.transfers + 1} belongs to no entry")
    balances = Balances(reader.balances("").items())
    if total := sum(balances.values()):
        raise Corrupt(f"{where}: the balances add up to {total} cents instead of nothing")
    streams |= {name: last for name, last in reader.streams().items() if name not in streams}
    return Book(balances, head, streams, _documents(reader, where, streams))


def _before(reader: EndReader, written: Written) -> StreamHead:
    before = reader.before(written)
    return before.stream_head if before else STREAM_START


def _documents(reader: EndReader, where: str, streams: Iterable[str]) -> DocumentHashes:
    """All there are, held against the last entry of each stream that wrote one; if they differ, the whole journal says
    which it is."""
    sums: dict[str, str] = {}
    for stream in streams:
        last = reader.last_with_documents(stream)
        if last and last.documents:
            follow(_before(reader, last), last)
            sums[stream] = last.documents_sum
    stored = DocumentHashes(reader.document_hashes().items(), sums)
    if not stored.agree():
        derived = DocumentHashes()
        for stream, hashed in reader.written_documents():
            derived.change(stream, hashed)
        compare_documents(stored, derived)
        raise Corrupt(f"{where} is damaged: what leads to the last entries with documents leads elsewhere")
    return stored


def check_whole(reader: EndReader, head: Head, check_indexes: Callable[[], int]) -> None:
    """The audit of a short journal, for who is about to write it."""
    if head.seq <= WHOLE_AT_OPENING:
        recount = Recount()
        for written in reader.entries(0, None, head.seq):
            recount.add(written)
        recount.compare(reader.balances(""), reader.meters(""), reader.document_hashes())
        check_indexes()
