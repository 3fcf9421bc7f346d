"""The pit's side of a table: opened, paused, resumed, closed, terminals locked, rounds frozen; each is journalled."""

from dataclasses import replace

import pytest

from natural9.core.irregularities import Remedy
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Limit
from natural9.games import load_game
from natural9.journal.line import Origin, OriginKind
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.venue.file import Mode, ShoeSource
from natural9.table.venue.limits import TableLimits
from natural9.table.venue.tables import TableConfig
from tests.table.live import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, LiveTable, live_table, table_config, terminal


async def test_a_table_is_opened_paused_resumed_and_closed() -> None:
    table = await live_table()
    for shape in (staff.PauseTable, staff.ResumeTable, staff.CloseTable):
        assert (await table.refused(shape, SUPERVISOR)).code == "table-not-open"
    await table.open()
    assert (await table.refused(staff.OpenTable, SUPERVISOR)).code == "table-open"
    assert (await table.refused(staff.ResumeTable, SUPERVISOR)).code == "table-not-open"
    assert (await table.refused(staff.CloseTable, SUPERVISOR)).code == "table-in-play"
    await table.do(staff.PauseTable, SUPERVISOR, why="a break")
    await table.buy(1, 1_000)
    await table.bet(1, "tie", 100)  # the open round goes on to its end
    await table.finish("4S 2H KD 9C 5H 5D")
    assert (await table.refused(staff.StartRound, DEALER)).code == "table-not-open"
    table = await table.restart()
    assert (table.state.status, table.state.why) == ("paused", "a break")
    await table.do(staff.ResumeTable, SUPERVISOR)
    await table.open()
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.do(staff.CloseTable, SUPERVISOR, why="good night")
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.check_history()


async def test_opening_records_every_setting() -> None:
    table = await live_table()
    await table.do(staff.OpenTable, SUPERVISOR)
    [opened] = await table.happened("table-opened")
    game = table.config.game
    assert (opened.game, opened.rules_sha256, opened.decks) == (game.id, game.sha256, 8)
    assert (opened.mode, opened.shoe, opened.by) == ("dealer", "read", "pat")
    assert set(opened.optional) == {wager.id for wager in game.wagers if wager.optional}


async def test_terminals_are_locked_and_unlocked_once() -> None:
    table = await live_table()
    assert (await table.refused(staff.UnlockTerminal, SUPERVISOR, seat=1)).code == "terminal-locked"
    await table.do(staff.LockTerminal, SUPERVISOR, seat=1, why="a spill")
    assert (await table.refused(staff.LockTerminal, SUPERVISOR, seat=1, why="again")).code == "terminal-locked"
    assert (await table.refused(staff.LockTerminal, SUPERVISOR, seat=201, why="none")).code == "no-such-seat"
    await table.do(staff.UnlockTerminal, SUPERVISOR, seat=1)


async def test_a_disputed_round_is_frozen() -> None:
    table = await live_table()
    assert (await table.refused(staff.FreezeRound, SUPERVISOR, round=1, why="early")).code == "no-such-round"
    await table.open()
    await table.do(staff.FreezeRound, SUPERVISOR, round=1, why="seat 3 saw another card")
    [frozen] = await table.happened("round-frozen")
    assert (frozen.round, frozen.by) == (1, "pat")


async def test_who_asked_stands_beside_every_event() -> None:
    table = await live_table()
    await table.buy(1, 1_000)
    await table.open()
    await table.ask(taps.Bet(request="tap-9", round=1, wager="tie", cents=100), terminal(1))
    line = (await table.journal())[-1]
    assert line.origin == Origin(OriginKind.TERMINAL, "1-1", "tap-9", "bet")
    assert line.command == b'{"type":"bet","request":"tap-9","round":1,"wager":"tie","cents":100}'
    people = {(line.origin.sender, line.origin.rank) for line in await table.journal()}
    staffed = {("staff/cass", ""), ("staff/pat", "pit-supervisor"), ("staff/dora", "dealer"), ("terminal/1-1", "")}
    assert people == staffed | {("program", "")}, "which takes over the limits of the venue file"
    assert await table.store.labelled("significant")
    assert (await table.refused(round_commands.CloseBetting, Who("cass"))).code == "not-staff"


def other_limits(table: LiveTable, **totals: int) -> TableConfig:
    limits = {wager: Limit(500, 50_000) for wager in table.config.limits.by_wager}
    return replace(table.config, limits=TableLimits(betting_unit_cents=500, by_wager=limits, **totals))


async def test_what_the_venue_file_changes_is_taken_over_with_the_next_shoe_the_betting_unit_too() -> None:
    """Requirement 2: a modification, journalled. What the pit changed lasts until the file says something else."""
    table = await live_table()
    old = table.config.limits
    await table.open()
    await table.stop()
    table = await table.again(other_limits(table, seat_max_cents=100_000, table_max_cents=1_000_000))
    assert table.state.limits == old, "a round is in play"
    await table.finish("4S 6H KD QC 2H")
    await table.open()
    assert table.state.limits == old, "the shoe goes on"
    await table.finish("4S 6H KD QC 2H")
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="other cards")
    assert table.state.limits == table.config.limits
    *_, changed = await table.happened("limits-changed")
    assert (changed.from_file, changed.by, changed.betting_unit_cents) == (True, "", 500)
    assert (changed.seat_max_cents, changed.table_max_cents) == (100_000, 1_000_000)
    tie = {"tie": staff.LimitChange(min_cents=500, max_cents=1_000)}
    await table.do(staff.ChangeLimits, MANAGER, limits=tie, why="a quiet night")
    await table.open()
    assert (await verify(table.store, load_game=load_game)).fault is None
    table = await table.restart()
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="no card lies")
    assert table.state.limits.by_wager["tie"] == Limit(500, 1_000), "the file has not changed again"
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="other cards")
    assert table.state.limits.by_wager["tie"] == Limit(500, 1_000), "with no shoe either"
    await table.check_history()


async def test_a_table_without_a_shoe_takes_the_venue_files_limits_at_once() -> None:
    table = await live_table()
    [first] = await table.happened("limits-changed")
    assert (first.from_file, first.limits) == (True, table.config.limits.by_wager)
    table = await table.restart(other_limits(table))
    assert table.state.limits == table.config.limits
    table = await table.restart()
    assert len(await table.happened("limits-changed")) == 2, "nothing has changed since"
    await table.check_history()


@pytest.mark.rule("mbs 2.2")
@pytest.mark.parametrize("snapshot", ["kept", "lost"])
@pytest.mark.parametrize("was_played", [True, False])
async def test_a_wager_switched_off_in_mid_shoe_keeps_its_limits_until_the_next_shoe(
    was_played: bool, snapshot: str
) -> None:
    """It stays on offer as long as the shoe lasts, and so do its limits: a venue file's change takes effect as one."""
    table = await live_table(table_config(limits=replace(table_config().limits, seat_max_cents=500_000)))
    await table.buy(1, 200_000_000)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="other cards")
    if was_played:
        await table.open()
        await table.finish("4S 6H KD QC 2H")
    by_wager = {wager: limit for wager, limit in table.config.limits.by_wager.items() if wager != "small-tiger"}
    optional = frozenset(wager.id for wager in table.config.game.wagers if wager.optional) - {"small-tiger"}
    if snapshot == "lost":
        assert isinstance(table.store, MemoryStore)
        table.store._documents.pop("table/1", None)
    limits = TableLimits(betting_unit_cents=100, by_wager=by_wager)
    table = await table.restart(replace(table.config, optional=optional, limits=limits))
    await table.open()
    bet = {"round": table.round, "wager": "small-tiger"}
    assert (await table.refused(taps.Bet, terminal(1), cents=90_000_000, **bet)).code == "outside-limits"
    assert (await table.refused(taps.Bet, terminal(1), cents=600_000, **bet)).code == "over-seat-limit"
    await table.bet(1, "small-tiger", 400_000)
    await table.finish("4S 6H KD QC 2H")
    change = {"small-tiger": staff.LimitChange(min_cents=100, max_cents=5_000)}
    await table.do(staff.ChangeLimits, MANAGER, limits=change, why="it is still on offer")
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="other cards")
    assert table.state.limits == table.config.limits
    gone = await table.refused(staff.ChangeLimits, MANAGER, limits=change, why="it is no longer on offer")
    assert gone.code == "bad-limits"
    await table.open()
    refused = await table.refused(taps.Bet, terminal(1), round=table.round, wager="small-tiger", cents=100)
    assert refused.code == "wager-not-offered"
    await table.check_history()
    found = await verify(table.store, load_game=load_game)
    assert found.fault is None, found.fault


async def test_a_wager_switched_on_in_mid_shoe_comes_with_its_limits_at_the_next_shoe() -> None:
    everything = table_config()
    by_wager = {wager: limit for wager, limit in everything.limits.by_wager.items() if wager != "tiger"}
    optional = frozenset(wager.id for wager in everything.game.wagers if wager.optional) - {"tiger"}
    table = await live_table(
        replace(everything, optional=optional, limits=replace(everything.limits, by_wager=by_wager))
    )
    await table.open()
    await table.finish("4S 6H KD QC 2H")
    table = await table.restart(everything)
    assert "tiger" not in table.state.limits.by_wager
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="other cards")
    assert "tiger" in table.state.limits.by_wager
    table = await table.restart(replace(everything, optional=optional))
    assert "tiger" in table.state.limits.by_wager, "it goes with the shoe that is loaded"


async def test_limits_that_no_longer_fit_the_rules_open_no_round_on_this_shoe() -> None:
    """The rules have lost a wager, or one has lost its limits: a new shoe brings rules, wagers and limits together."""
    table = await live_table(table_config(mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER))
    await table.do(staff.OpenTable, SUPERVISOR)
    for _ in range(30):
        await table.pass_ms(5_000)
        if table.state.round.phase == "settled":
            break
    config = table.config
    wagers = tuple(wager for wager in config.game.wagers if wager.id != "tiger-pair")
    by_wager = {wager: limit for wager, limit in config.limits.by_wager.items() if wager != "tiger-pair"}
    game = replace(config.game, wagers=wagers, sha256="0" * 64)
    fewer = replace(config, game=game, limits=replace(config.limits, by_wager=by_wager))
    table = await table.restart(replace(fewer, mode=Mode.DEALER))
    refused = await table.refused(staff.StartRound, DEALER)
    assert (refused.code, "tiger-pair" in refused.message) == ("new-shoe-required", True)
    table = await table.restart(fewer)
    assert table.state.round.new_shoe, "it loads one by itself"
    assert table.state.limits == fewer.limits
    await table.pass_ms(5_000)
    assert (table.state.round.phase, "tiger-pair" in table.state.round.limits) == ("betting-open", False)
    assert not table.state.faults


@pytest.mark.parametrize("shoe", list(ShoeSource))
async def test_a_shoe_loaded_for_another_game_is_not_played_when_the_table_goes_back_to_its_own(
    shoe: ShoeSource,
) -> None:
    config = table_config("mbs-tiger", shoe=shoe)
    table = await live_table(config)
    await table.open()
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a spill")
    table = await table.restart(table_config("mbs-nc", shoe=shoe))
    await table.do(staff.LoadNewShoe, DEALER)
    table = await table.restart(config)
    assert table.state.round.new_shoe is None
    assert (await table.refused(staff.StartRound, DEALER)).code == "new-shoe-required"
    await table.do(staff.LoadNewShoe, DEALER)
    await table.open()
    assert table.state.round.limits == config.limits.by_wager
    found = await verify(table.store, load_game=load_game)
    assert found.fault is None, found.fault
