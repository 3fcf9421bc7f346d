"""One connection to a database on the event loop that serves: opened when it is needed, and again when it was lost."""

import asyncio
from typing import TYPE_CHECKING

import asyncpg

from natural9.store.postgres.connection import GONE, SETTINGS, Row, speaking_of

if TYPE_CHECKING:
    RawConnection = asyncpg.Connection[asyncpg.Record]
else:
    RawConnection = asyncpg.Connection


class DatabaseLine:
    """One question at a time. After one that was not answered, or that nobody waits for any more, the next has a new
    connection: what the old one held is gone."""

    def __init__(self, address: str, application: str, answer_s: float, open_s: float | None = None) -> None:
        """How long an answer may take, and one for which the connection has to be opened first."""
        self.times_opened = 0
        self._address = address
        self._application = application
        self._answer_s = answer_s
        self._open_s = answer_s if open_s is None else open_s
        self._raw: RawConnection | None = None
        self._turn = asyncio.Lock()

    async def ask(self, sql: str, *values: object) -> list[Row]:
        async with self._turn:
            with speaking_of(self._address):
                try:
                    raw = self._raw
                    if raw and not raw.is_closed():
                        async with asyncio.timeout(self._answer_s):
                            return await raw.fetch(sql, *values)
                    async with asyncio.timeout(self._open_s):
                        self._raw = raw = await self._open()
                        self.times_opened += 1
                        return await raw.fetch(sql, *values)
                except asyncpg.PostgresError as refused:
                    if isinstance(refused, GONE):  # else it answered, and what the connection holds it still holds
                        self.drop()
                    raise
                except BaseException:
                    self.drop()
                    raise

    async def _open(self) -> RawConnection:
        settings = {**SETTINGS, "application_name": self._application}
        return await asyncpg.connect(self._address, timeout=self._open_s, server_settings=settings)

    def is_still(self, times_opened: int) -> bool:
        """Whether the connection is that one, and was not lost: what it held, it holds."""
        return times_opened == self.times_opened and self._raw is not None and not self._raw.is_closed()

    def drop(self) -> None:
        if self._raw is not None:
            self._raw.terminate()
            self._raw = None
