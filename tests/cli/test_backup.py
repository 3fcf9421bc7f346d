"""`natural9 backup` and `restore`: a copy while the server runs, and a venue from it, verified."""

import asyncio
import re
import shutil
import sqlite3
import stat
from contextlib import closing
from importlib import resources
from pathlib import Path

import pytest

from natural9.journal.line import OriginKind, read_line
from natural9.journal.venue_events import VenueRestored
from natural9.server.proof.signing_key import CHECKPOINT_KEY_FILE
from natural9.store.contract import Access
from natural9.store.opening import open_store
from tests.cli.venue_folder import an_evenings_venue, complaint, rewritten_journal, run
from tests.table.stories import with_record


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("backup") / "venue")


async def test_there_and_back_while_the_server_runs(
    venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (venue / "own-pack.toml").write_text("# rules of one's own", encoding="utf-8")
    store = open_store(venue, Access.WRITE)
    assert await asyncio.to_thread(run, "backup", venue, tmp_path / "copy") == 0
    await store.close()
    assert "own-pack.toml, venue.toml, venue.key, journal.db" in capsys.readouterr().out
    assert await asyncio.to_thread(run, "restore", tmp_path / "copy", tmp_path / "again") == 0
    said = capsys.readouterr().out
    assert "4 rounds" in said
    assert "8 seats settled again" in said
    for name in ("venue.toml", "venue.key", "own-pack.toml"):
        assert (tmp_path / "again" / name).read_bytes() == (venue / name).read_bytes()
    assert stat.S_IMODE((tmp_path / "again" / "venue.key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o700
    assert await asyncio.to_thread(run, "verify", tmp_path / "again") == 0
    store = open_store(tmp_path / "again", Access.WRITE)
    *_, last = await store.entries()
    await store.close()
    line = read_line(last)
    assert line.event == VenueRestored(last=last.seq - 1)
    assert line.origin.kind is OriginKind.COMMAND_LINE


def test_a_rule_pack_in_a_folder_of_its_own_goes_along(venue: Path, tmp_path: Path) -> None:
    """As the commented example names one; a pack elsewhere is somebody else's to keep, and the drill names it."""
    house = Path(shutil.copytree(venue, tmp_path / "house"))
    (house / "packs").mkdir()
    pack = resources.files("natural9.games").joinpath("packs/rws-nc.toml").read_bytes()
    (house / "packs" / "mine.toml").write_bytes(pack)
    (tmp_path / "theirs.toml").write_text("# not ours")
    text = (house / "venue.toml").read_text(encoding="utf-8")
    text = text.replace('game = "rws-nc"', 'game = "packs/mine.toml"', 1).replace('"mbs-tiger"', '"../theirs.toml"', 1)
    (house / "venue.toml").write_text(text, encoding="utf-8")
    assert run("backup", house, tmp_path / "copy") == 0
    assert run("restore", tmp_path / "copy", tmp_path / "again") == 0
    for place in (tmp_path / "copy", tmp_path / "again"):
        assert (place / "packs" / "mine.toml").read_bytes() == (house / "packs" / "mine.toml").read_bytes()
        assert not [*place.rglob("theirs.toml")]


def test_the_key_of_the_checkpoints_goes_along_and_stays_its_owners_alone(venue: Path, tmp_path: Path) -> None:
    house = Path(shutil.copytree(venue, tmp_path / "house"))
    (house / CHECKPOINT_KEY_FILE).write_text("a secret\n", encoding="utf-8")
    assert run("backup", house, tmp_path / "copy") == 0
    copied = tmp_path / "copy" / CHECKPOINT_KEY_FILE
    assert copied.read_text(encoding="utf-8") == "a secret\n"
    assert stat.S_IMODE(copied.stat().st_mode) == 0o600


def test_a_backup_that_does_not_hold_is_not_restored(
    venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = rewritten_journal(
        venue,
        tmp_path / "bad",
        lambda entries: [with_record(one, card="7S") if one.kind == "card-dealt" else one for one in entries],
    )
    assert run("restore", bad, tmp_path / "again") == 1
    assert "nothing is restored" in capsys.readouterr().out
    assert not (tmp_path / "again").exists()


def test_nothing_is_overwritten(venue: Path, tmp_path: Path) -> None:
    run("backup", venue, tmp_path / "copy")
    assert "is not empty" in complaint("backup", venue, tmp_path / "copy")
    assert "not empty" in complaint("restore", tmp_path / "copy", venue)


def test_what_is_no_venue(venue: Path, tmp_path: Path) -> None:
    assert "is not a venue" in complaint("backup", tmp_path, tmp_path / "copy")
    refused = complaint("restore", tmp_path / "nowhere", tmp_path / "again")
    assert refused == f"{tmp_path / 'nowhere'} is not a backup, because it has no venue.toml: natural9 backup makes one"
    shutil.copytree(venue, tmp_path / "text")
    for path in (tmp_path / "text").glob("journal.*"):
        path.unlink()
    (tmp_path / "text" / "journal.db").write_text("not a journal", encoding="utf-8")
    assert run("restore", tmp_path / "text", tmp_path / "again") == 1
    assert "journal.db" in complaint("backup", tmp_path / "text", tmp_path / "copy")


def test_a_copy_that_fails_leaves_no_keys_and_can_be_made_again(venue: Path, tmp_path: Path) -> None:
    shutil.copytree(venue, tmp_path / "venue")
    (tmp_path / "venue" / "packs").mkdir()
    (tmp_path / "venue" / "packs" / "own.toml").write_text("# rules of one's own", encoding="utf-8")
    file = tmp_path / "venue" / "venue.toml"
    file.write_text(re.sub('game = ".*"', 'game = "packs/own.toml"', file.read_text("utf-8"), count=1), "utf-8")
    journal = next((tmp_path / "venue").glob("journal.db"))
    whole = journal.read_bytes()
    with closing(sqlite3.connect(journal)) as other:
        other.execute("UPDATE meta SET value = '99' WHERE key = 'schema'")
        other.commit()
    for _ in range(2):
        assert "journal.db" in complaint("backup", tmp_path / "venue", tmp_path / "copy")
        assert [*(tmp_path / "copy").iterdir()] == []
    journal.write_bytes(whole)
    run("backup", tmp_path / "venue", tmp_path / "copy")
    assert (tmp_path / "copy" / "packs" / "own.toml").is_file()


def test_a_venue_that_has_lost_its_key_or_its_journal_is_told_so(
    venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy is made all the same: better one without the key than none."""
    shutil.copytree(venue, tmp_path / "venue")
    (tmp_path / "venue" / "venue.key").unlink()
    said = complaint("backup", tmp_path / "venue", tmp_path / "copy")
    assert said.startswith(f"the copy is without a key, because {tmp_path / 'venue'} has no venue.key: restore it")
    assert (tmp_path / "copy" / "journal.db").is_file()
    (tmp_path / "venue" / "journal.db").unlink()
    assert (tmp_path / "venue" / "journal.head").is_file()
    assert run("verify", tmp_path / "venue") == 1
    for said in (capsys.readouterr().out, complaint("backup", tmp_path / "venue", tmp_path / "other")):
        assert "journal.db" in said, said
        assert "nothing was played" not in said
