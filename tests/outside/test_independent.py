"""The client of this folder is an outsider: whatever it knows about the program it knows from the wire and the file."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BOUGHT = {"httpx", "websockets", "pytest"}
FILES = sorted(HERE.glob("*.py"))


def imported(text: str) -> Iterator[str]:
    """Every module that is imported, by whatever way."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or "."
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Name) and node.id in ("__import__", "importlib", "runpy"):
            yield node.id


def is_allowed(module: str) -> bool:
    first = module.partition(".")[0]
    return module.startswith("tests.outside.") or first in BOUGHT or (first in sys.stdlib_module_names)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_imports_nothing_of_the_program_nor_of_other_tests(file: Path) -> None:
    assert not [module for module in imported(file.read_text(encoding="utf-8")) if not is_allowed(module)]


@pytest.mark.parametrize(
    "text",
    [
        "import natural9",
        "from natural9.server import protocol",
        "def late():\n    import natural9.core",
        "from tests.server.live_server import Visit",
        "from tests import table",
        "from . import books",
        "__import__('natural9')",
    ],
)
def test_an_import_of_the_program_would_be_found(text: str) -> None:
    assert [module for module in imported(text) if not is_allowed(module)]
