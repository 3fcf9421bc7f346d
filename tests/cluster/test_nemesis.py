"""A few faults against three nodes, told by an outside client's own books; `bench.nemesis` has hundreds."""

import random
from itertools import islice

import pytest

from tests.cluster.faults import FAULTS
from tests.cluster.floor import open_floor
from tests.cluster.story import ClusterStory
from tests.nemesis.story import Size, deck

SEED = 15
SHORT = [
    "kill a machine",
    "stop a machine past its lease",
    "PostgreSQL stopped, immediate",
    "NATS killed",
    "PostgreSQL is not heard",
]


@pytest.mark.limit_s(600)  # each fault may take long to get over, and the last looks as well
async def test_nothing_is_lost_whatever_fails() -> None:
    async with open_floor() as floor:
        story = ClusterStory(floor, SEED, Size(tables=2, seats=3))
        books = await story.tell(SHORT)
    assert not books.violations, "\n".join(books.told())
    assert story.decided()["done"] > 100
    assert not story.decided()["never"]
    assert story.journal.moves > len(story.tables)


def test_every_fault_comes_before_any_comes_twice() -> None:
    assert set(SHORT) <= FAULTS.keys()
    found = list(islice(deck(random.Random(SEED), FAULTS), 2 * len(FAULTS)))
    assert set(found[: len(FAULTS)]) == set(found[len(FAULTS) :]) == FAULTS.keys()
    assert found == list(islice(deck(random.Random(SEED), FAULTS), 2 * len(FAULTS)))
