"""A copy of a journal file, taken while a server writes it."""

import os
from pathlib import Path

import apsw

from natural9.disk.durable import make_durable, make_private, remove_if_there, rename_durably
from natural9.store.contract import StoreFailed
from natural9.store.sqlite.schema import BUSY_MS, JOURNAL_FILE, check_version, is_there, journal_file, speaking_of


def copy_sqlite(place: Path, folder: Path) -> Path:
    """Copy a journal as it stands at this moment, from this process or another one, into a folder without one.

    The copy appears only when it is whole and on the disk.
    """
    path, copy = journal_file(place), folder / JOURNAL_FILE
    if not is_there(path):
        raise StoreFailed(f"there is no journal {path}")
    if not folder.is_dir():
        raise StoreFailed(f"there is no folder {folder} to write {copy.name} into")
    # A log that lies about would be taken for the copy's own.
    for name in (copy, *(copy.with_name(copy.name + log) for log in ("-wal", "-journal"))):
        if name.exists():
            raise StoreFailed(f"{name} exists already and is not overwritten: move it away or choose another folder")
    part = copy.with_name(f"{copy.name}.part-{os.getpid()}")
    try:
        with speaking_of(path, f"be copied to {copy}"):
            make_private(part)
            _copy_pages(path, part)
            make_durable(part)
            rename_durably(part, copy)
    finally:
        remove_if_there(part)
    return copy


def _copy_pages(path: Path, part: Path) -> None:
    """All pages in one step: a copy in several would begin again whenever the server writes."""
    source = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    copy = apsw.Connection(str(part))
    try:
        source.set_busy_timeout(BUSY_MS)
        check_version(source, path)
        with copy.backup("main", source, "main") as pages:
            pages.step()
        copy.pragma("journal_mode", "delete")  # one file, which can be read from a write-protected medium
    finally:
        copy.close()
        source.close()
