"""Two nodes of one venue on a real PostgreSQL and a real NATS: a voucher is paid once, a card is in at one place, and
who is excluded plays nowhere."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from natural9.core.round import Refusal
from natural9.core.staff import Rank
from natural9.games import load_game
from natural9.journal.venue_events import VoucherPaid
from natural9.server.cluster.node import VenueNode
from natural9.server.cluster.whereabouts import OFFICE
from natural9.store.contract import Access, StoreFailed
from natural9.store.opening import open_store
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Printed
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.live.answers import Accepted, Answer
from natural9.table.live.errands import AskTable, CardAt, CatchUp
from natural9.table.venue.venue import VENUE_FILE
from tests.server.cluster.test_node import CASHIER, Nodes, make_venue
from tests.store.postgres_server import address, new_place

TIMES = 200
MANAGER = Who("max", rank=Rank.PIT_MANAGER)


class Floor:
    """Node `a` has the office and some of the tables, `b` the others."""

    def __init__(self, nodes: Nodes) -> None:
        self.nodes, self.requests = nodes, count(1)
        office, other = sorted(nodes.there, key=lambda name: not has_office(nodes.there[name]))
        self.a, self.b = nodes.there[office], nodes.there[other]
        [self.near, *_], [self.far, *_] = sorted(nodes.has(office)), sorted(nodes.has(other))

    def all_is_known(self, node: VenueNode) -> bool:
        """Who has what."""
        owners = {table: name for name in self.nodes.there for table in self.nodes.has(name)}
        return all(node._whereabouts.owner_of(f"table/{table}") == name for table, name in owners.items())

    def request(self) -> str:
        return f"r{next(self.requests)}"

    async def tap(self, node: VenueNode, table: str, tap: taps.Tap) -> Answer:
        return await node.house.carry_out(table, AskTable.of(tap, Who.terminal(table, 1)))

    async def collect(self, table: str, cents: int) -> Printed:
        credit = AskTable.of(Order(self.request(), staff.CreditTerminal(seat=1, cents=cents)), CASHIER)
        bought = await self.a.house.carry_out(table, credit)
        assert isinstance(bought, Accepted)
        answer = await self.tap(self.b, table, taps.CashOut(request=self.request(), cents=cents))
        assert isinstance(answer, Accepted)
        assert answer.voucher is not None
        return answer.voucher

    async def insert(self, node: VenueNode, table: str, voucher: Printed) -> Answer:
        tap = taps.InsertVoucher(request=self.request(), number=voucher.number, code=voucher.code)
        return await self.tap(node, table, tap)

    async def pay(self, voucher: Printed) -> Any:
        return await self.a.house.desk.pay(voucher.number, voucher.code, by="dave", request=self.request())

    async def card_in(self, table: str, player: str) -> Answer:
        return await self.tap(self.a, table, taps.CardIn(request=self.request(), player=player, points_per_100=0))


def has_office(node: VenueNode) -> bool:
    return OFFICE in node._mine


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    make_venue(tmp_path, address(new_place()))
    file = tmp_path / VENUE_FILE
    file.write_text(file.read_text() + "[players]\npoints_per_100 = 1\n")
    nodes = Nodes(tmp_path)
    async with AsyncExitStack() as stack:
        await nodes.alone("a")
        stack.push_async_callback(nodes.stop, "a")
        await nodes.start("b")
        stack.push_async_callback(nodes.stop, "b")
        await nodes.is_spread()
        both = list(nodes.there.values())
        await nodes.until(lambda: not any(node._doing for node in both) and any(map(has_office, both)))
        made = Floor(nodes)
        await nodes.until(lambda: made.b.house.accounts.devices.has_terminal(made.far, 1))
        await nodes.until(lambda: made.all_is_known(made.a) and made.all_is_known(made.b))
        ahead = [room.writer.state.ahead_ms for node in both for room in node.house.rooms.values()]
        assert max(ahead) - min(ahead) < 60_000, "the tables' own time is one, but for how long each was on its way"
        for table in (made.near, made.far):
            opens = AskTable.of(Order(made.request(), staff.OpenTable()), MANAGER)
            opened = await made.a.house.carry_out(table, opens)
            assert isinstance(opened, Accepted)
        yield made
    store = open_store(tmp_path, Access.READ)
    try:
        found = await verify(store, load_game=load_game)
        assert found.fault is None, found.fault.words
    finally:
        await store.close()


async def test_a_voucher_asked_for_at_two_nodes_and_the_desk_in_the_same_instant_is_paid_once(floor: Floor) -> None:
    paid = busy = 0
    for number in range(TIMES):
        voucher = await floor.collect((floor.near, floor.far)[number % 2], 100)
        asked = [
            floor.insert(floor.a, floor.near, voucher),
            floor.insert(floor.b, floor.far, voucher),
            floor.insert(floor.a, floor.far, voucher),
            floor.pay(voucher),
        ]
        answers = await asyncio.gather(*asked[number % 4 :], *asked[: number % 4])
        done = [answer for answer in answers if isinstance(answer, Accepted | VoucherPaid)]
        again = await floor.insert(floor.b, floor.far, voucher)
        done += [again] if isinstance(again, Accepted) else []
        codes = {str(answer.code) for answer in answers if isinstance(answer, Refusal)}
        assert codes <= {"too-busy", "voucher-redeemed"}
        busy += "too-busy" in codes
        assert len(done) <= 1
        paid += len(done)
    assert paid == TIMES
    assert busy, "they did come in the same instant"
    for node in (floor.a, floor.b):
        assert not [room.writer.halted for room in node.house.rooms.values() if room.writer.halted]


async def test_a_card_is_in_at_one_node_and_out_at_all_when_its_player_is_excluded(floor: Floor) -> None:
    players = floor.a.house.accounts.players
    mei = (await players.add("Mei", by="ada")).number
    for _ in range(10):
        answers = await asyncio.gather(floor.card_in(floor.near, mei), floor.card_in(floor.far, mei))
        both = zip((floor.near, floor.far), answers, strict=True)
        ins = [table for table, answer in both if isinstance(answer, Accepted)]
        assert len(ins) <= 1
        for table in ins:
            assert await floor.b.house.carry_out(table, CardAt(1)) == mei
            other = floor.near if table == floor.far else floor.far
            assert isinstance(await floor.card_in(other, mei), Refusal)
            assert isinstance(await floor.tap(floor.a, table, taps.CardOut(request=floor.request())), Accepted)
    assert isinstance(await floor.card_in(floor.far, mei), Accepted)
    carding, excluded = await asyncio.gather(
        floor.card_in(floor.near, mei), players.exclude(mei, until_day="", own=True, why="asked", by="ada")
    )
    assert isinstance(carding, Refusal)
    assert excluded.exclusion is not None
    assert await floor.a.house.carry_out(floor.far, CardAt(1)) is None
    refused = await floor.card_in(floor.far, mei)
    assert isinstance(refused, Refusal)
    assert refused.code == "barred"


async def test_a_drawer_opened_at_the_office_is_open_at_a_table_of_another_node(floor: Floor) -> None:
    drawers = floor.a.house.drawers
    opened = await drawers.do("open-drawer", 10_000, by="cass", request="o", signed_by="")
    assert not isinstance(opened, Refusal)
    async with floor.b.house.drawers.moving("cass"):
        assert floor.b.house.drawers.is_open("cass")
        await floor.collect(floor.far, 2_500)
        closing = asyncio.ensure_future(drawers.do("close-drawer", 12_500, by="cass", request="c", signed_by=""))
        await floor.b.house.carry_out(floor.near, CatchUp())
        assert not closing.done()
    closed: Any = await closing
    assert closed.over_cents == 0


async def test_a_table_that_nobody_has_or_answers_for_is_not_asked(floor: Floor) -> None:
    house = floor.a.house
    floor.a._whereabouts.took(f"table/{floor.far}", "nobody")
    with pytest.raises(StoreFailed, match="does not answer"):
        await house.carry_out(floor.far, CatchUp())
    floor.a._whereabouts.took(f"table/{floor.far}", "a")
    with pytest.raises(StoreFailed, match="is not at work"):
        await house.carry_out(floor.far, CatchUp())
    floor.a._whereabouts.took(f"table/{floor.near}", "b")
    writer = house.carrier.writers.pop(floor.near)
    with pytest.raises(StoreFailed, match="is not at work"):
        await house.carry_out(floor.near, CatchUp())
    house.carrier.writers[floor.near] = writer
