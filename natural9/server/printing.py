"""Vouchers and receipts on paper. A printer that is away stops no table and loses none: screens and the journal have
them.

Each printer has a queue of its own. A slip that could not be printed for two minutes is not printed later by itself,
when perhaps nobody stands there any more: staff print a copy. A receipt is tried once, and its player is told.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from natural9.core.saying import Said, say, verbatim
from natural9.disk.durable import write_new
from natural9.server import metrics
from natural9.server.escpos import PrintedReceipt, PrintedVoucher, escpos
from natural9.server.people.limits import TooOften
from natural9.server.rates import Buckets, Rate
from natural9.table.commands.cage import Printed
from natural9.table.devices.line import write_all
from natural9.table.venue.printer import DevicePrinter, FolderPrinter, NetworkPrinter, PrinterPlace
from natural9.table.venue.venue import Venue

MOST_WAITING: Final = 50  # slips of one printer; of more the oldest is given up
PATIENCE_S: Final = 120.0
FIRST_WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 10.0
ANSWERS_S: Final = 10.0  # a printer that takes no more for so long is away
RECEIPTS: Final = Rate(at_once=5, a_second=1 / 30)  # of one seat: paper is for vouchers first
REMEMBERED: Final = 10_000  # numbers that were sent to a printer: a terminal that asks again prints nothing again

NO_ANSWER: Final = say("no answer")

log = structlog.get_logger()


class PrinterTrouble(Struct, frozen=True, kw_only=True):
    """A printer that is away, for whoever can see to it."""

    table: str
    seat: int
    why: Said
    since_ms: int
    waiting: int
    given_up: int  # slips that were never printed; a copy can be


class _QueuedSlip(Struct, frozen=True, kw_only=True):
    name: str  # a voucher's is its number
    what: str  # for the log
    table: str
    seat: int
    data: bytes
    until_s: float
    told: asyncio.Future[Said | None] | None = None  # to whoever waits: nothing once it is printed, else why it is not

    def tell(self, why: Said | None) -> None:
        if self.told and not self.told.done():
            self.told.set_result(why)


class _Queue:
    """One printer's, and what became of its last slip."""

    def __init__(self, place: PrinterPlace) -> None:
        self.place = place
        self.slips: list[_QueuedSlip] = []
        self.task: asyncio.Task[None] | None = None
        self.trouble: tuple[Said, int, _QueuedSlip] | None = None
        self.given_up = 0


class Printers:
    """All printers of a venue; one that has none prints nothing."""

    def __init__(
        self, venue: Venue, time_ms: Callable[[], int], *, patience_s: float = PATIENCE_S, wait_s: float = FIRST_WAIT_S
    ) -> None:
        self._venue, self._settings, self._time_ms = venue, venue.printer, time_ms
        self._patience_s, self._first_wait_s = patience_s, wait_s
        self._queues: dict[PrinterPlace, _Queue] = {}
        self._sent: dict[str, None] = {}
        self._receipts = Buckets(RECEIPTS)

    @property
    def is_on(self) -> bool:
        return self._settings is not None

    def issued(self, table: str, seat: int, printed: Printed, issued_at_ms: int) -> None:
        """A voucher that is durable; once, however often its terminal asks for it again."""
        if self.is_on and printed.number not in self._sent:
            self._sent[printed.number] = None
            if len(self._sent) > REMEMBERED:
                del self._sent[next(iter(self._sent))]
            self.print_slip(table, seat, printed, issued_at_ms, is_copy=False)

    def print_slip(self, table: str, seat: int, printed: Printed, issued_at_ms: int, *, is_copy: bool) -> None:
        assert self._settings is not None, "asked by whoever knows that there is a printer"
        slip = PrintedVoucher(
            venue=self._venue.name,
            currency=self._venue.currency,
            table=table,
            seat=seat,
            number=printed.number,
            code=printed.code,
            cents=printed.cents,
            issued=self._venue.time_text(issued_at_ms),
            expires=self._venue.time_text(printed.expires_at_ms),
            is_copy=is_copy,
        )
        until_s = asyncio.get_running_loop().time() + self._patience_s
        data = escpos(slip, chinese=self._settings.chinese)
        self._add(_QueuedSlip(name=slip.number, what="voucher", table=table, seat=seat, data=data, until_s=until_s))

    async def print_receipt(self, slip: PrintedReceipt, table: str, seat: int) -> Said | None:
        """At this terminal: nothing once it is printed, else why it is not. Asked again while it waits it is the same
        one. TooOften for whoever would use up the paper."""
        assert self._settings is not None, "asked by whoever knows that there is a printer"
        queue = self._queue(table, seat)
        name = f"receipt-{slip.table}-{slip.entry}"
        waits = next((one.told for one in queue.slips if one.told and one.name == name), None)
        if waits is None:
            if queue.trouble and queue.slips:
                return queue.trouble[0]
            if len(queue.slips) >= MOST_WAITING:  # a receipt pushes no voucher out
                return say("too many slips wait")
            if retry_s := self._receipts.of((table, seat)).take():
                raise TooOften(retry_s)
            waits = asyncio.get_running_loop().create_future()
            data = escpos(slip, chinese=self._settings.chinese)
            self._add(_QueuedSlip(name=name, what="receipt", table=table, seat=seat, data=data, until_s=0, told=waits))
        return await asyncio.shield(waits)  # whoever goes away takes it from nobody else

    def _queue(self, table: str, seat: int) -> _Queue:
        assert self._settings is not None
        place = self._settings.at(table, seat)
        return self._queues.setdefault(place, _Queue(place))

    def _add(self, slip: _QueuedSlip) -> None:
        queue = self._queue(slip.table, slip.seat)
        queue.slips.append(slip)
        if len(queue.slips) > MOST_WAITING:
            self._give_up(queue, queue.slips.pop(0))
        if queue.task is None:
            queue.task = asyncio.create_task(self._work(queue))

    def troubles(self) -> list[PrinterTrouble]:
        return [
            PrinterTrouble(
                table=slip.table,
                seat=slip.seat,
                why=why,
                since_ms=since_ms,
                waiting=len(queue.slips),
                given_up=queue.given_up,
            )
            for queue in self._queues.values()
            if queue.trouble
            for why, since_ms, slip in [queue.trouble]
        ]

    async def close(self) -> None:
        """What is not printed by now is in the journal, and can be printed as a copy."""
        tasks = [queue.task for queue in self._queues.values() if queue.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for queue in self._queues.values():
            for slip in queue.slips:
                slip.tell(NO_ANSWER)

    async def _work(self, queue: _Queue) -> None:
        """Until nothing waits."""
        wait_s = self._first_wait_s
        while queue.slips:
            slip = queue.slips[0]
            try:
                async with asyncio.timeout(ANSWERS_S):
                    await _send(queue.place, slip.data, slip.name)
            except OSError as error:  # a timeout is one, too
                self._is_away(queue, slip, _why(error))
                if asyncio.get_running_loop().time() >= slip.until_s and slip in queue.slips:
                    queue.slips.remove(slip)
                    self._give_up(queue, slip)
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)
            else:
                wait_s = self._first_wait_s
                if slip in queue.slips:
                    queue.slips.remove(slip)
                metrics.SLIPS.inc()
                log.info(f"{slip.what} printed", number=slip.name)
                queue.trouble, queue.given_up = None, 0
                slip.tell(None)
        queue.task = None

    def _is_away(self, queue: _Queue, slip: _QueuedSlip, why: Said) -> None:
        if queue.trouble is None:  # one outage is one line
            log.warning("printer away", table=slip.table, seat=slip.seat, why=str(why))
            queue.trouble = (why, self._time_ms(), slip)

    def _give_up(self, queue: _Queue, slip: _QueuedSlip) -> None:
        if slip.told is None:  # else its player knows, and the pit has nothing to see to
            queue.given_up += 1
        metrics.SLIPS_FAILED.inc()
        log.warning(f"{slip.what} not printed", table=slip.table, seat=slip.seat, number=slip.name)
        slip.tell(queue.trouble[0] if queue.trouble else NO_ANSWER)


def _why(error: OSError) -> Said:
    return verbatim(error.strerror or str(error)) if str(error) else NO_ANSWER


async def _send(place: PrinterPlace, data: bytes, number: str) -> None:
    match place:
        case NetworkPrinter(host, port):
            _, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(data)
                await writer.drain()
            finally:
                writer.close()
            await writer.wait_closed()  # all of it has gone out
        case DevicePrinter(path):
            await _write_device(path, data)
        case FolderPrinter(path):
            path.mkdir(exist_ok=True)
            taken = len([*path.glob(f"{number}.*")])
            write_new(path / f"{number}.{taken + 1}.escpos", data)


async def _write_device(path: Path, data: bytes) -> None:
    device = os.open(path, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK)
    try:
        await write_all(device, data)
    finally:
        os.close(device)
