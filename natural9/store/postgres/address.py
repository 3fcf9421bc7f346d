"""Where a database is: an address as everybody writes it, but for the password, which stands in none of ours."""

import re
import tomllib
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from natural9.store.contract import StoreFailed
from natural9.store.sqlite.head_file import head_path
from natural9.store.sqlite.schema import JOURNAL_FILE

ADDRESS_FILE = "journal.postgresql"  # in the folder of a venue whose records are in a database: its address
VENUE_FILE = "venue.toml"  # where [cluster] may name it as well
_SCHEME = re.compile(r"postgres(?:ql)?:/+")


def address_of(place: Path) -> str | None:
    """The address that a place is, or that lies in it; None where the records are a file.

    A path keeps one slash where an address has two or three: with one name after it, that is the database's.
    """
    written = str(place)
    if found := _SCHEME.match(written):
        rest = written[found.end() :]
        alone = "/" not in rest.partition("?")[0]
        return checked(f"postgresql://{'/' if alone else ''}{rest}")
    file, venue_file = place / ADDRESS_FILE, place / VENUE_FILE
    try:
        address = checked(file.read_text(encoding="utf-8").strip(), f"{file}: ") if file.is_file() else None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreFailed(f"{file} cannot be read: {error}") from error
    named = named_by(venue_file)
    if address and named and address != named:
        raise StoreFailed(f"{file} says {address}, and [cluster] in {venue_file} says {named}: which of them is it?")
    return address or (None if _has_journal(place) else named)


def _has_journal(folder: Path) -> bool:
    """Played before it had a database, or restored: its records are the file until they are moved."""
    journal = folder / JOURNAL_FILE
    return journal.exists() or head_path(journal).exists()


def named_by(venue_file: Path) -> str | None:
    """The database of [cluster]. What is wrong in the file is for those to say who read all of it."""
    try:
        said = tomllib.loads(venue_file.read_text(encoding="utf-8"))
        named = said["cluster"]["database"]
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return checked(named, f"{venue_file}: ") if isinstance(named, str) and named else None


def checked(address: str, where: str = "") -> str:
    """The same; StoreFailed where it is none, or has a password in it, which is not repeated."""
    try:
        parts = urlsplit(address)
        named = {key for key, _ in parse_qsl(parts.query)}
        has_password = parts.password is not None or "password" in named
        machines = [urlsplit(f"//{one}") for one in parts.netloc.rpartition("@")[2].split(",")]  # any of several
        can_be_asked = all(one.port != 0 and (one.hostname or "localhost").encode("idna") for one in machines)
    except ValueError:
        raise StoreFailed(f"{where}this is no address of a database: postgresql://USER@HOST/DATABASE") from None
    if has_password:
        raise StoreFailed(
            f"{where}leave the password out of the address: put it into a file that only you can read, and its name"
            " into PGPASSFILE, or set PGPASSWORD"
        )
    if not _SCHEME.match(address) or not parts.path.strip("/") or not can_be_asked:
        raise StoreFailed(f"{where}this is no address of a database: postgresql://USER@HOST/DATABASE")
    return address
