"""`natural9 established`: what is certain after the cards dealt so far."""

import pytest

from natural9.core.completion import established, standings
from natural9.games import load_game
from tests.cli.test_command import answer, text

rule = pytest.mark.rule


@rule("mbs 5.9.2")
def test_the_contract() -> None:
    said = answer("established", "mbs-tiger", "9S 2H KD")
    assert list(said) == ["established", "wagers"]
    assert said["established"] is True
    assert list(said["wagers"]) == list(load_game("mbs-tiger").wagers_by_id)
    assert said["wagers"]["tiger"] == "lost"
    assert said["wagers"]["banker"] == "open"


@pytest.mark.parametrize(
    ("game_id", "cards", "whether"),
    [
        ("mbs-tiger", "", False),
        ("mbs-tiger", "2S 9H 3D", False),
        ("mbs-tiger", "2 9 2", True),
        ("rws-nc", "2S 9H", False),
        ("rws-nc", "2S,9H,3D", True),
        ("mbs-nc", "4S 2H KD 9C 5H 5D", True),
    ],
)
def test_it_says_what_the_solver_says(game_id: str, cards: str, whether: bool) -> None:
    said = answer("established", game_id, cards)
    wagers, ranks = load_game(game_id).wagers, [card[0] for card in cards.replace(",", " ").split()]
    assert said["established"] is whether is established(wagers, ranks)
    assert said["wagers"] == standings(wagers, ranks)
    assert set(said["wagers"].values()) <= {"won", "lost", "pushed", "open"}


@rule("mbs 5.9.1")
def test_a_wager_that_is_off_at_the_table_establishes_nothing() -> None:
    assert answer("established", "mbs-tiger", "2 9 2")["established"] is True
    off = answer("established", "mbs-tiger", "2 9 2", "--without", "tiger-pair")
    assert off["established"] is False
    assert "tiger-pair" not in off["wagers"]


def test_for_people() -> None:
    shown = text("established", "mbs-tiger", "9S 2H KD")
    assert shown.splitlines()[0] == "An outcome is established after 3 cards."
    assert "tiger-tie" in shown
    assert "not established" in text("established", "mbs-tiger", "2S 9H 3D")
