"""The list of planted bugs cannot rot: each still fits the tree, names checks that are there, and some are run."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.planted.bug import TREE, Bug, Check, all_bugs
from tests.planted.page import PAGE, page

BUGS = all_bugs()
each_bug = pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
# A rule, money, what is kept: each caught in seconds.
RUN = ("banker-draws-on-6-against-5", "void-keeps-insurance", "half-a-cent-rounded")


def test_there_are_at_least_sixty_each_with_its_own_name() -> None:
    assert len(BUGS) >= 60
    assert [name for name, times in Counter(bug.name for bug in BUGS).items() if times > 1] == []


@each_bug
def test_it_can_be_planted_and_is_told_in_a_sentence(bug: Bug) -> None:
    text = (TREE / bug.file).read_text(encoding="utf-8")
    assert bug.planted(text) != text
    assert bug.words[0].isupper()
    assert not bug.words.endswith(".")


@each_bug
def test_the_checks_that_it_names_are_there(bug: Bug) -> None:
    assert bug.checks
    for check in bug.checks:
        for file, function in _tests_named(check):
            text = file.read_text(encoding="utf-8")
            assert f"def {function}(" in text if function else file.suffix == ".ts", f"{file} has no {function}"


def _tests_named(check: Check) -> list[tuple[Path, str]]:
    """Each by its file and its function; a file of the screens' tests is named whole."""
    match check.kind:
        case "unit" | "property":
            file, _, function = check.what.partition("::")
            return [(TREE / file, function.partition("[")[0])]
        case "screens":
            return [(TREE / "web" / check.what, "")]
        case _:
            return []


def test_some_are_planted_and_caught() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.planted", *RUN, "--check", "unit", "--json"],
        cwd=TREE,
        capture_output=True,
        text=True,
        check=False,
    )
    caught = {told["bug"]: told["caught"] for told in map(json.loads, done.stdout.splitlines())}
    assert caught == dict.fromkeys(RUN, True), done.stdout + done.stderr


def test_a_bug_that_no_check_sees_is_called_a_survivor() -> None:
    """The script is no yes-man: a check that looks elsewhere does not catch."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.planted", "big-eye-boy-long-column", "--by", "tests/core/test_money.py"],
        cwd=TREE,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "0 of 1 bugs caught" in done.stdout


def test_the_verifier_is_given_whole_evenings() -> None:
    """It judges what was played as far as that went: in a tree without a bug, to the end."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.planted.judged"], cwd=TREE, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout
    assert "Traceback" not in done.stderr, done.stderr


def test_the_page_is_up_to_date() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(written), "run `python -m tests.planted --write`"
