"""What several commands need: their arguments, and printing."""

import os
import sys
from collections.abc import Iterator
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from natural9.core.cards import Card
from natural9.core.errors import BadInput
from natural9.core.money import parse_cents

WHICH_GAME = "A game's id, or the path of a rule pack."
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help=WHICH_GAME)]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, for programs.")]


def print_json(value: object) -> None:
    """One JSON document, as it is or indented where a person reads it."""
    encoded = msgspec.json.encode(value)
    text = msgspec.json.format(encoded, indent=2) if sys.stdout.isatty() else encoded
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.flush()


def can_simulate() -> bool:
    from natural9.odds.backend import COMPILED

    return COMPILED


def say_if_slower() -> None:
    """Once a command, before exact odds are computed without what compiles them."""
    from natural9.odds.backend import SLOWER

    if not can_simulate():
        print(f"natural9: {SLOWER}", file=sys.stderr)


def console() -> Console:
    """A console as wide as the terminal; in a file or a pipe 100 columns, unless COLUMNS says otherwise."""
    wide = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(highlight=False, width=None if wide else 100)


def bets_asked_for(texts: list[str]) -> dict[str, int]:
    """Cents by wager, from WAGER=AMOUNT."""
    bets: dict[str, int] = {}
    for text in texts:
        wager, _, amount = text.partition("=")
        if not wager or not amount:
            raise BadInput("bad-bet", f"{text!r} is not a bet: write WAGER=AMOUNT, as in banker=100")
        if wager in bets:
            raise BadInput("bad-bet", f"{wager} is bet twice: give one amount for it")
        bets[wager] = parse_cents(amount)
    return bets


def cards_with_suits(tokens: list[str]) -> Iterator[Card]:
    """Those of the cards that were given with their suits; of the others nobody can say whether a shoe holds them."""
    for token in tokens:
        try:
            yield Card.parse(token)
        except BadInput as error:
            if error.code != "card-without-suit":
                raise
