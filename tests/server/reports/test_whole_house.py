"""A whole house: what it records outside its tables is verified too, and it verifies itself."""

import asyncio
from importlib.resources import files
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.journal.venue_events import VoucherPaid
from natural9.server.house import House
from natural9.server.program import program_sha256
from natural9.server.reports.asker import Asker
from natural9.server.reports.days import EVERY_DAY
from natural9.server.reports.desks import desk_report
from natural9.server.reports.events import event_report
from natural9.server.reports.examination import verify_records
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from tests.server.enrolling import enrol_terminals
from tests.table.live import CASHIER, SHIFT_MANAGER, asked


async def opened(folder: Path) -> House:
    (folder / "venue.toml").write_bytes(files("natural9.table.venue").joinpath("example.toml").read_bytes())
    house = await House.open(folder)
    await house.start()
    return house


async def test_a_voucher_paid_at_the_desk_is_verified_and_reported(tmp_path: Path) -> None:
    house = await opened(tmp_path)
    table, room = next(iter(house.rooms.items()))
    await room.writer.answer(asked(staff.OpenTable, request="1"), SHIFT_MANAGER)
    await enrol_terminals(house, table, 1)
    await room.writer.answer(asked(staff.CreditTerminal, request="2", seat=1, cents=5_000), CASHIER)
    printed = await room.writer.answer(taps.CashOut(request="3"), Who.terminal(table, 1))
    assert isinstance(printed, Accepted)
    assert printed.voucher is not None
    paid = await house.desk.pay(printed.voucher.number, printed.voucher.code, by="cass", request="p1")
    assert isinstance(paid, VoucherPaid)
    again = await house.desk.pay(printed.voucher.number, printed.voucher.code, by="cass", request="p1")
    assert again == paid, "its answer was lost: the same again, and no second payment"
    [line] = await desk_report(house.store, Asker(0), EVERY_DAY)
    assert (line.taken_in_cents, line.vouchers_paid_cents, line.drawer_now_cents) == (5_000, 5_000, 0)
    await house.stop("over")
    found = await asyncio.to_thread(verify_records, tmp_path)
    assert (found.fault, found.vouchers_outstanding, found.not_derived) == (None, 0, 0)


async def test_a_changed_program_stops_play_and_names_the_file(tmp_path: Path) -> None:
    house = await opened(tmp_path)
    assert await house.check_program() == []
    house.file_hashes["core/settlement.py"] = "0" * 64
    assert await house.check_program() == ["core/settlement.py"]
    for room in house.rooms.values():
        assert "program-changed" in room.writer.state.faults
    await house.stop("over")
    assert (await asyncio.to_thread(verify_records, tmp_path)).fault is None


async def test_each_start_and_what_has_changed_is_a_significant_event(tmp_path: Path) -> None:
    await (await opened(tmp_path)).stop("over")
    file = tmp_path / "venue.toml"
    text = file.read_text(encoding="utf-8")
    house = await House.open(tmp_path)
    await house.start()
    await house.stop("over")
    file.write_text(f"# another\n{text}", encoding="utf-8")
    house = await House.open(tmp_path)
    await house.start()
    starts = [line for line in await event_report(house.store) if line.kind == "program-started"]
    assert ["the venue file" in line.says for line in starts] == [True, False, False]
    await house.stop("over")


async def test_only_the_approved_program_starts(tmp_path: Path) -> None:
    house = await opened(tmp_path)
    approved = program_sha256(house.file_hashes)
    await house.stop("over")
    file = tmp_path / "venue.toml"
    named = file.read_text(encoding="utf-8").replace("[server]", f'[server]\napproved_program = "{approved}"', 1)
    file.write_text(named, encoding="utf-8")
    await (await House.open(tmp_path)).stop("over")
    file.write_text(named.replace(approved, "0" * 64), encoding="utf-8")
    with pytest.raises(BadInput, match=f"this program is {approved}, and the venue file approves 0000"):
        await House.open(tmp_path)
