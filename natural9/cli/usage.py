"""How a command says what it needs, and refuses a number that is out of range."""

from collections.abc import Callable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand

from natural9.core.errors import BadInput

Number = TypeVar("Number", int, float)


class PlainCommand(TyperCommand):
    """A command whose usage line names what it needs without braces around it."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


def within(option: str, least: Number, most: Number) -> Callable[[Number | None], Number | None]:
    """A check of this option's value. Typer's own would show the range as a formula in the help."""

    def check(value: Number | None) -> Number | None:
        if value is not None and not least <= value <= most:
            raise BadInput("bad-option", f"{option} {value:g} is out of range: give {least} to {most}")
        return value

    return check


def port_option(default: str) -> Any:
    """`--port`, the same wherever a server is started; in words, which one it is without."""
    in_range = within("--port", 0, 65535)
    words = f"The port; 0 takes any free one.  [default: {default}]"
    return typer.Option("--port", metavar="PORT", callback=in_range, help=words)
