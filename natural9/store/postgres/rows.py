"""How a group of appends becomes the values of one statement."""

from collections.abc import Iterable, Sequence
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
# Which of the statement's values are lists of numbers that are as long as the group: those of the entries (their own,
# their times, their first transfers, how many), of the accounts and of the meters.
NUMBERS = (9, 12, 16, 17, 22, 23, 27, 28, 29, 30)


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


def _once(column: list[object]) -> list[object]:
    """The one value that all are, or all of them."""
    return column[:1] if column.count(column[0]) == len(column) else column


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


def _parameter(place: int) -> str:
    return f"${place}::text::bigint[]" if place in NUMBERS else f"${place}"


def _numbers(column: Iterable[object]) -> str:
    """A list of them as text, which takes a third of the time."""
    return "{" + ",".join(["NULL" if one is None else str(one) for one in column]) + "}"


class Batch:
    """Entries that a book has numbered and chained, on their way to a database."""

    STATEMENT: ClassVar = f"SELECT append({', '.join(_parameter(place) for place in range(1, 35))})"

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
        entries, number, hashed, *_ = writing
        stream, book = entries[0].stream, self._book
        before = None
        if stream not in self._before:
            before = book.streams.get(stream, STREAM_START), book.documents.sums.get(stream)
        was: dict[str, str | None] = {}
        for entry in entries:
            for key, _ in entry.documents:
                was[key] = book.documents.get(key)
        self._written += book.post(entries, number, hashed)
        if before is not None:
            self._before[stream] = before
        if was:
            self._was = was | self._was
        for _, _, _, _, day, _, transfers, documents, _ in entries:
            if transfers:
                self._accounts.add(transfers)
                count(self._counts, day, transfers)
            if documents:
                self._documents.update(documents)

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
        accounts, change, lowest = self._accounts.columns()
        return [
            names, epochs, [head.number for head in before], [head.hash for head in before],
            [head.number for head in after], [head.hash for head in after], [head.transfers for head in after],
            *self._entries(), accounts, _numbers(change), _numbers(lowest), *self._meters(accounts),
            *self._document_columns(),
        ]  # fmt: skip

    def _entries(self) -> list[object]:
        """A database takes long over each value of a list, so what needs none is not sent."""
        stream, number, kind, body, at_ms, day, label, request, first, moves, transfers, documents, hashed = (
            entry_columns(self._written)
        )
        if len(self._before) == 1:
            number = number[:1]  # the others follow
        return [
            _once(stream), _numbers(number), _once(kind), body, _numbers(_once(at_ms)), _once(day), _once(label),
            _once(request), _numbers(first), _numbers(_once(moves)), transfers, _once(documents), b"".join(hashed),  # type: ignore[arg-type]
        ]  # fmt: skip

    def _meters(self, accounts: list[str]) -> list[object]:
        rows = [(*key, *self._counts[key]) for key in sorted(self._counts)]
        if not rows:
            return [[], [], [], "{}", "{}", "{}", "{}"]
        account, day, kind, *counted = (list(column) for column in zip(*rows, strict=True))
        return [None if account == accounts else account, _once(day), _once(kind), *map(_numbers, counted)]

    def _document_columns(self) -> list[list[object]]:
        keys = self.document_keys
        return [
            list(keys),
            [self._was[key] for key in keys],
            [self._documents[key] for key in keys],
            [self._book.documents.get(key) for key in keys],
        ]
