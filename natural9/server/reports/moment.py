"""One moment of the records: what a report reads belongs together, and no table's own reads wait for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from natural9.store.contract import Store
from natural9.store.sqlite.store import SqliteStore, open_sqlite


@asynccontextmanager
async def moment(store: Store) -> AsyncIterator[Store]:
    """A journal file is opened once more, read-only, which shows it as it stands now; any other store is itself."""
    if not isinstance(store, SqliteStore):
        yield store
        return
    frozen = await asyncio.to_thread(open_sqlite, store.path, read_only=True)
    try:
        yield frozen
    finally:
        await frozen.close()
