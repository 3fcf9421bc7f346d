"""`natural9 report`: each report on the screen, as a sheet and for programs."""

import csv
import io
import json
from pathlib import Path

import pytest

from natural9.cli.report import REPORTS, ReportKind
from tests.cli.venue_folder import an_evenings_venue, complaint, run


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return an_evenings_venue(tmp_path_factory.mktemp("report") / "venue")


@pytest.mark.parametrize("kind", list(ReportKind))
def test_every_report_in_three_forms(kind: ReportKind, venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("report", kind, venue, "--json")
    lines = json.loads(capsys.readouterr().out)
    assert lines
    run("report", kind, venue, "--csv")
    names, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert (names, len(rows)) == (list(REPORTS[kind][0].__struct_fields__), len(lines))
    run("report", kind, venue)
    assert len(capsys.readouterr().out.splitlines()) > len(lines)


def test_the_win_of_a_day(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("report", "win", venue, "--day", "2027-01-15", "--json")
    [line] = json.loads(capsys.readouterr().out)
    assert (line["table"], line["rounds"], line["voids"]) == ("1", 4, 1)
    run("report", "win", venue, "--from", "2027-01-16")
    assert capsys.readouterr().out == "Nothing to report.\n"


def test_transactions_of_one_table(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("report", "transactions", venue, "--table", "1", "--json", "--limit", "3")
    assert len(json.loads(capsys.readouterr().out)) == 3
    run("report", "transactions", venue, "--table", "2", "--json")
    assert json.loads(capsys.readouterr().out) == []


def test_bad_input(venue: Path, tmp_path: Path) -> None:
    assert "there is no report 'tips'; there are win, meters, vouchers" in complaint("report", "tips", venue)
    assert complaint("report", "wins", venue) == "there is no report 'wins'; did you mean win?"
    assert "--limit 0 is out of range" in complaint("report", "events", venue, "--limit", "0")
    assert "is not a gaming day" in complaint("report", "win", venue, "--day", "friday")
    assert "give --csv or --json, not both" in complaint("report", "win", venue, "--csv", "--json")
    assert "there is no folder" in complaint("report", "win", tmp_path / "nowhere")
