"""The journal in a database: written from one thread or by one process, read by another thread."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, asynccontextmanager, closing
from pathlib import Path

from natural9.store.contract import Access, Holds, StoreFailed
from natural9.store.group import Commits, owning
from natural9.store.opening_check import book_at_the_end
from natural9.store.postgres import process
from natural9.store.postgres.committer import open_committer
from natural9.store.postgres.connection import DatabaseConnection, speaking_of
from natural9.store.postgres.holds import DatabaseHolds
from natural9.store.postgres.integrity import check_records
from natural9.store.postgres.reader import DatabaseReader
from natural9.store.postgres.restarting import RestartedCommitter
from natural9.store.postgres.schema import check_schema, check_server, set_state
from natural9.store.postgres.shared import open_shared_committer
from natural9.store.process import CommitterProcess
from natural9.store.threaded import ThreadedStore

READ_S = 10.0  # what takes longer is lost with its connection; what takes long is read from a moment


class PostgresStore(ThreadedStore):
    """Made by `open_postgres`."""

    def __init__(self, place: Path, address: str, reader: DatabaseReader, committer: Commits | None) -> None:
        super().__init__(place, address, reader, committer)
        self._address = address
        self._connection = reader.connection

    @asynccontextmanager
    async def moment(self) -> AsyncIterator["PostgresStore"]:
        """On a connection of its own, so that no read of the tables waits for a report's."""
        if self._closed:
            raise StoreFailed("this store is closed")
        if self._writer is None:
            yield self  # it shows one moment already
            return
        still = await asyncio.to_thread(_open, self.place, self._address, Access.READ)
        try:
            yield still
        finally:
            await still.close()

    def _speaking(self) -> AbstractContextManager[None]:
        return speaking_of(self._address)

    def _check_indexes(self) -> int:
        return check_records(self._connection)


class SharedPostgresStore(PostgresStore):
    """Made by `open_shared_postgres`."""

    def __init__(self, place: Path, address: str, reader: DatabaseReader, committer: Commits, node: str) -> None:
        super().__init__(place, address, reader, committer)
        self._holds = DatabaseHolds(address, node)

    @property
    def holds(self) -> Holds:
        return self._holds

    def take_over(self, stream: str, epoch: int) -> Awaitable[int]:
        return self._put(owning(stream, epoch))

    def let_go(self, stream: str) -> "asyncio.Future[int]":
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def told(put: "asyncio.Future[int]") -> None:
            put.exception()
            if not answer.done():
                answer.set_result(0)

        asyncio.ensure_future(self._put(owning(stream, None))).add_done_callback(told)
        return answer

    @property
    def failures(self) -> int:
        return self._writer.failures if self._writer else 0

    async def close(self) -> None:
        self._holds.close()
        await super().close()


def open_postgres(place: Path, address: str, access: Access, *, accept_loss: bool = False) -> PostgresStore:
    """Open the journal at an address, and check its end. Who writes makes one in a database that has none.

    By a thread, because a connection turns an event loop of its own, and here one may be at work already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_open, place, address, access, accept_loss).result()


def open_shared_postgres(
    place: Path, address: str, access: Access, node: str, folder: Path | None
) -> SharedPostgresStore:
    """To write as this node, with others; what it knows to be durable is kept in this folder."""

    def opened() -> SharedPostgresStore:
        with speaking_of(address), ExitStack() as undo:
            committer: Commits = (
                RestartedCommitter(
                    lambda: CommitterProcess(process.__name__, address, address, str(folder or ""), node)
                )
                if access is Access.SERVE
                else open_shared_committer(address, node, folder)
            )
            undo.callback(committer.close)
            connection = DatabaseConnection(address, application="natural9, reading", timeout_s=READ_S)
            undo.callback(connection.close)
            store = SharedPostgresStore(place, address, DatabaseReader(connection, live=True), committer, node)
            undo.pop_all()
            return store

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(opened).result()


def _open(place: Path, address: str, access: Access, accept_loss: bool = False) -> PostgresStore:
    folder = place if place.is_dir() else None
    with speaking_of(address), ExitStack() as undo:
        committer: Commits | None = None
        if access is not Access.READ:
            committer = (
                CommitterProcess(process.__name__, address, address, str(folder or ""))
                if access is Access.SERVE
                else open_committer(address, folder=folder, accept_loss=accept_loss)
            )
            undo.callback(committer.close)
        connection = DatabaseConnection(address, application="natural9, reading")
        undo.callback(connection.close)
        reader = DatabaseReader(connection, live=committer is not None)
        if committer is None:
            check_server(connection)
            check_schema(connection, reading=True)
            reader.hold_moment()
            book_at_the_end(reader, address)
        store = PostgresStore(place, address, reader, committer)
        undo.pop_all()
        return store


def say_moved(address: str, target: str) -> None:
    """The records there are not written any more."""

    def say() -> None:
        with closing(DatabaseConnection(address)) as connection:
            set_state(connection, f"moved to {target}")

    with ThreadPoolExecutor(1) as thread:
        thread.submit(say).result()
