"""A cashier's shift: float, fills, cash back to the vault, the count, over and short; and books that always balance."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from natural9.journal.line import read_line
from natural9.journal.venue_events import DrawerClosed
from natural9.server.client import Client, ServerSaidNo
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.live_server import PEOPLE, Server, Visit, new_venue, password, running, table

CAGE = "[cage]\nsecond_signature = 5000\n"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One for each: a shift is told from all that a desk has done."""
    with running(new_venue(tmp_path / "drawers", CAGE, table("a", "rws-nc"))) as one:
        yield one


async def drawer(client: Client, what: str, cents: int, request: str, **more: Any) -> Any:
    return await client.post(f"/api/drawer/{what}", {"request": request, "cents": cents, **more})


async def refused(asked: Any) -> str:
    with pytest.raises(ServerSaidNo) as no:
        await asked
    return no.value.code


async def test_a_shift_from_the_float_to_the_count(visit: Visit, server: Server) -> None:
    cashier = await visit.person("cashier")
    await visit.sit("a", 1)
    assert await cashier.get("/api/drawer") is None
    for what in ("fill", "return", "close"):
        assert await refused(drawer(cashier, what, 100, f"early-{what}")) == "drawer-not-open"
    await visit.do("cashier", "a", staff.CreditTerminal, seat=1, cents=2_000)  # before the drawer is opened
    opened = await drawer(cashier, "open", 100_000, "open")
    assert opened == await drawer(cashier, "open", 100_000, "open"), "a second click opens nothing twice"
    assert await refused(drawer(cashier, "open", 100_000, "other")) == "drawer-open"
    assert await refused(drawer(cashier, "open", 5, "open")) == "request-reused"
    await visit.do("cashier", "a", staff.CreditTerminal, seat=1, cents=30_000)
    await visit.do("cashier", "a", staff.HandPay, seat=1, cents=12_000, why="wants notes")
    assert await refused(drawer(cashier, "fill", 600_000, "much")) == "signature-required"
    signed = {"id": PEOPLE["pit-manager"], "password": password("pit-manager")}
    filled = await drawer(cashier, "fill", 600_000, "fill", signature=signed)
    assert filled["receipt"]["number"] == opened["receipt"]["number"] + 3, "the drawer's own cash has receipts, too"
    assert await refused(drawer(cashier, "return", 720_001, "all")) == "bad-amount"
    assert await refused(drawer(cashier, "return", 0, "none")) == "bad-amount"
    await drawer(cashier, "return", 50_000, "return")
    assert (await cashier.get("/api/drawer"))["float_cents"] == 100_000
    [written] = [one for one in await server.history("venue") if one.number == filled["entry"]]
    assert written.request.endswith(" fill")

    server.kill()  # the drawer stays open over a power cut
    server.start()
    async with Visit(server) as later:
        cashier, auditor = await later.person("cashier"), await later.person("auditor")
        assert (await cashier.get("/api/drawer"))["returned_cents"] == 50_000
        done = await drawer(cashier, "close", 669_700, "close")
        told = {name: cents for name, cents in done["close_out"].items() if name != "opened_at_ms"}
        assert told == {
            "carried_cents": 2_000,
            "float_cents": 100_000,
            "filled_cents": 600_000,
            "returned_cents": 50_000,
            "taken_in_cents": 30_000,
            "hand_paid_cents": 12_000,
            "vouchers_paid_cents": 0,
            "expected_cents": 670_000,
            "counted_cents": 669_700,
            "over_cents": -300,
        }
        assert await drawer(cashier, "close", 669_700, "close") == done
        assert await cashier.get("/api/drawer") is None
        [line] = await cashier.get("/api/reports/close-outs")
        assert (line["desk"], line["over_cents"]) == (PEOPLE["cashier"], -300)
        [desk] = [one for one in await auditor.get("/api/reports/desks") if one["desk"] == PEOPLE["cashier"]]
        assert desk["drawer_now_cents"] == 0, "the next shift begins with an empty drawer"
        lines = await auditor.get("/api/reports/events")
        assert any("6,697.00 counted, 3.00 short" in one["says"] for one in lines), "over and short is significant"
        assert await refused(drawer(await later.person("dealer"), "open", 100, "d1")) == "not-allowed"
        await drawer(cashier, "open", 0, "again")  # with nothing in it, and more is counted than there can be
        assert (await drawer(cashier, "close", 250, "over"))["close_out"]["over_cents"] == 250
    server.kill()
    await server.check_every_round()
    server.start()


async def test_the_count_waits_for_cash_that_is_on_its_way(visit: Visit, server: Server) -> None:
    """Whatever is credited while a drawer is closed is in the shift or after it, and never in between."""
    cashier = await visit.person("cashier")
    await visit.sit("a", 2)
    await drawer(cashier, "open", 1_000, "r0")
    bought = [cashier.order("a", staff.CreditTerminal(seat=2, cents=100), request=f"c{n}") for n in range(20)]
    *_, done = await asyncio.gather(*bought, drawer(cashier, "close", 0, "r1"))
    events = [read_line(one).event for one in await server.history("venue")]
    closed = [one for one in events if isinstance(one, DrawerClosed)][-1]
    assert closed.expected_cents == 1_000 + closed.taken_in_cents == done["close_out"]["expected_cents"]
    server.kill()
    await server.check_every_round()
    server.start()


async def test_where_the_venue_wants_it_no_cash_moves_without_an_open_drawer(tmp_path: Path) -> None:
    cage = "[cage]\nopen_drawer_first = true\n"
    with running(new_venue(tmp_path / "venue", cage, table("a", "rws-nc"))) as server:
        async with Visit(server) as visit:
            cashier = await visit.person("cashier")
            player = await visit.sit("a", 1)

            async def credit(request: str) -> Any:
                return await cashier.order("a", staff.CreditTerminal(seat=1, cents=1_000), request=request)

            assert await refused(credit("c1")) == "drawer-not-open"
            await drawer(cashier, "open", 5_000, "open")
            done = await credit("c2")
            slip = (await player.do(taps.CashOut, cents=400)).voucher
            assert slip
            await drawer(cashier, "close", 6_000, "close")
            assert (await credit("c2"))["receipt"] == done["receipt"], "what was done stays done"
            by_hand = cashier.order("a", staff.HandPay(seat=1), request="h1", why="leaves")
            assert await refused(by_hand) == "drawer-not-open"
            pay = {"request": "v1", "number": slip.number, "code": slip.code}
            assert await refused(cashier.post("/api/vouchers/pay", pay)) == "drawer-not-open"
            await drawer(cashier, "open", 5_000, "again")
            assert (await cashier.post("/api/vouchers/pay", pay | {"request": "v2"}))["cents"] == 400
        server.kill()
        await server.check_every_round()
