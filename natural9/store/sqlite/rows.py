"""How a group of entries becomes rows: few statements, however many entries there are."""

from collections.abc import Iterable, Mapping

import apsw

from natural9.store.balances import Balances, Counts, count
from natural9.store.contract import Checkpoint, Head, Transfer, Written
from natural9.store.documents import encode_documents
from natural9.store.tree import Node

Values = list[str | int | bytes | None]

NEW_BALANCE = "ON CONFLICT DO UPDATE SET cents = excluded.cents"
NEW_NOTE = "ON CONFLICT DO UPDATE SET note = excluded.note"
NEW_DOCUMENT = "ON CONFLICT DO UPDATE SET value = excluded.value"
NEW_METER = "ON CONFLICT DO UPDATE SET " + ", ".join(
    f"{name} = {name} + excluded.{name}" for name in ("in_cents", "in_count", "out_cents", "out_count")
)
NEW_HEAD = """
INSERT INTO meta VALUES ('entries', ?1), ('transfers', ?2), ('last_hash', ?3)
ON CONFLICT DO UPDATE SET value = excluded.value
"""
# Sorting transfers in by account touches a page for every account. Doing so with every group would halve the pace.
INDEX_EVERY = 8192
INDEXED = "(SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'indexed_transfers')"
NEW_INDEX = f"""
INSERT INTO account_transfer
    SELECT source, number FROM transfer WHERE number > {INDEXED} UNION ALL
    SELECT target, number FROM transfer WHERE number > {INDEXED} ORDER BY 1, 2
"""


class Insert:
    """Many rows with one statement.

    A statement gives the interpreter's lock away while it runs, and a busy event loop keeps it for milliseconds:
    a statement a row would make a group of a hundred wait for it a hundred times. So rows go in together, in
    statements of 1, 2, 4 ... 512 rows (few enough to stay prepared), the rows that are too many being NULL.
    """

    MOST_ROWS = 512  # longer statements are not kept prepared

    def __init__(self, connection: apsw.Connection, table: str, columns: int, then: str = "") -> None:
        self._execute = connection.execute
        self._columns = columns
        row = f"({','.join('?' * columns)})"
        self._statements = {
            1 << power: f"INSERT INTO {table} SELECT * FROM (VALUES {','.join([row] * (1 << power))})"
            f" WHERE column1 IS NOT NULL {then}"
            for power in range(self.MOST_ROWS.bit_length())
        }

    def __call__(self, values: Values) -> None:
        most = self.MOST_ROWS * self._columns
        for start in range(0, len(values), most):
            some = values[start : start + most]
            rows = len(some) // self._columns
            room = 1 << (rows - 1).bit_length()
            some += [None] * ((room - rows) * self._columns)
            self._execute(self._statements[room], some)


class Rows:
    """Writes on one connection; the caller begins and commits."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._transfers: int = connection.execute("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'transfers'").get
        self._indexed: int = connection.execute(f"SELECT {INDEXED}").get
        self._into_journal = Insert(connection, "journal", 14)
        self._into_transfer = Insert(connection, "transfer", 6)
        self._into_meter = Insert(connection, "meter", 7, NEW_METER)
        self._into_balance = Insert(connection, "balance", 2, NEW_BALANCE)
        self._into_tree = Insert(connection, "tree", 3)
        self._into_checkpoint = Insert(connection, "checkpoint", 2, NEW_NOTE)
        self._into_document = Insert(connection, "document", 2, NEW_DOCUMENT)

    def write(self, written: Iterable[Written], head: Head, balances: Balances) -> None:
        journal: Values = []
        moved: Values = []
        by_day: dict[str, list[Transfer]] = {}
        ledger = self._transfers + 1
        for (
            seq, stream, place, kind, body, at_ms, day, label, request, first, transfers, documents, added, hashed
        ) in written:  # fmt: skip
            beside = encode_documents(documents, added) if documents else ""
            journal += (
                seq,
                stream,
                place,
                kind,
                body.decode(),
                at_ms,
                day,
                label,
                request,
                first,
                ledger,
                len(transfers),
                beside,
                hashed,
            )
            if transfers:
                for transfer in transfers:
                    moved += (ledger, seq, *transfer)
                    ledger += 1
                same_day = by_day.get(day)
                if same_day is None:
                    same_day = by_day[day] = []
                same_day += transfers
        self._into_journal(journal)
        if by_day:
            counts: Counts = {}
            for day, same_day in by_day.items():
                count(counts, day, same_day)
            self._into_transfer(moved)
            self._write_meters(counts)
            self._write_balances({account for account, _, _ in counts}, balances)
        self._transfers = head.transfers
        self._connection.execute(NEW_HEAD, (str(head.seq), str(head.transfers), head.hash.hex()))

    def write_tree(self, nodes: Iterable[Node]) -> None:
        self._into_tree([part for node in nodes for part in node])

    def write_checkpoints(self, checkpoints: Iterable[Checkpoint]) -> None:
        self._into_checkpoint([part for checkpoint in checkpoints for part in checkpoint])

    def _write_meters(self, counts: Counts) -> None:
        values: Values = []
        for key, numbers in counts.items():
            values += key
            values += numbers
        self._into_meter(values)

    def _write_balances(self, changed: Iterable[str], balances: Balances) -> None:
        kept: Values = []
        empty: list[str] = []
        for account in changed:
            if account in balances:
                kept += (account, balances[account])
            else:
                empty.append(account)
        self._into_balance(kept)
        self._delete("balance", "account", empty)

    def write_documents(self, documents: Mapping[str, bytes | None]) -> None:
        self._into_document([part for key, value in documents.items() if value is not None for part in (key, value)])
        self._delete("document", "key", [key for key, value in documents.items() if value is None])

    def write_index(self, transfers: int) -> None:
        if transfers - self._indexed >= INDEX_EVERY:
            self._connection.execute(NEW_INDEX)
            self._connection.execute("UPDATE meta SET value = ? WHERE key = 'indexed_transfers'", (str(transfers),))
            self._indexed = transfers

    def _delete(self, table: str, column: str, keys: list[str]) -> None:
        if keys:
            self._connection.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(key,) for key in keys])
