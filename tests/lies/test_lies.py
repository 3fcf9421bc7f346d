"""Every lie is caught by somebody that the house does not run, and the two verifiers see the same lies."""

import asyncio
import re

import pytest

from tests.lies.differences import KNOWN, MEANT
from tests.lies.lie import Lie
from tests.lies.results import SUBJECTS, Caught, results, the_evening, told
from tests.lies.shown import make_anew
from tests.lies.trust_page import PAGE, page

LIES = [lie for lies in SUBJECTS.values() for lie in lies]
each_lie = pytest.mark.parametrize("lie", LIES, ids=lambda lie: re.sub(r"\W+", "-", lie.name))
BELIEVED = Caught("", "", "", "")


def test_there_are_at_least_sixty_kinds() -> None:
    assert len({lie.name for lie in LIES}) == len(LIES) >= 60


def test_the_true_evening_is_believed_by_all_four() -> None:
    true = the_evening()
    assert asyncio.run(told(true.shown, true)) == BELIEVED


def test_making_the_truth_anew_changes_no_entry_and_no_count() -> None:
    """So whatever is caught in a history that was made anew is the lie, and no slip of the insider's pen."""
    true = the_evening().shown
    shown = true.copied()
    make_anew(shown)
    assert (shown.entries, shown.end) == (true.entries, true.end)


@each_lie
def test_it_is_caught_by_one_that_the_house_does_not_run(lie: Lie) -> None:
    for caught in filter(None, results()[lie.name]):
        assert caught.outside or caught.receipt or caught.witness


@each_lie
def test_both_verifiers_see_it_or_neither_does(lie: Lie) -> None:
    differ = [one for one in results()[lie.name] if one and bool(one.verify) != bool(one.outside)]
    if lie.name not in KNOWN:
        assert bool(differ) == (lie.name in MEANT), differ


def test_a_history_made_anew_without_a_broken_rule_is_caught_by_what_others_have_kept() -> None:
    lie = "two histories: one for the witness, a second for everybody else"
    _, caught = results()[lie]
    assert caught
    assert (caught.verify, caught.outside) == ("", "")
    assert caught.receipt
    assert caught.witness


def test_differences_are_of_lies_that_there_are() -> None:
    assert {*MEANT, *KNOWN} <= {lie.name for lie in LIES}


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(PAGE.read_text()), "run `make trust`"
