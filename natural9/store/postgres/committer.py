"""What writes a journal in a database: one statement for each group of appends, and no transaction that stays open.

The database decides: whether a stream is still ours and ends where we believe, whether every account can pay, whether a
document is what it was. A group that is refused is sent again, append by append, so that each answers for itself.
"""

import os
import socket
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import asyncpg

from natural9.store.balances import Balances, Book, check
from natural9.store.chain import GENESIS, STREAM_START
from natural9.store.contract import (
    Checkpoint,
    Entry,
    LostCommits,
    NoLongerOwner,
    NotTheHead,
    Overdrawn,
    StoreFailed,
    StreamHead,
    Transfer,
)
from natural9.store.group import Committed, Outcome, Writing
from natural9.store.opening_check import book_at_the_end, check_whole
from natural9.store.postgres import schema
from natural9.store.postgres.connection import ConnectionLost, DatabaseConnection, Row
from natural9.store.postgres.heads import check_loss, heads_files
from natural9.store.postgres.integrity import check_records
from natural9.store.postgres.locks import lock_writers
from natural9.store.postgres.reader import DatabaseReader
from natural9.store.postgres.rows import Batch
from natural9.store.postgres.schema import check_schema, check_server, make_schema, note_loss

APPEND_S = 30.0  # a statement that takes longer is one whose answer is lost
AWAY_S = 60.0  # how long a database may be away before whoever waits is told that nobody knows

NOT_OURS, SHORT = "N9001", "N9002"
# A document is another than was believed; somebody paid in since; two waited for each other, and this one gave way.
AGAIN = ("N9003", SHORT, "40P01")

TAKE_ALL = "UPDATE stream SET epoch = epoch + 1, owner = $1, since = clock_timestamp() RETURNING name, epoch"
BEGIN_STREAM = """
INSERT INTO stream (name, epoch, owner, number, hash, transfers) VALUES ($1, 1, $2, 0, $3, 0)
ON CONFLICT (name) DO UPDATE SET owner = excluded.owner RETURNING epoch
"""
HEADS = "SELECT name, epoch, owner, number, hash FROM stream WHERE name = ANY ($1)"
KEEP = """
INSERT INTO checkpoint SELECT * FROM unnest($1::bigint[], $2::text[])
ON CONFLICT (size) DO UPDATE SET note = excluded.note WHERE length(excluded.note) >= length(checkpoint.note)
"""


class _UncheckedBalances(Balances):
    """The database's affair."""

    def move(self, transfers: Sequence[Transfer]) -> None:
        pass

    def move_back(self, transfers: Sequence[Transfer]) -> None:
        pass


_Append = tuple[int, Writing]  # with its place in the group


class DatabaseCommitter:
    """Made by `open_committer`, writes alone. Stops for good when it is no longer known what the database holds."""

    def __init__(self, connection: DatabaseConnection, book: Book, owner: str) -> None:
        self._connection = connection
        self._book = Book(_UncheckedBalances(), streams=book.streams, documents=book.documents)
        self._owner = owner
        self._epochs: dict[str, int] = {}
        self._acknowledged = dict(book.streams)
        self._failed: StoreFailed | None = None
        self._accepting: Sequence[Path] | None = None

    @property
    def is_able(self) -> bool:
        return self._failed is None

    def commit(self, group: Sequence[Writing]) -> Committed:
        outcomes: list[Outcome] = [0] * len(group)
        if self._failed is None:
            try:
                committed = self._commit(group, outcomes)
                if committed.streams and self._accepting is not None:
                    self._accept(self._accepting)
                return committed
            except StoreFailed as error:
                said = self._fail(error)
            except Exception as error:  # whatever it was: nothing may be written after it
                said = self._fail(StoreFailed(f"the journal could not be written: {type(error).__name__}: {error}"))
        else:
            said = self._failed
        return Committed([type(said)(str(said)) for _ in group], {})

    def _fail(self, error: StoreFailed) -> StoreFailed:
        """What every append of this group is told. That commits were lost is everybody's affair."""
        self._failed = error
        if isinstance(error, LostCommits):
            with suppress(Exception):
                note_loss(self._connection, str(error))
        return error

    def accept_loss(self, files: Sequence[Path]) -> None:
        """Once something more is written, whatever these files say was lost does not count any more."""
        self._accepting = files

    def _accept(self, files: Sequence[Path]) -> None:
        schema.accept_loss(self._connection)
        for path in files:
            path.unlink(missing_ok=True)
        self._accepting = None

    def _commit(self, group: Sequence[Writing], outcomes: list[Outcome]) -> Committed:
        appends = [one for one in enumerate(group) if one[1].checkpoint is None]
        self._write(appends, outcomes)
        if len(appends) < len(group):
            checkpoints = {at: one.checkpoint for at, one in enumerate(group) if one.checkpoint is not None}
            self._keep(list(checkpoints.values()))
            for at, checkpoint in checkpoints.items():
                outcomes[at] = checkpoint.size
        written = {one.entries[0].stream for at, one in appends if type(outcomes[at]) is int}
        return Committed(outcomes, {name: self._book.streams[name] for name in written})

    def _keep(self, checkpoints: Sequence[Checkpoint]) -> None:
        notes = dict(checkpoints)
        self._ask(KEEP, list(notes), list(notes.values()))

    def _ask(self, sql: str, *values: object) -> list[Row]:
        """What may be asked twice."""
        while True:
            try:
                return self._connection.fetch(sql, *values)
            except ConnectionLost as lost:
                self._return_from(lost, {})

    def _write(self, appends: Sequence[_Append], outcomes: list[Outcome]) -> None:
        """All of them at once; where the database refuses that, in halves, until it is known which it refuses."""
        batch = Batch(self._book)
        taken: list[_Append] = []
        for one in appends:
            at, writing = one
            try:
                check(writing.entries)
                stream = writing.entries[0].stream
                if stream not in self._epochs and (not_ours := self._own(stream)):
                    outcomes[at] = not_ours
                    continue
                batch.add(writing)
            except (NotTheHead, ValueError, asyncpg.DataError) as refused:  # this append's own affair
                outcomes[at] = _value_error(refused).with_traceback(None)
            else:
                outcomes[at] = writing.number + 1
                taken.append(one)
        if not taken:
            return
        try:
            self._send(batch)
        except asyncpg.PostgresError as refused:
            batch.take_back()
            half = len(taken) // 2
            if half:
                self._write(taken[:half], outcomes)
                self._write(taken[half:], outcomes)
            else:
                self._answer_alone(taken[0], batch, refused, outcomes)

    def _answer_alone(
        self, one: _Append, batch: Batch, refused: asyncpg.PostgresError, outcomes: list[Outcome]
    ) -> None:
        """What is wrong with the only append that was sent; or it is sent again."""
        (at, writing), state = one, refused.sqlstate
        if state == NOT_OURS:
            outcomes[at] = self._not_ours(writing.entries[0].stream)
        elif state == SHORT and (overdrawn := self._overdrawn(writing.entries)):
            outcomes[at] = overdrawn
        elif state in AGAIN:
            self._look_again(batch.document_keys)
            self._write([one], outcomes)
        elif isinstance(refused, asyncpg.DataError):
            outcomes[at] = _value_error(refused)
        else:
            raise refused

    def _send(self, batch: Batch) -> None:
        """Durable when it returns. A statement whose answer was lost may still be at work while it is sent again: then
        it comes second, and finds what it was to write."""
        epochs = [self._epochs[name] for name in batch.streams]
        again = False
        while True:
            try:
                self._connection.fetch(batch.STATEMENT, *batch.values(epochs))
                break
            except ConnectionLost as lost:
                if self._return_from(lost, batch.heads):
                    break
                again = True
            except asyncpg.PostgresError as refused:
                if not (again and refused.sqlstate == NOT_OURS and self._compare(batch.heads)):
                    raise
                break
        self._acknowledged |= batch.heads

    def take_all(self) -> None:
        self._epochs = dict(self._connection.fetch(TAKE_ALL, self._owner))

    def _own(self, stream: str) -> NoLongerOwner | None:
        """A stream that there is none of yet is begun."""
        stream.encode()  # what is no Unicode is a value that cannot be kept
        [[self._epochs[stream]]] = self._ask(BEGIN_STREAM, stream, self._owner, GENESIS)
        return None

    def _not_ours(self, stream: str) -> StoreFailed:
        [(_, _, owner, number, _)] = self._ask(HEADS, [stream])
        whose = f"is written by {owner} now" if owner else "has no owner now"
        return NoLongerOwner(f"{stream}, which ends with entry {number}, {whose}: this writer stops")

    def _overdrawn(self, entries: Iterable[Entry]) -> Overdrawn | None:
        transfers = [transfer for entry in entries for transfer in entry.transfers]
        accounts = {account for _, source, target, _ in transfers for account in (source, target)}
        kept = self._ask("SELECT account, cents FROM balance WHERE account = ANY ($1)", list(accounts))
        try:
            Balances((account, cents) for account, cents in kept).move(transfers)
        except Overdrawn as overdrawn:
            return overdrawn.with_traceback(None)
        return None

    def _look_again(self, keys: Sequence[str]) -> None:
        """At documents that others write, too."""
        found = dict(self._ask("SELECT key, sha256 FROM document WHERE key = ANY ($1)", list(keys)))
        for key in keys:
            self._book.documents.pop(key, None)
        self._book.documents.update(found)

    def _return_from(self, lost: ConnectionLost, sent: Mapping[str, StreamHead]) -> bool:
        """Reach the database again, and see whether what was on its way is there. StoreFailed if it stays away, or
        somebody else writes there by now."""
        until = time.monotonic() + AWAY_S
        wait_s = 0.05
        while True:
            try:
                self._connection.reopen()
                lock_writers(self._connection, alone=True)
                return self._compare(sent)
            except ConnectionLost as still:
                if time.monotonic() > until:
                    raise StoreFailed(
                        f"{still}; for {AWAY_S:.0f} seconds nobody knows whether the last entries were written"
                    ) from lost
            time.sleep(wait_s)
            wait_s = min(2 * wait_s, 1.0)

    def _compare(self, sent: Mapping[str, StreamHead]) -> bool:
        """Whether what was on its way is there, by the heads that it leads to. LostCommits if not even what was
        acknowledged is."""
        rows = {row["name"]: row for row in self._connection.fetch(HEADS, list(self._epochs))}
        for name, epoch in self._epochs.items():
            if rows[name]["epoch"] != epoch:
                raise self._not_ours(name)
        found = {name: StreamHead(row["number"], row["hash"], 0) for name, row in rows.items()}
        if sent and all(_end(found[name]) == _end(after) for name, after in sent.items()):
            return True
        for name in sorted(self._epochs):
            known, there = self._acknowledged.get(name, STREAM_START), found[name]
            if _end(known) != _end(there):
                raise self._lost_commits(name, known, there)
        return False

    def _lost_commits(self, stream: str, known: StreamHead, there: StreamHead) -> LostCommits:
        (number, hashed), (last, last_hash) = _end(known), _end(there)
        return LostCommits(
            f"{self._connection.name} has lost commits: of {stream}, entry {number} ({hashed.hex()[:16]}) was"
            f" acknowledged, and now it ends with entry {last} ({last_hash.hex()[:16]}); a fail-over went to a"
            " server that did not have them: nothing more is written"
        )

    def close(self) -> None:
        self._connection.close()


def _value_error(refused: Exception) -> Exception:
    """What a database calls data that it cannot keep is what every store calls a value."""
    return ValueError(str(refused)) if isinstance(refused, asyncpg.DataError) else refused


def _end(head: StreamHead) -> tuple[int, bytes]:
    assert head.hash is not None
    return head.number, head.hash


def open_committer(
    address: str, owner: int | None = None, *, folder: Path | None = None, accept_loss: bool = False
) -> DatabaseCommitter:
    """Make the schema where there is none, check the records, and take every stream over.

    `owner` is the process that whoever finds the records in use should look for. LostEntries where nodes that wrote
    from this folder know of entries that are not there, unless a person accepts that."""
    who = writer_name(owner)
    connection = DatabaseConnection(address, application=who, timeout_s=APPEND_S)
    try:
        check_server(connection)
        lock_writers(connection, alone=True)
        make_schema(connection)
        book = checked_book(connection)
        files = heads_files(folder) if folder else []
        if not accept_loss:
            check_loss(connection, book.head, folder, files)
        committer = DatabaseCommitter(connection, book, who)
        if accept_loss:
            committer.accept_loss(files)
        committer.take_all()
        return committer
    except BaseException:
        connection.close()
        raise


def writer_name(owner: int | None) -> str:
    """As others see it."""
    return f"natural9 at {socket.gethostname()}, process {owner or os.getpid()}"[:63]


def checked_book(connection: DatabaseConnection) -> Book:
    """What a writer goes on from; Corrupt where it does not hold together."""
    check_schema(connection, reading=False)
    reader = DatabaseReader(connection, live=True)
    reader.hold_moment()  # others may be at work
    book = book_at_the_end(reader, connection.name)
    check_whole(reader, book.head, lambda: check_records(connection))
    reader.let_go()
    return book
