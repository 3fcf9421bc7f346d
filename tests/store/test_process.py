"""A journal written by a process of its own: what happens when either side ends, and what it says to others."""

import asyncio
import os
import resource
import signal
from pathlib import Path

import pytest

from natural9.store import file_lock
from natural9.store.audit import audit
from natural9.store.contract import Corrupt, Store, StoreFailed
from natural9.store.sqlite import SqliteStore, open_sqlite
from natural9.store.sqlite_process import CommitterProcess
from tests.store.opening import audited, buy, closing_store, entry


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def opened(path: Path) -> SqliteStore:
    return open_sqlite(path, create=True, in_process=False)


def process_of(store: Store) -> int:
    """The process that writes for this store."""
    assert isinstance(store, SqliteStore)
    assert store._writer is not None
    assert isinstance(store._writer._committer, CommitterProcess)
    return store._writer._committer._process.pid


async def test_when_it_is_killed_the_store_says_so_and_writes_nothing_more(path: Path) -> None:
    async with closing_store(opened(path)) as store:
        assert await store.append([entry(buy(1, 5))]) == 1
        os.kill(process_of(store), signal.SIGKILL)
        for _ in range(2):
            with pytest.raises(StoreFailed, match=r"the process that writes .*journal\.db has ended"):
                await store.append([entry(buy(1, 5))])
        assert (await audit(store)).entries == 1  # it can still be read
    async with closing_store(opened(path)) as store:
        assert await store.append([entry(buy(1, 5))]) == 2


async def test_signals_for_the_whole_group_do_not_end_it(path: Path) -> None:
    """Ctrl-C, or a service manager that stops all of a service's processes: its owner still has to write its last."""
    async with closing_store(opened(path)) as store:
        for ending in (signal.SIGINT, signal.SIGTERM):
            os.kill(process_of(store), ending)
        assert await store.append([entry()]) == 1


async def test_it_has_ended_and_let_go_once_the_store_is_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lock, "PATIENCE_S", 0.0)
    gone: list[int] = []
    async with closing_store(opened(path)) as store:
        gone.append(process_of(store))
        store.append([entry(body=b"%d" % place) for place in range(1000)])  # nobody waits for it
    with pytest.raises(ProcessLookupError):
        os.kill(gone[0], 0)
    assert (await audited(open_sqlite(path))).entries == 1000


def test_what_is_wrong_with_a_file_is_said_as_in_the_same_process(path: Path) -> None:
    with pytest.raises(StoreFailed, match="cannot be made: No such file"):
        opened(path / "in" / "no" / "folder.db")
    path.write_bytes(b"This is a text file about something else. " * 100)
    with pytest.raises(Corrupt, match=r"journal\.db is damaged or no journal at all"):
        opened(path)


async def test_who_finds_the_file_locked_is_told_the_owner(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lock, "PATIENCE_S", 0.1)
    async with closing_store(opened(path)):
        with pytest.raises(StoreFailed, match=rf"is being written by process {os.getpid()} "):
            open_sqlite(path)


async def test_a_full_disk_stops_it_and_loses_nothing(path: Path) -> None:
    async with closing_store(opened(path)) as store:
        assert await store.append([entry()]) == 1
        grown = max(file.stat().st_size for file in path.parent.iterdir())
        resource.prlimit(process_of(store), resource.RLIMIT_FSIZE, (grown + 50_000, resource.RLIM_INFINITY))
        big = [store.append([entry(buy(1, 5), body=b'"%s"' % (b"x" * 200_000))]) for _ in range(3)]
        answers = await asyncio.gather(*big, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreFailed] * 3
        assert (await audit(store)).entries == 1
    await audited(opened(path))
