"""Vouchers on paper: printed when they are durable, a copy marked as one, and no table waits for a printer."""

import asyncio
import os
from pathlib import Path

import msgspec
import pytest
import segno

from natural9.cli.init_venue import example
from natural9.core.errors import BadInput
from natural9.journal.line import read_line
from natural9.server.escpos import LARGEST_QR, QR_SIZES, PrintedReceipt, PrintedVoucher, escpos, qr
from natural9.server.people.limits import TooOften
from natural9.server.printing import MOST_WAITING, RECEIPTS, Printers
from natural9.store.memory import MemoryStore
from natural9.table.commands.cage import Printed
from natural9.table.venue.venue import load_venue
from tests.security.floor import PEER, VENUE, empty_floor
from tests.server.people.house import PASSWORD

ONE = Printed(number="a-1-1", code="AAAA-BBBB-CCCC-DDDD", cents=125_050, expires_at_ms=1_800_000_000_000)
SLIP = PrintedVoucher(
    venue="Natural Nine 天九", currency="SGD", table="a", seat=1, number="a-1-1", code="AAAA-BBBB-CCCC-DDDD",
    cents=125_050, issued="2026-11-18 20:00:00", expires="2026-12-18 20:00:00",
)  # fmt: skip

PROOF = PrintedReceipt(
    venue="Natural Nine", currency="SGD", table="a", seat=1, round=7, says="Seat 1 bets 5.00 on Player", cents=500,
    entry=42, time="2026-11-18 20:00:00", origin="nine.example/journal", size=99, page="nine.example/receipt",
    text='{"natural9":"receipt"}',
)  # fmt: skip
DOTS_ACROSS = 512  # what a printer of 180 dpi has on paper 80 mm wide


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


def test_a_receipt_says_what_it_is_of_and_holds_itself() -> None:
    plain = escpos(PROOF, chinese=False)
    for line in ("RECEIPT", PROOF.says, "SGD 5.00", "Table a, seat 1", "Game no.: 7", "Entry: 42", PROOF.time,
                 "Checkpoint: nine.example/journal, entries 99", "Check it at: nine.example/receipt"):  # fmt: skip
        assert line.encode() + b"\n" in plain
    assert qr(PROOF.text) in plain
    assert "RECEIPT 收据".encode("gb18030") in escpos(PROOF, chinese=True)
    neither = escpos(msgspec.structs.replace(PROOF, round=None, cents=None), chinese=False)
    assert b"Game" not in neither
    assert b"SGD" not in neither


def test_one_that_no_qr_code_holds_says_where_it_is() -> None:
    longest = msgspec.structs.replace(PROOF, text="理" * (LARGEST_QR // 3))
    assert b"too long" not in escpos(longest, chinese=False)
    longer = msgspec.structs.replace(PROOF, text="理" * (LARGEST_QR // 3) + "12")
    told = escpos(longer, chinese=True)
    assert b"save it as a file at this terminal" in told
    assert b"Entry" in told
    assert b"entries" in told
    assert b"\x1d(k" not in told


def test_a_name_tells_the_printer_nothing() -> None:
    told = escpos(msgspec.structs.replace(PROOF, page="localhost:\x1bp\x00\n/receipt"), chinese=False)
    assert b"localhost:?p??/receipt\n" in told


@pytest.mark.parametrize(
    ("bytes_in", "length"),  # GS ( k pL pH cn fn m d1...dk, and pL + pH * 256 = k + 3
    [(5, b"\x08\x00"), (252, b"\xff\x00"), (253, b"\x00\x01"), (2953, b"\x8c\x0b")],
)
def test_the_length_of_a_qr_code_has_two_bytes_and_counts_its_own_three(bytes_in: int, length: bytes) -> None:
    assert b"\x1d(k" + length + b"\x31\x50\x30" + b"x" * bytes_in + b"\x1d(k" in qr("x" * bytes_in)


@pytest.mark.parametrize(("most", "level", "dots"), QR_SIZES)
def test_a_qr_code_fits_the_paper_in_squares_as_large_as_may_be(most: int, level: bytes, dots: int) -> None:
    told = qr("x" * most)
    assert told.startswith(b"\x1d(k\x04\x00\x31\x41\x32\x00"), "model 2"
    assert b"\x1d(k\x03\x00\x31\x43" + bytes([dots]) in told
    assert b"\x1d(k\x03\x00\x31\x45" + level in told
    squares = len(segno.make(b"x" * most, error="lm"[int(level)], boost_error=False, micro=False, mode="byte").matrix)
    assert squares * dots <= DOTS_ACROSS
    if most < LARGEST_QR:
        assert bytes([*b"\x31\x43", dots]) not in qr("x" * (most + 1)), "one byte more takes smaller ones"


@pytest.mark.parametrize(
    "address", ["", "tcp:somewhere", "tcp:host:99999", "tcp:host..example:9100", "device:lp0", "folder:", "fax:1"]
)
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


async def test_a_receipt_is_printed_once_however_often_it_is_tapped_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "slips").mkdir()
    ours = printers(tmp_path, "folder:slips")
    assert await asyncio.gather(*(ours.print_receipt(PROOF, "a", 1) for _ in range(3))) == [None, None, None]
    assert len([*(tmp_path / "slips").iterdir()]) == 1
    assert await ours.print_receipt(PROOF, "a", 1) is None, "asked again later it is printed again"
    assert sorted(path.name for path in (tmp_path / "slips").iterdir()) == [
        "receipt-a-42.1.escpos",
        "receipt-a-42.2.escpos",
    ]
    for _ in range(int(RECEIPTS.at_once) - 2):
        await ours.print_receipt(PROOF, "a", 1)
    with pytest.raises(TooOften):
        await ours.print_receipt(PROOF, "a", 1)
    assert await ours.print_receipt(PROOF, "a", 2) is None, "another seat's paper is its own"
    await ours.close()


async def test_a_receipt_waits_for_no_printer_that_is_away(tmp_path: Path) -> None:
    os.mkfifo(device := tmp_path / "lp0")
    ours = printers(tmp_path / "venue", f"device:{device}")
    assert await ours.print_receipt(PROOF, "a", 1), "why not"
    [away] = ours.troubles()
    assert (away.waiting, away.given_up) == (0, 0), "the player knows: nothing is lost that the pit could print again"
    ours.issued("a", 1, ONE, 0)
    assert await ours.print_receipt(PROOF, "a", 1) == away.why, "vouchers wait already"
    paper = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
    await until(lambda: not ours.troubles())
    assert await ours.print_receipt(PROOF, "a", 1) is None
    told = os.read(paper, 65536)
    assert (b"a-1-1" in told, told.count(b"RECEIPT")) == (True, 1), "what was refused comes no more"
    os.close(paper)
    await ours.close()


async def test_a_receipt_pushes_no_voucher_out(tmp_path: Path) -> None:
    ours = printers(tmp_path, "tcp:127.0.0.1:9")
    for number in range(MOST_WAITING):
        ours.print_slip("a", 1, Printed(number=f"a-1-{number}", code="A", cents=1, expires_at_ms=1), 0, is_copy=False)
    assert await ours.print_receipt(PROOF, "a", 1) == "too many slips wait"
    await until(ours.troubles)
    assert ours.troubles()[0].waiting == MOST_WAITING
    await ours.close()


async def test_whoever_waits_for_a_receipt_is_told_when_the_server_stops(tmp_path: Path) -> None:
    os.mkfifo(device := tmp_path / "lp0")
    paper = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
    ours = printers(tmp_path / "venue", f"device:{device}")
    endless = msgspec.structs.replace(PROOF, says="x" * 1_000_000)  # more than a pipe takes that nobody reads
    waiting = asyncio.create_task(ours.print_receipt(endless, "a", 1))
    await asyncio.sleep(0)
    await ours.close()
    assert await waiting == "no answer"
    os.close(paper)


async def test_a_visitors_slips_come_out_where_the_player_sits(tmp_path: Path) -> None:
    """A player who bets at another table stays at their own terminal, and so does the paper."""
    written = VENUE + '\n[printer]\naddress = "folder:slips-{table}-{seat}"\n'
    async with empty_floor(tmp_path, MemoryStore(), written=written) as floor:
        await floor.house.accounts.claim_administrator(
            floor.house.accounts.first_code() or "", id="ada", name="Ada", password=PASSWORD, peer=PEER
        )
        for id, role in (("max", "pit-manager"), ("cass", "cashier")):
            floor.knows(id, await floor.hire(id, role))
        floor.knows("terminal", await floor.enrol("terminal", "a", 1))
        for step in ("open-table", "new-shoe", "open-betting"):
            done = await floor.ask("max", "POST", "/api/tables/b/commands", order(step, type=step))
            assert done.status == 200, done.body
        await floor.ask("max", "POST", "/api/tables/a/commands", order("open", type="open-table"))
        credit = order("credit", type="credit-terminal", seat=1, cents=5_000)
        await floor.ask("cass", "POST", "/api/tables/a/commands", credit)
        home = await floor.enter("terminal", "/ws/table/a")
        away = await floor.enter("terminal", "/ws/table/b")
        bet = {"type": "bet", "request": "bet", "round": 1, "wager": "player", "cents": 1_000}
        floor.house.hub.message(away, msgspec.json.encode(bet))
        await until(lambda: any("bet" in one.get("requests", ()) for one in away.told))
        [registered] = [one for one in away.told if "bet" in one.get("requests", ())]

        cash_out = msgspec.json.encode({"type": "cash-out", "request": "out"})
        floor.house.hub.message(away, cash_out)
        await until(lambda: away.told[-1]["type"] == "refused")
        assert away.told[-1]["code"] == "not-here", "credit is at home"
        floor.house.hub.message(home, cash_out)
        asked = {"table": "b", "entry": registered["entries"][0]}
        assert (await floor.ask("terminal", "POST", "/api/receipt/print", asked)).status == 204
        await until(lambda: len([*tmp_path.glob("slips-*/*.escpos")]) == 2)
        printed = {path.parent.name: path for path in tmp_path.glob("slips-*/*.escpos")}
        assert set(printed) == {"slips-a-1"}
        [receipt] = tmp_path.glob("slips-a-1/receipt-b-*.escpos")
        assert b"Table b, seat 10001" in receipt.read_bytes()
        [voucher] = tmp_path.glob("slips-a-1/a-1-*.escpos")
        assert b"SGD 40.00" in voucher.read_bytes()


async def test_at_a_table_and_again_for_staff_who_may(tmp_path: Path) -> None:
    store = MemoryStore()
    written = VENUE + '\n[printer]\naddress = "folder:slips-{table}-{seat}"\n'
    async with empty_floor(tmp_path, store, written=written) as floor:
        await floor.house.accounts.claim_administrator(
            floor.house.accounts.first_code() or "", id="ada", name="Ada", password=PASSWORD, peer=PEER
        )
        for id, role in (("max", "pit-manager"), ("cass", "cashier")):
            floor.knows(id, await floor.hire(id, role))
        floor.knows("terminal", await floor.enrol("terminal", "a", 1))
        await floor.ask("max", "POST", "/api/tables/a/commands", order("open", type="open-table"))
        credit = order("credit", type="credit-terminal", seat=1, cents=5_000)
        await floor.ask("cass", "POST", "/api/tables/a/commands", credit)
        line = await floor.enter("terminal", "/ws/table/a")
        cash_out = msgspec.json.encode({"type": "cash-out", "request": "out", "cents": 5_000})
        floor.house.hub.message(line, cash_out)
        slips = tmp_path / "slips-a-1"
        await until(lambda: any(slips.glob("*.escpos")))
        floor.house.hub.message(line, cash_out)  # as after a lost answer: the same voucher, and no second slip
        [slip] = slips.glob("*.escpos")
        number = slip.name.partition(".")[0]
        assert floor.house.vouchers.code(number).encode() in slip.read_bytes()

        torn = {"number": number, "why": "torn"}
        assert (await floor.ask("cass", "POST", "/api/vouchers/print", torn)).status == 403
        assert (await floor.ask("max", "POST", "/api/vouchers/print", torn)).status == 200
        await until((slips / f"{number}.2.escpos").exists)
        assert b"COPY" in (slips / f"{number}.2.escpos").read_bytes()
        assert (await floor.ask("max", "GET", "/api/vouchers/printers")).json == []
        voided = order("void", "torn", type="void-voucher", number=number)
        assert (await floor.ask("max", "POST", "/api/tables/a/commands", voided)).status == 200
        assert (await floor.ask("max", "POST", "/api/vouchers/print", torn)).words == "409 voucher-redeemed"
        told = [read_line(one).event for one in await store.entries() if one.kind == "voucher-reprinted"]
        assert [one.describe() for one in told] == [f"max printed a copy of voucher {number}: 50.00: torn"]
        assert sorted(path.name for path in slips.iterdir()) == [f"{number}.1.escpos", f"{number}.2.escpos"]


def order(request: str, why: str = "", **command: object) -> dict[str, object]:
    return {"request": request, "command": command, "why": why}
