"""A slice of `bench.bit_flips`: no single bit of a venue's files changes anything in silence."""

import asyncio
import random

import pytest

from bench.bit_flips import NAMED, SILENT, Files, chosen, flipped, two_venues

FLIPS = 80


@pytest.fixture(scope="module")
def venues(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    return asyncio.run(two_venues(tmp_path_factory.mktemp("flips"), rounds=3))  # once for both tests


@pytest.mark.parametrize("name", ["killed at play", "stopped"])
def test_no_flipped_bit_changes_anything_in_silence(venues: dict[str, Files], name: str) -> None:
    results = flipped(venues[name], chosen(venues[name], FLIPS, random.Random(9)))
    assert [result for result in results if result.verdict == SILENT] == []
    assert sum(result.verdict == NAMED for result in results) > FLIPS // 4, "it would else prove nothing"
