"""`natural9 session`, `design` and `penetration`: what they print, and what they say to nonsense."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.test_command import answer, complaint, text
from tests.starter import BARE, LONGEST_S, ROOT


def test_bets_together_for_people_and_programs(tmp_path: Path) -> None:
    asked = ("session", "mbs-tiger", "--bet", "banker=100", "--bet", "tiger=10", "--rounds", "200")
    plot = tmp_path / "night.png"
    shown = text(*asked, "--plot", str(plot))
    assert "together  110.00" in shown
    assert "After 200 rounds, each taken to come from a fresh shoe" in shown
    assert max(map(len, shown.splitlines())) <= 100
    assert plot.read_bytes().startswith(b"\x89PNG")
    found = answer(*asked)
    assert found["bets"] == {"banker": 10_000, "tiger": 1_000}, "cents"
    assert float(Fraction(found["round"]["expected"])) == pytest.approx(found["round"]["expected_float"])
    assert sum(Fraction(one["probability"]) for one in found["round"]["results"]) == 1
    assert found["session"]["mean"] == pytest.approx(200 * found["round"]["expected_float"])
    assert [one["share"] for one in found["session"]["quantiles"]] == [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]


def test_the_odds_for_an_edge() -> None:
    assert "13.7944:1   13:1 (12.9589%)    14:1 (9.2342%)" in text(
        "design", "mbs-tiger", "--wager", "tiger", "--edge", "10%"
    )
    [two, three] = answer("design", "mbs-tiger", "--wager", "tiger", "--edge", "10%")
    assert (two["pays"], two["below"]["odds"], two["above"]["odds"]) == ("12:1", 13, 14)
    assert three["needed"]["odds_float"] == pytest.approx(24.0221, abs=1e-4)


def test_the_tables_between_two_edges() -> None:
    assert "20 pay tables in whole odds" in text("design", "mbs-tiger", "--wager", "tiger", "--between", "4%..6%")
    found = answer("design", "mbs-tiger", "--wager", "tiger", "--between", "4%..6%")
    assert len(found) == 20
    assert all(0.04 <= one["edge"] <= 0.06 for one in found)
    assert "No whole odds" in text("design", "mbs-nc", "--wager", "tie", "--between", "5%..6%")


def test_insurance_that_favours_the_bettor() -> None:
    found = answer("design", "rws-nc-insurance", "--insurance")
    best = {(row["hand"], row["window"], row["odds"]): row for row in found["rows"]}
    assert best["banker", "four-cards", "3:1"]["best_fresh"] == pytest.approx(0.0844, abs=1e-4)
    assert best["player", "third-card", "8:1"]["best_fresh"] < 0
    for row in found["rows"]:
        shares = [one["share_of_offers"] for one in row["favourable"]]
        assert all(0 <= share <= 1 for share in shares)


def test_an_edge_as_the_shoe_is_dealt(tmp_path: Path) -> None:
    plot = tmp_path / "edge.svg"
    asked = ("penetration", "mbs-tiger", "--wager", "big-tiger", "--shoes", "10", "--decks", "4")
    shown = text(*asked, "--plot", str(plot))
    assert "cards left" in shown
    assert plot.read_text().startswith("<svg")
    found = answer(*asked)
    assert found["depths"][0]["left"][0] == 208


def test_ctrl_c_shows_what_has_been_dealt() -> None:
    ours, theirs = pty.openpty()
    asked = ("penetration", "mbs-tiger", "--wager", "big-tiger", "--shoes", "100000", "--json")
    started = subprocess.Popen(
        [sys.executable, "-m", "natural9", *asked],
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=ROOT,
        env={**BARE, "TERM": "xterm"},
    )
    os.close(theirs)
    shown = b""
    while not re.search(rb"[1-9]00.* shoes", shown):
        shown += os.read(ours, 1024)
    started.send_signal(signal.SIGINT)
    out, _ = started.communicate(timeout=LONGEST_S)
    os.close(ours)
    assert started.returncode == 130
    assert 100 <= json.loads(out)["shoes"] < 100_000


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("session", "mbs-nc"), "name the bets"),
        (("session", "mbs-nc", "--bet", "tie"), "is not a bet"),
        (
            ("session", "mbs-nc", "--bet", "tie=5", "--rounds", "0"),
            "a session of 0 rounds is out of range: give 1 to 100,000",
        ),
        (("session", "mbs-nc", "--bet", "tie=5", "--rounds", "-1"), "-1 rounds is out of range"),
        (("session", "mbs-nc", "--bet", "tie=5", "--rounds", "100001"), "100,001 rounds is out of range"),
        (("session", "mbs-nc", "--bet", "tie=5", "--plot", "x.gif"), "is not a plot's name: end it in .svg or .png"),
        (("penetration", "mbs-nc", "--wager", "tie", "--plot", "no/x.svg"), "there is no folder no; make it first"),
        (("design", "mbs-nc", "--wager", "tie"), "ask for one thing"),
        (("design", "mbs-nc", "--edge", "5%"), "name the wager"),
        (("design", "mbs-nc", "--wager", "tie", "--edge", "five"), "in percent"),
        (("design", "mbs-nc", "--wager", "tie", "--edge", "0.05"), "in percent"),
        (("design", "mbs-nc", "--wager", "tie", "--between", "5%"), "not a range"),
        (("design", "mbs-nc", "--insurance"), "has no insurance"),
        (("design", "rws-nc-insurance", "--insurance", "--wager", "tie"), "leave out --wager"),
        (("penetration", "mbs-nc", "--wager", "x"), "x"),
        (("penetration", "mbs-nc", "--wager", "tie", "--decks", "11"), "decks"),
        (("penetration", "mbs-nc", "--wager", "tie", "--cut", "500"), "cut card"),
    ],
)
def test_nonsense_gets_one_clear_line(asked: tuple[str, ...], says: str) -> None:
    assert says in complaint(*asked)
