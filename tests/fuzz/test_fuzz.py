"""A few inputs for every target, always the same; `python -m bench.fuzz` feeds a million."""

import pytest

from tests.fuzz.feeding import feed
from tests.fuzz.targets import TARGETS, shares

INPUTS = 8_000


@pytest.mark.parametrize("name", TARGETS)
async def test_whatever_comes_is_taken_as_valid_or_refused_in_words(name: str) -> None:
    fed = await feed(TARGETS[name](), seed=9, inputs=shares(INPUTS, [*TARGETS])[name])
    for one in fed.failures:
        pytest.fail(f"python -m bench.fuzz --seed 9 --only {name} --at {one.number}: {one.given[:400]}\n{one.what}")
    assert fed.refused, "nothing was spoilt enough to be refused"
