"""`natural9 init`: a venue to start from."""

import os
import pty
import subprocess
import sys
from pathlib import Path

from natural9.cli.init_venue import WantedVenue, venue_text
from natural9.games.loader import game_ids
from natural9.table.venue.venue import Mode, load_venue
from tests.cli.test_command import complaint, text
from tests.starter import ROOT


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
    assert "File name too long" in complaint("init", "x" * 300)
    assert "Missing argument 'FOLDER'" in complaint("init")


def test_the_games_tables_mode_and_address_that_were_asked_for(tmp_path: Path) -> None:
    shown = text(
        "init", str(tmp_path), "--game", "rws-nc", "--game", "mbs-nc", "--tables", "2",
        "--mode", "dealer", "--address", "localhost:9000",
    )  # fmt: skip
    assert "a venue of rws-nc, mbs-nc" in shown
    venue = load_venue(tmp_path / "venue.toml")
    assert (venue.host, venue.port) == ("localhost", 9000)
    assert [(table.id, table.game.id) for table in venue.tables.values()] == [
        ("nc-1", "rws-nc"), ("nc-2", "rws-nc"), ("nc-3", "mbs-nc"), ("nc-4", "mbs-nc"),
    ]  # fmt: skip
    assert {table.mode for table in venue.tables.values()} == {Mode.DEALER}
    assert "reality_check = 60" in (tmp_path / "venue.toml").read_text(encoding="utf-8"), "the rest is explained, too"


def test_every_game_can_be_asked_for(tmp_path: Path) -> None:
    """By itself wherever the rules let it."""
    (tmp_path / "venue.toml").write_text(venue_text(WantedVenue(games=game_ids())), encoding="utf-8")
    tables = load_venue(tmp_path / "venue.toml").tables.values()
    assert {table.game.id for table in tables} == set(game_ids())
    by_dealers = {table.game.id for table in tables if table.mode is Mode.DEALER}
    assert by_dealers == {table.game.id for table in tables if table.game.document.dealer_announces}


def test_what_cannot_be_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "venue"
    for options, why in (
        (["--game", "rws-nd"], "did you mean rws-nc"),
        (["--tables", "2"], "add --game"),
        (["--game", "rws-nc", "--mode", "self"], "write automatic or dealer"),
        (["--game", "rws-nc-insurance", "--mode", "automatic"], "cannot run by itself"),
        (["--address", "somewhere:99999"], "write HOST:PORT"),
        (["--address", "a..b:8909", "--allow-remote"], "write HOST:PORT"),
        (["--address", "10.1.0.7:8909", "--allow-remote", "--container"], "a port of this machine alone"),
        (["--address", "0.0.0.0"], "add --allow-remote"),
    ):
        assert why in complaint("init", str(folder), *options)
    assert not folder.exists()
    text("init", str(folder), "--address", "0.0.0.0", "--allow-remote")
    assert load_venue(folder / "venue.toml").host == "0.0.0.0"


def test_on_a_terminal_it_asks_and_a_bad_answer_is_asked_for_again(tmp_path: Path) -> None:
    answers = ["nothing-such", "rws-nc, mbs-tiger", "0", "2", "", "0.0.0.0:9000", "y"]
    ours, theirs = pty.openpty()
    os.write(ours, "".join(f"{one}\n" for one in answers).encode())
    with os.fdopen(theirs, "rb+", buffering=0) as terminal:
        command = [sys.executable, "-m", "natural9", "init", str(tmp_path)]
        done = subprocess.run(command, cwd=ROOT, stdin=terminal, stdout=terminal, stderr=terminal, check=False)
        shown = os.read(ours, 65536).decode()
    os.close(ours)
    assert done.returncode == 0, shown
    assert "no number of tables" in shown
    venue = load_venue(tmp_path / "venue.toml")
    assert [*venue.tables] == ["nc-1", "nc-2", "tiger-1", "tiger-2"]
    assert (venue.host, venue.port, venue.allow_remote) == ("0.0.0.0", 9000, True)


def test_units_and_a_container_are_written_beside_and_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "venue"
    shown = text("init", str(folder), "--systemd", "--container", "--address", "127.0.0.1:9000")
    unit = (folder / "natural9.service").read_text(encoding="utf-8")
    assert f"serve {folder}" in unit
    assert "User=root" not in unit, "whoever writes it"
    assert "systemctl enable --now natural9.service" in shown
    assert "127.0.0.1:9000:8909" in (folder / "compose.yaml").read_text(encoding="utf-8")
    assert "docker compose up" in shown
    venue = load_venue(folder / "venue.toml")
    assert (venue.port, venue.allow_remote) == (8909, True), "compose lets nobody in but this machine"
    (folder / "venue.toml").unlink()
    assert "Containerfile exists already" in complaint("init", str(folder), "--container")
    assert not (folder / "venue.toml").exists(), "all of it or nothing"
