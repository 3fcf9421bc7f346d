"""Player protection is the terminal's own table's, wherever it plays."""

from typing import Any

import pytest

from natural9.core.round import Refusal
from natural9.journal.line import OriginKind
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.sessions import net_cents, worst_loss_of_session
from natural9.table.venue.file import ShoeSource
from natural9.table.venue.protection import MINUTE_MS, Protection
from tests.table.live import (
    DEALER,
    START_MS,
    SUPERVISOR,
    terminal,
)
from tests.table.visited import BANKER_WINS, PLAYER_WINS, SEAT, Visited, visited


async def protected(credit: int = 100_000, **changes: Any) -> Visited:
    return await visited(credit, protection=Protection(cooling_off_ms=0, **changes))


async def own(floor: Visited, **limits: int | None) -> None:
    await floor.home.do(taps.SetPlayLimits, terminal(SEAT), **limits)


async def test_a_visitor_has_no_session_but_the_one_at_home() -> None:
    floor = await protected()
    await floor.bet("2", "player", 2_500)
    assert floor.tables["2"].state.terminal(10_001).session is None
    home = floor.home.state
    session = home.terminal(SEAT).session
    assert session
    assert net_cents(home, SEAT, session) == 0  # what lies is still the player's
    assert worst_loss_of_session(home, SEAT, session) == 2_500
    await floor.finish("2", BANKER_WINS)
    assert (net_cents(home, SEAT, session), session.staked_cents, session.rounds) == (-2_500, 2_500, 1)
    view = one_seat_sees(home, SEAT).session
    assert view
    assert (view.net_cents, view.rounds) == (-2_500, 1)


async def test_the_loss_limit_holds_over_all_tables() -> None:
    floor = await protected()
    await own(floor, loss_cents=5_000)
    await floor.bet("2", "player", 3_000)
    assert await floor.not_bet("3", 2_500) == "over-loss-limit"
    assert (
        await floor.home.refused(taps.Bet, terminal(SEAT), round=1, wager="player", cents=2_500)
    ).code == "over-loss-limit"
    await floor.bet("3", "player", 2_000)
    assert await floor.not_bet("2", 100) == "over-loss-limit"
    await floor.finish("2", BANKER_WINS)
    assert await floor.not_bet("3", 100) == "over-loss-limit"  # lost, or at risk
    await floor.finish("3", PLAYER_WINS)
    await floor.tables["3"].do(staff.StartRound, DEALER)
    assert await floor.not_bet("3", 4_100) == "over-loss-limit"
    await floor.bet("3", "player", 4_000)
    await floor.check()


async def test_the_loss_limit_cannot_be_escaped_by_a_power_cut() -> None:
    floor = await visited(shoe=ShoeSource.SHUFFLER, protection=Protection())
    await own(floor, loss_cents=5_000)
    await floor.bet("2", "player", 5_000)
    floor = await floor.restart(seen_ms=START_MS)
    assert floor.home.state.terminal(SEAT).away_cents == 5_000
    assert await floor.not_bet("3", 100) == "over-loss-limit"


async def test_the_stake_limit_is_for_all_that_lies_at_once() -> None:
    floor = await protected()
    await own(floor, stake_cents=3_000)
    await floor.bet("2", "player", 2_000)
    assert await floor.not_bet("3", 1_500) == "over-stake-limit"
    assert (
        await floor.home.refused(taps.Bet, terminal(SEAT), round=1, wager="player", cents=1_500)
    ).message == "35.00 at once at all tables is over your stake limit of 30.00"
    await floor.finish("2", PLAYER_WINS)
    await floor.bet("3", "player", 3_000)
    await floor.check()


async def test_x2_lays_what_the_limits_at_home_leave_and_says_why() -> None:
    floor = await protected()
    await own(floor, loss_cents=7_000)
    await floor.bet("2", "player", 2_000)
    await floor.bet("2", "tie", 3_000)
    doubled = await floor.ask("2", taps.Double)
    assert isinstance(doubled, Accepted)
    assert "Tie stays at 30.00 (Your loss limit is 70.00." in str(doubled.note)
    assert floor.home.state.terminal(SEAT).away_cents == 7_000
    assert isinstance(await floor.ask("2", taps.Double), Refusal)
    assert floor.home.state.terminal(SEAT).away_cents == 7_000
    await floor.check()


@pytest.mark.parametrize("what", ["break", "time", "check", "idle"])
async def test_what_stops_play_at_home_stops_it_everywhere(what: str) -> None:
    floor = await protected(check_ms=60 * MINUTE_MS, idle_ms=15 * MINUTE_MS)
    codes = {"break": "on-a-break", "time": "over-time-limit", "check": "reality-check", "idle": "play-paused"}
    if what == "break":
        await floor.home.do(taps.TakeBreak, terminal(SEAT), minutes=5)
    elif what == "time":
        await own(floor, time_min=10)
        await floor.home.pass_ms(11 * MINUTE_MS)
    else:
        await floor.home.pass_ms((61 if what == "check" else 16) * MINUTE_MS)
    assert await floor.not_bet("2", 1_000) == codes[what]
    double = await floor.ask("2", taps.Double)
    assert isinstance(double, Refusal)


async def test_playing_elsewhere_is_playing() -> None:
    """No pause for want of a bet while one lies at another table, and no end of the session."""
    floor = await protected(idle_ms=15 * MINUTE_MS, empty_ms=MINUTE_MS, check_ms=0)
    await floor.bet("2", "player", 2_500)
    await floor.home.do(taps.CashOut, terminal(SEAT))
    for _ in range(4):
        await floor.home.pass_ms(10 * MINUTE_MS)
    session = floor.home.state.terminal(SEAT).session
    assert session
    assert session.waits_for == ""
    assert (await floor.home.refused(taps.EndSession, terminal(SEAT))).code == "session-goes-on"
    assert (await floor.home.refused(staff.ReleaseSeat, SUPERVISOR, seat=SEAT, why="gone")).code == "session-goes-on"


async def test_a_barred_player_bets_nowhere_and_a_card_waits_for_bets_elsewhere() -> None:
    floor = await protected()
    who = Who("", seat=SEAT, kind=OriginKind.PROGRAM)
    assert isinstance(
        await floor.home.ask(taps.CardIn(request="in", player="10001", points_per_100=0), terminal(SEAT)), Accepted
    )
    assert isinstance(await floor.ask("2", taps.Bet, wager="player", cents=2_500), Accepted)
    out = await floor.home.do(taps.CashOut, terminal(SEAT))
    assert out.voucher
    assert floor.home.state.terminal(SEAT).card  # a bet of the player lies elsewhere
    await floor.finish("2", PLAYER_WINS)
    assert isinstance(await floor.home.ask(taps.BarCard(request="bar", player="10001"), who), Accepted)
    assert await floor.not_bet("3", 1_000) == "barred"
    double = await floor.ask("2", taps.Double)
    assert isinstance(double, Refusal)
