"""The one thread that writes a journal file: whatever waits when it looks goes into one transaction."""

import asyncio
import threading
from contextlib import suppress

import apsw

from natural9.store.contract import Entry, StoreFailed, Written
from natural9.store.ledger import Book
from natural9.store.sqlite_rows import Rows

Waiting = tuple[tuple[Entry, ...], asyncio.Future[int], asyncio.AbstractEventLoop]
Outcome = int | Exception


class Writer:
    """Owns its connection and the book. Stops for good at the first failure: the book may then not be the file's."""

    def __init__(self, connection: apsw.Connection, book: Book, name: str) -> None:
        self._connection = connection
        self._book = book
        self._rows = Rows(connection)
        self._waiting: list[Waiting] = []
        self._wake = threading.Condition(threading.Lock())
        self._closing = False
        self._failed = ""
        self._thread = threading.Thread(target=self._run, name=f"writer of {name}", daemon=True)
        self._thread.start()

    def put(self, entries: tuple[Entry, ...]) -> asyncio.Future[int]:
        """Queue an append; called on an event loop, which is where the answer comes."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[int] = loop.create_future()
        with self._wake:
            if self._closing:
                answer.set_exception(StoreFailed("this store is closed"))
            else:
                self._waiting.append((entries, answer, loop))
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
            _answer(group, self._outcomes(group))
        with suppress(apsw.Error):  # a file that failed may fail to close, too
            self._connection.close()

    def _outcomes(self, group: list[Waiting]) -> list[Outcome]:
        """The number, or what is wrong, for each append of the group; whatever has a number is durable."""
        if not self._failed:
            try:
                return self._commit(group)
            except Exception as error:  # whatever it was: nothing may be written after it
                self._failed = f"the journal could not be written: {type(error).__name__}: {error}"
                with suppress(apsw.Error):  # an unfinished transaction is none, rolled back or not
                    self._connection.execute("ROLLBACK")
        return [StoreFailed(self._failed) for _ in group]

    def _commit(self, group: list[Waiting]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        written: list[Written] = []
        documents: dict[str, bytes | None] = {}
        for entries, _, _ in group:
            try:
                posted = self._book.post(entries)
            except Exception as refused:  # Overdrawn, or a value that cannot be encoded: this append's own affair
                outcomes.append(refused.with_traceback(None))  # which would keep the whole group in memory
                continue
            outcomes.append(posted[0].seq)
            written += posted
            for entry in entries:
                if entry.documents:
                    documents.update(entry.documents)
        if written:
            self._connection.execute("BEGIN IMMEDIATE")
            self._rows.write(written, self._book.head, self._book.balances)
            self._rows.write_documents(documents)
            self._rows.write_index(self._book.head.transfers)
            self._connection.execute("COMMIT")
        return outcomes


def _answer(group: list[Waiting], outcomes: list[Outcome]) -> None:
    """Once per event loop, however many wait on it."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[int], Outcome]]] = {}
    for (_, answer, loop), outcome in zip(group, outcomes, strict=True):
        by_loop.setdefault(loop, []).append((answer, outcome))
    for loop, answers in by_loop.items():
        with suppress(RuntimeError):  # that loop is closed, so nobody waits there any more
            loop.call_soon_threadsafe(_give, answers)


def _give(answers: list[tuple[asyncio.Future[int], Outcome]]) -> None:
    for answer, outcome in answers:
        if not answer.done():  # its caller may have stopped waiting
            if isinstance(outcome, int):
                answer.set_result(outcome)
            else:
                answer.set_exception(outcome)
