"""A power cut at any instant, on a disk that keeps only what it must: it opens, and nothing acknowledged is missing."""

from pathlib import Path

import pytest

from tests.torture.disk.cuts import IMAGES, story_cut, tally
from tests.torture.disk.stories import STORIES


@pytest.mark.parametrize("name", STORIES)
def test_whatever_a_power_cut_leaves_opens_with_all_that_was_acknowledged(scratch: Path, name: str) -> None:
    many, wrong = tally(story_cut(scratch, name, STORIES[name], "0", IMAGES[name]))
    assert wrong == []
    assert many[name] == IMAGES[name]
