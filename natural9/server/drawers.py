"""The cashiers' drawers at work: opened with a float, filled, relieved, counted and closed, each by its cashier."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import msgspec

from natural9.core.round import Refusal
from natural9.journal import table_events
from natural9.journal.accounts import desk_account
from natural9.journal.labels import request_key
from natural9.journal.line import by_staff, read_line
from natural9.journal.venue_events import DrawerEvent, DrawerFilled, DrawerReturned
from natural9.server.clock import Clock
from natural9.server.desk import STREAM, Write
from natural9.store.contract import Meter, Store
from natural9.store.holding import held
from natural9.table.commands.cage import CashSigners, Vouchers, over_limit
from natural9.table.live.answers import request_reused, told_in
from natural9.table.state.drawers import DRAWER, CashTotals, OpenDrawer, after, closed, may_not, opened, totals_of
from natural9.table.state.postings import drawer_moves
from natural9.table.venue.venue import Venue

OPEN: Final = "open-drawer"
FILL: Final = "fill-drawer"
RETURN: Final = "return-from-drawer"
CLOSE: Final = "close-drawer"
DESK: Final = "desk/"  # how the names of holds begin


class Drawers:
    """One for each who works at a desk. What is done to a drawer waits until no cash of it is on its way."""

    def __init__(self, store: Store, vouchers: Vouchers, write: Write, clock: Clock, venue: Venue) -> None:
        self._store, self._vouchers, self._write, self._clock, self._venue = store, vouchers, write, clock, venue
        self._open: dict[str, OpenDrawer] = {}
        self._moving: Counter[str] = Counter()  # requests of each desk that move cash, and are not durable yet
        self._still: dict[str, asyncio.Event] = {}  # set once none of a desk's cash moves
        self._counted: dict[str, asyncio.Event] = {}  # set once what is done to a drawer is done

    async def load(self) -> None:
        stored = await self._store.documents(DRAWER)
        self._open.clear()
        for key, kept in stored.items():
            self.follow(key.removeprefix(DRAWER), kept)

    def of(self, desk: str) -> OpenDrawer | None:
        return self._open.get(desk)

    def is_open(self, desk: str) -> bool:
        return desk in self._open

    @asynccontextmanager
    async def moving(self, desk: str) -> AsyncIterator[None]:
        """While cash of a desk is on its way; several may be."""
        while counted := self._counted.get(desk):
            await counted.wait()
        self._moving[desk] += 1
        try:
            async with self._held(desk, shared=True):
                yield
        finally:
            self._moving[desk] -= 1
            if not self._moving[desk]:
                del self._moving[desk]
                if still := self._still.pop(desk, None):
                    still.set()

    @asynccontextmanager
    async def _alone(self, desk: str) -> AsyncIterator[None]:
        while counted := self._counted.get(desk):
            await counted.wait()
        done = self._counted[desk] = asyncio.Event()
        try:
            if self._moving[desk]:
                still = self._still[desk] = asyncio.Event()
                await still.wait()
            async with self._held(desk, shared=False):
                yield
        finally:
            del self._counted[desk]
            done.set()

    @asynccontextmanager
    async def _held(self, desk: str, *, shared: bool) -> AsyncIterator[None]:
        """Where others write, too: none of them does what does not go with it, and the drawer is as the records have
        it."""
        holds = self._store.holds
        async with held(holds, DESK + desk, shared=shared):
            if holds:
                self.follow(desk, await self._store.document(DRAWER + desk))
            yield

    def follow(self, desk: str, kept: bytes | None) -> None:
        """A drawer as it was just read; None where it is not open."""
        self._open.pop(desk, None)
        if kept is not None:
            self._open[desk] = msgspec.json.decode(kept, type=OpenDrawer)

    async def do(self, what: str, cents: int, *, by: str, request: str, signed_by: str) -> DrawerEvent | Refusal:
        """The same request is done once and answered the same."""
        origin, key = by_staff(by, request), request_key(STREAM, by_staff(by).sender, request)
        content = msgspec.json.encode({"type": what, "request": request, "cents": cents})
        async with self._alone(by):
            if written := (await self._store.asked([key])).get(key):
                line = read_line(written)
                if line.command != content:
                    return request_reused(request)
                told = told_in(line, self._vouchers, written.number)[1]
                return told if isinstance(told, Refusal) else line.event  # type: ignore[return-value]
            totals = totals_of(await self._meters(by))
            event = self._event(what, cents, by, signed_by, totals)
            signers = CashSigners(by, signed_by)
            refused = may_not(event, self.of(by), totals) or (
                over_limit(self._venue.cash, cents, signers) if what != CLOSE else None
            )
            if refused:
                noted = table_events.RequestRefused(
                    seat=None, code=str(refused.code), message=refused.message, paragraph=refused.paragraph
                )
                await self._write(noted, by=origin, label="", command=content, key=key)
                return refused
            at_ms = self._clock.record_ms()
            drawer = after(event, self.of(by), totals, at_ms)
            kept = None if drawer is None else msgspec.json.encode(drawer)
            await self._write(
                event,
                by=origin,
                command=content,
                transfers=drawer_moves(event),
                documents=((DRAWER + by, kept),),
                at_ms=at_ms,
                key=key,
            )
            self._open.pop(by, None)
            if drawer is not None:
                self._open[by] = drawer
            return event

    def _event(self, what: str, cents: int, by: str, signed_by: str, totals: CashTotals) -> DrawerEvent:
        match what:
            case "open-drawer":
                return opened(by, cents, signed_by, totals)
            case "fill-drawer":
                return DrawerFilled(desk=by, cents=cents, signed_by=signed_by)
            case "return-from-drawer":
                return DrawerReturned(desk=by, cents=cents, signed_by=signed_by)
            case _:
                none = OpenDrawer(desk=by, opened_at_ms=0, carried_cents=0, float_cents=0, before=totals)
                return closed(self.of(by) or none, cents, signed_by, totals)

    async def _meters(self, desk: str) -> list[Meter]:
        account = desk_account(desk)
        return [meter for meter in await self._store.meters(account) if meter.account == account]
