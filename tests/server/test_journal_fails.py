"""A journal that cannot be written: the table stops, everybody is told, and nothing that was not durable was said."""

import asyncio
import os
import resource
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from natural9.core.irregularities import Remedy
from natural9.core.round import commands as round_commands
from natural9.journal.line import read_line
from natural9.server import protocol
from natural9.server.client import Client, ServerSaidNo
from natural9.table.commands import orders as order_book
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.live_server import Server, Terminal, Visit, new_venue, running, table


def fill_the_disk(server: Server) -> None:
    resource.prlimit(server.journal_pid, resource.RLIMIT_FSIZE, (1, 1))  # from now on no file may grow


def kill_its_writer(server: Server) -> None:
    os.kill(server.journal_pid, signal.SIGKILL)


@pytest.mark.parametrize("break_it", [fill_the_disk, kill_its_writer])
async def test_the_table_stops_says_so_and_loses_nothing(tmp_path: Path, break_it: Callable[[Server], None]) -> None:
    with running(new_venue(tmp_path / "venue", table("a", "mbs-nc"))) as server:
        async with Visit(server) as visit:
            await visit.open("a")
            terminal = await visit.sit("a", 1, 10_000)
            await visit.begin_round("a")
            await terminal.betting_open()
            await terminal.bet("banker", 1_000)
            break_it(server)
            again = taps.Bet(request="again", round=terminal.table.round, wager="player", cents=2_000)
            assert isinstance(await terminal.live.ask(again), protocol.Unknown)
            with pytest.raises(ServerSaidNo, match="503 unknown: It is not known yet whether this was done"):
                await visit.do("cashier", "a", staff.CreditTerminal, seat=1, cents=100)
            await terminal.until(lambda one: one.of(protocol.Halted), "halted")
            late = await terminal.client.connect("/ws/table/a")  # who comes now is told as well
            assert (await late.wait_for(protocol.Halted)).why.said
            late.close()
            await late.wait_closed()
            with pytest.raises(ServerSaidNo, match="503 not-ready"):
                await terminal.client.get("/readyz")
        server.kill()
        server.start()
        async with Visit(server) as visit:
            [line] = await (await visit.person("pit-manager")).get("/api/tables/a/terminals")
            # What was acknowledged is there, the other bet is not; the table waits until its cards are confirmed.
            assert (line["seat"], line["credit_cents"], line["staked_cents"]) == (1, 9_000, 1_000)
        server.kill()
        await server.check_books()


async def ready_until_it_is_not(client: Client) -> None:
    while True:
        await client.get("/readyz")
        await asyncio.sleep(0.01)


async def test_a_server_whose_journal_cannot_be_written_is_not_ready_though_nobody_has_bet(tmp_path: Path) -> None:
    with running(new_venue(tmp_path / "venue", table("a", "mbs-nc"))) as server:
        async with Visit(server) as visit:
            client = await visit.stranger()
            assert await client.get("/readyz") is not None
            kill_its_writer(server)
            with pytest.raises(ServerSaidNo, match="503 not-ready: Stopped: the journal cannot be written"):
                await ready_until_it_is_not(client)


async def test_nobody_is_told_no_for_what_is_in_the_journal(tmp_path: Path) -> None:
    """Its process is killed while bets, cash-outs, credit and payments are on their way: what is durable of them is
    known again under the same request, and what is not is done then; nothing is done twice."""
    with running(new_venue(tmp_path / "venue", table("a", "mbs-nc"))) as server:
        async with Visit(server) as visit:
            terminal = await visit.sit("a", 1, 100_000)
            await visit.enrolled("a", 2)
            number = await visit.begin_round("a")
            vouchers = [(await terminal.do(taps.CashOut, cents=1_000)).voucher for _ in range(5)]
            cashier = await visit.person("cashier")
            taken: list[taps.Tap] = []
            for n in range(40):
                taken.append(taps.Bet(request=f"bet-{n}", round=number, wager="tie", cents=100))
                taken.append(taps.CashOut(request=f"out-{n}", cents=100))
            orders = [
                {"request": f"order-{n}", "command": order_book.write(staff.CreditTerminal(seat=2, cents=100))}
                for n in range(5)
            ]
            pays = [
                {"request": f"pay-{n}", "number": voucher.number, "code": voucher.code}
                for n, voucher in enumerate(vouchers)
                if voucher
            ]

            async def all_of(terminal: Terminal, cashier: Client) -> list[Any]:
                return await asyncio.gather(
                    *(terminal.live.ask(tap) for tap in taken),
                    *(cashier.post("/api/tables/a/commands", body) for body in orders),
                    *(cashier.post("/api/vouchers/pay", body) for body in pays),
                    return_exceptions=True,
                )

            asking = asyncio.create_task(all_of(terminal, cashier))
            await terminal.until(lambda one: len(one.of(protocol.Registered)) > 6, "the first answers")
            kill_its_writer(server)
            first = await asking
            for answer in first:
                assert not isinstance(answer, protocol.Refused), answer
                assert not isinstance(answer, ServerSaidNo) or (answer.status, answer.code) == (503, "unknown"), answer
            cookies = terminal.client.cookies
            server.kill()
        server.start()
        async with Visit(server) as visit:
            held = {"remedy": Remedy.CONFIRM_CARDS, "why": "no card lies"}
            if (await visit.see("a")).table.waiting:
                await visit.do("pit-supervisor", "a", round_commands.DecideIrregularity, **held)
            terminal = await visit.connect(await visit.again(cookies), "a")
            second = await all_of(terminal, await visit.person("cashier"))
            for before, now in zip(first, second, strict=True):
                assert not isinstance(now, protocol.Unknown | Exception), now
                if isinstance(before, protocol.Registered):
                    assert isinstance(now, protocol.Registered)
                    assert now.voucher == before.voucher
        lines = [read_line(entry) for entry in await server.history()]
        done = Counter((line.origin.by, line.origin.request) for line in lines if line.command)
        assert set(done.values()) == {1}
        server.kill()
        await server.check_books()
        await server.check_every_round()


async def test_a_voucher_whose_payment_nobody_knows_of_is_not_called_redeemed(tmp_path: Path) -> None:
    with running(new_venue(tmp_path / "venue", table("a", "mbs-nc"))) as server:
        async with Visit(server) as visit:
            await visit.open("a")
            printed = (await (await visit.sit("a", 1, 10_000)).do(taps.CashOut)).voucher
            assert printed
            cashier, voucher = await visit.person("cashier"), {"number": printed.number, "code": printed.code}
            kill_its_writer(server)
            with pytest.raises(ServerSaidNo, match="503 unknown"):
                await cashier.post("/api/vouchers/pay", {"request": "pay", **voucher})
            with pytest.raises(ServerSaidNo, match="503 unknown"):
                await cashier.post("/api/vouchers/look", voucher)
        server.kill()
        server.start()
        async with Visit(server) as visit:
            cashier = await visit.person("cashier")
            assert (await cashier.post("/api/vouchers/look", voucher))["cents"] == 10_000
            await cashier.post("/api/vouchers/pay", {"request": "pay", **voucher})
            with pytest.raises(ServerSaidNo, match="409 voucher-redeemed"):
                await cashier.post("/api/vouchers/look", voucher)
        server.kill()
