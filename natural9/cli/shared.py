"""What several commands need: their arguments, and printing."""

import sys
from collections.abc import Iterable
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The id of a game, or the path of a rule pack.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout, for programs.")]


def print_json(value: object) -> None:
    """One JSON document, as it is or indented where a person reads it."""
    encoded = msgspec.json.encode(value)
    text = msgspec.json.format(encoded, indent=2) if sys.stdout.isatty() else encoded
    sys.stdout.buffer.write(text + b"\n")
    sys.stdout.flush()


def console() -> Console:
    """A console that keeps to the width of the terminal, and to 80 columns or more where there is none."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 100)


def table(*columns: str, right: Iterable[str] = (), title: str | None = None) -> Table:
    made = Table(title=title, title_justify="left", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    numbers = set(right)
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return made
