"""Vouchers on paper. A printer that is away stops no table and loses no voucher: its screen has it, and the journal.

Each printer has a queue of its own. A slip that could not be printed for two minutes is not printed later by itself,
when perhaps nobody stands there any more: staff print a copy.
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
from natural9.server.escpos import PrintedVoucher, escpos
from natural9.table.commands.cage import Printed
from natural9.table.devices.line import write_all
from natural9.table.venue.printer import DevicePrinter, FolderPrinter, NetworkPrinter, PrinterPlace
from natural9.table.venue.venue import Venue

MOST_WAITING: Final = 50  # slips of one printer; of more the oldest is given up
PATIENCE_S: Final = 120.0
FIRST_WAIT_S: Final = 1.0
LONGEST_WAIT_S: Final = 10.0
ANSWERS_S: Final = 10.0  # a printer that takes no more for so long is away
REMEMBERED: Final = 10_000  # numbers that were sent to a printer: a terminal that asks again prints nothing again

log = structlog.get_logger()


class PrinterTrouble(Struct, frozen=True, kw_only=True):
    """A printer that is away, for whoever can see to it."""

    table: str
    seat: int
    why: Said
    since_ms: int
    waiting: int
    given_up: int  # slips that were never printed; a copy can be


class _QueuedSlip(Struct, frozen=True):
    voucher: PrintedVoucher
    until_s: float


class _Queue:
    """One printer's, and what became of its last slip."""

    def __init__(self, place: PrinterPlace) -> None:
        self.place = place
        self.slips: list[_QueuedSlip] = []
        self.task: asyncio.Task[None] | None = None
        self.trouble: tuple[Said, int, PrintedVoucher] | None = None
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
        place = self._settings.at(table, seat)
        queue = self._queues.setdefault(place, _Queue(place))
        queue.slips.append(_QueuedSlip(slip, asyncio.get_running_loop().time() + self._patience_s))
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

    async def _work(self, queue: _Queue) -> None:
        """Until nothing waits."""
        assert self._settings is not None
        wait_s = self._first_wait_s
        while queue.slips:
            slip = queue.slips[0]
            try:
                async with asyncio.timeout(ANSWERS_S):
                    await _send(queue.place, escpos(slip.voucher, chinese=self._settings.chinese), slip.voucher.number)
            except OSError as error:  # a timeout is one, too
                self._is_away(queue, slip.voucher, _why(error))
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
                log.info("voucher printed", number=slip.voucher.number, copy=slip.voucher.is_copy)
                queue.trouble, queue.given_up = None, 0
        queue.task = None

    def _is_away(self, queue: _Queue, slip: PrintedVoucher, why: Said) -> None:
        if queue.trouble is None:  # one outage is one line
            log.warning("printer away", table=slip.table, seat=slip.seat, why=str(why))
            queue.trouble = (why, self._time_ms(), slip)

    def _give_up(self, queue: _Queue, slip: _QueuedSlip) -> None:
        queue.given_up += 1
        metrics.SLIPS_FAILED.inc()
        log.warning("voucher not printed", table=slip.voucher.table, seat=slip.voucher.seat, number=slip.voucher.number)


def _why(error: OSError) -> Said:
    return verbatim(error.strerror or str(error)) if str(error) else say("no answer")


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
