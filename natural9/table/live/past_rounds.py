"""Taps about a round that is long over: nothing is decided any more, and the journal says what was answered then."""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import msgspec

from natural9.core.round import Refusal
from natural9.journal.labels import round_label
from natural9.journal.line import read_asked, read_line
from natural9.journal.table_events import BetsNotDoubled, RequestRefused
from natural9.store.contract import Store, StoreFailed
from natural9.table.commands.cage import Vouchers
from natural9.table.commands.terminal import BetTap
from natural9.table.live.answers import NOT_KNOWN, Accepted, Answer, Told, same_answer, told_in

MOST_WAITING: Final = 1024
ROUNDS_KEPT: Final = 3
PAGE: Final = 500  # entries read at a time: then others on the event loop have their turn
_SAYS_MORE: Final = frozenset({RequestRefused.TAG, BetsNotDoubled.TAG})  # than that it was done
_log: Final = logging.getLogger(__name__)


class _Named(msgspec.Struct):
    round: int = -1


_named: Final = msgspec.json.Decoder(_Named).decode


class PastTap(NamedTuple):
    """A tap about a round that is over, and what is answered if the journal knows nothing of it."""

    tap: BetTap
    sender: str
    content: bytes
    otherwise: Refusal


class PastRounds:
    """One round is read at a time, beside the writer; all seats share the last few that were."""

    def __init__(self, store: Store, table: str, vouchers: Vouchers, durable: Callable[[], Awaitable[object]]) -> None:
        """`durable` returns once all that was decided so far is, or raises."""
        self._store, self._table, self._vouchers, self._durable = store, table, vouchers, durable
        self._waiting: deque[tuple[PastTap, Callable[[Answer], None]]] = deque()
        self._read: OrderedDict[int, dict[tuple[str, str], Told]] = OrderedDict()
        self._reading: asyncio.Task[None] | None = None

    def ask(self, what: PastTap, reply: Callable[[Answer], None]) -> None:
        if len(self._waiting) >= MOST_WAITING:
            reply(NOT_KNOWN)
            return
        self._waiting.append((what, reply))
        if self._reading is None:
            self._reading = asyncio.create_task(self._answer_all())

    async def _answer_all(self) -> None:
        try:
            while self._waiting:
                number = self._waiting[0][0].tap.round
                try:
                    told = await self._round(number)
                except StoreFailed:  # the table has stopped: nobody knows
                    told = None
                except Exception:  # as little if it cannot be read
                    _log.exception("table %s, the answers of round %s", self._table, number)
                    told = None
                for _ in range(len(self._waiting)):  # all who ask about it, the others after them
                    what, reply = self._waiting.popleft()
                    if what.tap.round == number:
                        reply(_answer(what, told))
                    else:
                        self._waiting.append((what, reply))
        finally:
            self._reading = None

    async def _round(self, number: int) -> dict[tuple[str, str], Told]:
        found = self._read.get(number)
        if found is None:
            await self._durable()
            found = self._read[number] = await self._answers(number)
            while len(self._read) > ROUNDS_KEPT:
                self._read.popitem(last=False)
        self._read.move_to_end(number)
        return found

    async def _answers(self, number: int) -> dict[tuple[str, str], Told]:
        """To every tap that named this round. They were decided while it was on, or the next one."""
        found: dict[tuple[str, str], Told] = {}
        opened = await self._store.labelled(round_label(self._table, number), limit=1)
        end = await self._store.labelled(round_label(self._table, number + 2), limit=1)
        after = opened[0].seq if opened else 0
        while page := await self._store.entries(after=after, stream=f"table/{self._table}", limit=PAGE):
            for written in page:
                if end and written.seq >= end[0].seq:
                    return found
                asked = None if written.request else read_asked(written)
                if asked and _named(asked.command).round == number:
                    told: Told = (asked.command, Accepted(written.number))
                    if written.kind in _SAYS_MORE:
                        told = told_in(read_line(written), self._vouchers, written.number)
                    found[asked.sender, asked.request] = told
            after = page[-1].seq
        return found


def _answer(asked: PastTap, told: dict[tuple[str, str], Told] | None) -> Answer:
    if told is None:
        return NOT_KNOWN
    earlier = told.get((asked.sender, asked.tap.request))
    return same_answer(earlier, asked.tap.request, asked.content) if earlier else asked.otherwise
