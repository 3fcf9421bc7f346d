"""Sentences that can be told in another language: English text that remembers what it was made from.

A screen never translates finished text. It gets the sentence with its gaps and what fills them, and says the same in
its own language.
"""

import re
from collections.abc import Mapping
from typing import Final

Value = str | int | tuple[str | int, ...]
_GAP: Final = re.compile(r"\{(\w+)\}")
_VERBATIM: Final = "{words}"


class Said(str):
    """The English text itself; `template` has a gap such as ``{seat}`` for each of `values`, which may be said, too."""

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Value]

    def __reduce__(self) -> tuple[object, ...]:
        return said_again, (self.template, self.values)


def say(template: str, **values: Value) -> Said:
    """A sentence with its gaps filled; of several words that fill one, each is told on its own.

    The template is written out where it is said: a test collects them all, and every language must have each.

    >>> say("Seat {seat} bets on {wager}", seat=3, wager=say("Big Tiger"))
    'Seat 3 bets on Big Tiger'
    >>> say("There are {games}", games=("mbs-nc", "rws-nc"))
    'There are mbs-nc, rws-nc'
    """
    return said_again(template, values)


def named(english: str) -> Said:
    """A name from data, such as a wager's or a game's: a language may have its own for it."""
    return _made(english, english, {})


def name_of(tag: str) -> Said:
    """The name of what has none but its tag, such as a wager in an event.

    >>> name_of("big-tiger")
    'Big Tiger'
    """
    return named(tag.replace("-", " ").title())


def verbatim(words: str) -> Said:
    """What somebody wrote: it is told as it stands in every language.

    >>> verbatim("the cut card was missed").template
    '{words}'
    """
    return words if isinstance(words, Said) else _made(words, _VERBATIM, {"words": words})


def is_said(text: str) -> bool:
    """Whether the program said it; all else is somebody's own words."""
    return isinstance(text, Said) and text.template != _VERBATIM


def what_it_says(error: Exception) -> Said:
    """An exception's own sentence."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, Said) else verbatim(str(error))


def because(what: Said, why: str) -> Said:
    """A sentence with its reason, if there is one."""
    return say("{what}: {why}", what=what, why=why) if why else what


def countersigned(what: Said, by: str) -> Said:
    """A sentence with whoever signed besides, if anybody did."""
    return say("{what}, signed by {signer}", what=what, signer=by) if by else what


def capitalised(said: Said) -> Said:
    """The same as a sentence of its own: it begins with a capital.

    >>> capitalised(say("there is no table {table}", table="nc-9")).template
    'There is no table {table}'
    """
    if gap := _GAP.match(said.template):
        first = said.values[gap[1]]
        if isinstance(first, Said):
            return said_again(said.template, {**said.values, gap[1]: capitalised(first)})
        if not is_said(said):
            return verbatim(said[:1].upper() + said[1:])
        return said
    return said_again(said.template[:1].upper() + said.template[1:], said.values)


def said_again(template: str, values: Mapping[str, Value]) -> Said:
    """A sentence that was said before, from what was kept of it."""
    if not values:
        return _made(template, template, values)
    return _made(_GAP.sub(lambda gap: _text(values[gap[1]]), template), template, values)


def _made(text: str, template: str, values: Mapping[str, Value]) -> Said:
    said = Said(text)
    said.template, said.values = template, values
    return said


def _text(value: Value) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
