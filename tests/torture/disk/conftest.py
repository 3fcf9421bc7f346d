"""A folder in memory where there is one: thousands of files are written that no disk need keep."""

import logging
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

MEMORY = Path("/dev/shm")


@pytest.fixture
def scratch() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="natural9-", dir=MEMORY if MEMORY.is_dir() else None))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """What a house logs while its disk fails is nobody's news; other tests' houses are heard again."""
    configured, level = structlog.get_config(), logging.getLogger("natural9").level
    yield
    structlog.configure(**configured)
    logging.getLogger("natural9").setLevel(level)
