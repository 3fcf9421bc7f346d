"""Which store keeps the records of a venue: the one way to open, find and copy them.

A `place` is the folder of a venue, a journal file by itself, such as the copy that an auditor was given, or the address
of a database, postgresql://USER@HOST/DATABASE. A folder whose records are in a database has a file with its address.
What speaks to a database is loaded only where there is one.
"""

from pathlib import Path

from natural9.store.contract import Access, Store, StoreFailed
from natural9.store.postgres.address import address_of
from natural9.store.sqlite.backup import copy_sqlite
from natural9.store.sqlite.head_file import head_path
from natural9.store.sqlite.schema import journal_file
from natural9.store.sqlite.store import open_sqlite


def open_store(place: Path, access: Access, *, head_copy: Path | None = None, accept_loss: bool = False) -> Store:
    """The records of a place. Who writes may begin them in a folder; who reads gets StoreFailed if there are none.

    Who writes keeps the last head that was acknowledged in a file beside the journal, and in a copy of it elsewhere if
    told where; a journal behind it raises LostEntries. With `accept_loss` it is taken as it is, from the first entry
    that is then written.
    """
    if address := address_of(place):
        try:
            from natural9.store.postgres.store import open_postgres
        except ModuleNotFoundError:
            raise StoreFailed(
                f"{address} cannot be used, because asyncpg is not installed: pip install 'natural9[postgres]'"
            ) from None
        return open_postgres(place, address, access)
    return open_sqlite(place, access, head_copy=head_copy, accept_loss=accept_loss)


def find_records(place: Path) -> str | None:
    """Where the records of a place lie, in words for people; None if nothing was ever recorded there."""
    if address := address_of(place):
        return address
    path = journal_file(place)
    return str(path) if path.is_file() or head_path(path).is_file() else None


def copy_records(place: Path, folder: Path) -> Path:
    """Copy the records as they stand now into a folder that has none, while a server may write. Returns the copy."""
    return copy_sqlite(place, folder)
