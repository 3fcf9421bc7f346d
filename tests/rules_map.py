"""Paragraph of the approved rules -> what carries it -> what shows it. `make rules` writes it into docs/rules.md.

Nothing here is a list kept by hand: what carries a paragraph cites it (in data, a docstring or a comment), and a test
that shows one says so with `rule("mbs 5.9.1")`.
"""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

from natural9.games.files import ParagraphFile
from natural9.games.loader import load_document, paragraphs

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules.md"
DOCUMENTS = ("rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus", "mbs")

_NUMBER = r"(?:\d+(?:\.\d+)+|1:[a-z]+(?:-[a-z]+)*)"
_CITED = re.compile(rf"\b(rws-nc-insurance|rws-nc-super-six-plus|rws-nc|mbs) ({_NUMBER}(?:(?:, | and ){_NUMBER})*)")


def citations(text: str) -> set[str]:
    """Every paragraph cited in a text; ``mbs 3.3, 3.4`` cites two."""
    text = re.sub(r"\s*\n\s*#?\s*", " ", text)  # a citation may run over the end of a line
    return {
        f"{document} {number}" for document, numbers in _CITED.findall(text) for number in re.findall(_NUMBER, numbers)
    }


def carriers() -> dict[str, list[str]]:
    """Paragraph -> the files of the package that cite it."""
    found = defaultdict(list)
    for path in sorted((ROOT / "natural9").rglob("*")):
        if path.suffix in (".py", ".toml") and path.parent.name != "paragraphs":
            for citation in citations(path.read_text()):
                found[citation].append(path.relative_to(ROOT / "natural9").as_posix())
    return found


def shown_by() -> dict[str, list[str]]:
    """Paragraph -> the tests that show it."""
    found = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                for citation in sorted(_ruled(function)):
                    found[citation].append(f"{path.relative_to(ROOT / 'tests').as_posix()}::{function.name}")
    return found


def _ruled(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The literals of every ``rule(...)`` in a test's decorators, those of single parameters included."""
    return {
        argument.value
        for decorator in function.decorator_list
        for call in ast.walk(decorator)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "rule"
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def page() -> str:
    """docs/rules.md."""
    carried, shown = carriers(), shown_by()
    lines = [
        "# Rules, code, tests",
        "",
        "Every paragraph of the four approved documents, what carries it, and the tests that show it.",
        "`make rules` writes this page from the data, the code and the tests themselves, and a test fails when a",
        "paragraph in force has no test. What they say is in our own words; the documents are the authority.",
        "Files are under `natural9/`, tests under `tests/`.",
    ]
    for document_id in DOCUMENTS:
        document, _ = load_document(document_id)
        lines += ["", f"## {document_id}: {document.title}", "", f"{document.operator}, from {document.effective}.", ""]
        lines += ["| paragraph | says | carried by | shown by |", "|---|---|---|---|"]
        for citation, entry in paragraphs().items():
            owner, _, number = citation.partition(" ")
            if owner == document_id:
                lines.append(_row(number, entry, carried.get(citation, []), shown.get(citation, [])))
    return "\n".join(lines) + "\n"


def _row(number: str, entry: ParagraphFile, carried: list[str], shown: list[str]) -> str:
    by = "<br>".join(f"`{name}`" for name in carried)
    tests = "<br>".join(f"`{name}`" for name in shown) or f"not tested: {entry.untested}"
    return f"| {number} | {entry.says.replace('|', '/')} | {by} | {tests} |"


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: python -m tests.rules_map --write")
    PAGE.write_text(page())
    print(f"wrote {PAGE.relative_to(ROOT)}")
