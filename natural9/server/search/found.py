"""The search itself: newest first, by an index where one answers, else by reading back; never longer than a bound."""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

from msgspec import Struct

from natural9.core.events import seat_of, spoken
from natural9.journal.accounts import voucher_account
from natural9.journal.labels import voucher_label
from natural9.journal.people_events import DeviceAdded, DeviceEnrolled, DeviceRevoked, OccupiedSeatEnrolled
from natural9.journal.sentence import Sentence
from natural9.server.people.register import STREAM as PEOPLE
from natural9.server.search.match import Check, Periods, checks_of, line_of
from natural9.server.search.query import RoundEnd, SearchQuery
from natural9.server.search.rounds import TABLES, RoundEnds, table_of
from natural9.store.contract import Store, Written

MOST_ROWS: Final = 500  # in one answer
MOST_READ: Final = 2_000_000  # entries
MOST_S: Final = 10.0
STRIDE: Final = 4_000
LONGEST_STRIDE: Final = 128_000
_AMOUNTS: Final = ("cents", "returned_cents", "counted_cents", "staked_cents")
_OPEN_END: Final = 2**63 - 1


class FoundEntry(Struct, frozen=True, kw_only=True):
    """`round` is the one that was open or had just ended; 0 before the first and outside any table."""

    entry: int
    at_ms: int
    day: str
    table: str
    round: int
    result: RoundEnd | None  # of that round, as it stands by now
    seat: int | None
    kind: str
    by: str
    by_said: Sentence
    rank: str
    cents: int | None
    voucher: str
    says: str
    said: Sentence


class SearchFound(Struct, frozen=True, kw_only=True):
    """`count` is of all that was found, on the first page only. A search that took too long is not `complete`: it has
    read back to `back_to_ms`, and goes on before `more_before` when it is asked to."""

    rows: tuple[FoundEntry, ...]
    count: int | None
    complete: bool
    back_to_ms: int | None
    more_before: int | None


async def search(
    store: Store,
    query: SearchQuery,
    *,
    before: int | None = None,
    limit: int = 100,
    most_read: int = MOST_READ,
    most_s: float = MOST_S,
    clock_s: Callable[[], float] = time.monotonic,
) -> SearchFound:
    """Newest first, and how many there are; `before` an entry goes on from there, and does not count again."""
    started, read, count = clock_s(), 0, 0
    checks = checks_of(query, await _periods(store, query.device) if query.device else ())
    ends = RoundEnds(store)
    hits: list[Written] = []
    more_before: int | None = None
    complete, back_to_ms = True, None
    async for page in _pages(store, query, before):
        if query.result and not query.voucher:
            await ends.note(page, to_the_end=before is None and query.until_ms is None)
        for written in reversed(page):
            if _fits(written, checks) and await _ended_so(ends, written, query.result):
                count += 1
                if len(hits) < limit:
                    hits.append(written)
        read += len(page)
        back_to_ms = page[0].at_ms if page else back_to_ms
        if count > limit and before is not None:  # enough: how many there are was told with the first page
            break
        if page and (read >= most_read or clock_s() - started >= most_s):
            complete, more_before = False, page[0].seq
            break
    if count > limit:
        more_before = hits[-1].seq
    rows = tuple([await _row(ends, written) for written in hits])
    return SearchFound(
        rows=rows,
        count=count if before is None else None,
        complete=complete,
        back_to_ms=back_to_ms,
        more_before=more_before,
    )


async def found_entry(store: Store, written: Written) -> FoundEntry:
    """One entry, as a search shows it."""
    return await _row(RoundEnds(store), written)


def _fits(written: Written, checks: Sequence[Check]) -> bool:
    return all(check(written) for check in checks)


async def _ended_so(ends: RoundEnds, written: Written, result: RoundEnd | None) -> bool:
    if result is None:
        return True
    table = table_of(written)
    return await ends.result(table, await ends.number(table, written.seq)) is result


async def _pages(store: Store, query: SearchQuery, before: int | None) -> AsyncIterator[list[Written]]:
    """What may hold something, newest page first; within a page, oldest first."""
    first, last = await _between(store, query)
    if before is not None:
        last = min(last, before - 1)
    stream = f"{TABLES}{query.table}" if query.table else None
    if query.voucher:
        found = [one for one in await entries_of_voucher(store, query.voucher) if first <= one.seq <= last]
        yield [one for one in found if stream in (None, one.stream)]
        return
    stride = STRIDE
    while last >= first:
        after = max(first - 1, last - stride)
        page = await store.entries(after=after, before=last + 1, stream=stream, limit=stride)
        yield page
        dense = len(page) > stride // 8
        last, stride = after, min(stride if dense and stride > STRIDE else stride * 4, LONGEST_STRIDE)


async def entries_of_voucher(store: Store, number: str) -> list[Written]:
    """By its label, and by the account that its money lay in: that of a voided one is another label."""
    found = {written.seq: written for written in await store.labelled(voucher_label(number))}
    for moved in await store.transfers(account=voucher_account(number)):
        if moved.seq not in found:
            [found[moved.seq]] = await store.entries(after=moved.seq - 1, limit=1)
    return [found[seq] for seq in sorted(found)]


async def _between(store: Store, query: SearchQuery) -> tuple[int, int]:
    """The first and the last entry of the time that is asked for: no entry is older than the one before it."""
    head = (await store.head()).seq
    first = 1 if query.since_ms is None else await _first_from(store, query.since_ms, head)
    last = head if query.until_ms is None else await _first_from(store, query.until_ms + 1, head) - 1
    return first, last


async def _first_from(store: Store, at_ms: int, head: int) -> int:
    """The first entry that is not older, by halving."""
    low, high = 1, head + 1
    while low < high:
        middle = (low + high) // 2
        [written] = await store.entries(after=middle - 1, limit=1)
        if written.at_ms < at_ms:
            low = middle + 1
        else:
            high = middle
    return low


async def _periods(store: Store, device: str) -> Periods:
    """Which seat a device had from which entry to which: what its terminal did then, it did."""
    quoted, place, since = f'"{device}"'.encode(), "", 0
    periods: list[tuple[str, int, int]] = []
    after = 0
    while page := await store.entries(after=after, stream=PEOPLE, limit=STRIDE):
        for written in page:
            if quoted not in written.body or (line := line_of(written)) is None:
                continue
            match line.event:
                case DeviceAdded(id=id, table=table, seat=seat) if id == device and seat is not None:
                    place = f"{table}-{seat}"
                case DeviceEnrolled(id=id) | OccupiedSeatEnrolled(id=id) if id == device and place and not since:
                    since = written.seq
                case DeviceRevoked(id=id) if id == device and since:
                    periods.append((place, since, written.seq))
                    since = 0
                case _:
                    pass
        after = page[-1].seq
    if since:
        periods.append((place, since, _OPEN_END))
    return tuple(periods)


async def _row(ends: RoundEnds, written: Written) -> FoundEntry:
    table, line = table_of(written), line_of(written)
    number = await ends.number(table, written.seq)
    event = line.event if line else None
    who = line.origin.words if line else ""
    says = event.describe() if event else spoken(written.kind)
    amounts = (getattr(event, name, None) for name in _AMOUNTS)
    return FoundEntry(
        entry=written.seq,
        at_ms=written.at_ms,
        day=written.day,
        table=table,
        round=number,
        result=await ends.result(table, number),
        seat=seat_of(event) if event else None,
        kind=written.kind,
        by=str(who),
        by_said=Sentence.of(who),
        rank=line.origin.rank if line else "",
        cents=next((one for one in amounts if one is not None), None),
        voucher=getattr(event, "number", "") if written.kind.startswith("voucher-") else "",
        says=str(says),
        said=Sentence.of(says),
    )
