"""A disk that fails: at the call of one number, whatever it is, or from there on for good."""
# ruff: noqa: N802 (SQLite's own names)

import errno
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from natural9.disk.calls import DiskCalls, another_disk
from tests.torture.disk.recorders import BASE


class Fault:
    """Counts every call; the one of this number fails, or every one that needs room from there on where it is full."""

    def __init__(self, call: int, *, is_full: bool) -> None:
        self._call, self._is_full = call, is_full
        self.calls = 0
        self.failed: Counter[str] = Counter()

    def comes(self, name: str, *, needs_room: bool = False) -> bool:
        self.calls += 1
        comes = self.calls >= self._call and needs_room if self._is_full else self.calls == self._call
        self.failed[name] += comes
        return comes

    def in_sqlite(self, name: str, *, needs_room: bool = False) -> None:
        if self.comes(name, needs_room=needs_room):
            raise apsw.FullError("the disk is full") if self._is_full else apsw.IOError("the disk fails")

    def in_system(self, name: str, *, needs_room: bool = False) -> None:
        if self.comes(name, needs_room=needs_room):
            number = errno.ENOSPC if self._is_full else errno.EIO
            raise OSError(number, os.strerror(number))


class FailingCalls(DiskCalls):
    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def open(self, path: Path, flags: int, mode: int = 0o600) -> int:
        self._fault.in_system("open", needs_room=bool(flags & os.O_CREAT))
        return super().open(path, flags, mode)

    def write(self, file: int, data: bytes, at: int) -> None:
        """A part of it arrives, as on a disk that is nearly full."""
        if self._fault.comes("write", needs_room=True):
            os.pwrite(file, data[: len(data) // 2], at)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        super().write(file, data, at)

    def sync(self, file: int) -> None:
        self._fault.in_system("sync")
        super().sync(file)

    def rename(self, path: Path, to: Path) -> None:
        self._fault.in_system("rename")
        super().rename(path, to)

    def remove(self, path: Path) -> None:
        self._fault.in_system("remove")
        super().remove(path)


class FailingVfs(apsw.VFS):
    def __init__(self, fault: Fault) -> None:
        self._fault = fault
        super().__init__("failing", BASE, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        self._fault.in_sqlite("xOpen", needs_room=bool(flags[0] & apsw.SQLITE_OPEN_CREATE))
        return FailingFile(self._fault, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self._fault.in_sqlite("xDelete")
        super().xDelete(filename, syncdir)

    def xAccess(self, pathname: str, flags: int) -> bool:
        self._fault.in_sqlite("xAccess")
        return super().xAccess(pathname, flags)


class FailingFile(apsw.VFSFile):
    def __init__(self, fault: Fault, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._fault = fault
        super().__init__(BASE, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        self._fault.in_sqlite("xRead")
        return super().xRead(amount, offset)

    def xWrite(self, data: bytes, offset: int) -> None:
        """A part of it arrives."""
        if self._fault.comes("xWrite", needs_room=True):
            super().xWrite(data[: len(data) // 2], offset)
            raise apsw.FullError("the disk is full")
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._fault.in_sqlite("xTruncate")
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        self._fault.in_sqlite("xSync")
        super().xSync(flags)

    def xFileSize(self) -> int:
        self._fault.in_sqlite("xFileSize")
        return super().xFileSize()


@contextmanager
def failing(fault: Fault) -> Iterator[Fault]:
    vfs = FailingVfs(fault)
    try:
        with another_disk(FailingCalls(fault)):
            yield fault
    finally:
        vfs.unregister()
