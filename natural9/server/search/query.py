"""What is looked for, read from what somebody typed; whatever makes no sense is refused in words."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Final

from msgspec import Struct

from natural9.core.errors import BadInput
from natural9.core.money import parse_cents, show_cents
from natural9.core.saying import say

_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?", re.ASCII)
MOST_SEATS: Final = 100_000


class RoundEnd(StrEnum):
    """How a round ended."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    VOID = "void"


class SearchQuery(Struct, frozen=True, kw_only=True):
    """All that is given must hold; what is None is not asked. Times and amounts include their ends."""

    since_ms: int | None = None
    until_ms: int | None = None
    table: str | None = None
    seat: int | None = None
    device: str | None = None
    voucher: str | None = None
    least_cents: int | None = None
    most_cents: int | None = None
    result: RoundEnd | None = None
    person: str | None = None

    @property
    def asks_for_rounds(self) -> bool:
        """By its result alone, perhaps at a table: then a round is found once, not each of its entries."""
        named = (self.seat, self.device, self.voucher, self.least_cents, self.most_cents, self.person)
        return self.result is not None and all(one is None for one in named)


def search_query(
    zone: tzinfo,
    *,
    since: str = "",
    until: str = "",
    table: str = "",
    seat: str = "",
    device: str = "",
    voucher: str = "",
    least: str = "",
    most: str = "",
    result: str = "",
    person: str = "",
) -> SearchQuery:
    """Every part as it was typed; an empty one is not asked. Times are the venue's own."""
    query = SearchQuery(
        since_ms=_moment(since, zone, end=False),
        until_ms=_moment(until, zone, end=True),
        table=table.strip() or None,
        seat=_seat(seat),
        device=device.strip() or None,
        voucher=voucher.strip() or None,
        least_cents=_amount(least),
        most_cents=_amount(most),
        result=_result(result),
        person=person.strip() or None,
    )
    if query.since_ms is not None and query.until_ms is not None and query.since_ms > query.until_ms:
        order = say(
            "{first} comes after {last}: the earlier time stands first", first=since.strip(), last=until.strip()
        )
        raise BadInput("bad-time", order)
    if query.least_cents is not None and query.most_cents is not None and query.least_cents > query.most_cents:
        first, last = show_cents(query.least_cents), show_cents(query.most_cents)
        more = say("{first} is more than {last}: the smaller amount stands first", first=first, last=last)
        raise BadInput("bad-amount", more)
    return query


def _moment(text: str, zone: tzinfo, *, end: bool) -> int | None:
    """A day, a minute or a second; the end of a range is the last millisecond of what was named.

    >>> from datetime import UTC
    >>> _moment("2026-11-16", UTC, end=False), _moment("2026-11-16 00:00", UTC, end=True)
    (1794787200000, 1794787259999)
    """
    if not (text := text.strip()):
        return None
    match = _MOMENT.fullmatch(text)
    try:
        assert match
        day, minute, second = match.groups(default="")
        named = datetime.fromisoformat(f"{day} {minute or '00:00'}{second or ':00'}")
        if end and not minute:
            named += timedelta(days=1)
        moment = named.replace(tzinfo=zone, fold=end and bool(minute)).astimezone(UTC)
        if end and minute:  # of an hour that comes twice, the second time
            moment += timedelta(seconds=1) if second else timedelta(minutes=1)
        return round(moment.timestamp() * 1000) - end
    except (AssertionError, ValueError, OverflowError):
        form = say("{time} is not a time: write it as 2026-11-16 or 2026-11-16 14:05", time=repr(text[:40]))
        raise BadInput("bad-time", form) from None


def _seat(text: str) -> int | None:
    if not (text := text.strip()):
        return None
    if re.fullmatch(r"\d{1,6}", text, re.ASCII) and 1 <= int(text) <= MOST_SEATS:
        return int(text)
    raise BadInput("bad-seat", say("{seat} is not a seat: write its number, such as 7", seat=repr(text[:40])))


def _amount(text: str) -> int | None:
    return parse_cents(text[:40]) if text.strip() else None


def _result(text: str) -> RoundEnd | None:
    if not (text := text.strip().lower()):
        return None
    try:
        return RoundEnd(text)
    except ValueError:
        none = say("{result} is not a result: write player, banker, tie or void", result=repr(text[:40]))
        raise BadInput("bad-result", none) from None
