"""Whatever a test has verified is verified side by side as well, by workers that share no memory but the store, and
with a closer look at every entry: all must come to the same."""

import asyncio
import pickle
from collections import deque

import pytest

from natural9.store.contract import Store
from natural9.table.audit import verify as verifying
from natural9.table.audit.checkpoint_audit import NotedCheckpoint
from natural9.table.audit.findings import Verified
from natural9.table.audit.rules import LoadGame
from natural9.table.audit.side_by_side import Advance, DoesNotHold, verify_side_by_side
from natural9.table.audit.stream_worker import Message, Share, StreamWorker

one_after_another = verifying.walk


class WorkerHere:
    """In this process, since no other reads a store in memory; what it says is what another process would hear."""

    def __init__(self, store: Store, share: Share, load_game: LoadGame) -> None:
        self._said: deque[bytes] = deque()
        self._work = asyncio.ensure_future(StreamWorker(self, share, load_game).walk(store))

    def send(self, message: Message, /) -> None:
        self._said.append(pickle.dumps(message))

    async def hear(self) -> Message:
        await self._work
        message: Message = pickle.loads(self._said.popleft())
        return message

    def close(self) -> None:
        self._work.cancel()


async def side_by_side(store: Store, load_game: LoadGame, noted: NotedCheckpoint | None) -> Verified | None:
    """None where something does not hold."""
    try:
        return await verify_side_by_side(
            store,
            store,
            lambda share: WorkerHere(store, share, load_game),
            load_game=load_game,
            noted=noted,
            processes=3,
            advance=lambda done, end: None,
        )
    except DoesNotHold:
        return None


async def both_ways(store: Store, load_game: LoadGame, noted: NotedCheckpoint | None, advance: Advance) -> Verified:
    found = await one_after_another(store, load_game, noted, advance)
    assert await one_after_another(store, load_game, noted, advance, by_bytes=False) == found, "a closer look differs"
    assert await side_by_side(store, load_game, noted) == (None if found.fault else found), found.fault
    return found


@pytest.fixture(autouse=True)
def _verified_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "walk", both_ways)
