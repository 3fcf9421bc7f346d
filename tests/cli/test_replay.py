"""`natural9 replay`: a round as it was seen, from the journal."""

import asyncio
import json
from importlib.resources import files
from pathlib import Path

import pytest

from natural9.core.round import commands as round_commands
from natural9.core.staff import Rank
from natural9.store.contract import Access, Written
from natural9.store.opening import open_store
from natural9.table.commands.decide import Who
from tests.cli.venue_folder import an_evenings_venue, complaint, rewritten_journal, run
from tests.table.live import live_table
from tests.table.stories import with_record


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("replay") / "venue")


def test_step_by_step(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", venue, "1", "1") == 0
    said = capsys.readouterr().out
    assert said.startswith("RECALL: table 1, round 1, mbs-tiger, 2027-01-15 16:00:00")  # by the venue's own clock
    order = [
        "dealt by dora",
        "Round 1: betting opens",
        "Seat 1 bets 100.00 on Player",
        "No more bets: 345.00 at stake",
        "9S to the Player hand",
        "6C to the Banker hand",
        "Result: Player, Player 9, Banker 8",
        "Player 9S KD, Banker 2H 6C: player wins, 9 to 8",
        "Seat 1: credit 1,000.00 before, 1,095.00 after",
        "Every step follows the rules, and the chain holds.",
    ]
    places = [said.index(line) for line in order]
    assert places == sorted(places)


def test_a_void_and_a_correction(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("replay", venue, "1", "3", "--step")
    assert "a chair fell on the table" in capsys.readouterr().out
    run("replay", venue, "1", "2")
    assert "! Cards corrected: 8S 2H KD 6C: misread" in capsys.readouterr().out


def test_for_programs(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", venue, "1", "4", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["holds"], told["wrong"], told["recall"]["label"]) == (True, "", "RECALL")
    assert told["recall"]["cards"] == "4S 2H KD 9C 5H 6D"
    assert told["recall"]["dealers"] == ["dora"]


def test_lists(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("replay", venue, "--list", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [{"table": "1", "last_round": 4}]
    assert run("replay", venue) == 0
    assert "last round" in capsys.readouterr().out
    assert run("replay", venue, "1", "--list") == 0
    said = capsys.readouterr().out
    assert "void" in said
    assert "player 9-8" in said


def test_a_round_that_does_not_follow(venue: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def lied(entries: list[Written]) -> list[Written]:
        at = next(place for place, one in enumerate(entries) if one.kind == "round-settled")
        return [*entries[:at], with_record(entries[at], winnings_cents=0), *entries[at + 1 :]]

    changed = rewritten_journal(venue, tmp_path / "changed", lied)
    assert run("replay", changed, "1", "1") == 1
    assert "WRONG: entry" in capsys.readouterr().out
    assert run("replay", changed, "1", "2") == 0


def test_bad_input(venue: Path, tmp_path: Path) -> None:
    assert "table '1' has no round 99" in complaint("replay", venue, "1", "99")
    assert "leave out 2, or leave out --list" in complaint("replay", venue, "1", "2", "--list")
    assert "which round of table 1?" in complaint("replay", venue, "1")
    for asked in (("x", "1"), ("x", "--list"), ("x", "--list", "--json")):
        assert complaint("replay", venue, *asked).startswith("there is no table 'x': there are 1, insurance-1, ")
    assert "none was ever dealt there" in complaint("replay", venue, "nc-1", "1")
    assert "is not a venue" in complaint("replay", tmp_path, "1", "1")


def test_a_person_called_system_is_no_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def voided_by_system() -> None:
        store = open_store(tmp_path, Access.WRITE)
        table = await live_table(store=store)
        await table.open()
        await table.buy(1, 1_000)
        await table.bet(1, "player", 1_000)
        await table.do(round_commands.VoidRound, Who("system", rank=Rank.SHIFT_MANAGER), why="a spill")
        await table.stop()
        await store.close()

    (tmp_path / "venue.toml").write_bytes(files("natural9.table.venue").joinpath("example.toml").read_bytes())
    asyncio.run(voided_by_system())
    assert run("replay", tmp_path, "1", "1") == 0
    said = capsys.readouterr().out
    assert "by system (shift-manager)" in " ".join(said.split())
    assert "by terminal 1-1" in " ".join(said.split())
    assert run("verify", tmp_path) == 0
