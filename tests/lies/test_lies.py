"""Every lie is caught by somebody that the house does not run, and the two verifiers see the same lies."""

import asyncio
import re

import msgspec
import pytest

from natural9.proof.merkle import BadProof
from natural9.proof.signed_note import BadNote
from natural9.store.receipt import check_receipt, read_receipt
from tests.lies import about_receipts
from tests.lies.catchers import by_itself
from tests.lies.differences import MEANT
from tests.lies.house import KEYS
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
    assert bool(differ) == (lie.name in MEANT), differ


def test_a_history_made_anew_without_a_broken_rule_is_caught_by_what_others_have_kept() -> None:
    lie = "two histories: one for the witness, a second for everybody else"
    _, caught = results()[lie]
    assert caught
    assert (caught.verify, caught.outside) == ("", "")
    assert caught.receipt
    assert caught.witness


@pytest.mark.parametrize("lie", about_receipts.LIES, ids=lambda lie: re.sub(r"\W+", "-", lie.name))
def test_a_receipt_is_judged_alike_by_the_program_and_by_the_outside_verifier(lie: Lie) -> None:
    shown = the_evening().shown.copied()
    lie.tell(shown)
    for receipt in map(msgspec.json.encode, shown.receipts):
        assert bool(_wrong(receipt)) == bool(by_itself(receipt))


def _wrong(receipt: bytes) -> str:
    """As a terminal's own check has it, which knows the house's keys."""
    read = read_receipt(receipt)
    try:
        keys = {str(key.verifier): key.verifier for key in KEYS}
        check_receipt(read, keys.get(read.key, KEYS[0].verifier))
    except (BadProof, BadNote) as error:
        return str(error)
    return ""


def test_differences_are_of_lies_that_there_are() -> None:
    assert MEANT.keys() <= {lie.name for lie in LIES}


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(PAGE.read_text()), "run `make trust`"
