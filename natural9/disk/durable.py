"""A file is durable when it is synced and so is the folder with its name; until then a power cut may take either."""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from natural9.disk.calls import disk

DRAFT: Final = ".part"  # how the name of a file ends until it is whole


def draft_of(path: Path) -> Path:
    return path.with_name(path.name + DRAFT)


def make_durable(path: Path) -> None:
    """A file, or the names in a folder."""
    file = disk().open(path, os.O_RDONLY)
    try:
        disk().sync(file)
    finally:
        disk().close(file)


def rename_durably(path: Path, to: Path) -> None:
    """What is in the file is durable already."""
    disk().rename(path, to)
    make_durable(to.parent)


def remove_if_there(path: Path) -> None:
    with suppress(FileNotFoundError):
        disk().remove(path)


def make_private(path: Path) -> None:
    """An empty file that only its owner may read, before anything is in it; what SQLite adds to it gets its rights."""
    remove_if_there(path)  # what a power cut left of an earlier one
    disk().close(disk().open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))


def write_new(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Where there is none. Its bytes are durable then; its name is once the folder is."""
    file = disk().open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
    try:
        disk().write(file, data, 0)
        disk().sync(file)
    finally:
        disk().close(file)


def overwrite(path: Path, data: bytes) -> None:
    """What may be torn or forgotten, since nothing rests on it."""
    file = disk().open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o666)
    try:
        disk().write(file, data, 0)
    finally:
        disk().close(file)


def write_again(path: Path) -> None:
    """What a file holds, on the disk for certain. After a sync that failed, the system takes what it could not write
    for written: whoever reads it sees what no power cut would leave, and no later sync brings it there."""
    data = path.read_bytes()
    file = disk().open(path, os.O_WRONLY)
    try:
        disk().write(file, data, 0)
        disk().sync(file)
    finally:
        disk().close(file)


def replace_file(path: Path, data: bytes) -> None:
    """Durable when it returns, its owner's alone, and never half written: a power cut leaves it or the one before."""
    draft = draft_of(path)
    remove_if_there(draft)
    write_new(draft, data)
    rename_durably(draft, path)


def make_durable_folder(folder: Path) -> None:
    """With those above it that are missing. A folder whose name is forgotten takes all that is in it along."""
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))
    missing = [one for one in (folder.absolute(), *folder.absolute().parents) if not one.exists()]
    for one in reversed(missing):
        disk().make_folder(one)
        make_durable(one.parent)
