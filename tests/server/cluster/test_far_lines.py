"""WebSockets at a node that has no table: carried to the one that has, until one of the two is lost."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from natural9.core.saying import say
from natural9.server import protocol
from natural9.server.client import Client, Closed, Live
from natural9.table.commands import terminal as taps
from tests.server.cluster.nats_server import NatsServer
from tests.server.cluster.two_nodes import TwoNodes, two_nodes
from tests.server.live_server import Terminal, Visit, table

TABLES = ("[lobby]\nside_by_side = 2\n", table("t", "rws-nc"), table("u", "mbs-tiger"))


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[TwoNodes]:
    async with two_nodes(tmp_path, *TABLES) as nodes:
        yield nodes


@pytest.fixture
async def visit(both: TwoNodes) -> AsyncIterator[Visit]:
    async with Visit(cast(Any, both.edge)) as one:
        yield one


async def until(what: Callable[[], object]) -> None:
    while not what():
        await asyncio.sleep(0.005)


async def test_a_round_is_played_from_afar(both: TwoNodes, visit: Visit) -> None:
    one, two = await visit.sit("t", 1, 100_000), await visit.sit("t", 2, 100_000)
    room = both.owner.house.rooms["t"]
    assert sorted(room.terminals) == [1, 2]
    console = await (await visit.person("dealer")).connect("/ws/table/t")
    assert (await console.wait_for(protocol.Welcome)).console
    await visit.begin_round("t")
    await one.betting_open()
    await two.betting_open()
    await one.bet("player", 2_500)
    refused = await two.ask(taps.Bet, wager="player", cents=10**9)
    assert isinstance(refused, protocol.Refused)
    await visit.finish("t", "4C 2D 5D 2S")
    await one.until(lambda t: t.you.credit_cents == 102_500)
    await two.until(lambda t: t.table.phase == "settled")
    assert two.you.credit_cents == 100_000
    one.live.send(protocol.Ping(sent=7.0))
    await one.until(lambda t: [pong.sent for pong in t.of(protocol.Pong)] == [7.0])
    one.live.send(b"nonsense")
    await one.until(lambda t: "bad-message" in [no.code for no in t.of(protocol.Refused)])
    one.live.close()
    await until(lambda: sorted(room.terminals) == [2])
    assert len(both.owner.far_lines.connections) == 2


async def test_what_goes_to_many_goes_once(both: TwoNodes, visit: Visit) -> None:
    terminals = [await visit.sit("t", seat) for seat in (1, 2, 3)]
    letters: list[bytes] = []
    tell = both.owner.lines.tell

    def counted(node: str, kind: str, body: bytes) -> None:
        letters.append(body)
        tell(node, kind, body)

    both.owner.lines.tell = counted  # type: ignore[method-assign]
    await visit.open("t")
    for one in terminals:
        await one.until(lambda t: t.table.status == "open")
    [letter] = [body for body in letters if b"table-opened" in body]
    assert letter.count(b'"happened":["table-opened"]') == 1


async def test_one_comes_back_with_what_it_missed(both: TwoNodes, visit: Visit) -> None:
    one = await visit.sit("t", 1)
    await visit.open("t")
    await one.until(lambda t: t.table.status == "open")
    one.live.close()
    await visit.begin_round("t")
    again = await visit.connect(one.client, "t", after=f"{one.epoch}:{one.n}")
    await again.until(lambda t: t.table.phase == "betting-open")
    assert not again.of(protocol.Welcome)


async def test_a_visitor_sits_down_from_afar_and_another_line_takes_its_place(both: TwoNodes, visit: Visit) -> None:
    home = await visit.sit("t", 1, 100_000)
    away = await visit.connect(home.client, "u")
    assert away.you.seat == 10_001
    await visit.connect(home.client, "u")
    assert (await away.live.wait_closed()).code == protocol.REPLACED


async def test_a_session_that_ends_ends_its_far_lines(both: TwoNodes, visit: Visit) -> None:
    one = await visit.sit("t", 1)
    admin = await visit.person("administrator")
    await admin.post(f"/api/devices/{(await one.client.get('/api/me'))['device']['id']}/revoke", {"why": "gone"})
    assert (await one.live.wait_closed()).code == protocol.SESSION_ENDED
    await until(lambda: not both.owner.far_lines.connections and not both.edge.house.hub.far)


async def test_a_table_that_leaves_sends_its_far_lines_away(both: TwoNodes, visit: Visit) -> None:
    one = await visit.sit("t", 1)
    both.owner.house.tables.close("t", say("asked to stop"))
    assert (await one.live.wait_closed()).code == protocol.ONE_MOMENT


async def test_whoever_connects_while_nobody_has_the_table_waits_for_it(both: TwoNodes, visit: Visit) -> None:
    client = await visit.enrolled("t", 1)
    both.edge.whereabouts.left("table/t", "b")
    live = await client.connect("/ws/table/t")
    live.send(protocol.Ping(sent=1.0))  # said before there is anybody to hear it
    both.owner.house.rooms["x"] = both.owner.house.rooms.pop("t")
    both.edge.whereabouts.took("table/t", "b")  # it has the lease, and is still at recovering it
    await until(lambda: any(line.node for line in both.edge.far_lines._by_number.values()))
    live.send(protocol.Ping(sent=2.0))
    await until(lambda: both.edge.far_lines._waiting)
    both.owner.house.rooms["t"] = both.owner.house.rooms.pop("x")
    terminal = Terminal(client, live)
    await terminal.until(lambda t: t.of(protocol.Welcome) and len(t.of(protocol.Pong)) == 2)
    assert [pong.sent for pong in terminal.of(protocol.Pong)] == [1.0, 2.0]
    live.close()


async def test_a_table_that_came_here_meanwhile_is_connected_to_here(both: TwoNodes, visit: Visit) -> None:
    client = await visit.enrolled("t", 1)
    both.edge.whereabouts.left("table/t", "b")
    live = await client.connect("/ws/table/t")
    both.edge.house.rooms["t"] = both.owner.house.rooms["t"]
    both.edge.whereabouts.took("table/t", "a")
    assert (await live.wait_closed()).code == protocol.ONE_MOMENT
    del both.edge.house.rooms["t"]


async def test_a_lost_owner_closes_its_far_lines_at_once(both: TwoNodes, visit: Visit) -> None:
    one, two = await visit.sit("t", 1), await visit.sit("u", 1)
    # As if killed: NATS hangs up on it. Whoever says something next learns it from NATS at once.
    both.owner.lines._keeping.cancel()  # type: ignore[union-attr]
    await until(lambda: not both.owner.lines.is_up)
    one.live.send(protocol.Ping())
    for terminal in (one, two):
        assert (await terminal.live.wait_closed()).code == protocol.ONE_MOMENT


async def test_a_lost_node_leaves_no_far_connection_behind(both: TwoNodes, visit: Visit) -> None:
    await visit.sit("t", 1)
    await (await visit.person("dealer")).connect("/ws/table/t")
    room = both.owner.house.rooms["t"]
    await until(lambda: len(room.inside) == 2)
    await both.edge.lines.close()
    await until(lambda: not both.owner.far_lines.connections)
    assert not room.terminals
    assert not room.inside
    assert not room.staff


async def test_a_letter_lost_between_the_two_closes_what_it_may_have_been_for(both: TwoNodes, visit: Visit) -> None:
    one = await visit.sit("t", 1)
    both.owner.lines._peers.next_letter("a")  # as if it had been sent
    one.live.send(protocol.Ping())
    assert (await one.live.wait_closed()).code == protocol.ONE_MOMENT
    two = await visit.connect(one.client, "t")
    both.edge.lines._peers.next_letter("b")
    two.live.send(protocol.Ping())
    assert (await two.live.wait_closed()).code == protocol.ONE_MOMENT


async def welcomed(client: Client, live: Live) -> protocol.Welcome:
    """At table t; where NATS takes long to start, whoever waits is told to come again, and does."""
    while True:
        try:
            return await live.wait_for(protocol.Welcome)
        except Closed as closed:
            if closed.code != protocol.ONE_MOMENT:
                raise
        finally:
            live.close()
        live = await client.connect("/ws/table/t")


async def test_nats_goes_and_comes_back(tmp_path: Path) -> None:
    nats = NatsServer()
    try:
        async with two_nodes(tmp_path, *TABLES, nats=nats) as both, Visit(cast(Any, both.edge)) as visit:
            one = await visit.sit("t", 1, 100_000)
            nats.kill()
            assert (await one.live.wait_closed()).code == protocol.ONE_MOMENT
            waiting = await one.client.connect("/ws/table/t")
            nats.start()
            welcome = await welcomed(one.client, waiting)
            assert welcome.you
            assert welcome.you.credit_cents == 100_000
    finally:
        nats.end()


async def test_the_floor_and_the_lobby_show_tables_of_both(both: TwoNodes, visit: Visit) -> None:
    await until(lambda: both.edge.house.hub.floor.floor_row("u"))
    client = await visit.person("pit-manager")
    floor = await client.connect("/ws/floor")
    rows = (await floor.wait_for(protocol.Floor)).tables
    assert [(row.table, row.node, row.status) for row in rows] == [("t", "b", "closed"), ("u", "b", "closed")]
    lobby = await (await visit.enrolled("t", 1)).connect("/ws/lobby")
    assert [row.table for row in (await lobby.wait_for(protocol.Lobby)).tables] == ["t", "u"]
    await visit.open("u")
    await floor.wait_for(protocol.Floor, lambda news: [(r.table, r.status) for r in news.tables] == [("u", "open")])
    await lobby.wait_for(protocol.Lobby, lambda news: any(row.status == "open" for row in news.tables))
    tables = (await client.get("/api/venue/"))["tables"]
    assert [(one["table"], one["status"]) for one in tables] == [("t", "closed"), ("u", "open")]
    await both.owner.lines.close()
    news = await floor.wait_for(protocol.Floor, lambda news: any(row.halted for row in news.tables))
    assert "does not answer" in str(news.tables[0].halted)
    floor.close()
    lobby.close()
