"""Hold against theoretical: the sums are those of the settlements, the expectation that of the exact odds."""

from itertools import product
from math import sqrt
from pathlib import Path

import pytest

from natural9.core.insurance import InsuranceRow, Window
from natural9.core.round import commands as round_commands
from natural9.core.settlement import settle_bet, settle_insurance
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.distribution import weights_from_totals
from natural9.odds.insurance import InsuranceOdds, insurance_odds
from natural9.odds.pricing import odds
from natural9.server.reports.days import EVERY_DAY, days_of
from natural9.server.reports.hold import HoldLine, counted_aside, hold_report
from natural9.server.reports.theoretical import Bet, expected_of
from natural9.server.reports.win import win_report
from natural9.store.contract import Access
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from natural9.table.commands import terminal as taps
from tests.table.live import DEALER, START_MS, live_table, table_config, terminal
from tests.table.stories import NATURAL, an_evening

UNIT = 10_000
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


async def insured_round(*stakes: int) -> MemoryStore:
    """Banker 6 against Player 5 after four cards, then against Player 1: insured for so much in each window."""
    store = MemoryStore()
    table = await live_table(table_config("rws-nc-insurance"), store)
    await table.buy(1, 100_000)
    await table.open()
    await table.bet(1, "banker", 10_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("5S 6H KD QC")
    for cents, card in zip(stakes, ("6D", "4H"), strict=True):
        await table.do(round_commands.OpenInsurance, DEALER)
        if cents:
            await table.do(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=cents)
        await table.do(round_commands.CloseInsurance, DEALER)
        await table.deal(card)
    for shape in (round_commands.DeclareResult, round_commands.Settle):
        await table.do(shape, DEALER)
    return store


def insured_at(window: Window, player: int, banker: int) -> InsuranceOdds:
    insurance = load_game("rws-nc-insurance").insurance
    assert insurance is not None
    [found] = [
        one
        for one in insurance_odds(insurance, Composition.of(decks=8))
        if (one.row.hand, one.row.window, one.player_total, one.banker_total) == (Hand.BANKER, window, player, banker)
    ]
    return found


def variance_of(one: InsuranceOdds) -> float:
    return float(one.win * one.row.odds.ratio**2 + one.lose - one.expected**2)


async def test_insurance_is_expected_to_win_what_the_points_on_the_table_say() -> None:
    """A unit at Player 5, Banker 6 in the first window, two at Player 1, Banker 6 in the second."""
    first, second = insured_at(Window.FOUR_CARDS, 5, 6), insured_at(Window.THIRD_CARD, 1, 6)
    due = -float(first.expected * 100 + second.expected * 200)
    store = await insured_round(100, 200)
    lines = by_wager(await hold_report(store, EVERY_DAY))
    line = lines["insurance"]
    assert (line.turnover_cents, line.theoretical_cents) == (300, round(due))
    assert line.theoretical_percent == pytest.approx(100 * due / 300, abs=1e-4)
    [win] = await win_report(store, EVERY_DAY)
    assert (lines[""].turnover_cents, lines[""].house_win_cents) == (win.turnover_cents, win.house_win_cents)
    banker = odds(load_game("rws-nc-insurance"), Composition.of(decks=8)).wager("banker")
    assert lines[""].theoretical_cents == pytest.approx(due + 10_000 * float(banker.house_edge), abs=1)
    assert list(lines) == ["banker", "insurance", ""]


async def test_the_deviation_of_insurance_is_that_of_the_points_on_the_table() -> None:
    first, second = insured_at(Window.FOUR_CARDS, 5, 6), insured_at(Window.THIRD_CARD, 1, 6)
    for stakes, one in (((1_000, 0), first), ((0, 700), second)):
        line = by_wager(await hold_report(await insured_round(*stakes), EVERY_DAY))["insurance"]
        assert line.deviation_cents == round(sum(stakes) * sqrt(variance_of(one)))
    # Both lines win when the Banker loses, so in one round they move together: counted where the later one was taken.
    both = by_wager(await hold_report(await insured_round(1_000, 700), EVERY_DAY))["insurance"]
    won, lost = [(one.row.odds.ratio, one.expected) for one in (first, second)], second
    mean_of_first = lost.win * won[0][0] - lost.lose
    together = lost.win * won[0][0] * won[1][0] + lost.lose - mean_of_first * lost.expected
    variance = 1_000**2 * variance_of(first) + 700**2 * variance_of(second) + 2 * 1_000 * 700 * float(together)
    assert both.deviation_cents == round(sqrt(variance))


async def test_insurance_narrows_the_deviation_of_the_bets_that_it_insures() -> None:
    """The Banker is backed for 100.00 and insured for 30.00 at 3 to 1: who insures has less to hope and to fear."""
    alone = by_wager(await hold_report(await insured_round(0, 0), EVERY_DAY))[""]
    insured = by_wager(await hold_report(await insured_round(3_000, 0), EVERY_DAY))
    assert insured["banker"].deviation_cents == alone.deviation_cents
    apart = sqrt((alone.deviation_cents or 0) ** 2 + (insured["insurance"].deviation_cents or 0) ** 2)
    assert 0 < (insured[""].deviation_cents or 0) < (alone.deviation_cents or 0) < apart


@pytest.mark.parametrize(
    ("windows", "precision"), [([Window.FOUR_CARDS], 1e-12), ([Window.THIRD_CARD], 1e-12), (list(Window), 1e-3)]
)
def test_over_all_rounds_the_variance_is_that_of_what_was_played(windows: list[Window], precision: float) -> None:
    """Somebody who backs the Banker and a tie and insures the Banker whenever it is offered: over every deal of four
    decks, the squares of how far the house's win lay from what was expected are on average what the report makes of
    the rounds. Where both windows are taken, the later one's points stand for the cards that led to them."""
    game, shoe = load_game("rws-nc-insurance"), Composition.of(decks=4)
    assert game.insurance is not None
    bets: dict[Bet, float] = {"banker": 10.0, "tie": 1.0}
    rows: dict[Bet, InsuranceRow] = {
        ("banker-insurance", row.window, player, banker): row
        for row in game.insurance.rows
        if row.hand is Hand.BANKER and row.window in windows
        for player in row.player_totals
        for banker in row.banker_totals
    }
    expected = expected_of(game, 4, [bet for bet in rows if not isinstance(bet, str)])
    square = estimated = everything = 0.0
    for player, banker in product(range(10), range(10)):
        for outcome, weight in weights_from_totals(shoe, player_total=player, banker_total=banker).items():
            seen: list[Bet] = [("banker-insurance", Window.FOUR_CARDS, player, banker)]
            if (outcome.player_cards, outcome.banker_cards) == (3, 3):
                seen.append(("banker-insurance", Window.THIRD_CARD, outcome.player_total, banker))
            is_drawn = (outcome.player_cards, outcome.banker_cards) != (2, 2)
            staked = bets | {one: 2.0 for one in seen if one in rows and is_drawn}
            nets = {bet: settle_bet(game.wager(str(bet)), outcome, UNIT).net_cents / UNIT for bet in bets}
            nets |= {one: settle_insurance(rows[one], outcome, UNIT).net_cents / UNIT for one in seen if one in staked}
            square += weight * sum(stake * (nets[bet] + expected.edge[bet]) for bet, stake in staked.items()) ** 2
            pairs = product(staked, staked)
            estimated += weight * sum(staked[a] * staked[b] * expected.covariance[a, b] for a, b in pairs)
            everything += weight
    assert estimated / everything == pytest.approx(square / everything, rel=precision)
    main = sum(bets[a] * bets[b] * expected.covariance[a, b] for a, b in product(bets, bets))
    assert square / everything != pytest.approx(main, rel=0.01), "insurance counts"
