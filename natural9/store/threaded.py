"""A store whose records lie elsewhere: one thread reads them, another hands over what is to be written."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, TypeVar

from natural9.store.chain import STREAM_START
from natural9.store.contract import (
    Checkpoint,
    Entry,
    Head,
    Holds,
    Meter,
    NumberedTransfer,
    StoreFailed,
    StreamHead,
    Tree,
    Written,
)
from natural9.store.group import Commits, Writing, keeping
from natural9.store.writer_thread import WriterThread

Read = TypeVar("Read")


class RecordReader(Protocol):
    """All that is read for the contract, whose words it uses: one call at a time, each on the reading thread."""

    def streams(self) -> dict[str, StreamHead]: ...
    def entries(
        self, after: int, stream: str | Collection[str] | None, limit: int, before: int | None = None
    ) -> list[Written]: ...
    def entry(self, stream: str, number: int) -> Written | None: ...
    def labelled(self, label: str, before: int | None, limit: int) -> list[Written]: ...
    def asked(self, requests: Sequence[str]) -> dict[str, Written]: ...
    def asked_twice(self) -> bool: ...
    def document(self, key: str) -> bytes | None: ...
    def documents(self, prefix: str) -> dict[str, bytes]: ...
    def balance(self, account: str) -> int: ...
    def balances(self, prefix: str) -> dict[str, int]: ...
    def transfers(self, account: str | None, after: int, limit: int) -> list[NumberedTransfer]: ...
    def transfers_through(self, seq: int) -> int: ...
    def count_transfers(self, prefix: str, through: int) -> int: ...
    def meters(self, prefix: str, first_day: str, last_day: str) -> list[Meter]: ...
    def head(self) -> Head: ...
    def tree(self) -> Tree: ...
    def tree_hash(self, start: int, end: int) -> bytes: ...
    def checkpoints(self, after: int, limit: int) -> list[Checkpoint]: ...
    def checkpoint(self, size: int | None) -> Checkpoint | None: ...
    def close(self) -> None: ...


class ThreadedStore(ABC):
    """All of the contract but `moment`; what is one store's own, its kind says."""

    def __init__(
        self, place: Path, name: str, reader: RecordReader, committer: Commits | None, *, at_once: bool = False
    ) -> None:
        """`name` is what people call the records: a file, or a database. `at_once`: reads do not wait for a thread."""
        self.place = place
        self._name = name
        self._reader = reader
        self._streams = reader.streams()
        self._writer = WriterThread(committer, name, self._streams) if committer else None
        self._reading = None if at_once else ThreadPoolExecutor(1, thread_name_prefix=f"reader of {name}")
        self._closed = False

    @abstractmethod
    def _speaking(self) -> AbstractContextManager[None]:
        """What an engine says of its records, as this room says it."""
        ...

    @abstractmethod
    def _check_indexes(self) -> int: ...

    @property
    def holds(self) -> Holds | None:
        return None

    @property
    def can_write(self) -> bool:
        return self._writer is not None and self._writer.is_able

    def append(self, entries: Sequence[Entry], after: StreamHead) -> Awaitable[int]:
        return self._put(Writing(tuple(entries), after.number, after.hash))

    def _put(self, writing: Writing) -> Awaitable[int]:
        if self._writer is None:
            raise StoreFailed(f"{self._name} is open for reading only")
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
        return await self._read(self._check_indexes)

    async def _read(self, call: Callable[[], Read]) -> Read:
        if self._closed:
            raise StoreFailed("this store is closed")
        with self._speaking():
            if self._reading is None:
                return call()
            return await asyncio.get_running_loop().run_in_executor(self._reading, call)

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._let_go)

    def _let_go(self) -> None:
        if self._reading:
            self._reading.shutdown()
        self._reader.close()
        if self._writer:
            self._writer.finish()
