"""The pit's side of a table: opened, paused, resumed, closed, terminals locked, rounds frozen; each is journalled."""

from natural9.table import commands as w
from natural9.table.decide import Who
from tests.table.live import DEALER, SUPERVISOR, live_table, run, terminal


def test_a_table_is_opened_paused_resumed_and_closed() -> None:
    async def story() -> None:
        table = await live_table()
        for shape in (w.PauseTable, w.ResumeTable, w.CloseTable):
            assert (await table.refused(shape, SUPERVISOR)).code == "table-not-open"
        await table.open()
        assert (await table.refused(w.OpenTable, SUPERVISOR)).code == "table-open"
        assert (await table.refused(w.ResumeTable, SUPERVISOR)).code == "table-not-open"
        assert (await table.refused(w.CloseTable, SUPERVISOR)).code == "table-in-play"
        await table.do(w.PauseTable, SUPERVISOR, why="a break")
        await table.buy(1, 1_000)
        await table.bet(1, "tie", 100)  # the open round goes on to its end
        await table.finish("4S 2H KD 9C 5H 5D")
        assert (await table.refused(w.OpenBetting, DEALER)).code == "table-not-open"
        table = await table.restart()
        assert (table.state.status, table.state.why) == ("paused", "a break")
        await table.do(w.ResumeTable, SUPERVISOR)
        await table.open()
        await table.finish("4S 2H KD 9C 5H 5D")
        await table.do(w.CloseTable, SUPERVISOR, why="good night")
        await table.do(w.OpenTable, SUPERVISOR)
        await table.check_history()

    run(story)


def test_opening_records_every_setting() -> None:
    async def story() -> None:
        table = await live_table()
        await table.do(w.OpenTable, SUPERVISOR)
        [opened] = await table.happened("table-opened")
        game = table.config.game
        assert (opened.game, opened.rules_sha256, opened.decks) == (game.id, game.sha256, 8)
        assert (opened.mode, opened.shoe, opened.by) == ("dealer", "read", "pat")
        assert set(opened.optional) == {wager.id for wager in game.wagers if wager.optional}

    run(story)


def test_terminals_are_locked_and_unlocked_once() -> None:
    async def story() -> None:
        table = await live_table()
        assert (await table.refused(w.UnlockTerminal, SUPERVISOR, seat=1)).code == "terminal-locked"
        await table.do(w.LockTerminal, SUPERVISOR, seat=1, why="a spill")
        assert (await table.refused(w.LockTerminal, SUPERVISOR, seat=1, why="again")).code == "terminal-locked"
        assert (await table.refused(w.LockTerminal, SUPERVISOR, seat=201, why="none")).code == "no-such-seat"
        await table.do(w.UnlockTerminal, SUPERVISOR, seat=1)

    run(story)


def test_a_disputed_round_is_frozen() -> None:
    async def story() -> None:
        table = await live_table()
        assert (await table.refused(w.FreezeRound, SUPERVISOR, round=1, why="early")).code == "no-such-round"
        await table.open()
        await table.do(w.FreezeRound, SUPERVISOR, round=1, why="seat 3 saw another card")
        [frozen] = await table.happened("round-frozen")
        assert (frozen.round, frozen.by) == (1, "pat")

    run(story)


def test_who_asked_stands_beside_every_event() -> None:
    async def story() -> None:
        table = await live_table()
        await table.buy(1, 1_000)
        await table.open()
        await table.ask(w.Bet(request="tap-9", round=1, wager="tie", cents=100), terminal(1))
        line = (await table.journal())[-1]
        assert line.origin == ("terminal/1-1", "tap-9", "bet")
        assert line.command == b'{"type":"bet","request":"tap-9","round":1,"wager":"tie","cents":100}'
        people = {line.origin.by for line in await table.journal()}
        assert people == {"cass", "pat", "dora", "terminal/1-1"}
        assert await table.store.labelled("significant")
        assert (await table.refused(w.CloseBetting, Who("cass"))).code == "not-staff"

    run(story)
