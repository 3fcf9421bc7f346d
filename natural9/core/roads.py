"""The five roads of a wall display, from the winners of a shoe.

The grid is six deep. Derived roads read the *logical* columns of the big road (runs of one winner, ties left out),
never the bent ones of the picture.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from natural9.core.errors import BadInput

ROWS: Final = 6


@dataclass(frozen=True, slots=True)
class Cell:
    """An icon of the big road; columns and rows count from 1, `ties` are those since the icon before."""

    column: int
    row: int
    winner: str
    ties: int = 0


@dataclass(frozen=True, slots=True)
class Roads:
    """The five roads of a shoe."""

    bead_plate: tuple[str, ...]
    big_road: tuple[Cell, ...]
    big_eye_boy: str
    small_road: str
    cockroach_road: str


def roads(winners: str) -> Roads:
    """All five roads of a shoe written as B, P and T.

    >>> roads("BPBBPPPB").big_eye_boy, roads("BPBPBP").small_road, roads("BPBPBP").cockroach_road
    ('rbbrbb', 'rrr', 'rr')
    """
    beads = parse_winners(winners)
    depths = [len(list(run)) for _, run in groupby(bead for bead in beads if bead != "T")]
    return Roads(beads, big_road(beads), *(derived_road(depths, gap) for gap in (1, 2, 3)))


def parse_winners(text: str) -> tuple[str, ...]:
    """Winners from letters: B, P and T."""
    beads = tuple("".join(text.split()).upper())
    for place, bead in enumerate(beads, 1):
        if bead not in "BPT":
            raise BadInput("bad-winner", f"{bead!r}, round {place} of {text!r}, is not a winner: write B, P or T")
    return beads


def big_road(beads: Iterable[str]) -> tuple[Cell, ...]:
    """Winners in columns; a tie marks the cell before it, or the first cell if none is there yet."""
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    start = 0
    leading_ties = 0
    for bead in beads:
        if bead == "T":
            if cells:
                cells[-1] = replace(cells[-1], ties=cells[-1].ties + 1)
            else:
                leading_ties += 1
            continue
        if cells and cells[-1].winner == bead:
            column, row = _below_or_right(cells[-1], taken)
        else:
            start = _next_start(start, taken)
            column, row = start, 1
        taken.add((column, row))
        cells.append(Cell(column, row, bead, leading_ties if not cells else 0))
    return tuple(cells)


def _below_or_right(last: Cell, taken: set[tuple[int, int]]) -> tuple[int, int]:
    below = (last.column, last.row + 1)
    if last.row < ROWS and below not in taken:
        return below
    return last.column + 1, last.row


def _next_start(start: int, taken: set[tuple[int, int]]) -> int:
    """Beside the start of the column before; a tail that runs along the top row pushes it further right."""
    start += 1
    while (start, 1) in taken:
        start += 1
    return start


def derived_road(depths: Sequence[int], gap: int) -> str:
    """Big eye boy (gap 1), small road (2) or cockroach road (3): r and b for each icon of the big road that has one."""
    icons: list[str] = []
    for column, depth in enumerate(depths):
        for row in range(1, depth + 1):
            compared = column - gap if row > 1 else column - gap - 1
            if compared < 0:
                continue
            blue = row == depths[compared] + 1 if row > 1 else depths[column - 1] != depths[compared]
            icons.append("b" if blue else "r")
    return "".join(icons)
