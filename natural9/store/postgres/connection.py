"""One connection to a database, for one thread at a time: asyncpg on an event loop that only it turns."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import asyncpg

from natural9.store.contract import Corrupt, StoreFailed

SCHEMA = "natural9"
CONNECT_S = 10.0
# What is written counts once it is on the disk (and at the standby, where one is waited for), whatever the server's
# own settings; every statement sees what is committed when it begins; who is gone is noticed.
SETTINGS = {
    "search_path": SCHEMA,
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "client_connection_check_interval": "1000",  # milliseconds
    "jit": "off",  # for statements of hours, not of microseconds
}
# The server is away, stopped, starting, or (after a fail-over) not the one that is written to.
GONE = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # its words for a server that said goodbye a moment ago
    asyncpg.OperatorInterventionError,
    asyncpg.ReadOnlySQLTransactionError,
    asyncpg.TooManyConnectionsError,
    OSError,  # with it a timeout
)
DAMAGED = (asyncpg.DataCorruptedError, asyncpg.IndexCorruptedError, asyncpg.UndefinedTableError)

Row = Any  # a tuple of whatever the statement names
Result = TypeVar("Result")


class ConnectionLost(StoreFailed):
    """Whether the last statement was carried out is unknown."""


@contextmanager
def speaking_of(name: str) -> Iterator[None]:
    """What asyncpg says of a database, as this room says it. What our own functions raise stays as it is."""
    try:
        yield
    except GONE as error:
        raise ConnectionLost(f"{name} cannot be reached: {_words(error)}") from error
    except DAMAGED as error:
        raise Corrupt(f"{name} is damaged: {_words(error)}") from error
    except asyncpg.PostgresError as error:
        if error.sqlstate.startswith(("N9", "22", "23", "40")):
            raise
        raise StoreFailed(f"{name} cannot be used: {_words(error)}") from error


def _words(error: BaseException) -> str:
    return str(error) or type(error).__name__


class DatabaseConnection:
    """Opened at once, and again by `reopen`."""

    def __init__(
        self,
        address: str,
        *,
        application: str = SCHEMA,
        timeout_s: float | None = None,
        connect_s: float = CONNECT_S,
    ) -> None:
        self.name = address
        self._application = application
        self._timeout_s = timeout_s
        self._connect_s = connect_s
        self._loop = asyncio.new_event_loop()
        try:
            self._raw = self._open()
        except BaseException:
            self._loop.close()
            raise

    def _open(self) -> "asyncpg.Connection[asyncpg.Record]":
        return self._do(
            asyncpg.connect(
                self.name,
                timeout=self._connect_s,
                command_timeout=self._timeout_s,
                server_settings={**SETTINGS, "application_name": self._application},
            )
        )

    def reopen(self) -> None:
        """What was told to the connection before, such as a lock or a moment, is gone."""
        self._raw.terminate()
        self._raw = self._open()

    def fetch(self, sql: str, *values: object) -> list[Row]:
        return self._do(self._raw.fetch(sql, *values))

    def execute(self, sql: str) -> None:
        """One statement or several, which then are carried out together or not at all."""
        self._do(self._raw.execute(sql))

    def _do(self, asked: Coroutine[Any, Any, Result]) -> Result:
        with speaking_of(self.name):
            return self._loop.run_until_complete(asked)

    def close(self) -> None:
        self._raw.terminate()
        self._loop.run_until_complete(asyncio.sleep(0))  # its socket is closed by then
        self._loop.close()
