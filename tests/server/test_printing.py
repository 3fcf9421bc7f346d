"""Vouchers on paper: printed when they are durable, a copy marked as one, and no table waits for a printer."""

import asyncio
import os
from pathlib import Path

import pytest

from natural9.cli.init_venue import example
from natural9.core.errors import BadInput
from natural9.journal.line import read_line
from natural9.server.client import ServerSaidNo
from natural9.server.escpos import PrintedVoucher, escpos, qr
from natural9.server.printing import MOST_WAITING, Printers
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Printed
from natural9.table.venue.venue import load_venue
from tests.server.live_server import Visit, new_venue, running, table

ONE = Printed(number="a-1-1", code="AAAA-BBBB-CCCC-DDDD", cents=125_050, expires_at_ms=1_800_000_000_000)
SLIP = PrintedVoucher(
    venue="Natural Nine 天九", currency="SGD", table="a", seat=1, number="a-1-1", code="AAAA-BBBB-CCCC-DDDD",
    cents=125_050, issued="2026-11-18 20:00:00", expires="2026-12-18 20:00:00",
)  # fmt: skip


def printers(folder: Path, address: str, *, patience_s: float = 60) -> Printers:
    folder.mkdir(exist_ok=True)
    (folder / "venue.toml").write_text(
        example().replace("[printer]", f'[printer]\naddress = "{address}"'), encoding="utf-8"
    )
    return Printers(load_venue(folder / "venue.toml"), lambda: 7, patience_s=patience_s, wait_s=0.01)


async def until(found: object) -> None:
    """Nothing here waits for a time: the test's own limit ends what never comes."""
    assert callable(found)
    while not found():
        await asyncio.sleep(0.005)


def test_a_slip_in_english_and_in_both_languages() -> None:
    plain = escpos(SLIP, chinese=False)
    assert b"SGD 1,250.50" in plain
    assert b"AAAA-BBBB-CCCC-DDDD" in plain
    assert b"Natural Nine ??" in plain
    assert qr("natural9:a-1-1:AAAA-BBBB-CCCC-DDDD") in plain
    assert plain.endswith(b"\x1dVB\x00"), "and cut"
    assert b"COPY" not in plain
    both = escpos(SLIP, chinese=True)
    assert "VOUCHER 票券".encode("gb18030") in both
    assert "Natural Nine 天九".encode("gb18030") in both


def test_the_length_of_a_qr_code_counts_its_own_three_bytes() -> None:
    assert b"\x1d(k\x08\x001P0hello" in qr("hello")


@pytest.mark.parametrize("address", ["", "tcp:somewhere", "tcp:host:99999", "device:lp0", "folder:", "fax:1"])
def test_an_address_that_is_none_is_named_with_its_line(tmp_path: Path, address: str) -> None:
    if not address:
        assert not printers(tmp_path, address).is_on, "none is no mistake"
        return
    with pytest.raises(BadInput, match=r"venue\.toml.*line \d+|write tcp:HOST:9100"):
        printers(tmp_path, address)


async def test_over_the_network_once_however_often_the_terminal_asks(tmp_path: Path) -> None:
    came: list[bytes] = []

    async def printer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await reader.read())
        writer.close()

    async with await asyncio.start_server(printer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        ours = printers(tmp_path, f"tcp:127.0.0.1:{port}")
        ours.issued("a", 1, ONE, 0)
        ours.issued("a", 1, ONE, 0)
        ours.print_slip("a", 1, ONE, 0, is_copy=True)
        await until(lambda: len(came) == 2)
        await ours.close()
    assert [b"COPY" in one for one in came] == [False, True]


async def test_a_printer_that_is_away_is_told_and_prints_when_it_is_back(tmp_path: Path) -> None:
    os.mkfifo(device := tmp_path / "lp0")
    ours = printers(tmp_path / "venue", f"device:{device}")
    ours.issued("a", 1, ONE, 0)
    await until(ours.troubles)
    [away] = ours.troubles()
    assert (away.table, away.seat, away.since_ms, away.waiting, away.given_up) == ("a", 1, 7, 1, 0)
    paper = os.open(device, os.O_RDONLY | os.O_NONBLOCK)  # until somebody reads it, a pipe takes nothing
    await until(lambda: not ours.troubles())
    assert b"a-1-1" in os.read(paper, 65536)
    os.close(paper)
    await ours.close()


async def test_what_waits_is_bounded_and_a_slip_is_not_printed_when_everybody_has_gone(tmp_path: Path) -> None:
    ours = printers(tmp_path, "tcp:127.0.0.1:9", patience_s=0)
    for number in range(MOST_WAITING + 5):
        ours.print_slip("a", 1, Printed(number=f"a-1-{number}", code="A", cents=1, expires_at_ms=1), 0, is_copy=False)
    await until(lambda: any(one.given_up > 5 for one in ours.troubles()))
    assert ours.troubles()[0].waiting < MOST_WAITING
    await ours.close()


async def test_at_a_table_and_again_for_staff_who_may(tmp_path: Path) -> None:
    venue = new_venue(tmp_path / "venue", table("a", "rws-nc"))
    with (venue / "venue.toml").open("a", encoding="utf-8") as file:
        file.write('\n[printer]\naddress = "folder:slips-{table}-{seat}"\n')
    with running(venue) as server:
        async with Visit(server) as visit:
            await visit.open("a")
            cashier, manager = await visit.person("cashier"), await visit.person("pit-manager")
            terminal = await visit.sit("a", 3, 5_000)
            answer = await terminal.do(taps.CashOut, cents=5_000)
            assert answer.voucher
            number = answer.voucher.number
            slips = venue / "slips-a-3"
            await until((slips / f"{number}.1.escpos").exists)
            assert answer.voucher.code.encode() in (slips / f"{number}.1.escpos").read_bytes()
            with pytest.raises(ServerSaidNo) as refused:
                await cashier.post("/api/vouchers/print", {"number": number, "why": "torn"})
            assert refused.value.status == 403
            await manager.post("/api/vouchers/print", {"number": number, "why": "torn"})
            await until((slips / f"{number}.2.escpos").exists)
            assert b"COPY" in (slips / f"{number}.2.escpos").read_bytes()
            assert await manager.get("/api/vouchers/printers") == []
            await manager.post("/api/tables/a/commands", void(number))
            with pytest.raises(ServerSaidNo) as gone:
                await manager.post("/api/vouchers/print", {"number": number, "why": "again"})
            assert gone.value.code == "voucher-redeemed"
        assert server.terminate() == 0
        told = [read_line(one) for one in await server.history("venue") if one.kind == "voucher-reprinted"]
        assert [one.event.describe() for one in told] == [f"max printed a copy of voucher {number}: 50.00: torn"]


def void(number: str) -> dict[str, object]:
    return {"request": "void-1", "command": {"type": "void-voucher", "number": number}, "why": "test"}
