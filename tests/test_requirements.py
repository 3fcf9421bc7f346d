"""docs/requirements.md names every requirement once, and only tests that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "requirements.md").read_text(encoding="utf-8")
ROWS = {int(match[1]): match[0] for match in re.finditer(r"^\| (\d+) \|.*$", PAGE, re.MULTILINE)}
CITED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_number_is_there_once_and_in_order() -> None:
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)]
    assert numbers == list(range(1, 50))


@pytest.mark.parametrize("number", ROWS)
def test_what_is_cited_exists(number: int) -> None:
    _, _, asked, done, shown, _ = ROWS[number].split("|")
    assert asked.strip()
    assert len(done.split()) > 5
    cited = CITED.findall(shown)
    assert cited, "say which test shows it"
    assert not CITED.sub("", shown).strip(), "the last column names tests and nothing else"
    for path, name in cited:
        assert name in functions_of(path), f"{path} has no {name}"


def test_no_compliance_is_claimed() -> None:
    assert "checked against published requirements on the same topics" in PAGE
    assert not re.search(r"\b(complies|compliant|certified|conforms)\b", PAGE)
