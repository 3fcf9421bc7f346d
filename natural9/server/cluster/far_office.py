"""The office of a venue is at one node at a time: what others have to write or to decide there is asked of it.

And before the office tells anybody of what it wrote about people and devices, it has the other nodes know of it: so
whoever signs out, is locked or revoked is so everywhere at once. A node that does not answer in time looks for itself.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from natural9.core.saying import Said, say
from natural9.journal.sentence import decode_said, encode_said
from natural9.server.cluster.lines import AnswerFailed, Lines, NodeAway
from natural9.server.cluster.whereabouts import OFFICE, Whereabouts
from natural9.server.people.accounts import Accounts
from natural9.server.people.permissions import Denied
from natural9.server.people.records import DEVICE, STAFF, Person
from natural9.server.people.register import VENUE, PeopleStream
from natural9.store.contract import Entry, StoreFailed

ASK_OFFICE: Final = "office"
FOLLOW: Final = "follow"
KNOWN_WITHIN_S: Final = 0.3  # how long the office waits for the others
_KNOWN_EVERYWHERE: Final = (STAFF, DEVICE)


class Authorise(msgspec.Struct, frozen=True, tag=True):
    id: str
    password: str
    peer: str
    device: str


class RevokeFailed(msgspec.Struct, frozen=True, tag=True):
    device: str
    why: Said


class NotedEvent(msgspec.Struct, frozen=True):
    """An entry to be, without what it changes: the office dates it."""

    kind: str
    body: bytes
    label: str


class Note(msgspec.Struct, frozen=True, tag=True):
    events: list[NotedEvent]


class OfficeAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of these."""

    number: int = 0
    person: Person | None = None
    denied: Denied | None = None
    failed: str = ""


AskedOfOffice = Authorise | RevokeFailed | Note


def _no_answer() -> Said:
    return say("The office does not answer: ask again in a moment")


class OfficeStream:
    """Where this node writes what belongs to no table, whoever has the office."""

    def __init__(self, stream: PeopleStream, office: "FarOffice", lines: Lines) -> None:
        self._stream, self._office, self._lines = stream, office, lines

    def append(self, entries: Sequence[Entry]) -> "asyncio.Future[int]":
        if not self._office.is_here:
            return asyncio.ensure_future(self._office.note(entries))
        written = self._stream.append(entries)
        if any(key.startswith(_KNOWN_EVERYWHERE) for entry in entries for key, _ in entry.documents):
            return asyncio.ensure_future(self._once_known(written, len(entries)))
        return written

    async def _once_known(self, written: "asyncio.Future[int]", count: int) -> int:
        first = await written
        last = str(first + count - 1).encode()
        asked = [asyncio.ensure_future(self._lines.ask(node, FOLLOW, last)) for node in self._lines.others]
        if asked:
            _, late = await asyncio.wait(asked, timeout=KNOWN_WITHIN_S)
            for one in late:
                one.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
        return first

    async def rest(self) -> None:
        await self._stream.rest()


class FarOffice:
    """The office at another node, as long as it is; and what others ask of it while it is here."""

    def __init__(
        self, accounts: Accounts, lines: Lines, whereabouts: Whereabouts, mistaken: Callable[[], None]
    ) -> None:
        self._accounts, self._lines, self._whereabouts = accounts, lines, whereabouts
        self._mistaken = mistaken  # called when memory has what the records will not
        self.is_here = False
        register = accounts.register
        register.elsewhere = lambda: None if self.is_here else self
        register.office = OfficeStream(register.office, self, lines)
        lines.serve(ASK_OFFICE, self._answer)

    # There

    async def authorise(self, id: str, password: str, *, peer: str, device: str) -> Person | Denied:
        answer = await self._ask(Authorise(id, password, peer, device))
        decided = answer.person or answer.denied
        assert decided is not None, "one of the two"
        return decided

    async def revoke(self, device: str, why: Said) -> None:
        await self._ask(RevokeFailed(device, why))

    async def note(self, entries: Sequence[Entry]) -> int:
        if any(entry.documents or entry.transfers or entry.request for entry in entries):
            self._mistaken()
            raise StoreFailed(_no_answer())
        return (await self._ask(Note([NotedEvent(one.kind, one.body, one.label) for one in entries]))).number

    async def _ask(self, asked: AskedOfOffice) -> OfficeAnswer:
        node = self._whereabouts.owner_of(OFFICE)
        sent = msgspec.msgpack.encode(asked, enc_hook=encode_said)
        try:
            if node in (None, self._whereabouts.here):
                raise NodeAway(OFFICE)
            written = await self._lines.ask(node, ASK_OFFICE, sent)
        except (NodeAway, AnswerFailed) as error:
            raise StoreFailed(_no_answer()) from error
        answer = msgspec.msgpack.decode(written, type=OfficeAnswer, dec_hook=decode_said)
        if answer.failed:
            raise StoreFailed(answer.failed)
        return answer

    # Here

    async def _answer(self, node: str, body: bytes) -> bytes:
        asked: Any = msgspec.msgpack.decode(body, type=AskedOfOffice, dec_hook=decode_said)
        try:
            if not self.is_here:  # one hop, and no further
                raise StoreFailed(_no_answer())
            answer = await self._decide(asked)
        except StoreFailed as error:
            answer = OfficeAnswer(failed=str(error) or "failed")
        return msgspec.msgpack.encode(answer, enc_hook=encode_said)

    async def _decide(self, asked: AskedOfOffice) -> OfficeAnswer:
        match asked:
            case Authorise():
                decided = await self._accounts.authorise(asked.id, asked.password, peer=asked.peer, device=asked.device)
                return OfficeAnswer(person=decided) if isinstance(decided, Person) else OfficeAnswer(denied=decided)
            case RevokeFailed():
                await self._accounts.devices.revoke(asked.device, by=VENUE, why=asked.why)
                return OfficeAnswer()
            case Note():
                at_ms, day = self._accounts.register.record_ms(), self._accounts.register.today()
                entries = [Entry(OFFICE, one.kind, one.body, at_ms, day, one.label) for one in asked.events]
                return OfficeAnswer(number=await self._accounts.register.office.append(entries))
