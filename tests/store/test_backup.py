"""A backup is taken while the table plays, and comes back only if it is sound."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from natural9.store.audit import audit
from natural9.store.contract import Corrupt, Store, StoreFailed
from natural9.store.sqlite.backup import backup, restore
from natural9.store.sqlite.store import open_sqlite
from tests.store.opening import buy, entry, on
from tests.store.test_crash import ROOT


def test_backup_while_the_server_writes(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"

    async def story(store: Store) -> list[int]:
        lengths = []
        for place in range(4):
            playing = [store.append([entry(buy(1, 5)), entry()]) for _ in range(400)]
            await asyncio.to_thread(backup, path, tmp_path / f"{place}.backup")
            await asyncio.gather(*playing)
            still = open_sqlite(tmp_path / f"{place}.backup", read_only=True)
            lengths.append((await audit(still)).entries)
            await still.close()
        return lengths

    lengths = on(lambda: open_sqlite(path, create=True), story)
    assert all(place * 800 <= length <= (place + 1) * 800 for place, length in enumerate(lengths))
    assert all(length % 2 == 0 for length in lengths)
    assert sorted(file.name for file in tmp_path.iterdir() if ".backup" in file.name) == [
        f"{place}.backup" for place in range(4)
    ]


def test_backup_from_another_process_and_back(tmp_path: Path) -> None:
    path, copy, again = tmp_path / "journal.db", tmp_path / "copy.db", tmp_path / "again.db"

    async def story(store: Store) -> None:
        await store.append([entry(buy(1, 5), documents=(("shoe", b"1"),))])
        code = f"from natural9.store.sqlite.backup import backup; backup({str(path)!r}, {str(copy)!r})"
        await asyncio.to_thread(subprocess.run, [sys.executable, "-c", code], cwd=ROOT, check=True)
        await store.append([entry()])

    on(lambda: open_sqlite(path, create=True), story)
    assert asyncio.run(restore(copy, again)).entries == 1

    async def afterwards(store: Store) -> None:
        assert await store.document("shoe") == b"1"
        assert await store.append([entry()]) == 2

    on(lambda: open_sqlite(again), afterwards)


def made(path: Path) -> Path:
    on(lambda: open_sqlite(path, create=True), lambda store: store.append([entry(buy(1, 5)), entry()]))
    return path


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    path, other = made(tmp_path / "journal.db"), made(tmp_path / "other.db")
    before = other.read_bytes()
    with pytest.raises(StoreFailed, match=r"other\.db exists already and is not overwritten"):
        backup(path, other)
    with pytest.raises(StoreFailed, match=r"other\.db exists already and is not overwritten"):
        asyncio.run(restore(path, other))
    assert other.read_bytes() == before


def test_a_copy_of_nothing_or_to_nowhere_says_so(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with pytest.raises(StoreFailed, match="there is no journal"):
        backup(path, tmp_path / "copy.db")
    with pytest.raises(StoreFailed, match="there is no journal"):
        asyncio.run(restore(path, tmp_path / "copy.db"))
    with pytest.raises(StoreFailed, match="there is no folder"):
        backup(made(path), tmp_path / "nowhere" / "copy.db")
    path.write_bytes(b"no journal at all" * 100)
    with pytest.raises(Corrupt, match="no journal at all"):
        backup(path, tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy*"))


def test_a_backup_that_was_changed_is_not_restored(tmp_path: Path) -> None:
    copy, target = tmp_path / "copy.db", tmp_path / "target.db"
    backup(made(tmp_path / "journal.db"), copy)
    with closing(sqlite3.connect(copy)) as other, other:
        other.execute("UPDATE meter SET in_cents = in_cents + 1 WHERE account = 'terminal/1'")
    with pytest.raises(Corrupt, match="account terminal/1: its meter of buy"):
        asyncio.run(restore(copy, target))
    assert not target.exists()
