"""What a full hall leads to is recorded in turns with everybody else on the event loop, and stands as if at once."""

import asyncio
from collections.abc import Callable
from itertools import pairwise

import pytest

from natural9.core.round import commands as round_commands
from natural9.core.saying import verbatim
from natural9.journal import table_events, venue_events
from natural9.journal.line import BY_PROGRAM, encode_line
from natural9.store.contract import Entry
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.orders import Order
from natural9.table.live import turns
from natural9.table.live.answers import NOT_KNOWN, Accepted, Answer
from natural9.table.live.outbox import AT_A_TIME
from natural9.table.venue.file import Mode, ShoeSource
from natural9.table.venue.tables import TableConfig
from tests.store.opening import append
from tests.table.live import CASHIER, DEALER, SHIFT_MANAGER, SUPERVISOR, LiveTable, live_table, table_config, terminal

SEATS = 3 * AT_A_TIME + 7


async def full_hall(config: TableConfig | None = None) -> LiveTable:
    """Everybody has bet on Player."""
    table = await live_table(config or table_config("mbs-tiger-nc", seats=SEATS))
    if table.config.mode is Mode.AUTOMATIC:
        await table.do(staff.OpenTable, SUPERVISOR)
        await table.settle_down()
    else:
        await table.open()
    for seat in range(1, SEATS + 1):
        await table.ask(Order(f"buy-{seat}", staff.CreditTerminal(seat=seat, cents=500)), CASHIER)
    for seat in range(1, SEATS + 1):
        tap = taps.Bet(request="bet", round=table.round, wager="player", cents=500)
        table.writer.ask_for_terminal(tap, terminal(seat))
    await table.settle_down()
    assert table.state.round.staked_cents == 500 * SEATS
    return table


async def ready_to_settle() -> LiveTable:
    table = await full_hall()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9S 2H KD 4C")
    await table.do(round_commands.DeclareResult, DEALER)
    return table


async def while_settling(table: LiveTable, meanwhile: Callable[[int], None]) -> Answer:
    """`meanwhile` has its turn whenever the loop is free, and is told how many settlement events are recorded."""
    settling = asyncio.create_task(table.ask(Order("settle", round_commands.Settle()), DEALER))
    while not settling.done():
        meanwhile(len(table.writer._recorder.entries))
        await asyncio.sleep(0)
    return settling.result()


async def test_others_on_the_loop_have_their_turn_while_a_full_hall_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    table = await ready_to_settle()
    monkeypatch.setattr(turns, "TURN_S", 0)
    steps: list[int] = []
    assert isinstance(await while_settling(table, steps.append), Accepted)
    assert len(steps) > SEATS // AT_A_TIME + SEATS // turns.LOOKED_AT, (
        "turns while it is recorded, and while the views are made"
    )
    assert max(after - before for before, after in pairwise(steps)) <= AT_A_TIME
    await table.settle_down()
    assert len(await table.happened("seat-settled")) == SEATS
    await table.check_history()
    assert {view.seat: view.credit_cents for view in table.ears.seats[-SEATS:]} == dict.fromkeys(
        range(1, SEATS + 1), 1000
    )


async def test_others_on_the_loop_have_their_turn_while_a_full_hall_bets(monkeypatch: pytest.MonkeyPatch) -> None:
    """And find the table as it stands: what has left a seat's credit lies on the table."""
    table = await full_hall()
    for seat in range(1, SEATS + 1):
        await table.ask(Order(f"more-{seat}", staff.CreditTerminal(seat=seat, cents=500)), CASHIER)
    monkeypatch.setattr(turns, "TURN_S", 0)
    for seat in range(1, SEATS + 1):
        tap = taps.Bet(request="more", round=table.round, wager="banker", cents=500)
        table.writer.ask_for_terminal(tap, terminal(seat))
    staked: set[int] = set()
    while table.state.round.staked_cents < 1_000 * SEATS:
        await asyncio.sleep(0)
        credit_cents = sum([one.credit_cents for one in table.state.terminals.values()])
        assert credit_cents + table.state.round.staked_cents == 1_000 * SEATS
        staked.add(table.state.round.staked_cents)
    assert len(staked) > SEATS // turns.LOOKED_AT
    await table.settle_down()
    await table.check_history()


async def test_a_fault_found_meanwhile_comes_after_the_settlement() -> None:
    table = await ready_to_settle()

    def find(recorded: int) -> None:
        if recorded and not table.state.faults:
            table.writer.raise_fault("reading-shoe", verbatim("unplugged"))

    assert isinstance(await while_settling(table, find), Accepted)
    await table.settle_down()
    tags = [line.tag for line in await table.journal()][-SEATS - 2 :]
    assert tags == [*["seat-settled"] * SEATS, "round-settled", table_events.FaultRaised.TAG]
    assert list(table.state.faults) == ["reading-shoe"]
    await table.check_history()


async def test_what_others_write_meanwhile_is_no_later_than_the_settlement_that_stands_behind_it() -> None:
    table = await ready_to_settle()
    event = venue_events.ClockJumped(before_ms=0, after_ms=0)
    others: list[asyncio.Future[int]] = []

    def write(recorded: int) -> None:
        table.now_ms += 1
        entry = Entry("venue", event.TAG, encode_line(event, BY_PROGRAM), table.clock.record_ms(), "2027-01-15")
        others.append(asyncio.ensure_future(append(table.store, [entry])))

    assert isinstance(await while_settling(table, write), Accepted)
    await asyncio.gather(*others)
    written = await table.store.entries(limit=10**6)
    kinds = [one.kind for one in written]
    assert event.TAG in kinds[: kinds.index("seat-settled")], "somebody had their turn before it was durable"
    assert all(before.at_ms <= after.at_ms for before, after in pairwise(written))
    assert table.clock.record_ms() == table.now_ms, "and then the time goes on"


async def test_a_table_that_halts_meanwhile_writes_none_of_it_and_says_that_nobody_knows() -> None:
    table = await ready_to_settle()
    before = await table.store.head()

    def halt(recorded: int) -> None:
        if recorded:
            table.writer.halt(verbatim("the disk is gone"))

    assert await while_settling(table, halt) == NOT_KNOWN
    await table.settle_down()
    assert await table.store.head() == before
    assert table.ears.halts == [verbatim("the disk is gone")]


async def test_a_void_of_a_full_hall_returns_every_bet() -> None:
    table = await full_hall()
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="smoke in the hall")
    await bets_are_back(table)


async def test_a_full_hall_that_was_cut_off_for_long_is_void_before_anything_else_happens() -> None:
    table = await full_hall(table_config("mbs-tiger-nc", seats=SEATS, mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER))
    table = await table.restart()
    await bets_are_back(table)


async def bets_are_back(table: LiveTable) -> None:
    assert len(await table.happened("bets-returned")) == SEATS
    assert {table.state.credit_cents(seat) for seat in range(1, SEATS + 1)} == {500}
    await table.check_history()
