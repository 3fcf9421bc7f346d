"""The automatic table: round after round by the clock, without anybody; and what makes it wait."""

from dataclasses import replace

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Phase
from natural9.core.saying import verbatim
from natural9.games import load_game
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.live.answers import Accepted
from natural9.table.shoes.shuffler import RandomnessFailed, Shuffled, shuffled_shoe
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Mode, ShoeSource
from tests.table.live import DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, live_table, table_config, terminal

AUTOMATIC = table_config(mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER)


async def automatic(game: str = "mbs-tiger", /, **changes: object) -> LiveTable:
    config = table_config(game, mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER)
    table = await live_table(replace(config, **changes))  # type: ignore[arg-type]
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    return table


def at(table: LiveTable, phase: Phase) -> bool:
    return table.state.round.phase is phase


async def until(table: LiveTable, phase: Phase) -> None:
    for _ in range(200):
        if at(table, phase):
            return
        await table.pass_ms(500)
    raise AssertionError(f"the table never came to {phase}: it is at {table.state.round.phase}")


async def test_a_round_goes_by_its_timers() -> None:
    table = await automatic()
    assert (table.state.round.phase, table.round) == (Phase.BETTING_OPEN, 1)  # the shoe and the round at once
    assert everybody_sees(table.state).closes_at_ms == table.now_ms + 15_000
    await table.pass_ms(14_999)
    assert at(table, Phase.BETTING_OPEN)
    await table.pass_ms(1)
    assert (table.state.round.phase, everybody_sees(table.state).closes_at_ms) == (Phase.BETS_CLOSED, None)
    await table.pass_ms(999)
    assert not table.state.round.cards
    for cards in (1, 2, 3, 4):
        await table.pass_ms(1_000)
        assert len(table.state.round.cards) == cards
    await until(table, Phase.SETTLED)
    await table.pass_ms(4_400)
    assert table.round == 1
    await table.pass_ms(600)
    assert (table.round, table.state.round.phase) == (2, Phase.BETTING_OPEN)


@pytest.mark.parametrize("has_insurance", [False, True])
async def test_it_plays_through_shoe_after_shoe(has_insurance: bool) -> None:
    changes: dict[str, object] = {}
    if has_insurance:  # a pack of one's own: the approved game has a dealer announce, so it does not run by itself
        document = load_game("rws-nc").document
        changes["game"] = replace(load_game("rws-nc-insurance"), id="mine", document=document)
    game = "rws-nc-insurance" if has_insurance else "mbs-tiger"
    table = await automatic(game, decks=load_game(game).decks.min, cut_cards=120, **changes)
    await table.buy(1, 100_000)
    while table.state.round.shoe_number < 3:
        await until(table, Phase.BETTING_OPEN)
        bet = taps.Bet(request=table.request(), round=table.round, wager="player", cents=100)
        assert isinstance(await table.ask(bet, terminal(1)), Accepted)
        await until(table, Phase.SETTLED)
        await table.check_money()
        await table.pass_ms(5_000)
    assert len(await table.happened("shoe-revealed")) == 2
    assert len(await table.happened("cut-card-appeared")) == 2
    assert table.round > 25
    await table.check_history()
    table = await table.restart()
    await table.check_history()


async def test_bets_do_not_hold_up_the_close() -> None:
    table = await automatic()
    await table.buy(1, 10_000)
    for _ in range(15):
        await table.bet(1, "tie", 100)
        await table.pass_ms(1_000)
    assert at(table, Phase.BETS_CLOSED)


async def test_it_waits_for_players_if_told_to() -> None:
    table = await live_table(replace(AUTOMATIC, wait_for_players=True))
    table.ears.people = 0
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.pass_ms(60_000)
    assert (table.round, table.state.round.new_shoe is not None) == (0, True)
    table.ears.people = 1
    await table.pass_ms(0)
    assert table.round == 1
    table.ears.people = 0  # the round that has begun is played
    await until(table, Phase.SETTLED)
    await table.pass_ms(60_000)
    assert table.round == 1


async def test_a_pause_finishes_the_round_and_starts_no_other() -> None:
    table = await automatic()
    await table.do(staff.PauseTable, SUPERVISOR)
    await until(table, Phase.SETTLED)
    await table.pass_ms(60_000)
    assert table.round == 1
    await table.do(staff.ResumeTable, SUPERVISOR)
    await table.settle_down()
    assert table.round == 2


async def test_a_stop_finishes_the_round() -> None:
    table = await automatic()
    table.writer.stop()
    await until(table, Phase.SETTLED)
    await table.stop()
    assert (table.round, (await table.journal())[-1].event.TAG) == (1, "table-held")
    table = await table.again()
    await table.pass_ms(5_000)
    assert (table.round, table.state.round.phase) == (2, Phase.BETTING_OPEN)


async def test_failing_chance_stops_it_at_the_end_of_the_shoe() -> None:
    working = True

    def shuffle(decks: int) -> Shuffled:
        if not working:
            raise RandomnessFailed("no entropy")
        return shuffled_shoe(decks)

    table = await LiveTable(replace(AUTOMATIC, cut_cards=408), MemoryStore(), shuffle=shuffle).start()
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    working = False
    for _ in range(100):
        await table.pass_ms(1_000)
    assert table.state.faults == {"randomness": "no entropy"}
    assert len(await table.happened("fault-raised")) == 1
    played = table.round
    working = True
    await table.do(staff.ClearFault, SUPERVISOR, fault="randomness", why="mended")
    await table.pass_ms(5_000)
    assert table.round == played + 1


async def test_it_waits_for_a_person_also_where_the_clause_leaves_no_choice() -> None:
    table = await automatic()
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.UNSHUFFLED_CARDS)
    await table.pass_ms(60_000)
    assert at(table, Phase.BETTING_OPEN)  # no report executes itself
    void = {"remedy": Remedy.VOID, "why": "in the order of a new deck"}  # mbs 5.1.1
    assert (await table.refused(round_commands.DecideIrregularity, DEALER, **void)).code == "rank-too-low"
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, **void)
    assert at(table, Phase.VOID)
    await table.pass_ms(5_000)
    assert table.state.round.shoe_number == 2
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    await table.pass_ms(60_000)
    assert (table.round, table.state.round.phase) == (2, Phase.BETTING_OPEN)
    assert everybody_sees(table.state).closes_at_ms is None
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.CONTINUE)
    await table.pass_ms(15_000)
    assert at(table, Phase.BETS_CLOSED)


async def test_a_fault_holds_it_where_it_is() -> None:
    table = await automatic()
    table.writer.raise_fault("camera", verbatim("dark"))
    await table.pass_ms(60_000)
    assert at(table, Phase.BETTING_OPEN)
    await table.do(staff.ClearFault, SUPERVISOR, fault="camera", why="a bulb")
    await table.settle_down()
    assert at(table, Phase.BETS_CLOSED)


async def test_a_step_that_is_refused_is_a_fault_and_not_tried_for_ever() -> None:
    table = await automatic()
    await until(table, Phase.BETS_CLOSED)
    table.shoebox.forget(table.shoebox.in_use(table.state))  # type: ignore[arg-type]
    await table.pass_ms(60_000)
    assert set(table.state.faults) == {"automatic"}
    assert 'the step "Deal" was refused' in table.state.faults["automatic"]
    assert len(await table.happened("fault-raised")) == 1


async def test_a_reading_shoe_deals_at_its_own_pace() -> None:
    table = await live_table(replace(AUTOMATIC, shoe=ShoeSource.READ))
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.pass_ms(60_000)
    assert table.round == 0  # somebody has to bring the cards
    await table.do(staff.LoadNewShoe, DEALER)
    await table.settle_down()
    await table.pass_ms(15_000)
    await table.pass_ms(60_000)
    assert at(table, Phase.BETS_CLOSED)
    await table.deal("9S KH KD 5C")
    await table.pass_ms(1_000)
    assert at(table, Phase.SETTLED)
