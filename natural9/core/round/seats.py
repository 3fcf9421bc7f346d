"""Who sits where with what bet, as a value that costs the same to change with ten thousand seats as with one.

A trie of fixed depth, 32 branches a node: changing one seat copies four small lists and shares all the rest.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from natural9.core.insurance import Window
from natural9.core.table_of_play import Hand

_BITS: Final = 5
_WIDTH: Final = 1 << _BITS
_LEVELS: Final = 4
MAX_SEAT: Final = (1 << _BITS * _LEVELS) - 1

_Node = list[Any]  # of nodes, or of seats at the lowest level; copied, never changed once it is in a trie
_EMPTY: Final[_Node] = [None] * _WIDTH


class InsuranceBet(NamedTuple):
    """Insurance that a seat has taken."""

    window: Window
    hand: Hand
    cents: int


class Seat(NamedTuple):
    """One seat's bets in this round, what it was returned, and what it took back and did not lay again."""

    bets: Mapping[str, int] = {}
    insurance: tuple[InsuranceBet, ...] = ()
    returned_cents: int = 0
    withdrawn: Mapping[str, int] = {}

    @property
    def staked_cents(self) -> int:
        """All that it has at stake, insurance included."""
        staked = sum(self.bets.values())
        return staked + sum([bet.cents for bet in self.insurance]) if self.insurance else staked


EMPTY_SEAT: Final = Seat()


class Seats:
    """Seats by their number; immutable."""

    __slots__ = ("_root",)

    def __init__(self, root: _Node = _EMPTY) -> None:
        self._root = root

    def __getitem__(self, number: int) -> Seat:
        """The seat, empty if nobody has bet there."""
        high = self._root[number >> 15 & 31]
        middle = high and high[number >> 10 & 31]
        low = middle and middle[number >> 5 & 31]
        seat: Seat | None = low and low[number & 31]
        return seat or EMPTY_SEAT

    def with_seat(self, number: int, seat: Seat) -> "Seats":
        """The same seats with this one changed."""
        # Four levels written out: in a loop it takes twice as long, and every bet comes through here.
        root = self._root.copy()
        high = (root[number >> 15 & 31] or _EMPTY).copy()
        middle = (high[number >> 10 & 31] or _EMPTY).copy()
        low = (middle[number >> 5 & 31] or _EMPTY).copy()
        low[number & 31] = seat
        middle[number >> 5 & 31] = low
        high[number >> 10 & 31] = middle
        root[number >> 15 & 31] = high
        return Seats(root)

    def with_seats(self, changed: Mapping[int, Seat]) -> "Seats":
        """The same seats with these changed: what several of them lie in is copied once."""
        root = self._root.copy()
        copied: dict[int, _Node] = {}
        for number, seat in changed.items():
            low = copied.get(number >> 5)
            if low is None:
                high = (root[number >> 15 & 31] or _EMPTY).copy()
                middle = (high[number >> 10 & 31] or _EMPTY).copy()
                low = copied[number >> 5] = (middle[number >> 5 & 31] or _EMPTY).copy()
                middle[number >> 5 & 31] = low
                high[number >> 10 & 31] = middle
                root[number >> 15 & 31] = high
            low[number & 31] = seat
        return Seats(root)

    def items(self) -> Iterator[tuple[int, Seat]]:
        """Every seat with something at stake, by number."""
        return ((number, seat) for number, seat in _walk(self._root) if seat.bets or seat.insurance)

    def everybody(self) -> Iterator[tuple[int, Seat]]:
        """Those, and every seat that has taken its bets back."""
        return ((number, seat) for number, seat in _walk(self._root) if any(seat))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seats) and list(self.items()) == list(other.items())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Seats({dict(self.items())})"


def _walk(root: _Node) -> Iterator[tuple[int, Seat]]:
    """Level by level, as `with_seat` does."""
    for first, high in enumerate(root):
        if high is not None:
            for second, middle in enumerate(high):
                if middle is not None:
                    for third, low in enumerate(middle):
                        if low is not None:
                            number = (first << _BITS | second) << _BITS | third
                            for place, seat in enumerate(low, number << _BITS):
                                if seat is not None:
                                    yield place, seat
