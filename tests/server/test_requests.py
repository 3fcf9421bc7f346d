"""The same request is carried out once, however often it is sent: over reconnects, restarts and a failing journal."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from natural9.server import protocol
from natural9.server.client import ServerSaidNo
from natural9.server.voucher_slip import VoucherSlip
from natural9.table.commands import terminal as taps
from tests.server.live_server import Terminal, Visit, new_venue, running, table


async def answers(terminal: Terminal, commands: list[Any]) -> list[Any]:
    """All of them sent at once."""
    return await asyncio.gather(*(terminal.live.ask(command) for command in commands))


async def test_bets_that_were_not_answered_are_charged_once_when_they_are_sent_again(tmp_path: Path) -> None:
    with running(new_venue(tmp_path / "venue", table("a", "mbs-nc"))) as server:
        async with Visit(server) as visit:
            terminal = await visit.sit("a", 1, 10_000)
            number = await visit.begin_round("a")
            bets = [taps.Bet(request=f"bet-{n}", round=number, wager="banker", cents=100) for n in range(33)]
            for bet in bets:
                terminal.live.send(bet)
            terminal.live.close()  # before any answer was heard
            again = await visit.connect(terminal.client, "a")
            assert {type(answer) for answer in await answers(again, bets)} == {protocol.Registered}
            assert (again.you.credit_cents, again.you.bets) == (6_700, {"banker": 3_300})


async def test_cash_outs_are_the_same_vouchers_again_after_a_power_cut(tmp_path: Path) -> None:
    with running(new_venue(tmp_path / "venue", table("a", "mbs-nc"))) as server:
        async with Visit(server) as visit:
            await visit.open("a")
            terminal = await visit.sit("a", 1, 10_000)
            asked = [taps.CashOut(request=f"out-{n}", cents=100) for n in range(60)]
            printed = [answer.voucher for answer in await answers(terminal, asked)]
            server.kill()
            cookies = terminal.client.cookies
        server.start()
        async with Visit(server) as visit:
            terminal = await visit.connect(await visit.again(cookies), "a")
            assert [answer.voucher for answer in await answers(terminal, asked)] == printed
            assert terminal.you.credit_cents == 4_000
        await server.check_books()


async def vouchers(visit: Visit, cents: int, many: int = 2) -> list[VoucherSlip]:
    terminal = await visit.sit("a", 1, cents * many)
    printed = [(await terminal.do(taps.CashOut, cents=cents)).voucher for _ in range(many)]
    return [voucher for voucher in printed if voucher]


async def test_one_request_pays_one_voucher(tmp_path: Path) -> None:
    with running(new_venue(tmp_path / "venue", table("a", "mbs-nc"))) as server:
        async with Visit(server) as visit:
            await visit.open("a")
            cashier = await visit.person("cashier")
            one, other = await vouchers(visit, 500)
            body = {"request": "pay-1", "number": one.number, "code": one.code}
            first, copy = await asyncio.gather(
                cashier.post("/api/vouchers/pay", body), cashier.post("/api/vouchers/pay", body)
            )
            assert first == copy
            assert (first["number"], first["cents"], first["desk"]) == (one.number, 500, "cass")
            with pytest.raises(ServerSaidNo, match="409 request-reused"):
                await cashier.post("/api/vouchers/pay", body | {"number": other.number, "code": other.code})
            wrong = {"request": "pay-2", "number": other.number, "code": "AAAA-AAAA-AAAA-AAAA"}
            with pytest.raises(ServerSaidNo, match="409 no-such-voucher"):
                await cashier.post("/api/vouchers/pay", wrong)
            server.kill()
        server.start()
        async with Visit(server) as visit:
            cashier = await visit.person("cashier")
            assert await cashier.post("/api/vouchers/pay", body) == first
            with pytest.raises(ServerSaidNo, match="409 request-reused"):
                await cashier.post("/api/vouchers/pay", body | {"number": other.number, "code": other.code})
            with pytest.raises(ServerSaidNo, match="409 no-such-voucher"):  # a new try is a new request
                await cashier.post("/api/vouchers/pay", wrong | {"code": other.code})
            await cashier.post("/api/vouchers/pay", wrong | {"request": "pay-3", "code": other.code})
        assert await server.check_books() == {}, "all that was bought was paid out"
        await server.check_every_round()
