"""A journal written by a process of its own: what happens when either side ends, and what it says to others."""

import asyncio
import os
import resource
import signal
from pathlib import Path

import pytest

from natural9.store import process
from natural9.store.audit import audit
from natural9.store.contract import Access, Corrupt, Store, StoreFailed
from natural9.store.opening import open_store
from natural9.store.process import CommitterProcess
from natural9.store.sqlite import file_lock
from natural9.store.sqlite.store import SqliteStore
from tests.store.opening import append, audited, buy, closing_store, entry


def opened(folder: Path) -> Store:
    return open_store(folder, Access.SERVE)


def process_of(store: Store) -> int:
    """The process that writes for this store."""
    assert isinstance(store, SqliteStore)
    assert store._writer is not None
    assert isinstance(store._writer._committer, CommitterProcess)
    return store._writer._committer._process.pid


def able(store: Store) -> bool:
    return store.can_write


async def test_when_it_is_killed_the_store_says_so_and_writes_nothing_more(tmp_path: Path) -> None:
    async with closing_store(opened(tmp_path)) as store:
        assert await append(store, [entry(buy(1, 5))]) == 1
        assert able(store)
        os.kill(process_of(store), signal.SIGKILL)
        while able(store):
            await asyncio.sleep(0.01)
        for _ in range(2):
            with pytest.raises(StoreFailed, match=r"the process that writes .*journal\.db has ended"):
                await append(store, [entry(buy(1, 5))])
        assert (await audit(store)).entries == 1  # it can still be read
    async with closing_store(opened(tmp_path)) as store:
        assert await append(store, [entry(buy(1, 5))]) == 2


async def test_signals_for_the_whole_group_do_not_end_it(tmp_path: Path) -> None:
    """Ctrl-C, or a service manager that stops all of a service's processes: its owner still has to write its last."""
    async with closing_store(opened(tmp_path)) as store:
        for ending in (signal.SIGINT, signal.SIGTERM):
            os.kill(process_of(store), ending)
        assert await append(store, [entry()]) == 1


async def test_it_has_ended_and_let_go_once_the_store_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_lock, "PATIENCE_S", 0.0)
    gone: list[int] = []
    async with closing_store(opened(tmp_path)) as store:
        gone.append(process_of(store))
        append(store, [entry(body=b"%d" % place) for place in range(1000)])  # nobody waits for it
    with pytest.raises(ProcessLookupError):
        os.kill(gone[0], 0)
    assert (await audited(open_store(tmp_path, Access.WRITE))).entries == 1000


def test_what_is_wrong_with_a_file_is_said_as_in_the_same_process(tmp_path: Path) -> None:
    lock = tmp_path / "journal.db.lock"
    lock.mkdir()
    with pytest.raises(StoreFailed, match=r"journal\.db\.lock cannot be made: Is a directory"):
        opened(tmp_path)
    lock.rmdir()
    (tmp_path / "journal.db").write_bytes(b"This is a text file about something else. " * 100)
    with pytest.raises(Corrupt, match=r"journal\.db is damaged or no journal at all"):
        opened(tmp_path)


async def test_who_finds_the_file_locked_is_told_the_owner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lock, "PATIENCE_S", 0.1)
    async with closing_store(opened(tmp_path)):
        with pytest.raises(StoreFailed, match=rf"is being written by process {os.getpid()} "):
            open_store(tmp_path, Access.WRITE)


async def test_a_full_disk_stops_it_and_loses_nothing(tmp_path: Path) -> None:
    async with closing_store(opened(tmp_path)) as store:
        assert await append(store, [entry()]) == 1
        grown = max(file.stat().st_size for file in tmp_path.iterdir())
        resource.prlimit(process_of(store), resource.RLIMIT_FSIZE, (grown + 50_000, resource.RLIM_INFINITY))
        big = [append(store, [entry(buy(1, 5), body=b'"%s"' % (b"x" * 200_000))]) for _ in range(3)]
        answers = await asyncio.gather(*big, return_exceptions=True)
        assert [type(answer) for answer in answers] == [StoreFailed] * 3
        assert (await audit(store)).entries == 1
    await audited(opened(tmp_path))


async def test_one_that_does_not_end_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As when its disk hangs. What was acknowledged is there."""
    monkeypatch.setattr(process, "GOODBYE_S", 0.1)
    stopped: list[int] = []
    async with closing_store(opened(tmp_path)) as store:
        assert await append(store, [entry(buy(1, 5))]) == 1
        stopped.append(process_of(store))
        os.kill(stopped[0], signal.SIGSTOP)
    with pytest.raises(ProcessLookupError):
        os.kill(stopped[0], 0)
    assert (await audited(opened(tmp_path))).entries == 1


async def test_one_that_is_killed_before_it_reads_what_it_was_sent_has_written_none_of_it(tmp_path: Path) -> None:
    async with closing_store(opened(tmp_path)) as store:
        assert await append(store, [entry(buy(1, 5))]) == 1
        os.kill(process_of(store), signal.SIGSTOP)
        waiting = append(store, [entry(buy(1, 5))])
        os.kill(process_of(store), signal.SIGKILL)
        with pytest.raises(StoreFailed, match="has ended"):
            await waiting
    assert (await audited(opened(tmp_path))).entries == 1
