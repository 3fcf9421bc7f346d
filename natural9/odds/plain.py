"""As much of NumPy as the kernel of the exact odds uses, on Python's own integers: for whoever has no NumPy."""

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

uint8: Final = int


class PlainArray(dict[Any, Any]):
    """Numbers by their places, (0, 0) to the last; in one dimension 0 to the last.

    A dictionary, because that finds a place by a tuple faster than anything else that Python has.
    """

    dtype = int

    def fill(self, number: int) -> None:
        for place in self:
            self[place] = number

    def sum(self) -> int:
        return sum(self.values())

    def ravel(self) -> list[Any]:
        return list(self.values())


def zeros(shape: int | tuple[int, ...], dtype: type = int) -> PlainArray:
    places = range(shape) if isinstance(shape, int) else product(*map(range, shape))
    return PlainArray((place, 0) for place in places)


def array(nested: list[Any], dtype: type = int) -> PlainArray:
    """From lists within lists; a tuple stands for itself."""
    return PlainArray((place if len(place) > 1 else place[0], number) for place, number in _leaves(nested))


def _leaves(nested: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    if not isinstance(nested, list):
        yield (), nested
        return
    for number, inner in enumerate(nested):
        for place, leaf in _leaves(inner):
            yield (number, *place), leaf
