"""What is a database's own: its address and schema, who may write, a connection that is lost, places given later."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from natural9.store import opening_check
from natural9.store.audit import audit
from natural9.store.chain import STREAM_START
from natural9.store.contract import (
    Access,
    Checkpoint,
    Corrupt,
    Entry,
    LostCommits,
    NoLongerOwner,
    Overdrawn,
    Store,
    StoreFailed,
    StreamHead,
)
from natural9.store.group import Outcome, Writing, keeping
from natural9.store.opening import begin_copy, find_records, open_store
from natural9.store.postgres import committer as committing
from natural9.store.postgres import locks, schema
from natural9.store.postgres import reader as reading
from natural9.store.postgres.address import ADDRESS_FILE, address_of
from natural9.store.postgres.committer import DatabaseCommitter, open_committer
from natural9.store.postgres.connection import ConnectionLost, DatabaseConnection
from natural9.store.postgres.scripts import SCRIPTS
from natural9.store.process import CommitterProcess
from natural9.store.threaded import ThreadedStore
from tests.store.opening import append, audited, bet, buy, closing_store, entry
from tests.store.postgres_server import address, database_of, end_connections, new_place, psql, server


@pytest.fixture
def place() -> Path:
    return new_place()


# Where it is


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ("postgresql://anna@db.example:5433/venue", "postgresql://anna@db.example:5433/venue"),
        ("postgres://db.example/venue?sslmode=require", "postgresql://db.example/venue?sslmode=require"),
        ("postgresql:///venue?host=/run/pg", "postgresql:///venue?host=/run/pg"),
        ("postgresql://anna@/venue?host=/run/pg", "postgresql://anna@/venue?host=/run/pg"),
        ("postgresql://anna@one:5432,[::1]:5433/venue", "postgresql://anna@one:5432,[::1]:5433/venue"),
    ],
)
def test_an_address_is_a_place(tmp_path: Path, written: str, means: str) -> None:
    assert address_of(Path(written)) == means
    assert find_records(Path(written)) == means


def test_a_folder_may_say_where_its_records_are(tmp_path: Path) -> None:
    assert address_of(tmp_path) is None
    (tmp_path / ADDRESS_FILE).write_text("postgresql://db.example/venue\n")
    assert address_of(tmp_path) == "postgresql://db.example/venue"
    (tmp_path / ADDRESS_FILE).write_bytes(b"\xff")
    with pytest.raises(StoreFailed, match=r"journal\.postgresql cannot be read"):
        address_of(tmp_path)


def test_so_may_its_venue_file(tmp_path: Path) -> None:
    venue_file = tmp_path / "venue.toml"
    for said in ("[cluster", "cluster = 5", "[cluster]", "[cluster]\ndatabase = 5", '[cluster]\ndatabase = ""'):
        venue_file.write_text(said)
        assert address_of(tmp_path) is None
    venue_file.write_text('[cluster]\ndatabase = "postgresql://db.example/venue"')
    assert find_records(tmp_path) == address_of(tmp_path) == "postgresql://db.example/venue"
    (tmp_path / ADDRESS_FILE).write_text("postgresql://db.example/venue\n")
    assert address_of(tmp_path) == "postgresql://db.example/venue"
    (tmp_path / ADDRESS_FILE).write_text("postgresql://db.example/other\n")
    with pytest.raises(
        StoreFailed, match=r"postgresql://db\.example/other, and \[cluster\] in .*: which of them is it\?"
    ):
        address_of(tmp_path)
    venue_file.write_text('[cluster]\ndatabase = "sqlite://venue"')
    with pytest.raises(StoreFailed, match=r"venue\.toml: this is no address of a database"):
        address_of(tmp_path)


@pytest.mark.parametrize("left", ["journal.db", "journal.head"])
def test_a_journal_is_not_forgotten_for_a_database_that_the_venue_file_names(tmp_path: Path, left: str) -> None:
    """As in a backup, or where nothing was moved yet."""
    (tmp_path / left).touch()
    (tmp_path / "venue.toml").write_text('[cluster]\ndatabase = "postgresql://db.example/venue"')
    assert address_of(tmp_path) is None
    assert find_records(tmp_path) == str(tmp_path / "journal.db")


def test_no_journal_is_begun_where_the_venue_file_names_a_database(tmp_path: Path) -> None:
    (tmp_path / "venue.toml").write_text('[cluster]\ndatabase = "postgresql://db.example/venue"')
    with pytest.raises(StoreFailed, match=r"in \[cluster\], so no file is begun here: write postgresql:"):
        begin_copy(tmp_path)
    assert address_of(tmp_path)


@pytest.mark.parametrize(
    "written",
    [
        "sqlite://venue", "postgresql://db.example", "postgresql://[db/venue", "postgresql://db..example/venue",
        "postgresql://db.example:99999/venue", "",
    ],
)  # fmt: skip
def test_what_is_no_address_is_said(tmp_path: Path, written: str) -> None:
    (tmp_path / ADDRESS_FILE).write_text(written)
    with pytest.raises(StoreFailed, match=r"journal\.postgresql: this is no address of a database: postgresql://USER@"):
        address_of(tmp_path)


@pytest.mark.parametrize(
    "written", ["postgresql://anna:s3cret@db.example/venue", "postgresql://db.example/venue?password=s3cret"]
)
def test_a_password_is_refused_and_not_repeated(written: str) -> None:
    with pytest.raises(StoreFailed, match=r"leave the password out of the address.*PGPASSFILE") as refused:
        address_of(Path(written))
    assert "s3cret" not in str(refused.value)


async def test_the_records_of_a_folder_are_where_its_file_says(tmp_path: Path, place: Path) -> None:
    (tmp_path / ADDRESS_FILE).write_text(address(place))
    async with closing_store(open_store(tmp_path, Access.SERVE)) as store:
        assert await append(store, [entry(buy(1, 5))]) == 1
        assert store.place == tmp_path
        async with store.moment() as still:
            assert (await audit(still)).entries == 1
            assert still.place == tmp_path


def test_a_database_that_cannot_be_reached_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="cannot be reached"):
        open_store(Path(f"postgresql://anna@/venue?host={tmp_path}"), Access.READ)
    with pytest.raises(StoreFailed, match='cannot be used: role "nobody" does not exist'):
        open_store(Path(server().address("postgres", "nobody")), Access.SERVE)


def test_who_lacks_what_speaks_to_a_database_is_told_what_to_install(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(StoreFailed, match=r"pip install 'natural9\[postgres\]'"):
        open_store(place, Access.READ)


def test_a_venue_with_a_file_loads_nothing_of_it() -> None:
    asks = "import natural9.server.house, natural9.cli.move, sys; print('asyncpg' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True).stdout
    assert said == "False\n"


# Its schema


def test_who_writes_makes_the_schema_and_who_reads_does_not() -> None:
    place = new_place(made=False)
    with pytest.raises(StoreFailed, match="nothing was ever recorded there"):
        open_store(place, Access.READ)
    asyncio.run(open_store(place, Access.WRITE).close())
    assert asyncio.run(audited(open_store(place, Access.READ))).entries == 0


def test_an_older_program_refuses_a_newer_schema(place: Path) -> None:
    psql(place, "UPDATE meta SET value = '3' WHERE key = 'schema'")
    for access in Access:
        with pytest.raises(StoreFailed, match="has schema 3, but this program knows only 2: open it with the program"):
            open_store(place, access)


def test_who_writes_brings_an_older_schema_up_to_date(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "SCRIPTS", (*SCRIPTS, "CREATE TABLE natural9.later (word text);"))
    with pytest.raises(
        StoreFailed, match="has schema 2, and this program wants 3: whoever writes brings it up to date"
    ):
        open_store(place, Access.READ)
    for access in (Access.WRITE, Access.READ):
        asyncio.run(open_store(place, access).close())
    assert psql(place, "SELECT value FROM meta WHERE key = 'schema'; SELECT count(*) FROM later") == "3\n0"


def test_what_was_not_finished_or_was_moved_is_not_written(place: Path) -> None:
    psql(place, "UPDATE meta SET value = 'unfinished' WHERE key = 'state'")
    for access in (Access.WRITE, Access.READ):
        with pytest.raises(StoreFailed, match="is unfinished: a move into it did not come to its end"):
            open_store(place, access)
    psql(place, "UPDATE meta SET value = 'moved to a/b' WHERE key = 'state'")
    with pytest.raises(StoreFailed, match="were moved to a/b: open them there"):
        open_store(place, Access.WRITE)
    asyncio.run(open_store(place, Access.READ).close())


def test_a_schema_that_is_not_ours_is_said(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    psql(place, "CREATE OR REPLACE FUNCTION has_unplaced() RETURNS boolean LANGUAGE sql AS 'SELECT false'")
    with pytest.raises(Corrupt, match="its function has_unplaced is not as it was made"):
        open_store(place, Access.READ)
    psql(place, "UPDATE meta SET value = 'new' WHERE key = 'schema'")
    with pytest.raises(Corrupt, match="does not say which schema it has"):
        open_store(place, Access.WRITE)
    monkeypatch.setattr(schema, "OLDEST", 990000)
    with pytest.raises(StoreFailed, match=r"is PostgreSQL 18\.\d+.*: natural9 needs 99 or newer"):
        open_store(place, Access.READ)


async def test_a_table_that_is_gone_is_damage(place: Path) -> None:
    async with closing_store(open_store(place, Access.WRITE)) as store:
        psql(place, "DROP TABLE meter")
        with pytest.raises(Corrupt, match='is damaged: relation "meter" does not exist'):
            await store.meters()


@pytest.mark.parametrize("table", ["journal", "place"])
async def test_a_hand_that_slips_is_stopped(place: Path, table: str) -> None:
    async with closing_store(open_store(place, Access.WRITE)) as store:
        await append(store, [entry()])
        await store.head()
    done = server().psql(
        f"DO $$ BEGIN DELETE FROM natural9.{table}; EXCEPTION WHEN raise_exception THEN RAISE NOTICE 'stopped';"
        f" END $$; SELECT count(*) FROM natural9.{table}",
        database_of(place),
    )
    assert done == "1"


# Who writes


async def test_one_server_writes_at_a_time(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE_S", 0.1)
    async with closing_store(open_store(place, Access.WRITE)):
        with pytest.raises(StoreFailed, match=rf"is being written by natural9 at .*, process {os.getpid()} since "):
            open_store(place, Access.WRITE)
    end_connections(place)  # a session that is closed ends a moment later
    await open_store(place, Access.WRITE).close()


def write(one: DatabaseCommitter, *entries: Entry, after: StreamHead = STREAM_START) -> Outcome:
    [outcome] = one.commit([Writing(entries, after.number, after.hash)]).outcomes
    return outcome


@pytest.fixture
def one(place: Path) -> Iterator[DatabaseCommitter]:
    with closing(open_committer(address(place))) as committer:
        yield committer


async def test_a_value_that_no_database_keeps_is_refused_alone(place: Path) -> None:
    """Text cannot have the character 0 there."""
    async with closing_store(open_store(place, Access.WRITE)) as store:
        answers = [append(store, [entry()]), append(store, [entry(stream="a\0")]), append(store, [entry(label="a\0b")])]
        found = await asyncio.gather(*answers, return_exceptions=True)
        assert found[0] == 1
        assert [type(one) for one in found[1:]] == [ValueError, ValueError]
        assert await append(store, [entry(request="a\0b")]) == 2


async def test_what_was_never_expected_stops_the_store(place: Path) -> None:
    async with closing_store(open_store(place, Access.WRITE)) as store:
        await append(store, [entry()])
        psql(
            place,
            "INSERT INTO journal SELECT stream, 2, kind, body, at_ms, day, label, request, 1, 0, '[]', '', hash, 0"
            " FROM journal",
        )
        for _ in range(2):
            with pytest.raises(StoreFailed, match="could not be written: UniqueViolationError"):
                await append(store, [entry()])
        assert not store.can_write


def test_what_is_checked_when_it_is_opened(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_check, "CHECKED_AT_OPENING", 3)

    async def fill() -> None:
        async with closing_store(open_store(place, Access.WRITE)) as store:
            for number in range(6):
                await append(store, [entry(buy(1, 5), documents=(("shoe/1", b"%d" % number),))])
            await store.head()

    asyncio.run(fill())
    asyncio.run(open_store(place, Access.READ).close())
    psql(place, "UPDATE document SET value = '5a'")
    with pytest.raises(Corrupt, match="the shoe record of 1 is not what the journal says was written"):
        open_store(place, Access.READ)


# A connection that is lost


async def test_it_goes_on_by_itself_when_its_connections_were_lost(place: Path) -> None:
    async with closing_store(open_store(place, Access.WRITE)) as store:
        assert await append(store, [entry()]) == 1
        end_connections(place)
        assert await append(store, [entry()]) == 2
        assert (await store.head()).seq == 2
        async with store.moment() as still:
            end_connections(place)
            with pytest.raises(StoreFailed, match="cannot be reached"):
                await still.head()
        await store.keep_checkpoint(Checkpoint(2, "two"))
        assert await append(store, [entry(stream="venue")]) == 1
        assert (await audit(store)).entries == 3


Fetch = Callable[..., list[Any]]


def lose(
    connection: DatabaseConnection,
    monkeypatch: pytest.MonkeyPatch,
    lost: Callable[[Fetch, str, tuple[object, ...]], object],
) -> None:
    """The next append's answer never comes; `lost` is what becomes of the statement."""
    fetch = connection.fetch

    def losing(sql: str, *values: object) -> list[Any]:
        if "append(" not in sql:
            return fetch(sql, *values)
        monkeypatch.setattr(connection, "fetch", fetch)
        lost(fetch, sql, values)
        raise ConnectionLost("cut off")

    monkeypatch.setattr(connection, "fetch", losing)


def carried_out(fetch: Fetch, sql: str, values: tuple[object, ...]) -> None:
    fetch(sql, *values)


def never_arrived(fetch: Fetch, sql: str, values: tuple[object, ...]) -> None:
    pass


@pytest.mark.parametrize("lost", [carried_out, never_arrived])
def test_what_was_on_its_way_is_written_once(
    place: Path, one: DatabaseCommitter, monkeypatch: pytest.MonkeyPatch, lost: Any
) -> None:
    assert write(one, entry()) == 1
    lose(one._connection, monkeypatch, lost)
    group = [
        Writing((entry(buy(1, 5)),), 1, None),
        Writing((entry(stream="venue"),), 0, None),
        keeping(Checkpoint(1, "")),
    ]
    assert one.commit(group).outcomes == [2, 1, 1]
    assert asyncio.run(audited(open_store(place, Access.READ))).entries == 3


def test_one_that_is_still_at_work_when_it_is_sent_again_counts(
    place: Path, one: DatabaseCommitter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lost statement comes through after it was looked for, and before the second of it."""
    assert write(one, entry()) == 1
    fetch, late = one._connection.fetch, list[tuple[object, ...]]()

    def slow(sql: str, *values: object) -> list[Any]:
        if "append(" in sql and not late:
            late.append(values)
            raise ConnectionLost("no answer")
        if "append(" in sql:
            with closing(DatabaseConnection(address(place))) as other:
                other.fetch(sql, *late[0])
        return fetch(sql, *values)

    monkeypatch.setattr(one._connection, "fetch", slow)
    assert write(one, entry(), after=one._book.streams["table/1"]) == 2
    assert asyncio.run(audited(open_store(place, Access.READ))).entries == 2


def test_a_stream_that_was_taken_over_while_the_connection_was_lost(
    place: Path, one: DatabaseCommitter, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert write(one, entry()) == 1
    lose(one._connection, monkeypatch, lambda *_: psql(place, "UPDATE stream SET epoch = epoch + 1, owner = 'b'"))
    assert isinstance(write(one, entry(), after=one._book.streams["table/1"]), NoLongerOwner)
    assert not one.is_able
    assert isinstance(write(one, entry()), NoLongerOwner)


async def test_a_fail_over_that_lost_commits_is_named(place: Path) -> None:
    """The server that takes over is a copy from before the last entries."""
    async with closing_store(open_store(place, Access.WRITE)) as store:
        await append(store, [entry()])
    name = database_of(place)
    server().psql(f"CREATE DATABASE {name}_behind TEMPLATE {name}")
    async with closing_store(open_store(place, Access.WRITE)) as store:
        await append(store, [entry()])
        server().psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        server().psql(f"ALTER DATABASE {name} RENAME TO {name}_ahead")
        server().psql(f"ALTER DATABASE {name}_behind RENAME TO {name}")
        psql(place, "UPDATE stream SET epoch = epoch + 1")  # it was taken there, too
        for _ in range(2):
            with pytest.raises(
                LostCommits, match=r"of table/1, entry 2 \(\w{16}\) was acknowledged, and now it ends with entry 1"
            ):
                await append(store, [entry()])
        assert not store.can_write


async def test_a_database_that_stays_away_leaves_it_unknown(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(committing, "AWAY_S", 0.2)
    async with closing_store(open_store(place, Access.WRITE)) as store:
        await append(store, [entry()])
        server().stop(immediate=True)
        try:
            with pytest.raises(StoreFailed, match="nobody knows whether the last entries were written"):
                await append(store, [entry()])
        finally:
            server().start()
        with pytest.raises(StoreFailed, match="nobody knows"):
            await append(store, [entry()])
        assert (await store.head()).seq == 1


# Moments and places


def test_a_moment_is_taken_when_every_entry_has_its_place(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody appends between the statement that gives places and the one that begins the moment."""
    with closing(open_committer(address(place))) as one:
        execute, late = DatabaseConnection.execute, [1]

        def appended_first(connection: DatabaseConnection, sql: str) -> None:
            if sql.startswith("BEGIN") and late:
                assert write(one, entry(stream="venue")) == late.pop()
            execute(connection, sql)

        assert write(one, entry()) == 1
        monkeypatch.setattr(DatabaseConnection, "execute", appended_first)
        assert asyncio.run(audited(open_store(place, Access.READ))).entries == 2


async def test_who_may_only_read_waits_for_places(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOMENT_S", 0.1)
    async with closing_store(open_store(place, Access.WRITE)) as store:
        await append(store, [entry()])
        psql(
            place,
            "CREATE ROLE auditor LOGIN; GRANT USAGE ON SCHEMA natural9 TO auditor;"
            " GRANT SELECT ON ALL TABLES IN SCHEMA natural9 TO auditor",
        )
        auditor = Path(server().address(database_of(place), "auditor"))
        try:
            with pytest.raises(StoreFailed, match="has entries without a place in the order of all"):
                open_store(auditor, Access.READ)
            assert (await store.head()).seq == 1
            assert (await audited(open_store(auditor, Access.READ))).entries == 1
        finally:
            psql(place, "DROP OWNED BY auditor; DROP ROLE auditor")


# Damage


DAMAGE = {
    "the table place": "UPDATE place SET label = 'x' WHERE seq = 2",
    "what says where transfers begin": "UPDATE place SET first_in_ledger = 7 WHERE seq = 2",
    "the table account_transfer": "UPDATE account_transfer SET account = 'x' WHERE number = 1 AND account = 'desk/1'",
    "the table placed": "UPDATE placed SET number = number + 1",
    "the table stream": "UPDATE stream SET transfers = 9",
    "what is said of documents": "UPDATE document SET sha256 = ''",
    "the table checkpoint": "INSERT INTO checkpoint VALUES (-1, '')",
    "node 0 of level 1": "UPDATE tree SET hash = ''",
}


@pytest.mark.parametrize("what", DAMAGE)
async def test_what_is_searched_by_agrees_with_the_entries(place: Path, what: str) -> None:
    async with closing_store(open_store(place, Access.WRITE)) as store:
        await append(store, [entry(buy(1, 5), documents=(("shoe", b"1"),)), *(entry() for _ in range(300))])
        assert (await audit(store)).index_rows == 608
        psql(place, DAMAGE[what])
        with pytest.raises(Corrupt, match=what):
            await store.check_indexes()


async def test_an_entry_that_cannot_be_read_is_named(place: Path) -> None:
    async with closing_store(open_store(place, Access.WRITE)) as store:
        await append(store, [entry(buy(1, 5)), entry(documents=(("shoe", b"1"),)), *(entry() for _ in range(300))])
        await store.head()
        psql(
            place,
            "UPDATE journal SET transfers = '[' WHERE number = 1; UPDATE journal SET documents = '[' WHERE number = 2",
        )
        with pytest.raises(Corrupt, match="entry 1: its transfers cannot be read"):
            await store.entries()
        with pytest.raises(Corrupt, match="entry 2: what it says of documents cannot be read"):
            await store.entries(after=1)
        psql(place, "DELETE FROM place WHERE seq = 300")
        with pytest.raises(Corrupt, match="nodes 256 to 302 of level 0 are missing"):
            await store.tree()


# A process of its own


def process_of(store: Store) -> int:
    assert isinstance(store, ThreadedStore)
    assert store._writer is not None
    assert isinstance(store._writer._committer, CommitterProcess)
    return store._writer._committer._process.pid


async def test_a_server_has_it_written_by_a_process(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PATIENCE_S", 0.0)
    async with closing_store(open_store(place, Access.SERVE)) as store:
        assert await append(store, [entry(buy(1, 5))]) == 1
        with pytest.raises(Overdrawn, match="terminal/1 would fall to -1 cents"):
            await append(store, [entry(bet(1, 6))])
        end_connections(place)
        assert await append(store, [entry(bet(1, 5))]) == 2
        os.kill(process_of(store), signal.SIGKILL)
        with pytest.raises(StoreFailed, match=r"the process that writes postgresql://.* has ended"):
            await append(store, [entry()])
        assert (await audit(store)).entries == 2
