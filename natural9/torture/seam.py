"""What the staff of the simulated floor have: orders that they give, and the picture on their screens."""

from typing import Any, NamedTuple, Protocol

Picture = dict[str, Any]  # JSON, as a screen gets it
NOTHING: Picture = {}


class Answer(NamedTuple):
    """What became of an order: done, or refused with a code and in words."""

    done: bool
    code: str = ""
    words: str = ""
    body: Picture = NOTHING


class GivesOrders(Protocol):
    """The way of staff to a table."""

    async def order(self, table: str, person: str, command: Picture, why: str = "") -> Answer:
        """As a console does: asked again under the same request until it is known what came of it; and answered once
        the person's screen shows it."""


class ConsoleScreens(Protocol):
    """What staff see."""

    def console(self, table: str) -> Picture:
        """The newest picture of a table that reached its console: "table" and "console"; empty while it is dark."""
