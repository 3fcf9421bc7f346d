"""Hold against theoretical: the sums are those of the settlements, the expectation that of the exact odds."""

from math import sqrt
from pathlib import Path

import pytest

from natural9.core.insurance import Window
from natural9.core.round import commands as round_commands
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from natural9.odds import Composition, odds
from natural9.odds.insurance import insurance_odds
from natural9.server.reports.days import EVERY_DAY, days_of
from natural9.server.reports.hold import HoldLine, counted_aside, hold_report
from natural9.server.reports.win import win_report
from natural9.store.contract import Access
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from natural9.table.commands import terminal as taps
from tests.table.live import DEALER, START_MS, live_table, table_config, terminal
from tests.table.stories import NATURAL, an_evening

DAY_MS = 24 * 60 * 60 * 1000


def by_wager(lines: list[HoldLine]) -> dict[str, HoldLine]:
    return {line.wager: line for line in lines}


async def test_the_hold_of_an_evening_is_that_of_its_settlements() -> None:
    store = MemoryStore()
    table = await an_evening(store)
    lines = by_wager(await hold_report(store, EVERY_DAY))
    [win] = await win_report(store, EVERY_DAY)
    # Round 1, and round 2 as it was put right; round 3 is void.
    assert lines[""].turnover_cents == win.turnover_cents == 54_500
    assert lines[""].house_win_cents == win.house_win_cents == 14_500
    assert (lines["player"].turnover_cents, lines["player"].house_win_cents) == (20_000, -10_000)
    assert (lines["banker"].turnover_cents, lines["banker"].rounds) == (34_000, 2)
    assert (lines["tie"].turnover_cents, lines["tie"].rounds) == (500, 1)
    assert lines[""].rounds == 2
    priced = odds(table.state.config.game, Composition.of(decks=lines[""].decks))
    for wager in ("player", "banker", "tie"):
        edge = float(priced.wager(wager).house_edge)
        assert lines[wager].theoretical_cents == round(edge * lines[wager].turnover_cents)
        assert lines[wager].theoretical_percent == pytest.approx(100 * edge, abs=1e-4)
    assert lines[""].theoretical_cents == pytest.approx(
        sum(lines[wager].theoretical_cents or 0 for wager in ("player", "banker", "tie")), abs=2
    )


async def test_the_deviation_knows_that_all_seats_bet_on_the_same_cards() -> None:
    store = MemoryStore()
    table = await live_table(store=store)
    for seat in (1, 2):
        await table.buy(seat, 100_000)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.bet(2, "player", 1_000)
    await table.finish(NATURAL)
    lines = by_wager(await hold_report(store, EVERY_DAY))
    sd = odds(load_game(lines[""].game), Composition.of(decks=lines[""].decks)).wager("player").standard_deviation
    # Two seats on one hand are one bet of twice the size, not two bets.
    assert lines["player"].deviation_cents == round(2_000 * sd)
    assert lines[""].deviation_cents == lines["player"].deviation_cents

    await table.open()
    await table.bet(1, "player", 1_000)
    await table.bet(2, "banker", 1_000)
    await table.finish(NATURAL)
    both = by_wager(await hold_report(store, EVERY_DAY))
    alone = sqrt((both["player"].deviation_cents or 0) ** 2 + (both["banker"].deviation_cents or 0) ** 2)
    # Player and Banker against each other nearly cancel in the second round.
    assert (both[""].deviation_cents or 0) < 0.95 * alone


async def test_only_the_days_and_the_table_asked_for(tmp_path: Path) -> None:
    store = open_store(tmp_path, Access.WRITE)
    table = await live_table(store=store)
    await table.buy(1, 100_000)
    for at_ms, cents in ((START_MS, 1_000), (START_MS + DAY_MS, 2_000), (START_MS + 2 * DAY_MS, 4_000)):
        table.now_ms = at_ms
        await table.open()
        await table.bet(1, "banker", cents)
        await table.finish(NATURAL)
    every = [line for line in await hold_report(store, EVERY_DAY) if line.wager == ""]
    assert [line.turnover_cents for line in every] == [1_000, 2_000, 4_000]
    middle = days_of(day=every[1].day)
    [_, line] = await counted_aside(store, middle)  # by another process, from the file
    assert (line.day, line.turnover_cents, line.decks) == (every[1].day, 2_000, every[1].decks)
    assert await counted_aside(store, middle, table="no-such-table") == []
    await store.close()


async def test_insurance_is_expected_to_win_what_the_points_on_the_table_say() -> None:
    """A unit at Player 5, Banker 6 in the first window, two at Player 1, Banker 6 in the second."""
    store = MemoryStore()
    table = await live_table(table_config("rws-nc-insurance"), store)
    await table.buy(1, 100_000)
    await table.open()
    await table.bet(1, "banker", 10_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("5S 6H KD QC")
    for cents, card in ((100, "6D"), (200, "4H")):
        await table.do(round_commands.OpenInsurance, DEALER)
        await table.do(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=cents)
        await table.do(round_commands.CloseInsurance, DEALER)
        await table.deal(card)
    for shape in (round_commands.DeclareResult, round_commands.Settle):
        await table.do(shape, DEALER)
    line = by_wager(await hold_report(store, EVERY_DAY))["insurance"]
    game = table.state.config.game
    assert game.insurance is not None
    worth = {
        (one.row.window, one.player_total, one.banker_total): one.expected
        for one in insurance_odds(game.insurance, Composition.of(decks=8))
        if one.row.hand is Hand.BANKER
    }
    due = -float(worth[Window.FOUR_CARDS, 5, 6] * 100 + worth[Window.THIRD_CARD, 1, 6] * 200)
    assert (line.turnover_cents, line.theoretical_cents) == (300, round(due))
    assert line.theoretical_percent == pytest.approx(100 * due / 300, abs=1e-4)
    assert line.deviation_cents is None
