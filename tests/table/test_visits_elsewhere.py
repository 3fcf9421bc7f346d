"""A terminal plays at a table of another node: its credit goes there and comes home, once, whatever is lost between."""

import asyncio

import pytest

from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal.visit_events import CreditBrought
from natural9.store.contract import StoreFailed
from natural9.table.commands import terminal as taps
from natural9.table.commands.visiting import MOST_RECEIVED, TRANSIT, Parcel, Transit
from natural9.table.live import carrier as carrying
from natural9.table.live.answers import Accepted, Answer, NotKnown
from natural9.table.live.errands import Receive, SeatVisitor
from natural9.table.state.visits import SeatPlace
from tests.table.live import terminal
from tests.table.nodes import NodesOfAVenue, nodes

HOME = SeatPlace("1", 7)
PLAYER_WINS = "4C 2D 5D 2S"


async def visiting(credit: int = 10_000) -> tuple[NodesOfAVenue, int]:
    """Home is table 1 at node a; the visited table is 2, at node b."""
    on = await nodes()
    await on.a.tables["1"].buy(7, credit)
    return on, await on.a.carrier.carry_out("2", SeatVisitor(HOME))


async def bet(on: NodesOfAVenue, seat: int, cents: int, request: str = "") -> Answer:
    table = on.b.tables["2"]
    tap = taps.Bet(request=request or table.request(), round=table.round, wager="player", cents=cents)
    answer = await table.ask(tap, terminal(seat, "2"))
    await on.settle_down()
    return answer


async def check(on: NodesOfAVenue, home: int, away: int = 0) -> None:
    await on.check()
    assert await on.store.documents(TRANSIT) == {}
    assert (on.a.carrier.transit.parcels, on.b.carrier.transit.parcels) == ({}, {})
    visitors = on.b.tables["2"].state
    assert on.a.tables["1"].state.credit_cents(7) == home
    assert sum(visitors.credit_cents(seat) for seat in visitors.visitors.values()) == away


async def test_credit_goes_to_another_node_and_comes_home() -> None:
    on, seat = await visiting()
    assert isinstance(await bet(on, seat, 2_500), Accepted)
    await check(on, 7_500)
    await on.b.tables["2"].finish(PLAYER_WINS)
    await check(on, 12_500)


async def test_what_home_does_not_let_go_is_said_in_its_words() -> None:
    on, seat = await visiting(1_000)
    refused = await bet(on, seat, 2_500)
    assert isinstance(refused, Refusal)
    assert (refused.code, "Your credit is" in refused.message) == ("not-enough-credit", True)
    await check(on, 1_000)


async def test_a_bet_whose_credit_was_asked_for_in_vain_is_unknown_and_good_when_asked_again() -> None:
    on, seat = await visiting()
    on.links["1"].lost = "asked"
    assert isinstance(await bet(on, seat, 2_500, "same"), NotKnown)
    on.links["1"].lost = ""
    assert isinstance(await bet(on, seat, 2_500, "same"), Accepted)
    await check(on, 7_500)


async def test_credit_whose_coming_was_lost_on_the_way_is_found_and_goes_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "AGAIN_S", 0)
    on, seat = await visiting()
    on.links["1"].lost = "answered"
    tap = taps.Bet(request="same", round=on.b.tables["2"].round, wager="player", cents=2_500)
    assert isinstance(await on.b.tables["2"].ask(tap, terminal(seat, "2")), NotKnown)
    on.links["1"].lost = ""
    while on.a.tables["1"].state.credit_cents(7) != 10_000:
        await asyncio.sleep(0)
    await check(on, 10_000)
    assert isinstance(await bet(on, seat, 2_500, "same"), Accepted)
    await check(on, 7_500)


async def test_a_seat_is_not_stuck_behind_an_answer_that_nobody_understands(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As a node of another version may give: the credit is found, and goes home."""
    monkeypatch.setattr(carrying, "AGAIN_S", 0)
    on, seat = await visiting()
    on.links["1"].lost = "understood"
    assert isinstance(await asyncio.wait_for(bet(on, seat, 2_500, "same"), 5), NotKnown)
    assert "table 2: what table 1 answered is not understood" in caplog.messages
    on.links["1"].lost = ""
    while on.a.tables["1"].state.credit_cents(7) != 10_000:
        await asyncio.sleep(0)
    await check(on, 10_000)
    assert isinstance(await bet(on, seat, 2_500, "same"), Accepted)
    await check(on, 7_500)
    await on.b.tables["2"].finish(PLAYER_WINS)
    await on.settle_down()
    await asyncio.wait_for(on.b.tables["2"].stop(), 5)


@pytest.mark.parametrize("lost", ["asked", "answered"])
async def test_what_goes_home_is_delivered_until_it_is_received(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying, "AGAIN_S", 0)
    on, seat = await visiting()
    assert isinstance(await bet(on, seat, 2_500), Accepted)
    on.links["1"].lost = lost
    await on.b.tables["2"].finish(PLAYER_WINS)
    await on.settle_down()
    on.links["1"].lost = ""
    while await on.store.documents(TRANSIT) or on.b.carrier._tasks:
        await asyncio.sleep(0)
    await check(on, 12_500)


@pytest.mark.parametrize("moved", ["1", "2"])
async def test_what_is_on_its_way_when_a_table_moves_is_delivered_from_where_it_is_then(moved: str) -> None:
    on, seat = await visiting()
    assert isinstance(await bet(on, seat, 2_500), Accepted)
    on.links["1"].lost = "asked"
    await on.b.tables["2"].finish(PLAYER_WINS)
    await on.settle_down()
    assert len(await on.store.documents(TRANSIT)) == 1
    on.b.carrier.close()  # whoever would have tried again is gone
    await asyncio.sleep(0)
    on.links["1"].lost = ""
    if moved == "1":
        await on.a.lose("1")
        await on.b.take("1")
        on.a, on.b = on.b, on.a
    else:
        await on.b.lose("2")
        await on.a.take("2")
    await on.settle_down()
    assert await on.store.documents(TRANSIT) == {}
    home = next(table for table in on.tables if table.config.id == "1")
    assert home.state.credit_cents(7) == 12_500
    await on.check()


async def test_a_parcel_that_is_delivered_again_and_again_is_received_once() -> None:
    on, seat = await visiting()
    link, home = on.links["1"], on.a.carrier.writers["1"]
    assert isinstance(await bet(on, seat, 2_500), Accepted)
    link.lost = "asked"
    await on.b.tables["2"].finish(PLAYER_WINS)
    await on.settle_down()
    [parcel] = await on.a.carrier._on_the_way()
    await asyncio.gather(*[home.carry_out(Receive(parcel)) for _ in range(5)])
    on.b.carrier.close()
    await check(on, 12_500)


async def test_what_could_not_be_received_durably_is_received_when_its_table_is_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on, seat = await visiting()
    link, home = on.links["1"], on.a.carrier.writers["1"]
    assert isinstance(await bet(on, seat, 2_500), Accepted)
    link.lost = "asked"
    await on.b.tables["2"].finish(PLAYER_WINS)
    await on.settle_down()
    [parcel] = await on.a.carrier._on_the_way()
    with monkeypatch.context() as away:
        away.setattr(on.store, "append", _database_is_away)
        with pytest.raises(StoreFailed):
            await home.carry_out(Receive(parcel))
    await on.a.lose("1")
    await on.a.take("1")
    on.b.carrier.close()
    await check(on, 12_500)


async def test_a_parcel_is_on_its_way_once_however_often_it_is_looked_for() -> None:
    on, seat = await visiting()
    assert isinstance(await bet(on, seat, 2_500), Accepted)
    on.links["1"].lost = "asked"
    await on.b.tables["2"].finish(PLAYER_WINS)
    await on.settle_down()
    for _ in range(5):
        await on.b.carrier.deliver_to("2")
    assert len(on.b.carrier._tasks) == 1
    on.b.carrier.close()


async def _database_is_away(*_: object) -> int:
    raise StoreFailed("the database is away")


async def test_whoever_asks_a_table_that_goes_meanwhile_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    on, seat = await visiting()
    assert isinstance(await bet(on, seat, 2_500), Accepted)
    on.links["1"].lost = "asked"
    await on.b.tables["2"].finish(PLAYER_WINS)
    await on.settle_down()
    on.b.carrier.close()
    [parcel] = await on.a.carrier._on_the_way()
    writer, look_for = on.a.tables["1"].writer, on.a.carrier.look_for

    async def goes_meanwhile(parcel: Parcel) -> None:
        await look_for(parcel)
        writer.halt(say("another machine has this table now"))

    monkeypatch.setattr(on.a.carrier, "look_for", goes_meanwhile)
    with pytest.raises(StoreFailed):
        await asyncio.wait_for(writer.carry_out(Receive(parcel)), 5)


def test_only_the_last_that_were_received_are_remembered() -> None:
    transit, home = Transit(), SeatPlace("1", 1)
    for number in range(MOST_RECEIVED + 5):
        transit.bring(Parcel(number=str(number), cents=1, sender=home, receiver=home))
        transit.evolve(None, CreditBrought(transit=str(number), seat=1, cents=1))
    assert len(transit.received) == MOST_RECEIVED
    assert "4" not in transit.received
    transit.bring(Parcel(number="5", cents=1, sender=home, receiver=home))  # whoever read of it earlier comes too late
    assert transit.parcels == {}
