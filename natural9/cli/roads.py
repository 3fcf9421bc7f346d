"""`natural9 roads`: the five roads of a shoe."""

from collections.abc import Sequence
from typing import Annotated, Final

import typer
from rich.text import Text

from natural9.cli.shared import JsonOption, console, print_json
from natural9.core.roads import ROWS, Cell, Roads, big_road
from natural9.core.roads import roads as all_roads

MOST_COLUMNS: Final = 38  # two characters each, in 80

_STYLES = {"B": "red", "P": "blue", "T": "green", "r": "red", "b": "blue"}


def roads(
    winners: Annotated[str, typer.Argument(metavar="WINNERS", help="The winner of each round, in order: B, P or T.")],
    json: JsonOption = False,
) -> None:
    """Draw the five roads of a shoe.

    They are the bead plate, the big road, big eye boy, the small road and the cockroach road.

    Example: natural9 roads BPPBTB
    """
    drawn = all_roads(winners)
    if json:
        print_json(drawn)
        return
    out = console()
    for title, picture in pictures(drawn):
        out.print(title, style="bold")
        out.print(picture)


def pictures(drawn: Roads, columns: int = MOST_COLUMNS) -> list[tuple[str, Text]]:
    """Each road as lines of letters; of one that is wider, the newest columns."""
    beads = [Cell(place // ROWS + 1, place % ROWS + 1, bead) for place, bead in enumerate(drawn.bead_plate)]
    return [
        ("Bead plate", _grid(beads, columns)),
        ("Big road (a number counts the ties after it)", _grid(drawn.big_road, columns)),
        # Derived icons are laid out as winners are: a run goes down, then right.
        ("Big eye boy", _grid(big_road(drawn.big_eye_boy), columns)),
        ("Small road", _grid(big_road(drawn.small_road), columns)),
        ("Cockroach road", _grid(big_road(drawn.cockroach_road), columns)),
    ]


def _grid(cells: Sequence[Cell], columns: int) -> Text:
    last = max((cell.column for cell in cells), default=0)
    first = max(1, last - columns + 1)
    at = {(cell.column, cell.row): cell for cell in cells}
    picture = Text()
    for row in range(1, ROWS + 1):
        for column in range(first, last + 1):
            cell = at.get((column, row))
            picture.append(
                f"{cell.winner}{cell.ties or ' '}" if cell else ". ", _STYLES[cell.winner] if cell else "dim"
            )
        picture.append("\n")
    return picture if cells else Text("nothing yet\n")
