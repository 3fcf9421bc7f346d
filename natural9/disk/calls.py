"""Every call that writes a file, SQLite's own apart: in one place, so that a disk that fails can stand in."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class DiskCalls:
    """The system's own. What is open is known by the number that the system gave it."""

    def open(self, path: Path, flags: int, mode: int = 0o600) -> int:
        return os.open(path, flags | os.O_CLOEXEC, mode)

    def write(self, file: int, data: bytes, at: int) -> None:
        """All of it, or OSError: a disk that is nearly full takes a part and says so in no other way."""
        if os.pwrite(file, data, at) != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def truncate(self, file: int, size: int) -> None:
        os.ftruncate(file, size)

    def sync(self, file: int) -> None:
        """What was written to a file, or the names in a folder."""
        os.fsync(file)

    def close(self, file: int) -> None:
        os.close(file)

    def rename(self, path: Path, to: Path) -> None:
        path.replace(to)

    def remove(self, path: Path) -> None:
        path.unlink()

    def make_folder(self, path: Path) -> None:
        """Its owner's alone."""
        path.mkdir(0o700)


_calls = DiskCalls()


def disk() -> DiskCalls:
    return _calls


@contextmanager
def another_disk(calls: DiskCalls) -> Iterator[None]:
    """For everybody in this process, meanwhile."""
    global _calls
    before, _calls = _calls, calls
    try:
        yield
    finally:
        _calls = before
