"""Player protection at a seat: the session, its limits, checks and breaks, tried from every side."""

from dataclasses import replace
from typing import Any

import pytest

from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.live import session_clock
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.sessions import PlayerSession, SessionView, net_cents
from natural9.table.venue.protection import HOUR_MS, MINUTE_MS, PlayLimits, Protection
from natural9.table.venue.venue import Mode, ShoeSource
from tests.table.live import (
    CASHIER,
    DEALER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    live_table,
    picture,
    refolded,
    table_config,
    terminal,
)

SEAT = terminal(1)
PLAYER_WINS = "4C 2D 5D 2S"  # a natural 9 against 4


async def protected(credit: int = 100_000, **changes: Any) -> LiveTable:
    """Betting is open, and seat 1 has credit."""
    table = await live_table(table_config(protection=Protection(**changes)))
    await table.buy(1, credit)
    await table.open()
    return table


def session(table: LiveTable, seat: int = 1) -> PlayerSession:
    found = table.state.terminal(seat).session
    assert found is not None
    return found


def seen(table: LiveTable, seat: int = 1) -> SessionView:
    view = one_seat_sees(table.state, seat).session
    assert view is not None
    return view


async def told_last(table: LiveTable) -> None:
    """What a seat is shown, which is kept while nothing changes, is what would be made now."""
    kept = one_seat_sees(table.state, 1)
    table.state.terminal(1).session_view = None
    assert one_seat_sees(table.state, 1) == kept


async def not_bet(table: LiveTable, cents: int, wager: str = "banker", seat: int = 1) -> Refusal:
    return await table.refused(taps.Bet, terminal(seat), round=table.round, wager=wager, cents=cents)


async def own(table: LiveTable, seat: int = 1, **limits: int | None) -> None:
    await table.do(taps.SetPlayLimits, terminal(seat), **limits)


async def limits_in_force(table: LiveTable) -> tuple[int | None, int | None, int | None]:
    await table.check_history()
    now = session(table)
    return now.time_ms, now.loss_cents, now.stake_cents


# The session.


async def test_a_session_begins_with_the_first_credit_and_adds_up() -> None:
    table = await live_table(table_config(protection=Protection()))
    assert one_seat_sees(table.state, 1).session is None
    await table.buy(1, 10_000)
    await table.buy(1, 5_000)
    assert (session(table).number, session(table).in_cents) == (1, 15_000)
    await table.open()
    await table.bet(1, "player", 4_000)
    assert seen(table).net_cents == 0  # what lies is still the player's
    await table.finish(PLAYER_WINS)
    assert (seen(table).net_cents, seen(table).staked_cents, seen(table).rounds) == (4_000, 4_000, 1)
    await table.do(taps.CashOut, SEAT, cents=6_000)
    assert (seen(table).net_cents, seen(table).out_cents) == (4_000, 6_000)
    await table.pass_ms(90 * 1000)
    assert table.clock.play_ms() - seen(table).started_ms == 90 * 1000
    await table.check_history()


async def test_what_is_shown_of_it_is_never_out_of_date() -> None:
    table = await protected(cooling_off_ms=0)
    for shape, fields in (
        (taps.SetPlayLimits, {"loss_cents": 50_000}),
        (taps.SetPlayLimits, {"loss_cents": 60_000, "time_min": 90}),
        (taps.CashOut, {"cents": 1_000}),
        (taps.TakeBreak, {"minutes": 1}),
    ):
        await table.do(shape, SEAT, **fields)
        await told_last(table)
    await table.pass_ms(2 * MINUTE_MS)
    await table.bet(1, "player", 1_000)
    await told_last(table)
    await table.finish(PLAYER_WINS)
    await told_last(table)
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=("4C", "2D", "2S", "7S"), why="misread")
    assert seen(table).net_cents == -1_000
    await told_last(table)
    await table.do(taps.CashOut, SEAT)
    await table.pass_ms(HOUR_MS)
    await table.pass_ms(HOUR_MS)
    assert one_seat_sees(table.state, 1).session is None
    await table.buy(1, 500)
    await told_last(table)


async def test_it_ends_when_the_seat_was_empty_for_a_while() -> None:
    table = await protected()
    await table.do(taps.CashOut, SEAT)
    await table.pass_ms(9 * MINUTE_MS)
    assert session(table).number == 1
    await table.buy(1, 500)  # the same player again: the same session
    assert session(table).in_cents == 100_500
    await table.do(taps.CashOut, SEAT)
    await table.pass_ms(10_000)  # is seen to be empty
    await table.pass_ms(10 * MINUTE_MS)
    assert table.state.terminal(1).session is None
    [ended] = await table.happened("session-ended")
    assert (ended.in_cents, ended.out_cents, ended.rounds) == (100_500, 100_500, 0)
    await table.buy(1, 700)
    assert (session(table).number, session(table).in_cents) == (2, 700)
    await table.check_history()


async def test_the_player_ends_it_once_the_seat_is_empty() -> None:
    table = await protected()
    assert (await table.refused(taps.EndSession, SEAT)).code == "session-goes-on"
    assert not seen(table).may_end
    await table.bet(1, "player", 1_000)
    await table.do(taps.CashOut, SEAT)
    assert (await table.refused(taps.EndSession, SEAT)).code == "session-goes-on"  # a bet lies
    await table.do(taps.Clear, SEAT, round=table.round)
    await table.do(taps.CashOut, SEAT)
    assert seen(table).may_end
    await table.do(taps.EndSession, SEAT)
    assert table.state.terminal(1).session is None
    for shape, fields in ((taps.EndSession, {}), (taps.ContinuePlay, {}), (taps.TakeBreak, {"minutes": 5})):
        assert (await table.refused(shape, SEAT, **fields)).code == "no-session"
    await table.check_history()


async def test_without_protection_there_is_none() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    await table.pass_ms(HOUR_MS)
    assert table.state.terminal(1).session is None
    assert not {line.event.TAG for line in await table.journal()} & {"session-started", "play-time-noted"}


async def test_credit_from_before_there_was_protection_begins_one() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    table = await table.restart(table_config(protection=Protection()))
    assert session(table).in_cents == 10_000
    table = await table.restart(table_config())  # switched off again: what is on goes on, and no other begins
    await table.buy(2, 500)
    assert (session(table).number, table.state.terminal(2).session) == (1, None)
    await table.do(taps.CashOut, SEAT)
    await table.pass_ms(10_000)
    assert table.state.terminal(1).session is None


# Limits.


async def test_a_loss_limit_counts_what_lies_as_lost() -> None:
    table = await protected()
    await own(table, loss_cents=5_000)
    await table.bet(1, "banker", 3_000)
    refused = await not_bet(table, 2_100)
    assert refused.code == "over-loss-limit"
    assert refused.message == (
        "Your loss limit is 50.00. If all your bets lost, you would have lost 51.00: you can bet 20.00 more"
    )
    await table.bet(1, "banker", 2_000)
    assert (await not_bet(table, 100, "tie")).code == "over-loss-limit"
    await table.do(taps.TakeBack, SEAT, round=table.round, wager="banker", cents=1_000)  # always allowed
    await table.do(taps.Undo, SEAT, round=table.round)
    assert (await table.refused(taps.Double, SEAT, round=table.round)).code == "over-loss-limit"
    await table.finish(PLAYER_WINS)
    assert seen(table).net_cents == -5_000
    await table.open()
    assert (await not_bet(table, 100)).code == "over-loss-limit"
    assert (await table.refused(taps.ReBet, SEAT, round=table.round)).code == "over-loss-limit"
    await table.check_history()


async def test_what_was_won_may_be_played_with() -> None:
    table = await protected()
    await own(table, loss_cents=5_000)
    await table.bet(1, "player", 5_000)
    await table.finish(PLAYER_WINS)
    await table.open()
    assert (await not_bet(table, 10_100)).code == "over-loss-limit"
    await table.bet(1, "banker", 10_000)


async def test_more_money_and_other_money_do_not_shake_off_a_loss_limit() -> None:
    table = await protected()
    await own(table, loss_cents=1_000)
    await table.bet(1, "banker", 1_000)
    await table.finish(PLAYER_WINS)
    printed = (await table.do(taps.CashOut, SEAT)).voucher
    assert printed is not None
    await table.do(taps.InsertVoucher, SEAT, number=printed.number, code=printed.code)
    await table.buy(1, 50_000)
    await table.open()
    assert (await not_bet(table, 100)).code == "over-loss-limit"
    assert (await table.refused(taps.EndSession, SEAT)).code == "session-goes-on"
    await table.do(taps.CashOut, SEAT)
    assert (await table.refused(taps.EndSession, SEAT)).message == (
        "You set limits or took a break: your session ends when the seat has been empty for a while"
    )
    await table.buy(1, 50_000)
    assert (await not_bet(table, 100)).code == "over-loss-limit"


async def test_insurance_is_offered_and_taken_within_the_limits() -> None:
    table = await live_table(table_config("rws-nc-insurance", protection=Protection()))
    await table.buy(1, 100_000)
    await table.open()
    await table.bet(1, "player", 10_000)
    await own(table, stake_cents=10_300)
    await table.do(round_commands.CloseBetting, DEALER)
    for card in ["7H", "5S", "KD", "KC"]:
        await table.do(round_commands.DealCard, DEALER, card=card)
    await table.do(round_commands.OpenInsurance, DEALER)
    offered = one_seat_sees(table.state, 1).may_insure
    assert set(offered.values()) == {300}
    [hand] = offered
    assert (await table.refused(taps.Insure, SEAT, round=table.round, hand=hand, cents=400)).code == "over-stake-limit"
    await table.do(taps.Insure, SEAT, round=table.round, hand=hand, cents=300)


async def test_x2_doubles_what_a_stake_limit_leaves() -> None:
    table = await protected()
    await own(table, stake_cents=2_000)
    await table.bet(1, "banker", 1_000)
    await table.bet(1, "tie", 200)
    await table.bet(1, "player", 300)
    answer = await table.do(taps.Double, SEAT, round=table.round)
    assert answer.note == "Not doubled: Banker stays at 10.00 (25.00 in this round is over your stake limit of 20.00)"
    assert dict(table.state.round.seats[1].bets) == {"banker": 1_000, "tie": 400, "player": 600}


async def test_a_stake_limit_holds_for_all_bets_of_a_round() -> None:
    table = await protected()
    await own(table, stake_cents=2_000)
    await table.bet(1, "banker", 1_500)
    refused = await not_bet(table, 600, "tie")
    assert (refused.code, refused.message) == (
        "over-stake-limit",
        "21.00 in this round is over your stake limit of 20.00",
    )
    await table.bet(1, "tie", 500)
    await table.finish(PLAYER_WINS)
    await table.open()
    await table.bet(1, "banker", 2_000)  # the next round has its own


async def test_when_the_time_is_up_what_lies_is_played() -> None:
    table = await protected(check_ms=0, idle_ms=0)
    await own(table, time_min=30)
    await table.pass_ms(30 * MINUTE_MS - 1)
    await table.bet(1, "player", 1_000)
    await table.pass_ms(1)
    refused = await not_bet(table, 100)
    assert (refused.code, refused.message) == (
        "over-time-limit",
        "Your time limit of 30 min is reached: you have played for 30 min",
    )
    await table.finish(PLAYER_WINS)
    assert table.state.credit_cents(1) == 101_000
    await table.do(taps.CashOut, SEAT)


async def test_lowering_holds_at_once_and_raising_after_the_cooling_off_and_a_second_word() -> None:
    table = await protected(check_ms=0, idle_ms=0)
    await own(table, loss_cents=5_000)
    await own(table, loss_cents=2_000)
    assert (await limits_in_force(table))[1] == 2_000
    await own(table, loss_cents=9_000)
    assert (await limits_in_force(table))[1] == 2_000
    [waits] = seen(table).waiting
    assert (waits.limit, waits.value, waits.from_ms - table.clock.play_ms()) == ("loss", 9_000, 24 * HOUR_MS)
    await table.pass_ms(24 * HOUR_MS - 1)
    assert (await table.refused(taps.SetPlayLimits, SEAT, loss_cents=9_000)).code == "bad-limits"
    await table.pass_ms(1)
    assert (await limits_in_force(table))[1] == 2_000  # nothing is raised by itself
    await own(table, loss_cents=8_000)  # less than was asked for is allowed as well
    assert (await limits_in_force(table))[1] == 8_000
    await own(table)  # none at all: a raise like any other
    assert (await limits_in_force(table))[1] == 8_000
    await table.pass_ms(24 * HOUR_MS)
    await own(table)
    assert await limits_in_force(table) == (None, None, None)


async def test_asking_for_more_than_was_asked_for_starts_the_cooling_off_anew() -> None:
    table = await protected(check_ms=0, idle_ms=0)
    await own(table, stake_cents=1_000)
    await own(table, stake_cents=2_000)
    await table.pass_ms(23 * HOUR_MS)
    await own(table, stake_cents=3_000)
    await table.pass_ms(2 * HOUR_MS)
    assert (await table.refused(taps.SetPlayLimits, SEAT, stake_cents=3_000)).code == "bad-limits"
    await own(table, stake_cents=500)  # and a lower one takes back what waits
    assert not seen(table).waiting
    await table.pass_ms(30 * HOUR_MS)
    await own(table, stake_cents=3_000)
    assert (await limits_in_force(table))[2] == 500


async def test_what_waits_of_one_limit_is_untouched_by_another() -> None:
    table = await protected(check_ms=0, idle_ms=0)
    await own(table, loss_cents=1_000, stake_cents=1_000)
    await own(table, loss_cents=1_000, stake_cents=2_000)
    await table.pass_ms(HOUR_MS)
    await own(table, loss_cents=500, stake_cents=1_000)
    [waits] = seen(table).waiting
    assert (waits.limit, waits.from_ms - table.clock.play_ms()) == ("stake", 23 * HOUR_MS)


async def test_the_house_has_defaults_and_a_most() -> None:
    most = PlayLimits(time_ms=4 * HOUR_MS, loss_cents=50_000, stake_cents=10_000)
    table = await protected(default=PlayLimits(loss_cents=20_000), most=most, cooling_off_ms=0)
    assert await limits_in_force(table) == (4 * HOUR_MS, 20_000, 10_000)
    assert (await not_bet(table, 10_100)).code == "over-stake-limit"
    refused = await table.refused(taps.SetPlayLimits, SEAT, loss_cents=50_100)
    assert refused.message == "The house allows 500.00 at most: set that or less"
    assert (await table.refused(taps.SetPlayLimits, SEAT, time_min=241)).message.startswith("The house allows 4 h")
    await own(table)  # none of one's own: the house's
    assert await limits_in_force(table) == (4 * HOUR_MS, 50_000, 10_000)
    assert (await table.refused(taps.SetPlayLimits, SEAT)).code == "bad-limits"


# Checks, pauses and breaks.


async def test_a_reality_check_holds_play_until_it_is_confirmed() -> None:
    table = await protected(idle_ms=0)
    await table.bet(1, "player", 1_000)
    await table.pass_ms(60 * MINUTE_MS)
    assert seen(table).waits_for == "check"
    assert any(view.seat == 1 and view.session and view.session.waits_for for view in table.ears.seats)  # is told
    refused = await not_bet(table, 100)
    assert (refused.code, refused.message) == (
        "reality-check",
        "You have played for 1 h: confirm that you have seen it, then bet on",
    )
    await table.finish(PLAYER_WINS)  # what lies is played
    await table.open()
    assert (await not_bet(table, 100)).code == "reality-check"
    await table.do(taps.ContinuePlay, SEAT)
    await table.bet(1, "player", 100)
    await table.pass_ms(59 * MINUTE_MS)
    assert seen(table).waits_for == ""
    await table.pass_ms(2 * MINUTE_MS)
    assert seen(table).waits_for == "check"
    assert [event.net_cents for event in await table.happened("reality-check-due")] == [0, 1_000]
    await table.check_history()


async def test_a_full_halls_sessions_are_looked_at_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_clock, "LOOK_AT", 2)
    table = await protected(idle_ms=0)
    for seat in (2, 3, 4, 5):
        await table.buy(seat, 1_000)
    await table.pass_ms(60 * MINUTE_MS)
    await table.settle_down()
    assert [event.seat for event in await table.happened("reality-check-due")] == [1, 2, 3, 4, 5]
    await table.check_history()
    clock = session_clock.SessionClock(table.state)
    hour_ms = table.state.table_ms + 2 * HOUR_MS
    clock.falls_due(hour_ms)
    table.state.playing.clear()  # who has gone meanwhile is not looked at any more
    assert clock.due_ms() == 0
    assert [clock.falls_due(hour_ms) for _ in range(2)] == [[], []]
    assert clock.due_ms() is None


async def test_play_pauses_when_nobody_bets() -> None:
    table = await protected(check_ms=0)
    await table.bet(1, "player", 1_000)
    await table.pass_ms(HOUR_MS)  # a bet lies: somebody plays
    assert seen(table).waits_for == ""
    await table.finish(PLAYER_WINS)
    await table.open()
    await table.pass_ms(10_000)  # is seen to do nothing
    await table.pass_ms(14 * MINUTE_MS)
    assert seen(table).waits_for == ""
    await table.pass_ms(2 * MINUTE_MS)
    assert seen(table).waits_for == "idle"
    assert (await not_bet(table, 100)).code == "play-paused"
    await table.do(taps.ContinuePlay, SEAT)
    assert (await table.refused(taps.ContinuePlay, SEAT)).code == "nothing-to-continue"
    await table.bet(1, "player", 100)
    await table.check_history()


async def test_a_break_locks_betting_and_cannot_be_shortened() -> None:
    table = await protected(check_ms=0, idle_ms=0)
    await table.bet(1, "player", 1_000)
    await table.do(taps.TakeBreak, SEAT, minutes=30)
    refused = await not_bet(table, 100)
    assert (refused.code, refused.message) == ("on-a-break", "You take a break: you can bet again in 30 min")
    assert (await table.refused(taps.TakeBreak, SEAT, minutes=20)).code == "on-a-break"
    assert (await table.refused(taps.TakeBreak, SEAT, minutes=24 * 60 + 1)).code == "bad-limits"
    await table.do(taps.TakeBreak, SEAT, minutes=60)
    await table.do(taps.Clear, SEAT, round=table.round)
    await table.do(taps.CashOut, SEAT)
    await table.pass_ms(40 * MINUTE_MS)  # empty, and it is still a break
    await table.buy(1, 5_000)
    assert (await not_bet(table, 100)).message.endswith("in 20 min")
    await table.pass_ms(20 * MINUTE_MS)
    await table.bet(1, "player", 100)


async def test_a_supervisor_releases_an_empty_seat_for_the_next_player() -> None:
    table = await protected()
    await table.do(taps.TakeBreak, SEAT, minutes=600)
    assert (await table.refused(staff.ReleaseSeat, SUPERVISOR, seat=1, why="another guest")).code == "session-goes-on"
    await table.do(taps.CashOut, SEAT)
    assert (await table.refused(staff.ReleaseSeat, SUPERVISOR, seat=1)).code == "bad-request"  # without a reason
    await table.do(staff.ReleaseSeat, SUPERVISOR, seat=1, why="another guest")
    assert (await table.refused(staff.ReleaseSeat, SUPERVISOR, seat=1, why="once more")).code == "no-session"
    await table.buy(1, 1_000)
    await table.bet(1, "player", 100)
    [released] = await table.happened("seat-released")
    assert (released.by, released.why) == ("pat", "another guest")
    await table.check_history()


# From every side.


async def test_another_seat_has_a_session_of_its_own() -> None:
    table = await protected()
    await table.buy(2, 10_000)
    await own(table, stake_cents=100)
    assert (await not_bet(table, 200)).code == "over-stake-limit"
    await table.bet(2, "banker", 5_000)
    assert (session(table, 2).number, session(table, 2).stake_cents) == (2, None)


async def test_limits_can_be_set_while_the_table_is_closed_and_not_at_a_locked_terminal() -> None:
    table = await live_table(table_config(protection=Protection()))
    await table.buy(1, 1_000)
    await own(table, stake_cents=100)
    await table.do(staff.LockTerminal, SUPERVISOR, seat=1, why="a test")
    assert (await table.refused(taps.SetPlayLimits, SEAT)).code == "terminal-locked"


@pytest.mark.parametrize("hours", [-48, -1, 1, 48, 24 * 400])
async def test_a_clock_that_is_set_changes_nothing(hours: int) -> None:
    protection = Protection(check_ms=0, idle_ms=0)
    table = await live_table(table_config("mbs-nc", protection=protection, shoe=ShoeSource.SHUFFLER))
    await table.buy(1, 100_000)
    await table.open()
    await own(table, loss_cents=1_000, time_min=50)
    await own(table, loss_cents=2_000, time_min=50)
    await table.do(taps.TakeBreak, SEAT, minutes=10)
    table.set_wall(hours * HOUR_MS)
    await table.pass_ms(1)
    assert (await not_bet(table, 100)).code == "on-a-break"
    await (table.crash() if hours > 0 else table.stop())
    table = await table.again()
    if table.state.round.phase != "betting-open":
        await table.open()
    assert (await not_bet(table, 100)).code == "on-a-break"
    await table.pass_ms(11 * MINUTE_MS)
    await table.bet(1, "player", 100)
    assert (await table.refused(taps.SetPlayLimits, SEAT, loss_cents=2_000, time_min=50)).code == "bad-limits"
    await table.pass_ms(39 * MINUTE_MS)
    assert (await not_bet(table, 100)).code == "over-time-limit"


async def in_each_phase(table: LiveTable) -> LiveTable:
    """The power goes after every step of a round, for a short moment."""

    async def cut(now: LiveTable) -> LiveTable:
        await now.crash()
        before = picture(now.state)["terminals"]
        now = await now.again(seen_ms=now.clock.play_ms())
        assert picture(now.state)["terminals"] == before
        await now.check_history()
        return now

    table = await cut(table)
    await table.bet(1, "banker", 100)
    table = await cut(table)
    await table.do(round_commands.CloseBetting, DEALER)
    table = await cut(table)
    await table.crash()
    return await table.again(seen_ms=table.clock.play_ms())


async def test_a_restart_in_any_phase_keeps_session_limits_and_cooling_off() -> None:
    table = await live_table(
        table_config("mbs-nc", protection=Protection(check_ms=0, idle_ms=0), mode=Mode.DEALER, shoe=ShoeSource.SHUFFLER)
    )
    await table.buy(1, 100_000)
    await own(table, loss_cents=600, time_min=90)
    await table.open()
    await table.pass_ms(30 * MINUTE_MS)
    await own(table, loss_cents=700, time_min=90)
    now, waits = session(table), session(table).waiting
    for _ in range(4):
        table = await in_each_phase(table)
        assert (session(table).number, session(table).loss_cents, session(table).waiting) == (now.number, 600, waits)
        assert table.clock.play_ms() - seen(table).started_ms == 30 * MINUTE_MS
        while table.state.in_play:
            now_due = round_commands.DealCard if table.state.round.due else round_commands.DeclareResult
            await table.do(round_commands.Settle if table.state.round.declared else now_due, DEALER)
        await table.open()


async def test_a_power_cut_takes_a_minute_off_a_session_at_most() -> None:
    table = await protected(check_ms=0, idle_ms=0)
    for _ in range(100):
        await table.pass_ms(17_000)
    played = table.clock.play_ms() - seen(table).started_ms
    table = await table.restart()
    assert 0 <= played - (table.clock.play_ms() - seen(table).started_ms) <= 60_000 + 5_000
    await table.stop()
    again = await table.again()
    assert again.clock.play_ms() - seen(again).started_ms == table.clock.play_ms() - seen(table).started_ms


async def test_two_requests_at_once_cannot_both_use_the_same_room() -> None:
    table = await protected()
    await own(table, loss_cents=1_000)
    asked = [
        taps.Bet(request=table.request(), round=table.round, wager=wager, cents=600) for wager in ("banker", "player")
    ]
    for one in asked:
        table.writer.ask_for_terminal(one, SEAT)
    await table.settle_down()
    assert table.state.round.seats[1].staked_cents == 600


async def test_the_same_tap_again_gets_the_same_answer_and_does_nothing() -> None:
    table = await protected()
    tap = taps.TakeBreak(request="once", minutes=10)
    first = await table.ask(tap, SEAT)
    head = await table.store.head()
    assert await table.ask(tap, SEAT) == first
    table = await table.restart()
    assert await table.ask(tap, SEAT) == first
    assert [event.until_ms for event in await table.happened("break-taken")] == [10 * MINUTE_MS]
    assert head.seq <= (await table.store.head()).seq


async def test_a_voided_voucher_counts_as_money_in() -> None:
    table = await protected()
    printed = (await table.do(taps.CashOut, SEAT)).voucher
    assert printed is not None
    await table.do(taps.EndSession, SEAT)
    await table.do(staff.VoidVoucher, SUPERVISOR, number=printed.number, why="unreadable")
    assert (session(table).number, seen(table).net_cents) == (2, 0)
    await table.do(staff.HandPay, CASHIER, seat=1)
    assert seen(table).net_cents == 0


async def test_a_debt_of_an_earlier_session_is_no_loss_of_this_one() -> None:
    table = await protected()
    await table.bet(1, "player", 1_000)
    await table.finish(PLAYER_WINS)
    await table.do(taps.CashOut, SEAT)
    await table.do(taps.EndSession, SEAT)
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=("4C", "2D", "2S", "7S"), why="misread")
    assert table.state.terminal(1).owed_cents > 0
    await table.buy(1, 10_000)
    assert net_cents(table.state, 1, session(table)) == 0
    assert (await refolded(table.store, table.config)).terminal(1).session == replace(session(table))
