"""`natural9 backup`: a copy of a venue, taken while its server runs."""

import os
import stat
from pathlib import Path
from typing import Annotated

import typer

from natural9.core.errors import BadInput
from natural9.server.people.keys import KEY_FILE
from natural9.store.contract import Corrupt, StoreFailed
from natural9.store.opening import copy_records, find_records
from natural9.table.venue import VENUE_FILE


def backup(
    venue: Annotated[Path, typer.Argument(metavar="VENUE", help="The folder of the venue.")],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="A new folder for the copy.")],
) -> None:
    """Copy a venue's journal as it stands at this moment, its files and its key into a folder of their own.

    The server may run. The copy holds the key of the venue: keep it as safe as the venue itself. Certificates for TLS
    are not copied.

    Example: natural9 backup my-venue backups/monday
    """
    check_venue(venue)
    make_folder(target)
    copied = copy_venue(venue, target)
    size = (target / copied[-1]).stat().st_size
    print(f"{target} holds {', '.join(copied)}; the journal has {size:,} bytes.")
    if KEY_FILE not in copied:
        print(f"There is no {KEY_FILE} in {venue} yet: nothing was ever signed or sealed with it.")
    print(f"Try it: natural9 verify {target}")


def check_venue(folder: Path) -> None:
    for name, there in ((VENUE_FILE, (folder / VENUE_FILE).is_file()), ("journal", find_records(folder))):
        if not there:
            raise BadInput("no-venue", f"{folder} is no venue that has been played: there is no {name} in it")


def make_folder(folder: Path) -> None:
    """A folder that only its owner may look into; what lies in it already is not overwritten."""
    if folder.is_dir() and any(folder.iterdir()):
        raise BadInput("folder-not-empty", f"{folder} is not empty, and nothing is overwritten: choose a new folder")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput("bad-folder", f"{folder} cannot be made: {error.strerror}") from None


def copy_venue(source: Path, target: Path) -> list[str]:
    """The journal comes last: a folder that has one is whole."""
    copied = []
    try:
        for path in [*sorted(source.glob("*.toml")), source / KEY_FILE]:
            if path.is_file():
                _copy(path, target / path.name)
                copied.append(path.name)
    except OSError as error:
        raise BadInput("copy-failed", f"{error.filename}: {error.strerror}") from None
    try:
        journal = copy_records(source, target)
    except (StoreFailed, Corrupt) as error:
        raise BadInput("copy-failed", str(error)) from None
    return [*copied, journal.name]


def _copy(path: Path, target: Path) -> None:
    """With the same rights: a key stays its owner's alone from its first byte on."""
    mode = 0o600 if path.name == KEY_FILE else stat.S_IMODE(path.stat().st_mode)
    handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "wb") as file:
        file.write(path.read_bytes())
        file.flush()
        os.fsync(file.fileno())
