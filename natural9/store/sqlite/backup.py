"""A copy of a journal file, taken while a server writes it, and the way back."""

import os
from pathlib import Path

import apsw

from natural9.store.audit import Audit, audit
from natural9.store.contract import FLOATING, StoreFailed
from natural9.store.sqlite.schema import BUSY_MS, check_version, speaking_of
from natural9.store.sqlite.store import open_sqlite


def backup(path: Path | str, target: Path | str) -> None:
    """Copy a journal as it stands at this moment, from this process or another one, into one file of its own.

    The target appears only when it is whole and on the disk; one that exists already is refused.
    """
    path, target = Path(path), Path(target)
    if not path.exists():
        raise StoreFailed(f"there is no journal {path}")
    _copy(path, target)


async def restore(
    backup_file: Path | str, target: Path | str, *, may_go_below_zero: tuple[str, ...] = FLOATING
) -> Audit:
    """Audit a backup from its first entry to its last, then put a copy of it where a journal is missing."""
    backup_file, target = Path(backup_file), Path(target)
    _refuse_what_exists(target)
    store = open_sqlite(backup_file, read_only=True, may_go_below_zero=may_go_below_zero)
    try:
        found = await audit(store, may_go_below_zero=may_go_below_zero)
    finally:
        await store.close()
    _copy(backup_file, target)
    return found


def _refuse_what_exists(target: Path) -> None:
    # A log that lies about would be taken for the copy's own.
    for path in (target, *(target.with_name(target.name + log) for log in ("-wal", "-journal"))):
        if path.exists():
            raise StoreFailed(f"{path} exists already and is not overwritten: move it away or choose another name")
    if not target.parent.is_dir():
        raise StoreFailed(f"there is no folder {target.parent} to write {target.name} into")


def _copy(path: Path, target: Path) -> None:
    _refuse_what_exists(target)
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    try:
        with speaking_of(path):
            _copy_pages(path, part)
        _make_durable(part)
        part.rename(target)
        _make_durable(target.parent)
    except OSError as error:
        raise StoreFailed(f"{target} could not be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)


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


def _make_durable(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
