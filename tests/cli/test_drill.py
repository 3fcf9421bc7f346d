"""`natural9 drill`: the newest backup restored beside, verified, and nothing left of it."""

import json
import os
import shutil
from pathlib import Path

import pytest

from natural9.cli.drill import SCRATCH
from tests.cli.venue_folder import an_evenings_venue, complaint, rewritten_journal, run
from tests.table.stories import with_record


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("drill") / "venue")


@pytest.fixture(scope="module")
def backup(venue: Path) -> Path:
    copy = venue.parent / "backup"
    assert run("backup", venue, copy) == 0
    return copy


def all_in(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_the_newest_is_restored_and_nothing_is_left(
    venue: Path, backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(backup, tmp_path / "monday")
    newest = tmp_path / "an older name"
    assert run("backup", venue, newest) == 0
    os.utime(tmp_path / "monday" / "journal.db", ns=(0, 0))
    (tmp_path / "zzz cut short").mkdir()
    shutil.copy(venue / "venue.toml", tmp_path / "zzz cut short")
    before = all_in(tmp_path), all_in(venue)
    capsys.readouterr()
    assert run("drill", tmp_path) == 0
    said = capsys.readouterr().out
    assert f"{newest} holds" in said
    assert "4 rounds" in said
    assert " s in all" in said
    assert "Nothing of the drill is left." in said
    assert (all_in(tmp_path), all_in(venue)) == before


def test_one_by_itself_and_for_programs(backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("drill", backup, "--scratch", tmp_path, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["backup"] == str(backup)
    assert said["holds"]
    assert said["rounds"] == 4
    assert said["last_entry_ms"] > 0
    assert not any(tmp_path.iterdir())


def test_a_copy_of_the_head_elsewhere_is_neither_asked_nor_written(
    backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "backups" / "one"
    shutil.copytree(backup, copy)
    other_disk = tmp_path / "head"
    text = (copy / "venue.toml").read_text(encoding="utf-8")
    (copy / "venue.toml").write_text(text.replace("# head_copy", f'head_copy = "{other_disk}" #'), encoding="utf-8")
    assert run("drill", copy) == 0
    assert not other_disk.exists()


def test_what_a_backup_leaves_out_is_named(backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "one"
    shutil.copytree(backup, copy)
    text = (copy / "venue.toml").read_text(encoding="utf-8")
    text = text.replace("# tls_cert", "tls_cert", 1).replace("# tls_key", "tls_key", 1)
    (copy / "venue.toml").write_text(text, encoding="utf-8")
    assert run("drill", copy) == 0
    said = capsys.readouterr().out
    assert "bring what the backup leaves out" in said
    assert "there is no file tls/fullchain.pem" in said


def test_a_backup_without_its_keys_is_no_venue_yet(
    backup: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "backups" / "one"
    shutil.copytree(backup, copy)
    (copy / "venue.key").unlink()
    assert run("drill", copy) == 0
    lacks = "bring what the backup leaves out: venue.key does not hold the key that the journal names"
    assert f"it cannot be served as it is; {lacks}" in capsys.readouterr().out
    assert run("restore", copy, tmp_path / "restored") == 0
    assert f"First {lacks}" in capsys.readouterr().out


def test_one_that_does_not_hold(venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = rewritten_journal(
        venue,
        tmp_path / "bad",
        lambda entries: [with_record(one, card="7S") if one.kind == "card-dealt" else one for one in entries],
    )
    assert run("drill", bad) == 1
    assert "does NOT hold" in capsys.readouterr().out
    assert [one.name for one in tmp_path.iterdir()] == ["bad"]


def test_one_whose_bytes_were_changed(backup: Path, tmp_path: Path) -> None:
    bad = Path(shutil.copytree(backup, tmp_path / "bad"))
    content = bytearray((bad / "journal.db").read_bytes())
    content[4096:8192] = bytes(4096)
    (bad / "journal.db").write_bytes(content)
    assert f"{bad / 'journal.db'} is damaged" in complaint("drill", bad)
    assert [one.name for one in tmp_path.iterdir()] == ["bad"]


def test_what_a_killed_drill_left_is_taken_away(backup: Path, tmp_path: Path) -> None:
    shutil.copytree(backup, tmp_path / "monday")
    left = tmp_path / f"{SCRATCH}999999999-abc"  # no process has this number
    shutil.copytree(backup, left)
    at_work = tmp_path / f"{SCRATCH}{os.getpid()}-abc"
    at_work.mkdir()
    assert run("drill", tmp_path) == 0
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted(["monday", at_work.name])


def test_what_is_no_backup(venue: Path, tmp_path: Path) -> None:
    assert "there is no folder" in complaint("drill", tmp_path / "nowhere")
    assert complaint("drill", tmp_path).startswith(f"{tmp_path} holds no backup: natural9 backup VENUE")
    (tmp_path / "half").mkdir()
    shutil.copy(venue / "venue.toml", tmp_path / "half")
    assert "1 there were cut short" in complaint("drill", tmp_path)
    assert "not a whole backup" in complaint("drill", tmp_path / "half")
