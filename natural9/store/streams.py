"""Who writes a stream, and keeps count of it: every append names the head that it continues."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Final

from natural9.store.contract import Entry, Store, StoreFailed, StreamHead

MOST_WAITING: Final = 65_536  # of one stream


class Stream:
    """Of one writer, who goes on before what was written last is durable, and stops for good when any of it is refused:
    what follows it names a head that never came to be."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._name = name
        self.number = store.stream_head(name).number  # of the last entry that was handed over

    def append(self, entries: Sequence[Entry]) -> Awaitable[int]:
        known = self._store.stream_head(self._name)
        after = known if known.number == self.number else StreamHead(self.number, None, 0)
        self.number += len(entries)
        return self._store.append(entries, after)


class SharedStream:
    """Of several who write without knowing of each other. Each append waits until the one before it is durable or
    refused, so that one which is refused is its own affair. A journal that does not keep up is not: who was refused may
    have counted on it already, so nothing follows."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._name = name
        self._waiting: deque[tuple[Sequence[Entry], asyncio.Future[int]]] = deque()
        self._busy = self._is_behind = False
        self._idle = asyncio.Event()

    def append(self, entries: Sequence[Entry]) -> asyncio.Future[int]:
        """In the order of the calls, whether or not anybody waits for the answer."""
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        if len(self._waiting) >= MOST_WAITING:
            self._is_behind = True
        if self._is_behind:
            most = f"more than {MOST_WAITING} appends wait to be written"
            answer.set_exception(StoreFailed(f"{self._name}: {most}: the journal does not keep up"))
            return answer
        self._waiting.append((entries, answer))
        self._idle.clear()
        self._next()
        return answer

    def _next(self) -> None:
        while self._waiting and not self._busy:
            entries, answer = self._waiting.popleft()
            try:
                sent = asyncio.ensure_future(self._store.append(entries, self._store.stream_head(self._name)))
            except Exception as refused:  # a value that cannot be kept
                answer.set_exception(refused)
            else:
                self._busy = True
                sent.add_done_callback(partial(self._done, answer))
        if not self._busy:
            self._idle.set()

    def _done(self, answer: "asyncio.Future[int]", sent: "asyncio.Future[int]") -> None:
        self._busy = False
        error = sent.exception()
        if not answer.done():  # its caller may have stopped waiting
            if error:
                answer.set_exception(error)
            else:
                answer.set_result(sent.result())
        self._next()

    async def rest(self) -> None:
        """Wait until nothing waits any more."""
        if self._busy:
            await self._idle.wait()
