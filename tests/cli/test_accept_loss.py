"""`natural9 accept-loss`: a venue that has lost entries goes on, on a person's word that stands in the journal."""

import asyncio
import shutil
from pathlib import Path

import pytest

from natural9.cli.users import add
from natural9.core.saying import verbatim
from natural9.journal.line import read_line
from natural9.journal.venue_events import LossAccepted
from natural9.store.contract import Access, Head
from natural9.store.opening import open_store
from tests.cli.venue_folder import complaint, run
from tests.server.live_server import refusal_to_start, table, venue_file
from tests.store.postgres_server import address, new_place, psql

WHY = ("--why", "disk  replaced")


def journal(folder: Path) -> Head:
    async def head() -> Head:
        store = open_store(folder / "journal.db", Access.READ)
        try:
            return await store.head()
        finally:
            await store.close()

    return asyncio.run(head())


@pytest.fixture
def rolled_back(tmp_path: Path) -> tuple[Path, Head]:
    """A venue whose journal is an old copy, and the head that was acknowledged since."""
    venue = tmp_path / "venue"
    venue.mkdir()
    (venue / "venue.toml").write_text(venue_file(table("a", "rws-nc")))
    add(venue, "ada", "Ada", "administrator")
    shutil.copy(venue / "journal.db", tmp_path / "old")
    add(venue, "mei.tan", "Mei", "shift-manager")
    known = journal(venue)
    shutil.copy(tmp_path / "old", venue / "journal.db")
    return venue, known


def test_it_is_refused_until_somebody_gives_their_word(
    rolled_back: tuple[Path, Head], capsys: pytest.CaptureFixture[str]
) -> None:
    venue, known = rolled_back
    code, said = refusal_to_start(venue)
    assert code == 2
    assert f"no play: {venue / 'journal.db'} ends with entry 1 (" in said
    assert f"but entry 2 ({known.hash.hex()[:16]}) was acknowledged, says {venue / 'journal.head'}: 1 entry is" in said
    assert run("verify", venue) == 1
    assert "1 entry is lost" in capsys.readouterr().out
    assert "there is no account 'mei.tan' in this journal" in complaint("accept-loss", venue, "--by", "mei.tan", *WHY)
    assert "did you mean ada" in complaint("accept-loss", venue, "--by", "adda", *WHY)
    assert "--why takes 1 to 500 characters" in complaint("accept-loss", venue, "--by", "ada", "--why", " ")
    assert run("accept-loss", venue, "--by", "ada", *WHY) == 0
    assert "Entries 2 to 2 are lost; ada has the journal go on without" in capsys.readouterr().out
    assert run("verify", venue) == 0
    add(venue, "mei.tan", "Mei", "shift-manager")
    assert "has lost nothing" in complaint("accept-loss", venue, "--by", "ada", *WHY)

    async def noted() -> LossAccepted:
        store = open_store(venue, Access.READ)
        [_, written, _] = await store.entries()
        await store.close()
        assert written.label == "significant"
        event = read_line(written).event
        assert isinstance(event, LossAccepted)
        return event

    assert asyncio.run(noted()) == LossAccepted(
        person="ada", why=verbatim("disk replaced"), last=1, known=2, known_hash=known.hash.hex()
    )


def test_a_head_that_is_gone_and_a_journal_that_is_gone(
    rolled_back: tuple[Path, Head], capsys: pytest.CaptureFixture[str]
) -> None:
    venue, _ = rolled_back
    (venue / "journal.head").unlink()
    assert run("accept-loss", venue, "--by", "ada", *WHY) == 0
    assert "It is not known which entries after 1 are lost" in capsys.readouterr().out
    (venue / "journal.db").unlink()
    assert run("accept-loss", venue, "--by", "anybody", *WHY) == 0
    assert "Entries 1 to 2 are lost; anybody has the journal go on without" in capsys.readouterr().out


def test_another_history_and_a_copy_of_the_head(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    venue = tmp_path / "venue"
    venue.mkdir()
    (venue / "venue.toml").write_text(venue_file(table("a", "rws-nc"), server=f'head_copy = "{tmp_path}/copy.head"'))
    add(venue, "ada", "Ada", "administrator")
    run("backup", venue, tmp_path / "backup")
    add(venue, "mei.tan", "Mei", "shift-manager")
    capsys.readouterr()
    assert run("restore", tmp_path / "backup", tmp_path / "again") == 0
    assert "has another entry 2 than was acknowledged" in refusal_to_start(tmp_path / "again")[1]
    capsys.readouterr()
    assert run("accept-loss", tmp_path / "again", "--by", "ada", *WHY) == 0
    assert "The history that had entry 2 is lost" in capsys.readouterr().out
    add(tmp_path / "again", "mei.tan", "Mei", "shift-manager")
    refused = refusal_to_start(venue)[1]  # the other one has lost its copy to this one
    assert f"says {tmp_path / 'copy.head'}" in refused


def test_verify_asks_the_copy_on_the_other_disk_and_a_backup_need_not_go_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    venue, disk = tmp_path / "venue", tmp_path / "disk"
    venue.mkdir()
    disk.mkdir()
    (venue / "venue.toml").write_text(venue_file(table("a", "rws-nc"), server=f'head_copy = "{disk}/copy.head"'))
    add(venue, "ada", "Ada", "administrator")
    assert run("backup", venue, tmp_path / "backup") == 0
    shutil.copytree(venue, tmp_path / "image")
    add(venue, "mei.tan", "Mei", "shift-manager")
    assert run("verify", venue) == 0
    shutil.rmtree(venue)
    shutil.copytree(tmp_path / "image", venue)  # its own head, too, is as old
    capsys.readouterr()
    assert run("verify", venue) == 1
    assert f"says {disk / 'copy.head'}: 1 entry is lost" in capsys.readouterr().out
    assert run("verify", tmp_path / "backup") == 0


def test_whatever_stops_it_is_told_in_a_sentence(rolled_back: tuple[Path, Head]) -> None:
    venue, _ = rolled_back
    other_encoding = b"disk gel\xf6scht".decode(errors="surrogateescape")
    assert "characters that can be printed" in complaint("accept-loss", venue, "--by", "ada", "--why", other_encoding)
    (venue / "journal.head.part").mkdir()
    assert "could not be written" in complaint("accept-loss", venue, "--by", "ada", *WHY)


def test_a_database_that_has_lost_commits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Some node knew of an entry that is not there."""
    place = new_place()
    (tmp_path / "venue.toml").write_text(venue_file(table("a", "rws-nc")))
    (tmp_path / "journal.postgresql").write_text(address(place))
    add(tmp_path, "ada", "Ada", "administrator")
    assert "has lost nothing" in complaint("accept-loss", tmp_path, "--by", "ada", *WHY)
    psql(place, "INSERT INTO meta VALUES ('lost', 'entry 7 of table/a was acknowledged, and is not there')")
    capsys.readouterr()
    assert run("accept-loss", tmp_path, "--by", "ada", *WHY) == 0
    assert "goes on from entry 1." in capsys.readouterr().out
    add(tmp_path, "mei.tan", "Mei", "shift-manager")
    assert psql(place, "SELECT value FROM meta WHERE key IN ('lost', 'accepted')") == "1"
