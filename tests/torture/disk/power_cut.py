"""What may be on a disk after a power cut at any step of a recording.

What was synced is there. Of what was written since, any part: each sector of 512 bytes as it was at the last sync or
after any of the writes to it since. A file may be as long as any of those writes made it, and reads as zeros where
nothing arrived. A name that was made, taken away or changed is so once its folder was synced; until then, any of them.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.torture.disk.tape import (
    Acknowledged,
    Created,
    FolderSynced,
    Removed,
    Renamed,
    Step,
    Synced,
    SyncFailed,
    Tape,
    Truncated,
    Wrote,
)

SECTOR = 512

Image = dict[Path, bytes | None]  # by its path; a folder has no bytes
Change = tuple[int, Wrote | Truncated]  # with the step that it was
Naming = tuple[int, Created | Removed | Renamed]


@dataclass
class Platter:
    """One file: what is certainly there, and what may be."""

    kept: bytearray = field(default_factory=bytearray)
    waiting: list[Change] = field(default_factory=list)

    def sync(self, by: int) -> None:
        waiting, self.waiting = self.waiting, []
        for at, change in waiting:
            if at < by:
                apply(self.kept, change)
            else:
                self.waiting.append((at, change))

    def sync_one(self, by: int) -> None:
        """The sectors that one write went to arrive as they were then, with what was written to them before."""
        [synced] = [set(sectors(change)) for at, change in self.waiting if at == by and isinstance(change, Wrote)]
        waiting, self.waiting = self.waiting, []
        for at, change in waiting:
            if at <= by and isinstance(change, Wrote) and synced.issuperset(sectors(change)):
                apply(self.kept, change)
            else:
                self.waiting.append((at, change))

    def fail(self, choose: "Choice") -> None:
        """What waits arrives now or never."""
        self.kept = bytearray(choose.content(self))
        self.waiting = []


@dataclass
class Names:
    """Those in one folder."""

    kept: dict[str, int] = field(default_factory=dict)
    waiting: list[Naming] = field(default_factory=list)

    def sync(self, by: int) -> None:
        for _, naming in (one for one in self.waiting if one[0] < by):
            rename(self.kept, naming)
        self.waiting = [one for one in self.waiting if one[0] >= by]


def apply(content: bytearray, change: Wrote | Truncated) -> None:
    if isinstance(change, Truncated):
        if change.size < len(content):
            del content[change.size :]
        else:
            content.extend(bytes(change.size - len(content)))
        return
    if change.at > len(content):
        content.extend(bytes(change.at - len(content)))
    content[change.at : change.at + len(change.data)] = change.data


def rename(names: dict[str, int], naming: Created | Removed | Renamed) -> None:
    match naming:
        case Created(path, inode):
            names[path.name] = inode
        case Removed(path):
            names.pop(path.name, None)
        case Renamed(path, to, inode):
            names.pop(path.name, None)
            names[to.name] = inode


class DiskInTime:
    """A recording, played up to any step; only forwards."""

    def __init__(self, tape: Tape, chance: random.Random) -> None:
        self._tape, self._chance = tape, chance
        self.step = 0
        self.acknowledged: list[object] = []
        self._files: defaultdict[int, Platter] = defaultdict(Platter)
        self._folders: defaultdict[Path, Names] = defaultdict(Names)
        self._folder_of: dict[int, Path] = {}  # by inode, those that are folders

    def go_to(self, step: int) -> None:
        assert step >= self.step
        while self.step < step:
            self._take(self.step, self._tape.steps[self.step])
            self.step += 1

    def _take(self, at: int, step: Step) -> None:
        match step:
            case Created(path, inode, is_folder):
                self._folders[path.parent].waiting.append((at, step))
                if is_folder:
                    self._folder_of[inode] = path
            case Removed(path):
                self._folders[path.parent].waiting.append((at, step))
            case Renamed(path, to):
                assert path.parent == to.parent, "nothing of ours goes from folder to folder"
                self._folders[path.parent].waiting.append((at, step))
            case Wrote(inode) | Truncated(inode):
                self._files[inode].waiting.append((at, step))
            case Synced(inode, by, only):
                if only:
                    self._files[inode].sync_one(by)
                else:
                    self._files[inode].sync(by)
            case SyncFailed(inode):
                self._files[inode].fail(Anything(self._chance))
            case FolderSynced(path, by):
                self._folders[path].sync(by)
            case Acknowledged(what):
                self.acknowledged.append(what)

    def cut(self) -> Image:
        """One of the many disks that a power cut may leave now."""
        choose = self._chance.choice(WAYS)(self._chance)
        image: Image = {}
        self._look(self._tape.root, choose, image)
        return image

    def _look(self, folder: Path, choose: "Choice", image: Image) -> None:
        names = dict(self._folders[folder].kept)
        for naming in choose.some(self._folders[folder].waiting):
            rename(names, naming[1])
        for name, inode in names.items():
            path = folder / name
            if inode in self._folder_of:
                image[path] = None
                self._look(path, choose, image)
            else:
                image[path] = choose.content(self._files[inode])


class Choice:
    """How much of what waits arrives, in one image."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        raise NotImplementedError

    def versions(self, many: int) -> int:
        """Of so many writes to one sector, how many arrived."""
        raise NotImplementedError

    def content(self, file: Platter) -> bytes:
        content = bytearray(file.kept)
        writes: defaultdict[int, int] = defaultdict(int)  # to each sector
        for _, change in file.waiting:
            if isinstance(change, Wrote):
                for sector in sectors(change):
                    writes[sector] += 1
        arrive = {sector: self.versions(many) for sector, many in writes.items()}
        for _, change in file.waiting:
            if isinstance(change, Truncated):
                if self.versions(1):
                    apply(content, change)
                continue
            for sector in sectors(change):
                if arrive[sector] > 0:
                    arrive[sector] -= 1
                    apply(content, part_in(change, sector))
        return bytes(content)


def part_in(change: Wrote, sector: int) -> Wrote:
    start, end = max(change.at, sector * SECTOR), (sector + 1) * SECTOR
    return Wrote(change.inode, start, change.data[start - change.at : end - change.at])


def sectors(change: Wrote) -> range:
    return range(change.at // SECTOR, (change.at + len(change.data) - 1) // SECTOR + 1)


class Nothing(Choice):
    """What was not synced is gone."""

    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        return ()

    def versions(self, many: int) -> int:
        return 0


class Everything(Choice):
    """As if the process had been killed, and not the power cut."""

    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        return namings

    def versions(self, many: int) -> int:
        return many


class Anything(Choice):
    """Each by itself."""

    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        return [one for one in namings if self._chance.random() < 0.5]

    def versions(self, many: int) -> int:
        return self._chance.randint(0, many)


class NearlyEverything(Anything):
    """One thing here and there is missing, such as one sector of a page."""

    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        return [one for one in namings if self._chance.random() < 0.9]

    def versions(self, many: int) -> int:
        return self._chance.randint(0, many) if self._chance.random() < 0.03 else many


class HardlyAnything(Anything):
    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        return [one for one in namings if self._chance.random() < 0.1]

    def versions(self, many: int) -> int:
        return self._chance.randint(1, many) if self._chance.random() < 0.03 else 0


class NamesInOrder(Anything):
    """A journalling file system: names up to some moment, bytes in any order."""

    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        return namings[: self._chance.randint(0, len(namings))]


class NamesOnly(Anything):
    """What was created and renamed is there, and what was written is not: files of no bytes."""

    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        return namings

    def versions(self, many: int) -> int:
        return 0


class BytesOnly(Anything):
    """All is written, and the folders forgot."""

    def some(self, namings: list[Naming]) -> Iterable[Naming]:
        return ()

    def versions(self, many: int) -> int:
        return many


WAYS: tuple[Callable[[random.Random], Choice], ...] = (
    Nothing, Everything, Anything, Anything, NearlyEverything, NearlyEverything, HardlyAnything, NamesInOrder,
    NamesOnly, BytesOnly,
)  # fmt: skip


def write_image(image: Image, root: Path, to: Path) -> None:
    """Into a folder that is there."""
    for path, content in image.items():
        place = to / path.relative_to(root)
        if content is None:
            place.mkdir(mode=0o700)
        else:
            place.write_bytes(content)
            place.chmod(0o600)
