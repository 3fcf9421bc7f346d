"""What is fed: something that reads what others wrote, and what must be true of it whatever that is."""

import re
from abc import ABC, abstractmethod
from pathlib import Path
from random import Random
from typing import Any, ClassVar

_NO_SENTENCE = re.compile(r"Traceback|<class |object at 0x|NoneType|\bkwargs\b|[A-Za-z]+Error\b(?! [a-z])")


class Wrong(AssertionError):
    """Something was done with an input that must not be."""


class Target(ABC):
    """`make` is chance alone, so that a seed and a number name an input; `feed` says whether it was taken as valid."""

    name: ClassVar[str]
    share: ClassVar[int]  # of a thousand inputs
    keeps: ClassVar[bool] = False  # records of what was valid: memory may grow by those

    async def open(self, folder: Path) -> None:  # noqa: B027  # most need nothing
        """Whatever it takes, once."""

    @abstractmethod
    def make(self, chance: Random) -> Any:
        """An input."""

    @abstractmethod
    async def feed(self, given: Any) -> bool:
        """True where it was taken as valid, False where it was refused; whatever it raises is a bug."""

    async def close(self) -> None:  # noqa: B027
        """What must be true after all of them."""


def is_sentence(words: str, longest: int = 30_000) -> None:
    """What people are told is words for people; it may quote what they wrote."""
    if not words.strip() or len(words) > longest or _NO_SENTENCE.search(words):
        raise Wrong(f"this is no sentence: {words[:300]!r}")
