"""What only a file can get wrong: its lock, its disk, its readers, its event loops, and strangers' files."""

import asyncio
import errno
import os
import resource
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw
import pytest

from natural9.store.audit import audit
from natural9.store.contract import Access, Corrupt, Overdrawn, StoreFailed
from natural9.store.opening import copy_records, find_records, open_store
from natural9.store.sqlite import file_lock
from tests.store.opening import append, audited, bet, buy, closing_store, entry, folder
from tests.store.test_tampering import change

ROOT = Path(__file__).parents[2]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


async def written(path: Path, entries: int = 3) -> None:
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        await append(store, [entry(buy(n, 5)) for n in range(entries)])


@contextmanager
def somebody_writing(path: Path) -> Iterator[None]:
    """Another hand on the file: the store's writer has to wait until this one is done.

    Through apsw: locks between threads hold only within one copy of SQLite, and Python's own is another.
    """
    with closing(apsw.Connection(str(path))) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def commits_in_log(path: Path) -> int:
    """Frames of the write-ahead log that end a transaction: those that say how large the file is after it."""
    log = path.with_name(path.name + "-wal").read_bytes()
    frames = range(32, len(log), 24 + 4096)
    return sum(log[start + 4 : start + 8] != bytes(4) and log[start + 8 : start + 16] == log[16:24] for start in frames)


class Syncs(apsw.VFS):
    """The default file system, as long as it lives, with each sync of a file noted."""

    def __init__(self) -> None:
        self.synced: list[str] = []
        self.below = apsw.vfs_names()[0]
        super().__init__("syncs", self.below, makedefault=True)

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        synced, path = self.synced, name.filename() if isinstance(name, apsw.URIFilename) else str(name)

        class File(apsw.VFSFile):
            def xSync(self, flags: int) -> None:  # noqa: N802
                super().xSync(flags)
                synced.append(Path(path).name)

        return File(self.below, name, flags)


async def test_every_commit_is_synced_before_it_is_acknowledged(path: Path) -> None:
    """Nothing else shows on a machine whose power is never cut."""
    disk = Syncs()
    try:
        async with closing_store(open_store(path.parent, Access.WRITE)) as store:
            for number in range(1, 4):
                disk.synced.clear()
                assert await append(store, [entry()]) == number
                assert "journal.db-wal" in disk.synced
    finally:
        disk.unregister()


async def test_what_waits_shares_one_commit_and_is_not_seen_before(path: Path) -> None:
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        await append(store, [entry()])
        before = commits_in_log(path)
        with somebody_writing(path):
            first = asyncio.ensure_future(append(store, [entry(documents=(("shoe", b"1"),))]))
            assert (await store.head()).seq == 1  # by now the writer has taken the first one, and waits with it
            others = [append(store, [entry(buy(n, 5))]) for n in range(500)]
            assert len(await store.entries()) == 1
            assert await store.balances() == {}
            assert await store.document("shoe") is None
            assert not first.done()
        assert await first == 2
        assert await asyncio.gather(*others) == list(range(3, 503))
        assert commits_in_log(path) - before <= 2


async def test_a_file_is_opened_again_with_all_that_was_in_it(path: Path) -> None:
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        await append(store, [entry(buy(1, 500), documents=(("shoe", b"\x00"),)), entry(label="round/1")])
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        assert await store.balances() == {"desk/1": -500, "terminal/1": 500}
        assert await store.document("shoe") == b"\x00"
        with pytest.raises(Overdrawn):
            await append(store, [entry(bet(1, 501))])
        assert await append(store, [entry(bet(1, 500))]) == 3
        assert (await audit(store))[:3] == (3, 2, 2)


def test_a_store_serves_several_event_loops(path: Path) -> None:
    store = open_store(path.parent, Access.WRITE)

    async def one_more() -> int:
        return await append(store, [entry()])

    async def leave_one_behind() -> None:
        append(store, [entry()])

    assert asyncio.run(one_more()) == 1  # each time on another loop, so this test is no `async def`
    asyncio.run(leave_one_behind())
    assert asyncio.run(one_more()) == 3
    asyncio.run(store.close())


async def test_two_processes_never_write_one_file(path: Path) -> None:
    code = """
import sys
import threading
from pathlib import Path
from natural9.store.contract import Access
from natural9.store.opening import copy_records, open_store
store = open_store(Path(sys.argv[1]), Access.WRITE)
print(1, flush=True)
input()
"""
    command = [sys.executable, "-c", code, str(path.parent)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "1\n"
        with pytest.raises(StoreFailed, match=rf"journal\.db is being written by process {other.pid}.*read-only"):
            open_store(path, Access.WRITE)
        await audited(open_store(path, Access.READ))
        other.kill()
    await audited(open_store(path, Access.WRITE))


async def test_a_lock_that_was_removed_holds_all_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By another process and by this one; and the store that is open goes on."""
    monkeypatch.setattr(file_lock, "PATIENCE_S", 0.1)
    for access in (Access.SERVE, Access.WRITE):
        async with closing_store(open_store(path.parent, access)) as store:
            path.with_name("journal.db.lock").unlink()
            for _ in range(2):
                with pytest.raises(
                    StoreFailed, match=r"journal\.db is being written by another process \(fuser .*only$"
                ):
                    open_store(path, Access.WRITE)
            await append(store, [entry()])
            await audit(store)


@pytest.mark.parametrize("access", [Access.SERVE, Access.WRITE])
async def test_its_files_are_the_owners_alone(path: Path, access: Access) -> None:
    usual = os.umask(0)
    try:
        async with closing_store(open_store(path.parent, access)) as store:
            await append(store, [entry()])
            copied = await asyncio.to_thread(copy_records, path.parent, folder(path.parent / "copy"))
            made = [*(file for file in path.parent.iterdir() if file.is_file()), copied]
            assert {stat.S_IMODE(file.stat().st_mode) for file in made} == {0o600}
            assert {path.name + end for end in ("", "-wal", "-shm", ".lock")} <= {file.name for file in made}
    finally:
        os.umask(usual)


async def test_files_that_others_may_read_are_tightened_and_it_is_said(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await written(path)
    assert not caplog.records
    path.chmod(0o644)
    path.parent.chmod(0o775)
    await audited(open_store(path, Access.WRITE))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [record.getMessage() for record in caplog.records] == [
        f"{path.parent} can be changed by others (mode 775): chmod 700 {path.parent}",
        f"{path} was open to others (mode 644): it is its owner's alone now",
    ]
    caplog.clear()
    path.parent.chmod(0o700)
    path.chmod(0o640)

    def refused(file: Path, mode: int) -> None:
        raise PermissionError(errno.EPERM, f"{file} is another's")

    monkeypatch.setattr(Path, "chmod", refused)  # as where somebody else owns it
    await audited(open_store(path, Access.WRITE))
    assert "is open to others (mode 640), and that cannot be changed" in caplog.text


async def test_one_process_opens_a_file_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lock, "PATIENCE_S", 0.1)
    async with closing_store(open_store(path.parent, Access.WRITE)):
        link = path.with_name("link.db")
        link.symlink_to(path)
        for name in (path, link):
            with pytest.raises(StoreFailed, match=r"journal\.db is being written by process"):
                open_store(name, Access.WRITE)


async def test_a_read_only_store_shows_one_moment_and_writes_nothing(path: Path) -> None:
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        await append(store, [entry(buy(1, 5))])
        still = open_store(path, Access.READ)
        await append(store, [entry(buy(1, 5)) for _ in range(10)])
        assert (await still.head()).seq == len(await still.entries()) == 1
        assert (await audit(still)).entries == 1
        with pytest.raises(StoreFailed, match="for reading only"):
            await append(still, [entry()])
        await still.close()
        with pytest.raises(StoreFailed, match="closed"):
            await still.head()
        assert (await store.head()).seq == 11


async def test_a_full_disk_stops_the_store_and_loses_nothing(path: Path) -> None:
    """The system refuses to let any file grow further, as a full disk does."""
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        assert await append(store, [entry()]) == 1
        grown = max(file.stat().st_size for file in path.parent.iterdir())
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (grown + 50_000, hard))
        try:
            big = [append(store, [entry(buy(1, 5), body=b'"%s"' % (b"x" * 200_000))]) for _ in range(3)]
            answers = await asyncio.gather(*big, return_exceptions=True)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert [type(answer) for answer in answers] == [StoreFailed] * 3
        with pytest.raises(StoreFailed, match="the journal could not be written"):
            await append(store, [entry()])
        assert (await audit(store)).entries == 1
    async with closing_store(open_store(path, Access.WRITE)) as store:
        assert await append(store, [entry(buy(1, 5))]) == 2
        await audit(store)


def test_a_journal_that_is_a_link_to_itself_is_refused(path: Path) -> None:
    """From Python 3.13 on such a link is only one that leads nowhere."""
    path.symlink_to(path)
    with pytest.raises(StoreFailed, match=r"leads to itself|nothing was ever recorded"):
        open_store(path.parent, Access.READ)


@pytest.mark.parametrize("access", Access)
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_journal_that_is_no_file_is_refused(path: Path, access: Access, make: Callable[[Path], None]) -> None:
    """Whoever opened a pipe would wait for ever for somebody to write into it."""
    make(path)
    assert find_records(path.parent) == str(path)
    with pytest.raises(StoreFailed, match=r"journal\.db is not a plain file: put it elsewhere"):
        open_store(path.parent, access)
    with pytest.raises(StoreFailed, match=r"journal\.db is not a plain file: put it elsewhere"):
        copy_records(path.parent, path.parent)
    assert list(path.parent.iterdir()) == [path]


def test_opening_what_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match=r"there is no journal in .*: nothing was ever recorded there$"):
        open_store(tmp_path, Access.READ)
    for access in Access:
        with pytest.raises(StoreFailed, match=r"there is no folder or journal .*/nowhere$"):
            open_store(tmp_path / "nowhere", access)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("access", Access)
def test_opening_what_is_no_journal_says_so(path: Path, access: Access) -> None:
    path.write_bytes(b"")  # somebody lost it all: nothing is begun in its place
    with pytest.raises(StoreFailed, match="no journal of natural9"):
        open_store(path.parent, access)
    assert path.read_bytes() == b""
    path.write_bytes(b"This is a text file about something else. " * 100)
    with pytest.raises(Corrupt, match=r"journal\.db is damaged or no journal at all"):
        open_store(path.parent, access)


async def test_a_journal_is_begun_whole_or_not_at_all(path: Path) -> None:
    """The disk is full, then the power fails while the file is made: the next time begins anew."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
    try:
        with pytest.raises(StoreFailed, match=r"journal\.db cannot be used"):
            open_store(path.parent, Access.WRITE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not path.exists()
    path.with_name("journal.db.part").write_bytes(b"half a file")
    await written(path)
    assert (await audited(open_store(path, Access.READ))).entries == 3


def test_a_strange_database_is_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE guests (name TEXT)")
    with pytest.raises(StoreFailed, match="no journal of natural9: it has no table meta"):
        open_store(path.parent, Access.WRITE)


async def test_a_schema_from_the_future_is_refused(path: Path) -> None:
    await written(path)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE meta SET value = '3' WHERE key = 'schema'")
    with pytest.raises(StoreFailed, match="has schema '3', but this program knows only '2'"):
        open_store(path, Access.WRITE)
    with pytest.raises(StoreFailed, match="has schema '3'"):
        open_store(path, Access.READ)


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9])
async def test_a_file_cut_short_is_noticed(path: Path, keep: float) -> None:
    await written(path, 3000)
    with path.open("r+b") as file:
        file.truncate(int(path.stat().st_size * keep))
    with pytest.raises(Corrupt, match=r"journal\.db is damaged"):
        await audited(open_store(path, Access.WRITE))


@pytest.mark.parametrize("table", ["journal", "transfer"])
async def test_the_file_itself_refuses_changes(path: Path, table: str) -> None:
    await written(path)
    with closing(sqlite3.connect(path)) as other:
        for sql in (f"UPDATE {table} SET kind = 'x'", f"DELETE FROM {table}"):
            with pytest.raises(sqlite3.IntegrityError, match=f"the {table} is append-only"):
                other.execute(sql)


async def test_lookups_use_their_indexes(path: Path) -> None:
    """A label, a stream and an account are found without reading the journal from end to end."""
    await written(path)
    with closing(sqlite3.connect(path)) as other:
        for sql in (
            "SELECT body FROM journal WHERE label = ?1 AND label != '' AND seq < 9 ORDER BY seq DESC",
            "SELECT body FROM journal WHERE stream = ?1 AND seq > 9 ORDER BY seq",
            "SELECT number FROM account_transfer WHERE account = ?1 AND number > 9 ORDER BY number",
        ):
            plan = " ".join(row[3] for row in other.execute(f"EXPLAIN QUERY PLAN {sql}", ("x",)))
            assert "SEARCH" in plan
            assert "SCAN" not in plan
            assert "TEMP" not in plan


def test_a_name_that_something_else_has_taken_is_named(path: Path) -> None:
    path.with_name("journal.db.part").mkdir()
    with pytest.raises(StoreFailed, match=r"journal\.db cannot be used: Is a directory"):
        open_store(path.parent, Access.WRITE)


@pytest.fixture
def no_shared_memory() -> Iterator[None]:
    """As on a network drive: SQLite's own way of working on one that cannot share memory between processes."""
    usual = apsw.vfs_names()[0]
    apsw.set_default_vfs("unix-none")
    yield
    apsw.set_default_vfs(usual)


@pytest.mark.usefixtures("no_shared_memory")
def test_a_disk_that_cannot_keep_a_log_is_refused(path: Path) -> None:
    with pytest.raises(StoreFailed, match="stays in journal mode delete: its folder must be on a local disk"):
        open_store(path.parent, Access.WRITE)


def test_a_journal_that_is_gone_is_missed_by_its_head(tmp_path: Path) -> None:
    with pytest.raises(StoreFailed, match="nothing was ever recorded there"):
        open_store(tmp_path, Access.READ)
    (tmp_path / "journal.head").write_text("")
    with pytest.raises(Corrupt, match=r"journal\.db is missing, though journal\.head says that there was one"):
        open_store(tmp_path, Access.READ)
    (tmp_path / "journal.db").write_bytes(b"")
    for access in Access:
        with pytest.raises(Corrupt, match=r"journal\.db is empty, though journal\.head says that there were entries"):
            open_store(tmp_path, access)


async def test_transfers_of_some_streams_are_theirs_however_they_lie(path: Path) -> None:
    """Close together they are read at once, with those of others between them; far apart each run by itself."""
    async with closing_store(open_store(path.parent, Access.WRITE)) as store:
        for number in range(12):
            await append(store, [entry(buy(number, 5), bet(number, 2), stream="table/1"), entry(stream="table/1")])
            await append(store, [entry(*[buy(99, 1)] * (1 if number < 6 else 50), stream="table/2")])
        every = await store.entries(stream="table/1")
        assert [len(one.transfers) for one in every] == [2, 0] * 12
        assert await store.entries(stream="table/1", limit=10) == every[:10]
        assert {one.source for written in every for one in written.transfers[1:]} == {
            f"terminal/{number}" for number in range(12)
        }
        change(path, "DELETE FROM transfer WHERE number = 3")  # of table/2
        assert await store.entries(stream="table/1", limit=10) == every[:10], "it is not theirs that is missing"
        with pytest.raises(Corrupt, match="entry 3: its transfers should be 1 from number 3, but they are not"):
            await store.entries()


async def test_who_does_nothing_else_reads_at_once_and_starts_no_thread(path: Path) -> None:
    await written(path)
    async with closing_store(open_store(path.parent, Access.READ)) as by_thread:
        every = await by_thread.entries()
    before = threading.active_count()
    async with closing_store(open_store(path.parent, Access.READ, at_once=True)) as store:
        assert await store.entries() == every
        assert await store.entries(stream=[every[0].stream]) == every
        assert threading.active_count() == before
    with pytest.raises(StoreFailed, match="this store is closed"):
        await store.entries()
