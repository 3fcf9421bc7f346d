"""`natural9 play`: a table in the terminal, on which the real round is played."""

import math
import sys
from contextlib import suppress
from importlib import import_module
from random import Random, SystemRandom
from typing import Annotated, Final

import typer

from natural9.cli.play_screen import Screen, open_console
from natural9.cli.play_session import PlaySession
from natural9.cli.play_table import AtTable
from natural9.cli.shared import WHICH_GAME
from natural9.cli.usage import a_seed
from natural9.core.errors import BadInput
from natural9.core.money import parse_cents
from natural9.games import find_game

USUAL_DECKS: Final = 8
USUAL_PACE_S: Final = 0.6
LONGEST_PACE_S: Final = 60


def play(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help=WHICH_GAME)] = "mbs-tiger-nc",
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", callback=a_seed, help="Shuffle by this number: the same seed, the same shoes."),
    ] = None,
    decks: Annotated[int | None, typer.Option(metavar="N", help="Decks in the shoe.  [default: 8]")] = None,
    balance: Annotated[str, typer.Option(metavar="AMOUNT", help="What you bring to the table.")] = "1000.00",
    pace: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="The pause between cards.  [default: 0.6; in a pipe 0]")
    ] = None,
) -> None:
    """Play a game in the terminal.

    Type a bet such as banker 100, or several: banker 100, tie 5. ENTER on an empty line deals. Type help for the rest.
    Every payment is shown with its paragraph. Ctrl-C leaves the table at any time.

    Example: natural9 play mbs-tiger --seed 9
    """
    chosen = find_game(game)
    if decks is None:
        decks = min(max(USUAL_DECKS, chosen.decks.min), chosen.decks.max)
    chance = SystemRandom() if seed is None else Random(seed)
    session = PlaySession(chosen, decks=decks, balance_cents=parse_cents(balance), chance=chance)
    pace_s = _pace(pace)
    with suppress(ImportError):
        import_module("readline")  # gives the prompt its history and editing
    AtTable(session, Screen(open_console()), pace_s=pace_s).play(seed=seed)


def _pace(asked: float | None) -> float:
    if asked is None:
        terminal = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        return USUAL_PACE_S if terminal else 0
    if not math.isfinite(asked) or not 0 <= asked <= LONGEST_PACE_S:
        raise BadInput("bad-pace", f"a pace of {asked:g} seconds is out of range: give 0 to {LONGEST_PACE_S}")
    return asked
