"""The table of planted bugs in docs/reliability.md, made from the list."""

import re
from itertools import groupby
from typing import Final

from tests.planted.bug import TREE, Bug, Check, all_bugs

PAGE: Final = TREE / "docs" / "reliability.md"
_MADE: Final = re.compile(r"(?s)<!-- made: planted bugs -->\n.*?<!-- end -->")
_BESIDE: Final = {"verifier": "outside verifier", "simulator": "simulator"}


def table() -> str:
    """A row for each bug, room by room, and how many there are."""
    bugs = all_bugs()
    firsts = [bug.checks[0].kind for bug in bugs]
    kinds = ", ".join(f"{firsts.count(kind)} by {words}" for kind, words in _FIRST.items() if kind in firsts)
    second = ", ".join(
        f"{sum(any(check.kind == kind for check in bug.checks[1:]) for bug in bugs)} by the {words}"
        for kind, words in _BESIDE.items()
    )
    lines = [f"{len(bugs)} bugs, all of them caught: {kinds}. Caught a second time: {second}."]
    for room, those in groupby(bugs, key=lambda bug: bug.room):
        lines += ["", f"**{room}**", "", "| bug | caught by | and by |", "|---|---|---|"]
        lines += [_row(bug) for bug in those]
    return "\n".join(lines)


_FIRST: Final = {
    "unit": "a test",
    "property": "a property",
    "screens": "a test of the screens",
    "verifier": "the outside verifier",
    "simulator": "the simulator",
}


def _row(bug: Bug) -> str:
    first, *others = bug.checks
    return f"| {bug.words} | {_words(first)} | {', '.join(map(_words, others))} |"


def _words(check: Check) -> str:
    if check.kind == "simulator":  # "--seed 3 --rounds 15"
        return f"simulator, seed {check.what.split()[1]}"
    return _BESIDE[check.kind] if check.kind in _BESIDE else f"`{check.what.removeprefix('tests/')}`"


def page(written: str) -> str:
    """The page with the table as it is now."""
    return _MADE.sub(lambda _: f"<!-- made: planted bugs -->\n{table()}\n<!-- end -->", written)


def write_page() -> None:
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
