"""What each sender was answered, so that the same request gets the same answer and is carried out once.

The journal is the memory, and this is what of it lies in RAM: the taps of this round and of the one before. Bets are
known from here alone; all else is found in the journal, too, and is here so that no bet takes its id.
"""

from typing import Final

import msgspec

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.round.refusal import Code
from natural9.core.saying import Said, say
from natural9.journal.line import JournalLine
from natural9.journal.table_events import BetsNotDoubled, RequestRefused
from natural9.store.contract import Corrupt
from natural9.table.commands.cage import Printed, Vouchers
from natural9.table.commands.refusals import TableCode

MOST_TAPS: Final = 1024  # of one terminal in one round: so many are remembered, and none is forgotten
CODES: Final = {str(code): code for code in (*TableCode, *Code)}


class Accepted(msgspec.Struct, frozen=True, gc=False):  # one is kept for every bet of two rounds, and holds no circle
    entry: int  # the number, in the table's stream, of the first entry that it led to
    voucher: Printed | None = None
    note: Said | None = None  # what whoever asked must know beside that it was done


class NotKnown(msgspec.Struct, frozen=True):
    """Nobody can say yet whether it was done: the table stopped before it was durable, or before it was decided."""

    why: Said


Answer = Accepted | Refusal | NotKnown
NOT_KNOWN: Final = NotKnown(say("It is not known yet whether this was done: ask again with the same request"))

Told = tuple[bytes, Answer]  # what was asked, and what was answered


def same_answer(told: Told, request: str, content: bytes) -> Answer:
    """To the same request; with other content it is a misuse of the id."""
    return told[1] if told[0] == content else request_reused(request)


def without_voucher(told: Told) -> Told:
    """For another device at the same seat than the one that printed it."""
    asked, answer = told
    if not isinstance(answer, Accepted) or answer.voucher is None:
        return told
    gone = say("Voucher {number} was printed at the terminal that was here before", number=answer.voucher.number)
    return asked, Accepted(answer.entry, note=gone)


def request_reused(request: str) -> Refusal:
    why = say("Request {request} was used for something else: make a new id for each", request=request)
    return Refusal(TableCode.REQUEST_REUSED, why)


def accepted_by(event: Event, vouchers: Vouchers, entry: int) -> Accepted:
    """What is answered to the request that led to this, first of all."""
    if isinstance(event, BetsNotDoubled):
        return Accepted(entry, note=event.for_player())
    return Accepted(entry, vouchers.printed(event))


def told_in(line: JournalLine, vouchers: Vouchers, entry: int) -> Told:
    """What was asked and answered, by the entry that the request led to, and its number."""
    event = line.event
    if not isinstance(event, RequestRefused):
        return line.command or b"", accepted_by(event, vouchers, entry)
    if event.code not in CODES:
        raise Corrupt(f"a request of {line.origin.by} was refused as {event.code!r}, which was never defined")
    return line.command or b"", Refusal(CODES[event.code], event.message, event.paragraph)


class Answers:
    """Every answer of this round and of the one before, by sender and request.

    A round's taps are let go of two rounds later, and only once all of them are durable: then the journal has them.
    """

    def __init__(self) -> None:
        self._now: dict[str, dict[str, Told]] = {}
        self._before: dict[str, dict[str, Told]] = {}
        self._leaving: list[dict[str, dict[str, Told]]] = []

    def of(self, sender: str) -> dict[str, Told]:
        """This round's, by request: to be looked at and added to."""
        mine = self._now.get(sender)
        if mine is None:
            mine = self._now[sender] = {}
        return mine

    def recent(self, sender: str, request: str) -> Told | None:
        mine = self._now.get(sender)
        return (mine.get(request) if mine else None) or self.earlier(sender, request)

    def earlier(self, sender: str, request: str) -> Told | None:
        """An answer of the round before."""
        mine = self._before.get(sender)
        if mine and request in mine:
            return mine[request]
        for round in self._leaving:
            if told := round.get(sender, {}).get(request):
                return told
        return None

    def next_round(self) -> None:
        self._leaving.append(self._before)
        self._before, self._now = self._now, {}

    def let_go(self) -> None:
        """Of the oldest round: the opening that it left by is durable, and so is all before it."""
        del self._leaving[0]
