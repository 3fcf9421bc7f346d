"""The pit's day: the win is that of the books, the band that of the odds, and read on it is as if read at once."""

from pathlib import Path

import msgspec
import pytest

from natural9.core.round import commands as round_commands
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from natural9.server.reports.aside import Lane, aside
from natural9.server.reports.days import days_of
from natural9.server.reports.floor_day import HOUR_MS, MINUTE_MS, FloorBooks, FloorDay, floor_day
from natural9.server.reports.hold import hold_report
from natural9.server.reports.win import win_report
from natural9.store.contract import Access, Store
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from natural9.table.commands import terminal as taps
from tests.table.live import DEALER, SHIFT_MANAGER, LiveTable, live_table, table_config, terminal, venue_of
from tests.table.stories import NATURAL, an_evening

VENUE = venue_of()


def day_of(table: LiveTable) -> str:
    return VENUE.gaming_day(table.now_ms)


async def seen(store: Store, table: LiveTable, *, with_money: bool = True) -> FloorDay:
    told = await floor_day(store, day_of(table), table.now_ms, with_money)
    return msgspec.json.decode(told, type=FloorDay)


async def one_round(table: LiveTable, cards: str = NATURAL) -> None:
    await table.open()
    await table.bet(1, "player", 10_000)
    await table.bet(2, "banker", 20_000)
    await table.finish(cards)


async def a_table(store: Store) -> LiveTable:
    table = await live_table(store=store)
    for seat in (1, 2):
        await table.buy(seat, 1_000_000)
    return table


async def agree(store: Store, table: LiveTable) -> FloorDay:
    """With the reports of the same day."""
    days = days_of(day=day_of(table))
    found = await seen(store, table)
    [win] = await win_report(store, days)
    held = [line for line in await hold_report(store, days) if line.wager == ""]
    last = found.curve[-1]
    assert last.house_win_cents == win.house_win_cents == sum(line.house_win_cents or 0 for line in found.hours)
    assert win.turnover_cents == sum(line.staked_cents or 0 for line in found.hours)
    assert last.expected_cents == pytest.approx(sum(line.theoretical_cents or 0 for line in held), abs=1)
    assert last.deviation_cents == pytest.approx(held[0].deviation_cents, abs=1)
    return found


async def test_an_evening_with_a_correction_and_a_void_is_as_the_reports_have_it() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    found = await agree(store, table)
    assert sum(line.rounds for line in found.hours) == 2, "one is void"


async def test_insurance_is_expected_at_the_points_it_was_taken_at() -> None:
    store = MemoryStore()
    table = await live_table(table_config("rws-nc-insurance"), store)
    await table.buy(1, 1_000_000)
    await table.open()
    await table.bet(1, "banker", 10_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("KS QH 3D 6C")  # Player 3, Banker 6
    await table.do(round_commands.OpenInsurance, DEALER)
    await table.do(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=1_000)
    await table.do(round_commands.CloseInsurance, DEALER)
    await table.deal("2H")
    await table.do(round_commands.DeclareResult, DEALER)
    await table.do(round_commands.Settle, DEALER)
    await agree(store, table)


async def test_what_is_read_on_is_what_is_read_at_once() -> None:
    store = MemoryStore()
    table = await a_table(store)
    books = FloorBooks(day_of(table), find_game=load_game, decks={})
    for _ in range(3):
        await one_round(table)
        await books.read_on(store)
        await table.pass_ms(7 * MINUTE_MS)
    await table.open()
    await table.bet(1, "player", 10_000)
    await books.read_on(store)  # in the middle of a round
    await table.finish("KS QH 3D 6C 2H")
    await books.read_on(store)
    await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=5, card="AH", why="misread")
    await books.read_on(store)
    assert books.shown(table.now_ms, with_money=True) == await seen(store, table)
    assert len((await seen(store, table)).curve) > 2


async def test_the_day_is_the_gaming_day_and_begins_with_nothing() -> None:
    store = MemoryStore()
    table = await a_table(store)
    await one_round(table)
    yesterday = await agree(store, table)
    await table.pass_ms(24 * HOUR_MS)
    nothing = await seen(store, table)
    assert (nothing.curve, nothing.hours, nothing.pace) == ((), (), {"1": None})
    await one_round(table)
    today = await agree(store, table)
    assert today.day > yesterday.day
    assert today.curve[-1].house_win_cents == yesterday.curve[-1].house_win_cents


async def test_a_round_that_ends_on_another_day_than_it_began_is_won_and_expected_then() -> None:
    store = MemoryStore()
    table = await a_table(store)
    await table.open()
    await table.bet(2, "banker", 20_000)
    await table.pass_ms(24 * HOUR_MS)
    await table.finish(NATURAL)
    found = await seen(store, table)
    assert (found.curve[-1].house_win_cents, len(found.hours)) == (20_000, 1)
    assert (found.curve[-1].expected_cents or 0) > 0


async def test_rounds_an_hour_are_those_of_the_last_one() -> None:
    store = MemoryStore()
    table = await a_table(store)
    for _ in range(8):
        await one_round(table)
        await table.pass_ms(MINUTE_MS - 1_000)
    assert (await seen(store, table)).pace == {"1": None}, "too early to say"
    await table.pass_ms(MINUTE_MS)
    await table.pass_ms(2 * MINUTE_MS)
    assert 40 <= ((await seen(store, table)).pace["1"] or 0) <= 50
    await table.pass_ms(2 * HOUR_MS)
    assert (await seen(store, table)).pace == {"1": 0}


async def test_who_may_not_see_the_reports_is_told_of_no_money() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    found = await seen(store, table, with_money=False)
    assert (found.curve, sum(line.rounds for line in found.hours)) == ((), 2)
    assert {(line.staked_cents, line.house_win_cents) for line in found.hours} == {(None, None)}


async def test_another_process_keeps_what_it_has_read(tmp_path: Path) -> None:
    store = open_store(tmp_path, Access.SERVE)
    table = await a_table(store)
    for rounds in (1, 2):
        await one_round(table)
        told = await aside(Lane.FLOOR, store, floor_day, day_of(table), table.now_ms, True)
        found = msgspec.json.decode(told, type=FloorDay)
        assert sum(line.rounds for line in found.hours) == rounds
        assert found.curve[-1].house_win_cents == rounds * 10_000
    await table.stop()
    await store.close()


async def test_rules_that_are_not_here_have_no_band() -> None:
    store = MemoryStore()
    table = await a_table(store)
    await one_round(table)
    books = FloorBooks(day_of(table), find_game=lambda _: load_game("no-such-game"), decks={})
    await books.read_on(store)
    last = books.shown(table.now_ms, with_money=True).curve[-1]
    assert (last.expected_cents, last.deviation_cents) == (None, None)
    assert last.house_win_cents
