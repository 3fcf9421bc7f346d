"""Which store keeps the records of a venue: the one way to open, find, copy and move them.

A `place` is the folder of a venue, a journal file by itself, such as the copy that an auditor was given, or the address
of a database, postgresql://USER@HOST/DATABASE. A folder whose records are in a database has a file with its address.
What speaks to a database is loaded only where there is one.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

from natural9.disk.calls import disk
from natural9.disk.durable import make_durable, replace_file
from natural9.extras import lacking
from natural9.store.contract import Access, SharedStore, Store, StoreFailed
from natural9.store.copying import RecordsCopy, copy_all
from natural9.store.postgres.address import ADDRESS_FILE, VENUE_FILE, address_of, named_by
from natural9.store.sqlite.backup import copy_sqlite
from natural9.store.sqlite.copy_in import SqliteCopy
from natural9.store.sqlite.head_file import head_path
from natural9.store.sqlite.schema import JOURNAL_FILE, journal_file
from natural9.store.sqlite.store import open_sqlite

MOVED = ".moved"  # how the name of what was moved elsewhere ends


def open_store(
    place: Path,
    access: Access,
    *,
    head_copy: Path | None = None,
    accept_loss: bool = False,
    at_once: bool = False,
) -> Store:
    """The records of a place. Who writes may begin them in a folder; who reads gets StoreFailed if there are none.

    Who writes a file keeps the last head that was acknowledged in a file beside the journal, and in a copy of it
    elsewhere if told where; a journal behind it raises LostEntries. With `accept_loss` it is taken as it is, from the
    first entry that is then written. Of a database the nodes that wrote it keep what they know in a file each.

    Who does nothing else meanwhile has a file read `at_once`, by no thread of its own: what one core reads and another
    looks at goes from core to core.
    """
    if address := address_of(place):
        _check_asyncpg(address)
        from natural9.store.postgres.store import open_postgres

        return open_postgres(place, address, access, accept_loss=accept_loss)
    return open_sqlite(place, access, head_copy=head_copy, accept_loss=accept_loss, at_once=at_once)


def open_shared(place: Path, access: Access, *, node: str, folder: Path | None) -> SharedStore:
    """The records of a place in a database, to be written by this node beside others. What it knows to be durable is
    kept in a file of this folder; LostEntries where the database has lost any of that."""
    address = address_of(place)
    if not address:
        raise StoreFailed(f"{place} is one machine's: several write only records in a database (natural9 move)")
    _check_asyncpg(address)
    from natural9.store.postgres.store import open_shared_postgres

    return open_shared_postgres(place, address, access, node, folder)


def _check_asyncpg(address: str) -> None:
    try:
        import asyncpg  # noqa: F401
    except ModuleNotFoundError:
        raise StoreFailed(f"{address} needs {lacking('asyncpg')}") from None


def find_records(place: Path) -> str | None:
    """Where the records of a place lie, in words for people; None if nothing was ever recorded there."""
    if address := address_of(place):
        return address
    path = journal_file(place)
    return str(path) if path.exists() or head_path(path).is_file() else None


def copy_records(place: Path, folder: Path) -> Path:
    """Copy the records as they stand now into a folder that has none, while a server may write. Returns the copy.

    It is a journal file, wherever they come from."""
    if not address_of(place):
        return copy_sqlite(place, folder)

    async def copied() -> None:
        store = open_store(place, Access.READ)
        try:
            copy = SqliteCopy(folder, with_head=False)
            try:
                await copy_all(store, copy)
                copy.open()
            finally:
                copy.close()
        finally:
            await store.close()

    with ThreadPoolExecutor(1) as thread:  # here an event loop may be at work already
        thread.submit(asyncio.run, copied()).result()
    return folder / JOURNAL_FILE


def begin_copy(place: Path) -> RecordsCopy:
    """Into a place without records, or StoreFailed: a database by its address, else a journal file or its folder."""
    if address := address_of(place) if not place.is_dir() else None:
        _check_asyncpg(address)
        from natural9.store.postgres.copy_in import PostgresCopy

        with ThreadPoolExecutor(1) as thread:  # a connection turns an event loop of its own
            return thread.submit(PostgresCopy, address).result()
    if place.is_dir() and (named := named_by(place / VENUE_FILE)):
        raise StoreFailed(
            f"{place / VENUE_FILE} names a database in [cluster], so no file is begun here: write {named} into"
            f" {place / ADDRESS_FILE}, leave it out of the venue file, and move again"
        )
    return SqliteCopy(place)


def retire_records(place: Path, target: Path) -> None:
    """Nobody goes on with what was moved: a folder says where its records are from now on, and what was there is kept
    under another name, or says of itself that it was moved."""
    address, to = address_of(place), address_of(target) if not target.is_dir() else None
    if place.is_dir() and to:
        replace_file(place / ADDRESS_FILE, f"{to}\n".encode())
    if address:
        from natural9.store.postgres.store import say_moved

        if place.is_dir() and not to and journal_file(target.absolute()).parent == place.absolute():
            _put_aside(place / ADDRESS_FILE)
        say_moved(address, str(target))
    else:
        path = journal_file(place)
        for name in (path, head_path(path)):
            if name.exists():
                _put_aside(name)
        make_durable(path.parent)


def _put_aside(path: Path) -> None:
    """Under a name that is free: what was moved away before stays, too."""
    names = (path.with_name(f"{path.name}{MOVED}{number or ''}") for number in count())
    disk().rename(path, next(name for name in names if not name.exists()))
