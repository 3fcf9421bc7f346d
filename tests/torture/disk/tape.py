"""What was done to a disk, in the order it was done, with everything that was acknowledged meanwhile."""

import threading
from pathlib import Path
from typing import NamedTuple


class Created(NamedTuple):
    """A name for a new file, or a new folder."""

    path: Path
    inode: int
    is_folder: bool = False


class Removed(NamedTuple):
    path: Path


class Renamed(NamedTuple):
    path: Path
    to: Path
    inode: int


class Wrote(NamedTuple):
    """On its way from now on."""

    inode: int
    at: int
    data: bytes


class Truncated(NamedTuple):
    inode: int
    size: int


class Synced(NamedTuple):
    """All that was written to it before `by`; with `only`, no more than that one write."""

    inode: int
    by: int
    only: bool = False


class FolderSynced(NamedTuple):
    """All that was done to the names in it before `by`."""

    path: Path
    by: int


class SyncFailed(NamedTuple):
    """What was written and not synced may be on the disk or not, and no later sync brings it there: the system takes
    it for written."""

    inode: int


class Acknowledged(NamedTuple):
    """Somebody was told that this is durable."""

    what: object


Step = Created | Removed | Renamed | Wrote | Truncated | Synced | FolderSynced | SyncFailed | Acknowledged


class Tape:
    """Under one folder, which is empty, or whose files are durable, when the recording begins."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.steps: list[Step] = []
        self._inodes: dict[Path, int] = {}
        self._made = 0
        self._lock = threading.RLock()
        for path in sorted(root.rglob("*")):
            self.create(path, is_folder=path.is_dir())
            if path.is_file():
                self.write(self.inode(path), 0, path.read_bytes())
                self.sync(self.inode(path), self.now)
        for path in sorted({root, *(one for one in root.rglob("*") if one.is_dir())}):
            self.sync_folder(path, self.now)
        self.begins = self.now

    @property
    def now(self) -> int:
        return len(self.steps)

    def watches(self, path: Path) -> bool:
        return path.is_relative_to(self.root)

    def inode(self, path: Path) -> int:
        return self._inodes[path]

    def _add(self, step: Step) -> int:
        with self._lock:
            self.steps.append(step)
            return len(self.steps) - 1

    def create(self, path: Path, *, is_folder: bool = False) -> None:
        """Unless it is there."""
        with self._lock:
            if path not in self._inodes:
                self._made += 1
                self._inodes[path] = self._made
                self._add(Created(path, self._made, is_folder))

    def remove(self, path: Path) -> None:
        with self._lock:
            if self._inodes.pop(path, None) is not None:
                self._add(Removed(path))

    def rename(self, path: Path, to: Path) -> None:
        with self._lock:
            inode = self._inodes[to] = self._inodes.pop(path)
            self._add(Renamed(path, to, inode))

    def write(self, inode: int, at: int, data: bytes) -> int:
        return self._add(Wrote(inode, at, bytes(data)))

    def truncate(self, inode: int, size: int) -> None:
        self._add(Truncated(inode, size))

    def sync(self, inode: int, by: int, *, only: bool = False) -> None:
        self._add(Synced(inode, by, only))

    def sync_folder(self, path: Path, by: int) -> None:
        self._add(FolderSynced(path, by))

    def fail_sync(self, inode: int) -> None:
        self._add(SyncFailed(inode))

    def acknowledge(self, what: object) -> None:
        self._add(Acknowledged(what))
