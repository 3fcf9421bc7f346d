"""All stores, opened the same way, and entries to put into them."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from natural9.store.audit import Audit, audit
from natural9.store.contract import Access, Entry, Store, Transfer
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store

DAY = "2026-11-16"
AnyStore = TypeVar("AnyStore", bound=Store)


# Every store there is, opened in an empty folder: the contract is asked of each of them.
STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda folder: MemoryStore(),
    "sqlite": lambda folder: open_store(folder, Access.WRITE),
    "sqlite-process": lambda folder: open_store(folder, Access.SERVE),
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


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def buy(terminal: int, cents: int) -> Transfer:
    return Transfer("buy", "desk/1", f"terminal/{terminal}", cents)


def bet(terminal: int, cents: int) -> Transfer:
    return Transfer("bet", f"terminal/{terminal}", "stake/1", cents)


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
