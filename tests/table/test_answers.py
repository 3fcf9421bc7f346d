"""The same request gets the same answer and is charged once; with other content it is refused."""

import asyncio

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal
from natural9.core.round import commands as round_commands
from natural9.core.round.commands import Command
from natural9.core.saying import say
from natural9.games import load_game
from natural9.journal.line import JournalLine
from natural9.journal.table_events import RequestRefused
from natural9.store.contract import Corrupt
from natural9.table.audit.recall import recall
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Vouchers
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.refusals import UNDECIDED, TableCode
from natural9.table.commands.terminal import Tap
from natural9.table.live import past_rounds
from natural9.table.live.answers import MOST_TAPS, NOT_KNOWN, Accepted, told_in
from natural9.table.live.writer import MOST_OUTSTANDING
from natural9.table.state.seat_view import one_seat_sees
from tests.table.live import (
    CASHIER,
    DEALER,
    KEYS,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    asked,
    live_table,
    terminal,
)
from tests.table.stores import AwayStore, SlowStore, UnreadableStore

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


async def test_the_same_id_of_two_people_is_two_requests() -> None:
    table = await live_table()
    for who, seat in ((CASHIER, 1), (Who("carl"), 2)):
        bought = asked(staff.CreditTerminal, request="1", seat=seat, cents=10_000)
        assert isinstance(await table.ask(bought, who), Accepted)
    table = await table.restart()
    assert [table.state.credit_cents(seat) for seat in (1, 2)] == [10_000, 10_000]


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


async def test_an_id_is_used_once_whether_for_a_bet_or_for_anything_else() -> None:
    """Bets are known from memory and all else from the journal: an id of one kind was not seen by the other
    (`natural9 torture`, seed 2057)."""
    table = await live_table()
    await table.buy(1, 10_000)
    await table.open()
    out = taps.CashOut(request="tap-1", cents=1_000, vouchers=0)
    assert isinstance(await table.ask(out, terminal(1)), Accepted)
    more = taps.CashOut(request="tap-2", cents=1_000, vouchers=1)
    tie = taps.Bet(request="tap-2", round=1, wager="tie", cents=500)
    assert isinstance(await table.ask(tie, terminal(1)), Accepted)

    async def both_are_refused() -> None:
        for other in (BET, more):
            refused = await table.ask(other, terminal(1))
            assert isinstance(refused, Refusal)
            assert refused.code == "request-reused"
        for known in (out, tie):
            assert isinstance(await table.ask(known, terminal(1)), Accepted)

    await both_are_refused()
    table = await table.restart()
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="no card lies")
    await both_are_refused()
    await table.open()
    table = await table.restart()
    await both_are_refused()
    assert table.state.credit_cents(1) == 9_000


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
    assert await table.ask(first, terminal(1)) == printed, "the same voucher, however long ago it was redeemed"
    assert table.state.credit_cents(1) == 10_000
    await table.do(taps.CashOut, terminal(1), vouchers=1)
    await table.check_history()


async def rounds(table: LiveTable, many: int) -> None:
    for _ in range(many):
        await table.open()
        await table.finish("4S 6H KD QC 2H")


async def test_every_tap_of_this_round_and_the_one_before_is_known_again() -> None:
    table = await live_table()
    await table.buy(1, 100_000)
    await table.open()
    bets = [taps.Bet(request=f"tap-{n}", round=1, wager="banker", cents=100) for n in range(60)]
    refused = taps.Bet(request="too-much", round=1, wager="banker", cents=10_000_000)
    told = [await table.ask(bet, terminal(1)) for bet in bets]
    assert {type(answer) for answer in told} == {Accepted}
    no = await table.ask(refused, terminal(1))
    await table.finish("4S 6H KD QC 2H")
    await table.do(staff.StartRound, DEALER)
    credit = table.state.credit_cents(1)
    for restarted in (False, True):
        table = await table.restart() if restarted else table
        assert [await table.ask(bet, terminal(1)) for bet in bets] == told
        assert await table.ask(refused, terminal(1)) == no
        assert table.state.credit_cents(1) == credit
    await table.check_history()


async def test_a_bet_of_an_earlier_round_is_registered_again_and_no_money_moves() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    await table.open()
    told = await table.ask(BET, terminal(1))
    assert isinstance(told, Accepted)
    too_much = taps.Bet(request="too-much", round=1, wager="banker", cents=1_000_000)
    no = await table.ask(too_much, terminal(1))
    await table.finish("4S 6H KD QC 2H")
    await table.do(staff.StartRound, DEALER)
    late = taps.Bet(request="late", round=1, wager="banker", cents=100)
    too_late = await table.ask(late, terminal(1))
    assert isinstance(too_late, Refusal)
    await table.finish("4S 6H KD QC 2H")
    await rounds(table, 5)
    credit, head = table.state.credit_cents(1), (await table.store.head()).seq
    for restarted in (False, True):
        table = await table.restart() if restarted else table
        assert await table.ask(BET, terminal(1)) == told, "with the number of its entry"
        assert await table.ask(too_much, terminal(1)) == no
        assert await table.ask(late, terminal(1)) == too_late
        reused, never = await table.ask(MORE, terminal(1)), await table.ask(BET, terminal(2))
        assert isinstance(reused, Refusal)
        assert isinstance(never, Refusal)
        assert (reused.code, never.code) == ("request-reused", "other-round")
        assert table.state.credit_cents(1) == credit
    assert {entry.kind for entry in await table.store.entries(after=head)} <= {"table-continued"}
    await table.check_history()


async def test_a_refusal_stays_one_over_a_power_cut_whatever_has_changed_since() -> None:
    table = await live_table()
    await table.open()
    cash_out, insert = taps.CashOut(request="out"), taps.InsertVoucher(request="in", number="1-1-1", code="x")
    pay = asked(staff.HandPay, request="hand", seat=1, cents=100, why="wants notes")
    every: list[tuple[Tap | Order, Who]] = [
        (BET, terminal(1)),
        (cash_out, terminal(1)),
        (insert, terminal(1)),
        (pay, CASHIER),
    ]
    refusals = [await table.ask(what, who) for what, who in every]
    assert {type(answer) for answer in refusals} == {Refusal}
    table = await table.restart()
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.CONFIRM_CARDS, why="no card lies")
    await table.buy(1, 10_000)
    assert [await table.ask(what, who) for what, who in every] == refusals
    assert table.state.credit_cents(1) == 10_000
    await table.check_history()


async def test_a_cashiers_order_is_known_again_after_hundreds_of_others() -> None:
    table = await live_table()
    first = asked(staff.CreditTerminal, request="drawer-1", seat=1, cents=10_000)
    told = await table.ask(first, CASHIER)
    assert isinstance(told, Accepted)
    for number in range(2, 302):
        await table.ask(asked(staff.CreditTerminal, request=f"drawer-{number}", seat=2, cents=100), CASHIER)
    for restarted in (False, True):
        table = await table.restart() if restarted else table
        assert await table.ask(first, CASHIER) == told
        other = await table.ask(asked(staff.CreditTerminal, request="drawer-1", seat=1, cents=1), CASHIER)
        assert isinstance(other, Refusal)
        assert other.code == "request-reused"
        assert table.state.credit_cents(1) == 10_000


async def test_copies_of_a_request_that_is_not_durable_yet_are_carried_out_once() -> None:
    store = SlowStore()
    table = await live_table(store=store)
    store.slow = True
    credit = asked(staff.CreditTerminal, request="drawer-1", seat=1, cents=10_000)
    copies = []
    for _ in range(3):  # each in a batch of its own
        copies.append(asyncio.ensure_future(table.writer.answer(credit, CASHIER)))
        await table.settle_down()
    assert not any(copy.done() for copy in copies)
    while store.queued:
        await store.let_one_be_durable()
        await table.settle_down()
    told = [await copy for copy in copies]
    assert isinstance(told[0], Accepted)
    assert told == [told[0]] * 3
    assert table.state.credit_cents(1) == 10_000
    assert await table.ask(credit, CASHIER) == told[0]
    assert table.state.credit_cents(1) == 10_000


async def test_taps_of_a_round_whose_next_ones_are_not_durable_yet_are_known_again() -> None:
    """Two rounds have opened in memory, and none of it is on the disk: the bet is neither lost nor laid again."""
    store = SlowStore()
    table = await live_table(store=store)
    await table.buy(1, 10_000)
    store.slow = True

    async def give(*commands: Command) -> None:
        for command in commands:
            table.writer.ask(Order(table.request(), command, "a test"), SHIFT_MANAGER, lambda answer: None)
        await table.settle_down()

    await give(staff.OpenTable(), staff.LoadNewShoe(), staff.StartRound())
    first = asyncio.ensure_future(table.writer.answer(BET, terminal(1)))
    await table.settle_down()
    report = round_commands.ReportIrregularity(kind=Kind.NOT_COVERED)
    void = round_commands.DecideIrregularity(remedy=Remedy.VOID)
    await give(report, void, staff.StartRound(), report, void, staff.StartRound())
    again = asyncio.ensure_future(table.writer.answer(BET, terminal(1)))
    await table.settle_down()
    assert (table.round, first.done(), again.done()) == (3, False, False)
    while store.queued:
        await store.let_one_be_durable()
        await table.settle_down()
    assert isinstance(await first, Accepted)
    assert await first == await again
    assert table.state.credit_cents(1) == 10_000


async def test_a_tap_for_a_round_that_is_not_open_yet_may_be_sent_again() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.do(staff.LoadNewShoe, DEALER)
    head = await table.store.head()
    early = await table.ask(BET, terminal(1))
    assert isinstance(early, Refusal)
    assert early.code in UNDECIDED
    assert await table.store.head() == head
    await table.do(staff.StartRound, DEALER)
    assert isinstance(await table.ask(BET, terminal(1)), Accepted)


async def test_a_terminal_has_so_many_taps_a_round_and_no_more() -> None:
    table = await live_table()
    await table.buy(1, 1_000_000)
    await table.open()
    first = taps.Bet(request="0", round=1, wager="banker", cents=100)
    for number in range(MOST_TAPS):
        answer = await table.ask(taps.Bet(request=str(number), round=1, wager="banker", cents=100), terminal(1))
        assert isinstance(answer, Accepted)
    more = taps.Bet(request="more", round=1, wager="banker", cents=100)
    refused = await table.ask(more, terminal(1))
    assert isinstance(refused, Refusal)
    assert refused.code == TableCode.TOO_MANY_REQUESTS
    assert isinstance(await table.ask(first, terminal(1)), Accepted), "what is remembered is still answered"
    await table.finish("4S 6H KD QC 2H")
    assert await table.ask(taps.CashOut(request="out"), terminal(1)) != refused, "all but bets is taken"
    await table.do(staff.StartRound, DEALER)
    credit = table.state.credit_cents(1)
    assert isinstance(await table.ask(first, terminal(1)), Accepted)
    late = await table.ask(more, terminal(1))
    assert isinstance(late, Refusal)
    assert (late.code, table.state.credit_cents(1)) == ("other-round", credit)


async def test_a_refusal_is_no_news_and_no_part_of_the_rounds_story() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    await table.open()
    await table.bet(1, "banker", 1_000)
    await table.pass_ms(1_000)
    told, seats = len(table.ears.told), len(table.ears.seats)
    too_much = taps.Bet(request="too-much", round=1, wager="banker", cents=1_000_000)
    for seat in (1, 7):
        assert isinstance(await table.ask(too_much, terminal(seat)), Refusal)
    await table.pass_ms(1_000)
    assert (len(table.ears.told), len(table.ears.seats)) == (told, seats)
    [first, second] = await table.happened("request-refused")
    assert (first.code, first.seat, second.seat) == ("outside-limits", 1, 7)
    await table.finish("4S 6H KD QC 2H")
    recalled = await recall(table.store, "1", 1)
    assert "request-refused" not in {step.kind for step in recalled.steps}
    assert [seat.seat for seat in recalled.seats] == [1]
    assert (await verify(table.store, load_game=load_game)).fault is None


async def test_a_round_that_is_over_and_cannot_be_read_is_not_known() -> None:
    table = await live_table(store=UnreadableStore())
    assert isinstance(table.store, UnreadableStore)
    await table.buy(1, 10_000)
    await table.open()
    await table.ask(BET, terminal(1))
    await table.finish("4S 6H KD QC 2H")
    await rounds(table, 2)
    table.store.unreadable = True
    assert await table.ask(BET, terminal(1)) == NOT_KNOWN
    assert table.writer.halted is None
    table.store.unreadable = False
    assert isinstance(await table.ask(BET, terminal(1)), Accepted)


async def test_so_many_ask_about_rounds_that_are_over_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past_rounds, "MOST_WAITING", 3)
    table = await live_table()
    await table.open()
    await table.finish("4S 6H KD QC 2H")
    await rounds(table, 6)
    late = [taps.Bet(request=f"r{n}", round=1 + n % 5, wager="tie", cents=100) for n in range(6)]
    answers = await asyncio.gather(*(table.ask(tap, terminal(1)) for tap in late))
    assert [answer.code if isinstance(answer, Refusal) else answer for answer in answers] == [
        *["other-round"] * 3,
        *[NOT_KNOWN] * 3,
    ]
    for tap in late:
        assert isinstance(await table.ask(tap, terminal(1)), Refusal)


async def test_a_sender_has_so_many_on_their_way_and_no_more() -> None:
    store = SlowStore()
    table = await live_table(store=store)
    await table.buy(1, 100_000)
    await table.open()
    store.slow = True
    bets = [taps.Bet(request=f"r{n}", round=1, wager="tie", cents=100) for n in range(MOST_OUTSTANDING + 1)]
    for tap in (*bets, bets[0]):
        table.writer.ask_for_terminal(tap, terminal(1))
    credit = [asked(staff.CreditTerminal, request=f"r{n}", seat=2, cents=100) for n in range(MOST_OUTSTANDING + 1)]
    desk = [asyncio.ensure_future(table.writer.answer(order, CASHIER)) for order in credit]
    await table.settle_down()
    [(_, [(request, refused)], _)] = table.ears.answers
    assert isinstance(refused, Refusal)
    assert (request, refused.code) == (bets[-1].request, TableCode.TOO_MANY_OUTSTANDING)
    assert [getattr(one.result(), "code", "") for one in desk if one.done()] == [TableCode.TOO_MANY_OUTSTANDING]
    while store.queued:
        await store.let_one_be_durable()
        await table.settle_down()
    assert table.state.credit_cents(1) == 100_000 - 100 * MOST_OUTSTANDING
    store.slow = False
    assert isinstance(await table.ask(bets[-1], terminal(1)), Accepted), "it was not decided, and is now"
    assert isinstance(await table.ask(credit[-1], CASHIER), Accepted)


def test_a_code_that_was_never_defined_is_corruption() -> None:
    event = RequestRefused(seat=1, code="nonsense", message=say("no"), paragraph="")
    line = JournalLine("request-refused", event, terminal(1).origin("r1", "bet"), b"{}")
    with pytest.raises(Corrupt, match="refused as 'nonsense'"):
        told_in(line, Vouchers(KEYS), 1)


async def test_a_table_that_cannot_ask_what_was_answered_stops_and_says_why(caplog: pytest.LogCaptureFixture) -> None:
    """A database that is away is no mistake of the program: no traceback, and nobody is told that it was refused."""
    store = AwayStore()
    table = await live_table(store=store)
    await table.buy(1, 10_000)
    store.away = True
    assert await table.ask(taps.CashOut(request="out"), terminal(1)) == NOT_KNOWN
    assert table.writer.halted == "the database cannot be reached"
    assert [record.exc_info for record in caplog.records if record.levelname == "ERROR"] == []
