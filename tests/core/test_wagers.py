"""A pay row in the words of a pay table."""

import pytest

from natural9.core.money import Odds
from natural9.core.outcome import FeatureValue
from natural9.core.wagers import PayRow, Wager


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"winner": ("banker",)}, "banker wins"),
        ({"winner": ("tie",)}, "tie"),
        (
            {"winner": ("banker",), "banker_total": (6,), "banker_cards": (2,)},
            "banker wins, banker total 6, banker cards 2",
        ),
        ({"banker_total": (8, 9)}, "banker total 8 or 9"),
        ({"same_pair": (True,)}, "same pair"),
        ({"same_pair": (False,)}, "no same pair"),
    ],
)
def test_its_condition(when: dict[str, tuple[FeatureValue, ...]], words: str) -> None:
    assert PayRow(when, Odds.parse("1:1"), "").words == words


def test_what_it_pays() -> None:
    assert PayRow({}, Odds.parse("0.95:1"), "").pays == "0.95:1"
    assert PayRow({}, None, "").pays == "push"


def test_a_wager_without_an_english_name_is_called_after_its_id() -> None:
    def called(names: dict[str, str]) -> str:
        return Wager("tie", names, optional=False, rows=(), paragraph="").title

    assert (called({"en": "Tie", "zh": "和"}), called({"zh": "和"})) == ("Tie", "Tie")
