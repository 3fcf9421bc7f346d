"""Bets as a terminal makes them: laid, added to, taken back, cleared, undone, doubled, repeated; and every limit."""

from dataclasses import replace
from typing import Any

import pytest

from natural9.core.irregularities import Remedy
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Limit
from natural9.core.saying import say
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.refusals import UNDECIDED
from natural9.table.live.answers import Accepted
from natural9.table.live.recorder import MOST_LATE
from tests.table.live import (
    CASHIER,
    DEALER,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    Shape,
    live_table,
    table_config,
    terminal,
)

SEAT = terminal(1)
LIMITS = {wager: Limit(500, 5_000) for wager in table_config().limits.by_wager}


async def open_table(credit: int = 100_000, **limits: Any) -> LiveTable:
    table = await live_table(table_config(limits=replace(table_config().limits, **limits)))
    for seat in (1, 2):
        await table.buy(seat, credit)
    await table.open()
    return table


async def tap(table: LiveTable, shape: Shape, **fields: Any) -> Accepted:
    return await table.do(shape, SEAT, round=table.round, **fields)


async def not_tap(table: LiveTable, shape: Shape, **fields: Any) -> str:
    return (await table.refused(shape, SEAT, round=table.round, **fields)).code


def bets(table: LiveTable) -> dict[str, int]:
    return dict(table.state.round.seats[1].bets)


async def test_bets_are_laid_added_to_and_taken_back() -> None:
    table = await open_table()
    await table.bet(1, "banker", 1_000)
    await table.bet(1, "banker", 500)
    await table.bet(1, "tie", 200)
    assert (bets(table), table.state.credit_cents(1)) == ({"banker": 1_500, "tie": 200}, 98_300)
    await tap(table, taps.TakeBack, wager="banker", cents=400)
    await tap(table, taps.TakeBack, wager="tie")
    assert (bets(table), table.state.credit_cents(1)) == ({"banker": 1_100}, 98_900)
    assert await not_tap(table, taps.TakeBack, wager="tie") == "no-such-bet"
    assert await not_tap(table, taps.TakeBack, wager="banker", cents=1_200) == "bad-stake"
    await tap(table, taps.Clear)
    assert (bets(table), table.state.credit_cents(1), table.state.laid["banker"]) == ({}, 100_000, 0)
    assert await not_tap(table, taps.Clear) == "no-such-bet"


async def test_every_change_is_undone_in_turn() -> None:
    table = await open_table()
    seen = [bets(table)]
    for shape, fields in (
        (taps.Bet, {"wager": "banker", "cents": 1_000}),
        (taps.Bet, {"wager": "tie", "cents": 300}),
        (taps.Bet, {"wager": "banker", "cents": 500}),
        (taps.Double, {}),
        (taps.TakeBack, {"wager": "banker", "cents": 700}),
        (taps.TakeBack, {"wager": "tie"}),
        (taps.Bet, {"wager": "tiger", "cents": 100}),
        (taps.Clear, {}),
        (taps.Bet, {"wager": "player", "cents": 100}),
    ):
        await tap(table, shape, **fields)
        seen.append(bets(table))
        await not_tap(table, taps.Bet, wager="banker", cents=99)  # what is refused leaves nothing to undo
    assert seen[5] == {"banker": 2_300, "tie": 600}
    for before in reversed(seen[:-1]):
        await tap(table, taps.Undo)
        assert bets(table) == before
        await table.check_history()
    assert await not_tap(table, taps.Undo) == "nothing-to-undo"
    assert table.state.credit_cents(1) == 100_000


async def test_undoing_is_each_seats_own_and_ends_with_the_round() -> None:
    table = await open_table()
    await table.bet(1, "banker", 1_000)
    await table.bet(2, "tie", 500)
    await tap(table, taps.Undo)
    assert dict(table.state.round.seats[2].bets) == {"tie": 500}
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.open()
    assert await not_tap(table, taps.Undo) == "nothing-to-undo"


async def test_the_last_bets_are_laid_again_once() -> None:
    table = await open_table()
    assert await not_tap(table, taps.ReBet) == "nothing-to-repeat"
    assert await not_tap(table, taps.Double) == "nothing-to-repeat"
    await table.bet(1, "banker", 1_000)
    await table.bet(1, "tie", 300)
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.open()
    await tap(table, taps.ReBet)
    assert bets(table) == {"banker": 1_000, "tie": 300}
    assert await not_tap(table, taps.ReBet) == "nothing-to-repeat"
    await tap(table, taps.Undo)
    assert bets(table) == {}
    await tap(table, taps.ReBet)
    await tap(table, taps.Double)
    assert bets(table) == {"banker": 2_000, "tie": 600}
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.open()  # a round that this seat sits out
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.open()
    table = await table.restart()
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="no card lies")
    await table.open()
    await tap(table, taps.ReBet)
    assert bets(table) == {"banker": 2_000, "tie": 600}
    await tap(table, taps.Clear)
    await table.bet(1, "player", 700)
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a spill")
    await table.open()
    await tap(table, taps.ReBet)  # what went back is laid again, too
    assert bets(table) == {"player": 700}


async def test_a_pattern_of_bets_is_laid_as_one_and_undone_as_one() -> None:
    table = await open_table()
    await table.bet(1, "banker", 500)
    await tap(table, taps.LayBets, bets={"banker": 1_000, "tie": 200})
    assert (bets(table), table.state.credit_cents(1)) == ({"banker": 1_500, "tie": 200}, 98_300)
    await tap(table, taps.LayBets, bets={"tie": 300})
    await tap(table, taps.Undo)
    await tap(table, taps.Undo)
    assert (bets(table), table.state.credit_cents(1)) == ({"banker": 500}, 99_500)


@pytest.mark.parametrize(
    ("pattern", "code", "why"),
    [
        ({"banker": 1_000, "tie": 300}, "outside-limits", "Tie"),
        ({"tie": 500, "banker": 5_500}, "outside-limits", "Banker"),
        ({"banker": 4_000, "tie": 4_000}, "not-enough-credit", "60.00"),
        ({"tie": 500, "no-such": 500}, "wager-not-offered", "No Such"),
        ({"player": 550, "tie": 500}, "bad-stake", "Player"),
    ],
)
async def test_a_pattern_is_laid_whole_or_not_at_all(pattern: dict[str, int], code: str, why: str) -> None:
    table = await open_table(credit=6_000, by_wager=LIMITS)
    refusal = await table.refused(taps.LayBets, SEAT, round=table.round, bets=pattern)
    assert refusal.code == code
    assert refusal.message.startswith("None of these bets was laid. ")
    assert why in refusal.message
    assert (bets(table), table.state.credit_cents(1)) == ({}, 6_000)
    alone = await table.refused(taps.LayBets, SEAT, round=table.round, bets={"tie": 10_000})
    assert not alone.message.startswith("None")


async def test_a_repeat_that_cannot_be_paid_lays_nothing() -> None:
    table = await open_table(credit=1_500)
    await table.bet(1, "banker", 600)
    await table.bet(1, "tie", 500)
    assert await not_tap(table, taps.Double) == "not-enough-credit"
    await table.finish("4S 2H KD 9C 5H 5D")  # Player wins: both are lost
    assert table.state.credit_cents(1) == 400
    await table.open()
    assert await not_tap(table, taps.ReBet) == "not-enough-credit"
    assert bets(table) == {}


async def test_x2_doubles_what_it_can_and_says_what_it_could_not() -> None:
    table = await open_table(credit=10_000, by_wager={**LIMITS, "tie": Limit(500, 1_000)})
    await table.bet(1, "tie", 600)
    await table.bet(1, "banker", 2_000)
    await table.bet(1, "player", 4_000)  # 34.00 are left
    doubled = taps.Double(request="x2", round=table.round)
    answer = await table.ask(doubled, SEAT)
    assert isinstance(answer, Accepted)
    assert answer.note == say(
        "Not doubled: {left}",
        left=(
            "Tie stays at 6.00 (12.00 on Tie is outside its limits, 5.00 to 10.00)",
            "Player stays at 40.00 (80.00 on Player is outside its limits, 5.00 to 50.00)",
        ),
    )
    assert bets(table) == {"tie": 600, "banker": 4_000, "player": 4_000}
    assert await table.ask(doubled, SEAT) == answer, "asked again, it is told again, and nothing is laid"
    [told] = await table.happened("bets-not-doubled")
    assert str(told.describe()).startswith("Seat 1 doubled what it could. Not doubled: Tie stays at 6.00")
    await table.check_history()
    table = await table.restart()
    assert await table.ask(doubled, SEAT) == answer
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="no card lies")
    for _ in range(4):
        await table.open()
        await table.finish("4S 2H KD 9C 5H 5D")
    assert await table.ask(doubled, SEAT) == answer, "also rounds later"


async def test_x2_says_what_is_left_of_the_credit_after_what_it_has_doubled() -> None:
    table = await open_table(credit=3_000)
    await table.bet(1, "tie", 500)
    await table.bet(1, "banker", 1_000)
    answer = await table.ask(taps.Double(request="x2", round=table.round), SEAT)
    assert isinstance(answer, Accepted)
    assert answer.note is None
    await tap(table, taps.Undo)
    await table.bet(1, "banker", 100)
    answer = await table.ask(taps.Double(request="again", round=table.round), SEAT)
    assert isinstance(answer, Accepted)
    assert answer.note == "Not doubled: Banker stays at 11.00 (Your credit is 9.00, and this takes 11.00: 2.00 short)"


async def test_x2_is_undone_as_one_and_goes_by_what_is_left_of_credit_and_seat() -> None:
    table = await open_table(credit=3_000, seat_max_cents=2_500)
    for wager, cents in (("banker", 1_000), ("tie", 500)):
        await table.bet(1, wager, cents)
    await tap(table, taps.Double)  # 25.00 is the most of a seat: Tie does not fit any more
    assert bets(table) == {"banker": 2_000, "tie": 500}
    await tap(table, taps.Undo)
    assert bets(table) == {"banker": 1_000, "tie": 500}
    await table.do(taps.Clear, SEAT, round=table.round)
    await table.bet(1, "banker", 2_000)
    await table.bet(1, "tie", 500)
    refusal = await table.refused(taps.Double, SEAT, round=table.round)
    assert (refusal.code, str(refusal.message)) == (
        "not-enough-credit",
        "Not doubled: Banker stays at 20.00 (Your credit is 5.00, and this takes 20.00: 15.00 short), "
        "Tie stays at 5.00 (30.00 in all is over the maximum for a seat, 25.00)",
    )


@pytest.mark.parametrize(
    ("wager", "cents", "code"),
    [
        ("banker", 400, "outside-limits"),
        ("banker", 5_100, "outside-limits"),
        ("banker", 550, "bad-stake"),
        ("super-six", 500, "wager-not-offered"),
    ],
)
async def test_each_wager_has_its_limits(wager: str, cents: int, code: str) -> None:
    table = await open_table(by_wager=LIMITS)
    assert await not_tap(table, taps.Bet, wager=wager, cents=cents) == code
    await table.bet(1, "banker", 5_000)
    assert await not_tap(table, taps.Bet, wager="banker", cents=100) == "outside-limits"
    assert await not_tap(table, taps.Double) == "outside-limits"
    assert await not_tap(table, taps.TakeBack, wager="banker", cents=4_600) == "outside-limits"
    await tap(table, taps.TakeBack, wager="banker", cents=4_500)


async def test_a_seat_has_a_least_and_a_most() -> None:
    table = await open_table(seat_min_cents=1_000, seat_max_cents=2_000)
    assert await not_tap(table, taps.Bet, wager="banker", cents=900) == "under-seat-limit"
    assert await not_tap(table, taps.Bet, wager="banker", cents=2_100) == "over-seat-limit"
    await table.bet(1, "banker", 1_000)
    await table.bet(1, "tie", 1_000)
    assert await not_tap(table, taps.Bet, wager="tiger", cents=100) == "over-seat-limit"
    await tap(table, taps.TakeBack, wager="tie")
    assert await not_tap(table, taps.TakeBack, wager="banker", cents=100) == "under-seat-limit"
    await tap(table, taps.Clear)
    await table.bet(2, "banker", 2_000)  # another seat's limits are its own


async def test_the_table_takes_so_much_in_a_round() -> None:
    table = await open_table(table_max_cents=3_000)
    await table.bet(2, "player", 2_000)
    refusal = await table.refused(taps.Bet, SEAT, round=table.round, wager="banker", cents=1_100)
    assert (refusal.code, "takes only 10.00 more" in refusal.message) == ("over-table-limit", True)
    await table.bet(1, "banker", 1_000)
    await tap(table, taps.Clear)
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.open()
    await table.bet(1, "banker", 3_000)


async def test_no_more_than_the_credit_is_bet() -> None:
    table = await open_table(credit=1_000)
    assert await not_tap(table, taps.Bet, wager="banker", cents=1_100) == "not-enough-credit"
    await table.bet(1, "banker", 1_000)
    refusal = await table.refused(taps.Bet, SEAT, round=table.round, wager="banker", cents=300)
    assert (refusal.code, "3.00 short" in refusal.message) == ("not-enough-credit", True)
    await table.refused(taps.Bet, terminal(3), round=table.round, wager="banker", cents=100)


async def test_a_bet_for_another_round_is_refused_and_logged() -> None:
    table = await open_table()
    refusal = await table.refused(taps.Bet, SEAT, round=0, wager="banker", cents=1_000)
    assert (refusal.code, refusal.paragraph) == ("other-round", "mbs 5.5")
    assert (await table.refused(taps.Clear, SEAT, round=0)).code == "other-round"
    for shape, fields in ((taps.Bet, {"wager": "banker", "cents": 1_000}), (taps.Clear, {})):
        assert (await table.refused(shape, SEAT, round=2, **fields)).code == "not-open-yet"  # and not late
    logged = await table.happened("late-bet-refused")
    assert [(late.seat, late.wager, late.cents, late.for_round) for late in logged] == [(1, "banker", 1_000, 0)]


async def test_what_comes_after_the_close_is_refused_and_a_bet_is_logged() -> None:
    table = await open_table()
    await table.bet(1, "banker", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    for shape, fields in (
        (taps.Bet, {"wager": "tie", "cents": 100}),
        (taps.TakeBack, {"wager": "banker"}),
        (taps.Clear, {}),
        (taps.Undo, {}),
        (taps.Double, {}),
        (taps.ReBet, {}),
        (taps.LayBets, {"bets": {"player": 300, "tie": 200}}),
    ):
        assert await not_tap(table, shape, **fields) == "no-more-bets", shape
    # x2 would have laid as much again; re-bet nothing, since bets lie.
    late = [("tie", 100, 1), ("banker", 1_000, 1), ("player", 300, 1), ("tie", 200, 1)]
    assert await logged_late(table) == late
    await table.finish("4S 2H KD 9C 5H 5D")
    assert await not_tap(table, taps.Bet, wager="tie", cents=100) == "no-more-bets"
    assert (await logged_late(table))[4:] == [("tie", 100, 1)]


@pytest.mark.rule("rws-nc 3.7", "mbs 5.5")
async def test_a_late_double_or_re_bet_is_logged_wager_by_wager() -> None:
    """What each would have laid: x2 what lies in its round, re-bet the last bets where none lie."""
    table = await open_table()
    await table.bet(1, "banker", 1_000)
    await table.bet(1, "tie", 200)
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.open()
    for shape in (taps.Double, taps.ReBet):
        refusal = await table.refused(shape, SEAT, round=1)
        assert (refusal.code, refusal.paragraph) == ("other-round", "mbs 5.5")
    last = [("banker", 1_000), ("tie", 200)]
    assert await logged_late(table) == [(*bet, 1) for bet in last]
    await table.do(round_commands.CloseBetting, DEALER)
    assert await not_tap(table, taps.ReBet) == "no-more-bets"
    assert (await logged_late(table))[2:] == [(*bet, 2) for bet in last]
    assert await not_tap(table, taps.Double) == "no-more-bets"  # on nothing
    assert await not_tap(table, taps.Undo) == "no-more-bets"
    assert len(await logged_late(table)) == 4


async def test_a_terminal_cannot_fill_the_journal_with_late_bets() -> None:
    table = await open_table()
    late = [taps.Bet(request=f"late-{number}", round=0, wager="banker", cents=1_000) for number in range(MOST_LATE)]
    refused = [await table.ask(one, SEAT) for one in late]
    assert {one.code for one in refused if isinstance(one, Refusal)} == {"other-round"}
    assert len(await logged_late(table)) == len(await table.happened("request-refused")) == MOST_LATE
    head = await table.store.head()
    for shape, fields in ((taps.Bet, {"wager": "banker", "cents": 1_000}), (taps.Clear, {}), (taps.ReBet, {})):
        more = await table.refused(shape, SEAT, round=0, **fields)
        assert (more.code, more.code in UNDECIDED) == ("too-many-requests", True), shape
        assert f"too late {MOST_LATE} times" in more.message
    assert await table.store.head() == head
    await table.bet(1, "banker", 1_000)  # in time, it is one like any other
    await table.refused(taps.Bet, terminal(2), round=0, wager="banker", cents=1_000)
    assert len(await logged_late(table)) == MOST_LATE + 1, "another seat is told of"
    table = await table.restart()
    assert [await table.ask(one, SEAT) for one in late] == refused, "each stays refused"


async def test_late_taps_that_lay_nothing_or_much_fill_the_journal_as_little() -> None:
    table = await open_table()
    wagers = [wager.id for wager in table.config.game.wagers][:5]
    for wager in wagers:
        await table.bet(1, wager, 100)
    await table.do(round_commands.CloseBetting, DEALER)
    codes = [await not_tap(table, taps.Double) for _ in range(MOST_LATE)]
    doubles = -(-MOST_LATE // len(wagers))
    assert codes == ["no-more-bets"] * doubles + ["too-many-requests"] * (MOST_LATE - doubles)
    assert len(await logged_late(table)) == MOST_LATE
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    codes = [await not_tap(table, taps.Undo) for _ in range(MOST_LATE + 1)]
    assert codes == ["no-more-bets"] * MOST_LATE + ["too-many-requests"], "each round counts anew"


async def logged_late(table: LiveTable) -> list[tuple[str, int, int]]:
    return [(late.wager, late.cents, late.for_round) for late in await table.happened("late-bet-refused")]


async def test_no_bet_before_the_first_round() -> None:
    table = await live_table()
    assert (await table.refused(taps.Bet, SEAT, round=0, wager="tie", cents=100)).code == "table-not-open"
    await table.do(staff.OpenTable, SUPERVISOR)
    assert (await table.refused(taps.Bet, SEAT, round=0, wager="tie", cents=100)).code == "betting-not-open"


async def test_a_locked_terminal_makes_no_bet_and_pays_nothing_out() -> None:
    table = await open_table()
    await table.bet(1, "banker", 1_000)
    await table.do(staff.LockTerminal, SUPERVISOR, seat=1, why="coins in the tray")
    refusal = await table.refused(taps.Bet, SEAT, round=table.round, wager="tie", cents=100)
    assert (refusal.code, "coins in the tray" in refusal.message) == ("terminal-locked", True)
    assert await not_tap(table, taps.Clear) == "terminal-locked"
    assert (await table.refused(taps.CashOut, SEAT)).code == "terminal-locked"
    await table.bet(2, "tie", 100)
    table = await table.restart()
    assert (await table.refused(taps.CashOut, SEAT)).code == "terminal-locked"
    await table.do(staff.UnlockTerminal, SUPERVISOR, seat=1)
    await table.do(taps.CashOut, SEAT)


async def test_a_closed_table_takes_no_bet() -> None:
    table = await open_table()
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.do(staff.CloseTable, SUPERVISOR)
    assert await not_tap(table, taps.Bet, wager="tie", cents=100) == "table-not-open"
    await table.do(taps.CashOut, SEAT)


async def test_only_a_terminal_bets_and_only_staff_leads_the_table() -> None:
    table = await open_table()
    assert (await table.refused(taps.Bet, DEALER, round=1, wager="tie", cents=100)).code == "not-a-terminal"
    assert (await table.refused(taps.Bet, terminal(201), round=1, wager="tie", cents=100)).code == "no-such-seat"
    for shape, fields in (
        (round_commands.CloseBetting, {}),
        (staff.PauseTable, {}),
        (staff.LockTerminal, {"seat": 2, "why": "mine"}),
        (staff.CreditTerminal, {"seat": 1, "cents": 100_000}),
        (staff.HandPay, {"seat": 2}),
        (staff.LoadNewShoe, {}),
    ):
        assert (await table.refused(shape, SEAT, **fields)).code == "not-staff"
    assert (await table.refused(round_commands.CloseBetting, CASHIER)).code == "not-staff"


async def test_limits_change_between_rounds_and_hold_from_the_next() -> None:
    table = await open_table()
    change = staff.LimitChange(min_cents=1_000, max_cents=2_000)
    asked: dict[str, Any] = {"limits": {"banker": change}, "seat_max_cents": 3_000, "why": "a quiet night"}
    assert (await table.refused(staff.ChangeLimits, MANAGER, **asked)).code == "table-in-play"
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.do(staff.ChangeLimits, MANAGER, **asked)
    assert (await table.refused(staff.ChangeLimits, MANAGER, **asked)).code == "bad-limits"
    odd = staff.LimitChange(min_cents=150, max_cents=2_000)
    assert (await table.refused(staff.ChangeLimits, MANAGER, limits={"tie": odd}, why="odd")).code == "bad-limits"
    table = await table.restart()
    await table.open()
    assert await not_tap(table, taps.Bet, wager="banker", cents=900) == "outside-limits"
    await table.bet(1, "banker", 2_000)
    await table.bet(1, "tie", 1_000)
    assert await not_tap(table, taps.Bet, wager="tie", cents=100) == "over-seat-limit"
    [_, changed] = await table.happened("limits-changed")  # the first is the venue file's
    assert (changed.limits["banker"], changed.limits["tie"], changed.by) == (
        (1_000, 2_000),
        (100, 1_000_000),
        "max",
    )
