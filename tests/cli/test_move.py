"""`natural9 move`: there and back with every command at work on both sides; and what stops it."""

import asyncio
import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from natural9.cli import move as moving
from natural9.server.reports.examination import verify_folder
from natural9.store.contract import Access, Store, StoreFailed
from natural9.store.opening import open_store
from natural9.store.postgres.address import ADDRESS_FILE
from natural9.store.sqlite import file_lock
from natural9.table.audit.findings import Fault, Verified
from tests.cli.venue_folder import an_evenings_venue, complaint, run
from tests.store.postgres_server import new_place, server


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("move") / "venue")


@pytest.fixture
def venue(evening: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(evening, tmp_path / "venue"))


def said(capsys: pytest.CaptureFixture[str], *asked: object) -> str:
    """What a command prints."""
    capsys.readouterr()
    assert run(*asked) == 0
    return capsys.readouterr().out


def lines(exported: str) -> list[object]:
    """An export but for the time at which it was made."""
    return [{**line, "exported_at_ms": 0} for line in map(json.loads, exported.splitlines())]


def test_there_and_back(venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [("report", "win", venue), ("report", "meters", venue), ("replay", venue, "1", "1")]
    before = [said(capsys, *words) for words in asked]
    exported = lines(said(capsys, "export", venue))
    holds = said(capsys, "verify", venue).partition("\n")[2]
    place = new_place(made=False)
    moved = said(capsys, "move", venue, place)
    assert "Moved and verified: " in moved
    assert f"The records are in {server().address('')[:22]}" in moved
    assert sorted(file.name for file in venue.glob("journal*")) == [
        "journal.db.lock", "journal.db.moved", "journal.head.moved", ADDRESS_FILE
    ]  # fmt: skip
    assert [said(capsys, *words) for words in asked] == before
    assert lines(said(capsys, "export", venue)) == exported
    for named in (venue, place):
        of_it = said(capsys, "verify", named).partition("\n")[2]
        assert [line for line in of_it.splitlines() if "indexes" not in line] == [
            line for line in holds.splitlines() if "indexes" not in line
        ]
    # A backup is a journal file, and is restored as one.
    assert "venue.toml, venue.key, journal.db;" in said(capsys, "backup", venue, tmp_path / "backup")
    assert lines(said(capsys, "export", tmp_path / "backup")) == exported
    assert "Verified: " in said(capsys, "restore", tmp_path / "backup", tmp_path / "again")
    said(capsys, "move", venue, venue)
    assert [said(capsys, *words) for words in asked] == before
    assert lines(said(capsys, "export", venue)) == exported
    assert not (venue / ADDRESS_FILE).exists()
    asyncio.run(open_store(venue, Access.WRITE).close())
    assert "were moved to" in complaint("move", place, tmp_path)


def test_what_does_not_hold_stays_where_it_is(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(apsw.Connection(str(venue / "journal.db"))) as hand:
        hand.execute("UPDATE balance SET cents = cents + 1")
    place = new_place()
    assert run("move", venue, place) == 1
    assert "Nothing was moved. The first line that is wrong:" in capsys.readouterr().out
    assert (venue / "journal.db").exists()
    asyncio.run(open_store(place, Access.WRITE).close())  # nothing was begun there


@pytest.mark.parametrize("wrong", ["is another journal", "card 3 is none"])
def test_a_copy_that_does_not_hold_is_left_unfinished(
    venue: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    verified = verify_folder

    async def looked_at(source: Path, store: Store, **others: Any) -> Verified:
        found = await verified(source, store, **others)
        if store.place != venue:
            found.root = ""
            found.fault = Fault(entry=3, says=wrong) if wrong.startswith("card") else None
        return found

    monkeypatch.setattr(moving, "verify_folder", looked_at)
    place = new_place()
    assert run("move", venue, place) == 1
    assert wrong in capsys.readouterr().out
    with pytest.raises(StoreFailed, match="is unfinished"):
        open_store(place, Access.WRITE)
    monkeypatch.undo()
    assert run("move", venue, place) == 0


def test_what_stops_a_move(venue: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_lock, "PATIENCE_S", 0.1)
    assert "is not a venue" in complaint("move", tmp_path, new_place())
    assert "leave the password out" in complaint("move", venue, "postgresql://anna:s3cret@db/venue")
    assert "leave the password out" in complaint("verify", "postgresql://anna:s3cret@db/venue")
    for place in (venue, tmp_path, tmp_path / "new"):  # the venue would be left without its records
        assert "natural9 backup copies a venue" in complaint("move", venue, place)
    store = open_store(venue, Access.WRITE)
    try:
        assert "is being written by process" in complaint("move", venue, new_place())
    finally:
        asyncio.run(store.close())
    taken, other = new_place(), shutil.copytree(venue, tmp_path / "other")
    assert run("move", venue, taken) == 0
    assert "is where the records are already" in complaint("move", venue, taken)
    assert "has records already, and nothing is overwritten" in complaint("move", other, taken)
