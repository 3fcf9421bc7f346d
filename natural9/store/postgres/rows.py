"""How a group of appends becomes the values of one statement."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec.json import Decoder, Encoder

from natural9.store.balances import Book, Counts, count
from natural9.store.chain import STREAM_START
from natural9.store.contract import FLOATING, StreamHead, Transfer, Written
from natural9.store.documents import encode_documents
from natural9.store.group import Writing

_encode = Encoder().encode
decode_transfers = Decoder(tuple[Transfer, ...]).decode
NO_TRANSFERS = "[]"


def entry_columns(written: Sequence[Written]) -> list[list[object]]:
    """Of one entry at least: all that a journal's row has, but for its ticket."""
    rows = [
        (
            stream, number, kind, body, at_ms, day, label, request.encode(), first, len(transfers),
            _encode(transfers).decode() if transfers else NO_TRANSFERS,
            encode_documents(documents, added) if documents else "", hashed,
        )
        for _, stream, number, kind, body, at_ms, day, label, request, first, transfers, documents, added, hashed
        in written
    ]  # fmt: skip
    return [list(column) for column in zip(*rows, strict=True)]


class AccountChanges:
    """What a group does to each account: the change, and how far below its beginning it falls on the way."""

    def __init__(self) -> None:
        self._change: dict[str, int] = {}
        self._lowest: dict[str, int] = {}

    def add(self, transfers: Sequence[Transfer]) -> None:
        change, lowest = self._change, self._lowest
        for _, source, target, cents in transfers:
            left = change.get(source, 0) - cents
            change[source] = left
            if left < lowest.get(source, 0):
                lowest[source] = left
            change[target] = change.get(target, 0) + cents

    def columns(self) -> tuple[list[str], list[int], list[int | None]]:
        """In the order of their names: everybody locks them so."""
        names = sorted(self._change)
        lowest = [None if name.startswith(FLOATING) else self._lowest.get(name, 0) for name in names]
        return names, [self._change[name] for name in names], lowest


class Batch:
    """Entries that a book has numbered and chained, on their way to a database."""

    STATEMENT: ClassVar = f"SELECT append({', '.join(f'${place}' for place in range(1, 35))})"

    def __init__(self, book: Book) -> None:
        self._book = book
        self._written: list[Written] = []
        self._accounts = AccountChanges()
        self._counts: Counts = {}
        self._before: dict[str, tuple[StreamHead, int | None]] = {}  # each stream's head, and its sum over documents
        self._was: dict[str, str | None] = {}  # each document's hash
        self._documents: dict[str, bytes | None] = {}

    def add(self, writing: Writing) -> None:
        """NotTheHead where its stream does not end there by what this book knows."""
        stream = writing.entries[0].stream
        before = self._book.streams.get(stream, STREAM_START), self._book.documents.sums.get(stream)
        was = {key: self._book.documents.get(key) for entry in writing.entries for key, _ in entry.documents}
        written = self._book.post(writing.entries, writing.number, writing.hash)
        self._before.setdefault(stream, before)
        self._was = was | self._was
        self._written += written
        for entry in writing.entries:
            if entry.transfers:
                self._accounts.add(entry.transfers)
                count(self._counts, entry.day, entry.transfers)
            if entry.documents:
                self._documents.update(entry.documents)

    def take_back(self) -> None:
        """The book is as it was."""
        for stream, (head, added) in self._before.items():
            self._book.streams[stream] = head
            if added is None:
                self._book.documents.sums.pop(stream, None)
            else:
                self._book.documents.sums[stream] = added
        for key, digest in self._was.items():
            if digest is None:
                self._book.documents.pop(key, None)
            else:
                self._book.documents[key] = digest

    @property
    def streams(self) -> list[str]:
        return sorted(self._before)

    @property
    def heads(self) -> dict[str, StreamHead]:
        """Where each stream ends with it."""
        return {name: self._book.streams[name] for name in self._before}

    @property
    def document_keys(self) -> list[str]:
        return sorted(self._was)

    def values(self, epochs: Sequence[int]) -> list[object]:
        """All columns of the statement; `epochs` are those of the streams, in their order."""
        names = self.streams
        before = [self._before[name][0] for name in names]
        after = [self._book.streams[name] for name in names]
        return [
            names, epochs, [head.number for head in before], [head.hash for head in before],
            [head.number for head in after], [head.hash for head in after], [head.transfers for head in after],
            *entry_columns(self._written), *self._accounts.columns(), *self._meters(), *self._document_columns(),
        ]  # fmt: skip

    def _meters(self) -> list[list[object]]:
        rows = [(*key, *self._counts[key]) for key in sorted(self._counts)]
        return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(7)]

    def _document_columns(self) -> list[list[object]]:
        keys = self.document_keys
        return [
            list(keys),
            [self._was[key] for key in keys],
            [self._documents[key] for key in keys],
            [self._book.documents.get(key) for key in keys],
        ]
