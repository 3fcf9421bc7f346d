"""Who may write a file: one process at a time, for as long as it lives."""

import fcntl
import os
import time
from pathlib import Path

from natural9.store.contract import StoreFailed

PATIENCE_S = 2.0  # a server that was killed may leave a process behind that still writes what it was sent
PAUSE_S = 0.02


class FileLock:
    """Held from the moment it is made. The system lets go of it when the process ends, however it ends.

    The lock file says who holds it, and stands before there is a journal. It can be removed, so the journal itself is
    locked as well (`take_journal`), in a way that SQLite's own locks do not meet.
    """

    def __init__(self, path: Path, owner: int) -> None:
        self._journal_path, self._journal = path, -1
        self.path = lock_path(path)
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StoreFailed(f"{self.path} cannot be made: {error.strerror}") from error
        if not _taken(self._file):
            holder = os.pread(self._file, 20, 0).decode(errors="replace").strip()
            os.close(self._file)
            raise self._held_by(f"process {holder or 'unknown'} (it holds {self.path})")
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(owner).encode(), 0)

    def take_journal(self) -> None:
        """Once there is one. Who holds it without the lock file is not known by name."""
        self._journal = os.open(self._journal_path, os.O_RDONLY | os.O_CLOEXEC)
        if not _taken(self._journal):
            # It stays open: closing any handle of a file takes SQLite's locks on it from this process.
            self._journal = -1
            raise self._held_by(f"another process (fuser {self._journal_path} names it)")

    def _held_by(self, holder: str) -> StoreFailed:
        path = self._journal_path
        return StoreFailed(f"{path} is being written by {holder}: stop that one first, or open read-only")

    def release(self) -> None:
        """For when SQLite has let go. The lock file stays: taking it away would let two lock two files of one name."""
        if self._journal >= 0:
            os.close(self._journal)
        os.ftruncate(self._file, 0)
        os.close(self._file)


def lock_path(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _taken(file: int) -> bool:
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            if time.monotonic() > until:
                return False
        time.sleep(PAUSE_S)
