"""`natural9 odds`, as its users run it."""

import csv
import json
import subprocess
from fractions import Fraction
from io import StringIO

import pytest

from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.pricing import odds
from tests.cli.test_command import run as run_command


def run(*args: str) -> subprocess.CompletedProcess[str]:
    return run_command("odds", *args)


def test_json_is_the_contract_and_exact() -> None:
    ran = run("rws-nc-insurance", "--decks", "6", "--without", "9S 9H K", "--json")
    assert ran.returncode == 0
    data = json.loads(ran.stdout)
    priced = odds(load_game("rws-nc-insurance"), Composition.of(decks=6).without("99K"))
    assert (data["game"], data["decks"], data["cards_left"]) == ("rws-nc-insurance", 6, 6 * 52 - 3)
    for shown, wager in zip(data["wagers"], priced.wagers, strict=True):
        assert shown["id"] == wager.id
        for name in ("win", "push", "lose", "expected", "house_edge"):
            value: Fraction = getattr(wager, name)
            assert shown[name] == f"{value.numerator}/{value.denominator}"
            assert shown[f"{name}_float"] == float(value)
        chances = [Fraction(row["probability"]) for row in shown["pays"]]
        assert chances == [row.probability for row in wager.rows]
        assert [row["odds"] for row in shown["pays"]] == [row.row.pays for row in wager.rows]
    for shown, line in zip(data["insurance"], priced.insurance, strict=True):
        where = (line.row.window, line.row.hand, line.player_total, line.banker_total, line.row.odds.text)
        assert tuple(shown[key] for key in ("window", "hand", "player_total", "banker_total", "odds")) == where
        assert Fraction(shown["win"]) + Fraction(shown["push"]) + Fraction(shown["lose"]) == 1
        assert Fraction(shown["expected"]) == line.expected


def test_people_see_edges_and_which_insurance_favours_the_bettor() -> None:
    shown = run("rws-nc-insurance").stdout
    assert "1.458104%" in shown
    priced = odds(load_game("rws-nc-insurance"), Composition.of(decks=8))
    assert shown.count("the BETTOR") == sum(line.expected > 0 for line in priced.insurance)


def test_games_side_by_side() -> None:
    shown = run("mbs-nc", "--compare", "mbs-tiger", "--compare", "rws-nc").stdout
    [banker] = [line for line in shown.splitlines() if line.startswith("banker ")]
    assert banker.split() == ["banker", "1.458104%", "1.057906%", "1.458104%"]
    data = json.loads(run("mbs-nc", "--compare", "mbs-tiger", "--json").stdout)
    assert [one["game"] for one in data["compared"]] == ["mbs-tiger"]


def test_every_number_of_decks_side_by_side() -> None:
    data = json.loads(run("mbs-nc", "--decks", "4..10", "--json").stdout)
    sheets = [data, *data["compared"]]
    assert [sheet["decks"] for sheet in sheets] == list(range(4, 11))
    edges = [sheet["wagers"][0]["house_edge_float"] for sheet in sheets]
    expected = [float(odds(load_game("mbs-nc"), Composition.of(decks=n)).wagers[0].house_edge) for n in range(4, 11)]
    assert edges == expected
    assert "mbs-nc 4 decks" in " ".join(run("mbs-nc", "--decks", "4..5").stdout.split())


def test_what_is_tried_is_not_called_as_what_was_approved() -> None:
    shown = run("mbs-tiger-nc", "--what-if", "tiger.2=25:1").stdout
    assert "Tiger No Commission Baccarat with tiger.2=25:1, 8 decks" in shown
    rules = [line.partition("Rule")[1] for line in shown.splitlines() if line.split()[:1] == ["tiger"]]
    assert rules == ["", "Rule", ""], "its edge, the row that is as it was, and the one that no rule stands for"
    data = json.loads(run("mbs-tiger-nc", "--what-if", "tiger.2=25:1", "--json").stdout)
    assert data["game"] == "mbs-tiger-nc with tiger.2=25:1"


def test_csv_has_a_line_for_every_pay_row() -> None:
    rows = list(csv.DictReader(StringIO(run("mbs-tiger", "--what-if", "tiger.2=25:1", "--csv").stdout)))
    assert len(rows) == sum(len(wager.rows) for wager in load_game("mbs-tiger").wagers)
    [tried] = [row for row in rows if (row["wager"], row["row"]) == ("tiger", "2")]
    assert tried["odds"] == "25:1"
    assert {row["game"] for row in rows} == {"mbs-tiger with tiger.2=25:1"}, "nobody takes it for what was approved"
    assert float(tried["house_edge"]) == pytest.approx(0.083751, abs=1e-6)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["mbs-nc", "--decks", "0"], "4 to 10 decks, not 0"),
        (["mbs-nc", "--decks", "x"], "not a number of decks"),
        (["mbs-nc", "--decks", "8..4"], "write the smaller first"),
        (["mbs-nc", "--decks", "4..11"], "not 11"),
        (["mbs-nc", "--decks", "11"], "4 to 10 decks, not 11"),
        (["rws-nc", "--decks", "9"], "4 to 8 decks, not 9"),
        (["mbs-nc", "--without", "9 " * 33], "no 9 is left"),
        (["mbs-nc", "--decks", "4", "--without", "9S " * 5], "one too many"),
        (["mbs-nc", "--without", "1X"], "'1X' is not a card"),
        (["mbs-nc", "--csv", "--json"], "give --csv or --json, not both"),
        (["mbs-nk"], "did you mean mbs-nc"),
        (["mbs-nc", "--compare", "nonsense"], "there is no game 'nonsense'"),
        (["mbs-nc", "--what-if", "tie=9:1"], "write WAGER.ROW=ODDS"),
        (["mbs-nc", "--what-if", "lucky.1=9:1"], "does not offer 'lucky'"),
        (["mbs-nc", "--what-if", "tie.2=9:1"], "tie has no row 2"),
        (["mbs-nc", "--what-if", "tie.1=nine"], "not a ratio"),
    ],
)
def test_nonsense_gets_one_clear_line(args: list[str], says: str) -> None:
    ran = run(*args)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert len(ran.stderr.splitlines()) == 1
    assert says in ran.stderr
