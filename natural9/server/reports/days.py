"""Gaming days, and how many rounds a table dealt on them."""

from datetime import date
from typing import Final, NamedTuple

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal.labels import round_label
from natural9.store.contract import Store, Written
from natural9.table.audit.history import last_round


class Days(NamedTuple):
    """From one gaming day to another, both included."""

    first: str = ""
    last: str = "9999"

    def hold(self, day: str) -> bool:
        return self.first <= day <= self.last


EVERY_DAY: Final = Days()


def days_of(*, day: str | None = None, first_day: str | None = None, last_day: str | None = None) -> Days:
    """One day, or all from the first to the last; what is not given is open."""
    if day is not None and (first_day is not None or last_day is not None):
        raise BadInput("bad-day", say("give one day, or the first and the last, not both"))
    if day is not None:
        return Days(_day(day), day)
    first = EVERY_DAY.first if first_day is None else _day(first_day)
    last = EVERY_DAY.last if last_day is None else _day(last_day)
    days = Days(first, last)
    if days.first > days.last:
        order = say("{first} comes after {last}: the first day stands first", first=days.first, last=days.last)
        raise BadInput("bad-day", order)
    return days


def _day(text: str) -> str:
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    raise BadInput("bad-day", say("{day} is not a gaming day: write it as 2026-11-16", day=repr(text[:40])))


class Rounds:
    """Where the rounds of a table lie in the journal, found by halving: rounds are numbered without gaps, and neither
    their days nor their entries ever go back."""

    def __init__(self, store: Store, table: str) -> None:
        self._store, self._table = store, table
        self._opened: dict[int, Written] = {}
        self._last: int | None = None

    def know(self, number: int, opened: Written) -> None:
        """Where a round opens, from whoever has read it."""
        self._opened[number] = opened

    async def last(self) -> int:
        if self._last is None:
            self._last = await last_round(self._store, self._table)
        return self._last

    async def dealt_on(self, day: str) -> int:
        """How many rounds were opened on this gaming day."""
        return await self._first_after(day=day) - await self._first_after(before_day=day)

    async def before_day(self, day: str) -> int:
        """The entry after which this day's first round opens; with its shoe, if that was loaded just before."""
        first = await self._first_after(before_day=day)
        return (await self._opening(first - 1)).seq - 1 if first > 1 else 0

    async def at(self, seq: int) -> int:
        """The round that an entry belongs to: the last one opened before it."""
        low, high = 1, await self.last() + 1
        while low < high:
            middle = (low + high) // 2
            if (await self._opening(middle)).seq <= seq:
                low = middle + 1
            else:
                high = middle
        return low - 1

    async def _first_after(self, *, day: str = "", before_day: str = "") -> int:
        """The first round of a later day than `day`, or not earlier than `before_day`."""
        low, high = 1, await self.last() + 1
        while low < high:
            middle = (low + high) // 2
            opened_on = (await self._opening(middle)).day
            earlier = opened_on <= day if day else opened_on < before_day
            if earlier:
                low = middle + 1
            else:
                high = middle
        return low

    async def _opening(self, number: int) -> Written:
        opened = self._opened.get(number)
        if opened is None:
            [opened] = await self._store.labelled(round_label(self._table, number), limit=1)
            self._opened[number] = opened
        return opened
