"""Who sits where with what bet, as a value that costs the same to change with ten thousand seats as with one.

A trie of fixed depth, 32 branches a node: changing one seat copies four small tuples and shares all the rest.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from natural9.core.insurance import Window
from natural9.core.table_of_play import Hand

_BITS: Final = 5
_WIDTH: Final = 1 << _BITS
_LEVELS: Final = 4
_SHIFTS: Final = tuple(_BITS * level for level in range(_LEVELS - 1, -1, -1))  # from the root down
MAX_SEAT: Final = (1 << _BITS * _LEVELS) - 1

_Node = tuple[Any, ...]  # of nodes, or of seats at the lowest level
_EMPTY: Final[_Node] = (None,) * _WIDTH


class InsuranceBet(NamedTuple):
    window: Window
    hand: Hand
    stake: int


class Seat(NamedTuple):
    """One seat's bets in this round, and what settlement has returned to it."""

    bets: Mapping[str, int] = {}
    insurance: tuple[InsuranceBet, ...] = ()
    returned: int = 0

    @property
    def staked(self) -> int:
        staked = sum(self.bets.values())
        return staked + sum([bet.stake for bet in self.insurance]) if self.insurance else staked


EMPTY_SEAT: Final = Seat()


class Seats:
    """Seats by their number; immutable."""

    __slots__ = ("_root",)

    def __init__(self, root: _Node = _EMPTY) -> None:
        self._root = root

    def __getitem__(self, number: int) -> Seat:
        """The seat, empty if nobody has bet there."""
        node: Any = self._root
        for shift in _SHIFTS:
            node = node[number >> shift & _WIDTH - 1]
            if node is None:
                return EMPTY_SEAT
        seat: Seat = node
        return seat

    def with_seat(self, number: int, seat: Seat) -> "Seats":
        return Seats(_changed(self._root, _LEVELS - 1, number, seat))

    def items(self) -> Iterator[tuple[int, Seat]]:
        """Every seat with something at stake, by number."""
        return ((number, seat) for number, seat in _walk(self._root, _LEVELS - 1, 0) if seat.bets or seat.insurance)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seats) and list(self.items()) == list(other.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Seats({dict(self.items())})"


def _changed(node: _Node | None, level: int, number: int, seat: Seat) -> _Node:
    branches = list(node or _EMPTY)
    place = number >> _BITS * level & _WIDTH - 1
    branches[place] = _changed(branches[place], level - 1, number, seat) if level else seat
    return tuple(branches)


def _walk(node: _Node, level: int, prefix: int) -> Iterator[tuple[int, Seat]]:
    for place, branch in enumerate(node):
        if branch is None:
            continue
        number = prefix << _BITS | place
        if level:
            yield from _walk(branch, level - 1, number)
        else:
            yield number, branch
