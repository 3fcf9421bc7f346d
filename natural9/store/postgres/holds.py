"""What only one of several nodes may decide about at a time: session locks on a connection of its own.

A session may take its own lock twice, so who holds what here is kept here; the database says whether another node does.
"""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass

from natural9.store.postgres.line import DatabaseLine, RawConnection
from natural9.store.postgres.locks import lock_key, sessions_key

ANSWER_S = 2.0


class _HoldsLine(DatabaseLine):
    """When its node is dead, whoever takes its streams ends this session, and its holds with it."""

    def __init__(self, address: str, node: str) -> None:
        super().__init__(address, f"natural9 node {node}, holds", ANSWER_S)
        self._sessions = sessions_key(node)

    async def _open(self) -> RawConnection:
        raw = await super()._open()
        await raw.fetch("SELECT pg_advisory_lock_shared($1)", self._sessions)
        return raw


@dataclass
class _Held:
    shared: bool
    times_opened: int  # of the line, when the database gave it: with another connection it is gone there
    count: int = 1


class DatabaseHolds:
    """Of one node, on one event loop. A hold that was lost with its connection stays taken here until it is let go."""

    def __init__(self, address: str, node: str) -> None:
        self._line = _HoldsLine(address, node)
        self._turn = asyncio.Lock()
        self._held: dict[str, _Held] = {}
        self._unlocks: list[tuple[int, int, bool]] = []  # times opened, key, shared
        self._tasks: set[asyncio.Task[bool]] = set()

    async def take(self, name: str, *, shared: bool = False) -> bool:
        """Carried through even where nobody waits for it any more: then it is let go."""
        taking = self._begin(self._take(name, shared))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            taking.add_done_callback(lambda done: self._let_go_of(done, name, shared))
            raise

    async def _take(self, name: str, shared: bool) -> bool:
        async with self._turn:
            held = self._held.get(name)
            if held and not (shared and held.shared):
                return False
            if not (held and self._line.is_still(held.times_opened)):
                how = "_shared" if shared else ""
                [[got]] = await self._line.ask(f"SELECT pg_try_advisory_lock{how}($1)", lock_key(name))
                if not got:
                    return False
                held = self._held.get(name)  # it may have been let go meanwhile
            if held:
                held.count += 1
                held.times_opened = self._line.times_opened
            else:
                self._held[name] = _Held(shared, self._line.times_opened)
            return True

    def let_go(self, name: str, *, shared: bool = False) -> None:
        held = self._held[name]
        held.count -= 1
        if not held.count:
            del self._held[name]
            self._unlocks.append((held.times_opened, lock_key(name), held.shared))
            if len(self._unlocks) == 1:
                self._begin(self._unlock())

    def _let_go_of(self, taken: "asyncio.Task[bool]", name: str, shared: bool) -> None:
        if not taken.cancelled() and not taken.exception() and taken.result():
            self.let_go(name, shared=shared)

    async def _unlock(self) -> bool:
        """All that wait for it at once; what was lost with its connection needs none."""
        async with self._turn:
            waiting, self._unlocks = self._unlocks, []
            now = [(key, shared) for opened, key, shared in waiting if self._line.is_still(opened)]
            for how, mode in (("", False), ("_shared", True)):
                if keys := [key for key, shared in now if shared is mode]:
                    await self._line.ask(f"SELECT pg_advisory_unlock{how}(key) FROM unnest($1::bigint[]) AS key", keys)
        return True

    def _begin(self, work: "Coroutine[None, None, bool]") -> "asyncio.Task[bool]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: "asyncio.Task[bool]") -> None:
        self._tasks.discard(task)
        # Who waits for it is told; a lock that could not be let go went with its connection.
        _ = task.cancelled() or task.exception()

    def close(self) -> None:
        self._line.drop()
