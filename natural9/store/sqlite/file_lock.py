"""Who may write a file: one process at a time, for as long as it lives."""

import fcntl
import os
import time
from pathlib import Path

from natural9.store.contract import StoreFailed

PATIENCE_S = 2.0  # a server that was killed may leave a process behind that still writes what it was sent
PAUSE_S = 0.02


class FileLock:
    """Held from the moment it is made. The system lets go of it when the process ends, however it ends."""

    def __init__(self, path: Path, owner: int) -> None:
        self.path = path.with_name(path.name + ".lock")
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreFailed(f"{self.path} cannot be made: {error.strerror}") from error
        if not self._taken():
            holder = os.pread(self._file, 20, 0).decode(errors="replace").strip() or "unknown"
            os.close(self._file)
            raise StoreFailed(
                f"{path} is being written by process {holder} (it holds {self.path}):"
                " stop that one first, or open read-only"
            )
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(owner).encode(), 0)

    def _taken(self) -> bool:
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except OSError:
                if time.monotonic() > until:
                    return False
            time.sleep(PAUSE_S)

    def release(self) -> None:
        """The lock file stays: taking it away would let two processes lock two files of one name."""
        os.ftruncate(self._file, 0)
        os.close(self._file)
