"""Everything that is read from a journal in a database, on one connection, one call at a time."""

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar

import asyncpg
from msgspec import MsgspecError

from natural9.store.chain import START
from natural9.store.contract import (
    Checkpoint,
    Corrupt,
    Hashed,
    Head,
    Meter,
    NumberedTransfer,
    StoreFailed,
    StreamHead,
    Transfer,
    Tree,
    Written,
)
from natural9.store.documents import decode_documents
from natural9.store.postgres.connection import ConnectionLost, DatabaseConnection, Row
from natural9.store.postgres.rows import NO_TRANSFERS, decode_transfers
from natural9.store.tree import hash_of

COLUMNS = (
    "seq, stream, number, kind, body, at_ms, day, journal.label, journal.request,"
    " first_transfer, transfers, documents, hash"
)
JOINED = "FROM place JOIN journal USING (stream, number)"
LARGEST = 2**63 - 1
LAST_CHARACTER = "\U0010ffff"
LAST_DAY = "9999"
AT_A_TIME = 1000
MOMENT_S = 10.0  # how long a moment is waited for at which every entry has its place

Read = TypeVar("Read")


class DatabaseReader:
    """`live` reads give places to whatever has none first; a moment's are all given."""

    def __init__(self, connection: DatabaseConnection, *, live: bool) -> None:
        self.connection = connection
        self._live = live

    def close(self) -> None:
        self.connection.close()

    def _fetch(self, sql: str, *values: object) -> list[Row]:
        """Once more where the connection was lost, if it was not for the sake of one moment."""
        if any(isinstance(value, str) and "\0" in value for value in values):
            return []  # no column holds such a text, so nothing is called so
        try:
            return self.connection.fetch(sql, *values)
        except ConnectionLost:
            if not self._live:
                raise
            self.connection.reopen()
            return self.connection.fetch(sql, *values)

    def _placed(self, sql: str, *values: object) -> list[Row]:
        """What is asked by places."""
        if self._live:
            self._fetch("SELECT give_places()")
        return self._fetch(sql, *values)

    def hold_moment(self) -> None:
        """From now on everything is read as it stands at one moment, at which every entry has its place.

        Between the one statement that gives places and the next, which begins the moment, somebody may have appended:
        then another moment is tried. Who may only read waits for whoever writes to give them."""
        until = time.monotonic() + MOMENT_S
        may_give = True
        while True:
            if may_give:
                try:
                    self.connection.fetch("SELECT give_places()")
                except (StoreFailed, asyncpg.PostgresError):  # a standby, or somebody who may only read
                    may_give = False
            self.connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            [[unplaced]] = self.connection.fetch("SELECT has_unplaced()")
            if not unplaced:
                self._live = False
                return
            self.connection.execute("ROLLBACK")
            if time.monotonic() > until:
                raise StoreFailed(
                    f"{self.connection.name} has entries without a place in the order of all, and who only reads cannot"
                    " give them one: whoever writes there does, as soon as it is started"
                )
            time.sleep(0.001 if may_give else 0.05)

    def let_go(self) -> None:
        """Of the moment."""
        self.connection.execute("ROLLBACK")
        self._live = True

    def head(self) -> Head:
        [(entries, transfers, hashed)] = self._placed("SELECT entries, transfers, hash FROM head")
        return Head(entries, hashed, transfers)

    def entries(
        self, after: int, stream: str | Collection[str] | None, limit: int, before: int | None = None
    ) -> list[Written]:
        chosen: list[object] = [max(after, 0), LARGEST if before is None else before, max(limit, 0)]
        only = ""
        if stream is not None:
            only = " AND stream = $4" if isinstance(stream, str) else " AND stream = ANY ($4)"
            chosen.append(stream if isinstance(stream, str) else list(stream))
        sql = f"SELECT {COLUMNS} {JOINED} WHERE seq > $1 AND seq < $2{only} ORDER BY seq LIMIT $3"
        return _written(self._placed(sql, *chosen))

    def entry(self, stream: str, number: int) -> Written | None:
        found = self._placed(f"SELECT {COLUMNS} {JOINED} WHERE stream = $1 AND number = $2", stream, number)
        return next(iter(_written(found)), None)

    def labelled(self, label: str, before: int | None, limit: int) -> list[Written]:
        sql = (
            f"SELECT {COLUMNS} {JOINED} WHERE place.label = $1 AND place.label <> '' AND seq < $2"
            " ORDER BY seq DESC LIMIT $3"
        )
        return _written(self._placed(sql, label, LARGEST if before is None else before, max(limit, 0)))

    def asked(self, requests: Sequence[str]) -> dict[str, Written]:
        sql = (
            f"SELECT DISTINCT ON (place.request) {COLUMNS} {JOINED}"
            " WHERE place.request = ANY ($1) AND place.request <> '' ORDER BY place.request, seq"
        )
        found = _written(self._placed(sql, [request.encode() for request in requests]))
        return {written.request: written for written in found}

    def asked_twice(self) -> bool:
        sql = "SELECT 1 FROM place WHERE request <> '' GROUP BY request HAVING count(*) > 1 LIMIT 1"
        return bool(self._placed(sql))

    def before(self, written: Written) -> Written | None:
        return self.entry(written.stream, written.number - 1)

    def last_with_documents(self, stream: str) -> Written | None:
        sql = (
            f"SELECT coalesce(seq, 0), {COLUMNS.removeprefix('seq,')}"
            " FROM journal LEFT JOIN place USING (stream, number)"
            " WHERE stream = $1 AND documents <> '' ORDER BY number DESC LIMIT 1"
        )
        return next(iter(_written(self._fetch(sql, stream))), None)

    def written_documents(self) -> Iterator[tuple[str, Hashed]]:
        after = 0
        sql = (
            f"SELECT seq, stream, documents {JOINED} WHERE seq > $1 AND documents <> '' ORDER BY seq LIMIT {AT_A_TIME}"
        )
        while rows := self._fetch(sql, after):
            for after, stream, beside in rows:
                yield stream, _documents(after, beside)[0]

    def streams(self) -> dict[str, StreamHead]:
        sql = "SELECT name, number, hash, transfers FROM stream WHERE number > 0 ORDER BY name"
        return {name: StreamHead(*head) for name, *head in self._fetch(sql)}

    def head_at(self, seq: int) -> Head | None:
        sql = f"SELECT seq, hash, first_in_ledger + place.moves - 1 {JOINED} WHERE seq = $1"
        return next((Head(*row) for row in self._fetch(sql, seq)), None) if seq else START

    def transfers_through(self, seq: int) -> int:
        sql = "SELECT first_in_ledger + moves - 1 FROM place WHERE seq <= $1 ORDER BY seq DESC LIMIT 1"
        return next((number for (number,) in self._placed(sql, min(seq, LARGEST))), 0)

    def tree(self) -> Tree:
        size = self.head().seq
        return Tree(size, self.tree_hash(0, size))

    def tree_hash(self, start: int, end: int) -> bytes:
        return hash_of(start, end, self.nodes)

    def nodes(self, level: int, first: int, end: int) -> list[bytes]:
        """The hashes of the tree's nodes; those of entries are at level 0."""
        if level == 0:
            sql, values = f"SELECT hash {JOINED} WHERE seq > $1 AND seq <= $2 ORDER BY seq", (first, end)
        else:
            sql = "SELECT hash FROM tree WHERE level = $1 AND place >= $2 AND place < $3 ORDER BY place"
            values = (level, first, end)  # type: ignore[assignment]
        found: list[bytes] = [hashed for (hashed,) in self._fetch(sql, *values)]
        if len(found) != end - first:
            where = self.connection.name
            raise Corrupt(f"{where} is damaged: of its tree, nodes {first} to {end} of level {level} are missing")
        return found

    def checkpoints(self, after: int, limit: int) -> list[Checkpoint]:
        sql = "SELECT size, note FROM checkpoint WHERE size > $1 ORDER BY size LIMIT $2"
        return [Checkpoint(*row) for row in self._fetch(sql, after, max(limit, 0))]

    def checkpoint(self, size: int | None) -> Checkpoint | None:
        sql = "SELECT size, note FROM checkpoint WHERE $1::bigint IS NULL OR size = $1 ORDER BY size DESC LIMIT 1"
        return next((Checkpoint(*row) for row in self._fetch(sql, size)), None)

    def document(self, key: str) -> bytes | None:
        found: Iterable[Row] = self._fetch("SELECT value FROM document WHERE key = $1", key)
        return next((value for (value,) in found), None)

    def documents(self, prefix: str) -> dict[str, bytes]:
        sql = "SELECT key, value FROM document WHERE key >= $1 AND key < $2 ORDER BY key"
        return dict(self._fetch(sql, prefix, prefix + LAST_CHARACTER))

    def document_hashes(self) -> dict[str, str]:
        sql = "SELECT key, encode(sha256(value), 'hex') FROM document"
        return dict(self._fetch(sql))

    def balance(self, account: str) -> int:
        found = self._fetch("SELECT cents FROM balance WHERE account = $1", account)
        return next((cents for (cents,) in found), 0)

    def balances(self, prefix: str) -> dict[str, int]:
        sql = "SELECT account, cents FROM balance WHERE account >= $1 AND account < $2 ORDER BY account"
        return dict(self._fetch(sql, prefix, prefix + LAST_CHARACTER))

    def transfers(self, account: str | None, after: int, limit: int) -> list[NumberedTransfer]:
        after = max(after, 0)
        if account is None:
            # An entry has one at least, and the first may be one whose last are wanted.
            sql = (
                f"SELECT seq, at_ms, day, first_in_ledger, transfers {JOINED} WHERE place.moves > 0 AND"
                " first_in_ledger >= coalesce((SELECT max(first_in_ledger) FROM place WHERE moves > 0"
                " AND first_in_ledger <= $1), 0) AND first_in_ledger + place.moves > $1"
                " ORDER BY first_in_ledger LIMIT $2"
            )
            rows = self._placed(sql, min(after + 1, LARGEST), max(limit, 0))
            found = (one for row in rows for one in _numbered(row) if one.number > after)
            return list(islice(found, max(limit, 0)))
        sql = (
            "SELECT seq, at_ms, day, first_in_ledger, transfers, wanted FROM ("
            "SELECT number AS wanted, seq FROM account_transfer WHERE account = $1 AND number > $2"
            " ORDER BY number LIMIT $3) AS chosen"
            " JOIN place USING (seq) JOIN journal USING (stream, number) ORDER BY wanted"
        )
        rows = self._placed(sql, account, after, max(limit, 0))
        return [one for *row, wanted in rows for one in _numbered(row) if one.number == wanted]

    def has_transfers_after(self, number: int) -> bool:
        sql = "SELECT 1 FROM place WHERE moves > 0 AND first_in_ledger > $1 LIMIT 1"
        return bool(self._fetch(sql, number))

    def count_transfers(self, prefix: str, through: int) -> int:
        sql = "SELECT count(*) FROM account_transfer WHERE account >= $1 AND account < $2 AND number <= $3"
        return sum(many for (many,) in self._placed(sql, prefix, prefix + LAST_CHARACTER, min(through, LARGEST)))

    def meters(self, prefix: str, first_day: str = "", last_day: str = LAST_DAY) -> list[Meter]:
        sql = (
            "SELECT account, day, kind, in_cents, in_count, out_cents, out_count FROM meter"
            " WHERE account >= $1 AND account < $2 AND day BETWEEN $3 AND $4 ORDER BY account, day, kind"
        )
        return [Meter(*row) for row in self._fetch(sql, prefix, prefix + LAST_CHARACTER, first_day, last_day)]


_NO_TRANSFERS: Final[tuple[Transfer, ...]] = ()
_NO_DOCUMENTS: Final[tuple[Hashed, str]] = ((), "")


def _written(rows: Iterable[Row]) -> list[Written]:
    written = []
    for seq, stream, number, kind, body, at_ms, day, label, request, first, moved, beside, hashed in rows:
        transfers = _transfers(seq, moved) if moved != NO_TRANSFERS else _NO_TRANSFERS
        documents, added = _documents(seq, beside) if beside else _NO_DOCUMENTS
        written.append(
            Written(
                seq, stream, number, kind, body, at_ms, day, label, request.decode(), first, transfers, documents,
                added, hashed,
            )
        )  # fmt: skip
    return written


def _numbered(row: Sequence[object]) -> Iterator[NumberedTransfer]:
    seq, at_ms, day, first, moved = row
    for number, transfer in enumerate(_transfers(seq, moved), first):  # type: ignore[arg-type]
        yield NumberedTransfer(number, seq, at_ms, day, transfer)  # type: ignore[arg-type]


def _transfers(seq: int, moved: str) -> tuple[Transfer, ...]:
    try:
        return decode_transfers(moved)
    except MsgspecError as error:
        raise Corrupt(f"entry {seq}: its transfers cannot be read: {error}") from error


def _documents(seq: int, beside: str) -> tuple[Hashed, str]:
    try:
        return decode_documents(beside)
    except MsgspecError as error:
        raise Corrupt(f"entry {seq}: what it says of documents cannot be read: {error}") from error
