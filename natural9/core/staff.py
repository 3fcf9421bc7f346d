"""The people of the pit, by rank. Whoever ranks higher may do it too: mbs 6.2, rws-nc 1.12."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from natural9.core.saying import Said, say


class Rank(IntEnum):
    """The ranks of the pit, lowest first."""

    DEALER = 1
    PIT_SUPERVISOR = 2
    PIT_MANAGER = 3
    SHIFT_MANAGER = 4

    @property
    def title(self) -> Said:
        """As people write it: Pit Supervisor."""
        return _TITLES[self]

    @property
    def tag(self) -> str:
        """As data writes it: pit-supervisor."""
        return self.name.lower().replace("_", "-")

    @staticmethod
    def parse(tag: str) -> "Rank":
        """The rank of a tag."""
        return Rank[tag.upper().replace("-", "_")]


_TITLES: Final = {
    Rank.DEALER: say("Dealer"),
    Rank.PIT_SUPERVISOR: say("Pit Supervisor"),
    Rank.PIT_MANAGER: say("Pit Manager"),
    Rank.SHIFT_MANAGER: say("Shift Manager"),
}


@dataclass(frozen=True, slots=True)
class Staff:
    """One person, under their own id, acting in a rank; or nobody, where the table or its device acts by itself.

    Every event that has a `by` has such an id in it: a person's, or nothing at all, which nobody can be called.
    """

    id: str
    rank: Rank


# The table acting by itself: it deals, and carries out what a clause leaves nobody to decide.
NOBODY: Final = Staff("", Rank.DEALER)
