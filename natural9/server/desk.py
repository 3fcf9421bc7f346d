"""The cash desk: a voucher is paid once and only once, and one request pays one voucher."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

import msgspec

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.journal.labels import request_key, voucher_label
from natural9.journal.line import Asked, read_line
from natural9.journal.table_events import RequestRefused
from natural9.journal.venue_events import VoucherPaid
from natural9.store.contract import Store, StoreFailed, Transfer
from natural9.table.commands.cage import Voucher, Vouchers
from natural9.table.commands.refusals import too_many_outstanding
from natural9.table.live.answers import NOT_KNOWN, NotKnown, request_reused, told_in
from natural9.table.live.writer import MOST_OUTSTANDING
from natural9.table.state.postings import voucher_paid

STREAM: Final = "venue"
PAY: Final = "pay-voucher"

Paid = VoucherPaid | Refusal | NotKnown


class Write(Protocol):
    """How the house writes into the venue's journal."""

    def __call__(
        self,
        event: Event,
        *,
        by: str,
        request: str,
        label: str,
        command: bytes,
        transfers: tuple[Transfer, ...] = (),
        documents: tuple[tuple[str, bytes | None], ...] = (),
        key: str,
    ) -> "asyncio.Future[int]": ...


class _Paying(NamedTuple):
    content: bytes
    outcome: "asyncio.Task[VoucherPaid | Refusal]"


class Desk:
    def __init__(self, store: Store, vouchers: Vouchers, write: Write, clock_ms: Callable[[], int]) -> None:
        self._store, self._vouchers, self._write, self._clock_ms = store, vouchers, write, clock_ms
        self._paying: dict[str, _Paying] = {}  # by request, until it is durable
        self._outstanding: Counter[str] = Counter()  # of each who asks

    async def pay(self, number: str, code: str, *, by: str, request: str) -> Paid:
        """Who asks twice is answered twice, by one payment: whether or not the first is durable yet."""
        key, content = request_key(STREAM, by, request), _content(request, number)
        paying = self._paying.get(key)
        if paying is None:
            if self._outstanding[by] >= MOST_OUTSTANDING:
                return too_many_outstanding(MOST_OUTSTANDING)
            task = asyncio.create_task(self._pay(number, code, Asked(by, request, content), key))
            paying = self._paying[key] = _Paying(content, task)
            self._outstanding[by] += 1
            task.add_done_callback(lambda _: self._answered(key, by))
        if paying.content != content:
            return request_reused(request)
        try:
            return await asyncio.shield(paying.outcome)
        except StoreFailed:
            return NOT_KNOWN

    def _answered(self, key: str, by: str) -> None:
        del self._paying[key]
        self._outstanding[by] -= 1

    async def _pay(self, number: str, code: str, asked: Asked, key: str) -> VoucherPaid | Refusal:
        """A voucher is gone from memory in the same step in which it was found there."""
        if earlier := await self._earlier(key, asked):
            return earlier
        voucher = self._vouchers.find(number, code, at_ms=self._clock_ms())
        if isinstance(voucher, Refusal):
            refused = RequestRefused(
                seat=None, code=str(voucher.code), message=voucher.message, paragraph=voucher.paragraph
            )
            await self._write(refused, by=asked.by, request=asked.request, label="", command=asked.command, key=key)
            return voucher
        return await self._pay_out(voucher, asked, key)

    async def _pay_out(self, voucher: Voucher, asked: Asked, key: str) -> VoucherPaid:
        event = VoucherPaid(number=voucher.number, cents=voucher.cents, desk=asked.by)
        self._vouchers.evolve(event, voucher.table, self._clock_ms())
        await self._write(
            event,
            by=asked.by,
            request=asked.request,
            label=voucher_label(voucher.number),
            command=asked.command,
            transfers=voucher_paid(event),
            documents=self._vouchers.document(event),
            key=key,
        )
        return event

    async def _earlier(self, key: str, asked: Asked) -> VoucherPaid | Refusal | None:
        """What came of the same request, if it was ever answered."""
        written = (await self._store.asked([key])).get(key)
        if written is None:
            return None
        line = read_line(written)
        content, answer = told_in(line, self._vouchers)
        if content != asked.command:
            return request_reused(asked.request)
        if isinstance(line.event, VoucherPaid):
            return line.event
        assert isinstance(answer, Refusal), "a payment is paid or refused"
        return answer


def _content(request: str, number: str) -> bytes:
    """What the journal keeps of it: all but the voucher's code."""
    return msgspec.json.encode({"type": PAY, "request": request, "number": number})
