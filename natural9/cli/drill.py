"""`natural9 drill`: a backup that was never restored is none, so the newest is, beside, and thrown away."""

import asyncio
import os
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

from natural9.cli.backup import copy_venue
from natural9.cli.doctor_records import missing_keys
from natural9.cli.progress import progress_bar
from natural9.cli.records import read_records, show_time, zone_of
from natural9.cli.restore import begin_again
from natural9.cli.shared import JsonOption, print_json
from natural9.core.errors import BadInput
from natural9.server.cluster.keeper import is_alive
from natural9.server.reports.examination import verify_records
from natural9.store.contract import Corrupt, StoreFailed
from natural9.store.sqlite.schema import JOURNAL_FILE
from natural9.table.audit.findings import Verified
from natural9.table.venue.venue import VENUE_FILE, load_venue

SCRATCH: Final = ".natural9-drill-"
ROOM: Final = 1.2  # of a backup's size: SQLite writes beside what it copies


def drill(
    backups: Annotated[Path, typer.Argument(metavar="BACKUPS", help="The folder with the backups, or one backup.")],
    scratch: Annotated[
        Path | None,
        typer.Option("--scratch", metavar="FOLDER", help="Where to restore it.  [default: beside the backup]"),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Restore the newest backup as a test, and verify it.

    It does all that a real restore does, in a folder of its own, says how long it took, and leaves nothing behind. The
    venue, its server and the backup are not touched. Exit 1: the backup does not hold, and the first wrong line is
    named.

    Example: natural9 drill backups
    """
    backup = newest_backup(backups)
    place = scratch or backup.parent
    _check_room(place, backup)
    with _scratch_folder(place) as folder:
        began = time.perf_counter()
        copy_venue(backup, folder)
        copied = time.perf_counter()
        found = _verify(folder)
        verified = time.perf_counter()
        last_ms = 0 if found.fault else _begin(folder, found.entries)
        lacks = "" if found.fault else _lacks(folder)
        restore_s = round(copied - began + time.perf_counter() - verified, 1)
        verify_s = round(verified - copied, 1)
    if json:
        print_json(
            {
                "backup": str(backup),
                "holds": found.fault is None,
                "words": found.fault.words if found.fault else "",
                "entries": found.entries,
                "rounds": found.rounds,
                "last_entry_ms": last_ms,
                "restore_s": restore_s,
                "verify_s": verify_s,
                "lacks": lacks,
            }
        )
    elif found.fault:
        print(f"{backup} does NOT hold: a venue could not be restored from it. The first line that is wrong:")
        print(f"  {found.fault.words}")
    else:
        size = (backup / JOURNAL_FILE).stat().st_size
        print(f"{backup} holds: {found.entries:,} entries, {found.rounds:,} rounds, {size:,} bytes.")
        print(f"  restored in {restore_s:.1f} s and verified in {verify_s:.1f} s: {restore_s + verify_s:.1f} s in all")
        print(f"  its last entry is of {show_time(last_ms, zone_of(backup))}: what came after it would be lost")
        if lacks:
            print(f"  it cannot be served as it is; bring what the backup leaves out: {lacks}")
        print("Nothing of the drill is left.")
    return 1 if found.fault else 0


def newest_backup(place: Path) -> Path:
    """The backup that was finished last; one that was cut short has no journal, and is none."""
    if not place.is_dir():
        raise BadInput("no-backup", f"there is no folder {place}: name the one that has your backups")
    if (place / VENUE_FILE).is_file():
        if (place / JOURNAL_FILE).is_file():
            return place
        raise BadInput("no-backup", f"{place} is not a whole backup, because it has no {JOURNAL_FILE}: back up again")
    try:
        folders = [one for one in place.iterdir() if (one / VENUE_FILE).is_file() and not one.name.startswith(SCRATCH)]
    except OSError as error:
        raise BadInput("no-backup", f"{place} cannot be read: {error.strerror}") from None
    whole = [(journal.stat().st_mtime_ns, one) for one in folders if (journal := one / JOURNAL_FILE).is_file()]
    if not whole:
        cut_short = f"; {len(folders)} there were cut short" if folders else ""
        make = f"natural9 backup VENUE {shlex.quote(str(place / 'monday'))}"
        raise BadInput("no-backup", f"{place} holds no backup{cut_short}: {make} makes one")
    return max(whole)[1]


def _check_room(place: Path, backup: Path) -> None:
    try:
        free = shutil.disk_usage(place).free
    except OSError as error:
        raise BadInput("bad-folder", f"{place} cannot be used: {error.strerror}") from None
    needed = int((backup / JOURNAL_FILE).stat().st_size * ROOM)
    if free < needed:
        raise BadInput(
            "no-room", f"{place} has {free:,} bytes free, and the drill needs {needed:,}: name another by --scratch"
        )


@contextmanager
def _scratch_folder(place: Path) -> Iterator[Path]:
    """Gone afterwards, even if we are asked to stop; what a killed drill left there is gone before."""
    for left in place.glob(f"{SCRATCH}*"):
        pid = left.name.removeprefix(SCRATCH).partition("-")[0]
        if pid.isdecimal() and not is_alive(int(pid)):
            shutil.rmtree(left, ignore_errors=True)
    try:
        folder = Path(tempfile.mkdtemp(prefix=f"{SCRATCH}{os.getpid()}-", dir=place))
    except OSError as error:
        raise BadInput(
            "bad-folder", f"nothing can be written in {place}: {error.strerror}; --scratch names another"
        ) from None
    former = signal.signal(signal.SIGTERM, _asked_to_stop)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        signal.signal(signal.SIGTERM, former)


def _asked_to_stop(*_: object) -> NoReturn:
    sys.exit(143)


def _verify(folder: Path) -> Verified:
    try:
        return verify_records(folder, by_head_copy=False, progress=progress_bar("entries"))
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None


def _begin(folder: Path, entries: int) -> int:
    """As `natural9 restore` does: a copy that cannot be written is no venue. When the last entry before that was."""
    try:
        asyncio.run(begin_again(folder, entries))
    except (StoreFailed, Corrupt) as error:
        raise BadInput("store-failed", f"the restored copy cannot be written: {error}") from None
    last = read_records(folder, lambda store: store.entries(after=entries - 1, limit=1))
    return last[0].at_ms


def _lacks(folder: Path) -> str:
    """What it cannot be served without, in words: a key, or a file that the venue file names; empty where nothing is
    missing."""
    try:
        load_venue(folder / VENUE_FILE)
        return missing_keys(folder)
    except BadInput as error:
        return str(error).replace(f"{folder}{os.sep}", "")
