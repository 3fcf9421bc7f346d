"""The report of players' sessions, from a journal that a real table wrote."""

from natural9.server.reports.days import Days
from natural9.server.reports.protection import protection_report
from natural9.table.commands import terminal as taps
from natural9.table.venue.protection import MINUTE_MS, PlayLimits, Protection
from tests.table.live import LiveTable, live_table, table_config, terminal

PLAYER_WINS = "4C 2D 5D 2S"


async def two_sessions() -> LiveTable:
    """Seat 1 has played and gone; seat 2 plays on."""
    protection = Protection(default=PlayLimits(loss_cents=50_000))
    table = await live_table(table_config(protection=protection))
    await table.buy(1, 10_000)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.pass_ms(61 * MINUTE_MS)
    await table.do(taps.ContinuePlay, terminal(1))
    await table.do(taps.SetPlayLimits, terminal(1), loss_cents=4_000, time_min=90)
    await table.do(taps.TakeBreak, terminal(1), minutes=1)
    await table.buy(2, 7_000)
    await table.finish(PLAYER_WINS)
    await table.do(taps.CashOut, terminal(1))
    await table.pass_ms(10_000)
    await table.pass_ms(11 * MINUTE_MS)
    return table


async def test_each_session_with_its_money_checks_breaks_and_limits() -> None:
    table = await two_sessions()
    on, over = await protection_report(table.store)
    assert (on.seat, on.ended_at_ms, on.minutes, on.net_cents, on.loss_limit_cents) == (2, None, None, None, 50_000)
    assert (over.table, over.seat, over.minutes, over.rounds) == ("1", 1, 72, 1)
    assert (over.staked_cents, over.in_cents, over.out_cents, over.net_cents) == (1_000, 10_000, 11_000, 1_000)
    assert (over.checks, over.breaks, over.limit_changes, over.pauses) == (1, 1, 1, 0)
    assert (over.time_limit_minutes, over.loss_limit_cents, over.stake_limit_cents) == (90, 4_000, None)
    assert over.ended_at_ms is not None
    assert over.ended_at_ms > over.started_at_ms


async def test_it_is_asked_for_by_table_day_and_page() -> None:
    table = await two_sessions()
    on, over = await protection_report(table.store)
    assert await protection_report(table.store, table="2") == []
    assert await protection_report(table.store, Days("2000-01-01", "2000-01-02")) == []
    assert await protection_report(table.store, Days(first="9000-01-01")) == []
    assert await protection_report(table.store, limit=1) == [on]
    assert await protection_report(table.store, before=on.entry) == [over]
