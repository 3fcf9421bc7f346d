"""What writes a journal file: one connection with its book, and a transaction for each group of appends."""

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import apsw

from natural9.disk.durable import make_durable, write_again
from natural9.store.balances import Book, check
from natural9.store.chain import START
from natural9.store.contract import Checkpoint, StoreFailed, Written
from natural9.store.group import Committed, Outcome, Writing
from natural9.store.opening_check import book_at_the_end, check_whole
from natural9.store.sqlite.file_lock import FileLock
from natural9.store.sqlite.head_file import Heads
from natural9.store.sqlite.integrity import check_file, check_layout
from natural9.store.sqlite.reader import Reader
from natural9.store.sqlite.rows import Rows
from natural9.store.sqlite.schema import BUSY_MS, check_version, create_journal, log_file, speaking_of
from natural9.store.tree import Growing

FLAGS: Final = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX  # one thread at a time has a committer


class Committer:
    """Made by `open_committer`. Stops for good at the first failure: the book may then not be the file's."""

    def __init__(self, connection: apsw.Connection, book: Book, growing: Growing, lock: FileLock, heads: Heads) -> None:
        self._connection = connection
        self._book = book
        self._growing = growing
        self._lock = lock
        self._heads = heads
        self._rows = Rows(connection)
        self._failed = ""

    @property
    def is_able(self) -> bool:
        return not self._failed

    def commit(self, group: Sequence[Writing]) -> Committed:
        """Whatever has a number is durable."""
        if not self._failed:
            try:
                return self._commit(group)
            except Exception as error:  # whatever it was: nothing may be written after it
                self._failed = f"the journal could not be written: {type(error).__name__}: {error}"
                with suppress(apsw.Error):  # an unfinished transaction is none, rolled back or not
                    self._connection.execute("ROLLBACK")
        return Committed([StoreFailed(self._failed) for _ in group], {})

    def _commit(self, group: Sequence[Writing]) -> Committed:
        outcomes: list[Outcome] = []
        written: list[Written] = []
        streams: set[str] = set()
        checkpoints: list[Checkpoint] = []
        documents: dict[str, bytes | None] = {}
        for entries, number, hashed, checkpoint, _ in group:
            if checkpoint:
                checkpoints.append(checkpoint)
                outcomes.append(checkpoint.size)
                continue
            try:
                check(entries)
                posted = self._book.post(entries, number, hashed)
            except Exception as refused:  # Overdrawn, or a value that cannot be kept: this append's own affair
                outcomes.append(refused.with_traceback(None))  # which would keep the whole group in memory
                continue
            first = posted[0]
            streams.add(first.stream)
            outcomes.append(first.number)
            written += posted
            for entry in entries:
                if beside := entry.documents:
                    documents.update(beside)
        if written:
            self._heads.begin(self._book.head)
            self._connection.execute("BEGIN IMMEDIATE")
            self._rows.write(written, self._book.head, self._book.balances)
            self._rows.write_tree(self._growing.add([entry.hash for entry in written]))
            self._rows.write_documents(documents)
            self._rows.write_index(self._book.head.transfers)
            self._rows.write_checkpoints(checkpoints)
            self._connection.execute("COMMIT")
            self._heads.finish()
        elif checkpoints:
            self._rows.write_checkpoints(checkpoints)
        return Committed(outcomes, {stream: self._book.streams[stream] for stream in streams})

    def close(self) -> None:
        with suppress(OSError):  # a disk that failed may fail here, too; what was acknowledged is on it
            self._heads.close()
        with suppress(apsw.Error):
            self._connection.close()
        self._lock.release()


def open_committer(
    path: Path, owner: int | None = None, *, head_copy: Path | None = None, accept_loss: bool = False
) -> Committer:
    """Lock a journal file, made where there is none, check it, and that it goes as far as was ever acknowledged.

    `owner` is the process that whoever finds it locked should look for.
    """
    with speaking_of(path), ExitStack() as undo:
        lock = FileLock(path, owner or os.getpid())
        undo.callback(lock.release)
        heads = Heads(path, head_copy)
        if not path.exists():
            if not accept_loss:
                heads.check(None, START)
            create_journal(path)
        lock.take_journal()
        log = log_file(path)
        if log.exists():  # whoever wrote last did not close it
            write_again(log)
        connection = _connect(path)
        undo.callback(connection.close)
        reader = Reader(connection, path)
        book = book_at_the_end(reader, str(path))
        check_whole(reader, book.head, lambda: check_file(connection, path))
        undo.callback(heads.close)
        if not accept_loss:
            heads.check(reader, book.head)
        # The log is there by now, and what SQLite keeps beside a file in another mode is gone. A disk that forgets
        # either would come back without the log, or undo what followed; not every build of SQLite sees to it.
        make_durable(path.parent)
        heads.open(book.head, anew=accept_loss)
        if not accept_loss:  # what was committed and not acknowledged counts from now on
            heads.begin(book.head)
            heads.finish()
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        committer = Committer(connection, book, Growing(book.head.seq, reader.nodes), lock, heads)
        undo.pop_all()
        return committer


def _connect(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=FLAGS, statementcachesize=128)
    # A log that is refused stays as it is: closing would take it away, with whatever can still be saved from it.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.set_busy_timeout(BUSY_MS)
    check_version(connection, path)
    check_layout(connection, path)
    mode = connection.pragma("journal_mode", "wal")
    if mode != "wal":
        raise StoreFailed(
            f"{path} stays in journal mode {mode}: its folder must be on a local disk that can be written"
        )
    connection.pragma("synchronous", "full")
    connection.pragma("cache_size", -65536)  # kibibytes, negative by SQLite's custom
    return connection
