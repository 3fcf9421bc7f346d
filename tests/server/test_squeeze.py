"""The squeeze over the wire: a table that would wait ten minutes goes on when its terminals have turned the cards."""

from pathlib import Path

from natural9.server import protocol
from tests.server.live_server import Terminal, Visit, automatic, new_venue, running


def squeezes(terminal: Terminal) -> bool:
    return terminal.table.squeeze is not None and terminal.table.squeeze.ends_at_ms is not None


def turn(terminal: Terminal) -> None:
    terminal.live.send(protocol.Turned(round=terminal.table.round, cards=len(terminal.table.cards)))


async def test_turned_cards_end_the_wait(tmp_path: Path) -> None:
    folder = new_venue(tmp_path, automatic("a", "mbs-tiger", betting=2.0, result=60, squeeze=600))
    with running(folder) as server:
        async with Visit(server) as visit:
            one, other = await visit.sit("a", 1, 10_000), await visit.sit("a", 2, 10_000)
            await visit.open("a")
            await one.betting_open()
            await one.bet("player", 1_000)
            await other.until(squeezes)
            assert len(other.table.cards) == 4
            assert (other.table.result, other.you.bets) == (None, {})  # who has not bet is not waited for
            while other.table.result is None:
                cards = len(other.table.cards)
                await one.until(lambda one: len(one.table.cards) == cards, "the same cards")  # noqa: B023
                turn(one)
                await other.until(lambda one: len(one.table.cards) > cards or one.table.result, "went on")  # noqa: B023
            watching = await (await visit.person("dealer")).connect("/ws/table/a")
            watching.send(protocol.Turned(round=1, cards=4))
            refused = await watching.wait_for(protocol.Refused)
            assert refused.code == "not-a-terminal"
