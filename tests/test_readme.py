"""The README and the page of the odds tell the truth; tests/docs_site asks the tutorials."""

import doctest

from tests.readme import README, ROOT, rewritten


def test_the_commands_print_what_it_shows() -> None:
    assert rewritten() == README.read_text(), "run `make readme`"


def test_the_python_of_the_odds_page_runs() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "odds.md"), module_relative=False, verbose=False)
    assert tried
    assert not failed
