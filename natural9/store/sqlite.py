"""The journal in one SQLite file: written by one thread, read by another."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import apsw

from natural9.store.chain import GENESIS, START, follow
from natural9.store.contract import (
    FLOATING,
    Corrupt,
    Entry,
    Head,
    Meter,
    NumberedTransfer,
    StoreFailed,
    Written,
)
from natural9.store.file_lock import FileLock
from natural9.store.ledger import Balances, Book, check
from natural9.store.sqlite_reader import Reader
from natural9.store.sqlite_schema import check_version, create_tables, has_tables, speaking_of
from natural9.store.sqlite_writer import Writer

CHECKED_AT_OPENING = 1000  # entries at the end of the journal; the whole of it is the audit's
BUSY_MS = 10_000  # how long to wait for a backup or a reader that recovers the file

Read = TypeVar("Read")


class SqliteStore:
    """Made by `open_sqlite`."""

    def __init__(self, path: Path, reader: Reader, writer: Writer | None, lock: FileLock | None) -> None:
        self.path = path
        self._reader = reader
        self._writer = writer
        self._lock = lock
        self._reading = ThreadPoolExecutor(1, thread_name_prefix=f"reader of {path.name}")
        self._closed = False

    def append(self, entries: Sequence[Entry]) -> Awaitable[int]:
        check(entries)
        if self._writer is None:
            raise StoreFailed(f"{self.path} is open for reading only")
        return self._writer.put(tuple(entries))

    async def entries(self, *, after: int = 0, stream: str | None = None, limit: int = 1000) -> list[Written]:
        return await self._read(lambda: self._reader.entries(after, stream, limit))

    async def labelled(self, label: str, *, before: int | None = None, limit: int = 100) -> list[Written]:
        return await self._read(lambda: self._reader.labelled(label, before, limit))

    async def document(self, key: str) -> bytes | None:
        return await self._read(lambda: self._reader.document(key))

    async def documents(self, prefix: str) -> dict[str, bytes]:
        return await self._read(lambda: self._reader.documents(prefix))

    async def balance(self, account: str) -> int:
        return await self._read(lambda: self._reader.balance(account))

    async def balances(self, prefix: str = "") -> Mapping[str, int]:
        return await self._read(lambda: self._reader.balances(prefix))

    async def transfers(
        self, *, account: str | None = None, after: int = 0, limit: int = 1000
    ) -> list[NumberedTransfer]:
        return await self._read(lambda: self._reader.transfers(account, after, limit))

    async def meters(self, prefix: str = "", *, first_day: str = "", last_day: str = "9999") -> list[Meter]:
        return await self._read(lambda: self._reader.meters(prefix, first_day, last_day))

    async def head(self) -> Head:
        return await self._read(self._reader.head)

    async def _read(self, call: Callable[[], Read]) -> Read:
        if self._closed:
            raise StoreFailed("this store is closed")
        with speaking_of(self.path):
            return await asyncio.get_running_loop().run_in_executor(self._reading, call)

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        self._reading.shutdown()
        self._reader.close()
        if self._writer:
            self._writer.finish()
        if self._lock:
            self._lock.release()


def open_sqlite(
    path: Path | str,
    *,
    create: bool = False,
    read_only: bool = False,
    may_go_below_zero: tuple[str, ...] = FLOATING,
) -> SqliteStore:
    """Open a journal file and check its end; `create` makes it where there is none.

    Read-only needs no lock, and shows the journal as it stood at that moment, however long a server goes on writing
    it: a report adds up, and an audit comes to an end.
    """
    path = Path(path).resolve()  # one file has one lock, whatever link it is opened by
    if not path.exists() and (read_only or not create):
        raise StoreFailed(f"there is no journal {path}")
    with speaking_of(path), ExitStack() as undo:
        lock = None if read_only else FileLock(path)
        if lock:
            undo.callback(lock.release)
        writing = None if read_only else _connect_writer(path, create=create)
        if writing:
            undo.callback(writing.close)
        reading = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        undo.callback(reading.close)
        reading.set_busy_timeout(BUSY_MS)
        if read_only:
            reading.execute("BEGIN")  # until it is closed: everything is read from one moment
        check_version(reading, path)
        reader = Reader(reading, path)
        book = _book_at_the_end(reader, path, may_go_below_zero)
        writer = Writer(writing, book, path.name) if writing else None
        store = SqliteStore(path, reader, writer, lock)
        undo.pop_all()
        return store


def _connect_writer(path: Path, *, create: bool) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    connection = apsw.Connection(str(path), flags=flags, statementcachesize=128)
    connection.set_busy_timeout(BUSY_MS)
    if create and not has_tables(connection):
        create_tables(connection, GENESIS)
    check_version(connection, path)
    mode = connection.pragma("journal_mode", "wal")
    if mode != "wal":
        raise StoreFailed(
            f"{path} stays in journal mode {mode}: its folder must be on a local disk that can be written"
        )
    connection.pragma("synchronous", "full")
    connection.pragma("cache_size", -65536)  # kibibytes, negative by SQLite's custom
    return connection


def _book_at_the_end(reader: Reader, path: Path, may_go_below_zero: tuple[str, ...]) -> Book:
    """What the writer goes on from, checked over the last entries: opening must not cost more with every round."""
    head = reader.head()
    after = max(head.seq - CHECKED_AT_OPENING, 0)
    last = reader.entries(after - 1, None, CHECKED_AT_OPENING + 2)  # one more than there should be
    reached = START
    if after:
        if not last or last[0].seq != after:
            raise Corrupt(f"{path}: entry {after} is missing, though the journal goes to entry {head.seq}")
        anchor = last.pop(0)
        reached = Head(anchor.seq, anchor.hash, anchor.first_transfer + len(anchor.transfers) - 1)
    for written in last:
        reached = follow(reached, written)
    if reached != head:
        raise Corrupt(
            f"{path}: the table meta says that the journal ends with entry {head.seq} and transfer {head.transfers},"
            f" but it ends with entry {reached.seq} and transfer {reached.transfers}, or with another hash"
        )
    if reader.transfers(None, head.transfers, 1):
        raise Corrupt(f"{path}: transfer {head.transfers + 1} belongs to no entry")
    balances = Balances(reader.balances("").items(), may_go_below_zero=may_go_below_zero)
    if total := sum(balances.values()):
        raise Corrupt(f"{path}: the balances add up to {total} cents instead of nothing")
    return Book(balances, head)
