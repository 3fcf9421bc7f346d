"""Stores that misbehave on purpose, or remember: around the real one in memory."""

import asyncio
from collections.abc import Sequence

from natural9.store.contract import Entry, StoreFailed, StreamHead, Written
from natural9.store.memory import MemoryStore


class RememberingStore(MemoryStore):
    """It keeps what was appended, call by call, so that the power can be cut after each."""

    def __init__(self) -> None:
        super().__init__()
        self.appended: list[list[Entry]] = []

    def append(self, entries: Sequence[Entry], after: StreamHead) -> asyncio.Future[int]:
        self.appended.append(list(entries))
        return super().append(entries, after)

    async def cut_off_after(self, appends: int) -> MemoryStore:
        """What was durable after so many appends."""
        store = MemoryStore()
        for entries in self.appended[:appends]:
            await store.append(entries, store.stream_head(entries[0].stream))
        return store


class FailingStore(MemoryStore):
    """The disk is full at the n-th append, and stays so."""

    def __init__(self) -> None:
        super().__init__()
        self.appends_left = 10**9

    def append(self, entries: Sequence[Entry], after: StreamHead) -> asyncio.Future[int]:
        self.appends_left -= 1
        if self.appends_left >= 0:
            return super().append(entries, after)
        failed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        failed.set_exception(StoreFailed("the disk is full"))
        return failed


class UnreadableStore(MemoryStore):
    """From some time on, no earlier entry can be read."""

    unreadable = False

    async def labelled(self, label: str, *, limit: int = 100, before: int | None = None) -> list[Written]:
        if self.unreadable:
            raise StoreFailed("the disk is broken")
        return await super().labelled(label, limit=limit, before=before)


class AwayStore(MemoryStore):
    """From some time on, nobody can say what was asked before: a database that cannot be reached."""

    away = False

    async def asked(self, requests: Sequence[str]) -> dict[str, Written]:
        if self.away:
            raise StoreFailed("the database cannot be reached")
        return await super().asked(requests)


class SlowStore(MemoryStore):
    """Nothing is durable until the test lets it be."""

    def __init__(self) -> None:
        super().__init__()
        self.slow = False
        self._queued: list[tuple[Sequence[Entry], StreamHead, asyncio.Future[int]]] = []

    def append(self, entries: Sequence[Entry], after: StreamHead) -> asyncio.Future[int]:
        if not self.slow:
            return super().append(entries, after)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._queued.append((entries, after, answer))
        return answer

    @property
    def queued(self) -> int:
        return len(self._queued)

    async def let_one_be_durable(self) -> None:
        entries, after, answer = self._queued.pop(0)
        answer.set_result(await super().append(entries, after))
