"""A process that writes with others, and that is started again when it has ended: its streams are taken over anew."""

from collections.abc import Callable, Sequence

from natural9.store.contract import LostCommits, StoreFailed
from natural9.store.group import Commits, Committed, Writing


class RestartedCommitter:
    """With the first stream that is taken over after its end. Commits that were lost stay lost."""

    def __init__(self, start: Callable[[], Commits]) -> None:
        self._start = start
        self._process = start()
        self._has_lost = False

    @property
    def is_able(self) -> bool:
        return not self._has_lost

    def commit(self, group: Sequence[Writing]) -> Committed:
        takes_over = any(writing.ownership and writing.ownership.epoch is not None for writing in group)
        if takes_over and not self._process.is_able:
            self._process.close()
            try:
                self._process = self._start()
            except Exception as error:  # also a machine that starts no process: the next who takes over tries again
                return Committed([StoreFailed(str(error)) for _ in group], {})
        committed = self._process.commit(group)
        self._has_lost = self._has_lost or any(isinstance(one, LostCommits) for one in committed.outcomes)
        return committed

    def close(self) -> None:
        self._process.close()
