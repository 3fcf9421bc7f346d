"""`natural9 report`: each report on the screen, as a sheet and for programs."""

import asyncio
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from natural9.journal.card_events import PlayerCardedIn, PlayerPlay
from natural9.journal.labels import SESSIONS, SIGNIFICANT, player_label
from natural9.journal.line import BY_PROGRAM, by_staff, encode_line
from natural9.journal.session_events import SessionStarted
from natural9.server.keyring import open_keyring
from natural9.server.people.accounts import Accounts
from natural9.server.people.devices import Place
from natural9.server.reports.catalogue import REPORTS
from natural9.server.reports.report import Report
from natural9.store.contract import Access, Entry
from natural9.store.opening import open_store
from natural9.table.state.drawers import CashTotals, OpenDrawer
from natural9.table.state.drawers import closed as closed_drawer
from tests.cli.venue_folder import an_evenings_venue, complaint, run
from tests.store.opening import append


@pytest.fixture(scope="module")
def venue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = an_evenings_venue(tmp_path_factory.mktemp("report") / "venue")
    asyncio.run(_hire(folder))
    return folder


async def _hire(folder: Path) -> None:
    """A person, a terminal, a drawer that was opened and closed again, and a player's session, before the evening."""
    store = open_store(folder, Access.WRITE)
    key = (await open_keyring(folder, store)).in_use
    accounts = await Accounts.open(
        store, key=key, clock_ms=lambda: 1_790_000_000_000, gaming_day=lambda _: "2026-09-21"
    )
    await accounts.add("mei", name="Mei Tan", role="dealer", by="ada")
    await accounts.devices.add([Place("terminal", "1", 1)], by="ada")
    await accounts.players.add("Mei", by="cass")
    accounts.close()
    closed = closed_drawer(
        OpenDrawer(desk="cass", opened_at_ms=0, carried_cents=0, float_cents=0, before=CashTotals()),
        0,
        "",
        CashTotals(),
    )
    body = encode_line(closed, by_staff("cass"))
    await append(store, [Entry("venue", closed.TAG, body, 1_790_000_000_000, "2026-09-21", label=SIGNIFICANT)])
    played = SessionStarted(
        session=1,
        seat=1,
        owner="seat",
        table_ms=0,
        in_cents=10_000,
        owed_cents=0,
        check_ms=3_600_000,
        idle_ms=0,
        time_ms=None,
        loss_cents=None,
        stake_cents=None,
    )
    carded = PlayerCardedIn(seat=2, player="10001", table_ms=0, play=PlayerPlay(since_ms=1), points_per_100=10)
    body, label = encode_line(carded, BY_PROGRAM), player_label("10001")
    await append(store, [Entry("table/1", carded.TAG, body, 1_790_000_000_000, "2026-09-21", label=label)])
    body = encode_line(played, BY_PROGRAM)
    await append(store, [Entry("table/1", played.TAG, body, 1_790_000_000_000, "2026-09-21", label=SESSIONS)])
    await store.close()


# A drawer is one desk's, a statement one player's.
NEEDS = {"drawer": ("--desk", "cass"), "player-statement": ("--player", "10001")}


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)
def test_every_report_in_three_forms(report: Report[Any], venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = (report.name, venue, *NEEDS.get(report.name, ()))
    run("report", *asked, "--json")
    lines = json.loads(capsys.readouterr().out)
    assert lines
    run("report", *asked, "--csv")
    names, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert (names, len(rows)) == ([column.name for column in report.columns], len(lines))
    run("report", *asked)
    assert len(capsys.readouterr().out.splitlines()) > len(lines)


def test_on_its_own_it_lists_the_reports(capsys: pytest.CaptureFixture[str]) -> None:
    run("report")
    shown = capsys.readouterr().out
    assert all(report.name in shown and report.title in shown for report in REPORTS)
    run("report", "--json")
    listed = json.loads(capsys.readouterr().out)
    assert [one["name"] for one in listed] == [report.name for report in REPORTS]


def test_a_terminal_shows_kinds_in_their_own_way(
    venue: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    run("report", "win", venue)
    assert "27.93%" in capsys.readouterr().out
    run("report", "hold", venue)
    shown = capsys.readouterr().out
    assert "all wagers" in shown
    assert "mbs-tiger" not in shown, "the game is a column for a wide screen"
    run("report", "meters", venue)
    assert "1,733.00" in capsys.readouterr().out
    run("report", "vouchers", venue)
    assert "2027-01-15 16:00:00" in capsys.readouterr().out


def test_the_win_of_a_day(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("report", "win", venue, "--day", "2027-01-15", "--json")
    [line] = json.loads(capsys.readouterr().out)
    assert (line["table"], line["rounds"], line["voids"]) == ("1", 4, 1)
    run("report", "win", venue, "--from", "2027-01-16")
    assert capsys.readouterr().out == "Nothing to report.\n"


def test_transactions_of_one_table(venue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("report", "transactions", venue, "--table", "1", "--json", "--limit", "100")
    assert capsys.readouterr().err == "", "all that there are"
    run("report", "transactions", venue, "--table", "1", "--json", "--limit", "3")
    out, told = capsys.readouterr()
    assert told == "natural9: only the newest 3 are here, there may be more: give --limit more\n"
    numbers = [line["number"] for line in json.loads(out)]
    assert numbers == sorted(numbers, reverse=True)
    assert len(numbers) == 3
    run("report", "transactions", venue, "--table", "2", "--json")
    assert json.loads(capsys.readouterr().out) == []


def test_bad_input(venue: Path, tmp_path: Path) -> None:
    assert "'tips'" in complaint("report", "tips", venue)
    assert "Did you mean 'meters'" in complaint("report", "meter", venue)
    assert "--limit" in complaint("report", "win", venue, "--limit", "3"), "not one of its filters"
    assert "--desk cass" in complaint("report", "drawer", venue)
    assert "--limit 0 is out of range" in complaint("report", "events", venue, "--limit", "0")
    assert "is not a gaming day" in complaint("report", "win", venue, "--day", "friday")
    assert "give --csv or --json, not both" in complaint("report", "win", venue, "--csv", "--json")
    assert "there is no folder" in complaint("report", "win", tmp_path / "nowhere")
