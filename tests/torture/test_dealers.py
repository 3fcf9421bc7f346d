"""Dealers who make every mistake of the rulebooks, and supervisors who decide them: the real writer, a store in memory,
players who bet and come late, power cuts. Every journal is verified, and its state refolded, at the end."""

from collections import Counter
from typing import Any

import pytest

from natural9.table.venue.file import Burn, ShoeSource
from natural9.torture.clauses import Exercised
from natural9.torture.mistakes import MISTAKES
from tests.torture.small_floor import SmallFloor, told

READER: dict[str, Any] = {"reader": True, "burn": Burn.FIRST_CARD}
EVENINGS: list[tuple[str, int, dict[str, Any]]] = [
    ("rws-nc", 60, {}),
    ("rws-nc", 60, {"burn": Burn.FIRST_CARD}),
    ("mbs-tiger", 60, {}),
    ("mbs-super-6-nc", 60, {}),
    ("rws-nc-insurance", 40, {}),
    ("rws-nc-super-six-plus", 60, {}),
    ("rws-nc", 15, READER),
    ("mbs-nc", 15, READER),
    ("mbs-tiger-nc", 10, {"shoe": ShoeSource.SHUFFLER}),
]


MORE_SEEDS = range(2, 5)  # what an evening has in it changes with the program; what all of them have must not


@pytest.fixture(scope="module")
def evenings() -> tuple[list[SmallFloor], Exercised]:
    floors, everything = [], Exercised()
    used: dict[str, Counter[str]] = {}

    def play(game: str, seed: int, rounds: int, **how: Any) -> None:
        document = used.setdefault(game.split("-")[0] if game.startswith("mbs") else game, Counter())
        floor, found = told(game, seed, rounds, crashes=0.01, used=document, **how)
        floors.append(floor)
        everything.add(found)

    for game, rounds, how in EVENINGS:
        play(game, 1, rounds, **how)
    for seed in MORE_SEEDS:
        for game, rounds, how in EVENINGS:
            if everything.missing() or never_made(floors):
                play(game, seed, rounds, **how)
    return floors, everything


def never_made(floors: list[SmallFloor]) -> set[str]:
    made = sum([floor.at.used for floor in floors], Counter[str]())
    return {mistake.name for mistake in MISTAKES} - set(made)


def steps(floors: list[SmallFloor]) -> str:
    return "\n".join([step for floor in floors for step in floor.steps])


def test_every_clause_and_every_remedy_of_the_rulebooks_is_exercised(
    evenings: tuple[list[SmallFloor], Exercised],
) -> None:
    _, everything = evenings
    assert everything.missing() == []


def test_every_mistake_is_made(evenings: tuple[list[SmallFloor], Exercised]) -> None:
    floors, _ = evenings
    assert never_made(floors) == set()


def test_the_wrong_rank_is_refused_and_of_two_at_once_one_decides(
    evenings: tuple[list[SmallFloor], Exercised],
) -> None:
    floors, _ = evenings
    told = steps(floors)
    assert "(Dealer) may not decide" in told
    assert "decide at the same moment" in told
    assert "refused, No irregularity waits for a decision" in told
    assert "The power goes" in told
    assert "the reading shoe reads" in told
    assert "begins the next shift" in told


def test_nobody_had_to_give_up(evenings: tuple[list[SmallFloor], Exercised]) -> None:
    """A crew that does not know any more what lies there is a mistake in the crew, or in the program."""
    floors, _ = evenings
    assert "the screen is believed" not in steps(floors)


def test_the_same_seed_tells_the_same_story() -> None:
    one, other = (told("mbs-nc", 7, 5, crashes=0.05, **READER)[0] for _ in range(2))
    assert one.steps == other.steps
    assert one.steps != told("mbs-nc", 8, 5, crashes=0.05, **READER)[0].steps
