"""The one thread that hands a store what is to be written: whatever waits when it looks goes into one group."""

import asyncio
import threading
from contextlib import suppress

from natural9.store.contract import StoreFailed, StreamHead
from natural9.store.group import Commits, Committed, Outcome, Writing

Waiting = tuple[Writing, asyncio.Future[int], asyncio.AbstractEventLoop]


class WriterThread:
    def __init__(self, committer: Commits, name: str, streams: dict[str, StreamHead]) -> None:
        """`streams` is kept up to date with all that is answered."""
        self._committer = committer
        self._streams = streams
        self._waiting: list[Waiting] = []
        self._wake = threading.Condition(threading.Lock())
        self._closing = False
        self.failures = 0  # how often nobody knew what was written
        self._thread = threading.Thread(target=self._run, name=f"writer of {name}", daemon=True)
        self._thread.start()

    @property
    def is_able(self) -> bool:
        return not self._closing and self._committer.is_able

    def put(self, writing: Writing) -> asyncio.Future[int]:
        """Queue an append; called on an event loop, which is where the answer comes."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[int] = loop.create_future()
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

    def _answer(self, group: list[Waiting], committed: Committed) -> None:
        """Once per event loop, however many wait on it."""
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[int], Outcome]]] = {}
        for (_, answer, loop), outcome in zip(group, committed.outcomes, strict=True):
            by_loop.setdefault(loop, []).append((answer, outcome))
        for loop, answers in by_loop.items():
            with suppress(RuntimeError):  # that loop is closed, so nobody waits there any more
                loop.call_soon_threadsafe(self._give, answers, committed.streams)

    def _give(self, answers: list[tuple[asyncio.Future[int], Outcome]], streams: dict[str, StreamHead]) -> None:
        self._streams.update(streams)
        for answer, outcome in answers:
            self.failures += type(outcome) is StoreFailed
            if not answer.done():  # its caller may have stopped waiting
                if isinstance(outcome, int):
                    answer.set_result(outcome)
                else:
                    answer.set_exception(outcome)
