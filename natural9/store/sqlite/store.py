"""The journal in one SQLite file: written from one thread or by one process, read by another thread."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager
from pathlib import Path

import apsw

from natural9.store.contract import Access, Corrupt, StoreFailed
from natural9.store.group import Commits
from natural9.store.opening_check import book_at_the_end
from natural9.store.process import CommitterProcess
from natural9.store.sqlite import process
from natural9.store.sqlite.committer import open_committer
from natural9.store.sqlite.file_lock import lock_path
from natural9.store.sqlite.head_file import Heads, head_path
from natural9.store.sqlite.integrity import check_file, check_layout
from natural9.store.sqlite.reader import Reader
from natural9.store.sqlite.rights import tighten, warn_of_folder
from natural9.store.sqlite.schema import BUSY_MS, check_version, is_there, journal_file, journal_files, speaking_of
from natural9.store.threaded import ThreadedStore


class SqliteStore(ThreadedStore):
    """Made by `open_sqlite`."""

    def __init__(
        self, place: Path, path: Path, reader: Reader, committer: Commits | None, *, at_once: bool = False
    ) -> None:
        super().__init__(place, str(path), reader, committer, at_once=at_once)
        self._path = path
        self._connection = reader.connection

    @asynccontextmanager
    async def moment(self) -> AsyncIterator["SqliteStore"]:
        """The file is opened once more, so that no read of the tables waits for a report's."""
        if self._closed:
            raise StoreFailed("this store is closed")
        if self._writer is None:
            yield self  # it shows one moment already
            return
        still = await asyncio.to_thread(open_sqlite, self._path, Access.READ)
        try:
            yield still
        finally:
            await still.close()

    def _speaking(self) -> AbstractContextManager[None]:
        return speaking_of(self._path)

    def _check_indexes(self) -> int:
        return check_file(self._connection, self._path)


def open_sqlite(
    place: Path,
    access: Access,
    *,
    head_copy: Path | None = None,
    accept_loss: bool = False,
    at_once: bool = False,
) -> SqliteStore:
    """Open the journal of a folder, or a journal file by itself, and check its end.

    Who writes makes a journal where a folder has none. Who reads needs no lock, and sees the journal as it stood at
    that moment, however long a server goes on writing it: a report adds up, and an audit comes to an end.
    """
    place = place.absolute()
    try:
        path = journal_file(place).resolve()  # one file has one lock, whatever link it is opened by
    except (OSError, RuntimeError):
        raise StoreFailed(f"{journal_file(place)} is a link that leads to itself") from None
    if not is_there(path):
        if not place.is_dir():
            raise StoreFailed(f"there is no folder or journal {place}")
        if access is Access.READ:
            if head_path(path).exists():
                raise Corrupt(f"{path} is missing, though {head_path(path).name} says that there was one")
            raise StoreFailed(f"there is no journal in {place}: nothing was ever recorded there")
    elif not path.stat().st_size and head_path(path).exists():
        raise Corrupt(f"{path} is empty, though {head_path(path).name} says that there were entries")
    with speaking_of(path), ExitStack() as undo:
        committer: Commits | None = None
        if access is not Access.READ:
            warn_of_folder(path.parent)
            tighten([*journal_files(path), lock_path(path), head_path(path)])
            committer = (
                CommitterProcess(process.__name__, str(path), str(path), *([str(head_copy)] if head_copy else []))
                if access is Access.SERVE
                else open_committer(path, head_copy=head_copy, accept_loss=accept_loss)
            )
            undo.callback(committer.close)
        reading = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        undo.callback(reading.close)
        reading.set_busy_timeout(BUSY_MS)
        reader = Reader(reading, path)
        if committer is None:
            # Before anything is read: a server that writes meanwhile only goes further. A backup has no such file
            # beside it, and need not go as far as the venue whose settings lie there.
            heads = Heads(path, head_copy if head_path(path).exists() else None)
            reading.execute("BEGIN")  # until it is closed: everything is read from one moment
            check_version(reading, path)
            check_layout(reading, path)
            heads.check(reader, book_at_the_end(reader, str(path)).head, reading=True)
        store = SqliteStore(place, path, reader, committer, at_once=at_once)
        undo.pop_all()
        return store
