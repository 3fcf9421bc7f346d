"""A store that tells a tape of every answer that it gives."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import Any, cast

import apsw

from natural9.store.contract import Entry, Store, StreamHead
from natural9.store.sqlite.store import SqliteStore
from tests.torture.disk.recording import Durable, History
from tests.torture.disk.tape import Tape


class _Telling(SqliteStore):
    """Tells a tape how far the journal goes by every answer that it gives."""

    tape: Tape

    def append(self, entries: Sequence[Entry], after: StreamHead) -> Awaitable[int]:
        stream, many = entries[0].stream, len(entries)
        answer = asyncio.ensure_future(super().append(entries, after))

        def answered(done: "asyncio.Future[int]") -> None:
            if not done.cancelled() and done.exception() is None:
                self.tape.acknowledge(Durable(stream, done.result() + many - 1))

        answer.add_done_callback(answered)
        return answer


def telling(store: Store, tape: Tape) -> Store:
    told = cast(_Telling, store)
    told.__class__ = _Telling
    told.tape = tape
    return told


async def history(store: Store) -> History:
    found: History = {}
    while page := await store.entries(after=len(found)):
        found |= {(written.stream, written.number): written.hash for written in page}
    return found


def kill(store: Store) -> None:
    """Before it is closed: as of a process that was killed, the log stays as it is."""
    cast(Any, store)._writer._committer._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
