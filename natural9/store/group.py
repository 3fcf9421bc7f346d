"""What waits to be written, and what became of it: a group of appends shares one commit, in whatever store."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from natural9.store.contract import Checkpoint, Entry, StreamHead

Outcome = int | Exception


class Ownership(NamedTuple):
    """A stream to be written here from now on under this epoch; or, with none, not any more."""

    stream: str
    epoch: int | None


class Writing(NamedTuple):
    """Entries of one stream that continue it after this entry; or, and no entry, a checkpoint to keep, or who writes a
    stream from now on."""

    entries: tuple[Entry, ...]
    number: int
    hash: bytes | None  # of that entry, if it is known
    checkpoint: Checkpoint | None = None
    ownership: Ownership | None = None


def keeping(checkpoint: Checkpoint) -> Writing:
    return Writing((), 0, None, checkpoint)


def owning(stream: str, epoch: int | None) -> Writing:
    return Writing((), 0, None, None, Ownership(stream, epoch))


class Committed(NamedTuple):
    """What came of each append of a group: the number of its first entry, or what is wrong with it; and where the
    streams that it added to end now."""

    outcomes: list[Outcome]
    streams: dict[str, StreamHead]


class Commits(Protocol):
    """What makes groups durable, in this process or another; called by one thread."""

    @property
    def is_able(self) -> bool: ...
    def commit(self, group: Sequence[Writing]) -> Committed:
        """Whatever has a number is durable."""
        ...

    def close(self) -> None: ...
