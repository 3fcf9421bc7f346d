"""How a command says what it needs, and refuses an empty value, and a number that is out of range."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import typer
from typer.core import TyperCommand

from natural9.core.errors import BadInput

Number = TypeVar("Number", int, float)

MOST_SEED: Final = 2**64 - 1
NO_END: Final = 2**53  # nobody comes to it

# No cards and no rounds are something to ask about; settle and serve say themselves what is wrong with an empty one.
MAY_BE_EMPTY: Final = {
    ("settle", "cards"), ("established", "cards"), ("roads", "winners"), ("odds", "without"), ("serve", "host"),
}  # fmt: skip


class PlainCommand(TyperCommand):
    """A command whose usage line names what it needs without braces around it. No value that it is given is empty: a
    variable that was never set does not ask for everything, or for the current folder."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given, _, _ = self.make_parser(ctx).parse_args(args=[*args])
        for one in self.params:
            values = given.get(one.name or "")
            several = values if isinstance(values, list | tuple) else [values]
            if (self.name, one.name) not in MAY_BE_EMPTY and any(isinstance(v, str) and not v.strip() for v in several):
                name = one.opts[0] if one.param_type_name == "option" else one.human_readable_name.strip("[]")
                way_out = "give it a value" if one.required else "give it a value, or leave it out"
                raise BadInput("empty-value", f"{name} is empty: {way_out}")
        return super().parse_args(ctx, args)


def within(option: str, least: Number, most: Number) -> Callable[[Number | None], Number | None]:
    """A check of this option's value. Typer's own would show the range as a formula in the help."""

    def check(value: Number | None) -> Number | None:
        if value is not None and not least <= value <= most:
            said = str(value).removesuffix(".0")
            range_ = f"{least} to {most}" if most < NO_END or value > most else f"{least} or more"
            raise BadInput("bad-option", f"{option} {said} is out of range: give {range_}")
        return value

    return check


# The generators take a seed without its sign: -1 would be 1.
a_seed = within("--seed", 0, MOST_SEED)


def port_option(default: str) -> Any:
    """`--port`, the same wherever a server is started; in words, which one it is without."""
    in_range = within("--port", 0, 65535)
    words = f"The port; 0 takes any free one.  [default: {default}]"
    return typer.Option("--port", metavar="PORT", callback=in_range, help=words)
