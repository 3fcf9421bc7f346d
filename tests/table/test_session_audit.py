"""Verify derives players' sessions again: a journal where a limit was passed, or a statement is wrong, is found out."""

import pytest

from natural9.core.round import commands as round_commands
from natural9.games import load_game
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.venue.protection import MINUTE_MS, Protection
from tests.table.live import SHIFT_MANAGER, SUPERVISOR, live_table, table_config, terminal
from tests.table.test_verify import Rewrite, changed, found_in

SEAT = terminal(1)
NATURAL = "4C 2D 5D 2S"  # Player 9, Banker 4
OTHERWISE = ("4C", "2D", "2S", "7S")  # Player 6, Banker 9


async def played() -> MemoryStore:
    """Limits, a check, a break, a cash-out and a release; and a correction that pays a seat whose player has gone."""
    store = MemoryStore()
    table = await live_table(table_config(protection=Protection()), store)
    for seat in (1, 2):
        await table.buy(seat, 10_000)
    await table.open()
    await table.do(taps.SetPlayLimits, SEAT, loss_cents=5_000, stake_cents=4_000)
    await table.bet(1, "player", 1_000)
    await table.bet(1, "player", 2_000)
    await table.bet(2, "banker", 10_000)
    await table.pass_ms(60 * MINUTE_MS)
    await table.do(taps.ContinuePlay, SEAT)
    await table.do(taps.TakeBreak, SEAT, minutes=5)
    await table.finish(NATURAL)
    await table.do(taps.CashOut, SEAT)
    await table.do(staff.ReleaseSeat, SUPERVISOR, seat=1, why="another guest")
    await table.do(taps.EndSession, terminal(2))
    await table.open()
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=OTHERWISE, round=1, why="misread")
    await table.stop()
    return store


async def test_what_was_accepted_follows() -> None:
    assert (await verify(await played(), load_game=load_game)).fault is None


LIES: list[tuple[str, Rewrite, str, str]] = [
    ("a bet beyond the loss limit", changed("play-limits-set", loss_cents=2_500), "bet-placed", "at most 15.00"),
    ("a bet beyond the stake limit", changed("play-limits-set", stake_cents=500), "bet-placed", "at most 5.00"),
    ("money that was not there", changed("session-started", in_cents=9_999), "session-started", "100.00"),
    ("a statement that flatters", changed("session-ended", out_cents=99_999), "session-ended", "out_cents=13000"),
    ("a session of another", changed("break-taken", session=2), "break-taken", "session 1"),
    ("time that goes back", changed("play-continued", table_ms=5), "play-continued", "or more"),
]


@pytest.mark.parametrize(("change", "kind", "should"), [one[1:] for one in LIES], ids=[one[0] for one in LIES])
async def test_a_lie_about_a_session_is_named(change: Rewrite, kind: str, should: str) -> None:
    fault = (await found_in(await played(), change)).fault
    assert fault is not None
    assert (fault.kind, should in fault.should) == (kind, True), fault.words
