"""The README and the pages tell the truth: commands print what is shown, and the Python runs."""

import doctest
from pathlib import Path

import pytest

from tests.readme import README, ROOT, rewritten


def test_the_commands_print_what_it_shows() -> None:
    assert rewritten() == README.read_text(), "run `make readme`"


@pytest.mark.parametrize("page", [README, ROOT / "docs" / "odds.md"])
def test_the_python_runs(page: Path) -> None:
    failed, tried = doctest.testfile(str(page), module_relative=False, verbose=False)
    assert tried
    assert not failed
