"""A story on tape, and who judges what a power cut leaves of it."""

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.torture.disk.tape import Tape


class Durable(NamedTuple):
    """So far a stream goes, somebody was told."""

    stream: str
    number: int


class Recording(NamedTuple):
    """With the whole history as it stood in the end."""

    tape: Tape
    folder: Path  # of the journal
    history: "History"
    judge: "Judge"
    head_copy: Path | None = None
    # What was written and not acknowledged was not always what was written in its place later.
    may_differ: bool = False


# The hash of every entry, by its stream and number in it.
History = dict[tuple[str, int], bytes]
# What is wrong with an image under a root, by all that was acknowledged before; nothing if all is as it must be.
Judge = Callable[[Recording, Sequence[object], Path], Coroutine[Any, Any, str]]
