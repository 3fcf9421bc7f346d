"""All stores, opened the same way, and entries to put into them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar
from weakref import WeakKeyDictionary

from natural9.store.audit import Audit, audit
from natural9.store.chain import STREAM_START
from natural9.store.contract import Access, Entry, Store, StreamHead, Transfer, Written
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_shared, open_store
from natural9.store.postgres.store import SharedPostgresStore
from natural9.store.streams import Stream
from natural9.torture.chance import chance_of
from natural9.torture.disk import SimulatedDisk
from tests.store.postgres_server import emptied_place, psql

DAY = "2026-11-16"
AnyStore = TypeVar("AnyStore", bound=Store)


class _Owning(SharedPostgresStore):
    """Takes each stream over when it is first written, as a node's lease would have it."""

    def append(self, entries: Sequence[Entry], after: StreamHead) -> Awaitable[int]:
        stream = entries[0].stream if entries else ""
        if stream.isprintable() and stream not in self._streams:
            assert self.place is not None
            psql(self.place, f"INSERT INTO stream VALUES ('{stream}', 1, 'one', 0, decode(repeat('00', 32), 'hex'), 0)")
            self._streams[stream] = STREAM_START
            self.take_over(stream, 1)
        return super().append(entries, after)


def _shared(access: Access) -> Store:
    store = open_shared(emptied_place(), access, node="one", folder=None)
    store.__class__ = _Owning
    return store


# Every store there is, opened in an empty folder: the contract is asked of each of them.
STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda folder: MemoryStore(),
    "simulated": lambda folder: SimulatedDisk(chance_of(1, "disk")).open(),
    "sqlite": lambda folder: open_store(folder, Access.WRITE),
    "sqlite-process": lambda folder: open_store(folder, Access.SERVE),
    "postgres": lambda folder: open_store(emptied_place(), Access.WRITE),
    "postgres-shared": lambda folder: _shared(Access.WRITE),
}


def entry(
    *transfers: Transfer,
    stream: str = "table/1",
    kind: str = "noted",
    body: bytes = b'{"note":"\xc3\xa9"}',
    label: str = "",
    day: str = DAY,
    documents: tuple[tuple[str, bytes | None], ...] = (),
    request: str = "",
) -> Entry:
    return Entry(stream, kind, body, 1_795_000_000_000, day, label, transfers, documents, request)


def as_sent(kept: Written, documents: tuple[tuple[str, bytes | None], ...] = ()) -> Entry:
    """What was appended, but for the documents written beside it, which no journal keeps."""
    return Entry(
        kept.stream, kept.kind, kept.body, kept.at_ms, kept.day, kept.label, kept.transfers, documents, kept.request
    )


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def buy(terminal: int, cents: int) -> Transfer:
    return Transfer("buy", "desk/1", f"terminal/{terminal}", cents)


def bet(terminal: int, cents: int) -> Transfer:
    return Transfer("bet", f"terminal/{terminal}", "stake/1", cents)


_writing: "WeakKeyDictionary[Store, dict[str, Stream]]" = WeakKeyDictionary()


def append(store: Store, entries: Sequence[Entry]) -> "asyncio.Future[int]":
    """As the one writer of their stream, who goes on after whatever is refused; the place of the first of them."""
    streams = _writing.setdefault(store, {})
    name = entries[0].stream if entries else ""
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def done(sent: "asyncio.Future[int]") -> None:
        error = sent.exception()
        if error:
            streams.pop(name, None)
        if not answer.done():
            answer.set_exception(error) if error else answer.set_result(sent.result())

    try:
        sent = asyncio.ensure_future(streams.setdefault(name, Stream(store, name)).append(entries))
    except Exception:
        del streams[name]
        raise
    sent.add_done_callback(done)
    return answer


@asynccontextmanager
async def closing_store(store: AnyStore) -> AsyncIterator[AnyStore]:
    try:
        yield store
    finally:
        await store.close()


async def audited(store: Store) -> Audit:
    """What the audit of a store says, which is closed afterwards."""
    async with closing_store(store):
        return await audit(store)
