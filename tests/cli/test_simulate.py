"""`natural9 simulate`: the contract, nonsense, and what a person sees."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from natural9.games import load_game
from tests.cli.test_command import complaint_of, run
from tests.starter import BARE, LONGEST_S, ROOT


def said(*commands: tuple[str, ...]) -> list[Any]:
    """The JSON of each of these simulations."""
    done = [run("simulate", *arguments, "--json") for arguments in commands]
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * len(commands)
    return [json.loads(one.stdout) for one in done]


def test_the_contract() -> None:
    [answer] = said(("mbs-tiger", "--rounds", "1e6", "--seed", "9"))
    assert {"rounds", "seconds", "rounds_per_second", "wagers"} <= set(answer)
    assert (answer["rounds"], answer["decks"], answer["cut"], answer["seed"]) == (1_000_000, 8, 14, 9)
    assert answer["shoes"] == 12226
    assert [wager["id"] for wager in answer["wagers"]] == list(load_game("mbs-tiger").wagers_by_id)
    for wager in answer["wagers"]:
        assert {"id", "mean", "stderr", "exact", "z"} <= set(wager)
        assert wager["z"] == pytest.approx((wager["mean"] - wager["exact"]) / wager["stderr"])
        assert float(Fraction(wager["exact_fraction"])) == pytest.approx(wager["exact"])
        assert abs(wager["z"]) < 4
    banker = next(wager for wager in answer["wagers"] if wager["id"] == "banker")
    assert banker["exact"] == pytest.approx(-0.01057906, abs=1e-8)
    assert banker["stderr"] == pytest.approx(0.9274 / sqrt(1e6), rel=1e-2)


def test_a_seed_repeats_it_with_any_number_of_workers() -> None:
    one, three = said(*(("rws-nc", "--rounds", "600000", "--seed", "4", "--workers", count) for count in "13"))
    assert one["wagers"] == three["wagers"]
    assert one["shoes"] == three["shoes"]


def test_without_a_seed_it_names_the_one_it_took() -> None:
    [first] = said(("mbs-nc", "--rounds", "1000"))
    [again] = said(("mbs-nc", "--rounds", "1000", "--seed", str(first["seed"])))
    assert first["wagers"] == again["wagers"]


def test_a_table_for_people() -> None:
    done = run("simulate", "mbs-tiger", "--rounds", "2e5", "--seed", "9", "--decks", "6", "--cut", "52")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "200,000 rounds of" in done.stdout
    assert "6 decks, cut card 52 from the end, seed 9" in done.stdout
    assert re.search(r"banker +[+-]\d\.\d{4}% +0\.\d{4}% +-1\.0\d{3}% +[+-]\d\.\d\d", done.stdout)


def test_insurance_row_by_row() -> None:
    [answer] = said(("rws-nc-insurance", "--rounds", "3e5", "--seed", "9", "--insure", "0.5"))
    assert (answer["insure"], answer["device"]) == (0.5, "cpu")
    assert len(answer["insurance"]) == 15
    for row in answer["insurance"]:
        assert row["z"] == pytest.approx((row["mean"] - row["exact"]) / row["stderr"])
        assert abs(row["z"]) < 4
    shown = run("simulate", "rws-nc-insurance", "--rounds", "3e5", "--seed", "9", "--insure", "0.5").stdout
    assert re.search(r"banker +four-cards +0-5 v 6 +3:1 +5\.\d{3}% +[+-]", shown)


SESSIONS = ("--strategy", "martingale", "--unit", "10", "--bankroll", "1000", "--table-max", "500")


def test_sessions() -> None:
    asked = ("--wager", "player", "--session", "100", "--sessions", "2e3", "--seed", "9")
    [answer] = said(("mbs-nc", *SESSIONS, *asked))
    assert (answer["strategy"], answer["wager"], answer["sessions"]) == ("martingale", "player", 2000)
    assert (answer["unit"], answer["bankroll"], answer["table_max"], answer["session"]) == (10_00, 1000_00, 500_00, 100)
    assert answer["result"]["min"] >= -1000_00
    assert answer["result"]["quantiles"]["0.5"] > 0 > answer["result"]["quantiles"]["0.05"]
    assert 0.05 < answer["ruin"]["probability"] < 0.5
    assert answer["bets"]["max"] <= 100
    assert answer["drawdown"]["min"] >= 0
    assert answer["exact"] == pytest.approx(-0.012351, abs=1e-6)


def test_a_progression_by_list_option_and_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("1, 1\n2 3 5\n")
    ways = (("--strategy", "1,1,2,3,5"), ("--progression", "1,1,2,3,5"), ("--strategy", str(path)))
    answers = said(*(("mbs-nc", *way, "--sessions", "500", "--seed", "1") for way in ways))
    assert answers[0]["progression"] == [1, 1, 2, 3, 5]
    assert answers[0]["result"] == answers[1]["result"] == answers[2]["result"]


def test_sessions_for_people() -> None:
    done = run("simulate", "mbs-nc", *SESSIONS, "--sessions", "1000", "--seed", "9")
    assert done.returncode == 0
    assert "1,000 sessions of 200 rounds, martingale on banker, seed 9" in done.stdout
    assert "table maximum 500.00" in done.stdout
    assert re.search(r"Risk of ruin \d\d\.\d{3}%", done.stdout)


# What the refusal says, and the arguments that it refuses.
FLAT = ("mbs-tiger", "--strategy", "flat")
REFUSED: list[tuple[str, ...]] = [
    ("0 rounds are out of range", "mbs-tiger", "--rounds", "0"),
    ("-5 rounds are out of range", "mbs-tiger", "--rounds", "-5"),
    ("1e99 rounds are out of range", "mbs-tiger", "--rounds", "1e99"),
    ("1e999999999 rounds are out of range", "mbs-tiger", "--rounds", "1e999999999"),
    ("not a whole number of rounds", "mbs-tiger", "--rounds", "2.5"),
    ("not a number of rounds", "mbs-tiger", "--rounds", "many"),
    ("decks, not 0", "mbs-tiger", "--decks", "0"),
    ("decks, not 11", "mbs-tiger", "--decks", "11"),
    ("a cut card 5 cards from the end", "mbs-tiger", "--cut", "5"),
    ("a seed is a whole number", "mbs-tiger", "--seed", "-1"),
    ("0 workers are out of range", "mbs-tiger", "--workers", "0"),
    ("--workers or --scheduler", "mbs-tiger", "--workers", "2", "--scheduler", "x:1"),
    ("no-such-game", "no-such-game"),
    ("--wager is for sessions", "mbs-tiger", "--wager", "banker"),
    ("--rounds does not go with sessions", *FLAT, "--rounds", "5"),
    ("not both", *FLAT, "--progression", "1,2"),
    ("'lucky' is not a strategy", "mbs-tiger", "--strategy", "lucky"),
    ("does not offer 'dragon'", *FLAT, "--wager", "dragon"),
    ("a fraction of a cent", *FLAT, "--unit", "0.01"),
    ("bankroll of 5.00 is out of range", *FLAT, "--bankroll", "5"),
    ("1e99 sessions are out of range", *FLAT, "--sessions", "1e99"),
    ("0 rounds in a session are out of range", *FLAT, "--session", "0"),
    ("a step of 0 units", "mbs-tiger", "--progression", "1,0"),
    ("mbs-tiger has no insurance", "mbs-tiger", "--insure", "1"),
    ("2 is no share of the cap", "rws-nc-insurance", "--insure", "2"),
    ("a bet on tie cannot be insured", "rws-nc-insurance", "--strategy", "flat", "--wager", "tie", "--insure", "1"),
    ("--workers or --gpu", "mbs-tiger", "--workers", "2", "--gpu"),
    ("--gpu plays rounds", *FLAT, "--gpu"),
    ("decks, not 11", "mbs-tiger", "--gpu", "--decks", "11"),
    ("a cut card 416 cards from the end", "mbs-tiger", "--gpu", "--cut", "416"),
    ("no scheduler answers", "mbs-tiger", "--rounds", "100", "--scheduler", "tcp://127.0.0.1:9"),
]


def test_nonsense_gets_one_clear_line() -> None:
    commands = [("simulate", *arguments) for _, *arguments in REFUSED]
    for (says, *_), done in zip(REFUSED, [run(*arguments) for arguments in commands], strict=True):
        assert says in complaint_of(done)


def test_a_terminal_sees_progress_and_ctrl_c_prints_what_there_is() -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "natural9", "simulate", "mbs-tiger", "--rounds", "1e14", "--seed", "9", "--json"]
    running = subprocess.Popen(command, cwd=ROOT, env=BARE, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    seen, deadline = "", time.monotonic() + LONGEST_S
    while not re.search(r"[1-9][\d,]* rounds, [1-9][\d,]* a second, left: \S*\d+:\d\d", seen):
        if time.monotonic() > deadline:
            running.kill()
            pytest.fail(f"no progress seen: {seen[-500:]!r}")
        if select.select([ours], [], [], 1)[0]:
            seen += os.read(ours, 10_000).decode(errors="replace")
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=LONGEST_S)
    os.close(ours)
    assert running.returncode == 130
    answer = json.loads(out)
    assert answer["interrupted"] is True
    assert 0 < answer["rounds"] < 1e14
    assert all(abs(wager["z"]) < 5 for wager in answer["wagers"])
