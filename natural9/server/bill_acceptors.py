"""Bill acceptors at work: what a device holds in escrow becomes credit, durably, before it is told to keep it.

The id that the device gave it is the request id, so that whatever is lost on the way is asked again and happens once.
"""

import asyncio
from collections.abc import Callable, Collection
from contextlib import aclosing, suppress
from functools import partial
from typing import Final

import structlog
from msgspec import Struct

from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.round import Refusal
from natural9.core.saying import Said, say, verbatim
from natural9.journal.labels import request_key
from natural9.journal.line import OriginKind, read_line
from natural9.journal.table_events import CreditBought
from natural9.server import metrics
from natural9.server.drawers import Drawers
from natural9.store.contract import Store, StoreFailed
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.refusals import UNDECIDED
from natural9.table.commands.staff import LockTerminal
from natural9.table.commands.terminal import InsertBill, InsertVoucher
from natural9.table.devices.acceptor import (
    LONGEST_LINE,
    Bill,
    Fine,
    FromAcceptor,
    Returned,
    Stacked,
    Ticket,
    Trouble,
    Unread,
    give_back,
    not_read,
    stack,
    wait,
)
from natural9.table.devices.acceptor import (
    read_line as read_acceptor,
)
from natural9.table.devices.line import LineLost, LineToDevice, OpenDevice, device_lines, opened
from natural9.table.live.answers import Accepted, NotKnown
from natural9.table.live.writer import Writer
from natural9.table.venue.venue import Venue

LOOK_S: Final = 2.0  # how often it is looked which seats of a table have a terminal
CAME_BACK: Final = "the bill acceptor gave a bill back that is credit: look at the device and the cash box"

_OPENED: Final = partial(opened, writes=True)

log = structlog.get_logger()


class AcceptorTrouble(Struct, frozen=True, kw_only=True):
    """A bill acceptor that somebody must see to. The table plays on."""

    table: str
    seat: int
    why: Said
    since_ms: int


class BillAcceptors:
    """All of a venue that are at tables which are here."""

    def __init__(
        self,
        venue: Venue,
        store: Store,
        drawers: Drawers,
        seats_of: Callable[[str], Collection[int]],  # where a terminal is enrolled
        time_ms: Callable[[], int],
        *,
        opened: OpenDevice = _OPENED,
    ) -> None:
        self.venue, self.store, self.drawers, self.opened = venue, store, drawers, opened
        self._seats_of, self._time_ms = seats_of, time_ms
        self._tables: dict[str, asyncio.Task[None]] = {}
        self._troubles: dict[tuple[str, int], AcceptorTrouble] = {}

    def begin(self, table: str, writer: Writer) -> None:
        """The table is here from now on."""
        if self.venue.bills and table in self.venue.bills.tables:
            self._tables[table] = asyncio.create_task(self._follow_table(table, writer))

    def end(self, table: str) -> None:
        if task := self._tables.pop(table, None):
            task.cancel()

    async def close(self) -> None:
        """What is in escrow stays there until the server is back."""
        tasks = [*self._tables.values()]
        self._tables.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def troubles(self) -> list[AcceptorTrouble]:
        return [self._troubles[place] for place in sorted(self._troubles)]

    async def _follow_table(self, table: str, writer: Writer) -> None:
        """A seat's as long as it has a terminal: terminals come and go."""
        following: dict[int, asyncio.Task[None]] = {}
        try:
            while True:
                seats = self._seats_of(table)
                for seat in following.keys() - seats:
                    following.pop(seat).cancel()
                    self.no_trouble(table, seat)
                for seat in seats - following.keys():
                    acceptor = _Acceptor(self, table, seat, writer)
                    following[seat] = asyncio.create_task(acceptor.follow())
                metrics.ACCEPTORS_AWAY.labels(table).set(sum(place[0] == table for place in self._troubles))
                await asyncio.sleep(LOOK_S)
        finally:
            for task in following.values():
                task.cancel()
            for seat in following:
                self.no_trouble(table, seat)
            metrics.ACCEPTORS_AWAY.labels(table).set(0)

    def has_trouble(self, table: str, seat: int, why: Said) -> None:
        log.warning("bill acceptor", table=table, seat=seat, why=str(why))
        self._troubles[table, seat] = AcceptorTrouble(table=table, seat=seat, why=why, since_ms=self._time_ms())

    def no_trouble(self, table: str, seat: int) -> None:
        self._troubles.pop((table, seat), None)


class _Acceptor:
    """One device: what it asks is answered in order, one after the other."""

    def __init__(self, of: BillAcceptors, table: str, seat: int, writer: Writer) -> None:
        self._of, self._table, self._seat, self._writer = of, table, seat, writer
        self._who = Who.acceptor(table, seat)

    async def follow(self) -> None:
        """For ever: a lost device is told at the pit, and looked for again."""
        settings = self._of.venue.bills
        assert settings is not None, "asked only where there are any"
        where = settings.at(self._table, self._seat)
        line: LineToDevice | None = None
        async with aclosing(device_lines(where, longest=LONGEST_LINE, opened=self._of.opened)) as lines:
            async for one in lines:
                match one:
                    case LineToDevice():
                        line = one
                        log.info("bill acceptor connected", table=self._table, seat=self._seat)
                        self._of.no_trouble(self._table, self._seat)
                    case LineLost(why=why):
                        self._of.has_trouble(self._table, self._seat, say("it does not answer: {why}", why=why))
                    case bytes():
                        if line and (told := await self._answer(read_acceptor(one))):
                            with suppress(OSError):  # it is lost: so the next that is read says
                                await line.write(told)

    async def _answer(self, said: FromAcceptor) -> bytes | None:
        try:
            match said:
                case Bill():
                    return await self._bill(said)
                case Ticket():
                    return await self._ticket(said)
                case Returned(id=id):
                    await self._came_back(id)
                case Trouble(text=text):
                    self._of.has_trouble(self._table, self._seat, say("it reports: {what}", what=verbatim(text)))
                case Fine():
                    self._of.no_trouble(self._table, self._seat)
                case Stacked():
                    pass  # as it was told
                case Unread(text=text):
                    log.warning("bill acceptor not understood", table=self._table, seat=self._seat, line=text)
                    return not_read(text)
        except StoreFailed:
            return wait(said.id) if isinstance(said, Bill | Ticket) else None
        return None

    async def _bill(self, bill: Bill) -> bytes:
        currency = self._of.venue.currency
        if bill.currency != currency:
            return self._returned(bill.id, say("Only {currency} is taken here", currency=currency))
        if not 0 < bill.cents <= MAX_CENTS:
            return self._returned(bill.id, say("This is no amount that a terminal takes"))
        async with self._of.drawers.moving_bill(self._table, self._seat):
            return await self._ask(InsertBill(request=bill.id, cents=bill.cents))

    async def _ticket(self, ticket: Ticket) -> bytes:
        if not ticket.number:
            return self._returned(ticket.id, say("This is no voucher of this venue"))
        return await self._ask(InsertVoucher(request=ticket.id, number=ticket.number, code=ticket.code))

    async def _ask(self, tap: InsertBill | InsertVoucher) -> bytes:
        """What was refused may go back only if it stays refused, whenever it is asked again; else the device waits."""
        answer = await self._writer.answer(tap, self._who)
        match answer:
            case Accepted():
                what = show_cents(tap.cents) if isinstance(tap, InsertBill) else tap.number
                log.info("bill acceptor takes", table=self._table, seat=self._seat, id=tap.request, what=what)
                metrics.INSERTED.labels("credited").inc()
                return stack(tap.request)
            case NotKnown():
                return wait(tap.request)
            case Refusal():
                if answer.code in UNDECIDED:
                    return wait(tap.request)
                return self._returned(tap.request, answer.message)

    def _returned(self, id: str, why: Said) -> bytes:
        log.info("bill acceptor gives back", table=self._table, seat=self._seat, id=id, why=str(why))
        metrics.INSERTED.labels("returned").inc()
        return give_back(id, why)

    async def _came_back(self, id: str) -> None:
        """A bill that is credit and is in the player's hand: nobody plays on with it until a person has looked."""
        key = request_key(f"table/{self._table}", self._who.sender, id)
        written = (await self._of.store.asked([key])).get(key)
        if written is None or not isinstance(event := read_line(written).event, CreditBought):
            return
        amount = show_cents(event.cents)
        why = say("a bill of {amount} is credit, and the device gave it back", amount=amount)
        self._of.has_trouble(self._table, self._seat, why)
        lock = Order(f"returned {id}", LockTerminal(seat=self._seat), CAME_BACK)
        device = Who(self._who.id, kind=OriginKind.ACCEPTOR)
        await self._writer.answer(lock, device)
