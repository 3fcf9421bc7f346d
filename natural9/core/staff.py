"""The people of the pit, by rank. Whoever ranks higher may do it too: mbs 6.2, rws-nc 1.12."""

from dataclasses import dataclass
from enum import IntEnum


class Rank(IntEnum):
    """The ranks of the pit, lowest first."""

    DEALER = 1
    PIT_SUPERVISOR = 2
    PIT_MANAGER = 3
    SHIFT_MANAGER = 4

    @property
    def title(self) -> str:
        """As people write it: Pit Supervisor."""
        return self.name.replace("_", " ").title()

    @property
    def tag(self) -> str:
        """As data writes it: pit-supervisor."""
        return self.name.lower().replace("_", "-")

    @staticmethod
    def parse(tag: str) -> "Rank":
        """The rank of a tag."""
        return Rank[tag.upper().replace("-", "_")]


@dataclass(frozen=True, slots=True)
class Staff:
    """One person, under their own id, acting in a rank."""

    id: str
    rank: Rank


# The table acting by itself: it deals, and carries out what a clause leaves nobody to decide.
HOUSE_SYSTEM = Staff("system", Rank.DEALER)
