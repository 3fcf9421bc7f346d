"""A real PostgreSQL from a wheel, for the tests: one server a process, and an empty database for whoever asks."""

import atexit
import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import TypeVar

from natural9.server.cluster.engines import PostgresEngine
from natural9.server.cluster.keeper import keeper
from natural9.store.postgres.address import address_of
from natural9.store.postgres.connection import DatabaseConnection
from natural9.store.postgres.schema import make_schema

_numbers = count(1)
Done = TypeVar("Done")


class Server(PostgresEngine):
    """Tests kill processes and never the machine, so theirs syncs nothing; what is measured is `durable`."""

    def __init__(self, *, durable: bool = False) -> None:
        folder = Path(tempfile.mkdtemp(prefix="n9-pg-"))
        keeper().remove(folder)
        super().__init__(folder, durable=durable)
        self.start()

    def _command(self) -> list[str]:
        return [*super()._command(), *(() if self._durable else ("-c", "autovacuum=off"))]

    def new_database(self, *, made: bool = True) -> str:
        """Empty, or with a schema that was made once for all."""
        name = f"venue{next(_numbers)}"
        template = self.with_schema if made else "template1"
        self.psql(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return name

    def new_place(self, *, made: bool = True) -> Path:
        """The address of a database without records, as a place."""
        return Path(self.address(self.new_database(made=made)))

    @cached_property
    def with_schema(self) -> str:
        name = self.new_database(made=False)

        def make() -> None:
            with closing(DatabaseConnection(self.address(name))) as connection:
                make_schema(connection)

        aside(make)
        return name

    def end(self) -> None:
        self.stop(immediate=True)
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def aside(work: Callable[[], Done]) -> Done:
    """By another thread: this one may have an event loop at work, and a connection turns its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(work).result()


@cache
def server() -> Server:
    """Of this process."""
    made = Server()
    atexit.register(made.end)
    return made


def new_place(*, made: bool = True) -> Path:
    return server().new_place(made=made)


@cache
def _kept_place() -> Path:
    return new_place()


def emptied_place() -> Path:
    """One database that is emptied whenever it is asked for, which is faster than a new one."""
    place = _kept_place()
    psql(
        place,
        "TRUNCATE stream, journal, place, placed, account_transfer, tree, checkpoint, balance, meter, document, node,"
        " node_session; UPDATE head SET entries = 0, transfers = 0, hash = decode(repeat('00', 32), 'hex');"
        " DELETE FROM meta WHERE key IN ('lost', 'accepted'); UPDATE meta SET value = '' WHERE key = 'rules'",
    )
    return place


def database_of(place: Path) -> str:
    return str(place).partition("?")[0].rpartition("/")[2]


def address(place: Path) -> str:
    found = address_of(place)
    assert found is not None
    return found


def psql(place: Path, sql: str) -> str:
    """As somebody who reaches the database beside the program; triggers do not stop them."""
    return server().psql(
        f"SET search_path = natural9; SET session_replication_role = replica; {sql}", database_of(place)
    )


def end_connections(place: Path) -> None:
    """They have ended, and what they held is free, when this returns: without a limit it would only tell them to."""
    name = database_of(place)
    server().psql(f"SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'")
