"""What is told in words: an irregularity and a remedy as the console's button calls them, never by a tag."""

import re
from pathlib import Path

import pytest

from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round.state import Phase

BUTTONS = (Path(__file__).parents[2] / "web/src/screens/console/irregularities.ts").read_text()


@pytest.mark.parametrize("told", [*Kind, *Remedy, *Phase, *Window])
def test_each_has_words_without_a_tag(told: Kind | Remedy | Phase | Window) -> None:
    assert re.fullmatch(r"[a-z][A-Za-z', ]+", told.words)


@pytest.mark.parametrize("told", [*Kind, *Remedy])
def test_a_refusal_and_the_button_say_the_same(told: Kind | Remedy) -> None:
    said = re.search(rf"(?:kind: '{told}', |\b'?{told}'?: {{ )says: '([^']+)'", BUTTONS)
    assert said
    assert said[1][:1].lower() + said[1][1:] == told.words
