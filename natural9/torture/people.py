"""The staff of the simulated floor: who they are, and which of them stands where."""

from random import Random
from typing import Final

from natural9.core.staff import Rank

PEOPLE: Final = {
    "dora": Rank.DEALER,
    "dan": Rank.DEALER,
    "dina": Rank.DEALER,
    "pat": Rank.PIT_SUPERVISOR,
    "pia": Rank.PIT_SUPERVISOR,
    "max": Rank.PIT_MANAGER,
    "mia": Rank.PIT_MANAGER,
    "sam": Rank.SHIFT_MANAGER,
    "sue": Rank.SHIFT_MANAGER,
}
DEALERS: Final = tuple([name for name, rank in PEOPLE.items() if rank is Rank.DEALER])


def titled(name: str) -> str:
    """
    >>> titled("pat")
    'Pat, Pit Supervisor,'
    """
    return f"{name.title()}, {PEOPLE[name].title},"


def of_rank(least: Rank, chance: Random) -> list[str]:
    """Everybody who may, in any order."""
    able = [name for name, rank in PEOPLE.items() if rank >= least]
    chance.shuffle(able)
    return able


def too_low(least: Rank, chance: Random) -> str | None:
    """Somebody who may not; None where everybody may."""
    unable = [name for name, rank in PEOPLE.items() if rank < least]
    return chance.choice(unable) if unable else None
