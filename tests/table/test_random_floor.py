"""Random evenings at a live table: whatever the dealer gets wrong, once it is found and put right the money is right.

A failure tells the whole evening, step by step, so that a person can follow it.
"""

import asyncio
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.table.venue.file import ShoeSource
from tests.core.books import SeatBook
from tests.table.floor_at_random import Floor, random_floor
from tests.table.floor_books import Book, FloorRound
from tests.table.floor_story import Story, StoryFailed
from tests.table.live import live_table, table_config

GAMES = ("rws-nc", "rws-nc-insurance", "mbs-tiger", "rws-nc-super-six-plus", "mbs-fortune-six-nc")
CHANCE = st.randoms(use_true_random=False, note_method_calls=False)


@pytest.mark.no_cover  # by chance
@settings(max_examples=30)
@given(game=st.sampled_from(GAMES), rounds=st.integers(1, 5), chance=CHANCE)
def test_a_random_evening_with_real_cards_comes_out_right(game: str, rounds: int, chance: Random) -> None:
    asyncio.run(asyncio.wait_for(random_floor(game, ShoeSource.READ, rounds, chance), 60))


@pytest.mark.parametrize(("seed", "rounds"), [(52, 3), (114, 4), (194, 3)])
def test_an_evening_that_once_did_not(seed: int, rounds: int) -> None:
    """A card that waits because a correction came in two steps; a wrong count that a report, or a power cut, finds."""
    asyncio.run(asyncio.wait_for(random_floor("mbs-tiger", ShoeSource.READ, rounds, Random(seed)), 60))


@pytest.mark.no_cover  # by chance
@settings(max_examples=8)
@given(game=st.sampled_from(GAMES), rounds=st.integers(1, 4), chance=CHANCE)
def test_a_random_evening_at_the_shuffler_comes_out_right(game: str, rounds: int, chance: Random) -> None:
    asyncio.run(asyncio.wait_for(random_floor(game, ShoeSource.SHUFFLER, rounds, chance), 60))


# The story-teller.


class GenerousBook(Book):
    """A book with a mistake in it: a cent too much for whoever has bet."""

    def pays(self, round_: FloorRound, book: SeatBook) -> int:
        return super().pays(round_, book) + 1


async def test_what_does_not_come_out_right_is_told_step_by_step() -> None:
    with pytest.raises(StoryFailed) as failed:
        await random_floor("rws-nc", ShoeSource.READ, 3, Random(7), GenerousBook("rws-nc"))
    story = str(failed.value)
    assert story.startswith(
        "The evening went like this:\n\nA table of rws-nc, its cards from a shoe\n   1. The cashier sells"
    )
    assert "\nRound 1\n" in story
    assert "The dealer opens betting: done" in story
    assert " bets " in story
    assert "The dealer calls no more bets" in story
    assert "The dealer settles: done" in story
    last = story.splitlines()[-1]
    assert last.startswith("Then: seat ")
    assert last.endswith(" by the floor's book it should have " + last.rpartition(" ")[2])


async def test_a_refusal_is_told_with_its_reason() -> None:
    story = Story()
    table = await live_table(table_config("rws-nc"))
    floor = Floor(table, Book("rws-nc"), Random(1), story)
    assert isinstance(await floor.up_the_ranks("voids the round", round_commands.VoidRound, why="nothing"), Refusal)
    assert "voids the round: refused: No round has been opened at this table yet" in str(story)
    with pytest.raises(StoryFailed, match="Then: that should have been done, and was refused: No round"), story.told():
        await floor.somebody_must("voids the round", round_commands.VoidRound, why="nothing")


def test_whatever_goes_wrong_is_told() -> None:
    story = Story()
    story.tell("The dealer sneezes")
    with pytest.raises(StoryFailed, match=r"1\. The dealer sneezes\n\nThen: KeyError\('seat'\)"), story.told():
        raise KeyError("seat")
