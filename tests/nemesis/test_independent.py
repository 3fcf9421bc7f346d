"""The nemesis of one machine is an outsider as its client is: it knows the wire, and how the program is started."""

import sys
from pathlib import Path

import pytest

from tests.outside.test_independent import imported

BOUGHT = {"httpx", "pytest", "websockets"}
OURS = ("tests.outside.", "tests.nemesis.")
FILES = sorted(Path(__file__).parent.glob("*.py"))


def is_allowed(module: str) -> bool:
    first = module.partition(".")[0]
    return module.startswith(OURS) or first in BOUGHT or first in sys.stdlib_module_names


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_imports_nothing_of_the_program(file: Path) -> None:
    assert not [module for module in imported(file.read_text(encoding="utf-8")) if not is_allowed(module)]


@pytest.mark.parametrize("module", ["natural9.server.house", "natural9", "tests.cluster.floor", "asyncpg"])
def test_an_import_of_the_program_would_be_found(module: str) -> None:
    assert not is_allowed(module)
