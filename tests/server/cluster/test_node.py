"""Nodes of one venue in one process, on a real PostgreSQL and a real NATS: who has a table, and who speaks for it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from functools import partialmethod
from pathlib import Path
from typing import cast

import asyncpg
import pytest

from natural9.core.errors import BadInput
from natural9.core.round import Refusal
from natural9.core.saying import Said
from natural9.games import load_game
from natural9.journal.line import BY_PROGRAM
from natural9.journal.venue_events import ClockJumped
from natural9.server.cluster import node as cluster_node
from natural9.server.cluster.joining import join
from natural9.server.cluster.node import VenueNode
from natural9.server.guests import Guest
from natural9.server.office import Office
from natural9.server.people.accounts import Accounts
from natural9.server.people.devices import Place
from natural9.server.people.sessions import Session
from natural9.server.websocket import OpenLine
from natural9.store.contract import Access, StoreFailed
from natural9.store.opening import open_store
from natural9.store.postgres.address import address_of
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.live.answers import Accepted, Answer
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import AskTable
from natural9.table.venue.venue import VENUE_FILE, load_venue
from tests.server.cluster.nats_server import nats_server
from tests.server.live_server import automatic, venue_file
from tests.store.postgres_server import Server, address, new_place

TABLES = ("1", "2", "3")
SOON_S = 60.0
CASHIER = Who("cass")


class Nodes:
    """Of one venue; whatever is still there is stopped at the end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.there: dict[str, VenueNode] = {}

    async def start(self, name: str) -> VenueNode:
        node = await join(self._folder, load_venue(self._folder / VENUE_FILE), name, tell=lambda words: None)
        await node.start()
        self.there[name] = node
        return node

    async def stop(self, name: str) -> None:
        await self.there.pop(name).stop("asked to stop")

    def has(self, name: str) -> set[str]:
        return set(self.there[name].house.rooms)

    async def until(self, seen: Callable[[], bool]) -> None:
        async with asyncio.timeout(SOON_S):
            while not seen():
                await asyncio.sleep(0.02)

    async def alone(self, name: str) -> VenueNode:
        """The first, with everything."""
        node = await self.start(name)
        await self.until(lambda: node.has_everything)
        await enrol(node)
        return node

    async def is_spread(self) -> None:
        """Every table is at one node, and none has all."""
        await self.until(
            lambda: (
                sorted(table for name in self.there for table in self.has(name)) == list(TABLES)
                and all(self.has(name) != set(TABLES) for name in self.there)
            )
        )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_venue(tmp_path, address(new_place()))


def make_venue(folder: Path, database: str) -> Path:
    cluster = f'[cluster]\nnats = ["{nats_server().address}"]\ndatabase = "{database}"\nlease_s = 3.0\n'
    tables = [automatic(table, "rws-nc", betting=0.3) for table in TABLES]
    (folder / VENUE_FILE).write_text(venue_file(*tables) + cluster)
    return folder


@pytest.fixture
async def nodes(folder: Path) -> AsyncIterator[Nodes]:
    made = Nodes(folder)
    async with AsyncExitStack() as stack:
        yield made
        for name in made.there:
            stack.push_async_callback(made.there[name].stop, "the test is over")


def credit(request: str) -> Order:
    return Order(request, staff.CreditTerminal(seat=1, cents=10_000))


async def enrol(node: VenueNode) -> None:
    """A terminal at the first seat of every table, by the node that has the office."""
    devices = node.house.accounts.devices
    for code in await devices.add([Place("terminal", table, 1) for table in TABLES], by="ada"):
        await devices.enrol(code.code, peer="")


async def ask(node: VenueNode, table: str, request: str) -> Answer:
    return await node.house.carry_out(table, AskTable.of(credit(request), CASHIER))


async def is_clean(folder: Path) -> None:
    store = open_store(folder, Access.READ)
    try:
        verified = await verify(store, load_game=load_game)
        assert verified.entries > 0
        assert verified.fault is None
    finally:
        await store.close()


async def test_tables_are_spread_over_the_nodes_and_come_back_when_one_stops(nodes: Nodes, folder: Path) -> None:
    await nodes.alone("a")
    assert isinstance(await ask(nodes.there["a"], "1", "first"), Accepted)
    await nodes.start("b")
    await nodes.is_spread()
    await nodes.stop("a")
    await nodes.until(lambda: nodes.has("b") == set(TABLES))
    again = await ask(nodes.there["b"], "1", "first")
    assert isinstance(again, Accepted), "the same request, asked of the node that has it now, has the same answer"
    assert nodes.there["b"].house.rooms["1"].writer.state.credit_cents(1) == 10_000
    await nodes.stop("b")
    await is_clean(folder)


async def test_who_cannot_renew_says_nothing_more_and_is_refused_by_the_database(nodes: Nodes, folder: Path) -> None:
    """As a process that was stopped past its lease and woke up: it still believes that it has its tables."""
    a = await nodes.alone("a")
    for task in a._tasks:  # neither renews nor looks at the clock
        task.cancel()
    b = await nodes.start("b")
    await nodes.until(lambda: nodes.has("b") == set(TABLES))
    assert isinstance(await ask(b, "2", "of-the-new"), Accepted)
    zombie = a.house.rooms["2"].writer
    answer = await asyncio.wait_for(zombie.answer(credit("of-the-old"), CASHIER), SOON_S)
    assert not isinstance(answer, Accepted | Refusal), "nobody knows; the entry is not there"
    assert zombie.halted
    assert b.house.rooms["2"].writer.state.credit_cents(1) == 10_000
    await is_clean(folder)


async def test_a_database_that_was_away_is_waited_for(tmp_path: Path) -> None:
    database = Server()
    try:
        folder = make_venue(tmp_path, database.address(database.new_database()))
        nodes = Nodes(folder)
        a = await nodes.alone("a")
        assert isinstance(await ask(a, "3", "before"), Accepted)
        await asyncio.to_thread(database.stop)
        await nodes.until(lambda: not nodes.has("a") and not a.house.ready)
        await nodes.until(lambda: not a.house.hub.is_ready)  # who was signed out meanwhile is not known here
        with pytest.raises((StoreFailed, BadInput)):  # not here, and nowhere else
            await ask(a, "3", "meanwhile")
        await asyncio.to_thread(database.start)
        await nodes.until(lambda: nodes.has("a") == set(TABLES) and a.house.ready and a.house.hub.is_ready)
        assert isinstance(await ask(a, "3", "after"), Accepted)
        assert a.house.rooms["3"].writer.state.credit_cents(1) == 20_000
        await nodes.stop("a")
        await is_clean(folder)
    finally:
        database.end()


async def test_two_processes_of_one_name_are_one_too_many(nodes: Nodes) -> None:
    await nodes.start("a")
    with pytest.raises(StoreFailed, match="there is a node a already"):
        await nodes.start("a")


async def test_a_table_that_comes_only_half_way_is_not_there(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its round was recovered, and what is on its way to it could not be read: it is let go of as a whole."""
    deliver_to, tried = Carrier.deliver_to, list[str]()

    async def fails_once(carrier: Carrier, table: str) -> None:
        if table == "1" and not tried:
            tried.append(table)
            raise StoreFailed("the database is away")
        await deliver_to(carrier, table)

    monkeypatch.setattr(Carrier, "deliver_to", fails_once)
    monkeypatch.setattr(cluster_node, "AGAIN_S", 1000.0)
    a = await nodes.start("a")
    await nodes.until(lambda: bool(tried) and len(a._mine) == len(TABLES) and not a._doing)
    assert nodes.has("a") == {"2", "3"}, "nobody speaks for a table that was let go of"
    assert "1" not in a.house.carrier.writers


async def test_an_office_that_is_given_up_while_it_comes_is_taken_again(
    nodes: Nodes, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, database = Office.take, str(address_of(folder))
    taken = 0

    async def loses_its_writer(office: Office) -> None:
        nonlocal taken
        await take(office)
        taken += 1
        if taken == 1:
            writers = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE $1"
            await look_at(database, writers + " AND datname = current_database()", "natural9 at %")
            with suppress(StoreFailed):
                await office.write(ClockJumped(before_ms=0, after_ms=1), by=BY_PROGRAM)
            await nodes.until(lambda: a._failures == a._store.failures > 0)  # it was dealt with

    monkeypatch.setattr(Office, "take", loses_its_writer)
    monkeypatch.setattr(cluster_node, "AGAIN_S", 0.1)
    a = await nodes.start("a")
    await nodes.until(lambda: taken > 1 and a.has_everything)
    await a.house.office.write(ClockJumped(before_ms=0, after_ms=1), by=BY_PROGRAM)


async def look_at(database: str, sql: str, *values: object) -> None:
    connection = await asyncpg.connect(database)
    try:
        await connection.fetch(sql, *values)
    finally:
        await connection.close()


async def test_a_mistake_of_ours_ends_no_watch(nodes: Nodes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that cannot be closed as it should be: leases are renewed on, and none is outlived."""
    a = await nodes.alone("a")
    close, failed = a.house.tables.close, list[str]()

    def fails_once(table: str, why: Said) -> None:
        close(table, why)
        if not failed:
            failed.append(table)
            raise RuntimeError("a mistake")

    monkeypatch.setattr(a.house.tables, "close", fails_once)
    monkeypatch.setattr(Accounts, "load", partialmethod(_raise_once, Accounts.load, list[int]()))

    def outlived() -> bool:
        a._speaks_until = 0.0  # a renewal that is on its way gives it back
        return bool(failed)

    a._following.start_over()
    await nodes.until(outlived)
    await nodes.until(lambda: a.has_everything and a.house.ready)
    assert not any(task.done() for task in a._tasks)


async def _raise_once(accounts: Accounts, load: Callable[[Accounts], Awaitable[None]], raised: list[int]) -> None:
    if not raised:
        raised.append(1)
        raise RuntimeError("a mistake")
    await load(accounts)


async def test_whoever_comes_back_to_a_table_that_was_away_is_told_all_of_it(nodes: Nodes) -> None:
    """Its messages are numbered anew: those that somebody saw before are others."""
    a = await nodes.alone("a")
    before = a.house.rooms["1"]
    await a._lose("table/1", cluster_node.SILENT)
    await nodes.until(lambda: a.house.rooms.get("1") not in (None, before))
    after = Guest(cast(Session, None), "1", after=f"{before.epoch}:{a.house.rooms['1'].n}")
    assert not a.house.rooms["1"]._resume(cast(OpenLine, None), after)


async def test_a_table_that_came_back_is_not_handed_over_again_and_again(
    nodes: Nodes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that cannot open any table lives, and takes its share of them each time they are free."""
    a = await nodes.alone("a")
    handed_over = a._hand_over
    times: list[str] = []

    async def counted(stream: str) -> None:
        times.append(stream)
        await handed_over(stream)

    monkeypatch.setattr(a, "_hand_over", counted)
    b = await nodes.start("b")

    async def fails(table: str, away_ms: int) -> None:
        raise StoreFailed("not here")

    monkeypatch.setattr(b.house.tables, "open", fails)
    await nodes.until(lambda: len(times) >= 2 and nodes.has("a") == set(TABLES))
    await asyncio.sleep(2.0)  # eight looks
    assert len(times) == len(set(times)), "each stream once"
