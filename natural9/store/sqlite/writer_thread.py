"""The one thread that hands a journal file what is to be written: whatever waits when it looks goes into one group."""

import asyncio
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from natural9.store.contract import Appended, StoreFailed, StreamHead
from natural9.store.sqlite.committer import Outcome, Writing

Waiting = tuple[Writing, asyncio.Future[Appended], asyncio.AbstractEventLoop]


class Commits(Protocol):
    """A Committer, in this process or another."""

    @property
    def is_able(self) -> bool: ...
    def commit(self, group: Sequence[Writing]) -> list[Outcome]: ...
    def close(self) -> None: ...


class WriterThread:
    def __init__(self, committer: Commits, name: str, streams: dict[str, StreamHead]) -> None:
        """`streams` is kept up to date with all that is answered."""
        self._committer = committer
        self._streams = streams
        self._waiting: list[Waiting] = []
        self._wake = threading.Condition(threading.Lock())
        self._closing = False
        self._thread = threading.Thread(target=self._run, name=f"writer of {name}", daemon=True)
        self._thread.start()

    @property
    def is_able(self) -> bool:
        return not self._closing and self._committer.is_able

    def put(self, writing: Writing) -> asyncio.Future[Appended]:
        """Queue an append; called on an event loop, which is where the answer comes."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Appended] = loop.create_future()
        with self._wake:
            if self._closing:
                answer.set_exception(StoreFailed("this store is closed"))
            else:
                self._waiting.append((writing, answer, loop))
                if len(self._waiting) == 1:  # else the writer is at work, and looks again when it is done
                    self._wake.notify()
        return answer

    def finish(self) -> None:
        """Write what waits, then end."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._closing:
                    self._wake.wait()
                group, self._waiting = self._waiting, []
            if not group:
                break
            self._answer(group, self._committer.commit([writing for writing, _, _ in group]))
        self._committer.close()

    def _answer(self, group: list[Waiting], outcomes: list[Outcome]) -> None:
        """Once per event loop, however many wait on it."""
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Waiting, Outcome]]] = {}
        for waiting, outcome in zip(group, outcomes, strict=True):
            by_loop.setdefault(waiting[2], []).append((waiting, outcome))
        for loop, answers in by_loop.items():
            with suppress(RuntimeError):  # that loop is closed, so nobody waits there any more
                loop.call_soon_threadsafe(self._give, answers)

    def _give(self, answers: list[tuple[Waiting, Outcome]]) -> None:
        for ((entries, _, _), answer, _), outcome in answers:
            if isinstance(outcome, Appended):
                if entries:
                    self._streams[entries[0].stream] = outcome.head
                if not answer.done():  # its caller may have stopped waiting
                    answer.set_result(outcome)
            elif not answer.done():
                answer.set_exception(outcome)
