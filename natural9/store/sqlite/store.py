"""The journal in one SQLite file: written from one thread or by one process, read by another thread."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TypeVar

import apsw

from natural9.store.chain import STREAM_START
from natural9.store.contract import (
    Access,
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
from natural9.store.sqlite.committer import Writing, keeping, open_committer
from natural9.store.sqlite.file_lock import lock_path
from natural9.store.sqlite.head_file import Heads, head_path
from natural9.store.sqlite.integrity import check_file, check_layout
from natural9.store.sqlite.opening_check import book_at_the_end
from natural9.store.sqlite.process import CommitterProcess
from natural9.store.sqlite.reader import Reader
from natural9.store.sqlite.rights import tighten, warn_of_folder
from natural9.store.sqlite.schema import BUSY_MS, check_version, journal_file, journal_files, speaking_of
from natural9.store.sqlite.writer_thread import Commits, WriterThread

Read = TypeVar("Read")


class SqliteStore:
    """Made by `open_sqlite`."""

    def __init__(self, place: Path, path: Path, reader: Reader, committer: Commits | None) -> None:
        self.place = place
        self._path = path
        self._reader = reader
        self._streams = reader.streams()
        self._writer = WriterThread(committer, path.name, self._streams) if committer else None
        self._reading = ThreadPoolExecutor(1, thread_name_prefix=f"reader of {path.name}")
        self._closed = False

    @asynccontextmanager
    async def moment(self) -> AsyncIterator["SqliteStore"]:
        """The file is opened once more, so that no read of the tables waits for a report's."""
        if self._closed:
            raise StoreFailed("this store is closed")
        if self._writer is None:
            yield self  # it shows one moment already
            return
        still = await asyncio.to_thread(open_sqlite, self._path, Access.READ)
        try:
            yield still
        finally:
            await still.close()

    @property
    def can_write(self) -> bool:
        return self._writer is not None and self._writer.is_able

    def append(self, entries: Sequence[Entry], after: StreamHead) -> Awaitable[int]:
        return self._put(Writing(tuple(entries), after.number, after.hash))

    def _put(self, writing: Writing) -> Awaitable[int]:
        if self._writer is None:
            raise StoreFailed(f"{self._path} is open for reading only")
        return self._writer.put(writing)

    def stream_head(self, stream: str) -> StreamHead:
        return self._streams.get(stream, STREAM_START)

    async def stream_heads(self) -> Mapping[str, StreamHead]:
        return await self._read(self._reader.streams)

    async def entries(
        self,
        *,
        after: int = 0,
        before: int | None = None,
        stream: str | Collection[str] | None = None,
        limit: int = 1000,
    ) -> list[Written]:
        return await self._read(lambda: self._reader.entries(after, stream, limit, before))

    async def entry(self, stream: str, number: int) -> Written | None:
        return await self._read(lambda: self._reader.entry(stream, number))

    async def labelled(self, label: str, *, before: int | None = None, limit: int = 100) -> list[Written]:
        return await self._read(lambda: self._reader.labelled(label, before, limit))

    async def asked(self, requests: Sequence[str]) -> dict[str, Written]:
        return await self._read(lambda: self._reader.asked(requests))

    async def asked_twice(self) -> bool:
        return await self._read(self._reader.asked_twice)

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

    async def transfers_through(self, seq: int) -> int:
        return await self._read(lambda: self._reader.transfers_through(seq))

    async def count_transfers(self, prefix: str, *, through: int) -> int:
        return await self._read(lambda: self._reader.count_transfers(prefix, through))

    async def meters(self, prefix: str = "", *, first_day: str = "", last_day: str = "9999") -> list[Meter]:
        return await self._read(lambda: self._reader.meters(prefix, first_day, last_day))

    async def head(self) -> Head:
        return await self._read(self._reader.head)

    async def tree(self) -> Tree:
        return await self._read(self._reader.tree)

    async def tree_hashes(self, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
        return await self._read(lambda: [self._reader.tree_hash(start, end) for start, end in ranges])

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        await self._put(keeping(checkpoint))

    async def checkpoints(self, *, after: int = -1, limit: int = 1000) -> list[Checkpoint]:
        return await self._read(lambda: self._reader.checkpoints(after, limit))

    async def checkpoint(self, size: int | None = None) -> Checkpoint | None:
        return await self._read(lambda: self._reader.checkpoint(size))

    async def check_indexes(self) -> int:
        return await self._read(lambda: check_file(self._reader.connection, self._path))

    async def _read(self, call: Callable[[], Read]) -> Read:
        if self._closed:
            raise StoreFailed("this store is closed")
        with speaking_of(self._path):
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


def open_sqlite(
    place: Path, access: Access, *, head_copy: Path | None = None, accept_loss: bool = False
) -> SqliteStore:
    """Open the journal of a folder, or a journal file by itself, and check its end.

    Who writes makes a journal where a folder has none. Who reads needs no lock, and sees the journal as it stood at
    that moment, however long a server goes on writing it: a report adds up, and an audit comes to an end.
    """
    place = place.absolute()
    path = journal_file(place).resolve()  # one file has one lock, whatever link it is opened by
    if not path.exists():
        if not place.is_dir():
            raise StoreFailed(f"there is no folder or journal {place}")
        if access is Access.READ:
            if head_path(path).exists():
                raise StoreFailed(f"{path} is missing, though {head_path(path).name} says that there was one")
            raise StoreFailed(f"there is no journal in {place}: nothing was ever recorded there")
    with speaking_of(path), ExitStack() as undo:
        committer: Commits | None = None
        if access is not Access.READ:
            warn_of_folder(path.parent)
            tighten([*journal_files(path), lock_path(path), head_path(path)])
            committer = (
                CommitterProcess(path, head_copy=head_copy)
                if access is Access.SERVE
                else open_committer(path, head_copy=head_copy, accept_loss=accept_loss)
            )
            undo.callback(committer.close)
        reading = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        undo.callback(reading.close)
        reading.set_busy_timeout(BUSY_MS)
        reader = Reader(reading, path)
        if committer is None:
            # Before anything is read: a server that writes meanwhile only goes further. A backup has no such file
            # beside it, and need not go as far as the venue whose settings lie there.
            heads = Heads(path, head_copy if head_path(path).exists() else None)
            reading.execute("BEGIN")  # until it is closed: everything is read from one moment
            check_version(reading, path)
            check_layout(reading, path)
            heads.check(reader, book_at_the_end(reader, path).head, reading=True)
        store = SqliteStore(place, path, reader, committer)
        undo.pop_all()
        return store
