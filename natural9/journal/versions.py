"""Old versions of events, read for ever: each has one step towards today's shape, and steps follow one another.

How to change an event: give its declaration the next version, write here the step from the version before, and move
that version's golden line (tests/golden/events.jsonl stays as it is: it holds a line of every version ever written).

    bet-placed 1 had its amount as `stake`, and `bet-increased` added to a bet that lay. Both are bet-placed 2.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

Values = dict[str, Any]


class Recorded(NamedTuple):
    """An event as it stands in a journal: tag, version and plain values."""

    tag: str
    version: int
    values: Values


def _bet_placed_1(values: Values) -> Recorded:
    values["cents"] = values.pop("stake")
    return Recorded("bet-placed", 2, values)


def _bet_increased_1(values: Values) -> Recorded:
    values["cents"] = values.pop("more")
    return Recorded("bet-placed", 2, values)


UPCASTS: Final[Mapping[tuple[str, int], Callable[[Values], Recorded]]] = {
    ("bet-placed", 1): _bet_placed_1,
    ("bet-increased", 1): _bet_increased_1,
}


# Tags that are no longer written, and the event that each is read as.
RETIRED: Final[Mapping[str, str]] = {"bet-increased": "bet-placed"}


def upcast(tag: str, version: int, values: Values) -> Recorded:
    """The event as it would be written today, however long ago it was written."""
    written = Recorded(tag, version, values)
    while step := UPCASTS.get(written[:2]):
        written = step(dict(written.values))
    return written
