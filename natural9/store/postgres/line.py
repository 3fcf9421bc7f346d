"""One connection to a database on the event loop that serves: opened when it is needed, and again when it was lost."""

import asyncio
from typing import TYPE_CHECKING

import asyncpg

from natural9.store.postgres.connection import SETTINGS, Row, speaking_of

if TYPE_CHECKING:
    RawConnection = asyncpg.Connection[asyncpg.Record]
else:
    RawConnection = asyncpg.Connection


class DatabaseLine:
    """One question at a time. After one that failed, or that nobody waits for any more, the next has a new connection:
    what the old one held is gone."""

    def __init__(self, address: str, application: str, answer_s: float) -> None:
        self.times_opened = 0
        self._address = address
        self._application = application
        self._answer_s = answer_s
        self._raw: RawConnection | None = None
        self._turn = asyncio.Lock()

    async def ask(self, sql: str, *values: object) -> list[Row]:
        async with self._turn:
            with speaking_of(self._address):
                try:
                    if self._raw is None or self._raw.is_closed():
                        self._raw = await self._open()
                        self.times_opened += 1
                    return await self._raw.fetch(sql, *values)
                except BaseException:
                    self.drop()
                    raise

    async def _open(self) -> RawConnection:
        return await asyncpg.connect(
            self._address,
            timeout=self._answer_s,
            command_timeout=self._answer_s,
            server_settings={**SETTINGS, "application_name": self._application},
        )

    def is_still(self, times_opened: int) -> bool:
        """Whether the connection is that one, and was not lost: what it held, it holds."""
        return times_opened == self.times_opened and self._raw is not None and not self._raw.is_closed()

    def drop(self) -> None:
        if self._raw is not None:
            self._raw.terminate()
            self._raw = None
