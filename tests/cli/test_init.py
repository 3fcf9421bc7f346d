"""`natural9 init`: a venue to start from."""

from pathlib import Path

from natural9.table.venue.venue import load_venue
from tests.cli.test_command import complaint, text


def test_it_writes_a_venue_that_can_be_played(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "venue"
    shown = text("init", str(folder))
    assert str(folder / "venue.toml") in shown
    assert f"natural9 serve {folder}" in shown
    venue = load_venue(folder / "venue.toml")
    assert len(venue.tables) == 4
    assert "four tables" in shown


def test_it_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "venue.toml").write_text("mine", encoding="utf-8")
    assert "exists already and is not overwritten" in complaint("init", str(tmp_path))
    assert (tmp_path / "venue.toml").read_text(encoding="utf-8") == "mine"


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "is a file: name a new folder" in complaint("init", str(tmp_path / "file"))
    assert "cannot be written" in complaint("init", str(tmp_path / "file" / "below"))
    assert "Missing argument 'FOLDER'" in complaint("init")
