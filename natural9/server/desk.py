"""The cash desk: a voucher is paid once and only once, and one request pays one voucher."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final, NamedTuple, Protocol

import msgspec

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.saying import Said, say
from natural9.journal import table_events
from natural9.journal.accounts import DESKS, voucher_account
from natural9.journal.labels import SIGNIFICANT, request_key, voucher_label
from natural9.journal.line import Origin, by_staff, read_line
from natural9.journal.venue_events import VoucherPaid, WrongCodesAtDesk
from natural9.server.clock import Clock
from natural9.server.people.register import noticed
from natural9.store.contract import Overdrawn, Store, StoreFailed, Transfer, Written
from natural9.store.holding import held
from natural9.table.commands.cage import VOUCHER, CashSigners, Voucher, Vouchers, no_drawer, over_limit
from natural9.table.commands.refusals import UNDECIDED, TableCode, too_many_outstanding
from natural9.table.commands.voucher_door import VoucherDoor
from natural9.table.live.answers import NOT_KNOWN, NotKnown, request_reused, told_in
from natural9.table.live.exclusive import bring_voucher
from natural9.table.live.writer import MOST_OUTSTANDING
from natural9.table.state.postings import voucher_paid
from natural9.table.venue.venue import Venue

STREAM: Final = "venue"
PAY: Final = "pay-voucher"

Paid = VoucherPaid | Refusal | NotKnown


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Of one movement of cash: numbered through the whole venue without gaps."""

    number: int
    at_ms: int
    day: str


class Booked(NamedTuple):
    """The number of an entry in its stream, and the receipt for the cash that it moved, if it did."""

    entry: int
    receipt: Receipt | None


class Write(Protocol):
    """How the house writes into the venue's journal."""

    def __call__(
        self,
        event: Event,
        *,
        by: Origin,
        label: str = SIGNIFICANT,
        command: bytes | None = None,
        transfers: tuple[Transfer, ...] = (),
        documents: tuple[tuple[str, bytes | None], ...] = (),
        at_ms: int | None = None,
        key: str = "",
    ) -> "asyncio.Future[int]": ...


class _Paying(NamedTuple):
    content: bytes
    outcome: "asyncio.Task[VoucherPaid | Refusal]"


async def receipt_number(store: Store, written: Written) -> int:
    """Which of the venue's movements of cash this entry's is, in the journal's own order: so there is no gap, and no
    count that could differ from the journal."""
    return await store.count_transfers(DESKS, through=1 + await store.transfers_through(written.seq - 1))


class Desk:
    """Where people pay vouchers, look at them, and mistype their codes."""

    def __init__(
        self,
        store: Store,
        vouchers: Vouchers,
        write: Write,
        clock: Clock,
        venue: Venue,
        *,
        has_drawer: Callable[[str], bool] = lambda person: True,
    ) -> None:
        self._store, self._vouchers, self._write, self._clock = store, vouchers, write, clock
        self._venue, self._has_drawer = venue, has_drawer
        self._door = VoucherDoor[str]()
        self._paying: dict[str, _Paying] = {}  # by request, until it is durable
        self._outstanding: Counter[str] = Counter()  # of each who asks

    def find(self, number: str, code: str, *, by: str, at_ms: int) -> Voucher | Refusal:
        """As a person at the desk finds it. Whoever enters several wrong codes waits, and it stands in the journal."""
        now_ms = self._clock.play_ms()
        found = self._door.refusal(by, now_ms) or self._vouchers.find(number, code, at_ms=at_ms)
        is_wrong = isinstance(found, Refusal) and found.code == TableCode.NO_SUCH_VOUCHER
        if is_wrong and (times := self._door.wrong(by, now_ms)):
            self._write(WrongCodesAtDesk(desk=by, times=times), by=by_staff(by)).add_done_callback(noticed)
        return found

    async def look(self, number: str, code: str, *, by: str, without_code: bool) -> Voucher | Refusal:
        """What a voucher is worth, or what became of it."""
        async with self._alone(number):
            at_ms = self._clock.record_ms()
            if without_code and not code:
                found = self._vouchers.by_number(number, at_ms=at_ms, even_expired=True)
            else:
                found = self.find(number, code, by=by, at_ms=at_ms)
        return await self._told(number, found) if isinstance(found, Refusal) else found

    @asynccontextmanager
    async def _alone(self, number: str) -> AsyncIterator[None]:
        """Where others write, too: nobody else decides about this voucher, and it is what the records have of it."""
        holds = self._store.holds if number.isprintable() else None
        async with held(holds, VOUCHER + number):
            if holds:
                await bring_voucher(self._store, self._vouchers, number)
            yield

    async def is_being_redeemed(self, number: str) -> bool:
        """It is gone from memory, and the ledger still has its money: nobody knows yet what became of it."""
        return await self._store.balance(voucher_account(number)) > 0

    async def pay(self, number: str, code: str, *, by: str, request: str, signed_by: str = "") -> Paid:
        """Who asks twice is answered twice, by one payment: whether or not the first is durable yet."""
        origin, content = by_staff(by, request), _content(request, number)
        key = request_key(STREAM, origin.sender, request)
        paying = self._paying.get(key)
        if paying is None:
            if self._outstanding[by] >= MOST_OUTSTANDING:
                return too_many_outstanding(MOST_OUTSTANDING)
            task = asyncio.create_task(self._pay(number, code, origin, signed_by, content, key))
            paying = self._paying[key] = _Paying(content, task)
            self._outstanding[by] += 1
            task.add_done_callback(lambda _: self._answered(key, by))
        if paying.content != content:
            return request_reused(request)
        try:
            return await asyncio.shield(paying.outcome)
        except (StoreFailed, Overdrawn):  # the latter where a hold was lost, and somebody else was faster
            return NOT_KNOWN

    def _answered(self, key: str, by: str) -> None:
        del self._paying[key]
        self._outstanding[by] -= 1
        if not self._outstanding[by]:
            del self._outstanding[by]

    async def booked(self, stream: str, by: str, request: str) -> Booked:
        """What was written for a request that was carried out."""
        key = request_key(stream, by_staff(by).sender, request)
        written = (await self._store.asked([key]))[key]
        moved = written.transfers[0] if written.transfers else None
        if moved is None or not (moved.source.startswith(DESKS) or moved.target.startswith(DESKS)):
            return Booked(written.number, None)
        number = await receipt_number(self._store, written)
        return Booked(written.number, Receipt(number=number, at_ms=written.at_ms, day=written.day))

    async def _pay(
        self, number: str, code: str, by: Origin, signed_by: str, content: bytes, key: str
    ) -> VoucherPaid | Refusal:
        """A voucher is gone from memory in the same step in which it was found there."""
        if earlier := await self._earlier(key, by, content):
            return earlier
        async with self._alone(number):
            return await self._decide(number, code, by, signed_by, content, key)

    async def _decide(
        self, number: str, code: str, by: Origin, signed_by: str, content: bytes, key: str
    ) -> VoucherPaid | Refusal:
        at_ms = self._clock.record_ms()  # once: or it might be found a moment before its last day ends, and paid after
        found = self.find(number, code, by=by.by, at_ms=at_ms)
        both = CashSigners(by.by, signed_by)
        if isinstance(found, Voucher):
            closed = no_drawer(self._venue.cash, has_drawer=self._has_drawer(by.by))
            refused = closed or over_limit(self._venue.cash, found.cents, both)
            if refused is None:
                return await self._pay_out(found, by, both, content, at_ms, key)
            found = refused
        found = await self._told(number, found)
        if found.code not in UNDECIDED:
            noted = table_events.RequestRefused(
                seat=None, code=str(found.code), message=found.message, paragraph=found.paragraph
            )
            await self._write(noted, by=by, label="", command=content, key=key)
        return found

    async def _told(self, number: str, refusal: Refusal) -> Refusal:
        """Of a voucher that is gone, staff are told when, where and by whom."""
        if refusal.code != TableCode.VOUCHER_REDEEMED:
            return refusal
        moved = await self._store.transfers(account=voucher_account(number))
        if not moved:
            return Refusal(TableCode.NO_SUCH_VOUCHER, say("There is no voucher {number}", number=number))
        [written] = await self._store.entries(after=moved[-1].seq - 1, limit=1)
        if not (end := _end_of(written)):
            return refusal  # it is just being redeemed, and not durable yet
        when = self._venue.time_text(written.at_ms)
        return Refusal(refusal.code, say("Voucher {number} {end}, {when}", number=number, end=end, when=when))

    async def _pay_out(
        self, voucher: Voucher, by: Origin, both: CashSigners, content: bytes, at_ms: int, key: str
    ) -> VoucherPaid:
        event = VoucherPaid(number=voucher.number, cents=voucher.cents, **both._asdict())
        self._vouchers.evolve(event, voucher.table, at_ms)
        await self._write(
            event,
            by=by,
            label=voucher_label(voucher.number),
            command=content,
            transfers=voucher_paid(event),
            documents=self._vouchers.document(event),
            at_ms=at_ms,
            key=key,
        )
        return event

    async def _earlier(self, key: str, by: Origin, content: bytes) -> VoucherPaid | Refusal | None:
        """What came of the same request, if it was ever answered."""
        written = (await self._store.asked([key])).get(key)
        if written is None:
            return None
        line = read_line(written)
        asked, answer = told_in(line, self._vouchers, written.number)
        if asked != content:
            return request_reused(by.request)
        if isinstance(line.event, VoucherPaid):
            return line.event
        assert isinstance(answer, Refusal), "a payment is paid or refused"
        return answer


def _end_of(written: Written) -> Said | None:
    """What became of a voucher, by the entry that took its money."""
    event = read_line(written).event
    match event:
        case VoucherPaid():
            return say("was paid at the desk by {person}", person=event.desk)
        case table_events.VoucherInserted():
            table = written.stream.partition("/")[2]
            return say("was put into the terminal of table {table}, seat {seat}", table=table, seat=event.seat)
        case table_events.VoucherVoided():
            return say("was voided by {person}", person=event.by)
        case _:
            return None


def _content(request: str, number: str) -> bytes:
    """What the journal keeps of it: all but the voucher's code."""
    return msgspec.json.encode({"type": PAY, "request": request, "number": number})
