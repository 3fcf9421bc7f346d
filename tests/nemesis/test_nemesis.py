"""A few faults against one machine, told by an outside client's own books; `natural9 torture --real` has as many as
there is time for.

One fault of each family a day, in turn: so each kind has come after five days, and a day's run is short.
"""

import random
import time
from itertools import islice
from pathlib import Path

import pytest

from tests.nemesis.faults import FAULTS
from tests.nemesis.machine import open_machine
from tests.nemesis.one_machine import OneMachineStory
from tests.nemesis.story import Size, deck

FAMILIES = (
    ("kill the server", "killed while nobody hears it", "kill both processes"),
    ("kill the journal's process", "restart"),
    ("stop the server for a while", "stop the journal's process for a while", "stop both for a while"),
    ("a full disk", "a slow disk"),
    (
        "terminals cut off",
        "terminals silent both ways",
        "terminals not heard",
        "terminals hear nothing",
        "terminals slow",
    ),
)


def due(day: int) -> list[str]:
    return [family[day % len(family)] for family in FAMILIES]


@pytest.mark.limit_s(600)  # each fault may take long to get over, and the last looks as well
async def test_nothing_is_lost_whatever_fails(tmp_path: Path) -> None:
    day = int(time.time()) // 86_400
    async with open_machine(tmp_path, "128m") as machine:
        story = OneMachineStory(machine, day, Size(tables=2, seats=3, betting_s=0.7, verify_every=2))
        story.nemesis.longest_s = 1.0
        faults = [name for name in due(day) if name not in story.left_out]
        books = await story.tell(faults)
        told = [f"day {day}, {faults}", *(books.told() if books.violations else ())]
    assert not books.violations, "\n".join(told)
    assert (story.faults.total(), story.verified) == (len(faults), len(faults) // 2 + 1), told
    assert story.decided()["done"] > 100, told
    assert story.decided()["refused"] > 10, told
    assert not story.decided()["never"], told
    assert machine.lives > 1, told


def test_every_kind_of_fault_is_due_within_five_days() -> None:
    assert {name for day in range(5) for name in due(day)} == FAULTS.keys()


def test_every_fault_comes_before_any_comes_twice() -> None:
    found = list(islice(deck(random.Random(3), FAULTS), 2 * len(FAULTS)))
    assert set(found[: len(FAULTS)]) == set(found[len(FAULTS) :]) == FAULTS.keys()
    assert found == list(islice(deck(random.Random(3), FAULTS), 2 * len(FAULTS)))
