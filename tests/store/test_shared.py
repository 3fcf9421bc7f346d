"""Several who write one journal in a database: each stream by who has taken it over, and nobody else."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from natural9.store.chain import STREAM_START
from natural9.store.contract import (
    Access,
    Checkpoint,
    Corrupt,
    Entry,
    LostCommits,
    LostEntries,
    NoLongerOwner,
    Overdrawn,
    SharedStore,
    StoreFailed,
    Transfer,
)
from natural9.store.group import Commits, Committed, Outcome, Writing, owning
from natural9.store.opening import open_shared, open_store
from natural9.store.postgres import locks, schema
from natural9.store.postgres.connection import ConnectionLost, DatabaseConnection
from natural9.store.postgres.heads import heads_file, read_heads
from natural9.store.postgres.restarting import RestartedCommitter
from natural9.store.postgres.scripts import FIRST, SCRIPTS
from natural9.store.postgres.shared import SharedCommitter, open_shared_committer
from natural9.store.postgres.store import SharedPostgresStore
from natural9.store.process import CommitterProcess
from natural9.store.writer_thread import WriterThread
from tests.store.opening import append, audited, bet, buy, closing_store, entry
from tests.store.postgres_server import address, aside, emptied_place, end_connections, new_place, psql, server


@pytest.fixture
def place() -> Path:
    return emptied_place()


def write(one: SharedCommitter, *entries: Entry) -> Outcome:
    """After all that it knows of."""
    after = one._book.streams.get(entries[0].stream, STREAM_START)
    [outcome] = one.commit([Writing(entries, after.number, after.hash)]).outcomes
    return outcome


def claim(one: SharedCommitter, stream: str) -> int:
    """As its node's lease would."""
    [[epoch]] = one._connection.fetch(
        "INSERT INTO stream VALUES ($1, 1, $2, 0, $3, 0) ON CONFLICT (name) DO UPDATE SET epoch = stream.epoch + 1,"
        " owner = excluded.owner RETURNING epoch",
        stream,
        one._owner,
        bytes(32),
    )
    return int(epoch)


def take(one: SharedCommitter, *streams: str) -> None:
    for stream in streams:
        [outcome] = one.commit([owning(stream, claim(one, stream))]).outcomes
        assert isinstance(outcome, int), outcome


@pytest.fixture
def pair(place: Path) -> Iterator[tuple[SharedCommitter, SharedCommitter]]:
    """Two who write with others."""
    one = open_shared_committer(address(place), "one", None)
    with closing(one), closing(open_shared_committer(address(place), "other", None)) as other:
        yield one, other


def test_who_lost_a_stream_is_told_and_the_others_go_on(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter]
) -> None:
    one, other = pair
    take(one, "table/1", "venue")
    assert write(one, entry(documents=(("shoe/1", b"a"),))) == 1
    assert write(one, entry(stream="venue")) == 1
    first = one._book.streams["table/1"]
    take(other, "table/1")
    assert write(other, entry(documents=(("shoe/1", b"b"),))) == 2
    refused, fine = one.commit(
        [Writing((entry(),), first.number, first.hash), Writing((entry(stream="venue"),), 1, None)]
    ).outcomes
    assert isinstance(refused, NoLongerOwner)
    assert "table/1, which ends with entry 2, is written by other now: this writer stops" in str(refused)
    assert fine == 2
    assert one.is_able
    assert asyncio.run(audited(open_store(place, Access.READ))).entries == 4


def test_documents_and_money_of_others_are_what_they_are_by_now(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter]
) -> None:
    """Neither knows what the other wrote until the database says so."""
    one, other = pair
    take(one, "table/1")
    take(other, "venue")
    voucher = Transfer("voucher-out", "house/1", "voucher/9", 500)
    paid = Transfer("voucher-paid", "voucher/9", "desk/1", 500)
    assert write(one, entry(voucher, documents=(("voucher/9", b"new"), ("card", b"x")))) == 1
    assert write(other, entry(paid, stream="venue", documents=(("voucher/9", None),))) == 1
    second = write(one, entry(paid))
    assert isinstance(second, Overdrawn)
    assert str(second) == "voucher/9 would fall to -500 cents"
    again = entry(documents=(("voucher/9", b"anew"), ("card", None), ("never", None)))
    assert write(one, again) == 2
    assert write(other, entry(stream="venue", documents=(("never", None), ("card", b"y")))) == 2
    found = asyncio.run(audited(open_store(place, Access.READ)))
    assert (found.entries, found.documents, found.accounts) == (4, 2, 2)


def test_a_document_that_another_has_changed_is_written_over_as_it_is_by_now(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter]
) -> None:
    """What it was before is part of the chain: whoever has seen an older one looks again first."""
    one, other = pair
    take(one, "table/1")
    take(other, "venue")
    assert write(one, entry(documents=(("card", b"first"),))) == 1
    assert write(other, entry(stream="venue", documents=(("card", b"of the other"),))) == 1
    assert write(one, entry(documents=(("card", b"last"),))) == 2
    found = asyncio.run(audited(open_store(place, Access.READ)))
    assert (found.entries, found.documents) == (3, 1)
    assert psql(place, "SELECT convert_from(value, 'UTF8') FROM document") == "last"


def test_a_short_account_that_was_paid_in_meanwhile_pays(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    take(one, "table/1")
    take(other, "venue")
    refused = one._overdrawn

    def paid_in_meanwhile(entries: Any) -> Overdrawn | None:
        assert write(other, entry(buy(1, 5), stream="venue")) == 1
        return refused(entries)

    monkeypatch.setattr(one, "_overdrawn", paid_in_meanwhile)
    assert write(one, entry(bet(1, 5))) == 1
    assert psql(place, "SELECT account, cents FROM balance ORDER BY 1") == "desk/1|-5\nstake/1|5"


def test_several_who_write_at_once_make_one_journal(place: Path) -> None:
    """Money goes round between them all the time: whatever order places are given in, nobody is short on the way."""
    writers = 4

    def work(number: int) -> None:
        stream = f"table/{number}"
        mine, next_one = f"credit/{number}", f"credit/{(number + 1) % writers}"
        with closing(open_shared_committer(address(place), f"node{number}", None)) as one:
            take(one, stream)
            assert write(one, entry(Transfer("buy", "desk/1", mine, 100), stream=stream)) == 1
            for turn in range(25):
                at = one._book.streams[stream]
                moved = entry(Transfer("pay", mine, next_one, 40), stream=stream)
                outcome = write(one, moved, entry(stream=stream, documents=(("last", b"%d" % number),)))
                assert outcome == at.number + 1 or isinstance(outcome, Overdrawn), outcome
                if turn % 8 == number:
                    with closing(DatabaseConnection(address(place))) as giving:
                        giving.fetch("SELECT give_places()")

    failed: list[BaseException] = []

    def noted(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=noted, args=(number,)) for number in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert asyncio.run(audited(open_store(place, Access.READ))).entries > writers


# Taking over and letting go


@pytest.fixture
def one(place: Path) -> Iterator[SharedCommitter]:
    with closing(open_shared_committer(address(place), "one", None)) as committer:
        yield committer


def test_only_who_has_taken_a_stream_over_writes_it(one: SharedCommitter) -> None:
    assert isinstance(write(one, entry()), NoLongerOwner)
    take(one, "table/1")
    assert write(one, entry()) == 1
    group = [
        Writing((entry(),), 1, None),
        owning("table/1", None),
        Writing((entry(),), 2, None),
        Writing((entry(stream="venue"),), 0, None),
        owning("never", None),
    ]
    outcomes = one.commit(group).outcomes
    assert outcomes[:2] == [2, 0]
    assert [str(outcome) for outcome in outcomes[2:4]] == [
        f"{stream} is not written here: it was not taken over, or was given up since" for stream in ("table/1", "venue")
    ]
    assert outcomes[4] == 0


def test_a_stream_goes_on_where_whoever_had_it_stopped(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter]
) -> None:
    """With the sum over the documents that it wrote, or without one."""
    one, other = pair
    take(one, "table/1", "venue")
    assert write(one, entry(buy(1, 5), documents=(("shoe/1", b"a"), ("snapshot", b"b")))) == 1
    assert write(one, entry(), entry()) == 2
    committed = other.commit([owning("table/1", claim(other, "table/1")), Writing((entry(bet(1, 5)),), 3, None)])
    assert committed.outcomes == [3, 4]
    assert committed.streams["table/1"].number == 4
    assert write(other, entry(documents=(("shoe/1", None),))) == 5
    take(one, "table/1")
    assert write(one, entry(documents=(("snapshot", b"c"),))) == 6
    found = asyncio.run(audited(open_store(place, Access.READ)))
    assert (found.entries, found.documents) == (6, 1)


def test_an_epoch_is_good_for_one_beginning(pair: tuple[SharedCommitter, SharedCommitter]) -> None:
    one, other = pair
    epoch = claim(one, "table/1")
    [refused] = other.commit([owning("table/1", epoch)]).outcomes
    assert isinstance(refused, NoLongerOwner)
    assert str(refused) == f"table/1 cannot be taken over under epoch {epoch}: claim it anew"
    assert one.commit([owning("table/1", epoch)]).outcomes == [0]
    for other_epoch in (epoch, epoch - 1, epoch + 1):
        [refused] = one.commit([owning("table/1", other_epoch)]).outcomes
        assert isinstance(refused, NoLongerOwner)
        assert isinstance(write(one, entry()), NoLongerOwner)
    assert one.is_able


def test_a_zombie_is_refused_though_nobody_has_written_since(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter]
) -> None:
    """It was stopped, and wakes up."""
    one, other = pair
    take(one, "table/1", "table/2")
    assert write(one, entry()) == 1
    claim(other, "table/1")
    psql(place, "UPDATE stream SET epoch = epoch + 1, owner = '' WHERE name = 'table/2'")
    refused = [write(one, entry(stream=stream)) for stream in ("table/1", "table/2")]
    assert [type(outcome) for outcome in refused] == [NoLongerOwner, NoLongerOwner]
    assert "which ends with entry 1, is written by other now" in str(refused[0])
    assert "which ends with entry 0, has no owner now" in str(refused[1])
    assert psql(place, "SELECT count(*) FROM journal") == "1"


async def test_through_a_store(place: Path, tmp_path: Path) -> None:
    async with closing_store(open_shared(place, Access.SERVE, node="one", folder=tmp_path)) as store:
        await begin(store, place, "table/1")
        assert store.stream_head("table/1").number == 0
        assert await append(store, [entry(buy(1, 5))]) == 1
        assert store.can_write
        last = append(store, [entry()])
        store.let_go("table/1").cancel()  # type: ignore[attr-defined]
        assert await store.let_go("table/1") == 0
        assert await last == 2
        assert read_heads(heads_file(tmp_path, "one")).heads["table/1"][0] == 2
        with pytest.raises(NoLongerOwner):
            await append(store, [entry()])
        await store.keep_checkpoint(Checkpoint(2, "two"))
        await store.keep_checkpoint(Checkpoint(2, "fo"))  # of a zombie that knows of fewer cosignatures
        assert await store.checkpoint() == Checkpoint(2, "two")


async def begin(store: SharedStore, place: Path, stream: str, node: str = "one") -> int:
    epoch = psql(
        place,
        f"INSERT INTO stream VALUES ('{stream}', 1, '{node}', 0, decode(repeat('00', 32), 'hex'), 0)"
        " ON CONFLICT (name) DO UPDATE SET epoch = stream.epoch + 1, owner = excluded.owner RETURNING epoch",
    )
    return await store.take_over(stream, int(epoch))


def test_records_in_a_file_are_one_machines(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match=r"is one machine's: several write only records in a database"):
        open_shared(tmp_path, Access.SERVE, node="one", folder=tmp_path)


# A connection that is lost


Fetch = Callable[..., list[Any]]


def lose_next(one: SharedCommitter, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[object, ...]]]:
    """The next append is on its way, and its answer never comes."""
    fetch, sent = one._connection.fetch, list[tuple[str, tuple[object, ...]]]()

    def losing(sql: str, *values: object) -> list[Any]:
        if "append(" not in sql:
            return fetch(sql, *values)
        monkeypatch.setattr(one._connection, "fetch", fetch)
        sent.append((sql, values))
        raise ConnectionLost("cut off")

    monkeypatch.setattr(one._connection, "fetch", losing)
    return sent


def arrives(place: Path, sent: list[tuple[str, tuple[object, ...]]]) -> None:
    [(sql, values)] = sent
    with closing(DatabaseConnection(address(place))) as late:
        late.fetch(sql, *values)


def test_a_statement_whose_answer_was_lost_never_comes_after_its_stream_was_taken_over_anew(
    place: Path, one: SharedCommitter, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(one, "table/1", "venue")
    assert write(one, entry()) == 1
    sent = lose_next(one, monkeypatch)
    lost = write(one, entry(documents=(("shoe/1", b"lost"),)))
    assert type(lost) is StoreFailed
    assert str(lost) == "cut off; nobody knows whether the last entries were written"
    assert isinstance(write(one, entry(stream="venue")), NoLongerOwner)  # all is given up
    assert one.is_able
    epoch = claim(one, "table/1")
    with pytest.raises(Exception, match="a stream is somebody else's"):
        arrives(place, sent)
    assert one.commit([owning("table/1", epoch)]).outcomes == [1]
    with pytest.raises(Exception, match="a stream is somebody else's"):
        arrives(place, sent)
    assert write(one, entry(documents=(("shoe/1", b"again"),))) == 2
    assert asyncio.run(audited(open_store(place, Access.READ))).documents == 1


def test_one_that_came_before_its_stream_was_claimed_anew_is_there(
    place: Path, one: SharedCommitter, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(one, "table/1")
    sent = lose_next(one, monkeypatch)
    assert isinstance(write(one, entry(documents=(("shoe/1", b"lost"),))), StoreFailed)
    arrives(place, sent)
    [outcome] = one.commit([owning("table/1", claim(one, "table/1"))]).outcomes
    assert outcome == 1
    assert write(one, entry(documents=(("shoe/1", b"again"),))) == 2
    assert asyncio.run(audited(open_store(place, Access.READ))).entries == 2


async def test_the_database_goes_away_and_comes_back(place: Path) -> None:
    """Nothing is acknowledged meanwhile, and nothing fails for good."""
    async with closing_store(open_shared(place, Access.SERVE, node="one", folder=None)) as store:
        await begin(store, place, "table/1")
        assert await append(store, [entry()]) == 1
        assert store.failures == 0
        server().stop(immediate=True)
        try:
            with pytest.raises(StoreFailed, match="nobody knows whether the last entries were written"):
                await append(store, [entry()])
            with pytest.raises(NoLongerOwner):
                await append(store, [entry()])
            with pytest.raises(StoreFailed, match="cannot be reached"):
                await store.take_over("table/1", 2)
            with pytest.raises(StoreFailed, match="cannot be reached"):
                await store.head()
            assert await store.let_go("table/1") == 0
            assert store.can_write
            assert store.failures > 0
        finally:
            server().start()
        assert await begin(store, place, "table/1") == 1
        assert await append(store, [entry()]) == 2
        end_connections(place)
        with pytest.raises(StoreFailed):
            await append(store, [entry()])
        assert (await store.head()).seq == 2
        await store.keep_checkpoint(Checkpoint(2, "two"))
        assert await begin(store, place, "table/1") == 2


def test_what_was_never_expected_gives_up_what_it_had_and_no_more(place: Path, one: SharedCommitter) -> None:
    take(one, "table/1")
    assert write(one, entry()) == 1
    psql(
        place,
        "INSERT INTO journal SELECT stream, 2, kind, body, at_ms, day, label, request, 1, 0, '[]', '', hash, 0"
        " FROM journal",
    )
    said = write(one, entry())
    assert isinstance(said, StoreFailed)
    assert "could not be written: UniqueViolationError" in str(said)
    psql(place, "DELETE FROM journal WHERE number = 2")
    take(one, "table/1")
    assert write(one, entry()) == 2


def writer_of(store: SharedStore) -> CommitterProcess:
    assert isinstance(store, SharedPostgresStore)
    assert store._writer is not None
    assert isinstance(store._writer._committer, RestartedCommitter)
    process = store._writer._committer._process
    assert isinstance(process, CommitterProcess)
    return process


async def test_a_process_that_ended_is_started_again(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with closing_store(open_shared(place, Access.SERVE, node="one", folder=tmp_path)) as store:
        await begin(store, place, "table/1")
        assert await append(store, [entry()]) == 1
        os.kill(writer_of(store)._process.pid, signal.SIGKILL)
        for _ in range(2):
            with pytest.raises(StoreFailed, match="has ended"):
                await append(store, [entry()])
        assert await store.let_go("table/1") == 0
        heads_file(tmp_path, "one").write_text("damaged")
        with pytest.raises(StoreFailed, match="is damaged, so that nobody knows"):
            await begin(store, place, "table/1")
        heads_file(tmp_path, "one").unlink()
        with pytest.raises(NoLongerOwner):
            await store.take_over("table/1", 1)
        assert await begin(store, place, "table/1") == 1
        assert await append(store, [entry()]) == 2


# Commits that were lost


def fail_over(place: Path) -> None:
    """To a server that has nothing of table/1 but its first entry."""
    psql(
        place,
        "DELETE FROM journal WHERE number > 1; DELETE FROM place WHERE number > 1; UPDATE placed SET number = 1;"
        " UPDATE stream SET number = journal.number, hash = journal.hash FROM journal WHERE name = stream;"
        " UPDATE head SET entries = 1, hash = journal.hash FROM journal",
    )


@pytest.mark.parametrize("other_entry", [False, True])
def test_what_was_acknowledged_and_is_gone_stops_it_for_good(
    place: Path, pair: tuple[SharedCommitter, SharedCommitter], other_entry: bool
) -> None:
    one, other = pair
    take(one, "table/1")
    assert [write(one, entry()), write(one, entry())] == [1, 2]
    one._connection.fetch("SELECT give_places()")
    fail_over(place)
    if other_entry:  # as many are there, or more, and not the same
        take(other, "table/1")
        assert write(other, entry(kind="other"), entry()) == 2
    [lost] = one.commit([owning("table/1", claim(one, "table/1"))]).outcomes
    assert isinstance(lost, LostCommits)
    assert "has lost commits: of table/1, entry 2 (" in str(lost)
    assert not one.is_able
    assert isinstance(write(one, entry()), LostCommits)
    assert psql(place, "SELECT value FROM meta WHERE key = 'lost'") == str(lost)
    with pytest.raises(LostEntries, match=r"of table/1, entry 2 .*natural9 accept-loss VENUE --by ID"):
        open_shared_committer(address(place), "third", None)


async def test_a_store_says_so_for_good(place: Path, tmp_path: Path) -> None:
    async with closing_store(open_shared(place, Access.SERVE, node="one", folder=tmp_path)) as store:
        await begin(store, place, "table/1")
        for _ in range(2):
            await append(store, [entry()])
        await store.head()
        fail_over(place)
        with pytest.raises(LostCommits):
            await begin(store, place, "table/1")
        assert not store.can_write


@pytest.fixture
def venue(place: Path, tmp_path: Path) -> Path:
    (tmp_path / "journal.postgresql").write_text(address(place))
    return tmp_path


async def two_entries(venue: Path) -> None:
    async with closing_store(open_shared(venue, Access.WRITE, node="one", folder=venue)) as store:
        await begin(store, Path(address_in(venue)), "table/1")
        for _ in range(2):
            await append(store, [entry()])
        await store.head()


def address_in(venue: Path) -> str:
    return (venue / "journal.postgresql").read_text()


async def test_a_node_that_starts_again_remembers(place: Path, venue: Path) -> None:
    """And everybody hears of it, wherever their own file is."""
    await two_entries(venue)
    await two_entries(venue)
    fail_over(place)
    said = r"has lost commits: entry 4 of table/1 \(\w{16}\) was acknowledged, says .*heads\.one, and is not there"
    with pytest.raises(LostEntries, match=said) as lost:
        open_shared(venue, Access.WRITE, node="one", folder=venue)
    assert str(lost.value).endswith(f'natural9 accept-loss {venue} --by ID --why "..."')
    with pytest.raises(LostEntries, match="has lost commits: entry 4 of table/1"):
        open_shared(place, Access.WRITE, node="other", folder=None)
    with pytest.raises(LostEntries, match="has lost commits: entry 4 of table/1"):
        open_store(place, Access.WRITE)
    with pytest.raises(Corrupt, match="has lost commits: entry 4 of table/1"):
        open_store(venue, Access.SERVE)
    await open_store(venue, Access.READ).close()


async def test_a_person_accepts_it_for_all_nodes(
    place: Path, venue: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    await two_entries(venue)
    for file in ("journal.heads.one", "journal.postgresql"):
        (elsewhere / file).write_bytes((venue / file).read_bytes())
    fail_over(place)
    with pytest.raises(LostEntries):
        open_store(venue, Access.WRITE)
    async with closing_store(open_store(venue, Access.WRITE, accept_loss=True)):
        pass  # nobody gave their word in the end
    with pytest.raises(LostEntries):
        open_store(venue, Access.WRITE)
    async with closing_store(open_store(venue, Access.WRITE, accept_loss=True)) as store:
        await append(store, [entry(stream="venue")])
        await append(store, [entry(stream="venue")])
    assert not (venue / "journal.heads.one").exists()
    for folder in (venue, elsewhere):
        async with closing_store(open_shared(folder, Access.WRITE, node="one", folder=folder)) as shared:
            assert await begin(shared, place, "table/1") in (1, 2)
            await append(shared, [entry()])
        assert read_heads(heads_file(folder, "one")).accepted == 1


async def test_a_file_that_is_damaged_is_said(venue: Path) -> None:
    await two_entries(venue)
    (venue / "journal.heads.one").write_bytes(b"0")
    with pytest.raises(LostEntries, match=r"journal\.heads\.one is damaged, so that nobody knows how far"):
        open_shared(venue, Access.WRITE, node="one", folder=venue)


async def test_a_file_that_cannot_be_written_stops_no_table(
    place: Path, venue: Path, caplog: pytest.LogCaptureFixture
) -> None:
    part = venue / "journal.heads.one.part"
    part.mkdir()
    async with closing_store(open_shared(venue, Access.WRITE, node="one", folder=venue)) as store:
        await begin(store, place, "table/1")
        assert await append(store, [entry()]) == 1
        await store.let_go("table/1")
        assert "journal.heads.one cannot be written" in caplog.text
        part.rmdir()
        await begin(store, place, "table/1")
        await store.let_go("table/1")
    assert read_heads(heads_file(venue, "one")).heads["table/1"][0] == 1


def test_the_file_follows_by_itself(place: Path, tmp_path: Path) -> None:
    with closing(open_shared_committer(address(place), "one", tmp_path)) as one:
        take(one, "table/1")
        assert write(one, entry()) == 1
        path = heads_file(tmp_path, "one")
        while not path.exists():
            pass
    assert path.stat().st_mode & 0o77 == 0


# Its schema


def test_nodes_that_start_at_once_make_one_schema() -> None:
    place = new_place(made=False)
    made: list[str] = []

    def start(node: str) -> None:
        with closing(open_shared_committer(address(place), node, None)) as one:
            made.append(one._owner)

    threads = [threading.Thread(target=start, args=(node,)) for node in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == ["a", "b", "c"]


def test_a_schema_is_not_changed_under_others(monkeypatch: pytest.MonkeyPatch) -> None:
    place = new_place()
    monkeypatch.setattr(locks, "PATIENCE_S", 0.1)
    with closing(open_shared_committer(address(place), "old", None)):
        monkeypatch.setattr(schema, "SCRIPTS", (*SCRIPTS, "CREATE TABLE natural9.later (word text);"))
        with pytest.raises(StoreFailed, match="has an older schema, and somebody writes there: stop every node"):
            open_shared_committer(address(place), "new", None)
    end_connections(place)  # a session that is closed ends a moment later
    with closing(open_shared_committer(address(place), "new", None)):
        assert psql(place, "SELECT count(*) FROM later") == "0"


def test_records_of_the_first_schema_are_brought_up_to_date() -> None:
    """As they were before there were leases."""
    place = new_place(made=False)

    def old() -> None:
        with closing(DatabaseConnection(address(place))) as connection:
            connection.execute(f"{FIRST}; UPDATE meta SET value = '1' WHERE key = 'schema'")
            connection.execute(
                "INSERT INTO stream VALUES ('table/1', 3, 'somebody', NULL, 0, decode(repeat('00', 32), 'hex'), 0)"
            )

    aside(old)
    with pytest.raises(StoreFailed, match="has schema 1, and this program wants 2"):
        open_store(place, Access.READ)
    with closing(open_shared_committer(address(place), "one", None)) as one:
        take(one, "table/1")
        assert write(one, entry()) == 1
        assert one._epochs == {"table/1": 4}
    asyncio.run(open_store(place, Access.WRITE).close())


def test_a_process_that_cannot_be_started_now_is_started_later() -> None:
    class Ended:
        is_able = False

        def commit(self, group: Sequence[Writing]) -> Committed:
            return Committed([1 for _ in group], {})

        def close(self) -> None:
            pass

    starts: Iterator[Commits | Exception] = iter([Ended(), OSError("too many open files"), Ended()])

    def start() -> Commits:
        started = next(starts)
        if isinstance(started, Exception):
            raise started
        return started

    committer = RestartedCommitter(start)
    [failed] = committer.commit([owning("table/1", 2)]).outcomes
    assert isinstance(failed, StoreFailed)
    assert committer.commit([owning("table/1", 3)]).outcomes == [1]


async def test_a_failure_that_nobody_waits_for_any_more_is_counted() -> None:
    """Whatever was written here has been given up with it."""
    cancelled = threading.Event()

    class Away:
        is_able = True

        def commit(self, group: Sequence[Writing]) -> Committed:
            cancelled.wait()
            return Committed([StoreFailed("the database is away") for _ in group], {})

        def close(self) -> None:
            pass

    writer = WriterThread(Away(), "records", {})
    writer.put(owning("table/1", 1)).cancel()
    cancelled.set()
    await asyncio.to_thread(writer.finish)
    await asyncio.sleep(0)
    assert writer.failures == 1
