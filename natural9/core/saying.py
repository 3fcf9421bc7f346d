"""Sentences that can be told in another language: English text that remembers what it was made from.

A screen never translates finished text. It gets the sentence with its gaps and what fills them, and says the same in
its own language.
"""

import re
from typing import Final

Value = str | int | tuple[str, ...]
_GAP: Final = re.compile(r"\{(\w+)\}")


class Said(str):
    """The English text itself; `template` has a gap such as ``{seat}`` for each of `values`, which may be said, too."""

    __slots__ = ("template", "values")
    template: str
    values: dict[str, Value]

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.template, self.values)


def say(template: str, **values: Value) -> Said:
    """A sentence with its gaps filled; of several words that fill one, each is told on its own.

    >>> say("Seat {seat} bets on {wager}", seat=3, wager=say("Big Tiger"))
    'Seat 3 bets on Big Tiger'
    >>> say("There are {games}", games=("mbs-nc", "rws-nc"))
    'There are mbs-nc, rws-nc'
    """
    said = Said(_GAP.sub(lambda gap: _text(values[gap[1]]), template))
    said.template, said.values = template, values
    return said


def _again(template: str, values: dict[str, Value]) -> Said:
    return say(template, **values)


def _text(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
