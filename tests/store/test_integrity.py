"""A file whose rows are sound and whose indexes, layout or pages are not: found by who writes it and by the audit."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from natural9.store import opening_check
from natural9.store.audit import audit
from natural9.store.contract import Access, Corrupt
from natural9.store.opening import open_store
from natural9.store.sqlite import rows
from natural9.store.sqlite.schema import APPEND_ONLY
from tests.store.opening import append, audited, bet, buy, closing_store, entry
from tests.store.test_tampering import change

ENTRIES = 300


@pytest.fixture
async def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(rows, "INDEX_EVERY", 100)
    async with closing_store(open_store(tmp_path, Access.WRITE)) as store:
        for number in range(ENTRIES // 3):
            await append(store, [entry(buy(1, 50), label=f"round/{number}")])
            await append(store, [entry(stream="venue")])
            await append(store, [entry(bet(1, 5))])
        await append(store, [entry(documents=(("staff/anna", b"x" * 9000), ("table/1", b"{}")))])
        await append(store, [entry(documents=(("staff/anna", None),))])  # its pages are free now
    return tmp_path / "journal.db"


def under_another_definition(path: Path, name: str, then: str, statement: str) -> None:
    """Do something to a file as if a table or index were defined otherwise; then it says the right thing again."""
    with closing(sqlite3.connect(path)) as other, other:
        [(made,)] = other.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (name,)).fetchall()
        for sql in (then, made):
            other.execute("PRAGMA writable_schema = ON")
            other.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, name))
            other.execute("PRAGMA writable_schema = RESET")
            if sql == then:
                other.execute(statement)


def reindexed(path: Path, index: str, then: str) -> None:
    """An index whose rows are those of another definition."""
    under_another_definition(path, index, then, f"REINDEX {index}")


async def refused(path: Path, said: str) -> None:
    with pytest.raises(Corrupt, match=said):
        open_store(path, Access.WRITE)
    with pytest.raises(Corrupt, match=said):
        await audited(open_store(path, Access.READ))


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE tree SET hash = zeroblob(32)", "node 0 of level 1 of its tree does not follow from the entries"),
        ("UPDATE tree SET place = 1", "node 0 of level 1 of its tree does not follow"),
        ("INSERT INTO tree VALUES (2, 0, zeroblob(32))", "node 0 of level 2 of its tree does not follow"),
        (
            "UPDATE journal SET first_in_ledger = 5 WHERE stream = 'venue'",
            "100 entries do not say where their transfers",
        ),
        ("INSERT INTO checkpoint VALUES (-1, '')", "the table checkpoint has a row that was never written"),
    ],
)
async def test_what_else_is_found_by_is_compared_too(path: Path, sql: str, said: str) -> None:
    change(path, sql)
    await refused(path, said)


async def test_a_node_that_is_missing_while_the_store_is_open_is_named(path: Path) -> None:
    async with closing_store(open_store(path, Access.WRITE)) as store:
        await append(store, [entry() for _ in range(600)])
        change(path, "DELETE FROM tree")
        with pytest.raises(Corrupt, match="of its tree, nodes 0 to 2 of level 1 are missing"):
            await store.tree()


async def test_the_numbers_say_what_was_compared(path: Path) -> None:
    found = await audited(open_store(path, Access.READ))
    assert (found.entries, found.transfers, found.accounts, found.meters) == (302, 200, 3, 4)
    assert found.documents == 1
    # by stream, by label, with documents, the key of each document, twice every transfer, where those of an entry
    # begin, and a node of the tree
    assert found.index_rows == 302 + 100 + 2 + 1 + 2 * 200 + 302 + 1


@pytest.mark.parametrize(
    ("index", "made"),
    [
        ("journal_by_label", "CREATE INDEX journal_by_label ON journal (label, seq) WHERE label > 'round/5'"),
        ("journal_by_request", "CREATE INDEX journal_by_request ON journal (label, seq) WHERE label > 'round/5'"),
    ],
)
async def test_an_index_that_leads_elsewhere_is_named(path: Path, index: str, made: str) -> None:
    reindexed(path, index, made)
    await refused(path, f"the index {index} has ")


@pytest.mark.parametrize(
    ("index", "made", "said"),
    [
        (
            "journal_by_stream",
            "ON journal (kind, seq)",
            "entry 1 of table/1 is missing, and 202 comes after 0",
        ),
        ("journal_with_documents", "ON journal (stream, seq) WHERE documents != 'x'", "journal_with_documents has 302"),
    ],
)
async def test_an_index_that_opening_is_led_by_is_found_out_by_where_it_leads(
    path: Path, index: str, made: str, said: str
) -> None:
    reindexed(path, index, f"CREATE INDEX {index} {made}")
    await refused(path, said)


async def test_an_index_that_hides_the_last_documents_is_named_at_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_check, "WHOLE_AT_OPENING", 0)
    reindexed(
        path, "journal_with_documents", f"CREATE INDEX journal_with_documents ON journal (seq) WHERE seq <= {ENTRIES}"
    )
    for access in (Access.WRITE, Access.READ):
        with pytest.raises(Corrupt, match="what leads to the last entries with documents leads elsewhere"):
            open_store(path, access)


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM account_transfer WHERE number = 7 AND account = 'terminal/1'",
        "UPDATE account_transfer SET account = 'terminal/2' WHERE number = 7 AND account = 'terminal/1'",
        "INSERT INTO account_transfer VALUES ('terminal/2', 7)",
        "INSERT INTO account_transfer VALUES ('terminal/2', 9999)",
        "UPDATE meta SET value = '100' WHERE key = 'indexed_transfers'",
        "UPDATE meta SET value = '300' WHERE key = 'indexed_transfers'",
        "UPDATE meta SET value = 'x' WHERE key = 'indexed_transfers'",
    ],
)
async def test_transfers_sorted_in_wrongly_are_named(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        assert other.execute(sql).rowcount == 1
    await refused(path, "the table account_transfer has ")


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("INSERT INTO balance VALUES (CAST(X'FF' AS TEXT), 0)", "the table balance has a row that was never written"),
        ("INSERT INTO meter VALUES ('x', 'later', 'bet', 0, 0, 0, 0)", "the table meter has a row that was never"),
        ("INSERT INTO transfer VALUES (-1, 1, 'a', 'b', 'c', 1)", "the table transfer has a row that was never"),
        (
            "INSERT INTO journal SELECT -1, stream, number, kind, body, at_ms, day, label, request, first_transfer,"
            " first_in_ledger, transfers, documents, hash FROM journal WHERE seq = 1",
            "the table journal has a row that was never written",
        ),
    ],
)
async def test_a_row_that_no_reader_sees_is_named(path: Path, sql: str, said: str) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        assert other.execute(sql).rowcount == 1
    await refused(path, said)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DROP TRIGGER journal_is_never_changed", "it has no trigger journal_is_never_changed of journal"),
        ("CREATE TABLE mine (x)", "it has 'table mine of mine', which was never made"),
        ("DROP INDEX journal_by_label", "it has no index journal_by_label of journal"),
        ("PRAGMA auto_vacuum = FULL; VACUUM", "its auto_vacuum is 1, but it was made as 0"),
    ],
)
async def test_another_layout_is_named(path: Path, sql: str, said: str) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA journal_mode = delete")
        other.executescript(sql)
    await refused(path, said)


async def test_a_list_of_free_pages_that_leads_into_the_records_is_named(path: Path) -> None:
    """Nothing is wrong yet; the next entry would be written over an old one."""
    with path.open("r+b") as file:
        file.seek(32)  # of the header: where the free pages begin
        free = int.from_bytes(file.read(4), "big")
        assert free
        file.seek(32)
        file.write((free - 1).to_bytes(4, "big"))
    await refused(path, "is damaged")


# As a changed bit makes of a number: STRICT is asked when a row is written, not when it is read.
OTHER_KINDS = {
    "balance": "UPDATE balance SET cents = 'five'",
    "meter": "UPDATE meter SET account = X'FF' WHERE account = 'stake/1'",
    "document": "UPDATE document SET value = 5",
    "transfer": "UPDATE transfer SET seq = NULL WHERE number = 200",
}


@pytest.mark.parametrize("table", OTHER_KINDS)
async def test_a_value_of_another_kind_is_named(path: Path, table: str) -> None:
    columns = {
        "balance": "account PRIMARY KEY, cents",
        "meter": "account, day, kind, in_cents, in_count, out_cents, out_count, PRIMARY KEY (account, day, kind)",
        "document": "key TEXT PRIMARY KEY, value",
        "transfer": "number INTEGER PRIMARY KEY, seq, kind, source, target, cents",
    }
    rowid = " WITHOUT ROWID" if table in ("balance", "meter") else ""
    with closing(sqlite3.connect(path)) as other, other:
        other.executescript("DROP TRIGGER transfer_is_never_changed")
    under_another_definition(path, table, f"CREATE TABLE {table} ({columns[table]}){rowid}", OTHER_KINDS[table])
    with closing(sqlite3.connect(path)) as other, other:
        other.executescript(APPEND_ONLY.format(table="transfer").partition("CREATE TRIGGER transfer_is_never_short")[0])
    await refused(path, "is damaged|entry 300: its transfers should be|account stake/1: its meter of bet .* is missing")


async def test_a_sound_file_is_still_sound_when_it_was_opened_and_closed(path: Path) -> None:
    async with closing_store(open_store(path, Access.WRITE)) as store:
        await append(store, [entry(buy(2, 1), documents=(("staff/anna", b""),))])
        assert (await audit(store)).entries == ENTRIES + 3
