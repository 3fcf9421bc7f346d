"""Where several programs write one venue's records, a voucher is paid once and a card is in at one place."""

import asyncio
from typing import Any

import pytest

from natural9.core.round import Refusal
from natural9.journal.venue_events import VoucherPaid
from natural9.server.drawers import CLOSE, OPEN
from natural9.store.contract import StoreFailed
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Printed, Voucher
from natural9.table.commands.refusals import UNDECIDED
from natural9.table.live.answers import NOT_KNOWN, Accepted, Answer
from natural9.table.live.cards_in_play import place_of
from natural9.table.live.exclusive import bring_voucher, forget_redeemed
from tests.table.carded import MEI, TAN
from tests.table.live import SHIFT_MANAGER, LiveTable, asked, live_table, terminal
from tests.table.nodes import ClusterNode, accepted, nodes

TIMES = 200


async def insert(table: LiveTable, voucher: Printed, seat: int = 5, request: str = "") -> Answer:
    tap = taps.InsertVoucher(request=request or table.request(), number=voucher.number, code=voucher.code)
    return await table.ask(tap, terminal(seat, table.config.id))


async def pay(node: ClusterNode, voucher: Printed) -> Any:
    return await node.desk.pay(voucher.number, voucher.code, by="dave", request=f"pay {next(node.requests)}")


def why(answer: Any) -> str:
    assert isinstance(answer, Refusal), answer
    return str(answer.code)


# Vouchers.


async def test_a_voucher_of_one_node_is_good_at_every_other_and_only_once() -> None:
    on = await nodes()
    one, other = on.a.tables["1"], on.b.tables["2"]
    voucher = await on.a.collect("1", 1, 5_000)
    assert voucher.number not in on.b.vouchers.outstanding
    assert isinstance(await insert(other, voucher), Accepted)
    assert voucher.number in on.a.vouchers.outstanding  # which no longer knows
    assert why(await insert(one, voucher)) == "voucher-redeemed"
    assert why(await pay(on.a, voucher)) == "voucher-redeemed"
    assert other.state.credit_cents(5) == 5_000
    await on.check()


async def test_what_was_redeemed_elsewhere_is_forgotten_and_what_came_meanwhile_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    on = await nodes()
    gone, kept, brought = [await on.a.collect("1", 1, 5_000) for _ in range(3)]
    assert isinstance(await insert(on.b.tables["2"], gone), Accepted)
    read, came = on.store.documents, list[Printed]()

    async def reads_slowly(prefix: str) -> dict[str, bytes]:
        found = await read(prefix)
        came.append(await on.a.collect("1", 1, 5_000))
        await bring_voucher(on.store, on.a.vouchers, brought.number)
        return {name: one for name, one in found.items() if not name.endswith(brought.number)}  # not durable then

    with monkeypatch.context() as patch:
        patch.setattr(on.store, "documents", reads_slowly)
        await forget_redeemed(on.store, on.a.vouchers)
    assert on.a.vouchers.outstanding.keys() == {kept.number, brought.number, came[0].number}
    await on.check()


async def test_the_desk_looks_at_what_the_records_say() -> None:
    on = await nodes()
    voucher = await on.a.collect("1", 1, 5_000)
    looks = {"by": "dave", "without_code": False}
    seen = await on.b.desk.look(voucher.number, voucher.code, **looks)  # type: ignore[arg-type]
    assert isinstance(seen, Voucher)
    assert isinstance(await insert(on.a.tables["1"], voucher), Accepted)
    assert why(await on.b.desk.look(voucher.number, voucher.code, **looks)) == "voucher-redeemed"  # type: ignore[arg-type]
    assert why(await on.b.desk.look("no\x00number", "", by="dave", without_code=True)) == "no-such-voucher"
    await on.check()


async def test_a_voucher_asked_for_everywhere_in_the_same_instant_is_paid_once() -> None:
    on = await nodes()
    one, other = on.a.tables["1"], on.b.tables["2"]
    paid = 0
    for number in range(TIMES):
        voucher = await (on.a if number % 2 else on.b).collect("1" if number % 2 else "2", 1, 100)
        void = asked(staff.VoidVoucher, request=one.request(), why="torn", number=voucher.number)
        everywhere = [insert(one, voucher), insert(other, voucher), pay(on.a, voucher), pay(on.b, voucher)]
        answers: list[Any] = await asyncio.gather(
            *everywhere[number % 4 :], *everywhere[: number % 4], one.ask(void, SHIFT_MANAGER)
        )
        done = [answer for answer in answers if isinstance(answer, Accepted | VoucherPaid)]
        assert len(done) <= 1, answers
        paid += len(done)
        again = await asyncio.gather(*[insert(table, voucher, 6) for table in (one, other)])
        paid += accepted(again)
        assert len(done) + accepted(again) <= 1
        assert await on.store.document(f"voucher/{voucher.number}") is None or not done
    assert paid == TIMES
    await on.check()


async def test_who_comes_while_another_decides_is_told_to_ask_again_and_nothing_is_recorded() -> None:
    on = await nodes()
    voucher = await on.a.collect("1", 1, 5_000)
    assert await on.store.local.take(f"voucher/{voucher.number}")
    head = await on.store.head()
    busy = await insert(on.b.tables["2"], voucher, request="same")
    assert isinstance(busy, Refusal)
    assert busy.code in UNDECIDED
    assert busy.message == f"Voucher {voucher.number} is just being used: try again"
    assert await on.store.head() == head
    on.store.local.let_go(f"voucher/{voucher.number}")
    assert isinstance(await insert(on.b.tables["2"], voucher, request="same"), Accepted)
    assert isinstance(await insert(on.b.tables["2"], voucher, request="same"), Accepted), "the same answer"
    await on.check()


async def test_where_nobody_can_say_who_holds_it_nothing_is_decided() -> None:
    on = await nodes()
    voucher = await on.a.collect("1", 1, 5_000)
    on.store.local.is_away = True
    assert why(await insert(on.b.tables["2"], voucher)) == "too-busy"
    assert await pay(on.b, voucher) == NOT_KNOWN
    on.store.local.is_away = False
    assert isinstance(await pay(on.b, voucher), VoucherPaid)
    await on.check()


async def test_two_at_one_table_in_one_batch_and_in_the_next_before_it_is_durable() -> None:
    on = await nodes()
    table = on.b.tables["2"]
    voucher = await on.a.collect("1", 1, 5_000)
    first = [asyncio.ensure_future(insert(table, voucher, seat)) for seat in (5, 6)]
    await asyncio.sleep(0)
    later = [asyncio.ensure_future(insert(table, voucher, seat)) for seat in (7, 8)]
    answers = await asyncio.gather(*first, *later)
    assert accepted(answers) == 1
    assert {why(answer) for answer in answers if isinstance(answer, Refusal)} == {"voucher-redeemed"}
    await on.check()


async def test_a_table_that_halts_or_is_cut_off_lets_go_of_what_it_held(monkeypatch: pytest.MonkeyPatch) -> None:
    on = await nodes()
    voucher = await on.a.collect("1", 1, 5_000)
    table = on.b.tables["2"]
    stuck: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    with monkeypatch.context() as patch:
        patch.setattr(on.store, "append", lambda entries, after: stuck)
        asking = asyncio.ensure_future(insert(table, voucher))
        await on.settle_down()
        assert on.store.local.alone == {f"voucher/{voucher.number}"}
    await on.b.lose("2")
    assert on.store.local.alone == set()
    assert isinstance(await insert(on.a.tables["1"], voucher), Accepted)
    asking.cancel()
    await on.b.take("2")
    await on.check()


async def test_what_cannot_be_read_under_its_hold_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    on = await nodes()
    voucher = await on.a.collect("1", 1, 5_000)

    async def away(key: str) -> bytes | None:
        raise StoreFailed("the database is away")

    with monkeypatch.context() as patch:
        patch.setattr(on.store, "document", away)
        assert why(await insert(on.b.tables["2"], voucher)) == "too-busy"
    assert isinstance(await insert(on.b.tables["2"], voucher), Accepted)
    await on.check()


async def test_one_process_holds_nothing() -> None:
    table = await live_table()
    assert isinstance(table.store, MemoryStore)
    assert table.store.holds is None
    assert table.writer._holds is None


# Cards.


async def card_in(table: LiveTable, player: str, seat: int = 1, request: str = "") -> Answer:
    tap = taps.CardIn(request=request or table.request(), player=player, points_per_100=0)
    return await table.ask(tap, terminal(seat, table.config.id))


async def card_out(table: LiveTable, seat: int = 1) -> None:
    await table.do(taps.CardOut, terminal(seat, table.config.id))


async def test_a_card_is_in_at_one_place_over_all_nodes() -> None:
    on = await nodes()
    one, other = on.a.tables["1"], on.b.tables["2"]
    for times in range(40):
        tables = (one, other) if times % 2 else (other, one)
        answers = await asyncio.gather(*[card_in(table, MEI) for table in tables])
        assert accepted(answers) <= 1
        refused = {why(answer) for answer in answers if isinstance(answer, Refusal)}
        assert refused <= {"too-busy", "carded-in-elsewhere"}
        if not accepted(answers):
            assert isinstance(await card_in(tables[0], MEI), Accepted)
        where = one if one.state.terminal(1).card else other
        assert await place_of(on.store, MEI) == (where.config.id, 1)
        assert why(await card_in(other if where is one else one, MEI)) == "carded-in-elsewhere"
        await card_out(where)
        assert await place_of(on.store, MEI) is None
    await on.check()


async def test_what_a_player_took_along_is_brought_to_another_node() -> None:
    on = await nodes()
    one, other = on.a.tables["1"], on.b.tables["2"]
    assert isinstance(await card_in(one, MEI), Accepted)
    await one.buy(1, 1_000)
    await one.do(taps.SetPlayLimits, terminal(1, "1"), loss_cents=5_000)
    await one.do(taps.CashOut, terminal(1, "1"))  # and the card comes out with it
    assert isinstance(await card_in(other, MEI), Accepted)
    [event] = await other.happened("player-carded-in")
    assert (event.play.own, event.play.loss_cents) == (True, 5_000)
    await on.check()


async def test_a_card_that_somebody_is_about_to_bar_does_not_go_in() -> None:
    on = await nodes()
    assert await on.store.local.take(f"card/{MEI}")
    refused = await card_in(on.b.tables["2"], MEI, request="same")
    assert (why(refused), str(refused)) == ("too-busy", "This card is just being used: try again")
    assert isinstance(await card_in(on.b.tables["2"], TAN, seat=2), Accepted)
    on.store.local.let_go(f"card/{MEI}")
    read: list[str] = []

    async def account(player: str) -> None:
        read.append(player)
        on.b.barred.add(player)

    on.b.cards.read_account = account
    assert why(await card_in(on.b.tables["2"], MEI)) == "barred"
    assert read == [MEI]
    await on.check()


# Drawers.


async def test_a_drawer_is_counted_while_none_of_its_cash_moves_at_any_node() -> None:
    on = await nodes()
    await on.a.drawers.do(OPEN, 10_000, by="cass", request="o", signed_by="")
    assert not on.b.drawers.is_open("cass")
    async with on.b.drawers.moving("cass"):
        assert on.b.drawers.is_open("cass")
        closing = asyncio.ensure_future(on.a.drawers.do(CLOSE, 12_500, by="cass", request="c", signed_by=""))
        await on.b.tables["2"].buy(1, 2_500)
        await on.settle_down()
        assert not closing.done()
    closed: Any = await closing
    assert closed.over_cents == 0
    async with on.b.drawers.moving("cass"):
        assert not on.b.drawers.is_open("cass")
    await on.check()
