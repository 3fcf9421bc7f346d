"""The client of several nodes is an outsider as that of one is: it knows the wire, and how engines are started."""

import sys
from pathlib import Path

import pytest

from tests.outside.test_independent import imported

BOUGHT = {"asyncpg", "httpx", "pytest", "websockets"}
ENGINES = ("natural9.server.cluster.engines.", "natural9.server.cluster.keeper.")
FILES = sorted(Path(__file__).parent.glob("*.py"))


def is_allowed(module: str) -> bool:
    first = module.partition(".")[0]
    ours = module.startswith(("tests.outside.", "tests.nemesis.", "tests.cluster.")) or module == "tests.outside.venue"
    return ours or module.startswith(ENGINES) or first in BOUGHT or first in sys.stdlib_module_names


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_it_imports_nothing_of_the_program_but_what_starts_engines(file: Path) -> None:
    assert not [module for module in imported(file.read_text(encoding="utf-8")) if not is_allowed(module)]


@pytest.mark.parametrize("module", ["natural9.server.house", "natural9.store", "tests.server.live_server", "nats"])
def test_an_import_of_the_program_would_be_found(module: str) -> None:
    assert not is_allowed(module)
