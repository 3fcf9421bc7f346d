"""A node that does not have the office knows the venue's people, devices and drawers by reading what the office wrote.

It reads on whenever the office says so, and by itself twice a second; for the documents that the entries name, it reads
those. What it cannot know from there it has read under a hold.
"""

import asyncio
from typing import Final

import structlog

from natural9.server.cluster.far_office import FOLLOW, FarOffice
from natural9.server.cluster.lines import Lines
from natural9.server.cluster.whereabouts import OFFICE, Whereabouts
from natural9.server.house import House
from natural9.store.contract import StoreFailed
from natural9.table.state.drawers import DRAWER

LOOK_S: Final = 0.5
FAR_BEHIND: Final = 100  # documents: then all are read at once

log = structlog.get_logger()


class Following:
    def __init__(self, house: House, lines: Lines, whereabouts: Whereabouts) -> None:
        self._house, self._store = house, house.store
        self._office = FarOffice(house.accounts, lines, whereabouts, self._forget)
        self._known: int | None = None  # the number of the last entry that is known here; None: memory may be wrong
        self._forgotten = 0  # how often it was, so that whoever reads meanwhile does not take memory for right
        self._turn = asyncio.Lock()
        lines.serve(FOLLOW, self._hear)

    async def catch_up(self) -> None:
        """The office comes here: from now on memory decides, and it is what is durable by now."""
        async with self._turn:
            await self._read()
            while self._known is None:  # something was decided here meanwhile that the records will not have
                await self._read()
            self._office.is_here = True

    def start_over(self) -> None:
        """The office is here no more: what was not durable is not so."""
        self._office.is_here = False
        self._forget()

    def _forget(self) -> None:
        self._known = None
        self._forgotten += 1

    async def run(self) -> None:
        """As long as this node is one."""
        while True:
            try:
                await self._follow()
            except StoreFailed as error:
                log.warning("the office cannot be followed", error=str(error))
            except Exception:
                log.exception("a mistake of ours")
            await asyncio.sleep(LOOK_S)

    async def _hear(self, node: str, body: bytes) -> bytes:
        if self._known is None or self._known < int(body):
            await self._follow()
        return b""

    async def _follow(self) -> None:
        async with self._turn:
            if not self._office.is_here:
                await self._read()

    async def _read(self) -> None:
        """All that is durable by now."""
        known, self._known, forgotten = self._known, None, self._forgotten  # until it is done
        changed: dict[str, None] = {}
        while known is not None and len(changed) < FAR_BEHIND:
            written = await self._store.entry(OFFICE, known + 1)
            if written is None:
                for key in changed:
                    self._hold(key, await self._store.document(key))
                self._known = known if forgotten == self._forgotten else None
                return
            changed.update(dict.fromkeys(key for key, _ in written.documents))
            known = written.number
        head = (await self._store.stream_heads()).get(OFFICE)
        await self._house.accounts.load()
        await self._house.drawers.load()
        if forgotten == self._forgotten:
            self._known = head.number if head else 0

    def _hold(self, key: str, kept: bytes | None) -> None:
        if key.startswith(DRAWER):
            self._house.drawers.follow(key.removeprefix(DRAWER), kept)
        else:
            self._house.accounts.follow(key, kept)
