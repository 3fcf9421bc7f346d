"""Everything that is read from a journal file, on one connection, one call at a time."""

from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import apsw
from msgspec import MsgspecError

from natural9.store.chain import START
from natural9.store.contract import (
    Checkpoint,
    Corrupt,
    Hashed,
    Head,
    Meter,
    NumberedTransfer,
    StreamHead,
    Transfer,
    Tree,
    Written,
)
from natural9.store.documents import decode_documents
from natural9.store.sqlite.rows import INDEXED
from natural9.store.tree import hash_of

# The body comes as bytes: decoding what is encoded again at once costs time, and damaged text must not stop a reader.
COLUMNS = (
    "seq, stream, number, kind, CAST(body AS BLOB), at_ms, day, label, request,"
    " first_transfer, first_in_ledger, transfers, documents, hash"
)
LARGEST = 2**63 - 1
SPARSE = 8  # one transfer of so many: more than that, and each run is found by itself
LAST_CHARACTER = "\U0010ffff"
LAST_DAY = "9999"
# What is sorted in, then what is not yet; one statement, so that both are of one moment.
OF_ACCOUNT = f"""
SELECT number FROM (
    SELECT number FROM account_transfer WHERE account = ?3 AND number > ?1 UNION ALL
    SELECT number FROM transfer WHERE number > max(?1, {INDEXED}) AND (source = ?3 OR target = ?3)
) ORDER BY number LIMIT ?2
"""
# The same of all accounts that start so, counted.
OF_PREFIX = f"""
SELECT
    (SELECT count(*) FROM account_transfer WHERE account >= ?1 AND account < ?2 AND number <= ?3) +
    (SELECT coalesce(sum((source >= ?1 AND source < ?2) + (target >= ?1 AND target < ?2)), 0)
        FROM transfer WHERE number > {INDEXED} AND number <= ?3)
"""

# Their names, each found in the index by the one before it: a step for each stream, however many entries there are.
ALL_STREAMS = """
WITH RECURSIVE found (name) AS (
    SELECT min(stream) FROM journal UNION ALL
    SELECT (SELECT min(stream) FROM journal WHERE stream > name) FROM found WHERE name IS NOT NULL
) SELECT name FROM found WHERE name IS NOT NULL
"""

Row = tuple[int, str, int, str, bytes, int, str, str, str, int, int, int, str, bytes]


class Reader:
    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        self.connection = connection
        self._execute = connection.execute
        self._path = path
        self.close = connection.close

    def head(self) -> Head:
        meta = dict(self._execute("SELECT key, value FROM meta"))
        try:
            head = Head(int(meta["entries"]), bytes.fromhex(meta["last_hash"]), int(meta["transfers"]))
        except (KeyError, ValueError) as error:
            raise Corrupt(f"{self._path}: the table meta does not say how far the journal goes: {error}") from error
        if max(head.seq, head.transfers) > LARGEST:
            raise Corrupt(f"{self._path}: the table meta says that the journal has {head.seq} entries")
        return head

    def entries(
        self, after: int, stream: str | Collection[str] | None, limit: int, before: int | None = None
    ) -> list[Written]:
        chosen, values = "", tuple[str, ...]()
        if stream is not None:
            values = (stream,) if isinstance(stream, str) else tuple(stream)
            # Several are read row by row, as they lie: to go from one to the next by an index costs more.
            chosen = "stream = ? AND " if len(values) == 1 else f"+stream IN ({','.join('?' * len(values))}) AND "
        end = LARGEST if before is None else before
        sql = f"SELECT {COLUMNS} FROM journal WHERE {chosen} seq > ? AND seq < ? ORDER BY seq LIMIT ?"
        return self._with_transfers(list(self._execute(sql, (*values, after, end, max(limit, 0)))))

    def entry(self, stream: str, number: int) -> Written | None:
        """Numbers rise with places, so the place is found by halving: no index is kept for what is asked rarely."""
        first, last = number, self.head().seq
        sql = "SELECT seq, number FROM journal WHERE stream = ? AND seq >= ? ORDER BY seq LIMIT 1"
        while first <= last:
            middle = (first + last) // 2
            found = next(iter(self._execute(sql, (stream, middle))), None)
            if found is None or found[0] > last or found[1] > number:
                last = middle - 1
            elif found[1] < number:
                first = found[0] + 1
            else:
                return self.entries(found[0] - 1, stream, 1)[0]
        return None

    def labelled(self, label: str, before: int | None, limit: int) -> list[Written]:
        # The label that is not empty is said again so that the partial index is used.
        sql = f"SELECT {COLUMNS} FROM journal WHERE label = ? AND label != '' AND seq < ? ORDER BY seq DESC LIMIT ?"
        end = LARGEST if before is None else before
        return self._with_transfers(list(self._execute(sql, (label, end, max(limit, 0)))))

    def asked(self, requests: Sequence[str]) -> dict[str, Written]:
        sql = f"SELECT {COLUMNS} FROM journal WHERE request = ? AND request != '' ORDER BY seq LIMIT 1"
        rows = [row for request in dict.fromkeys(requests) for row in self._execute(sql, (request,))]
        return {written.request: written for written in self._with_transfers(rows)}

    def asked_twice(self) -> bool:
        sql = "SELECT 1 FROM journal WHERE request != '' GROUP BY request HAVING count(*) > 1 LIMIT 1"
        return next(iter(self._execute(sql)), None) is not None

    def _with_transfers(self, rows: list[Row]) -> list[Written]:
        """Transfers lie in the order of their entries, so entries that follow each other are read with one query."""
        found = self._transfers_of(rows)
        written: list[Written] = []
        make, keep = tuple.__new__, written.append
        for row in rows:
            seq, stream, number, kind, body, at_ms, day, label, request, first, ledger, many, beside, hashed = row
            transfers = _NO_TRANSFERS
            if many:
                one = found.get(ledger)
                if many == 1 and one and one[1] == seq:  # nearly always
                    transfers = (make(Transfer, one[2:]),)
                else:
                    transfers = _transfers(seq, ledger, many, found)
            documents, added = _documents(seq, beside) if beside else _NO_DOCUMENTS
            # What the named tuple's own way to be made does, without its call: audits read millions.
            values = (
                seq, stream, number, kind, body, at_ms, day, label, request, first, transfers, documents, added, hashed
            )  # fmt: skip
            keep(make(Written, values))
        return written

    def _transfers_of(self, rows: list[Row]) -> "dict[int, TransferRow]":
        """Those of these entries, by number. Where most that lie between are theirs, all are read at once."""
        theirs = [(row[10], row[10] + row[11]) for row in rows if row[11] > 0]
        if not theirs:
            return {}
        sql = (
            "SELECT number, seq, kind, source, target, cents FROM transfer WHERE number >= ? AND number < ?"
            " ORDER BY number"
        )
        start, end = min(theirs)[0], max(theirs)[1]  # in whatever order they were asked for
        ranges = [(start, end)] if end - start <= SPARSE * len(theirs) else _joined(theirs)
        return {row[0]: row for first, last in ranges for row in self._execute(sql, (first, min(last, LARGEST)))}

    def before(self, written: Written) -> Written | None:
        """The entry before it in its stream."""
        return self.last_of(written.stream, before=written.seq)

    def last_of(self, stream: str, *, before: int = LARGEST, with_documents: bool = False) -> Written | None:
        """The last entry of a stream, or the last that wrote documents."""
        chosen = "stream = ? AND seq BETWEEN 1 AND ?" + (" AND documents != ''" if with_documents else "")
        sql = f"SELECT {COLUMNS} FROM journal WHERE {chosen} ORDER BY seq DESC LIMIT 1"
        return next(iter(self._with_transfers(list(self._execute(sql, (stream, before - 1))))), None)

    def last_with_documents(self, stream: str) -> Written | None:
        return self.last_of(stream, with_documents=True)

    def written_documents(self) -> Iterator[tuple[str, Hashed]]:
        """Those of every entry that wrote any, with its stream, oldest first, whatever the indexes say."""
        sql = "SELECT seq, stream, documents FROM journal NOT INDEXED WHERE documents != ''"
        for seq, stream, beside in self._execute(sql):
            yield stream, _documents(seq, beside)[0]

    def streams(self) -> dict[str, StreamHead]:
        """How far each goes."""
        found = {name: self.last_of(name) for (name,) in self._execute(ALL_STREAMS)}
        return {name: last.stream_head for name, last in found.items() if last}

    def head_at(self, seq: int) -> Head | None:
        """Where the journal stood after this entry, if there is one."""
        sql = "SELECT seq, hash, first_in_ledger + transfers - 1 FROM journal WHERE seq = ?"
        return next((Head(*row) for row in self._execute(sql, (seq,))), None) if seq else START

    def transfers_through(self, seq: int) -> int:
        sql = "SELECT first_in_ledger + transfers - 1 FROM journal WHERE seq <= ? ORDER BY seq DESC LIMIT 1"
        return next((number for (number,) in self._execute(sql, (min(seq, LARGEST),))), 0)

    def tree(self) -> Tree:
        size = self.head().seq
        return Tree(size, self.tree_hash(0, size))

    def tree_hash(self, start: int, end: int) -> bytes:
        return hash_of(start, end, self.nodes)

    def nodes(self, level: int, first: int, end: int) -> list[bytes]:
        """The hashes of the tree's nodes; those of entries are at level 0."""
        sql = "SELECT hash FROM tree WHERE level = ? AND place >= ? AND place < ? ORDER BY place"
        values: tuple[int, ...] = (level, first, end)
        if level == 0:
            sql = "SELECT hash FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq"
            values = (first, end)
        found = [hashed for (hashed,) in self._execute(sql, values)]
        if len(found) != end - first:
            raise Corrupt(f"{self._path} is damaged: of its tree, nodes {first} to {end} of level {level} are missing")
        return found

    def checkpoints(self, after: int, limit: int) -> list[Checkpoint]:
        sql = "SELECT size, note FROM checkpoint WHERE size > ? ORDER BY size LIMIT ?"
        return [Checkpoint(*row) for row in self._execute(sql, (after, max(limit, 0)))]

    def checkpoint(self, size: int | None) -> Checkpoint | None:
        sql = "SELECT size, note FROM checkpoint WHERE ?1 IS NULL OR size = ?1 ORDER BY size DESC LIMIT 1"
        return next((Checkpoint(*row) for row in self._execute(sql, (size,))), None)

    def document(self, key: str) -> bytes | None:
        row: tuple[bytes] | None = self._execute("SELECT value FROM document WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    def documents(self, prefix: str) -> dict[str, bytes]:
        sql = "SELECT key, value FROM document WHERE key >= ? AND key < ? ORDER BY key"
        return dict(self._execute(sql, (prefix, prefix + LAST_CHARACTER)))

    def document_hashes(self) -> dict[str, str]:
        """Of all documents, one in memory at a time."""
        return {key: sha256(value).hexdigest() for key, value in self._execute("SELECT key, value FROM document")}

    def balance(self, account: str) -> int:
        return self.balances_between(account, account).get(account, 0)

    def balances(self, prefix: str) -> dict[str, int]:
        return self.balances_between(prefix, prefix + LAST_CHARACTER)

    def balances_between(self, first: str, last: str) -> dict[str, int]:
        sql = "SELECT account, cents FROM balance WHERE account BETWEEN ? AND ? ORDER BY account"
        return dict(self._execute(sql, (first, last)))

    def transfers(self, account: str | None, after: int, limit: int) -> list[NumberedTransfer]:
        values: tuple[int | str, ...] = (after, max(limit, 0))
        chosen = "SELECT number FROM transfer WHERE number > ?1 ORDER BY number LIMIT ?2"
        if account is not None:
            values += (account,)
            chosen = OF_ACCOUNT
        # One without its entry is shown all the same: the audit looks for it.
        sql = (
            "SELECT t.number, t.seq, coalesce(at_ms, 0), coalesce(day, ''), t.kind, source, target, cents"
            f" FROM ({chosen}) JOIN transfer AS t USING (number) LEFT JOIN journal ON journal.seq = t.seq"
            " ORDER BY t.number"
        )
        return [
            NumberedTransfer(number, seq, at_ms, day, Transfer(*transfer))
            for number, seq, at_ms, day, *transfer in self._execute(sql, values)
        ]

    def has_transfers_after(self, number: int) -> bool:
        return bool(self.transfers(None, number, 1))

    def count_transfers(self, prefix: str, through: int) -> int:
        found: tuple[int] = next(self._execute(OF_PREFIX, (prefix, prefix + LAST_CHARACTER, min(through, LARGEST))))
        return found[0]

    def meters(self, prefix: str, first_day: str = "", last_day: str = LAST_DAY) -> list[Meter]:
        sql = (
            "SELECT account, day, kind, in_cents, in_count, out_cents, out_count FROM meter"
            " WHERE account >= ? AND account < ? AND day BETWEEN ? AND ? ORDER BY account, day, kind"
        )
        values = (prefix, prefix + LAST_CHARACTER, first_day, last_day)
        return [Meter(*row) for row in self._execute(sql, values)]


_NO_TRANSFERS: Final[tuple[Transfer, ...]] = ()
_NO_DOCUMENTS: Final[tuple[Hashed, str]] = ((), "")
TransferRow = tuple[int, int, str, str, str, int]


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that begin where the one before ends are one."""
    joined: list[tuple[int, int]] = []
    for first, last in ranges:
        if joined and joined[-1][1] == first:
            first = joined.pop()[0]
        joined.append((first, last))
    return joined


def _transfers(seq: int, ledger: int, many: int, found: dict[int, TransferRow]) -> tuple[Transfer, ...]:
    """Those of one entry, each number once and in order."""
    rows = [row for number in range(ledger, ledger + min(many, len(found))) if (row := found.get(number))]
    if len(rows) != many or any(row[1] != seq for row in rows):
        raise Corrupt(f"entry {seq}: its transfers should be {many} from number {ledger}, but they are not")
    return tuple([tuple.__new__(Transfer, row[2:]) for row in rows])


def _documents(seq: int, beside: str) -> tuple[Hashed, str]:
    try:
        return decode_documents(beside) if beside else _NO_DOCUMENTS
    except MsgspecError as error:
        raise Corrupt(f"entry {seq}: what it says of documents cannot be read: {error}") from error
