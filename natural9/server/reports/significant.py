"""Significant events, and among them what was corrected, overridden or voided: who, when and why."""

from collections.abc import AsyncIterator
from typing import Final

from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.journal.describe import paragraph_of, tell, why_of
from natural9.journal.labels import SIGNIFICANT
from natural9.journal.line import read_body
from natural9.server.people.events import from_body
from natural9.server.people.telling import tell as tell_of_people
from natural9.server.reports.columns import SheetOnly, WideOnly
from natural9.server.reports.days import EVERY_DAY, Days, Rounds
from natural9.store.contract import Store, Written

PAGE: Final = 1000
# Decisions of a person that changed what the table would have done by itself.
CORRECTIONS: Final = frozenset(
    {
        "irregularity-decided",
        "round-voided",
        "cards-corrected",
        "shoe-replaced",
        "voucher-voided",
        "debt-left",
        "limits-changed",
        "fault-cleared",
        "terminal-unlocked",
        "hand-paid",
        "round-frozen",
    }
)


class EventLine(Struct, frozen=True, kw_only=True):
    """`round` is the one that was open or had just ended; 0 before the first and outside any table."""

    entry: SheetOnly[int]
    at_ms: int
    day: SheetOnly[str]
    table: str
    round: int
    kind: str
    by: str
    rank: SheetOnly[str]  # that they acted in, if it was one of the pit
    why: WideOnly[str]
    paragraph: WideOnly[str]
    says: str


async def significant(store: Store, days: Days = EVERY_DAY, *, before: int | None = None) -> AsyncIterator[Written]:
    """Newest first. The clock on the wall may be set back a little, so one older day does not end it."""
    older = 0
    while page := await store.labelled(SIGNIFICANT, before=before, limit=PAGE):
        for written in page:
            if days.hold(written.day):
                yield written
            older = older + 1 if written.day < days.first else 0
        if older >= PAGE:
            return
        before = page[-1].seq


async def event_lines(
    store: Store,
    days: Days,
    *,
    table: str | None,
    before: int | None,
    limit: int,
    kinds: frozenset[str] | None = None,
) -> list[EventLine]:
    """Newest first; `before` an entry goes further back."""
    rounds: dict[str, Rounds] = {}
    lines: list[EventLine] = []
    if limit <= 0:
        return lines
    async for written in significant(store, days, before=before):
        room, _, whose = written.stream.partition("/")
        if (table is not None and whose != table) or (kinds is not None and written.kind not in kinds):
            continue
        number = await rounds.setdefault(whose, Rounds(store, whose)).at(written.seq) if room == "table" else 0
        lines.append(_line(written, whose, number))
        if len(lines) >= limit:
            break
    return lines


def _line(written: Written, table: str, number: int) -> EventLine:
    by, rank, why, paragraph, says = _told(written)
    return EventLine(
        entry=written.seq,
        at_ms=written.at_ms,
        day=written.day,
        table=table,
        round=number,
        kind=written.kind,
        by=by,
        rank=rank,
        why=why,
        paragraph=paragraph,
        says=says,
    )


def _told(written: Written) -> tuple[str, str, str, str, str]:
    """Who, in which rank, why, by which paragraph, and in words."""
    try:
        line = read_body(written.body)
        return line.origin.by, line.origin.rank, why_of(line.event), paragraph_of(line.event), tell(line.event)
    except BadInput:
        pass
    try:
        event = from_body(written.body)
    except BadInput:
        return "", "", "", "", written.kind.replace("-", " ")
    return event.by, "", str(getattr(event, "why", "")), "", tell_of_people(event)
