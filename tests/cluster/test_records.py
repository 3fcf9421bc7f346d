"""Whatever can be wrong with records in PostgreSQL is found: planted in tables that are made and chained here."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from hashlib import sha256
from itertools import count
from typing import Any, NamedTuple

import asyncpg
import pytest

from natural9.server.cluster.engines import PostgresEngine, scratch_folder
from tests.cluster.records import PostgresJournal
from tests.outside.books import Books

SHORT_MS = 10_000
TABLES = """
CREATE SCHEMA natural9;
CREATE TABLE natural9.stream (name text PRIMARY KEY, epoch bigint, owner text, number bigint);
CREATE TABLE natural9.journal (
    stream text, number bigint, kind text, body bytea, at_ms bigint, day text, label text, request bytea,
    first_transfer bigint, moves integer, transfers text, documents text, hash bytea, ticket serial
);
CREATE TABLE natural9.balance (account text PRIMARY KEY, cents bigint);
INSERT INTO natural9.stream VALUES ('table/a', 1, 'one', 0);
"""
BOUGHT = [["buy-in", "desk/cass", "credit/a-1", 1000]]
_numbers = count(1)


class Table:
    """A table's stream, written as a node writes it."""

    def __init__(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self.connection = connection
        self._head, self._number, self._transfers = bytes(32), 0, 0

    async def write(
        self, kind: str = "noted", record: Any = None, moved: list[list[Any]] | None = None, *, late_ms: int = 0
    ) -> None:
        moved, self._number = moved or [], self._number + 1
        at_ms = await self.connection.fetchval("SELECT (extract(epoch FROM now()) * 1000)::bigint") - late_ms
        body = json.dumps({"record": record or {}, "by": "x"}).encode()
        parts = ["table/a", self._number, kind, at_ms, "d", "", "", self._transfers + 1, moved, [], ""]
        envelope = json.dumps([2, *parts], ensure_ascii=False, separators=(",", ":")).encode()
        self._head = sha256(self._head + len(envelope).to_bytes(8, "big") + envelope + body).digest()
        row = ("table/a", self._number, kind, body, at_ms, "d", "", b"", self._transfers + 1, len(moved))
        await self.connection.execute(
            "INSERT INTO natural9.journal VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, '', $12)",
            *row, json.dumps(moved), self._head,
        )  # fmt: skip
        self._transfers += len(moved)
        await self.connection.execute("UPDATE natural9.stream SET number = $1", self._number)

    async def sql(self, text: str) -> None:
        await self.connection.execute(text)


class Planted(NamedTuple):
    table: Table
    journal: PostgresJournal
    books: Books

    async def found(self) -> set[str]:
        await self.journal.read_on()
        return {one.kind for one in self.books.violations}


@pytest.fixture(scope="module")
def engine() -> Iterator[PostgresEngine]:
    with ExitStack() as stack:
        made = PostgresEngine(stack.enter_context(scratch_folder()) / "postgres", durable=False)
        stack.callback(made.close)
        made.start()
        yield made


@pytest.fixture
async def planted(engine: PostgresEngine) -> AsyncIterator[Planted]:
    address = await asyncio.to_thread(engine.make_database, f"planted{next(_numbers)}")
    connection = await asyncpg.connect(address)
    await connection.execute(TABLES)
    books = Books()
    journal = PostgresJournal(address, books.wrong, short_ms=SHORT_MS)
    await journal.watch()
    table = Table(connection)
    await table.write()
    await table.write()
    try:
        yield Planted(table, journal, books)
    finally:
        await connection.close()


async def test_records_that_hold(planted: Planted) -> None:
    table = planted.table
    assert await planted.found() == set()
    await table.write("credit-bought", {"seat": 1, "cents": 1000}, BOUGHT)
    await table.sql("INSERT INTO natural9.balance VALUES ('desk/cass', -1000), ('credit/a-1', 1000)")
    await table.sql("UPDATE natural9.stream SET epoch = 2, owner = 'two'")
    await table.write("round-interrupted", {"away_ms": 900, "brief": True})
    assert await planted.found() == set()
    assert (planted.journal.moves, planted.journal.entries) == (1, 4)
    assert planted.journal.balances == {"desk/cass": -1000, "credit/a-1": 1000}


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ('UPDATE natural9.journal SET body = \'{"record": {}, "by": "y"}\' WHERE number = 3', "the chain is broken"),
        ("UPDATE natural9.journal SET hash = '\\x00' WHERE number = 2", "the journal went back"),
        ("DELETE FROM natural9.journal WHERE number = 2", "the journal went back"),
        ("DELETE FROM natural9.journal WHERE number = 3", "an entry is missing"),
        ("INSERT INTO natural9.balance VALUES ('credit/a-1', 5)", "a balance is wrong"),
        ("UPDATE natural9.stream SET epoch = 0", "an epoch came again"),
        ("UPDATE natural9.stream SET epoch = 2, number = number + 1", "two owners in one chain"),
        ("UPDATE natural9.stream SET owner = 'two', number = number + 1", "two owners in one chain"),
    ],
)
async def test_what_somebody_did_to_them_is_named(planted: Planted, sql: str, kind: str) -> None:
    assert await planted.found() == set()
    await planted.table.write()
    await planted.table.write()
    await planted.table.sql(sql)
    assert kind in await planted.found()


async def test_two_sessions_that_write_in_turns_are_two_owners(planted: Planted) -> None:
    table, other = planted.table, await asyncpg.connect(planted.journal.address)
    mine = table.connection
    await table.write()
    table.connection = other
    await table.write()
    assert await planted.found() == set(), "a session that is lost has another in its place"
    table.connection = mine
    await table.write()
    await other.close()
    assert await planted.found() == {"two owners in one chain"}


@pytest.mark.parametrize("late_ms", [-3_600_000, -5_000, 90_000])
async def test_a_time_that_is_not_the_databases(planted: Planted, late_ms: int) -> None:
    await planted.table.write(late_ms=late_ms)
    assert await planted.found() == {"another time than the database's"}


@pytest.mark.parametrize("away_ms", [900, 90_000])
async def test_a_round_that_was_cut_short_for_no_need(planted: Planted, away_ms: int) -> None:
    """Whether it says so itself, or the database knows better."""
    await planted.table.write("round-interrupted", {"away_ms": away_ms, "brief": False})
    assert await planted.found() == {"a round was cut short for no need"}
