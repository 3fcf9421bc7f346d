"""A simulated reading shoe, read by the program's own code."""

import asyncio
from contextlib import aclosing
from random import Random

import pytest

from natural9.core.cards import Card
from natural9.core.saying import say
from natural9.table.shoes.reader import Connected, CutCard, Drawn, Foreign, Lost, Reading, read_cards
from natural9.torture.reader import SimulatedReader, SimulatedReaders

ADDRESS = "tcp:t1:9401"
NINE = Drawn(Card.parse("9H"))


async def heard(device: SimulatedReader, what: list[str], count: int) -> list[Reading]:
    """So many readings, while the device reads all this."""
    readers = SimulatedReaders()
    readers.add(ADDRESS, device)
    assert readers[ADDRESS] is device
    found: list[Reading] = []
    async with asyncio.timeout(20), aclosing(read_cards(ADDRESS, first_wait_s=0.001, opened=readers.opened)) as reading:
        async for one in reading:
            found.append(one)
            if len(found) == count:
                break
            if isinstance(one, Connected):
                for text in what:
                    device.read(text)
    return found


async def test_a_good_one_reads_every_card_once_and_in_order() -> None:
    device = SimulatedReader(Random(1), print, share=0.0)
    assert await heard(device, ["9H", "CUT", "KC"], 4) == [
        Connected(ADDRESS),
        NINE,
        CutCard(),
        Drawn(Card.parse("KC")),
    ]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("_twice", [NINE, NINE]),
        ("_in_pieces", [NINE]),
        ("_come_loose", [Lost(ADDRESS, say("the device closed the connection")), Connected(ADDRESS)]),
    ],
)
async def test_what_a_stutter_comes_to(wrong: str, told: list[Reading]) -> None:
    device = SimulatedReader(Random(1), print, share=1.0)
    only = getattr(device, wrong)
    device._chance.choice = lambda ways: only  # type: ignore[method-assign, assignment]
    assert (await heard(device, ["9H"], 1 + len(told)))[1:] == told


async def test_what_it_cannot_read_is_no_card_of_the_game() -> None:
    found = await heard(SimulatedReader(Random(1), print, share=0.0), ["B" * 90], 2)
    assert isinstance(found[1], Foreign)
