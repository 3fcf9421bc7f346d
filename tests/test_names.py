"""One name, one thing: no two classes are called alike, and no module hides behind a letter."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import natural9

PACKAGE = Path(natural9.__file__).parent


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield path.relative_to(PACKAGE), node


def test_a_class_name_is_defined_once() -> None:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path, node in nodes():
        if isinstance(node, ast.ClassDef):
            found[node.name].append(f"{path}:{node.lineno}")
    assert len(found) > 200
    twice = {name: places for name, places in found.items() if len(places) > 1}
    assert twice == {}


def test_nothing_is_imported_under_one_letter() -> None:
    short = [
        f"{path}:{node.lineno} {name.name} as {name.asname}"
        for path, node in nodes()
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in node.names
        if len(name.asname or name.name) == 1 and name.name != "*"
    ]
    assert short == []
