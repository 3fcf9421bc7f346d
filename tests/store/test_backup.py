"""The records are copied while the table plays; a copy is whole, or it is not there."""

import asyncio
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from natural9.store.audit import audit
from natural9.store.contract import Access, Corrupt, LostEntries, StoreFailed
from natural9.store.opening import copy_records, find_records, open_store
from tests.store.opening import append, audited, buy, closing_store, entry, folder
from tests.store.test_crash import ROOT


async def test_a_copy_while_the_server_writes(tmp_path: Path) -> None:
    venue = folder(tmp_path / "venue")
    lengths = []
    async with closing_store(open_store(venue, Access.WRITE)) as store:
        for place in range(4):
            playing = [append(store, [entry(buy(1, 5)), entry()]) for _ in range(400)]
            copy = await asyncio.to_thread(copy_records, venue, folder(tmp_path / str(place)))
            await asyncio.gather(*playing)
            still = open_store(copy, Access.READ)
            lengths.append((await audit(still)).entries)
            await still.close()
    assert all(place * 800 <= length <= (place + 1) * 800 for place, length in enumerate(lengths))
    assert all(length % 2 == 0 for length in lengths)
    for place in range(4):
        assert [file.name for file in (tmp_path / str(place)).iterdir()] == ["journal.db"]


async def test_a_copy_from_another_process_goes_on_where_it_stood(tmp_path: Path) -> None:
    venue, copy = folder(tmp_path / "venue"), folder(tmp_path / "copy")
    async with closing_store(open_store(venue, Access.SERVE)) as store:
        await append(store, [entry(buy(1, 5), documents=(("shoe", b"1"),))])
        code = "import sys; from pathlib import Path; from natural9.store.opening import copy_records as copy"
        command = [sys.executable, "-c", f"{code}; copy(*map(Path, sys.argv[1:]))", str(venue), str(copy)]
        await asyncio.to_thread(subprocess.run, command, cwd=ROOT, check=True)
        await append(store, [entry()])
    with pytest.raises(LostEntries, match=r"journal\.head is missing"):  # it may be an old one
        open_store(copy, Access.WRITE)
    async with closing_store(open_store(copy, Access.WRITE, accept_loss=True)) as store:
        assert (await audit(store)).entries == 1
        assert await store.document("shoe") == b"1"
        assert await append(store, [entry()]) == 2


async def recorded(path: Path) -> Path:
    async with closing_store(open_store(path, Access.WRITE)) as store:
        await append(store, [entry(buy(1, 5)), entry()])
    return path


@pytest.mark.parametrize("name", ["journal.db", "journal.db-wal", "journal.db-journal"])
async def test_nothing_is_overwritten(tmp_path: Path, name: str) -> None:
    venue, other = await recorded(folder(tmp_path / "venue")), folder(tmp_path / "other")
    (other / name).write_bytes(b"something else")
    with pytest.raises(StoreFailed, match=rf"{name} exists already and is not overwritten"):
        copy_records(venue, other)
    assert [(file.name, file.read_bytes()) for file in other.iterdir()] == [(name, b"something else")]


async def test_a_copy_of_nothing_or_to_nowhere_says_so(tmp_path: Path) -> None:
    venue, target = folder(tmp_path / "venue"), folder(tmp_path / "target")
    assert find_records(venue) is None
    assert find_records(tmp_path / "nowhere") is None
    with pytest.raises(StoreFailed, match="there is no journal"):
        copy_records(venue, target)
    await recorded(venue)
    assert find_records(venue) == find_records(venue / "journal.db") == str(venue / "journal.db")
    with pytest.raises(StoreFailed, match="there is no folder"):
        copy_records(venue, tmp_path / "nowhere")
    (venue / "journal.db").write_bytes(b"no journal at all" * 100)
    with pytest.raises(Corrupt, match="no journal at all"):
        copy_records(venue, target)
    assert not list(target.iterdir())


async def test_a_copy_that_finds_the_disk_full_leaves_nothing_behind(tmp_path: Path) -> None:
    venue, target = await recorded(folder(tmp_path / "venue")), folder(tmp_path / "target")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(StoreFailed, match=r"venue/journal\.db cannot be copied to .*target/journal\.db: "):
            copy_records(venue, target)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(target.iterdir())
    copy_records(venue, target)


async def test_a_copy_that_was_changed_is_found_out(tmp_path: Path) -> None:
    copy = copy_records(await recorded(folder(tmp_path / "venue")), folder(tmp_path / "copy"))
    with closing(sqlite3.connect(copy)) as other, other:
        other.execute("UPDATE meter SET in_cents = in_cents + 1 WHERE account = 'terminal/1'")
    with pytest.raises(Corrupt, match="account terminal/1: its meter of buy"):
        await audited(open_store(copy, Access.READ))
