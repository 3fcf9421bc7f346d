"""The pit's side of a table: opened, paused, resumed, closed, terminals locked, rounds frozen; each is journalled."""

from dataclasses import replace

from natural9.core.round.state import Limit
from natural9.journal.line import Origin
from natural9.table.commands import commands
from natural9.table.commands.decide import Who
from natural9.table.venue.limits import TableLimits
from tests.table.live import DEALER, MANAGER, SUPERVISOR, live_table, terminal


async def test_a_table_is_opened_paused_resumed_and_closed() -> None:
    table = await live_table()
    for shape in (commands.PauseTable, commands.ResumeTable, commands.CloseTable):
        assert (await table.refused(shape, SUPERVISOR)).code == "table-not-open"
    await table.open()
    assert (await table.refused(commands.OpenTable, SUPERVISOR)).code == "table-open"
    assert (await table.refused(commands.ResumeTable, SUPERVISOR)).code == "table-not-open"
    assert (await table.refused(commands.CloseTable, SUPERVISOR)).code == "table-in-play"
    await table.do(commands.PauseTable, SUPERVISOR, why="a break")
    await table.buy(1, 1_000)
    await table.bet(1, "tie", 100)  # the open round goes on to its end
    await table.finish("4S 2H KD 9C 5H 5D")
    assert (await table.refused(commands.OpenBetting, DEALER)).code == "table-not-open"
    table = await table.restart()
    assert (table.state.status, table.state.why) == ("paused", "a break")
    await table.do(commands.ResumeTable, SUPERVISOR)
    await table.open()
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.do(commands.CloseTable, SUPERVISOR, why="good night")
    await table.do(commands.OpenTable, SUPERVISOR)
    await table.check_history()


async def test_opening_records_every_setting() -> None:
    table = await live_table()
    await table.do(commands.OpenTable, SUPERVISOR)
    [opened] = await table.happened("table-opened")
    game = table.config.game
    assert (opened.game, opened.rules_sha256, opened.decks) == (game.id, game.sha256, 8)
    assert (opened.mode, opened.shoe, opened.by) == ("dealer", "read", "pat")
    assert set(opened.optional) == {wager.id for wager in game.wagers if wager.optional}


async def test_terminals_are_locked_and_unlocked_once() -> None:
    table = await live_table()
    assert (await table.refused(commands.UnlockTerminal, SUPERVISOR, seat=1)).code == "terminal-locked"
    await table.do(commands.LockTerminal, SUPERVISOR, seat=1, why="a spill")
    assert (await table.refused(commands.LockTerminal, SUPERVISOR, seat=1, why="again")).code == "terminal-locked"
    assert (await table.refused(commands.LockTerminal, SUPERVISOR, seat=201, why="none")).code == "no-such-seat"
    await table.do(commands.UnlockTerminal, SUPERVISOR, seat=1)


async def test_a_disputed_round_is_frozen() -> None:
    table = await live_table()
    assert (await table.refused(commands.FreezeRound, SUPERVISOR, round=1, why="early")).code == "no-such-round"
    await table.open()
    await table.do(commands.FreezeRound, SUPERVISOR, round=1, why="seat 3 saw another card")
    [frozen] = await table.happened("round-frozen")
    assert (frozen.round, frozen.by) == (1, "pat")


async def test_who_asked_stands_beside_every_event() -> None:
    table = await live_table()
    await table.buy(1, 1_000)
    await table.open()
    await table.ask(commands.Bet(request="tap-9", round=1, wager="tie", cents=100), terminal(1))
    line = (await table.journal())[-1]
    assert line.origin == Origin("terminal/1-1", "tap-9", "bet")
    assert line.command == b'{"type":"bet","request":"tap-9","round":1,"wager":"tie","cents":100}'
    people = {(line.origin.by, line.origin.rank) for line in await table.journal()}
    assert people == {("cass", ""), ("pat", "pit-supervisor"), ("dora", "dealer"), ("terminal/1-1", "")}
    assert await table.store.labelled("significant")
    assert (await table.refused(commands.CloseBetting, Who("cass"))).code == "not-staff"


async def test_what_the_venue_file_changes_is_taken_over_between_rounds_the_betting_unit_too() -> None:
    """Requirement 2: a modification, journalled. What the pit changed lasts until the file says something else."""
    table = await live_table()
    await table.open()
    await table.stop()
    limits = {wager: Limit(500, 50_000) for wager in table.config.limits.by_wager}
    table.config = replace(table.config, limits=TableLimits(betting_unit_cents=500, by_wager=limits))
    table = await table.again()
    assert table.state.limits.betting_unit_cents == 100, "a round is in play"
    await table.finish("4S 6H KD QC 2H")
    assert table.state.limits == table.config.limits
    [changed] = await table.happened("limits-changed")
    assert (changed.from_file, changed.by, changed.betting_unit_cents) == (True, "venue file", 500)
    tie = {"tie": commands.LimitChange(min_cents=500, max_cents=1_000)}
    await table.do(commands.ChangeLimits, MANAGER, limits=tie, why="a quiet night")
    await table.open()
    table = await table.restart()
    assert table.state.limits.by_wager["tie"] == Limit(500, 1_000), "the file has not changed again"
    await table.check_history()
