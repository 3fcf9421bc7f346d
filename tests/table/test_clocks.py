"""A clock on the wall that is set during play: timers do not notice, and the record never goes back."""

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.round.state import Phase
from natural9.core.saying import verbatim
from natural9.store.contract import Written
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.refusals import TableCode
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Mode, ShoeSource
from tests.table.live import SUPERVISOR, LiveTable, live_table, table_config, terminal

SECOND_MS = 1_000
HOUR_MS = 3_600 * SECOND_MS
DAY_MS = 24 * HOUR_MS
AUTOMATIC = table_config("rws-nc-insurance", mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER)


async def automatic() -> LiveTable:
    table = await live_table(AUTOMATIC)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    return table


def phase(table: LiveTable) -> Phase:
    return table.state.round.phase


async def a_round(table: LiveTable) -> None:
    """As long as a round takes at most: fifteen seconds of betting, two windows of insurance, cards and the result."""
    for _ in range(60):
        await table.pass_ms(SECOND_MS)


async def entries(table: LiveTable) -> list[Written]:
    return await table.store.entries(limit=10**6)


@pytest.mark.parametrize("by_ms", [-HOUR_MS, 2 * DAY_MS])
async def test_bets_close_on_time_wherever_the_clock_on_the_wall_jumps(by_ms: int) -> None:
    table = await automatic()
    await table.pass_ms(10 * SECOND_MS)
    before = everybody_sees(table.state).closes_at_ms
    table.set_wall(by_ms)
    await table.pass_ms(4 * SECOND_MS)
    assert phase(table) is Phase.BETTING_OPEN
    assert everybody_sees(table.state).closes_at_ms == before, "everybody counts down to the same moment"
    await table.pass_ms(1 * SECOND_MS)
    assert phase(table) is Phase.BETS_CLOSED
    await table.pass_ms(SECOND_MS - 1)
    assert len(table.state.round.cards) == 0
    await table.pass_ms(1)
    assert len(table.state.round.cards) == 1, "cards come at their pace"


async def test_a_clock_two_days_ahead_and_then_corrected_holds_no_table_up() -> None:
    table = await automatic()
    table.set_wall(2 * DAY_MS)
    await a_round(table)
    after_the_jump = table.round
    assert after_the_jump > 1
    table.set_wall(-2 * DAY_MS)
    await a_round(table)
    assert table.round > after_the_jump
    await table.check_history()


@pytest.mark.parametrize("by_ms", [-HOUR_MS, HOUR_MS])
async def test_bets_alone_are_shown_to_the_others_as_soon_as_ever(by_ms: int) -> None:
    table = await live_table()
    await table.buy(1, 100_000)
    await table.open()
    await table.pass_ms(SECOND_MS)
    await table.bet(1, "player", 1_000)
    table.set_wall(by_ms)
    await table.bet(1, "player", 1_000)
    await table.pass_ms(SECOND_MS)
    assert table.ears.told[-1].table.laid["player"] == 2_000


async def test_a_window_begins_again_in_full_after_a_restart_though_the_wall_went_back_meanwhile() -> None:
    table = await automatic()
    await table.pass_ms(14 * SECOND_MS)
    await table.crash()
    last = (await entries(table))[-1]
    table.set_wall(-HOUR_MS)
    table = await table.again(seen_ms=table.now_ms)
    assert phase(table) is Phase.BETTING_OPEN
    await table.pass_ms(14 * SECOND_MS)
    assert phase(table) is Phase.BETTING_OPEN
    await table.pass_ms(1 * SECOND_MS)
    assert phase(table) is Phase.BETS_CLOSED
    written = await entries(table)
    assert written[-1].seq > last.seq
    assert {one.at_ms for one in written if one.seq > last.seq} == {last.at_ms}, "no earlier than what stands there"


async def test_a_voucher_of_a_jump_ahead_is_good_for_its_days_by_the_record() -> None:
    """Neither for ever nor expired at once: what the record says has passed has passed, and no more."""
    table = await live_table()
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.buy(1, 10_000)
    table.set_wall(2 * DAY_MS)
    printed = (await table.do(taps.CashOut, terminal(1))).voucher
    assert printed
    assert printed.expires_at_ms == (await entries(table))[-1].at_ms + 30 * DAY_MS
    slip = {"number": printed.number, "code": printed.code}
    table.set_wall(-2 * DAY_MS)
    await table.do(taps.InsertVoucher, terminal(2), **slip)
    printed = (await table.do(taps.CashOut, terminal(2))).voucher
    assert printed
    slip = {"number": printed.number, "code": printed.code}
    table.set_wall(32 * DAY_MS)
    assert (await table.refused(taps.InsertVoucher, terminal(1), **slip)).code is TableCode.VOUCHER_EXPIRED
    table.set_wall(-32 * DAY_MS)
    refused = await table.refused(taps.InsertVoucher, terminal(1), **slip)
    assert refused.code is TableCode.VOUCHER_EXPIRED, "its day has passed by the record, which does not go back"


JUMPS = st.integers(-3 * DAY_MS, 3 * DAY_MS)
PAUSES = st.integers(0, 20 * SECOND_MS)
STEPS = st.lists(st.tuples(JUMPS, PAUSES, st.booleans(), st.booleans()), min_size=1, max_size=6)


@settings(max_examples=25, deadline=None)
@given(STEPS)
def test_the_times_of_entries_never_go_back_wherever_the_wall_walks(steps: list[tuple[int, int, bool, bool]]) -> None:
    asyncio.run(_walk(steps))


async def _walk(steps: list[tuple[int, int, bool, bool]]) -> None:
    store = MemoryStore()
    table = await live_table(AUTOMATIC, store)
    await table.do(staff.OpenTable, SUPERVISOR)
    for number, (jump_ms, pause_ms, faulty, restarts) in enumerate(steps):
        table.set_wall(jump_ms)
        if restarts:
            table = await table.restart()
        if faulty:  # raised between two batches: it is dated when it is written
            table.writer.raise_fault("lamp", verbatim("dark"))
            table.set_wall(-jump_ms)
        await table.pass_ms(pause_ms)
        if faulty:
            await table.do(staff.ClearFault, SUPERVISOR, fault="lamp", why=f"mended {number}")
        await table.buy(1, 100)
    written = await store.entries(limit=10**6)
    assert [one.at_ms for one in written] == sorted(one.at_ms for one in written)
    assert [one.day for one in written] == sorted(one.day for one in written)
    await table.crash()


async def test_what_is_recorded_between_two_batches_is_dated_when_it_is_written() -> None:
    """Other tables write meanwhile: its own moment would stand behind theirs, and be earlier."""
    table = await live_table()
    table.writer.raise_fault("printer", verbatim("no paper"))
    table.now_ms += HOUR_MS
    await table.settle_down()
    [fault] = [one for one in await entries(table) if one.kind == "fault-raised"]
    assert fault.at_ms == table.clock.record_ms()
