"""The cashiers' drawers at work: opened with a float, filled, relieved, counted and closed, each by its cashier."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

import msgspec

from natural9.core.round import Refusal
from natural9.journal import table_events
from natural9.journal.accounts import CashBox, boxes_at, cash_box, desk_account
from natural9.journal.labels import request_key
from natural9.journal.line import by_staff, read_line
from natural9.journal.venue_events import DrawerEvent, DrawerFilled, DrawerReturned
from natural9.server.clock import Clock
from natural9.server.desk import STREAM, Write
from natural9.store.contract import Meter, Store
from natural9.store.holding import held
from natural9.table.commands.cage import CashSigners, Vouchers, over_limit
from natural9.table.live.answers import request_reused, told_in
from natural9.table.state.drawers import (
    DRAWER,
    CashTotals,
    OpenDrawer,
    after,
    closed,
    may_not,
    no_box_moves,
    opened,
    totals_of,
)
from natural9.table.state.postings import drawer_moves
from natural9.table.venue.venue import Venue

OPEN: Final = "open-drawer"
FILL: Final = "fill-drawer"
RETURN: Final = "return-from-drawer"
CLOSE: Final = "close-drawer"
CHANGE_BOX: Final = "change-cash-box"
COUNT_BOX: Final = "count-cash-box"
MOST_BOXES: Final = 9  # of one acceptor, with bills that nobody has counted
DESK: Final = "desk/"  # how the names of holds begin


Done = DrawerEvent | Refusal
Content = dict[str, str | int]


class _DrawerRequest(NamedTuple):
    """What is asked of a drawer, as the journal keeps it, and by whom."""

    content: Content
    by: str
    request: str
    signed_by: str


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

    # A cashier's own.

    async def do(self, what: str, cents: int, *, by: str, request: str, signed_by: str) -> Done:
        """The same request is done once and answered the same."""
        asked = _DrawerRequest({"type": what, "request": request, "cents": cents}, by, request, signed_by)
        return await self._do(asked, by, what, cents)

    # Cash boxes: drawers in bill acceptors, which two people change and count. Who does one thing to a box does nothing
    # else meanwhile: the same request, asked of two boxes at once, has one answer.

    def boxes_of(self, table: str, seat: int) -> list[OpenDrawer]:
        """Those that hold bills which nobody has counted; the last is in the acceptor."""
        start = boxes_at(table, seat)
        mine = [drawer for desk, drawer in self._open.items() if desk.startswith(start)]
        return sorted(mine, key=lambda drawer: (drawer.opened_at_ms, drawer.desk))

    def places_of_boxes(self) -> set[tuple[str, int]]:
        """Where there are any."""
        return {(box.table, box.seat) for desk in self._open if (box := cash_box(desk))}

    def box_at(self, table: str, seat: int) -> str:
        """The box that is in the acceptor; "" where none is."""
        boxes = self.boxes_of(table, seat)
        return boxes[-1].desk if boxes else ""

    @asynccontextmanager
    async def moving_bill(self, table: str, seat: int) -> AsyncIterator[None]:
        """While a bill is on its way into the box that is there."""
        start = boxes_at(table, seat)
        if self._store.holds:
            stored = await self._store.documents(DRAWER + start)
            for desk in {drawer.desk for drawer in self.boxes_of(table, seat)} | {
                key.removeprefix(DRAWER) for key in stored
            }:
                self.follow(desk, stored.get(DRAWER + desk))
        async with self.moving(self.box_at(table, seat) or start):
            yield

    async def change_box(self, table: str, seat: int, *, by: str, request: str, signed_by: str) -> Done:
        """An empty box goes into the acceptor. What comes out waits to be counted."""
        content: Content = {"type": CHANGE_BOX, "request": request, "table": table, "seat": seat}
        asked = _DrawerRequest(content, by, request, signed_by)
        async with self._alone(boxes_at(table, seat)), self._alone(by):
            numbers = {CashBox(table, seat, number).desk: number for number in range(1, MOST_BOXES + 1)}
            free = [desk for desk in numbers if desk not in self._open]
            return await self._do(asked, free[0] if free else "", OPEN, 0, is_box=True)

    async def count_box(self, box: CashBox, cents: int, *, by: str, request: str, signed_by: str) -> Done:
        content: Content = {"type": COUNT_BOX, "request": request, "box": box.desk, "cents": cents}
        async with self._alone(by):
            return await self._do(_DrawerRequest(content, by, request, signed_by), box.desk, CLOSE, cents, is_box=True)

    async def _do(self, asked: _DrawerRequest, desk: str, what: str, cents: int, *, is_box: bool = False) -> Done:
        origin, signed_by = by_staff(asked.by, asked.request), asked.signed_by
        key = request_key(STREAM, origin.sender, asked.request)
        content = msgspec.json.encode(asked.content)
        async with self._alone(desk):
            if written := (await self._store.asked([key])).get(key):
                line = read_line(written)
                if line.command != content:
                    return request_reused(asked.request)
                told = told_in(line, self._vouchers, written.number)[1]
                return told if isinstance(told, Refusal) else line.event  # type: ignore[return-value]
            totals = totals_of(await self._meters(desk))
            event = self._event(what, cents, desk, signed_by, totals)
            if is_box:
                refused = no_box_moves(event, self.of(desk), asked.by)
            else:
                refused = may_not(event, self.of(desk), totals) or (
                    over_limit(self._venue.cash, cents, CashSigners(desk, signed_by)) if what != CLOSE else None
                )
            if refused:
                noted = table_events.RequestRefused(
                    seat=None, code=str(refused.code), message=refused.message, paragraph=refused.paragraph
                )
                await self._write(noted, by=origin, label="", command=content, key=key)
                return refused
            at_ms = self._clock.record_ms()
            drawer = after(event, self.of(desk), totals, at_ms)
            kept = None if drawer is None else msgspec.json.encode(drawer)
            await self._write(
                event,
                by=origin,
                command=content,
                transfers=drawer_moves(event),
                documents=((DRAWER + desk, kept),),
                at_ms=at_ms,
                key=key,
            )
            self._open.pop(desk, None)
            if drawer is not None:
                self._open[desk] = drawer
            return event

    def _event(self, what: str, cents: int, desk: str, signed_by: str, totals: CashTotals) -> DrawerEvent:
        match what:
            case "open-drawer":
                return opened(desk, cents, signed_by, totals)
            case "fill-drawer":
                return DrawerFilled(desk=desk, cents=cents, signed_by=signed_by)
            case "return-from-drawer":
                return DrawerReturned(desk=desk, cents=cents, signed_by=signed_by)
            case _:
                none = OpenDrawer(desk=desk, opened_at_ms=0, carried_cents=0, float_cents=0, before=totals)
                return closed(self.of(desk) or none, cents, signed_by, totals)

    async def _meters(self, desk: str) -> list[Meter]:
        account = desk_account(desk)
        return [meter for meter in await self._store.meters(account) if meter.account == account]
