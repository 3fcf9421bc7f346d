"""A store that forgets: for tests, and for a table that is played for fun."""

import asyncio
from bisect import bisect_left, bisect_right
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from operator import attrgetter
from typing import Final

from natural9.store.balances import Balances, Book, Counts, check, count, meters_of
from natural9.store.chain import STREAM_START
from natural9.store.contract import (
    FLOATING,
    Checkpoint,
    Entry,
    Head,
    Meter,
    NumberedTransfer,
    StoreFailed,
    StreamHead,
    Tree,
    Written,
)
from natural9.store.documents import DocumentHashes
from natural9.store.tree import TreeInMemory

_SEQ: Final = attrgetter("seq")


class MemoryStore:
    """The contract in memory; an append is as durable as it will ever be at once."""

    place = None  # no other process can read it

    def __init__(self, *, may_go_below_zero: tuple[str, ...] = FLOATING) -> None:
        self._book = Book(Balances(may_go_below_zero=may_go_below_zero))
        self._journal: list[Written] = []
        self._streams: dict[str, list[Written]] = {}  # the same, of each stream
        self._labels: dict[str, list[Written]] = {}  # and of each label
        self._asked: dict[str, Written] = {}
        self._transfers: list[NumberedTransfer] = []
        self._meters: Counts = {}
        self._documents: dict[str, bytes] = {}
        self._tree = TreeInMemory()
        self._checkpoints: dict[int, str] = {}
        self._closed = self._still = False

    @asynccontextmanager
    async def moment(self) -> AsyncIterator["MemoryStore"]:
        if self._closed:
            raise StoreFailed("this store is closed")
        still = MemoryStore()
        documents = DocumentHashes(self._book.documents.items())
        still._book = Book(Balances(self._book.balances.items()), self._book.head, self._book.streams, documents)
        still._tree = self._tree.copy()
        still._checkpoints = dict(self._checkpoints)
        still._journal, still._transfers = self._journal[:], self._transfers[:]
        still._meters = {key: counts[:] for key, counts in self._meters.items()}
        still._streams = {name: entries[:] for name, entries in self._streams.items()}
        still._labels = {label: entries[:] for label, entries in self._labels.items()}
        still._documents, still._asked = dict(self._documents), dict(self._asked)
        still._still = True
        yield still

    @property
    def holds(self) -> None:
        return None

    @property
    def can_write(self) -> bool:
        return not (self._closed or self._still)

    def append(self, entries: Sequence[Entry], after: StreamHead) -> asyncio.Future[int]:
        check(entries)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        try:
            answer.set_result(self._write(entries, after))
        except Exception as refused:
            answer.set_exception(refused)
        return answer

    def _write(self, entries: Sequence[Entry], after: StreamHead) -> int:
        self._check_open()
        numbered = self._book.head.transfers
        written = self._book.post(entries, after.number, after.hash)
        self._journal += written
        self._streams.setdefault(entries[0].stream, []).extend(written)
        self._tree.add([entry.hash for entry in written])
        for entry in written:
            if entry.label:
                self._labels.setdefault(entry.label, []).append(entry)
            if entry.request:
                self._asked.setdefault(entry.request, entry)
            for number, transfer in enumerate(entry.transfers, numbered + 1):
                self._transfers.append(NumberedTransfer(number, entry.seq, entry.at_ms, entry.day, transfer))
            numbered += len(entry.transfers)
            count(self._meters, entry.day, entry.transfers)
        for key, value in (document for entry in entries for document in entry.documents):
            if value is None:
                self._documents.pop(key, None)
            else:
                self._documents[key] = value
        return written[0].number

    def _check_open(self) -> None:
        if self._closed:
            raise StoreFailed("this store is closed")
        if self._still:
            raise StoreFailed("this is one moment of a store, open for reading only")

    def stream_head(self, stream: str) -> StreamHead:
        return self._book.streams.get(stream, STREAM_START)

    async def stream_heads(self) -> Mapping[str, StreamHead]:
        return dict(sorted(self._book.streams.items()))

    async def entries(
        self,
        *,
        after: int = 0,
        before: int | None = None,
        stream: str | Collection[str] | None = None,
        limit: int = 1000,
    ) -> list[Written]:
        if isinstance(stream, str):
            own = self._streams.get(stream, [])
            first = bisect_right(own, after, key=_SEQ)
            last = len(own) if before is None else bisect_left(own, before, key=_SEQ)
            return own[first : min(last, first + max(limit, 0))]
        later = self._journal[max(after, 0) : None if before is None else max(before - 1, 0)]
        return [entry for entry in later if stream is None or entry.stream in stream][: max(limit, 0)]

    async def entry(self, stream: str, number: int) -> Written | None:
        own = self._streams.get(stream, [])
        return own[number - 1] if 1 <= number <= len(own) else None

    async def labelled(self, label: str, *, before: int | None = None, limit: int = 100) -> list[Written]:
        own = self._labels.get(label, [])
        earlier = own if before is None else own[: bisect_left(own, before, key=_SEQ)]
        return earlier[::-1][: max(limit, 0)]

    async def asked(self, requests: Sequence[str]) -> dict[str, Written]:
        return {request: self._asked[request] for request in requests if request in self._asked}

    async def asked_twice(self) -> bool:
        return len(self._asked) < sum(bool(entry.request) for entry in self._journal)

    async def document(self, key: str) -> bytes | None:
        return self._documents.get(key)

    async def documents(self, prefix: str) -> dict[str, bytes]:
        return {key: value for key, value in sorted(self._documents.items()) if key.startswith(prefix)}

    async def balance(self, account: str) -> int:
        return self._book.balances.get(account, 0)

    async def balances(self, prefix: str = "") -> Mapping[str, int]:
        return {name: cents for name, cents in sorted(self._book.balances.items()) if name.startswith(prefix)}

    async def transfers(
        self, *, account: str | None = None, after: int = 0, limit: int = 1000
    ) -> list[NumberedTransfer]:
        later = self._transfers[max(after, 0) :]
        found = [one for one in later if account is None or account in (one.transfer.source, one.transfer.target)]
        return found[: max(limit, 0)]

    async def transfers_through(self, seq: int) -> int:
        return sum(len(entry.transfers) for entry in self._journal[: max(seq, 0)])

    async def count_transfers(self, prefix: str, *, through: int) -> int:
        moved = [one.transfer for one in self._transfers[: max(through, 0)]]
        return sum(one.source.startswith(prefix) + one.target.startswith(prefix) for one in moved)

    async def meters(self, prefix: str = "", *, first_day: str = "", last_day: str = "9999") -> list[Meter]:
        every = meters_of(self._meters)
        return [one for one in every if one.account.startswith(prefix) and first_day <= one.day <= last_day]

    async def head(self) -> Head:
        return self._book.head

    async def tree(self) -> Tree:
        return Tree(len(self._tree), self._tree.root())

    async def tree_hashes(self, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
        return [self._tree.hash_of(start, end) for start, end in ranges]

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        self._check_open()
        self._checkpoints[checkpoint.size] = checkpoint.note

    async def checkpoints(self, *, after: int = -1, limit: int = 1000) -> list[Checkpoint]:
        later = sorted(size for size in self._checkpoints if size > after)
        return [Checkpoint(size, self._checkpoints[size]) for size in later[: max(limit, 0)]]

    async def checkpoint(self, size: int | None = None) -> Checkpoint | None:
        chosen = max(self._checkpoints, default=None) if size is None else size
        return Checkpoint(chosen, self._checkpoints[chosen]) if chosen in self._checkpoints else None

    async def check_indexes(self) -> int:
        return 0

    async def close(self) -> None:
        self._closed = True
