"""The report of the shifts: who dealt where, from when to when, and how many rounds."""

import pytest

from natural9.core.staff import Rank
from natural9.server.reports.days import Days
from natural9.server.reports.events import event_report
from natural9.server.reports.shifts import ShiftLine, shift_report
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from tests.table.live import DEALER, MANAGER, START_MS, SUPERVISOR, LiveTable, live_table, table_config
from tests.table.stories import NATURAL

MEI = Who("mei", rank=Rank.DEALER)
HOUR_MS = 60 * 60 * 1000
DAY, NEXT = "2027-01-15", "2027-01-16"


async def play(table: LiveTable, rounds: int) -> None:
    for _ in range(rounds):
        await table.open()
        await table.finish(NATURAL)
        table.now_ms += HOUR_MS // 4


async def two_days(store: MemoryStore) -> None:
    """Dora opens, is relieved in the middle of her third round, comes back a day later; vera alone at another table."""
    table, other = await live_table(store=store), await live_table(table_config(id="vip-2"), store)
    for one in (table, other):
        await one.do(staff.OpenTable, SUPERVISOR)
    await play(table, 1)  # nobody is signed on
    await table.do(staff.SignOn, DEALER)
    await other.do(staff.SignOn, MANAGER)
    await play(table, 2)
    await table.open()
    await table.do(staff.SignOn, MEI)
    await table.finish(NATURAL)
    await play(table, 1)
    table.now_ms += 24 * HOUR_MS
    await play(table, 1)
    await table.do(staff.SignOff, SUPERVISOR, dealer="mei")
    await play(table, 1)
    await table.do(staff.SignOn, DEALER)


def told(lines: list[ShiftLine]) -> list[tuple[str, str, float, float | None, int]]:
    return [(one.table, one.dealer, _hours(one.on_at_ms), one.off_at_ms and _hours(one.off_at_ms), one.rounds)
            for one in lines]  # fmt: skip


def _hours(at_ms: int) -> float:
    return (at_ms - START_MS) / HOUR_MS


DORA_AGAIN = ("1", "dora", 25.5, None, 0)
MEI_OVERNIGHT = ("1", "mei", 0.75, 25.25, 2)
MANAGER_ALONE = ("vip-2", "max", 0.0, None, 0)
DORA = ("1", "dora", 0.25, 0.75, 3)  # the round that she was relieved in opened under her


async def test_each_shift_with_its_rounds_newest_first() -> None:
    store = MemoryStore()
    await two_days(store)
    lines = await shift_report(store)
    assert told(lines) == [DORA_AGAIN, MEI_OVERNIGHT, MANAGER_ALONE, DORA]
    assert [one.entry for one in lines] == sorted([one.entry for one in lines], reverse=True)
    assert told(await shift_report(store, table="vip-2")) == [MANAGER_ALONE]
    assert await shift_report(store, table="9") == []


async def test_a_shift_is_of_the_day_it_began_and_a_page_goes_on_where_the_last_ended() -> None:
    store = MemoryStore()
    await two_days(store)
    lines = await shift_report(store, Days(DAY, DAY))
    assert told(lines) == [MEI_OVERNIGHT, MANAGER_ALONE, DORA], "its end lies on the next day, and is known"
    assert {one.day for one in lines} == {DAY}
    assert told(await shift_report(store, Days(NEXT, NEXT))) == [DORA_AGAIN]
    [first] = await shift_report(store, Days(DAY, DAY), limit=1)
    assert told(await shift_report(store, before=first.entry, limit=1)) == [MANAGER_ALONE]
    assert told(await shift_report(store, before=first.entry + 1)) == told(lines)


async def test_sign_ons_are_among_the_significant_events() -> None:
    store = MemoryStore()
    await two_days(store)
    lines = [one for one in await event_report(store, table="1") if one.kind.startswith("dealer-")]
    assert [(one.by, one.round, one.says) for one in lines] == [
        ("dora", 7, "dora signed on"),
        ("pat", 6, "mei was signed off by pat"),
        ("mei", 4, "mei signed on and relieves dora"),
        ("dora", 1, "dora signed on"),
    ]


@pytest.mark.parametrize("name", ["system", "venue", "reading-shoe", "house", "terminal"])
async def test_whatever_a_dealer_is_called_they_are_listed_and_the_program_is_not(name: str) -> None:
    store = MemoryStore()
    table = await live_table(store=store)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.SignOn, Who(name, rank=Rank.DEALER))
    await play(table, 1)
    assert [(one.dealer, one.rounds) for one in await shift_report(store)] == [(name, 1)]
    by = {line.kind: (line.by, line.rank, "by" in line.said) for line in await event_report(store)}
    assert by["dealer-signed-on"] == (name, "dealer", False)
    assert by["limits-changed"] == ("the program", "", True)
