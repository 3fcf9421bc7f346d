"""What the program asks of a table is a value: sent to another machine and read there, it does the same."""

from typing import Any, get_args

import pytest

from natural9.core.cards import Card
from natural9.core.round import Refusal
from natural9.core.round.commands import DealCard
from natural9.core.round.refusal import Code
from natural9.core.saying import is_said, say
from natural9.core.staff import Rank
from natural9.store.contract import StoreFailed
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Printed
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.visiting import Fetched, Parcel, WantedCredit
from natural9.table.live import errands
from natural9.table.live.answers import NOT_KNOWN, Accepted, Answer
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import AskTable, Errand
from natural9.table.state.visits import SeatPlace
from tests.table.live import CASHIER, LiveTable, live_table, terminal

PARCEL = Parcel(
    number="1-7-3",
    cents=2_500,
    sender=SeatPlace("1", 7),
    receiver=SeatPlace("2", 10_001),
    is_homeward=True,
    decided_cents=100,
    staked_cents=200,
    rounds=3,
)
WHY = Refusal(TableCode.NOT_ENOUGH_CREDIT, say("Your credit is {credit}", credit=say("{n} cents", n=5)), "mbs 4.8")
DEALER = Who("dora", rank=Rank.DEALER, signed_by="max")
SEAT = Who.terminal("1", 7, since_ms=12)

ERRANDS: list[tuple[Errand[Any], list[Any]]] = [
    (
        errands.TakeAlong(7, WantedCredit(2_500, True), SeatPlace("2", 10_001)),
        [Fetched(PARCEL, WHY), Fetched(PARCEL), Fetched(why_not=WHY)],
    ),
    (errands.Receive(PARCEL), [None]),
    (errands.SeatVisitor(SeatPlace("1", 7)), [10_001]),
    (errands.CatchUp(), [None]),
    (errands.CardAt(7), [None, "10001"]),
    (errands.WhatSeatsHold([1, 7]), [[(), (say("credit"), say("bets"))]]),
    (errands.CreditAt(7), [2_500]),
    (errands.TimeAhead(), [-1_800_000_000_000]),
    (
        AskTable.of(taps.CardIn(request="a", player="10001", points_per_100=5), SEAT),
        [
            Accepted(17),
            Accepted(18, Printed(number="1-7-1", code="ABCD", cents=5, expires_at_ms=99), say("Look")),
            WHY,
            Refusal(Code.NO_MORE_BETS, say("No more bets")),
            NOT_KNOWN,
        ],
    ),
    (AskTable.of(Order("b", DealCard(card=Card.parse("9H")), "seen"), DEALER), [Accepted(1)]),
]


@pytest.mark.parametrize(("errand", "outcomes"), ERRANDS, ids=lambda one: type(one).__name__)
def test_an_errand_and_its_outcome_are_read_as_they_were_sent(errand: Errand[Any], outcomes: list[Any]) -> None:
    read: Errand[Any] = errands.decode_errand(errands.encode_errand(errand))
    assert read == errand
    for outcome in outcomes:
        assert errands.decode_outcome(read, errands.encode_outcome(read, outcome)) == outcome


def test_every_errand_is_sent_above() -> None:
    assert {type(errand) for errand, _ in ERRANDS} == set(get_args(errands.AnyErrand))


def test_what_is_asked_and_answered_keeps_its_kind_and_its_sentence() -> None:
    tap, order = ERRANDS[-2][0], ERRANDS[-1][0]
    assert isinstance(tap, AskTable)
    assert isinstance(order, AskTable)
    for errand, asked, who in (
        (tap, taps.CardIn(request="a", player="10001", points_per_100=5), SEAT),
        (order, Order("b", DealCard(card=Card.parse("9H")), "seen"), DEALER),
    ):
        read = errands.decode_errand(errands.encode_errand(errand))
        assert isinstance(read, AskTable)
        assert (read.asked, read.who, read.who.sender) == (asked, who, who.sender)
    refused = errands.decode_outcome(tap, errands.encode_outcome(tap, WHY))
    assert isinstance(refused, Refusal)
    assert refused.code is TableCode.NOT_ENOUGH_CREDIT
    assert is_said(refused.message)
    assert refused.message.template == "Your credit is {credit}"


async def at_work() -> tuple[LiveTable, Carrier]:
    table = await live_table()
    await table.open()
    return table, table.writer._carrier


async def asked(carrier: Carrier, what: taps.Tap | Order, who: Who) -> Answer:
    return await carrier.carry_out("1", AskTable.of(what, who))


async def test_a_table_carries_errands_out() -> None:
    table, carrier = await at_work()
    credit = Order("c", staff.CreditTerminal(seat=7, cents=5_000))
    assert isinstance(await asked(carrier, credit, CASHIER), Accepted)
    assert await carrier.carry_out("1", errands.CreditAt(7)) == 5_000
    assert await carrier.carry_out("1", errands.WhatSeatsHold([6, 7])) == [(), (say("credit"),)]
    assert await carrier.carry_out("1", errands.CardAt(7)) is None
    card = taps.CardIn(request="d", player="10001", points_per_100=0)
    assert isinstance(await asked(carrier, card, terminal(7, "1")), Accepted)
    assert await carrier.carry_out("1", errands.CardAt(7)) == "10001"
    assert await carrier.carry_out("1", errands.WhatSeatsHold([7])) == [(say("credit"), say("a player's card"))]
    await table.stop()


async def test_a_halted_table_says_what_it_held_and_does_nothing_more() -> None:
    table, carrier = await at_work()
    await table.buy(7, 5_000)
    table.writer.halt(say("the disk is full"))
    assert await carrier.carry_out("1", errands.CreditAt(7)) == 5_000
    assert await asked(carrier, taps.CardOut(request="e"), terminal(7, "1")) == NOT_KNOWN
    with pytest.raises(StoreFailed, match="disk is full"):
        await carrier.carry_out("1", errands.CatchUp())


async def test_a_table_that_nobody_has_cannot_be_asked() -> None:
    _, carrier = await at_work()
    with pytest.raises(StoreFailed, match="Table 9 is not at work"):
        await carrier.carry_out("9", errands.CatchUp())
