"""What writes a journal in a database together with others: each stream by who has taken it over under its epoch.

The database refuses whoever's epoch is over. A statement whose answer was lost is not sent again: its streams are given
up, and when somebody claims them anew, their next epoch shuts that statement out, too, if it is still on its way.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from natural9.store.balances import Book
from natural9.store.contract import LostCommits, NoLongerOwner, StoreFailed, StreamHead
from natural9.store.documents import decode_documents
from natural9.store.group import Committed, Outcome, Ownership, Writing
from natural9.store.postgres import locks
from natural9.store.postgres.committer import DatabaseCommitter, checked_book, writer_name
from natural9.store.postgres.connection import ConnectionLost, DatabaseConnection, Row
from natural9.store.postgres.heads import HASH_AT, HeadsKeeper, check_loss, check_node_name, heads_file
from natural9.store.postgres.locks import WRITERS, lock_sessions
from natural9.store.postgres.schema import accepted_losses, check_server, is_up_to_date, make_schema

ANSWER_S = 10.0  # a statement that takes longer is one whose answer is lost

# Once for each epoch: a statement whose answer was lost, and that comes late, never finds the stream as it was.
TAKE_OVER = """
UPDATE stream SET entered = epoch WHERE name = $1 AND epoch = $2 AND owner = $3 AND entered < epoch
RETURNING number, hash, transfers
"""
LAST_DOCUMENTS = """
SELECT documents FROM journal WHERE stream = $1 AND documents <> '' ORDER BY number DESC LIMIT 1
"""


class SharedCommitter(DatabaseCommitter):
    """Made by `open_shared_committer`. Goes on after whatever happens, but for commits that were lost."""

    def __init__(self, connection: DatabaseConnection, book: Book, node: str, heads: HeadsKeeper | None) -> None:
        super().__init__(connection, book, node)
        self._heads = heads
        self._is_connected = True

    def _commit(self, group: Sequence[Writing], outcomes: list[Outcome]) -> Committed:
        """In their order where a stream comes or goes."""
        streams: dict[str, StreamHead] = {}
        start = 0
        for at, writing in enumerate(group):
            if writing.ownership is not None:
                self._commit_some(group, start, at, outcomes, streams)
                self._change(writing.ownership, at, outcomes, streams)
                start = at + 1
        self._commit_some(group, start, len(group), outcomes, streams)
        return Committed(outcomes, streams)

    def _commit_some(
        self, group: Sequence[Writing], start: int, end: int, outcomes: list[Outcome], streams: dict[str, StreamHead]
    ) -> None:
        if start < end:
            outcomes[start:end], written = super()._commit(group[start:end], outcomes[start:end])
            streams |= written
            if self._heads:
                self._heads.note(written)

    def _change(self, ownership: Ownership, at: int, outcomes: list[Outcome], streams: dict[str, StreamHead]) -> None:
        stream, epoch = ownership
        if epoch is None:
            self._epochs.pop(stream, None)
            if self._heads:
                self._heads.flush()
            return
        try:
            streams[stream] = self._take_over(stream, epoch)
        except NoLongerOwner as refused:  # its own affair
            outcomes[at] = refused.with_traceback(None)
        else:
            outcomes[at] = streams[stream].number

    def _take_over(self, stream: str, epoch: int) -> StreamHead:
        self._epochs.pop(stream, None)
        there = self._ask(TAKE_OVER, stream, epoch, self._owner)
        if not there:
            raise NoLongerOwner(f"{stream} cannot be taken over under epoch {epoch}: claim it anew")
        [(number, hashed, transfers)] = there
        head = StreamHead(number, hashed, transfers)
        self._check_acknowledged(stream, head)
        self._book.documents.sums.pop(stream, None)
        for (beside,) in self._ask(LAST_DOCUMENTS, stream):
            self._book.documents.sums[stream] = int(decode_documents(beside)[1], 16)
        self._book.streams[stream] = self._acknowledged[stream] = head
        self._epochs[stream] = epoch
        return head

    def _check_acknowledged(self, stream: str, head: StreamHead) -> None:
        known = self._acknowledged.get(stream)
        if known is None or known.number == 0:
            return
        found = head.hash
        if known.number != head.number:
            found = next((hashed for (hashed,) in self._ask(HASH_AT, stream, known.number)), None)
        if found != known.hash:
            raise self._lost_commits(stream, known, head)

    def _own(self, stream: str) -> NoLongerOwner | None:
        stream.encode()  # what is no Unicode is a value that cannot be kept
        return NoLongerOwner(f"{stream} is not written here: it was not taken over, or was given up since")

    def _not_ours(self, stream: str) -> StoreFailed:
        self._epochs.pop(stream, None)
        return super()._not_ours(stream)

    def _ask(self, sql: str, *values: object) -> list[Row]:
        if not self._is_connected:
            self._connection.reopen()
            lock_sessions(self._connection, self._owner)
            self._is_connected = True
        return self._connection.fetch(sql, *values)

    def _return_from(self, lost: ConnectionLost, sent: Mapping[str, StreamHead]) -> bool:
        raise lost

    def _fail(self, error: StoreFailed) -> StoreFailed:
        """Nobody knows what was written: all is given up, and taken over anew."""
        self._epochs.clear()
        if isinstance(error, LostCommits):
            return super()._fail(error)
        self._is_connected = False
        return StoreFailed(f"{error}; nobody knows whether the last entries were written")

    def close(self) -> None:
        if self._heads:
            self._heads.close()
        super().close()


def open_shared_committer(address: str, node: str, folder: Path | None, owner: int | None = None) -> SharedCommitter:
    """Make the schema where there is none, and check the records: as far as this node knew them, they are there."""
    check_node_name(node)
    with ExitStack() as undo:
        connection = DatabaseConnection(address, application=writer_name(owner), timeout_s=ANSWER_S, connect_s=ANSWER_S)
        undo.callback(connection.close)
        check_server(connection)
        _make_schema(connection)
        lock_sessions(connection, node)
        book = checked_book(connection)
        check_loss(connection, book.head, folder, [heads_file(folder, node)] if folder else [])
        heads = None
        if folder:
            heads = HeadsKeeper(heads_file(folder, node), accepted_losses(connection))
        committer = SharedCommitter(connection, book, node, heads)
        undo.pop_all()
        return committer


def _make_schema(connection: DatabaseConnection) -> None:
    """By whoever comes first, and while nobody writes."""
    until = time.monotonic() + locks.PATIENCE_S
    while not is_up_to_date(connection):
        [[alone]] = connection.fetch("SELECT pg_try_advisory_lock($1)", WRITERS)
        if alone:
            make_schema(connection)
            connection.fetch("SELECT pg_advisory_unlock($1)", WRITERS)
        elif time.monotonic() > until:
            raise StoreFailed(
                f"{connection.name} has an older schema, and somebody writes there: stop every node, then start this"
                " one, which brings it up to date"
            )
        else:
            time.sleep(0.05)
