"""The writer: what is durable is said, in order, and nothing else; a store that fails stops play, and so does a mistake
of ours; every queue has an end."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.saying import say
from natural9.store.contract import Overdrawn, StoreFailed, Written
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.orders import Order
from natural9.table.live import writer as writer_module
from natural9.table.live.answers import NOT_KNOWN, Accepted, Answer
from natural9.table.state.seat_view import SeatView
from natural9.table.state.state import TableState
from tests.table.live import (
    CASHIER,
    DEALER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    asked,
    live_table,
    table_config,
    terminal,
)
from tests.table.stores import FailingStore, SlowStore

CLOSE = asked(round_commands.CloseBetting, request="close")


class Heard:
    """What the terminals were answered, in the order in which it came."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        self._from = len(table.ears.answers)

    def ask(self, command: taps.Tap, seat: int) -> None:
        self.table.writer.ask_for_terminal(command, terminal(seat))

    @property
    def answers(self) -> list[tuple[str, Answer]]:
        return [answer for _, answers, _ in self.table.ears.answers[self._from :] for answer in answers]

    @property
    def views(self) -> list[SeatView | None]:
        return [view for _, _, view in self.table.ears.answers[self._from :]]

    @property
    def requests(self) -> list[str]:
        return [request for request, _ in self.answers]


def bet(request: str, cents: int = 100) -> taps.Bet:
    return taps.Bet(request=request, round=1, wager="tie", cents=cents)


def read_card(table: LiveTable, card: str) -> None:
    """As a reading shoe would: what the card means is decided when its turn has come."""
    deal = asked(round_commands.DealCard, request=f"shoe-{card}", card=card)
    table.writer.ask(lambda state: deal, DEALER, lambda answer: None)


async def betting(store: Any) -> LiveTable:
    table = await live_table(table_config(), store)
    for seat in (1, 2):
        await table.buy(seat, 10_000)
    await table.open()
    await table.settle_down()
    return table


async def test_nothing_is_said_before_it_is_durable_and_all_in_order() -> None:
    store = SlowStore()
    table = await betting(store)
    heard, told, seats = Heard(table), len(table.ears.told), len(table.ears.seats)
    store.slow = True
    for number, seat in enumerate((1, 2, 1, 2, 9)):  # the last is refused, and that is made durable, too
        heard.ask(bet(f"r{number}"), seat)
        await table.settle_down()  # each becomes an append of its own
    assert (heard.answers, len(table.ears.told), len(table.ears.seats)) == ([], told, seats)
    for number in range(5):
        assert store.queued >= 1
        await store.let_one_be_durable()
        await table.settle_down()
        assert heard.requests == [f"r{done}" for done in range(number + 1)]
    assert all(isinstance(answer, Accepted) for _, answer in heard.answers[:4])
    assert [view.credit_cents for view in heard.views[:4] if view] == [9_900, 9_900, 9_800, 9_800]
    await table.check_history()


async def test_what_waits_shares_one_append() -> None:
    table = await betting(SlowStore())
    assert isinstance(table.store, SlowStore)
    table.store.slow = True
    heard = Heard(table)
    for number in range(500):
        heard.ask(bet(f"r{number}"), 1 + number % 2)
    await table.settle_down()
    assert table.store.queued == 1
    await table.store.let_one_be_durable()
    await table.settle_down()
    assert sum(isinstance(answer, Accepted) for _, answer in heard.answers) == 200  # until their credit was gone
    assert heard.requests == [f"r{number}" for odd in (0, 1) for number in range(odd, 500, 2)]
    assert [view.credit_cents for view in heard.views if view] == [0, 0]  # each seat is told once
    await table.check_money()


async def test_a_crash_before_the_commit_charges_nothing() -> None:
    table = await betting(SlowStore())
    assert isinstance(table.store, SlowStore)
    table.store.slow = True
    heard = Heard(table)
    heard.ask(bet("r1"), 1)
    await table.settle_down()
    await table.crash()
    table.store.slow = False
    table = await table.again()
    assert (heard.answers, table.state.credit_cents(1)) == ([], 10_000)


@pytest.mark.parametrize("good", range(6))
async def test_a_store_that_fails_stops_play_and_acknowledges_nothing_more(good: int) -> None:
    store = FailingStore()
    table = await betting(store)
    store.appends_left = good
    heard = Heard(table)
    for number in range(6):
        heard.ask(bet(f"r{number}"), 1)
        await table.settle_down()
    accepted = [request for request, answer in heard.answers if isinstance(answer, Accepted)]
    assert accepted == [f"r{number}" for number in range(good)]
    assert [answer for _, answer in heard.answers[good:]] == [NOT_KNOWN] * (6 - good)
    assert (table.writer.halted, table.ears.halts) == ("the disk is full", ["the disk is full"])
    told = table.ears.told[-1].table.laid.get("tie", 0)
    assert told <= good * 100
    await table.stop()
    store.appends_left = 10**9
    table = await table.again()
    assert len(await table.happened("bet-placed")) == good
    await table.check_history()


@pytest.mark.parametrize("wrong", [StoreFailed("the cable is out"), ValueError("-5 cents"), Overdrawn("house/1", -5)])
async def test_what_was_decided_on_top_of_a_failed_append_is_not_known_either(wrong: Exception) -> None:
    store = SlowStore()
    table = await betting(store)
    store.slow = True
    heard = Heard(table)
    for number in range(3):
        heard.ask(bet(f"r{number}"), 1)
        await table.settle_down()
    for *_, answer in store._queued:
        answer.set_exception(wrong)
    await table.settle_down()
    assert heard.answers == [(f"r{number}", NOT_KNOWN) for number in range(3)]
    assert heard.views == [None] * 3
    assert table.writer.halted == str(wrong)
    heard.ask(bet("later"), 1)
    assert heard.answers[-1] == ("later", NOT_KNOWN)  # at once


async def test_a_mistake_of_ours_stops_the_table_and_answers_everybody(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.CRITICAL, logger="natural9.table.live.writer"):
        table = await betting(None)
        head = await table.store.head()
        heard = Heard(table)

        def stumbles(state: TableState) -> Order | None:
            raise ZeroDivisionError("oh")

        heard.ask(bet("before"), 1)
        stumbled: list[Answer] = []
        table.writer.ask(stumbles, DEALER, stumbled.append)
        heard.ask(bet("after"), 1)
        await table.settle_down()
        assert heard.requests == ["before", "after"]
        assert [*stumbled, *[answer for _, answer in heard.answers]] == [NOT_KNOWN] * 3
        assert "ZeroDivisionError" in (table.writer.halted or "")
        assert await table.store.head() == head
        assert table.ears.halts


async def test_a_listener_that_raises_stops_the_table_and_does_not_silence_it() -> None:
    logging.disable(logging.CRITICAL)
    try:
        table = await betting(None)

        def raises(answer: Answer) -> None:
            raise OSError("gone")

        table.writer.ask(bet("r1"), terminal(1), raises)
        await table.settle_down()
        assert "gone" in (table.writer.halted or "")
        assert await table.writer.answer(CLOSE, DEALER) == NOT_KNOWN
    finally:
        logging.disable(logging.NOTSET)


@pytest.mark.parametrize("part", ["news", "has_staff"])
async def test_whoever_waits_for_an_answer_gets_one_when_the_table_stops_of_a_mistake(part: str) -> None:
    """Publishing raises, or deciding does, over and over: it is said once, and the event loop goes on."""
    logging.disable(logging.CRITICAL)
    try:
        table = await betting(None)

        def raises(*_: object) -> bool:
            raise ValueError("a mistake")

        setattr(table.ears, part, raises)
        assert await table.writer.answer(CLOSE, DEALER) == NOT_KNOWN
        assert "a mistake" in (table.writer.halted or "")
        assert await table.writer.answer(CLOSE, DEALER) == NOT_KNOWN
        assert len(table.ears.halts) == 1
    finally:
        logging.disable(logging.NOTSET)


async def test_staff_are_answered_when_a_table_goes_before_anything_is_durable() -> None:
    """The database hangs, and the lease ends: some is being told, some waits for that, and some was not decided."""
    store = SlowStore()
    table = await betting(store)
    store.slow = True
    asking = []
    for number in range(10):
        credit = asked(staff.CreditTerminal, request=f"c{number}", seat=1, cents=100)
        asking.append(asyncio.ensure_future(table.writer.answer(credit, CASHIER)))
        await table.settle_down()
    table.writer.halt(say("another machine has this table now"))
    await table.crash()
    await table.settle_down()
    assert [one.result() if one.done() else "waits" for one in asking] == [NOT_KNOWN] * 10


async def test_staff_are_answered_when_a_table_goes_while_the_journal_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    table = await betting(None)

    async def hangs(requests: Sequence[str]) -> dict[str, Written]:
        await asyncio.Event().wait()
        return {}

    monkeypatch.setattr(table.store, "asked", hangs)
    asking = asyncio.ensure_future(table.writer.answer(CLOSE, DEALER))
    await table.settle_down()
    table.writer.halt(say("another machine has this table now"))
    await table.crash()
    await table.settle_down()
    assert asking.done()
    assert asking.result() == NOT_KNOWN


async def test_a_full_queue_refuses_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "MOST_WAITING", 3)
    table = await betting(None)
    heard = Heard(table)
    for number in range(5):
        heard.ask(bet(f"r{number}"), 1)
    assert [(request, getattr(answer, "code", "")) for request, answer in heard.answers] == [
        ("r3", "too-busy"),
        ("r4", "too-busy"),
    ]
    heard.ask(bet("r0"), 1)
    assert heard.answers[2:] == [("r0", NOT_KNOWN)], "its first copy is on its way"
    await table.settle_down()
    assert heard.requests[3:] == ["r0", "r1", "r2"]


async def test_what_a_stopped_table_is_asked_is_not_known() -> None:
    """It may be asked again for what was done before."""
    table = await betting(None)
    await table.stop()
    assert await table.writer.answer(CLOSE, DEALER) == NOT_KNOWN
    assert (table.ears.halts, table.writer.halted) == ([], None)  # it ended well


async def test_a_seat_is_answered_with_all_that_befell_it_in_the_same_batch() -> None:
    table = await betting(None)
    told = len(table.ears.seats)
    heard = Heard(table)
    last = table.store.stream_head("table/1").number
    heard.ask(bet("r1"), 1)
    table.writer.ask(asked(staff.CreditTerminal, request="c1", seat=1, cents=500), CASHIER, lambda answer: None)
    heard.ask(bet("r2"), 1)
    await table.settle_down()
    assert table.ears.answers == [(1, [("r1", Accepted(last + 1)), ("r2", Accepted(last + 3))], heard.views[0])]
    assert [view.credit_cents for view in heard.views if view] == [10_300]
    assert len(table.ears.seats) == told


async def test_bets_alone_are_news_now_and_then_and_all_else_at_once() -> None:
    table = await betting(None)
    before = len(table.ears.told)
    await table.bet(1, "tie", 100)
    await table.bet(1, "tie", 100)
    assert len(table.ears.told) == before
    await table.pass_ms(400)
    assert [news.table.laid for news in table.ears.told[before:]] == [{"tie": 200}]
    await table.do(round_commands.CloseBetting, DEALER)
    assert table.ears.told[-1].happened == ("betting-closed",)
    await table.do(staff.PauseTable, SUPERVISOR)
    assert table.ears.told[-1].table.status == "paused"


async def test_whoever_looks_sees_what_is_durable() -> None:
    store = SlowStore()
    table = await betting(store)
    seen: list[int] = []

    def look(state: TableState) -> Any:
        credit = state.credit_cents(1)
        return lambda: seen.append(credit)

    store.slow = True
    heard = Heard(table)
    heard.ask(bet("r1"), 1)
    table.writer.look(look)
    await table.settle_down()
    assert seen == []
    await store.let_one_be_durable()
    await table.settle_down()
    assert seen == [9_900]


async def test_a_seat_is_told_when_it_can_no_longer_insure_and_when_it_can_again() -> None:
    table = await live_table(table_config("rws-nc-insurance"))
    await table.buy(1, 100_000)
    await table.open()
    await table.bet(1, "banker", 10_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 5H KD QC")
    for shape, fields, told in (
        (round_commands.OpenInsurance, {}, True),
        (round_commands.ReportIrregularity, {"kind": Kind.NOT_COVERED}, False),
        (round_commands.DecideIrregularity, {"remedy": Remedy.CONTINUE}, True),
        (round_commands.CloseInsurance, {}, False),
    ):
        await table.do(shape, SHIFT_MANAGER, **fields)
        assert bool(table.ears.seats[-1].may_insure) is told, shape


async def test_a_card_read_while_the_table_waits_is_dealt_once_it_is_decided() -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    for card in ("4S", "2H"):
        read_card(table, card)
    table.writer.ask(lambda state: None, DEALER, lambda answer: None)  # read, and nothing to do
    await table.settle_down()
    assert await table.happened("card-dealt") == []
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.CONTINUE)
    await table.settle_down()
    assert [str(card) for card in table.state.round.cards] == ["4S", "2H"]
    await table.check_history()


async def test_cards_read_around_a_decision_in_one_batch_keep_their_order() -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    decision = asked(round_commands.DecideIrregularity, request="decided", remedy=Remedy.CONTINUE)
    read_card(table, "4S")
    table.writer.ask(decision, SHIFT_MANAGER, lambda answer: None)
    read_card(table, "2H")
    await table.settle_down()
    assert [str(card) for card in table.state.round.cards] == ["4S", "2H"]
    await table.check_history()


async def test_a_shoe_that_reads_on_and_on_while_the_table_waits_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_module, "MOST_LATER", 3)
    table = await live_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.NOT_COVERED)
    for card in ("4S", "2H", "KD", "9C", "5H"):
        read_card(table, card)
    await table.settle_down()
    assert list(table.state.faults) == ["reading-shoe"]
    assert len(await table.happened("fault-raised")) == 1


async def test_whoever_asks_to_see_waits_until_it_is_durable() -> None:
    store = SlowStore()
    table = await betting(store)
    store.slow = True
    Heard(table).ask(bet("r1"), 1)
    seen = asyncio.ensure_future(table.writer.see(lambda state: state.credit_cents(1)))
    await table.settle_down()
    assert not seen.done()
    await store.let_one_be_durable()
    assert await seen == 9_900


async def test_whoever_asks_to_see_a_table_that_stops_is_told_so() -> None:
    store = SlowStore()
    table = await betting(store)
    store.slow = True
    Heard(table).ask(bet("r1"), 1)
    seen = asyncio.ensure_future(table.writer.see(lambda state: state.credit_cents(1)))
    await table.settle_down()
    for *_, answer in store._queued:
        answer.set_exception(StoreFailed("the cable is out"))
    with pytest.raises(StoreFailed, match="the cable is out"):
        await seen
    with pytest.raises(StoreFailed, match="the cable is out"):
        await table.writer.see(lambda state: state.credit_cents(1))
