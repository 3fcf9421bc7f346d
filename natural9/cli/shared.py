"""What several commands need: their arguments, and printing."""

import os
import sys
from typing import Annotated

import msgspec
import typer
from rich.console import Console

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The id of a game, or the path of a rule pack.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout, for programs.")]


def print_json(value: object) -> None:
    """One JSON document, as it is or indented where a person reads it."""
    encoded = msgspec.json.encode(value)
    text = msgspec.json.format(encoded, indent=2) if sys.stdout.isatty() else encoded
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.flush()


def console() -> Console:
    """A console as wide as the terminal; in a file or a pipe 100 columns, unless COLUMNS says otherwise."""
    wide = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(highlight=False, width=None if wide else 100)
