"""Players with names: card in and out, one place at a time, limits that follow, and what each round counts as."""

import asyncio

import pytest

from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.journal.card_events import PlayCounted
from natural9.journal.line import OriginKind, read_line
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from natural9.table.state.console_view import console_sees
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.view import everybody_sees
from natural9.table.venue.protection import HOUR_MS, MINUTE_MS, PlayLimits
from tests.table.carded import MEI, TAN, Floor, floor
from tests.table.live import SHIFT_MANAGER, SUPERVISOR, terminal

PLAYER_WINS = "4C 2D 5D 2S"  # a natural 9 against 4
TIE = "4C 2D 5D 7S"  # 9 and 9
BANKER_WINS = ("4C", "2D", "2S", "7S")  # 6 and 9
DAY_MS = 24 * HOUR_MS


async def sound(on: Floor) -> None:
    """Both states are those of the journal, and whoever verifies it finds nothing."""
    for table in on.tables.values():
        await table.check_history()
    assert (await on.verified()).fault is None


async def counted(on: Floor, player: str) -> list[tuple[int, int, int, int]]:
    """Rounds, staked, returned and points of every entry about a player."""
    entries = [read_line(one).event for one in await on.store.entries(limit=10**6) if one.kind == "play-counted"]
    found = [one for one in entries if isinstance(one, PlayCounted) and one.player == player]
    return [(one.rounds, one.staked_cents, one.returned_cents, one.points) for one in found]


# In and out.


async def test_between_card_in_and_card_out_the_seats_play_is_the_players() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    assert on.session().owner == MEI
    await on.tables["1"].bet(1, "player", 4_000)
    await on.tables["1"].finish(PLAYER_WINS)
    card = one_seat_sees(on.tables["1"].state, 1).card
    assert card is not None
    assert (card.number, card.rounds, card.points) == (MEI, 1, 400)
    assert (card.staked_cents, card.returned_cents) == (4_000, 8_000)
    await on.collect()
    assert on.card() is None
    assert await counted(on, MEI) == [(1, 4_000, 8_000, 400)]
    await on.tables["1"].buy(1, 500)
    assert on.session().owner == "seat"  # anonymous play is the default
    await sound(on)


async def test_credit_that_lies_there_is_the_carded_players_from_then_on() -> None:
    on = await floor()
    await on.tables["1"].buy(1, 10_000)
    await on.card_in(MEI)
    session = on.session()
    assert (session.owner, session.number, session.in_cents) == (MEI, 2, 10_000)
    [ended] = await on.tables["1"].happened("session-ended")
    assert (ended.in_cents, ended.out_cents) == (10_000, 10_000)
    await sound(on)


async def test_a_card_comes_out_by_its_key_only_when_it_leaves_nothing_behind() -> None:
    on = await floor()
    assert (await on.tables["1"].refused(taps.CardOut, terminal(1))).code == "no-card"
    await on.card_in(MEI)
    assert (await on.no_card_in(TAN)).code == "card-is-in"
    await on.tables["1"].buy(1, 10_000)
    assert (await on.tables["1"].refused(taps.CardOut, terminal(1))).code == "collect-first"
    assert (await on.tables["1"].refused(taps.EndSession, terminal(1))).code == "session-goes-on"
    await on.tables["1"].bet(1, "player", 10_000)
    assert (await on.tables["1"].refused(taps.CardOut, terminal(1))).code == "bets-lie"
    await on.tables["1"].do(taps.Clear, terminal(1), round=1)
    await on.tables["1"].do(taps.CashOut, terminal(1), cents=4_000)  # not all of it
    assert on.card() is not None
    await on.collect()
    assert on.card() is None
    await on.card_in(TAN)
    await on.card_out()
    await sound(on)


async def test_nobody_cards_in_on_top_of_anothers_bets_or_limits() -> None:
    on = await floor()
    await on.tables["1"].buy(1, 10_000)
    await on.tables["1"].bet(1, "player", 1_000)
    assert (await on.no_card_in(MEI)).code == "bets-lie"
    await on.own(loss_cents=5_000)
    await on.tables["1"].do(taps.Clear, terminal(1), round=1)
    assert (await on.no_card_in(MEI)).code == "session-goes-on"
    await sound(on)


async def test_collecting_with_bets_on_the_table_leaves_the_card_in() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.tables["1"].bet(1, "player", 4_000)
    await on.collect()
    assert on.card() is not None
    await on.tables["1"].finish(PLAYER_WINS)
    await on.collect()
    assert on.card() is None
    assert await counted(on, MEI) == [(1, 4_000, 8_000, 400)]
    await sound(on)


@pytest.mark.parametrize("credit", [0, 5_000])
async def test_a_card_left_in_an_empty_terminal_comes_out_by_itself(credit: int) -> None:
    on = await floor()
    await on.card_in(MEI)
    if credit:
        await on.tables["1"].buy(1, credit)
        await on.tables["1"].do(staff.HandPay, SUPERVISOR, seat=1, why="paid by hand")
    for _ in range(4):
        await on.pass_ms(4 * MINUTE_MS)
    assert on.card() is None
    await on.card_in(MEI, "2")
    await sound(on)


async def test_a_card_with_credit_stays_in_however_long_nobody_bets() -> None:
    on = await floor(check_ms=0)
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    for _ in range(3):
        await on.pass_ms(HOUR_MS)
    assert on.card() is not None
    assert on.session().waits_for == "idle"


async def test_the_pit_releases_an_empty_seat_with_a_card() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].do(staff.ReleaseSeat, SUPERVISOR, seat=1, why="left the card")
    assert on.card() is None
    [out] = await on.tables["1"].happened("player-carded-out")
    assert out.how == "released"
    await sound(on)


async def test_a_seat_with_a_card_is_not_given_to_another_terminal_as_if_it_were_empty() -> None:
    on = await floor()
    assert on.tables["1"].state.holds(1) == ()
    await on.card_in(MEI)
    assert [str(one) for one in on.tables["1"].state.holds(1)] == ["a player's card"]


# One place at a time.


async def test_a_card_is_in_at_one_terminal_of_the_venue_at_a_time() -> None:
    on = await floor()
    await on.card_in(MEI)
    for table, seat in (("1", 2), ("2", 1)):
        refused = await on.no_card_in(MEI, table, seat)
        assert (refused.code, str(refused.message)) == (
            "carded-in-elsewhere",
            "Your card is in at table 1, seat 1: take it out there first",
        )
    await on.restart(wall_ms=-HOUR_MS)
    assert (await on.no_card_in(MEI, "2")).code == "carded-in-elsewhere"
    await on.card_out()
    await on.card_in(MEI, "2")
    assert (await on.no_card_in(MEI)).code == "carded-in-elsewhere"
    await on.restart()
    assert (await on.no_card_in(MEI)).code == "carded-in-elsewhere"
    await sound(on)


async def test_of_two_terminals_at_once_one_gets_the_card() -> None:
    on = await floor()
    asked = [
        on.tables[table].writer.answer(taps.CardIn(request="x", player=MEI, points_per_100=0), terminal(seat, table))
        for table, seat in (("1", 1), ("2", 1), ("1", 2))
    ]
    answers = await asyncio.gather(*asked)
    assert sorted(isinstance(one, Accepted) for one in answers) == [False, False, True]
    again = await on.tables["1"].writer.answer(
        taps.CardIn(request="x", player=MEI, points_per_100=0), terminal(1)
    )  # the same request is answered the same
    assert again == answers[0]
    await sound(on)


async def test_somebody_barred_does_not_card_in_and_bets_no_more() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.tables["1"].bet(1, "player", 1_000)
    on.barred.add(MEI)
    bar = taps.BarCard(request="b", player=MEI)
    assert isinstance(await on.tables["1"].writer.answer(bar, Who("", seat=1, kind=OriginKind.PROGRAM)), Accepted)
    assert (await on.not_bet(1_000)).code == "barred"
    assert (await on.tables["1"].refused(taps.Double, terminal(1), round=1)).code == "barred"
    await on.tables["1"].finish(PLAYER_WINS)  # what lay is settled
    await on.collect()  # and the money is still the player's
    assert on.card() is None
    assert (await on.no_card_in(MEI, "2")).code == "barred"
    await sound(on)


async def test_a_locked_terminal_does_not_keep_its_player_from_being_barred() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.tables["1"].do(staff.LockTerminal, SUPERVISOR, seat=1, why="a quarrel")
    bar = taps.BarCard(request="b", player=MEI)
    assert isinstance(await on.tables["1"].writer.answer(bar, Who("", seat=1, kind=OriginKind.PROGRAM)), Accepted)
    await on.tables["1"].do(staff.UnlockTerminal, SUPERVISOR, seat=1, why="it is over")
    assert (await on.not_bet(1_000)).code == "barred"
    await sound(on)


async def test_a_barred_card_without_money_comes_out_at_once() -> None:
    on = await floor()
    await on.card_in(MEI)
    bar = taps.BarCard(request="b", player=MEI)
    await on.tables["1"].writer.answer(bar, Who("", seat=1, kind=OriginKind.PROGRAM))
    assert on.card() is None
    again = await on.tables["1"].writer.answer(
        taps.BarCard(request="c", player=MEI), Who("", seat=1, kind=OriginKind.PROGRAM)
    )
    assert isinstance(again, Refusal)
    await sound(on)


# Limits follow the player.


async def test_own_limits_and_what_was_lost_go_from_terminal_to_terminal() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.own(loss_cents=5_000, stake_cents=3_000)
    await on.tables["1"].bet(1, "banker", 3_000)
    await on.tables["1"].finish(PLAYER_WINS)  # 30.00 lost
    await on.collect()
    await on.tables["1"].buy(1, 10_000)  # the next at this seat has none of it
    assert (on.session().loss_cents, on.session().stake_cents) == (None, None)
    await on.card_in(MEI, "2", 7)
    await on.tables["2"].buy(7, 10_000)
    assert (on.session("2", 7).loss_cents, on.session("2", 7).stake_cents) == (5_000, 3_000)
    assert (await on.not_bet(2_100, "2", 7)).code == "over-loss-limit"
    await on.tables["2"].bet(7, "banker", 2_000)
    await sound(on)


@pytest.mark.parametrize("way", ["other terminal", "same terminal", "restart", "clock", "no session between"])
async def test_a_raise_waits_for_its_cooling_off_whatever_the_player_does(way: str) -> None:
    on = await floor(cooling_off_ms=24 * HOUR_MS, check_ms=0, idle_ms=0)
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.own(loss_cents=2_000)
    await on.own(loss_cents=9_000)  # asked for, and waits
    await on.pass_ms(HOUR_MS)
    await on.collect()
    table = "1" if way == "same terminal" else "2"
    if way == "restart":
        await on.restart(away_ms=30 * DAY_MS)
    elif way == "clock":
        await on.restart(wall_ms=30 * DAY_MS)
    elif way == "no session between":
        await on.card_in(MEI, "1", 5)
        await on.card_out("1", 5)
    await on.card_in(MEI, table)
    await on.tables[table].buy(1, 10_000)
    assert on.session(table).loss_cents == 2_000
    assert [one.value for one in on.session(table).waiting.values()] == [9_000]
    refused = await on.tables[table].refused(taps.SetPlayLimits, terminal(1, table), loss_cents=9_000)
    assert refused.code == "bad-limits"  # it waits already
    await on.pass_ms(23 * HOUR_MS + MINUTE_MS)  # an hour of it had passed at the first terminal
    await on.own(table, loss_cents=9_000)
    assert on.session(table).loss_cents == 9_000
    await sound(on)


async def test_a_lower_limit_holds_at_once_at_the_next_terminal_too() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.own(stake_cents=3_000)
    await on.own(stake_cents=1_000)
    await on.collect()
    await on.restart()
    await on.card_in(MEI, "2")
    await on.tables["2"].buy(1, 10_000)
    assert (await on.not_bet(1_100, "2")).code == "over-stake-limit"


async def test_a_break_goes_along() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.tables["1"].do(taps.TakeBreak, terminal(1), minutes=60)
    await on.collect()
    await on.restart(wall_ms=DAY_MS)
    await on.card_in(MEI, "2")
    await on.tables["2"].buy(1, 10_000)
    assert (await on.not_bet(1_000, "2")).code == "on-a-break"
    await on.pass_ms(61 * MINUTE_MS)
    if on.session("2").waits_for:
        await on.tables["2"].do(taps.ContinuePlay, terminal(1, "2"))
    await on.tables["2"].bet(1, "banker", 1_000)
    await sound(on)


async def test_a_time_limit_counts_what_was_played_at_other_terminals_for_a_day() -> None:
    on = await floor(check_ms=0, idle_ms=0)
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.own(time_min=60)
    await on.pass_ms(50 * MINUTE_MS)
    await on.collect()
    await on.pass_ms(3 * HOUR_MS)  # no play, no time
    await on.card_in(MEI, "2")
    await on.tables["2"].buy(1, 10_000)
    await on.pass_ms(9 * MINUTE_MS)
    await on.tables["2"].bet(1, "banker", 1_000)
    await on.pass_ms(2 * MINUTE_MS)
    refused = await on.not_bet(1_000, "2")
    assert (refused.code, str(refused.message)) == (
        "over-time-limit",
        "Your time limit of 1 h is reached: you have played for 1 h 1 min",
    )
    await on.tables["2"].do(taps.Clear, terminal(1, "2"), round=1)
    await on.collect("2")
    await on.pass_ms(DAY_MS)
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.tables["1"].bet(1, "banker", 1_000)  # another day
    assert on.session().time_ms == 60 * MINUTE_MS  # with the same limit
    await sound(on)


async def test_what_was_won_elsewhere_gives_no_room_to_lose_more() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.own(loss_cents=2_000)
    await on.tables["1"].bet(1, "player", 2_000)
    await on.tables["1"].finish(PLAYER_WINS)
    await on.collect()
    await on.card_in(MEI, "2")
    await on.tables["2"].buy(1, 10_000)
    assert (await on.not_bet(2_100, "2")).code == "over-loss-limit"


async def test_the_venues_defaults_and_ceilings_hold_for_carded_players() -> None:
    on = await floor(default=PlayLimits(loss_cents=4_000), most=PlayLimits(loss_cents=6_000, stake_cents=5_000))
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    assert (on.session().loss_cents, on.session().stake_cents) == (4_000, 5_000)
    await on.own(loss_cents=3_000)
    await on.collect()
    await on.card_in(MEI, "2")
    await on.tables["2"].buy(1, 10_000)
    assert (on.session("2").loss_cents, on.session("2").stake_cents) == (3_000, 5_000)


# What each round counts as.


async def test_only_decided_bets_earn_points_and_a_void_round_counts_for_nothing() -> None:
    on = await floor()
    table = on.tables["1"]
    await on.card_in(MEI)
    await table.buy(1, 20_000)
    await table.bet(1, "player", 4_000)
    await table.bet(1, "tie", 1_000)
    await table.finish(TIE)  # the bet on Player goes back
    assert await counted(on, MEI) == [(1, 5_000, 4_000 + 9_000, 100)]
    await table.open()
    await table.bet(1, "player", 4_000)
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a fire drill")
    assert len(await counted(on, MEI)) == 1
    await sound(on)


async def test_a_correction_corrects_what_was_counted_though_the_player_has_gone() -> None:
    on = await floor()
    table = on.tables["1"]
    await on.card_in(MEI)
    await table.buy(1, 10_000)
    await table.bet(1, "tie", 1_000)
    await table.bet(1, "banker", 2_000)
    await table.finish(TIE)
    before = await counted(on, MEI)
    assert before == [(1, 3_000, 9_000 + 2_000, 100)]
    await on.collect()
    await on.card_in(TAN)  # at the same seat, in the same round
    await table.buy(1, 50_000)
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=BANKER_WINS, why="misread")
    after = [sum(column) for column in zip(*await counted(on, MEI), strict=True)]
    assert after == [1, 3_000, 3_900, 300]
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=tuple(TIE.split()), round=1, why="right at first")
    assert [sum(column) for column in zip(*await counted(on, MEI), strict=True)] == [1, 3_000, 11_000, 100]
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=BANKER_WINS, round=1, why="once more")
    assert [sum(column) for column in zip(*await counted(on, MEI), strict=True)] == [1, 3_000, 3_900, 300]
    assert await counted(on, TAN) == []
    await table.finish(PLAYER_WINS)
    assert await counted(on, TAN) == [(1, 1_000, 2_000, 100)]
    await sound(on)


async def test_a_bet_that_a_ruling_gives_back_earns_no_points() -> None:
    on = await floor()
    table = on.tables["1"]
    await on.card_in(MEI)
    await table.buy(1, 10_000)
    await table.bet(1, "player", 1_000)
    await table.bet(1, "tie", 2_000)
    await table.finish(PLAYER_WINS)

    async def ruled(fields: dict[str, int]) -> list[int]:
        await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, seat=1, wager="tie", why="a dispute", **fields)
        return [sum(column) for column in zip(*await counted(on, MEI), strict=True)]

    assert await ruled({}) == [1, 3_000, 4_000, 100]  # void
    assert await ruled({"returned_cents": 18_000}) == [1, 3_000, 20_000, 300]
    await table.open()
    assert await ruled({"round": 1}) == [1, 3_000, 4_000, 100]
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=BANKER_WINS, round=1, why="misread")
    await sound(on)


async def test_anonymous_bets_corrected_after_somebody_carded_in_are_not_theirs() -> None:
    on = await floor()
    table = on.tables["1"]
    await table.buy(1, 10_000)
    await table.bet(1, "player", 1_000)
    await table.finish(PLAYER_WINS)
    await on.card_in(MEI)
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=BANKER_WINS, why="misread")
    assert await counted(on, MEI) == []
    await sound(on)


# Who sees it.


async def test_no_view_but_the_seats_own_knows_of_a_card() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.tables["1"].bet(1, "player", 1_000)
    state = on.tables["1"].state
    assert MEI in str(one_seat_sees(state, 1))
    for view in (everybody_sees(state), console_sees(state), one_seat_sees(state, 2)):
        assert MEI not in str(view)


async def test_a_snapshot_keeps_the_card_and_what_it_brought() -> None:
    on = await floor()
    await on.card_in(MEI)
    await on.tables["1"].buy(1, 10_000)
    await on.own(loss_cents=2_000)
    await on.tables["1"].bet(1, "banker", 1_000)
    await on.tables["1"].finish(PLAYER_WINS)
    await on.tables["1"].open()
    await on.restart()
    card = on.card()
    assert card is not None
    assert (card.player, card.rounds, card.staked_cents) == (MEI, 1, 1_000)
    assert (await on.not_bet(1_100)).code == "over-loss-limit"
    await sound(on)
