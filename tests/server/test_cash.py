"""Cash at the desk: how much at once, who signs besides, for which terminals, and what the receipt says."""

from collections.abc import Iterator
from typing import Any

import pytest

from natural9.journal.line import read_line
from natural9.journal.table_events import CreditBought
from natural9.journal.venue_events import VoucherPaid
from natural9.server import protocol
from natural9.server.client import Client, ServerSaidNo
from natural9.server.voucher_slip import VoucherSlip
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.live_server import PEOPLE, Server, Terminal, Visit, new_venue, password, running, table

CAGE = "[cage]\nceiling = 5000\nsecond_signature = 1000\n"
ALONE, BOTH, TOO_MUCH = 100_000, 100_001, 500_001  # cents


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(new_venue(tmp_path_factory.mktemp("cash"), CAGE, table("a", "rws-nc"), table("b", "rws-nc"))) as one:
        yield one


async def collect(player: Terminal, cents: int) -> VoucherSlip:
    answer = await player.do(taps.CashOut, cents=cents)
    assert answer.voucher
    return answer.voucher


async def pay(cashier: Client, slip: VoucherSlip, request: str, *, signature: str = "") -> Any:
    body: dict[str, Any] = {"request": request, "number": slip.number, "code": slip.code}
    if signature:
        body["signature"] = {"id": PEOPLE[signature], "password": password(signature)}
    return await cashier.post("/api/vouchers/pay", body)


async def code_of(asked: Any) -> str:
    with pytest.raises(ServerSaidNo) as no:
        await asked
    return no.value.code


async def test_above_an_amount_another_person_signs_and_above_the_ceiling_nobody_does(
    visit: Visit, server: Server
) -> None:
    player = await visit.sit("a", 1)

    async def credit(cents: int, signature: str | None = None) -> Any:
        return await visit.do("cashier", "a", staff.CreditTerminal, seat=1, cents=cents, signature=signature)

    await credit(ALONE)
    assert await code_of(credit(BOTH)) == "signature-required"
    assert await code_of(credit(BOTH, "cashier")) == "same-person"
    assert await code_of(credit(BOTH, "pit-supervisor")) == "not-allowed"
    await credit(BOTH, "pit-manager")
    assert await code_of(credit(TOO_MUCH, "shift-manager")) == "over-ceiling"
    await player.until(lambda one: one.you.credit_cents == ALONE + BOTH, "the credit, and nothing of what was refused")

    bought = [read_line(one).event for one in await server.history("table/a")]
    signed = [(one.cents, one.signed_by) for one in bought if isinstance(one, CreditBought)]
    assert signed == [(ALONE, ""), (BOTH, PEOPLE["pit-manager"])]

    async def hand_pay(signature: str | None = None) -> Any:
        return await visit.do("cashier", "a", staff.HandPay, seat=1, why="wants notes", signature=signature)

    assert await code_of(hand_pay()) == "signature-required", "all of it is more than one person pays"
    await hand_pay("pit-manager")


async def test_a_large_voucher_is_paid_by_two_and_the_same_request_pays_once(visit: Visit, server: Server) -> None:
    player = await visit.sit("a", 2)
    await visit.do("cashier", "a", staff.CreditTerminal, seat=2, cents=BOTH, signature="pit-manager")
    slip = await collect(player, BOTH)
    cashier = await visit.person("cashier")
    assert await code_of(pay(cashier, slip, "v1")) == "signature-required"
    assert await code_of(pay(cashier, slip, "v1", signature="pit-manager")) == "signature-required", "it stays refused"
    paid = await pay(cashier, slip, "v2", signature="pit-manager")
    assert paid == await pay(cashier, slip, "v2"), "an answer that was lost is given again, signed or not"
    [event] = [one.event for one in map(read_line, await server.history("venue")) if isinstance(one.event, VoucherPaid)]
    assert (event.number, event.desk, event.signed_by) == (slip.number, PEOPLE["cashier"], PEOPLE["pit-manager"])


async def test_only_a_seat_with_a_terminal_is_credited(visit: Visit) -> None:
    async def credit() -> Any:
        return await visit.do("cashier", "a", staff.CreditTerminal, seat=9, cents=100)

    assert await code_of(credit()) == "no-terminal"
    await visit.enrolled("a", 9)
    await credit()
    admin = await visit.person("administrator")
    await admin.post("/api/devices/terminal-a-9/revoke")
    assert await code_of(credit()) == "no-terminal"
    await visit.do("cashier", "a", staff.HandPay, seat=9, why="the terminal is gone")


async def test_whoever_brings_a_redeemed_voucher_is_told_what_became_of_it(visit: Visit) -> None:
    await visit.open("a")
    player = await visit.sit("a", 3, 900)
    slips = [await collect(player, 300) for _ in range(3)]
    cashier, manager = await visit.person("cashier"), await visit.person("pit-manager")
    await pay(cashier, slips[0], "r1")
    await player.do(taps.InsertVoucher, number=slips[1].number, code=slips[1].code)
    await visit.do("pit-manager", "a", staff.VoidVoucher, number=slips[2].number, why="printed twice")
    ends = (
        f"was paid at the desk by {PEOPLE['cashier']}, 20",
        "was put into the terminal of table a, seat 3, 20",
        f"was voided by {PEOPLE['pit-manager']}, 20",
    )
    for place, (slip, end) in enumerate(zip(slips, ends, strict=True)):
        look = {"number": slip.number, "code": slip.code}
        for asked in (cashier.post("/api/vouchers/look", look), pay(cashier, slip, f"again-{place}")):
            with pytest.raises(ServerSaidNo) as no:
                await asked
            assert no.value.code == "voucher-redeemed"
            assert f"Voucher {slip.number} {end}" in no.value.message
    with pytest.raises(ServerSaidNo) as no:
        await manager.post("/api/vouchers/look", {"number": "a-3-77"})
    assert no.value.code == "no-such-voucher", "what was never issued is not redeemed"
    refused = await player.ask(taps.InsertVoucher, number=slips[0].number, code=slips[0].code)
    assert isinstance(refused, protocol.Refused)
    assert refused.code == "voucher-redeemed"
    assert PEOPLE["cashier"] not in refused.message, "a player is not told who works at the desk"


async def test_receipts_are_numbered_through_the_venue_without_a_gap_and_for_ever(visit: Visit, server: Server) -> None:
    cashier = await visit.person("cashier")
    one, other = await visit.sit("a", 5, 500), await visit.sit("b", 5, 500)
    slip = await collect(one, 200)

    entries: list[list[int]] = []

    async def numbers() -> list[int]:
        """Each asked twice under one request: the number is the same."""
        asked = [
            ("a", staff.CreditTerminal(seat=5, cents=100), "n1"),
            ("b", staff.CreditTerminal(seat=5, cents=100), "n2"),
            ("b", staff.HandPay(seat=5, cents=300), "n3"),
        ]
        done = [await cashier.order(at, what, request=request, why="leaves") for at, what, request in asked]
        done.append(await pay(cashier, slip, "n4"))
        entries.append([answer["entry"] for answer in done])
        return [answer["receipt"]["number"] for answer in done]

    first = await numbers()
    assert first == list(range(first[0], first[0] + 4))
    assert await numbers() == first
    voided = await collect(other, 100)
    done = await visit.do("pit-manager", "b", staff.VoidVoucher, number=voided.number, why="printed twice")
    assert done["receipt"] is None, "no cash moved"
    server.kill()
    server.start()
    async with Visit(server) as later:
        cashier = await later.person("cashier")
        assert await numbers() == first, "the journal says it, after a restart as well"
        assert entries == [entries[0]] * 3
        streams = ("table/a", "table/b", "table/b", "venue")
        for stream, entry, request in zip(streams, entries[0], ("n1", "n2", "n3", "n4"), strict=True):
            [written] = [one for one in await server.history(stream) if one.number == entry]
            assert written.request.endswith(f" {request}"), "each names the entry where what was asked stands"
        await later.sit("b", 6)
        done = await later.do("cashier", "b", staff.CreditTerminal, seat=6, cents=100)
        assert done["receipt"]["number"] == first[-1] + 1
