"""`natural9 search`: what the auditor's page finds, on the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.venue_folder import an_evenings_venue, complaint, run


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("search") / "venue")


def test_rows_and_how_many(venue: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")  # as wide as it takes, whatever runs the test
    run("search", venue, "--voucher", "1-2-1")
    said = capsys.readouterr().out
    assert "Seat 2: voucher 1-2-1 for 10.00" in " ".join(said.split())
    assert said.endswith("1 found.\n")
    run("search", venue, "--person", "nobody")
    assert capsys.readouterr().out == "Nothing found.\n"


def test_it_goes_on_where_it_stopped(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("search", venue, "--seat", "2", "--limit", "5")
    ending = capsys.readouterr().out.splitlines()[-1]
    assert "found. --before " in ending
    before = ending.split("--before ")[1].split()[0]
    run("search", venue, "--seat", "2", "--limit", "500", "--before", before)
    assert capsys.readouterr().out.endswith("That is all.\n")


def test_for_programs_and_by_the_venues_clock(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("search", venue, "--from", "2027-01-15 16:00", "--to", "2027-01-15", "--result", "void", "--json")
    found = json.loads(capsys.readouterr().out)
    assert [(row["round"], row["result"]) for row in found["rows"]] == [(3, "void")]
    run("search", venue, "--to", "2027-01-15 15:59", "--json")
    assert json.loads(capsys.readouterr().out)["count"] == 0


def test_bad_input_is_one_clear_line(venue: Path) -> None:
    assert complaint("search", venue, "--from", "noon").startswith("'noon' is not a time: write it as 2026-11-16")
    assert complaint("search", venue, "--table", "nope").startswith("there is no table 'nope': there are 1, ")
    assert complaint("search", venue, "--table", "tigr-1") == "there is no table 'tigr-1'; did you mean tiger-1?"
    assert complaint("search", venue, "--least", "1.005") == "1.005 is not a whole number of cents"
    assert complaint("search", venue, "--limit", "0") == "--limit 0 is out of range: give 1 to 500"
