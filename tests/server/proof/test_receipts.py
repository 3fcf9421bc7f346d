"""A receipt of what a terminal asked for: for that terminal, and for staff who may audit; to be checked without us."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import segno

from natural9.proof.signed_note import VerifierKey
from natural9.server.client import Client, ServerSaidNo
from natural9.server.escpos import qr
from natural9.server.people.answers import ApiRefused
from natural9.server.proof import receipts
from natural9.store.receipt import EntryReceipt, check_receipt, read_receipt
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from tests.server.live_server import Server, Visit, new_venue, running, table
from tests.server.proof.test_checkpoints import a_house
from tests.server.test_voucher_slip import modules


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    tables = [table(id, "rws-nc") for id in "abcd"]
    printer = '[printer]\naddress = "folder:slips-{table}-{seat}"\n'
    folder = new_venue(tmp_path_factory.mktemp("receipts"), *tables, printer)
    with running(folder) as server:
        yield server


async def receipt_for(client: Client, at: str, entry: int, **more: Any) -> EntryReceipt:
    while True:
        try:
            told = await client.get("/api/receipt", table=at, entry=str(entry), **more)
            return read_receipt(json.dumps(told).encode())
        except ServerSaidNo as no:
            if no.code != "again":  # no checkpoint covers it yet: on a slow disk that may take long
                raise


async def refused(client: Client, **query: str) -> tuple[int, str, str]:
    with pytest.raises(ServerSaidNo) as no:
        await client.get("/api/receipt", **query)
    return no.value.status, no.value.code, no.value.message


async def house_key(client: Client) -> VerifierKey:
    return VerifierKey.parse((await client.get("/api/checkpoint/keys"))["keys"][-1]["key"])


async def test_a_bet_and_a_voucher_have_receipts_that_need_no_house(visit: Visit) -> None:
    player = await visit.sit("a", 1, 10_000)
    key = await house_key(await visit.stranger())
    await visit.begin_round("a")
    laid = await player.do(taps.LayBets, bets={"player": 500, "tie": 200})
    receipt = await receipt_for(player.client, "a", laid.entries[0])
    holds = check_receipt(receipt, key)
    assert holds.head.size >= receipt.entry.seq
    assert (receipt.entry.stream, receipt.entry.number) == ("table/a", laid.entries[0])
    body = json.loads(receipt.entry.body)
    assert (body["by"], body["request"]) == ("a-1", laid.requests[0])
    assert {one[0] for one in receipt.entry.transfers} == {"bet"}
    also = await receipt_for(player.client, "a", laid.entries[0] + 1)  # all that it led to, not only the first
    assert json.loads(also.entry.body)["request"] == laid.requests[0]
    printed = await player.do(taps.CashOut, cents=1_000)
    assert printed.voucher
    assert printed.voucher.entry == printed.entries[0]
    voucher = await receipt_for(player.client, "a", printed.voucher.entry)
    check_receipt(voucher, key)
    assert voucher.entry.label == f"voucher/{printed.voucher.number}"
    assert printed.voucher.code not in str(voucher), "whoever has the receipt has not the money"


async def test_nobody_else_has_it_and_nothing_leaks(visit: Visit) -> None:
    player, neighbour, away = await visit.sit("c", 2, 1_000), await visit.sit("c", 3, 1_000), await visit.sit("b", 2)
    await visit.begin_round("c")
    entry = str((await player.bet("player", 500)).entries[0])
    own = await receipt_for(player.client, "c", int(entry))
    never = await refused(neighbour.client, table="c", entry="999999")
    assert never[:2] == (404, "no-such-entry")
    assert await refused(neighbour.client, table="c", entry=entry) == never, "as if it was not there"
    assert await refused(player.client, table="c", entry="1") == never, "nor is what the table did"
    assert (await refused(away.client, table="c", entry=entry))[:2] == (403, "not-allowed")
    assert (await refused(player.client, entry="1"))[0] == 403, "the cash desk's are no terminal's"
    assert (await refused(await visit.stranger(), table="c", entry=entry))[:2] == (401, "sign-in-first")
    assert (await refused(await visit.person("dealer"), table="c", entry=entry))[:2] == (403, "not-allowed")
    assert (await refused(player.client, table="c", entry="0"))[0] == 400
    assert (await refused(player.client, table="c", entry=entry, size="1"))[:2] == (404, "no-such-checkpoint")
    auditor = await visit.person("auditor")
    assert (await receipt_for(auditor, "c", int(entry))).entry == own.entry
    check_receipt(await receipt_for(auditor, "", 1))
    again = await visit.enrolled("c", 2)  # another device at the same seat
    assert await refused(again, table="c", entry=entry) == never


async def test_a_players_limits_and_cards_are_no_receipt(visit: Visit) -> None:
    player = await visit.sit("b", 4, 1_000)
    done = await player.do(taps.SetPlayLimits, loss_cents=5_000)
    assert (await refused(player.client, table="b", entry=str(done.entries[0])))[1] == "no-such-entry"


async def test_the_qr_code_holds_the_receipt_itself(visit: Visit) -> None:
    player = await visit.sit("b", 1, 1_000)
    await visit.begin_round("b")
    entry = (await player.bet("player", 500)).entries[0]
    receipt = await receipt_for(player.client, "b", entry)
    size = str(check_receipt(receipt).head.size)
    same = await receipt_for(player.client, "b", entry, size=size)
    assert same == receipt, "by its checkpoint, the same again"
    picture = await player.client.get("/api/receipt/qr", table="b", entry=str(entry), size=size)
    code = segno.make(
        msgspec.json.encode(receipt), error="l", boost_error=False, micro=False, mask=receipts.MASK, mode="byte"
    )
    assert modules(picture) == [list(map(int, row)) for row in code.matrix]
    assert 'xmlns="http://www.w3.org/2000/svg"' in picture


async def test_one_that_is_too_long_for_a_qr_code_says_so(visit: Visit) -> None:
    await visit.sit("b", 5)
    why = "理" * 490
    done = await visit.do("pit-manager", "b", staff.LockTerminal, seat=5, why=why)
    auditor = await visit.person("auditor")
    note = await receipt_for(auditor, "b", done["entry"])
    assert why.strip() in note.entry.body
    with pytest.raises(ServerSaidNo) as no:
        await auditor.get("/api/receipt/qr", table="b", entry=str(done["entry"]))
    assert (no.value.status, no.value.code) == (409, "too-long")


async def test_a_terminal_prints_its_own_at_its_own_printer(visit: Visit) -> None:
    player, neighbour = await visit.sit("d", 4, 10_000), await visit.sit("d", 5)
    await visit.begin_round("d")
    entry = (await player.bet("player", 500)).entries[0]
    receipt = await receipt_for(player.client, "d", entry)
    size = check_receipt(receipt).head.size
    asked = {"table": "d", "entry": entry, "size": size}
    for other in (neighbour.client, await visit.person("auditor"), await visit.stranger()):
        with pytest.raises(ServerSaidNo) as no:
            await other.post("/api/receipt/print", asked)
        assert no.value.code in ("no-such-entry", "not-allowed", "sign-in-first")
    assert not [*visit.server.folder.glob("slips-d-5/*")]
    await player.client.post("/api/receipt/print", asked)
    [slip] = visit.server.folder.glob("slips-d-4/receipt-*")
    told = slip.read_bytes()
    round = json.loads(receipt.entry.body)["command"]["round"]
    facts = ("Seat 4 bets 5.00 on Player", "SGD 5.00", "Table d, seat 4", f"Game no.: {round}", f"Entry: {entry}")
    for fact in (*facts, f"entries {size}", f"Check it at: {visit.server.address.partition('//')[2]}/receipt"):
        assert fact.encode() + b"\n" in told
    assert qr(msgspec.json.encode(receipt).decode()) in told, "what the code on the screen holds"


async def test_before_a_checkpoint_covers_it_it_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "WAITS_S", 0.0)
    async with a_house(tmp_path) as house:
        await asyncio.sleep(0)
        newest = house.office.checkpoints.newest
        assert newest
        [*_, last] = await house.store.entries(after=(await house.store.head()).seq - 1)  # it goes on meanwhile
        later = last._replace(seq=last.seq + 100)
        with pytest.raises(ApiRefused) as no:
            await receipts._covering(house.office.checkpoints, later)
        assert (no.value.status_code, no.value.error.code) == (503, "again")
        assert await receipts._covering(house.office.checkpoints, last._replace(seq=newest.size)) is not None
