"""A voucher is redeemed once and only once, whoever comes at the same moment, and whatever fails in between."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from natural9.journal.line import read_line
from natural9.server import protocol
from natural9.server.client import Client, Closed, ServerSaidNo
from natural9.server.voucher_slip import VoucherSlip
from natural9.table.commands import terminal as taps
from tests.server.live_server import Server, Terminal, Visit, automatic, new_venue, running, table, visit

TABLES = (table("a", "rws-nc"), table("b", "mbs-tiger"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(new_venue(tmp_path_factory.mktemp("vouchers"), *TABLES)) as one:
        visit(one, lambda visit: visit.open("a", "b"))
        yield one


async def printed(terminal: Terminal, cents: int) -> VoucherSlip:
    answer = await terminal.do(taps.CashOut, cents=cents)
    assert answer.voucher
    return answer.voucher


async def inserts(terminal: Terminal, voucher: VoucherSlip) -> bool:
    answer = await terminal.ask(taps.InsertVoucher, number=voucher.number, code=voucher.code)
    if isinstance(answer, protocol.Refused):
        assert answer.code == "voucher-redeemed"
    return isinstance(answer, protocol.Registered)


async def pays(cashier: Client, voucher: VoucherSlip) -> bool:
    try:
        body = {"request": uuid4().hex, "number": voucher.number, "code": voucher.code}
        paid = await cashier.post("/api/vouchers/pay", body)
        assert await cashier.post("/api/vouchers/pay", body) == paid  # asked again, because the answer was lost
    except ServerSaidNo as no:
        if (no.status, no.code) != (409, "voucher-redeemed"):
            raise
        return False
    return bool(paid["cents"] == voucher.cents)


async def test_a_voucher_is_looked_at_before_it_is_paid(visit: Visit) -> None:
    cashier, manager, dealer, auditor = [
        await visit.person(role) for role in ("cashier", "pit-manager", "dealer", "auditor")
    ]
    voucher = await printed(await visit.sit("a", 9, 5_000), 2_000)
    with_code = {"number": voucher.number, "code": voucher.code}
    seen = await cashier.post("/api/vouchers/look", with_code)
    assert (seen["cents"], seen["table"], seen["seat"]) == (2_000, "a", 9)
    for reader in (manager, auditor):
        assert await reader.post("/api/vouchers/look", {"number": voucher.number}) == seen
    for client, body, why in (
        (cashier, {"number": voucher.number}, "409 no-such-voucher"),
        (dealer, with_code, "403 not-allowed"),
    ):
        with pytest.raises(ServerSaidNo, match=why):
            await client.post("/api/vouchers/look", body)
    assert await pays(cashier, voucher)
    with pytest.raises(ServerSaidNo, match="409 voucher-redeemed"):
        await cashier.post("/api/vouchers/look", with_code)


async def test_of_two_terminals_at_two_tables_one_gets_it(server: Server) -> None:
    async with Visit(server) as visit:
        one, two = await visit.sit("a", 1, 100_000), await visit.sit("b", 1)
        for cents in range(1_000, 1_020):
            voucher = await printed(one, cents)
            won = await asyncio.gather(inserts(two, voucher), inserts(one, voucher), inserts(two, voucher))
            assert sum(won) == 1, won
        assert one.you.credit_cents + two.you.credit_cents == 100_000
    await server.check_books()


async def test_of_a_terminal_and_the_desk_one_gets_it(server: Server) -> None:
    async with Visit(server) as visit:
        one, two = await visit.sit("a", 2, 100_000), await visit.sit("b", 2)
        cashier, paid = await visit.person("cashier"), 0
        for cents in range(2_000, 2_020):
            voucher = await printed(one, cents)
            at_desk, at_terminal, again = await asyncio.gather(
                pays(cashier, voucher), inserts(two, voucher), pays(cashier, voucher)
            )
            assert at_desk + at_terminal + again == 1
            paid += cents * (at_desk or again)
        assert one.you.credit_cents + two.you.credit_cents + paid == 100_000
    await server.check_books()


async def test_a_wrong_code_and_an_unknown_number_are_answered_alike(visit: Visit) -> None:
    one = await visit.sit("a", 3, 5_000)
    voucher = await printed(one, 5_000)
    wrong = await one.ask(taps.InsertVoucher, number=voucher.number, code="AAAA-AAAA-AAAA-AAAA")
    unknown = await one.ask(taps.InsertVoucher, number="a-3-99", code=voucher.code)
    assert isinstance(wrong, protocol.Refused)
    assert isinstance(unknown, protocol.Refused)
    assert (wrong.code, unknown.code) == ("no-such-voucher", "no-such-voucher")
    assert await inserts(one, voucher)


async def test_wrong_codes_at_the_desk_are_told_and_slow_that_person_down_alone(tmp_path: Path) -> None:
    with running(new_venue(tmp_path / "venue", *TABLES)) as server:
        async with Visit(server) as visit:
            await visit.open("a")
            cashier, manager = await visit.person("cashier"), await visit.person("pit-manager")
            voucher = await printed(await visit.sit("a", 1, 5_000), 5_000)
            codes: list[str] = []
            for turn in range(12):
                path = "/api/vouchers/look" if turn % 2 else "/api/vouchers/pay"
                guess = {"number": voucher.number, "code": "AAAA-AAAA-AAAA-AAAA"}
                with pytest.raises(ServerSaidNo) as refused:
                    await cashier.post(path, guess if turn % 2 else {"request": f"r{turn}", **guess})
                codes.append(refused.value.code)
            assert codes == ["no-such-voucher"] * 5 + ["too-many-wrong-codes"] * 7
            assert (await manager.post("/api/vouchers/look", {"number": voucher.number}))["cents"] == 5_000
        assert server.terminate() == 0
        told = [read_line(one) for one in await server.history("venue") if one.kind == "wrong-codes-at-desk"]
        assert [one.event.describe() for one in told] == ["cass entered 5 wrong voucher codes at the desk"]


@pytest.mark.parametrize("place", ["terminal", "desk"])
async def test_across_a_crash_in_between(tmp_path: Path, place: str) -> None:
    """It is sent to be redeemed and the power fails; afterwards it is worth its money exactly once."""
    with running(new_venue(tmp_path / "venue", *TABLES)) as server:
        async with Visit(server) as visit:
            await visit.open("a", "b")
            one, two = await visit.sit("a", 1, 30_000), await visit.sit("b", 1)
            voucher = await printed(one, 30_000)
            again = taps.InsertVoucher(request="in-1", number=voucher.number, code=voucher.code)
            if place == "terminal":
                two.live.send(again)
            else:
                cashier = await visit.person("cashier")
                paying = asyncio.create_task(pays(cashier, voucher))
                await asyncio.sleep(0.002)  # somewhere on its way
                server.kill()
                await asyncio.gather(paying, return_exceptions=True)
            if server.running:
                server.kill()
            cookies = one.client.cookies, two.client.cookies
        server.start()
        async with Visit(server) as visit:
            one, two = [await visit.connect(await visit.again(c), t) for c, t in zip(cookies, "ab", strict=True)]
            cashier = await visit.person("cashier")
            held = one.you.credit_cents + two.you.credit_cents
            assert held in (0, 30_000)
            with suppress(Closed):
                answer = await two.live.ask(again)  # the same request: if it was done, it is not done again
            at_desk = await pays(cashier, voucher)
            last = await inserts(one, voucher)
            assert (held == 30_000) + (isinstance(answer, protocol.Registered) and not held) + at_desk + last <= 1
            assert not last
        balances = await server.check_books()
        assert f"voucher/{voucher.number}" not in balances
        credit = sum(cents for account, cents in balances.items() if account.startswith("credit/"))
        assert (credit, balances.get("desk/cass", 0)) in ((30_000, -30_000), (0, 0))


async def test_the_same_cash_out_prints_the_same_voucher_however_long_ago_it_was(tmp_path: Path) -> None:
    """Its answer was lost, rounds went by, the power failed: asked again, it is the same voucher and no second one."""
    request = taps.CashOut(request="out-1", cents=100)
    quick = automatic("a", "mbs-nc", betting=0.2, result=0.02)
    with running(new_venue(tmp_path / "venue", quick)) as server:
        async with Visit(server) as visit:
            await visit.open("a")
            terminal = await visit.sit("a", 1, 10_000)
            answer = await terminal.live.ask(request)
            assert isinstance(answer, protocol.Registered)
            await terminal.until(lambda one: one.table.round >= 4)
            server.kill()
            cookies, voucher = terminal.client.cookies, answer.voucher
        server.start()
        async with Visit(server) as visit:
            terminal = await visit.connect(await visit.again(cookies), "a")
            answer = await terminal.live.ask(request)
            assert isinstance(answer, protocol.Registered)
            assert answer.voucher == voucher
            assert terminal.you.credit_cents == 9_900
