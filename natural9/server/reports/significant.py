"""Significant events, and among them what was corrected, overridden or voided: who, when and why."""

from collections.abc import AsyncIterator
from typing import Final, NamedTuple

from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.events import paragraph_of, reason_of, spoken
from natural9.core.saying import is_said
from natural9.journal.catalogue import shape_of
from natural9.journal.labels import SIGNIFICANT
from natural9.journal.line import read_body
from natural9.journal.sentence import Sentence
from natural9.server.reports.columns import SheetOnly, WideOnly
from natural9.server.reports.days import EVERY_DAY, Days, Rounds
from natural9.store.contract import Store, Written

PAGE: Final = 1000


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
    said: dict[str, Sentence]  # the columns whose text the program made, as values


async def significant(store: Store, days: Days = EVERY_DAY, *, before: int | None = None) -> AsyncIterator[Written]:
    """Newest first. A venue may change when its day starts, so one older day does not end it."""
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
    only_overrides: bool = False,
) -> list[EventLine]:
    """Newest first; `before` an entry goes further back."""
    rounds: dict[str, Rounds] = {}
    lines: list[EventLine] = []
    if limit <= 0:
        return lines
    async for written in significant(store, days, before=before):
        room, _, whose = written.stream.partition("/")
        if (table is not None and whose != table) or (only_overrides and not _is_override(written.kind)):
            continue
        number = await rounds.setdefault(whose, Rounds(store, whose)).at(written.seq) if room == "table" else 0
        lines.append(_line(written, whose, number))
        if len(lines) >= limit:
            break
    return lines


def _line(written: Written, table: str, number: int) -> EventLine:
    told = _told(written)
    return EventLine(
        entry=written.seq,
        at_ms=written.at_ms,
        day=written.day,
        table=table,
        round=number,
        kind=written.kind,
        by=str(told.by),
        rank=told.rank,
        why=str(told.why),
        paragraph=told.paragraph,
        says=str(told.says),
        said={name: Sentence.of(getattr(told, name)) for name in _SAID if is_said(getattr(told, name))},
    )


_SAID: Final = ("by", "why", "says")


def _is_override(tag: str) -> bool:
    """A decision of a person that changed what the table would have done by itself."""
    shape = shape_of(tag)
    return shape is not None and shape.IS_OVERRIDE


class _Told(NamedTuple):
    """Who, in which rank, why, by which paragraph, and in words."""

    by: str
    rank: str
    why: str
    paragraph: str
    says: str


def _told(written: Written) -> _Told:
    """What cannot be read is still listed."""
    try:
        line = read_body(written.body)
    except BadInput:
        return _Told("", "", "", "", spoken(written.kind))
    event = line.event
    return _Told(line.origin.words, line.origin.rank, reason_of(event), paragraph_of(event), event.describe())
