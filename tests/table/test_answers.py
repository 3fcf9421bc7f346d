"""The same request gets the same answer and is charged once; with other content it is refused."""

from natural9.core.irregularities import Remedy
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.saying import say
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.refusals import TableCode
from natural9.table.live.answers import KEPT_EACH, Accepted, Answers
from natural9.table.state.view import one_seat_sees
from tests.table.live import CASHIER, DEALER, SUPERVISOR, asked, live_table, terminal

BET = taps.Bet(request="tap-1", round=1, wager="banker", cents=1_000)
MORE = taps.Bet(request="tap-1", round=1, wager="banker", cents=2_000)


async def test_the_same_request_is_charged_once() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    await table.open()
    for _ in range(3):
        assert isinstance(await table.ask(BET, terminal(1)), Accepted)
    other = await table.ask(MORE, terminal(1))
    assert isinstance(other, Refusal)
    assert other.code == "request-reused"
    assert isinstance(await table.ask(BET, terminal(1)), Accepted)  # a misuse forgets nothing
    assert table.state.credit_cents(1) == 9_000
    table = await table.restart()
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="no card lies")
    assert table.state.credit_cents(1) == 10_000  # void: nothing was dealt
    assert isinstance(await table.ask(BET, terminal(1)), Accepted)
    other = await table.ask(MORE, terminal(1))
    assert isinstance(other, Refusal)
    assert (other.code, table.state.credit_cents(1)) == ("request-reused", 10_000)


async def test_a_cashiers_request_is_known_again_after_many_rounds_and_a_power_cut() -> None:
    table = await live_table()
    paid_in = asked(staff.CreditTerminal, request="drawer-1", seat=1, cents=10_000)
    assert isinstance(await table.ask(paid_in, CASHIER), Accepted)
    for _ in range(3):
        await table.open()
        await table.finish("4S 6H KD QC 2H")
    table = await table.restart()
    assert isinstance(await table.ask(paid_in, CASHIER), Accepted)
    assert table.state.credit_cents(1) == 10_000


async def test_a_refusal_is_repeated_even_when_it_would_be_taken_now() -> None:
    table = await live_table()
    await table.open()
    first = await table.ask(BET, terminal(1))
    assert isinstance(first, Refusal)
    await table.buy(1, 10_000)
    assert await table.ask(BET, terminal(1)) == first
    await table.bet(1, "banker", 1_000)


async def test_two_senders_may_use_one_id() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    await table.buy(2, 10_000)
    await table.open()
    assert isinstance(await table.ask(BET, terminal(1)), Accepted)
    assert isinstance(await table.ask(MORE, terminal(2)), Accepted)
    assert (table.state.credit_cents(1), table.state.credit_cents(2)) == (9_000, 8_000)


async def test_money_by_hand_is_moved_once_even_if_the_round_has_changed_and_the_power_went() -> None:
    """Whoever was cut off at the opening of a round asks again for what was done in the one before."""
    table = await live_table()
    await table.open()
    await table.finish("4S 2H KD 9C 5H 5D")
    credit = asked(staff.CreditTerminal, request="desk-1", seat=1, cents=5_000)
    cash_out = taps.CashOut(request="out-1", cents=2_000)
    await table.ask(credit, CASHIER)
    printed = await table.ask(cash_out, terminal(1))
    await table.do(staff.StartRound, DEALER)
    table = await table.restart()
    assert isinstance(await table.ask(credit, CASHIER), Accepted)
    assert await table.ask(cash_out, terminal(1)) == printed
    assert table.state.credit_cents(1) == 3_000
    await table.check_history()


async def test_a_voucher_is_printed_again_for_the_same_request() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    cash_out = taps.CashOut(request="out-1")
    printed = await table.ask(cash_out, terminal(1))
    assert isinstance(printed, Accepted)
    assert printed.voucher
    assert await table.ask(cash_out, terminal(1)) == printed
    table = await table.restart()
    assert await table.ask(cash_out, terminal(1)) == printed
    assert len(table.vouchers.outstanding) == 1


async def test_a_cash_out_that_comes_late_prints_no_other_voucher() -> None:
    """Its terminal remembers the request, however long nobody answered; by then the voucher may be long redeemed."""
    table = await live_table()
    await table.buy(1, 10_000)
    assert one_seat_sees(table.state, 1).vouchers == 0
    first = taps.CashOut(request="out-1", cents=1_000, vouchers=0)
    printed = await table.ask(first, terminal(1))
    assert isinstance(printed, Accepted)
    assert one_seat_sees(table.state, 1).vouchers == 1
    assert await table.ask(first, terminal(1)) == printed, "it is not late for itself"
    refused = await table.refused(taps.CashOut, terminal(1), vouchers=0)
    assert refused.code == "other-voucher"
    assert printed.voucher
    await table.open()
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.do(taps.InsertVoucher, terminal(1), number=printed.voucher.number, code=printed.voucher.code)
    for _ in range(3):  # rounds that nobody asks about any more
        await table.open()
        await table.finish("4S 2H KD 9C 5H 5D")
    table = await table.restart()
    late = await table.ask(first, terminal(1))
    assert isinstance(late, Refusal)
    assert late.code == "other-voucher"
    assert table.state.credit_cents(1) == 10_000
    await table.do(taps.CashOut, terminal(1), vouchers=1)
    await table.check_history()


def test_only_the_last_few_of_each_sender_are_kept() -> None:
    answers = Answers()
    for number in range(KEPT_EACH + 1):
        answers.of("a").keep(f"r{number}", b"x", Accepted())
    answers.of("b").keep("r0", b"x", Refusal(TableCode.FAULT, say("no")))
    assert answers.of("a").earlier("r0", b"x") is None
    assert answers.of("a").earlier("r1", b"x") == Accepted()
    assert answers.of("b").earlier("r0", b"x") == Refusal(TableCode.FAULT, say("no"))
