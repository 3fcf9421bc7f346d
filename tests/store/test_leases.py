"""Which node owns which stream, by the database's clock and word."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from natural9.store.contract import Access, StoreFailed
from natural9.store.opening import open_shared, open_store
from natural9.store.postgres import leases, locks
from natural9.store.postgres.leases import Leases, NameTaken, NodeCard, Taken, look
from tests.store.opening import append, closing_store, entry
from tests.store.postgres_server import address, emptied_place, end_connections, psql, server

LONG_S = 60.0  # which does not end while a test runs


@pytest.fixture
def place() -> Path:
    return emptied_place()


def card(name: str, rules: str = "rules", **said: str) -> NodeCard:
    return NodeCard(name, "1.0", "program", rules, f"http://{name}", **said)


Join = Callable[..., Awaitable[Leases]]


@pytest.fixture
async def join(place: Path) -> AsyncIterator[Join]:
    async with AsyncExitStack() as leaving:

        async def joined(name: str, *, lease_s: float = LONG_S, **said: str) -> Leases:
            leases = await Leases.open(address(place), card(name, **said), lease_s)
            leaving.push_async_callback(leases.close)
            return leases

        yield joined


def grow_old(place: Path, name: str, seconds: int = 600) -> None:
    """As if it had not renewed its leases for so long."""
    psql(place, f"UPDATE node SET renewed = renewed - interval '{seconds} s', lease = '1 ms' WHERE name = '{name}'")


def owners(place: Path) -> dict[str, str]:
    rows = psql(place, "SELECT name || '=' || owner FROM stream ORDER BY 1").splitlines()
    return dict(row.split("=") for row in rows)


@asynccontextmanager
async def locked(place: Path, sql: str) -> AsyncIterator[None]:
    """Somebody is at work on these rows."""
    raw = await asyncpg.connect(address(place))
    try:
        async with raw.transaction():
            await raw.fetch(sql)
            yield
    finally:
        await raw.close()


# Taking and letting go


async def test_what_nobody_has_is_taken_by_one(place: Path, join: Join) -> None:
    a, b = await join("a"), await join("b")
    assert await a.claim([]) == []
    taken = {one.stream: one for one in await a.claim(["venue", "table/1", "venue"])}
    assert {one.epoch for one in taken.values()} == {1}
    assert all(0 <= one.away_ms < 60_000 for one in taken.values())
    assert await a.claim(["venue", "table/1"]) == []  # it has them
    assert await b.claim(["venue", "table/1"]) == []
    [other] = await b.claim(["table/1", "table/2"])
    assert other[:2] == ("table/2", 1)
    assert (await a.renew()).epochs == {"venue": 1, "table/1": 1}
    assert (await b.renew()).epochs == {"table/2": 1}


async def test_what_is_let_go_is_for_others_under_another_epoch(place: Path, join: Join) -> None:
    a, b = await join("a"), await join("b")
    await a.claim(["table/1", "table/2"])
    await a.let_go(["table/1", "never"])
    assert (await a.renew()).epochs == {"table/2": 1}
    [taken] = await b.claim(["table/1", "table/2"])
    assert taken[:2] == ("table/1", 3)
    await b.let_go(["table/1"], dark_ms=90_000)
    [taken] = await a.claim(["table/1"])
    assert taken.epoch == 5
    assert 90_000 <= taken.away_ms < 150_000


async def test_who_leaves_lets_go_of_everything(place: Path, join: Join) -> None:
    a, b = await join("a"), await join("b")
    await a.claim(["table/1", "table/2"])
    await a.close()
    assert [node.card.name for node in (await b.look()).nodes] == ["b"]
    assert len(await b.claim(["table/1", "table/2"])) == 2


async def test_a_lease_says_when_it_was_asked_for_and_what_time_it_is_there(join: Join) -> None:
    a = await join("a")
    first, second = await a.renew(), await a.renew()
    assert a.lease_s == LONG_S
    assert first.sent < second.sent
    assert first.now_ms <= second.now_ms
    assert second.barred == ""


async def test_everybody_sees_who_has_what(place: Path, join: Join) -> None:
    a, _ = await join("a"), await join("b", barred="its program is not approved")
    await a.claim(["table/1", "table/2"])
    await a.let_go(["table/2"])
    grow_old(place, "b")
    for seen in (await a.look(), await look(address(place))):
        assert [(node.card, node.is_alive) for node in seen.nodes] == [
            (card("a"), True), (card("b", barred="its program is not approved"), False)
        ]  # fmt: skip
        assert seen.nodes[1].seen_ms_ago >= 600_000
        assert seen.nodes[0].since_ms <= seen.now_ms
        assert [(one.stream, one.owner, one.epoch, one.number) for one in seen.streams] == [
            ("table/1", "a", 1, 0), ("table/2", "", 2, 0)
        ]  # fmt: skip
        assert 0 < (seen.streams[0].expires_in_ms or 0) <= LONG_S * 1000
        assert seen.streams[1].expires_in_ms is None


async def test_where_no_node_ever_was_nobody_is_seen(place: Path) -> None:
    assert await look(address(place)) == (0, [], [])


async def test_rows_that_somebody_is_at_work_on_are_left_to_them(place: Path, join: Join) -> None:
    a, b = await join("a"), await join("b")
    await a.claim(["table/1", "table/2"])
    await a.let_go(["table/1", "table/2"])
    async with locked(place, "SELECT 1 FROM natural9.stream WHERE name = 'table/1' FOR NO KEY UPDATE"):
        assert [one.stream for one in await b.claim(["table/1", "table/2"])] == ["table/2"]
    assert [one.stream for one in await b.claim(["table/1", "table/2"])] == ["table/1"]


async def test_many_who_claim_at_once_share_what_there_is(place: Path, join: Join) -> None:
    nodes = [await join(name) for name in ("a", "b", "c")]
    streams = [f"table/{number}" for number in range(20)]
    for _ in range(5):
        taken = await asyncio.gather(*(node.claim(streams) for node in nodes))
        had = [one.stream for some in taken for one in some]
        assert len(had) == len(set(had))
        renewed = [await node.renew() for node in nodes]
        held = [name for one in renewed for name in one.epochs]
        assert len(held) == len(set(held))
        await asyncio.gather(*(node.let_go(streams) for node in nodes))
    assert len(await nodes[0].claim(streams)) == 20


# Who is dead


async def test_who_does_not_renew_loses_what_it_had(place: Path, join: Join) -> None:
    a, b = await join("a"), await join("b")
    await a.claim(["table/1", "table/2"])
    assert await b.claim(["table/1"]) == []
    grow_old(place, "a")
    [taken] = await b.claim(["table/1"])
    assert taken.epoch == 2
    assert 600_000 <= taken.away_ms < 660_000
    assert (await a.renew()).epochs == {"table/2": 1}  # nobody had taken that one


async def test_who_renews_meanwhile_is_not_dead(place: Path, join: Join) -> None:
    """Its row is at work: it is left alone, and what comes after it sees what it did."""
    a, b = await join("a"), await join("b")
    await a.claim(["table/1"])
    grow_old(place, "a")
    async with locked(place, "UPDATE natural9.node SET renewed = clock_timestamp(), lease = '1 min' WHERE name = 'a'"):
        assert await b.claim(["table/1"]) == []
    assert await b.claim(["table/1"]) == []


async def test_a_session_that_has_ended_is_a_dead_node(place: Path, join: Join) -> None:
    a, b = await join("a"), await join("b")
    await a.claim(["table/1"])
    a._keeping.drop()
    while not (taken := await b.claim(["table/1"])):
        await asyncio.sleep(0.001)
    assert taken[0].epoch == 2
    assert (await a.renew()).epochs == {}  # it lives, and is told


async def test_with_a_dead_node_its_other_sessions_end(place: Path, join: Join) -> None:
    """A stopped process keeps neither a row nor a hold."""
    async with closing_store(open_shared(place, Access.WRITE, node="a", folder=None)) as store:
        assert store.holds is not None
        a, b = await join("a"), await join("b")
        [taken] = await a.claim(["table/1"])
        assert await store.take_over(taken.stream, taken.epoch) == 0
        assert await append(store, [entry()]) == 1
        assert await store.holds.take("voucher/1")
        await a.renew()
        grow_old(place, "a", seconds=0)
        [taken] = await b.claim(["table/1"])
        async with closing_store(open_shared(place, Access.WRITE, node="b", folder=None)) as other:
            assert other.holds is not None
            while not await other.holds.take("voucher/1"):
                await asyncio.sleep(0.001)
            assert await other.take_over(taken.stream, taken.epoch) == 1
            with pytest.raises(StoreFailed):
                await append(store, [entry()])
            assert await append(other, [entry()]) == 2


async def test_who_comes_in_the_place_of_a_dead_node_keeps_its_sessions(place: Path, join: Join) -> None:
    """It opens its records before it joins: whoever takes the dead one's streams meanwhile leaves it alone."""
    a, b = await join("a"), await join("b")
    await a.claim(["table/1"])
    a._keeping.drop()
    async with closing_store(open_shared(place, Access.WRITE, node="a", folder=None)) as store:
        while not await b.claim(["table/1"]):
            await asyncio.sleep(0.001)
        again = await join("a")
        [taken] = await again.claim(["table/2"])
        assert await store.take_over(taken.stream, taken.epoch) == 0
        assert await append(store, [entry(stream="table/2")]) == 1


async def test_sessions_of_another_role_end_by_themselves(place: Path, join: Join) -> None:
    a = await join("a")
    await a.claim(["table/1"])
    held = await asyncpg.connect(address(place))
    await held.fetch("SELECT pg_advisory_lock_shared($1)", locks.sessions_key("a"))
    psql(
        place,
        "CREATE ROLE floor LOGIN; GRANT USAGE ON SCHEMA natural9 TO floor;"
        " GRANT ALL ON ALL TABLES IN SCHEMA natural9 TO floor",
    )
    grow_old(place, "a")
    b = await Leases.open(address(place).replace("natural9@", "floor@"), card("b"), LONG_S)
    try:
        assert len(await b.claim(["table/1"])) == 1
        assert await held.fetchval("SELECT 1") == 1
    finally:
        await b.close()
        await held.close()
        await a.close()
        psql(place, "DROP OWNED BY floor; DROP ROLE floor")


@pytest.mark.parametrize("immediate", [True, False])
async def test_after_a_start_of_the_database_everybody_has_the_time_of_a_lease(
    place: Path, join: Join, immediate: bool
) -> None:
    """Locks that are free, and leases that ended meanwhile, say nothing."""
    a, b, c = await join("a"), await join("b"), await join("c")
    await a.claim(["table/1"])
    await c.claim(["table/2"])
    psql(place, "UPDATE node SET renewed = renewed - interval '1 h'")
    psql(place, "UPDATE node SET lease = '1 ms' WHERE name = 'c'")
    server().stop(immediate=immediate)
    server().start()
    while not (taken := await back(lambda: b.claim(["table/1", "table/2"]))):
        await asyncio.sleep(0.001)
    assert [one.stream for one in taken] == ["table/2"]
    assert (await a.renew()).epochs == {"table/1": 1}


async def back(ask: Callable[[], Awaitable[Any]]) -> Any:
    """Once it is reached again: who asks on a connection that is gone is told so."""
    while True:
        try:
            return await ask()
        except StoreFailed:
            await asyncio.sleep(0.001)


# Its name


@pytest.mark.parametrize("name", ["", "-a", "a/b", "a b", "\u5e84", "a" * 41])
async def test_what_is_no_name(place: Path, name: str) -> None:
    with pytest.raises(StoreFailed, match="is no name for a node"):
        await Leases.open(address(place), card(name))
    with pytest.raises(StoreFailed, match="is no name for a node"):
        open_shared(place, Access.WRITE, node=name, folder=None)


async def test_a_name_that_is_alive_is_refused(place: Path, join: Join) -> None:
    a = await join("a")
    with pytest.raises(NameTaken, match="there is a node a already, at http://a since 20"):
        await join("a")
    assert (await a.renew()).epochs == {}


async def test_who_starts_again_under_its_name_finds_its_streams_free(place: Path, join: Join) -> None:
    a, b = await join("a"), await join("b")
    await a.claim(["table/1", "table/2"])
    psql(place, "UPDATE node SET renewed = renewed - interval '30 s' WHERE name = 'a'")
    a._keeping.drop()
    again = await back(lambda: join("a"))
    assert owners(place) == {"table/1": "", "table/2": ""}
    for node, stream in ((again, "table/1"), (b, "table/2")):
        [taken] = await node.claim([stream])
        assert taken.epoch == 3
        assert 30_000 <= taken.away_ms < 90_000
    for ask in (a.renew, lambda: a.claim(["table/9"])):
        with pytest.raises(NameTaken, match=r"another process has joined as node a|there is a node a already"):
            await ask()
    await a.close()
    assert (await again.renew()).epochs == {"table/1": 3}


async def test_who_renews_no_more_is_replaced_though_its_session_is_still_there(place: Path, join: Join) -> None:
    """A machine that lost its power: the database has not noticed."""
    a = await join("a")
    await a.claim(["table/1"])
    psql(place, "UPDATE node SET renewed = renewed - interval '10 min'")
    again = await join("a")
    assert [one.stream for one in await again.claim(["table/1"])] == ["table/1"]
    with pytest.raises(NameTaken):
        await a.renew()


async def test_a_node_that_lost_its_connection_ends_the_session_that_it_had(place: Path, join: Join) -> None:
    """As when a link was cut: the database still sees the old one."""
    a = await join("a")
    await a.claim(["table/1"])
    old, a._keeping._raw = a._keeping._raw, None
    assert (await a.renew()).epochs == {"table/1": 1}
    assert old is not None
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError)):
        await old.fetch("SELECT 1")
    end_connections(place)
    assert (await back(a.renew)).epochs == {"table/1": 1}


async def test_a_session_that_does_not_end_is_said(place: Path, join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    a = await join("a")
    old, a._keeping._raw = a._keeping._raw, None
    monkeypatch.setattr(leases, "END_SESSION", "SELECT $1::bigint")
    monkeypatch.setattr(leases, "JOIN_S", 0.05)
    with pytest.raises(StoreFailed, match="a lost session of node a does not end"):
        await a.renew()
    assert old is not None
    old.terminate()


async def test_nodes_that_are_long_gone_are_forgotten(place: Path, join: Join) -> None:
    for name in ("a", "b"):
        node = await join(name)
        if name == "b":
            await node.claim(["table/1"])
        node._keeping.drop()
    psql(place, "UPDATE node SET renewed = renewed - interval '2 days'")
    c = await join("c")
    assert [one.card.name for one in (await c.look()).nodes] == ["b", "c"]  # what the one had is still to be taken
    [taken] = await c.claim(["table/1"])
    assert taken.away_ms >= 2 * 86_400_000


# Answers that are lost


async def test_what_was_claimed_in_an_answer_that_was_lost_is_let_go(
    place: Path, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = await join("a"), await join("b")
    await b.claim(["table/1"])
    await b.let_go(["table/1"], dark_ms=90_000)
    ask = a._asking.ask

    async def lost(sql: str, *values: object) -> Any:
        await ask(sql, *values)
        raise StoreFailed("cut off")

    with monkeypatch.context() as cut:
        cut.setattr(a._asking, "ask", lost)
        with pytest.raises(StoreFailed, match="cut off"):
            await a.claim(["table/1"])
        assert owners(place) == {"table/1": "a"}
        assert (await a.renew()).epochs == {}  # and it is told to let go, in an answer that is lost, too
        await a._telling
    assert (await a.renew()).epochs == {}
    await a._telling
    assert owners(place) == {"table/1": ""}
    [taken] = await b.claim(["table/1"])
    assert taken.away_ms >= 90_000


async def test_what_is_being_claimed_is_not_let_go(place: Path, join: Join) -> None:
    """A lease is renewed while the answer to a claim is on its way."""
    a = await join("a")
    for number in range(20):
        claimed, _, _ = await asyncio.gather(a.claim([f"table/{number}"]), a.renew(), a.renew())
        assert [one.epoch for one in claimed] == [1]
    assert len((await a.renew()).epochs) == 20


async def test_what_is_let_go_while_the_database_is_away_is_told_later(place: Path, join: Join) -> None:
    a, b = await join("a"), await join("b")
    await a.claim(["table/1"])
    server().stop()
    try:
        with pytest.raises(StoreFailed, match="cannot be reached"):
            await a.let_go(["table/1"], dark_ms=90_000)
    finally:
        server().start()
    assert (await back(a.renew)).epochs == {}
    while owners(place) != {"table/1": ""}:
        await back(a.renew)
    [taken] = await back(lambda: b.claim(["table/1"]))
    assert taken.away_ms >= 90_000
    server().stop()
    try:
        await a.close()  # it just ends
    finally:
        server().start()


async def test_no_answer_is_waited_for_longer_than_a_lease(place: Path, join: Join) -> None:
    a = await join("a", lease_s=0.4)
    async with locked(place, "SELECT 1 FROM natural9.node FOR UPDATE"):
        with pytest.raises(StoreFailed, match="cannot be reached"):
            await a.renew()
    assert (await back(a.renew)).epochs == {}


async def test_what_was_never_expected_is_said(place: Path, join: Join) -> None:
    a = await join("a")
    psql(place, "ALTER TABLE node ADD CHECK (renewed < '2000-01-01') NOT VALID")
    with pytest.raises(StoreFailed, match="violates check constraint"):
        await a.renew()
    psql(place, "ALTER TABLE node DROP CONSTRAINT node_renewed_check")
    assert (await a.renew()).epochs == {}


# Who may not


async def test_other_rules_wait_until_nobody_plays_by_the_old_ones(place: Path, join: Join) -> None:
    a, b, c = await join("a"), await join("b", rules="new"), await join("c", rules="newer")
    assert (await b.renew()).barred == ""  # nobody plays yet
    await a.claim(["table/1"])
    assert (await b.renew()).barred == "its rules are not those of a: it takes tables once no node with those runs"
    assert await b.claim(["table/1", "table/2"]) == []
    await a.close()
    taken = await asyncio.gather(b.claim(["table/1"]), c.claim(["table/2"]))
    assert sorted(map(len, taken)) == [0, 1]  # one set of rules at a time
    assert owners(place)["table/1"] != owners(place).get("table/2", "")


async def test_who_is_barred_for_its_own_reasons_takes_nothing(join: Join) -> None:
    a = await join("a", barred="its program is not the approved one")
    assert (await a.renew()).barred == "its program is not the approved one"
    assert await a.claim(["table/1"]) == []


async def test_where_commits_were_lost_nobody_takes_anything(place: Path, join: Join) -> None:
    a = await join("a")
    psql(place, "INSERT INTO meta VALUES ('lost', 'entry 7 of table/1 is not there')")
    assert await a.claim(["table/1"]) == []
    assert (await a.renew()).barred == "entry 7 of table/1 is not there"


async def test_nodes_and_who_writes_alone_shut_each_other_out(
    place: Path, join: Join, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "PATIENCE_S", 0.1)
    async with closing_store(open_store(place, Access.WRITE)) as alone:
        await append(alone, [entry()])
        with pytest.raises(StoreFailed, match=r"is being written by natural9 at .* alone: stop that first"):
            await join("a")
    end_connections(place)  # a session that is closed ends a moment later
    a = await join("a")
    with pytest.raises(StoreFailed, match="is being written by natural9 node a, lease since 20"):
        open_store(place, Access.WRITE)
    [taken] = await a.claim(["table/1"])
    assert taken == Taken("table/1", 2, taken.away_ms)


async def test_another_schema_is_refused(place: Path, join: Join) -> None:
    psql(place, "UPDATE meta SET value = '1' WHERE key = 'schema'")
    try:
        with pytest.raises(StoreFailed, match="has schema 1, but this program knows 2"):
            await join("a")
    finally:
        psql(place, "UPDATE meta SET value = '2' WHERE key = 'schema'")
