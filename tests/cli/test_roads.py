"""`natural9 roads`: the five roads of a shoe."""

import pytest

from natural9.core.roads import roads
from tests.cli.test_command import answer, text


def test_the_contract() -> None:
    drawn = answer("roads", "BPPBTB")
    assert list(drawn) == ["bead_plate", "big_road", "big_eye_boy", "small_road", "cockroach_road"]
    assert drawn["bead_plate"] == list("BPPBTB")
    assert drawn["big_road"] == [
        {"column": 1, "row": 1, "winner": "B", "ties": 0},
        {"column": 2, "row": 1, "winner": "P", "ties": 0},
        {"column": 2, "row": 2, "winner": "P", "ties": 0},
        {"column": 3, "row": 1, "winner": "B", "ties": 1},
        {"column": 3, "row": 2, "winner": "B", "ties": 0},
    ]
    assert (drawn["big_eye_boy"], drawn["small_road"], drawn["cockroach_road"]) == ("bbr", "b", "")


@pytest.mark.parametrize("winners", ["", "T", "BPBBPPPB", "bpbpbp", "B" * 9 + "P" * 9 + "T" + "B" * 30])
def test_it_draws_what_the_core_draws(winners: str) -> None:
    drawn, core = answer("roads", winners), roads(winners)
    assert drawn["bead_plate"] == list(core.bead_plate)
    assert [(cell["column"], cell["row"], cell["winner"], cell["ties"]) for cell in drawn["big_road"]] == [
        (cell.column, cell.row, cell.winner, cell.ties) for cell in core.big_road
    ]
    assert drawn["big_eye_boy"] == core.big_eye_boy
    assert drawn["small_road"] == core.small_road
    assert drawn["cockroach_road"] == core.cockroach_road


def test_for_people() -> None:
    shown = text("roads", "BPPBTB").splitlines()
    assert shown[0] == "Bead plate"
    assert [line.rstrip() for line in shown[1:7]] == ["B", "P", "P", "B", "T", "B"]
    assert any("Big road" in line for line in shown)
    at = next(number for number, line in enumerate(shown) if "Big road" in line)
    assert [line.rstrip() for line in shown[at + 1 : at + 4]] == ["B P B1", ". P B", ". . ."]


def test_a_road_wider_than_a_terminal_keeps_its_newest_columns() -> None:
    shown = text("roads", "BP" * 60 + "T")
    assert max(map(len, shown.splitlines())) <= 80
    at = shown.splitlines().index(next(line for line in shown.splitlines() if "Big road" in line))
    assert shown.splitlines()[at + 1].rstrip().endswith("P1")
