"""The README tells the truth: its commands print what it shows, and its Python runs."""

import doctest

from tests.readme import README, rewritten


def test_the_commands_print_what_it_shows() -> None:
    assert rewritten() == README.read_text(), "run `make readme`"


def test_the_python_runs() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False, verbose=False)
    assert tried
    assert not failed
