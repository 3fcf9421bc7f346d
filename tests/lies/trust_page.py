"""What of docs/trust.md is found out by telling every lie: `make trust` writes it anew, and a test holds it true."""

import re
import sys
from pathlib import Path

from tests.lies.results import SUBJECTS, Caught, results

PAGE = Path(__file__).parents[2] / "docs" / "trust.md"
NOT_TOLD = "–"


def table() -> str:
    """A row for each lie, and the sums."""
    lines = [f"{len(results())} kinds of lie; {_sums()}"]
    for subject, lies in SUBJECTS.items():
        lines += ["", f"### {subject}", "", "| lie | carelessly | made anew |", "|---|---|---|"]
        lines += [f"| {lie.name} | {' | '.join(map(_cell, results()[lie.name]))} |" for lie in lies]
    return "\n".join(lines)


def _cell(caught: Caught | None) -> str:
    return NOT_TOLD if caught is None else caught.letters


def _sums() -> str:
    """How many of those that are made anew each of the four catches."""
    anew = [caught for _, caught in results().values() if caught]
    each = zip(
        ("`natural9 verify`", "the outside verifier", "a receipt", "a witness"), zip(*anew, strict=True), strict=True
    )
    caught = ", ".join(f"{name} {sum(map(bool, words))}" for name, words in each)
    return f"of the {len(anew)} that can be made anew, {caught}."


def page(written: str) -> str:
    return re.sub(r"(?s)<!-- made: lies -->\n.*?<!-- end -->", f"<!-- made: lies -->\n{table()}\n<!-- end -->", written)


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.lies.trust_page --write")
    PAGE.write_text(page(PAGE.read_text()))
    print("wrote docs/trust.md")
