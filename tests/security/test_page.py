"""docs/security.md and the tests go together: every claim names tests that are there, and every test here is named."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "security.md"
CHAPTERS: Final = [f"V{number}" for number in range(1, 18)]  # of the standard
CITED: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
GAP: Final = "- **Gap**: "


def chapters() -> dict[str, str]:
    parts = re.split(r"^## (V\d+) .*$", PAGE.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def claims(chapter: str) -> list[str]:
    """Each on one line, with the lines that go on from it."""
    return [re.sub(r"\n  ", " ", one) for one in re.findall(r"^- .*(?:\n  .*)*", chapter, flags=re.MULTILINE)]


@cache
def named_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text())
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {one.name for one in tree.body if isinstance(one, functions) and one.name.startswith("test_")}


def test_every_chapter_is_there_and_says_something() -> None:
    assert list(chapters()) == CHAPTERS
    for name, chapter in chapters().items():
        assert claims(chapter) or "Does not apply" in chapter, name


def test_every_claim_names_tests_that_are_there() -> None:
    bad = []
    for name, chapter in chapters().items():
        for claim in claims(chapter):
            cited = CITED.findall(claim)
            if claim.startswith(GAP) != (not cited):
                bad.append(f"{name}: {claim[:80]}")
            bad += [f"{file}::{test}" for file, test in cited if test not in named_in(file)]
    assert bad == []


def test_every_test_of_this_folder_stands_behind_a_claim() -> None:
    cited = set(CITED.findall(PAGE.read_text()))
    here = [path.relative_to(ROOT).as_posix() for path in Path(__file__).parent.glob("test_*.py")]
    mine = {(file, test) for file in here for test in named_in(file)}
    assert {one for one in mine if one[0] != Path(__file__).relative_to(ROOT).as_posix()} <= cited


def test_the_threat_model_knows_everybody() -> None:
    [model] = re.findall(r"^## Who could gain what$(.*?)^## ", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)
    rows = [line.split("|")[1].strip() for line in model.splitlines() if line.startswith("| ")][1:]
    for who in ("network", "player", "dealer", "supervisor", "cashier", "auditor", "administrator", "disk", "wire"):
        assert any(who in row for row in rows), who
