"""All records of a store, carried into an empty place of any kind: history, order and checkpoints as they are."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from natural9.store.contract import Checkpoint, Store, Written

PAGE = 2000  # entries in memory at a time


class RecordsCopy(Protocol):
    """Records on their way into a place that had none. Until `open`, nobody takes them for a venue's."""

    @property
    def place(self) -> Path:
        """Where they can be read once they are finished."""
        ...

    def add(self, page: Sequence[Written]) -> None:
        """The next entries in the order of all, which moved what they say."""
        ...

    def add_checkpoints(self, checkpoints: Sequence[Checkpoint]) -> None: ...

    def finish(self, documents: Mapping[str, bytes]) -> None:
        """All of it is there, durable, and can be read: whoever copies verifies it now."""
        ...

    def open(self) -> None:
        """From now on this is where the records are."""
        ...

    def close(self) -> None:
        """What was not opened is left as something unfinished, or taken away."""
        ...


async def copy_all(source: Store, copy: RecordsCopy) -> None:
    """From a store that nobody writes meanwhile, or one moment of it."""
    after = 0
    while page := await source.entries(after=after, limit=PAGE):
        await asyncio.to_thread(copy.add, page)
        after = page[-1].seq
    size = -1
    while notes := await source.checkpoints(after=size, limit=PAGE):
        await asyncio.to_thread(copy.add_checkpoints, notes)
        size = notes[-1].size
    await asyncio.to_thread(copy.finish, await source.documents(""))
