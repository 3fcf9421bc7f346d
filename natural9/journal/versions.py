"""Old versions of events, read for ever: each has one step towards today's shape, and steps follow one another.

How to change an event: give its declaration the next version, write here the step from the version before, and add a
golden line of the new one to tests/golden/events.jsonl. Lines are added there, never changed: from the first release on
it holds one of every version that was ever written.

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


def _renamed(values: Values, old: str, new: str) -> Values:
    """A field under its new name; one that was there already is no field of the old version."""
    if new in values:
        raise LookupError(f"{old} alone: it has {new}, too")
    return {new if name == old else name: value for name, value in values.items()}


def _bet_placed_1(values: Values) -> Recorded:
    return Recorded("bet-placed", 2, _renamed(values, "stake", "cents"))


def _bet_increased_1(values: Values) -> Recorded:
    return Recorded("bet-placed", 2, _renamed(values, "more", "cents"))


def _signed_by_one(tag: str) -> Callable[[Values], Recorded]:
    """Version 1 of what moves cash at a desk, or appoints who may sign, knew of no second signature."""

    def step(values: Values) -> Recorded:
        if "signed_by" in values:
            raise LookupError("one signature alone: it has signed_by, too")
        return Recorded(tag, 2, {**values, "signed_by": ""})

    return step


_SIGNED: Final = ("credit-bought", "hand-paid", "voucher-paid", "staff-added", "code-issued", "role-changed")

UPCASTS: Final[Mapping[tuple[str, int], Callable[[Values], Recorded]]] = {
    ("bet-placed", 1): _bet_placed_1,
    ("bet-increased", 1): _bet_increased_1,
    **{(tag, 1): _signed_by_one(tag) for tag in _SIGNED},
}


# Tags that are no longer written, and the event that each is read as.
RETIRED: Final[Mapping[str, str]] = {"bet-increased": "bet-placed"}


def upcast(tag: str, version: int, values: Values) -> Recorded:
    """The event as it would be written today, however long ago it was written."""
    written = Recorded(tag, version, values)
    while step := UPCASTS.get(written[:2]):
        written = step(dict(written.values))
    return written
