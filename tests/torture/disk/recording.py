"""A story on tape, and who judges what a power cut leaves of it."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from natural9.store.contract import Head
from tests.torture.disk.tape import Tape


class Durable(NamedTuple):
    """So far a stream goes, somebody was told."""

    stream: str
    number: int


class Recording(NamedTuple):
    """With the whole history as it stood in the end."""

    tape: Tape
    folder: Path  # of the journal
    heads: dict[int, Head]  # after each entry
    judge: "Judge"
    head_copy: Path | None = None


# What is wrong with an image under a root, by all that was acknowledged before; nothing if all is as it must be.
Judge = Callable[[Recording, Sequence[object], Path], Awaitable[str]]
