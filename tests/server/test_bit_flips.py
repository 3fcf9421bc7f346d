"""A slice of `bench.bit_flips`: no single bit of a venue's files changes anything in silence."""

import asyncio
import random
import sqlite3
from pathlib import Path

import pytest

from bench.bit_flips import NAMED, SILENT, Files, chosen, flipped, two_venues
from natural9.server.reports.examination import verify_records

FLIPS = 80


@pytest.fixture(scope="module")
def venues(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    return asyncio.run(two_venues(tmp_path_factory.mktemp("flips"), rounds=3))  # once for both tests


@pytest.mark.parametrize("name", ["killed at play", "stopped"])
def test_no_flipped_bit_changes_anything_in_silence(venues: dict[str, Files], name: str) -> None:
    results = flipped(venues[name], chosen(venues[name], FLIPS, random.Random(9)))
    assert [result for result in results if result.verdict == SILENT] == []
    assert sum(result.verdict == NAMED for result in results) > FLIPS // 4, "it would else prove nothing"


def test_a_page_that_cannot_be_read_is_named_wherever_it_is_needed(venues: dict[str, Files], tmp_path: Path) -> None:
    """That of the index by which the key's document is found: the document itself can still be read."""
    for name, content in venues["stopped"].items():
        (tmp_path / name).write_bytes(content)
    journal = tmp_path / "journal.db"
    with sqlite3.connect(journal) as database:
        [[root]] = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_document_1'")
        [[size]] = database.execute("PRAGMA page_size")
    database.close()
    with journal.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(bytes(size))
    found = verify_records(tmp_path)
    assert found.fault
    assert "damaged" in found.fault.words or "document" in found.fault.words
