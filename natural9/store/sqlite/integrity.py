"""Whether a journal file is laid out as it was made, and whether all that it is searched by agrees with its rows."""

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from itertools import accumulate, groupby, islice
from operator import ne
from pathlib import Path
from typing import NamedTuple

import apsw

from natural9.store.contract import Corrupt
from natural9.store.sqlite.reader import LAST_CHARACTER, LAST_DAY
from natural9.store.sqlite.rows import INDEXED
from natural9.store.sqlite.schema import make_tables
from natural9.store.tree import FAN, Growing

# Rows that no reader would ever see.
STRAY = {
    "journal": "seq < 1",
    "tree": "level < 1 OR place < 0",
    "checkpoint": "size < 0",
    "transfer": "number < 1",
    "balance": f"account > '{LAST_CHARACTER}'",
    "meter": f"account > '{LAST_CHARACTER}' OR day > '{LAST_DAY}'",
    "document": f"key > '{LAST_CHARACTER}'",
}
LAYOUT = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
# What the file's header says of how its pages are to be read and written.
SETTINGS = ("encoding", "auto_vacuum", "page_size")

Layout = dict[str, str | int | None]


def check_layout(connection: apsw.Connection, path: Path) -> None:
    """Cheap, at every opening: tables, indexes and triggers are those that were made, and so are the settings."""
    found, due = _layout(connection), _layout_as_made()
    for name in sorted(found.keys() | due.keys()):
        if name not in found:
            raise Corrupt(f"{path} is damaged: it has no {name}")
        if name not in due:
            raise Corrupt(f"{path} is damaged: it has {name!a}, which was never made")
        if found[name] != due[name]:
            raise Corrupt(f"{path} is damaged: its {name} is {found[name]!a}, but it was made as {due[name]!a}")


def _layout(connection: apsw.Connection) -> Layout:
    layout: Layout = {f"{kind} {name} of {table}": sql for kind, name, table, sql in connection.execute(LAYOUT)}
    layout |= {setting: connection.pragma(setting) for setting in SETTINGS}
    return layout | {f"row {key} in the table meta": "" for (key,) in connection.execute("SELECT key FROM meta")}


@cache
def _layout_as_made() -> Layout:
    with closing(apsw.Connection(":memory:")) as connection:
        make_tables(connection)
        return _layout(connection)


def check_file(connection: apsw.Connection, path: Path) -> int:
    """Each index and each derived table, row by row, then SQLite's own check of every page; the rows compared.

    Of the rows themselves the chain and the recount speak; here nothing may be there that those did not see.
    """
    for table, condition in STRAY.items():
        if _row(connection, f"SELECT count(*) FROM {table} WHERE {condition}") != (0,):
            raise Corrupt(f"{path} is damaged: the table {table} has a row that was never written ({condition!a})")
    compared = _compare_account_transfers(connection, path) + _compare_entries(connection, path)
    # SQLite's own check finds each row of a table in all its indexes: beyond that, they may only have too many.
    wrong = [said for (said,) in connection.execute("PRAGMA integrity_check")]
    for table, indexes in groupby(sorted(_indexes(connection), key=_table_of), key=_table_of):
        some = list(indexes)
        due = _row(connection, f"SELECT {', '.join(one.due for one in some)} FROM {table} NOT INDEXED")
        for index, rows in zip(some, due, strict=True):
            if wrong != ["ok"] or _row(connection, index.size) != (rows,):
                index.compare(connection, path)
            compared += rows
    if wrong != ["ok"]:
        raise Corrupt(f"{path} is damaged: {' '.join(' '.join(wrong).split())[:300]}")
    return compared


class _Index(NamedTuple):
    name: str
    table: str
    columns: tuple[str, ...]
    chosen: str  # which rows of its table are in it

    @property
    def due(self) -> str:
        """How many rows of its table should be in it: to be counted with those of its other indexes."""
        return f"count(CASE WHEN {self.chosen} THEN 1 END)"

    @property
    def size(self) -> str:
        """How many are in it."""
        return f"SELECT count(*) FROM {self.table} INDEXED BY {self.name} WHERE {self.chosen}"

    def compare(self, connection: apsw.Connection, path: Path) -> None:
        """Row by row; Corrupt says what is wrong with it."""
        rows, entries, same = _row(connection, self.comparison)
        if not rows == entries == same:
            raise Corrupt(
                f"{path} is damaged: the index {self.name} has {entries} rows, of which {same} are those of the"
                f" table {self.table}, where {rows} are due"
            )

    @property
    def comparison(self) -> str:
        """How many rows should be in it, are in it, and are in it as they are in the table."""
        whole = f"FROM {self.table} AS indexed INDEXED BY {self.name} "
        same = " AND ".join(f"indexed.{column} IS kept.{column}" for column in self.columns)
        return (
            f"SELECT (SELECT count(*) FROM {self.table} NOT INDEXED WHERE {self.chosen}),"
            f" (SELECT count(*) {whole} WHERE {self.chosen}),"
            f" (SELECT count(*) FROM (SELECT rowid, {', '.join(self.columns)} {whole} WHERE {self.chosen}) AS indexed"
            f" CROSS JOIN {self.table} AS kept NOT INDEXED ON kept.rowid = indexed.rowid AND {same})"
        )


def _table_of(index: _Index) -> str:
    return index.table


def _indexes(connection: apsw.Connection) -> Iterator[_Index]:
    """All there are, whatever they are made for."""
    found = list(connection.execute("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name"))
    for name, table, sql in found:
        columns = tuple(column for *_, column in connection.execute(f"PRAGMA index_info('{name}')"))
        yield _Index(name, table, columns, (sql or "").partition(" WHERE ")[2] or "TRUE")


def _compare_account_transfers(connection: apsw.Connection, path: Path) -> int:
    """Two rows for every transfer that is sorted in: its source's and its target's."""
    sql = (
        "SELECT (SELECT count(*) FROM account_transfer),"
        " (SELECT count(*) FROM account_transfer JOIN transfer USING (number)"
        f"  WHERE account IN (source, target) AND number <= {INDEXED}),"
        f" (SELECT 2 * count(*) FROM transfer WHERE number <= {INDEXED}), {INDEXED}"
    )
    rows, same, due, indexed = _row(connection, sql)
    if not rows == same == due == 2 * indexed:
        raise Corrupt(
            f"{path} is damaged: the table account_transfer has {rows} rows, of which {same} are those of transfers,"
            f" where {2 * indexed} are due"
        )
    return rows


def _compare_entries(connection: apsw.Connection, path: Path) -> int:
    """Every kept node of the tree follows from the entries, and where each entry's transfers begin over all streams
    from how many there were before it."""
    rows = connection.execute("SELECT hash, first_in_ledger, transfers FROM journal ORDER BY seq")
    growing, due = Growing(), dict[tuple[int, int], bytes]()
    entries = wrong_ledger = 0
    begins = 1
    while some := list(islice(rows, FAN)):
        hashes, ledgers, transfers = zip(*some, strict=True)
        *begin, begins = accumulate(transfers, initial=begins)
        wrong_ledger += sum(map(ne, ledgers, begin))
        due |= {(node.level, node.place): node.hash for node in growing.add(hashes)}
        entries += len(some)
    if wrong_ledger:
        raise Corrupt(f"{path} is damaged: {wrong_ledger} entries do not say where their transfers begin")
    kept = {(level, place): hashed for level, place, hashed in connection.execute("SELECT * FROM tree")}
    if wrong := [node for node in sorted(due.keys() | kept.keys()) if due.get(node) != kept.get(node)]:
        level, place = wrong[0]
        raise Corrupt(f"{path} is damaged: node {place} of level {level} of its tree does not follow from the entries")
    return entries + len(kept)


def _row(connection: apsw.Connection, sql: str) -> tuple[int, ...]:
    row: tuple[int, ...]
    [row] = connection.execute(sql)
    return row
