"""A sentence as values, in the journal and on the wire: what it says, and what fills its gaps.

Text that the program made is kept and sent so that any language can tell it; what somebody wrote is text.
"""

from typing import Any, Union

import msgspec

from natural9.core.saying import Said, Value, is_said, said_again, verbatim


class Sentence(msgspec.Struct, frozen=True):
    """English with gaps such as {seat}, and what fills each: text and numbers, other sentences, or lists of these."""

    template: str
    values: dict[str, Union[str, int, "Sentence", list[Union[str, int, "Sentence"]]]]

    @staticmethod
    def of(text: str) -> "Sentence":
        said = verbatim(text)
        return Sentence(said.template, {name: _written(value) for name, value in said.values.items()})

    @property
    def said(self) -> Said:
        """ValueError where nothing fills one of its gaps: no program of ours has said that."""
        try:
            return said_again(self.template, {name: _read(value) for name, value in self.values.items()})
        except KeyError as gap:
            raise ValueError(f"nothing fills the gap {gap}") from None


def _written(value: Value) -> Any:
    if isinstance(value, tuple):
        return [_written(one) for one in value]
    if isinstance(value, int):
        return value
    return Sentence.of(value) if is_said(value) else str(value)


def _read(value: Any) -> Value:
    if isinstance(value, list):
        return tuple(map(_read, value))  # type: ignore[arg-type]  # a list holds no list
    return value.said if isinstance(value, Sentence) else value


def encode_said(value: Any) -> Any:
    """For msgspec: what somebody wrote is text, all else is said by the program."""
    if isinstance(value, Said):
        return Sentence.of(value) if is_said(value) else str(value)
    raise NotImplementedError(f"{type(value)} is none of ours")


def decode_said(kind: type, value: Any) -> Any:
    """For msgspec: text, or a sentence."""
    if kind is Said:
        return verbatim(value) if isinstance(value, str) else msgspec.convert(value, Sentence).said
    raise NotImplementedError(f"{kind} is none of ours")
