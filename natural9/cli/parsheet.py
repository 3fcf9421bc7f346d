"""`natural9 parsheet`: the document of a game's mathematics that a laboratory or an operator files."""

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from natural9.cli.shared import GameArgument
from natural9.games import find_game

USUAL_DECKS: Final = 8


def parsheet(
    game: GameArgument,
    out: Annotated[str, typer.Option(metavar="FILE", help="The file to write; it ends in .html, .pdf or .md.")],
    decks: Annotated[int | None, typer.Option(metavar="N", help="Decks in the shoe.  [default: 8]")] = None,
) -> None:
    """Write the par sheet of a game as HTML, PDF or Markdown.

    It holds the pay table, exact probabilities and house edges, volatility, insurance and the interpretations taken.
    The same game, decks and version of the program give the same bytes, so a filed copy can be checked against a new
    one.

    Example: natural9 parsheet mbs-tiger --out mbs-tiger.html
    """
    from natural9.odds.parsheet.files import check_target, write_sheet  # numba and fpdf2 are slow to come

    target = Path(out)
    check_target(target)
    chosen = find_game(game)
    if decks is None:
        decks = min(max(USUAL_DECKS, chosen.decks.min), chosen.decks.max)
    chosen.check_decks(decks)
    write_sheet(chosen, decks=decks, target=target)
    print(f"wrote {target}", file=sys.stderr)
