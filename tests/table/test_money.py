"""Money in and out of terminals, vouchers, hand-pays, and debts: every transfer balances at every step."""

import asyncio

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.money import MAX_CENTS
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.saying import verbatim
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import DAY_MS, Printed
from natural9.table.commands.voucher_door import VoucherDoor
from natural9.table.live.answers import Accepted
from tests.table.live import (
    CASHIER,
    DEALER,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    live_table,
    table_config,
    terminal,
)

PLAYER_WINS = "9S KH KD 5C"
BANKER_WINS = "5S KH KD 9C"


async def cash_out(table: LiveTable, seat: int, cents: int | None = None) -> Printed:
    printed = (await table.do(taps.CashOut, terminal(seat), cents=cents)).voucher
    assert printed
    return printed


async def open_with(bought: dict[int, int]) -> LiveTable:
    table = await live_table()
    await table.do(staff.OpenTable, SUPERVISOR)
    for seat, cents in bought.items():
        await table.buy(seat, cents)
    return table


async def test_credit_is_bought_and_paid_by_hand() -> None:
    table = await open_with({1: 5_000})
    await table.do(staff.HandPay, CASHIER, seat=1, cents=2_000, why="wants coins")
    assert await table.store.balances() == {"credit/1-1": 3_000, "desk/cass": -3_000}
    assert (await table.refused(staff.HandPay, CASHIER, seat=1, cents=3_001)).code == "not-enough-credit"
    await table.do(staff.HandPay, CASHIER, seat=1)
    assert await table.store.balances() == {}
    assert (await table.refused(staff.HandPay, CASHIER, seat=1)).code == "not-enough-credit"
    assert (await table.refused(staff.CreditTerminal, CASHIER, seat=201, cents=1)).code == "no-such-seat"


async def test_a_terminal_holds_no_more_than_the_most() -> None:
    table = await open_with({1: MAX_CENTS, 2: 100})
    assert (await table.refused(staff.CreditTerminal, CASHIER, seat=1, cents=1)).code == "bad-amount"
    voucher = await cash_out(table, 2)
    insert = {"number": voucher.number, "code": voucher.code}
    assert (await table.refused(taps.InsertVoucher, terminal(1), **insert)).code == "bad-amount"


async def test_a_voucher_goes_out_and_comes_in_at_another_terminal_once() -> None:
    table = await open_with({1: 5_000})
    first, second = await cash_out(table, 1, 2_000), await cash_out(table, 1)
    assert [(one.number, one.cents) for one in (first, second)] == [("1-1-1", 2_000), ("1-1-2", 3_000)]
    assert (await table.refused(taps.CashOut, terminal(1))).code == "not-enough-credit"
    assert (await table.refused(taps.CashOut, terminal(1), cents=1)).code == "not-enough-credit"
    typed = first.code.lower().replace("-", " ")
    await table.do(taps.InsertVoucher, terminal(2), number=first.number, code=typed)
    assert await table.store.balances() == {"credit/1-2": 2_000, "desk/cass": -5_000, "voucher/1-1-2": 3_000}
    again = await table.refused(taps.InsertVoucher, terminal(2), number=first.number, code=first.code)
    assert again.code == "voucher-redeemed"
    table = await table.restart()
    again = await table.refused(taps.InsertVoucher, terminal(2), number=first.number, code=first.code)
    assert again.code == "voucher-redeemed"
    await table.do(taps.InsertVoucher, terminal(1), number=second.number, code=second.code)
    assert (await cash_out(table, 1)).number == "1-1-3"  # it counts on after a restart


@pytest.mark.parametrize("code", ["AAAA-AAAA-AAAA-AAAA", "", "é", "A"])
async def test_a_wrong_code_and_an_unknown_number_get_one_answer(code: str) -> None:
    table = await open_with({1: 5_000})
    voucher = await cash_out(table, 1)
    for number in (voucher.number, "1-1-99"):
        refusal = await table.refused(taps.InsertVoucher, terminal(2), number=number, code=code)
        assert refusal.code == "no-such-voucher"
        assert refusal.message.replace(number, "N") == "No voucher N has this validation code: check both"


async def test_wrong_codes_are_told_and_the_door_grows_slower_and_the_right_one_works_after_the_wait() -> None:
    """Two hundred guesses at a seat, as fast as they are let; the seat beside it is none the slower."""
    table = await open_with({1: 5_000})
    voucher = await cash_out(table, 1)
    waited: list[int] = []
    for _ in range(200):
        guess = await table.refused(taps.InsertVoucher, terminal(2), number=voucher.number, code="AAAA-AAAA-AAAA-AAAA")
        if guess.code == "too-many-wrong-codes":
            waited.append(int(guess.message.split()[-2]))
            right = await table.refused(taps.InsertVoucher, terminal(2), number=voucher.number, code=voucher.code)
            assert right.code == "too-many-wrong-codes", "whoever guesses learns nothing meanwhile"
            await table.pass_ms(1000 * waited[-1])
        else:
            assert guess.code == "no-such-voucher"
    assert waited[:6] == [5, 10, 20, 40, 60, 60]
    told = [event.times for event in await table.happened("wrong-voucher-codes")]
    assert told == list(range(5, 200 - len(waited) + 1, 5))
    second = await table.refused(taps.InsertVoucher, terminal(3), number="1-1-99", code="A")
    assert second.code == "no-such-voucher"
    await table.pass_ms(60_000)
    await table.do(taps.InsertVoucher, terminal(2), number=voucher.number, code=voucher.code)
    assert table.state.credit_cents(2) == 5_000


async def test_a_few_slips_of_the_finger_are_forgotten() -> None:
    table = await open_with({1: 5_000})
    for _ in range(3):
        for _ in range(4):
            slip = await table.refused(taps.InsertVoucher, terminal(1), number="1-1-99", code="A")
            assert slip.code == "no-such-voucher"
        await table.pass_ms(10 * 60_000)
    assert await table.happened("wrong-voucher-codes") == []


def test_a_clock_that_is_set_back_makes_nobody_wait_for_long() -> None:
    door: VoucherDoor[int] = VoucherDoor()
    for _ in range(9):
        door.wrong(1, 3_600_000)
    waits = door.refusal(1, 0)
    assert waits
    assert waits.message.endswith("60 s")


async def test_a_voucher_expires() -> None:
    table = await open_with({1: 5_000})
    voucher = await cash_out(table, 1)
    insert = {"number": voucher.number, "code": voucher.code}
    assert voucher.expires_at_ms == table.now_ms + 30 * DAY_MS
    await table.pass_ms(30 * DAY_MS)
    assert (await table.refused(taps.InsertVoucher, terminal(1), **insert)).code == "voucher-expired"
    await table.do(staff.VoidVoucher, MANAGER, number=voucher.number, why="came back a day late")
    assert table.state.credit_cents(1) == 5_000
    assert (await table.refused(taps.InsertVoucher, terminal(1), **insert)).code == "voucher-redeemed"


async def test_of_two_tables_one_redeems_a_voucher_and_only_its_own_table_voids_it() -> None:
    store = MemoryStore()
    first = await LiveTable(table_config(), store).start()
    second = await LiveTable(table_config(id="2"), store).start(first.vouchers)
    for table in (first, second):
        await table.do(staff.OpenTable, SUPERVISOR)
    await first.buy(1, 5_000)
    voucher = await cash_out(first, 1)
    void = {"number": voucher.number, "why": "torn"}
    assert (await second.refused(staff.VoidVoucher, MANAGER, **void)).code == "no-such-voucher"
    answers = await asyncio.gather(
        *[
            table.ask(
                taps.InsertVoucher(request=f"{seat}", number=voucher.number, code=voucher.code),
                terminal(seat, table.config.id),
            )
            for table in (second, first)
            for seat in (3, 4)
        ]
    )
    assert sum(isinstance(answer, Accepted) for answer in answers) == 1
    assert {answer.code for answer in answers if isinstance(answer, Refusal)} == {"voucher-redeemed"}
    assert await store.balances() == {"credit/2-3": 5_000, "desk/cass": -5_000}
    second = await second.restart()
    assert (second.state.credit_cents(3), second.vouchers.outstanding) == (5_000, {})


async def test_a_win_is_paid_and_a_loss_collected() -> None:
    table = await open_with({1: 5_000, 2: 5_000})
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.bet(2, "banker", 2_000)
    assert await table.store.balance("stake/1") == 3_000
    await table.finish(PLAYER_WINS)
    assert await table.store.balances() == {
        "credit/1-1": 6_000,
        "credit/1-2": 3_000,
        "desk/cass": -10_000,
        "house/1": 1_000,
    }


async def void_by_a_wrong_number(table: LiveTable) -> None:
    await table.do(round_commands.ReportIrregularity, DEALER, kind=Kind.WRONG_NUMBER_OF_CARDS)
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.VOID, why="a card on the floor")


async def test_a_void_returns_every_bet_and_a_settlement_first() -> None:
    """Only a hand with a wrong number of cards reaches back into a settled round: rws-nc 5.3.3."""
    table = await live_table(table_config("rws-nc"))
    for seat in (1, 2):
        await table.buy(seat, 5_000)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.bet(2, "banker", 2_000)
    await table.finish(PLAYER_WINS)
    assert (await table.refused(round_commands.VoidRound, SHIFT_MANAGER, why="too late")).code == "round-concluded"
    await void_by_a_wrong_number(table)
    assert await table.store.balances() == {"credit/1-1": 5_000, "credit/1-2": 5_000, "desk/cass": -10_000}
    assert (table.state.results, table.state.laid) == ([], {})
    await table.check_history()


@pytest.mark.parametrize("game", ["mbs-tiger", "rws-nc"])
async def test_a_correction_pays_by_the_cards_and_takes_the_wrong_pay_back(game: str) -> None:
    table = await live_table(table_config(game))
    await table.buy(1, 5_000)
    await table.buy(2, 5_000)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.bet(2, "banker", 2_000)
    await table.finish(PLAYER_WINS)
    await table.do(
        round_commands.CorrectResult, SUPERVISOR, cards=tuple(BANKER_WINS.split()), why="keyed the wrong way round"
    )
    assert (table.state.credit_cents(1), await table.store.balance("stake/1")) == (4_000, 0)
    assert table.state.credit_cents(2) > 5_000
    assert [result.winner for result in table.state.results] == ["banker"]
    await table.check_history()
    await table.do(staff.StartRound, DEALER)
    refusal = await table.refused(
        round_commands.CorrectResult, DEALER, cards=tuple(PLAYER_WINS.split()), why="too late"
    )
    assert refusal.code == "bad-correction"


async def test_what_a_correction_cannot_take_back_is_owed_and_repaid_by_the_next_win() -> None:
    table = await open_with({1: 1_000})
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.finish(PLAYER_WINS)
    await cash_out(table, 1)
    await table.do(round_commands.CorrectResult, SUPERVISOR, cards=tuple(BANKER_WINS.split()), why="misread")
    assert (table.state.credit_cents(1), table.state.terminal(1).owed_cents) == (0, 2_000)
    [debt] = await table.happened("debt-left")
    assert (debt.seat, debt.cents) == (1, 2_000)
    table = await table.restart()
    assert table.state.terminal(1).owed_cents == 2_000
    await table.buy(1, 500)
    await table.open()
    await table.bet(1, "player", 500)
    await table.finish(PLAYER_WINS)
    assert (table.state.credit_cents(1), table.state.terminal(1).owed_cents) == (0, 1_000)
    await table.buy(1, 1_000)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.finish(PLAYER_WINS)
    assert (table.state.credit_cents(1), table.state.terminal(1).owed_cents) == (1_000, 0)
    assert len(await table.happened("debt-left")) == 1  # it was left once
    await table.check_history()


async def test_a_void_after_a_cash_out_leaves_only_the_winnings_owed() -> None:
    table = await live_table(table_config("rws-nc"))
    await table.buy(1, 1_000)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.finish(PLAYER_WINS)
    await cash_out(table, 1)
    await void_by_a_wrong_number(table)
    assert (table.state.credit_cents(1), table.state.terminal(1).owed_cents) == (0, 1_000)
    assert [(debt.seat, debt.cents) for debt in await table.happened("debt-left")] == [(1, 1_000)]
    await table.check_history()


async def test_no_credit_is_taken_in_a_fault_but_paid_out_it_is() -> None:
    table = await open_with({1: 5_000})
    voucher = await cash_out(table, 1, 1_000)
    table.writer.raise_fault("reader", verbatim("no card"))  # between two rounds
    await table.settle_down()
    assert (await table.refused(staff.CreditTerminal, CASHIER, seat=1, cents=100)).code == "fault"
    await table.do(staff.ClearFault, SUPERVISOR, fault="reader", why="plugged in")
    await table.open()
    table.writer.raise_fault("printer", verbatim("no paper"))
    await table.settle_down()
    insert = {"number": voucher.number, "code": voucher.code}
    assert (await table.refused(taps.InsertVoucher, terminal(1), **insert)).code == "fault"
    assert (await table.refused(staff.CreditTerminal, CASHIER, seat=1, cents=100)).code == "fault"
    assert (await table.refused(taps.Bet, terminal(1), round=1, wager="tie", cents=100)).code == "fault"
    await cash_out(table, 1, 1_000)
    await table.do(staff.HandPay, CASHIER, seat=1)
    assert (await table.refused(staff.ClearFault, SUPERVISOR, fault="paper", why="done")).code == "no-such-fault"
    await table.do(staff.ClearFault, SUPERVISOR, fault="printer", why="new roll")
    await table.do(taps.InsertVoucher, terminal(1), **insert)
