"""The squeeze: the cards lie for as long as the table's file says, or until everybody who has bet has turned them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from natural9.core.cards import parse_cards
from natural9.core.irregularities import Kind
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Phase
from natural9.core.saying import verbatim
from natural9.games import load_game
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.shoes.shuffler import Shuffled, shuffled_shoe
from natural9.table.state.view import SqueezeView, everybody_sees
from natural9.table.venue.file import Mode, ShoeSource
from natural9.table.venue.tables import TableConfig, Timers
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, live_table, picture, refolded, table_config

TIMERS = Timers(betting_s=15, insurance_s=10, reveal_s=1, result_s=5, squeeze_s=8)
BOTH_DRAW = "2C 3C 3D 2D 4H 4S"  # Player 5 and Banker 5: both draw
NATURAL = "9C 3C KD 2D"


def beginning(cards: str) -> Callable[[int], Shuffled]:
    """A shoe whose first cards are these."""

    def shuffle(decks: int) -> Shuffled:
        shoe = shuffled_shoe(decks)
        first, rest = list(parse_cards(cards)), list(shoe.order)
        for card in first:
            rest.remove(card)
        return Shuffled(shoe.decks, shoe.salt, (*first, *rest))

    return shuffle


def automatic(**changes: object) -> TableConfig:
    config = table_config(mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER, timers=TIMERS)
    return replace(config, **changes)  # type: ignore[arg-type]


async def with_bets(cards: str, *seats: int, config: TableConfig | None = None) -> LiveTable:
    """An automatic table with a squeeze of 8 s, whose betting has just closed over the bets of these seats."""
    table = await LiveTable(config or automatic(), MemoryStore(), shuffle=beginning(cards)).start()
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    for seat in seats:
        await table.buy(seat, 10_000)
        await table.bet(seat, "player", 1_000)
    await table.pass_ms(15_000)
    assert phase(table) is Phase.BETS_CLOSED
    return table


async def four_cards(table: LiveTable) -> None:
    for _ in range(4):
        await table.pass_ms(1_000)
    assert lying(table) == 4


def lying(table: LiveTable) -> int:
    return len(table.state.round.cards)


def phase(table: LiveTable) -> Phase:
    return table.state.round.phase


def turn(table: LiveTable, seat: int, *, cards: int | None = None) -> None:
    table.writer.cards_turned(seat, number=table.round, cards=cards or lying(table))


def squeeze(table: LiveTable) -> SqueezeView | None:
    return everybody_sees(table.state).squeeze


async def test_the_first_four_lie_for_their_time_and_each_third_card_for_its_own() -> None:
    table = await with_bets(BOTH_DRAW, 1)
    await table.pass_ms(1_000)
    assert squeeze(table) == SqueezeView(opened=0, ends_at_ms=None)  # the others are still dealt
    for _ in range(3):
        await table.pass_ms(1_000)
    assert squeeze(table) == SqueezeView(opened=0, ends_at_ms=table.now_ms + 8_000)
    await table.pass_ms(7_999)
    assert lying(table) == 4
    await table.pass_ms(1)
    assert (lying(table), squeeze(table)) == (5, SqueezeView(opened=4, ends_at_ms=table.now_ms + 8_000))
    await table.pass_ms(8_000)
    assert (lying(table), squeeze(table)) == (6, SqueezeView(opened=5, ends_at_ms=table.now_ms + 8_000))
    await table.pass_ms(7_999)
    assert (everybody_sees(table.state).result, table.state.results) == (None, [])
    await table.pass_ms(1)
    assert (phase(table), squeeze(table)) == (Phase.SETTLED, None)
    await table.check_history()


async def test_each_card_says_the_total_that_its_hand_has_with_it() -> None:
    table = await with_bets(BOTH_DRAW, 1)
    while lying(table) < 6:
        await table.pass_ms(8_000)
    dealt = [(str(one.hand), one.total) for one in everybody_sees(table.state).cards]
    assert dealt == [("player", 2), ("banker", 3), ("player", 5), ("banker", 5), ("player", 9), ("banker", 9)]


async def test_a_table_without_a_squeeze_goes_on_as_ever() -> None:
    table = await with_bets(NATURAL, 1, config=automatic(timers=replace(TIMERS, squeeze_s=0.0)))
    await four_cards(table)
    assert squeeze(table) is None
    await table.pass_ms(1_000)
    assert phase(table) is Phase.SETTLED


async def test_nobody_who_has_bet_means_nobody_to_wait_for() -> None:
    table = await with_bets(NATURAL)
    await four_cards(table)
    assert squeeze(table) is None
    await table.pass_ms(1_000)
    assert phase(table) is Phase.SETTLED


async def test_it_goes_on_when_all_who_have_bet_have_turned_and_seen_them() -> None:
    table = await with_bets(NATURAL, 1, 2)
    await four_cards(table)
    await table.pass_ms(2_000)
    turn(table, 1)
    turn(table, 3)  # a seat without a bet
    await table.pass_ms(2_000)
    assert phase(table) is Phase.COMPLETE
    turn(table, 2)
    await table.pass_ms(999)
    assert phase(table) is Phase.COMPLETE
    await table.pass_ms(1)
    assert phase(table) is Phase.SETTLED


async def test_who_has_not_bet_or_says_it_twice_keeps_nobody_waiting() -> None:
    table = await with_bets(NATURAL, 1)
    await four_cards(table)
    await table.pass_ms(2_000)
    turn(table, 1)
    await table.pass_ms(900)
    turn(table, 1)
    turn(table, 3)
    await table.pass_ms(100)
    assert phase(table) is Phase.SETTLED


async def test_the_last_moment_is_not_lengthened_by_it() -> None:
    table = await with_bets(NATURAL, 1)
    await four_cards(table)
    await table.pass_ms(7_900)
    turn(table, 1)
    await table.pass_ms(100)
    assert phase(table) is Phase.SETTLED


async def test_a_terminal_that_is_gone_is_not_waited_for() -> None:
    table = await with_bets(NATURAL, 1, 2)
    await four_cards(table)
    table.ears.absent = {2}
    turn(table, 1)
    await table.pass_ms(1_000)
    assert phase(table) is Phase.SETTLED


async def test_what_was_turned_before_says_nothing_about_the_next_card() -> None:
    table = await with_bets(BOTH_DRAW, 1)
    await four_cards(table)
    turn(table, 1)
    await table.pass_ms(1_000)
    assert lying(table) == 5
    turn(table, 1, cards=4)  # late, or sent twice
    turn(table, 1, cards=6)
    table.writer.cards_turned(1, number=table.round - 1, cards=5)
    await table.pass_ms(7_999)
    assert lying(table) == 5
    await table.pass_ms(1)
    assert lying(table) == 6


async def test_the_cut_card_opens_nothing() -> None:
    table = await with_bets(BOTH_DRAW, 1, config=automatic(cut_cards=8 * 52 - 4))
    await four_cards(table)
    assert table.state.round.cut_card_out
    assert squeeze(table) == SqueezeView(opened=0, ends_at_ms=table.now_ms + 8_000)


async def test_insurance_is_offered_once_the_cards_are_open() -> None:
    game = replace(load_game("rws-nc-insurance"), id="mine", document=load_game("rws-nc").document)
    config = table_config("rws-nc-insurance", mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER, timers=TIMERS)
    table = await with_bets("2C 3C 4D 2D 4H", 1, config=replace(config, game=game))  # Player leads by 6 to 5
    await four_cards(table)
    assert (table.state.round.window_open, squeeze(table)) == (
        False,
        SqueezeView(opened=0, ends_at_ms=table.now_ms + 8_000),
    )
    await table.pass_ms(8_000)
    assert (table.state.round.window_open, squeeze(table)) == (True, None)
    await table.pass_ms(10_000)
    assert (table.state.round.window_open, squeeze(table)) == (False, None)  # they were open, and stay so
    await table.pass_ms(1_000)
    assert lying(table) == 5


async def test_a_fault_stops_the_time_and_an_irregularity_opens_the_cards() -> None:
    table = await with_bets(NATURAL, 1)
    await four_cards(table)
    table.writer.raise_fault("automatic", verbatim("out of order"))
    await table.settle_down()
    assert squeeze(table) == SqueezeView(opened=0, ends_at_ms=None)
    await table.do(staff.ClearFault, SUPERVISOR, fault="automatic", why="looked at")
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED, detail="a spilt drink")
    assert squeeze(table) is None


@pytest.mark.parametrize("away_ms", [500])
async def test_a_power_cut_in_the_middle_gives_the_cards_their_full_time_again(away_ms: int) -> None:
    table = await with_bets(NATURAL, 1, 2)
    await four_cards(table)
    await table.pass_ms(5_000)
    turn(table, 1)
    await table.settle_down()
    await table.crash()
    seen_ms = table.now_ms
    table.now_ms += away_ms
    table = await table.again(seen_ms=seen_ms)
    assert picture(await refolded(table.store, table.config)) == picture(table.state)
    assert squeeze(table) == SqueezeView(opened=0, ends_at_ms=table.now_ms + 8_000)
    await table.pass_ms(7_999)
    assert phase(table) is Phase.COMPLETE
    await table.pass_ms(1)
    assert phase(table) is Phase.SETTLED
    await table.check_history()


async def test_a_dealer_goes_on_and_what_comes_opens_the_cards() -> None:
    table = await live_table(table_config(timers=TIMERS))
    await table.open()
    await table.buy(1, 10_000)
    await table.bet(1, "player", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("2C 3C 3D 2D")
    assert squeeze(table) == SqueezeView(opened=0, ends_at_ms=table.now_ms + 8_000)
    await table.deal("4H")
    assert squeeze(table) == SqueezeView(opened=4, ends_at_ms=table.now_ms + 8_000)
    await table.deal("4S")
    await table.do(round_commands.DeclareResult, DEALER)
    assert squeeze(table) is None
    await table.check_history()


async def test_a_ruling_on_an_earlier_round_turns_no_card_of_this_one() -> None:
    """rws-nc 5.8: nothing of the round at the table changes by it. Found by the simulated floor."""
    table = await with_bets(NATURAL + " " + NATURAL.translate(str.maketrans("CD", "HS")), 1)
    await four_cards(table)
    while phase(table) is not Phase.BETTING_OPEN:
        await table.pass_ms(1_000)
    await table.bet(1, "player", 1_000)
    await table.pass_ms(15_000)
    await four_cards(table)
    before = squeeze(table)
    assert before
    ruling = {"seat": 1, "wager": "player", "round": 1, "returned_cents": 0, "why": "a quarrel"}
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, **ruling)
    assert squeeze(table) == before
