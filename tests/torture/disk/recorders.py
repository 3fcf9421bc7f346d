"""What writes a tape: a VFS under SQLite, and the calls that the program makes itself."""
# ruff: noqa: N802 (SQLite's own names)

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from natural9.disk.calls import DiskCalls, another_disk
from tests.torture.disk.tape import Tape

NAME = "recording"
BASE = "unix"
# What SQLite syncs the folder for, with the first sync of such a file that it may have created (os_unix.c, "DIRSYNC").
LOGS = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL


class RecordingCalls(DiskCalls):
    """The system's calls, each told to a tape. A write is on its way when it begins, and a sync done when it ends."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._open: dict[int, tuple[Path, int]] = {}

    def open(self, path: Path, flags: int, mode: int = 0o600) -> int:
        file = super().open(path, flags, mode)
        if self._tape.watches(path):
            if flags & os.O_CREAT:
                self._tape.create(path)
            if flags & os.O_TRUNC:
                self._tape.truncate(self._tape.inode(path), 0)
            self._open[file] = path, flags
        return file

    def write(self, file: int, data: bytes, at: int) -> None:
        if file not in self._open:
            super().write(file, data, at)
            return
        path, flags = self._open[file]
        inode = self._tape.inode(path)
        step = self._tape.write(inode, at, data)
        super().write(file, data, at)
        if flags & os.O_DSYNC:
            self._tape.sync(inode, step, only=True)

    def truncate(self, file: int, size: int) -> None:
        super().truncate(file, size)
        if file in self._open:
            self._tape.truncate(self._tape.inode(self._open[file][0]), size)

    def sync(self, file: int) -> None:
        by = self._tape.now
        super().sync(file)
        if file in self._open:
            path = self._open[file][0]
            if path.is_dir():
                self._tape.sync_folder(path, by)
            else:
                self._tape.sync(self._tape.inode(path), by)

    def close(self, file: int) -> None:
        self._open.pop(file, None)
        super().close(file)

    def rename(self, path: Path, to: Path) -> None:
        super().rename(path, to)
        if self._tape.watches(path):
            self._tape.rename(path, to)

    def remove(self, path: Path) -> None:
        super().remove(path)
        self._tape.remove(path)

    def make_folder(self, path: Path) -> None:
        super().make_folder(path)
        if self._tape.watches(path):
            self._tape.create(path, is_folder=True)


class RecordingVfs(apsw.VFS):
    """Under every connection that is opened while it is there."""

    def __init__(self, tape: Tape, *, syncs_folders: bool) -> None:
        """Whether SQLite syncs the folder of its logs depends on how it was built: ours does."""
        self._tape, self._syncs_folders = tape, syncs_folders
        self.syncs_until_one_fails = -1
        super().__init__(NAME, BASE, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = None if name is None else Path(name if isinstance(name, str) else name.filename())
        if path is None or not self._tape.watches(path):
            return apsw.VFSFile(BASE, name, flags)
        return RecordingFile(self, self._tape, path, name, flags, syncs_folders=self._syncs_folders)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        by = self._tape.now + 1
        super().xDelete(filename, syncdir)
        self._tape.remove(Path(filename))
        if syncdir and self._syncs_folders:
            self._tape.sync_folder(Path(filename).parent, by)


class RecordingFile(apsw.VFSFile):
    def __init__(
        self,
        vfs: RecordingVfs,
        tape: Tape,
        path: Path,
        name: str | apsw.URIFilename | None,
        flags: list[int],
        *,
        syncs_folders: bool,
    ) -> None:
        self._vfs, self._tape, self._path = vfs, tape, path
        self._may_be_new = bool(syncs_folders and flags[0] & apsw.SQLITE_OPEN_CREATE and flags[0] & LOGS)
        super().__init__(BASE, name, flags)
        if flags[0] & apsw.SQLITE_OPEN_CREATE:
            tape.create(path)
        self._inode = tape.inode(path)

    def xLock(self, level: int) -> None:
        """Who only reads cannot lock a file to clear its log away, and SQLite is content with that: what it is told in
        C goes unsaid, but an exception would come up when the connection is closed."""
        try:
            super().xLock(level)
        except apsw.IOError as error:
            raise apsw.BusyError from error

    def xWrite(self, data: bytes, offset: int) -> None:
        self._tape.write(self._inode, offset, data)
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._tape.truncate(self._inode, newsize)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:
        by = self._tape.now
        self._vfs.syncs_until_one_fails -= 1
        if self._vfs.syncs_until_one_fails == 0:
            self._tape.fail_sync(self._inode)
            raise apsw.IOError
        super().xSync(flags)
        self._tape.sync(self._inode, by)
        if self._may_be_new:
            self._tape.sync_folder(self._path.parent, by)
            self._may_be_new = False


@contextmanager
def recording(root: Path, *, sqlite_syncs_folders: bool = True, failing_sync: int = 0) -> Iterator[Tape]:
    """Everything that is written under this folder meanwhile, by this process. SQLite's sync of that number fails."""
    tape = Tape(root)
    vfs = RecordingVfs(tape, syncs_folders=sqlite_syncs_folders)
    vfs.syncs_until_one_fails = failing_sync
    try:
        with another_disk(RecordingCalls(tape)):
            yield tape
    finally:
        vfs.unregister()
