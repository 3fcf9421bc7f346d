"""The office is at one node; the others know people and devices as it has them, and ask it what only it decides.

Real lines over a real nats-server; the records are one memory that all of them write.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import msgspec
import pytest

from natural9.core.saying import say
from natural9.journal.people_events import PeerRefused
from natural9.server.cluster import far_office
from natural9.server.cluster.following import FAR_BEHIND, Following
from natural9.server.cluster.lines import Lines, LineSettings
from natural9.server.cluster.whereabouts import OFFICE, Whereabouts
from natural9.server.drawers import Drawers
from natural9.server.house import House as RunningHouse
from natural9.server.people.devices import REVOKED_AFTER, Place
from natural9.server.people.limits import PEER_TOKENS, AttemptLimiter
from natural9.server.people.permissions import Denied, Role
from natural9.server.people.records import Person
from natural9.server.people.sessions import Session
from natural9.store.contract import Entry, StoreFailed, Written
from natural9.table.state.drawers import DRAWER, CashTotals, OpenDrawer
from tests.server.cluster.nats_server import nats_server
from tests.server.people.house import PASSWORD, PEER, House, house
from tests.table.nodes import SharedMemory


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The office waits until the other node knows, on a slow machine too."""
    monkeypatch.setattr(far_office, "KNOWN_WITHIN_S", 60.0)


class FollowingNode:
    """People and devices as one node knows them, and its lines to the others."""

    def __init__(self, people: House, lines: Lines) -> None:
        self.people, self.accounts, self.store, self.lines = people, people.accounts, people.store, lines
        anything = cast(Any, None)
        self.drawers = Drawers(self.store, anything, anything, anything, anything)  # nothing is done to any here
        self.whereabouts = Whereabouts(lines.node)
        self.following = Following(cast(RunningHouse, self), lines, self.whereabouts)
        self.ended: list[tuple[str, str]] = []
        self.accounts.register.watch(lambda kind, id: self.ended.append((kind, id)))

    async def take_office(self) -> None:
        await self.following.catch_up()
        self.whereabouts.took(OFFICE, self.lines.node)

    def lose_office(self, to: str) -> None:
        self.following.start_over()
        self.whereabouts.left(OFFICE, self.lines.node)
        self.whereabouts.took(OFFICE, to)

    def knows(self, session: Session) -> bool:
        return bool(self.accounts.person_of(session) or self.accounts.devices.device_of(session))


@asynccontextmanager
async def two_offices() -> AsyncIterator[tuple[FollowingNode, FollowingNode]]:
    """`a`, which has the office, and `b`, which follows it when it is told to."""
    store, venue = SharedMemory(), secrets.token_hex(8)
    settings = LineSettings((nats_server().address,))
    a, b = [FollowingNode(await house(store), await Lines.open(settings, venue, name)) for name in ("a", "b")]
    try:
        await a.take_office()
        b.whereabouts.took(OFFICE, "a")
        while not (a.lines.hears("b") and b.lines.hears("a")):
            await asyncio.sleep(0.005)
        yield a, b
    finally:
        await a.lines.close()
        await b.lines.close()


async def enrolled(node: FollowingNode) -> Session:
    [code] = await node.accounts.devices.add([Place("terminal", "1", 1)], by="ada")
    return (await node.accounts.devices.enrol(code.code, peer=PEER)).session


async def test_what_the_office_answers_holds_at_the_other_node_when_it_is_answered() -> None:
    async with two_offices() as (a, b):
        ada = await a.people.administrator()
        assert b.knows(ada.session)
        dora = await a.people.person("dora", Role.DEALER)
        assert b.accounts.person_of(dora.session) == dora.person
        await a.accounts.change_role("dora", role=Role.PIT_MANAGER, by="ada")
        person = b.accounts.person_of(dora.session)
        assert person is not None
        assert person.role is Role.PIT_MANAGER
        b.ended.clear()
        await a.accounts.sign_out(dora.session)
        assert not b.knows(dora.session)
        assert b.ended == [("staff", "dora")], "so its connections there are closed"
        terminal = await enrolled(a)
        assert b.knows(terminal)
        assert b.accounts.devices.has_terminal("1", 1)
        await a.accounts.devices.revoke(terminal.id, by="ada")
        assert not b.knows(terminal)
        assert not b.accounts.devices.has_terminal("1", 1)
        await a.accounts.disable("dora", by="ada")
        assert b.accounts.find("dora").disabled
        card = await a.accounts.players.add("Mei", by="ada")
        await b.following._follow()
        assert b.accounts.players.number_of_card(card.card) == card.number
        await a.accounts.players.close(card.number, by="ada")
        await b.following._follow()
        assert not b.accounts.players.may_play(card.number)


async def test_a_node_that_does_not_hear_looks_for_itself() -> None:
    async with two_offices() as (a, b):
        ada = await a.people.administrator()
        await b.lines.close()
        while a.lines.hears("b"):
            await asyncio.sleep(0.005)
        await a.accounts.sign_out(ada.session)
        assert b.knows(ada.session)
        following = asyncio.create_task(b.following.run())
        while b.knows(ada.session):
            await asyncio.sleep(0.005)
        following.cancel()


async def test_the_office_waits_for_a_node_that_does_not_answer_no_longer_than_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(far_office, "KNOWN_WITHIN_S", 0.0)
    async with two_offices() as (a, b):
        await b.following._turn.acquire()  # it is busy for ever
        ada = await a.people.administrator()
        assert a.knows(ada.session)
        assert not b.knows(ada.session)


async def test_whoever_is_far_behind_reads_everything_at_once() -> None:
    async with two_offices() as (a, b):
        await a.people.administrator()
        await a.accounts.devices.add([Place("terminal", "1", seat) for seat in range(1, FAR_BEHIND + 50)], by="ada")
        await b.following._follow()
        assert len(b.accounts.devices.all()) == FAR_BEHIND + 49
        drawer = OpenDrawer(desk="cass", opened_at_ms=1, carried_cents=0, float_cents=5, before=CashTotals())
        await written(a, "drawer/cass", drawer)
        await b.following._follow()
        assert b.drawers.of("cass") == drawer
        await written(a, "drawer/cass", None)
        await b.following._follow()
        assert not b.drawers.is_open("cass")


async def written(node: FollowingNode, key: str, record: OpenDrawer | None) -> None:
    assert key.startswith(DRAWER)
    kept = None if record is None else msgspec.json.encode(record)
    entry = Entry("venue", "a-test", b"{}", 1_790_000_000_000, "2026-09-21", documents=((key, kept),))
    await node.accounts.register.office.append([entry])


async def test_a_reading_that_fails_half_way_is_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with two_offices() as (a, b):
        ada = await a.people.administrator()

        async def away(key: str) -> bytes | None:
            raise StoreFailed("the database is away")

        with monkeypatch.context() as patch:
            patch.setattr(b.store, "document", away)
            await a.accounts.sign_out(ada.session)
        assert b.knows(ada.session), "it could not be read"
        await b.following._follow()
        assert not b.knows(ada.session)


async def test_a_signature_at_another_node_is_checked_by_the_office() -> None:
    async with two_offices() as (a, b):
        await a.people.administrator()
        await a.people.person("max", Role.PIT_MANAGER)
        signed = await b.accounts.authorise("max", PASSWORD, peer=PEER)
        assert signed == Person("max", "Max", Role.PIT_MANAGER)
        assert "sign-in" in await a.people.tags()
        for _ in range(3):
            refused = await b.accounts.authorise("max", "not the password", peer=PEER)
            assert isinstance(refused, Denied)
            assert refused.code == "sign-in-refused"
        assert a.accounts.status(a.accounts.find("max")) == "locked", "it counts them all"
        while b.accounts.status(b.accounts.find("max")) != "locked":  # nobody waited for that
            await asyncio.sleep(0.01)


async def test_a_terminal_that_fails_at_another_node_is_revoked_by_the_office() -> None:
    async with two_offices() as (a, b):
        await a.people.administrator()
        terminal = await enrolled(a)
        tasks = [b.accounts.devices.failed(terminal.id, why=say("a strange message")) for _ in range(REVOKED_AFTER)]
        await asyncio.gather(*[task for task in tasks if task])
        assert (a.knows(terminal), b.knows(terminal)) == (False, False)
        assert (await a.people.tags()).count("device-revoked") == 1


async def test_what_a_node_notes_is_written_and_dated_by_the_office() -> None:
    async with two_offices() as (a, b):
        await a.people.administrator()
        a.people.clock.pass_ms(1_000)
        limiter = AttemptLimiter(b.accounts.register)
        for _ in range(PEER_TOKENS + 3):
            await limiter.failed("192.0.2.7")
        [noted] = [event for event in await a.people.history() if isinstance(event, PeerRefused)]
        assert noted.peer == "192.0.2.7"
        last = (await a.store.entries(stream=OFFICE, limit=1000))[-1]
        assert (last.kind, last.at_ms, last.label) == (PeerRefused.TAG, a.people.clock(), "significant")


async def test_what_changes_anything_is_not_written_by_a_node_without_the_office() -> None:
    async with two_offices() as (a, b):
        await a.people.administrator()
        dora = await a.people.person("dora", Role.DEALER)
        head = await a.store.head()
        with pytest.raises(StoreFailed, match="office does not answer"):
            await b.accounts.disable("dora", by="ada")
        assert await a.store.head() == head
        await b.following._follow()
        assert b.knows(dora.session), "nor is it so in memory"


async def test_where_nobody_has_the_office_nothing_is_decided() -> None:
    async with two_offices() as (a, b):
        await a.people.administrator()
        a.following.start_over()
        with pytest.raises(StoreFailed, match="office does not answer"):
            await b.accounts.authorise("ada", PASSWORD, peer=PEER)  # who is asked has it no more
        b.whereabouts.left(OFFICE, "a")
        with pytest.raises(StoreFailed, match="office does not answer"):
            await b.accounts.authorise("ada", PASSWORD, peer=PEER)
        await a.lines.close()
        b.whereabouts.took(OFFICE, "a")
        with pytest.raises(StoreFailed, match="office does not answer"):
            await b.accounts.authorise("ada", PASSWORD, peer=PEER)


async def test_an_office_that_comes_to_another_node_has_what_is_durable_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with two_offices() as (a, b):
        ada = await a.people.administrator()

        async def refused(*_: object) -> int:
            raise StoreFailed("the database is away")

        with monkeypatch.context() as patch:
            patch.setattr(a.store, "append", refused)
            with pytest.raises(StoreFailed):
                await a.accounts.add("eve", name="Eve", role=Role.CASHIER, by="ada")
            with pytest.raises(StoreFailed):
                await a.accounts.devices.add([Place("terminal", "1", 1)], by="ada")
            with pytest.raises(StoreFailed):
                await a.accounts.players.add("Mei", by="ada")
            with pytest.raises(StoreFailed):
                await a.accounts.sign_out(ada.session)
        assert not a.knows(ada.session)
        a.lose_office("b")
        await b.take_office()
        await a.following._follow()
        for node in (a, b):
            assert [one.id for one in node.accounts.all()] == ["ada"]
            assert node.accounts.devices.all() == []
            assert node.accounts.players.all() == []
            assert node.knows(ada.session)
        dora = await b.people.person("dora", Role.DEALER)
        assert a.knows(dora.session)
        await a.accounts.authorise("ada", PASSWORD, peer=PEER)
        assert (await b.people.tags()).count("sign-in") == 2


async def test_what_memory_has_wrong_while_the_records_are_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async with two_offices() as (a, b):
        await a.people.administrator()
        dora = await a.people.person("dora", Role.DEALER)
        entry = b.store.entry

        async def disabled_meanwhile(stream: str, number: int) -> Written | None:
            with pytest.raises(StoreFailed):
                await b.accounts.disable("dora", by="ada")
            return await entry(stream, number)

        with monkeypatch.context() as patch:
            patch.setattr(b.store, "entry", disabled_meanwhile)
            await b.following._follow()
        assert not b.knows(dora.session)
        await b.following._follow()
        assert b.knows(dora.session), "it was never so"
