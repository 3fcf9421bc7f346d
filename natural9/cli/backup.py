"""`natural9 backup`: a copy of a venue, taken while its server runs."""

import shlex
import stat
import tomllib
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Annotated

import typer

from natural9.cli.records import VenueFolder, check_venue, journal_of, read_records
from natural9.core.errors import BadInput
from natural9.disk.durable import make_durable, make_durable_folder, remove_if_there, write_new
from natural9.server.people.keys import KEY_FILE, save_keys, save_private, venue_keys
from natural9.server.proof.signing_key import CHECKPOINT_KEY_FILE
from natural9.store.contract import Corrupt, StoreFailed
from natural9.store.opening import copy_records
from natural9.table.venue.venue import VENUE_FILE, load_venue


def backup(
    venue: VenueFolder,
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="A new folder for the copy.")],
) -> None:
    """Copy a venue, even while its server runs.

    The copy has the journal as it is now, the venue's .toml files and rule packs, the certificates of its time-stamp
    authority and its keys: keep it as safe as the venue itself. It has no TLS certificates.

    Example: natural9 backup my-venue backups/monday
    """
    check_venue(venue)
    journal_of(venue)
    make_folder(target)
    copied = copy_venue(venue, target)
    size = (target / copied[-1]).stat().st_size
    print(f"{target} holds {', '.join(copied)}; the journal has {size:,} bytes.")
    print(f"Check it: natural9 verify {shlex.quote(str(target))}")
    if KEY_FILE not in copied and read_records(venue, lambda store: store.head()).seq:
        raise BadInput(
            "no-key",
            f"the copy is without a key, because {venue} has no {KEY_FILE}: restore it from an older backup, then "
            "back up again; without it no sealed shoe is opened and no voucher checked",
        )


def make_folder(folder: Path) -> None:
    """A folder that only its owner may look into; what lies in it already is not overwritten."""
    if folder.is_dir() and any(folder.iterdir()):
        raise BadInput("folder-not-empty", f"{folder} is not empty, and nothing is overwritten: name a new folder")
    try:
        make_durable_folder(folder)
    except OSError as error:
        raise BadInput("bad-folder", f"{folder} cannot be made: {error.strerror}") from None


def copy_venue(source: Path, target: Path) -> list[str]:
    """The journal comes last: a folder that has one is whole. A copy that fails leaves nothing: no keys without it."""
    copied: list[Path] = []
    try:
        return _copied(source, target, copied)
    except BaseException:
        with suppress(OSError):
            _take_back(target, copied)
        raise


def _copied(source: Path, target: Path, copied: list[Path]) -> list[str]:
    try:
        keys = [source / KEY_FILE, source / CHECKPOINT_KEY_FILE]
        for path in [*sorted(source.glob("*.toml")), *_packs_below(source), *_certificates(source), *keys]:
            if path.is_file():
                name = path.relative_to(source)
                make_durable_folder((target / name).parent)
                _copy(path, target / name)
                copied.append(name)
        make_durable(target)
    except OSError as error:
        raise BadInput("copy-failed", f"{error.filename}: {error.strerror}") from None
    try:
        journal = copy_records(source, target)
    except (StoreFailed, Corrupt) as error:
        raise BadInput("copy-failed", str(error)) from None
    copied.append(Path(journal.name))
    _add_new_keys(source, target)
    return [str(name) for name in copied]


def _take_back(target: Path, copied: list[Path]) -> None:
    """Only what this copy wrote: whoever asks again finds the folder empty, as it was."""
    for name in copied:
        remove_if_there(target / name)
        for folder in [*name.parents][:-1]:
            with suppress(OSError):  # something else is in it
                (target / folder).rmdir()


def _packs_below(source: Path) -> list[Path]:
    """The rule packs that the venue file names in folders below its own; those beside it are taken anyway."""
    try:
        text = (source / VENUE_FILE).read_text(encoding="utf-8")
        games = {str(one["game"]) for one in tomllib.loads(text)["table"]}
    except (OSError, ValueError, LookupError, TypeError):  # whatever is wrong with it is no reason to have no backup
        return []
    parts = [(name, PurePath(name).parts) for name in sorted(games) if name.endswith(".toml") and name.isprintable()]
    return [source / name for name, part in parts if len(part) > 1 and part[0] != "/" and ".." not in part]


def _certificates(source: Path) -> list[Path]:
    """Of the time-stamp authority, which its venue file names: nothing secret, and nothing starts without them."""
    try:
        authority = load_venue(source / VENUE_FILE).proof.stamp_authority
    except BadInput:  # whatever is wrong with it is no reason to have no backup
        return []
    return [authority.path] if authority else []


def _add_new_keys(source: Path, target: Path) -> None:
    """The key may be changed while the journal is copied: the copy gets the keys from before and after."""
    now, copied = _both(source, target, CHECKPOINT_KEY_FILE)
    if now != copied:
        lines = dict.fromkeys(copied.splitlines() + now.splitlines())
        save_private(target / CHECKPOINT_KEY_FILE, b"".join(line + b"\n" for line in lines))
    now, copied = _both(source, target, KEY_FILE)
    if now != copied:
        held = venue_keys(target)
        save_keys(target, (*held, *[key for key in venue_keys(source) if key not in held]))


def _both(source: Path, target: Path, name: str) -> tuple[bytes, bytes]:
    now, copied = [path.read_bytes() if path.is_file() else b"" for path in (source / name, target / name)]
    return now, copied


def _copy(path: Path, target: Path) -> None:
    """With the same rights: a key stays its owner's alone from its first byte on."""
    mode = 0o600 if path.name in (KEY_FILE, CHECKPOINT_KEY_FILE) else stat.S_IMODE(path.stat().st_mode)
    data = path.read_bytes()
    try:
        write_new(target, data, mode)
    except FileExistsError:
        raise  # it is somebody else's
    except BaseException:  # half of it, on a disk that is full
        with suppress(OSError):
            remove_if_there(target)
        raise
