"""A voucher's slip: its QR code says its number and code, and the picture is nothing but a picture."""

import re
import signal
from pathlib import Path

import segno

from natural9.cli.init import init
from natural9.core.staff import Rank
from natural9.server import protocol
from natural9.server.client import Client
from natural9.server.house import House
from natural9.server.people.devices import Place
from natural9.server.serve import serve
from natural9.server.voucher_slip import qr_svg, slip_text, voucher_slip
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Printed
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from tests.table.live import asked

VOUCHER = Printed(number="nc-1-7-3", code="K7QM2-9XH4T-0ABCD", cents=12_345, expires_at_ms=1_800_000_000_000)


def modules(svg: str) -> list[list[int]]:
    """The black modules that the picture draws, without its quiet zone, read from the strokes of its path."""
    size = int(re.findall(r'viewBox="0 0 (\d+) \1"', svg)[0])
    drawn = [[0] * size for _ in range(size)]
    strokes = re.findall(r'stroke="#000" d="([^"]+)"', svg)[0]
    x, y = 0.0, 0.0
    for command, numbers in re.findall(r"([Mmh])([-\d. ]+)", strokes):
        step = [float(number) for number in numbers.split()]
        if command == "h":
            for column in range(int(x), int(x + step[0])):
                drawn[int(y)][column] = 1
            x += step[0]
        else:
            x, y = (step[0], step[1]) if command == "M" else (x + step[0], y + step[1])
    return [row[4:-4] for row in drawn[4:-4]]


def test_a_slip_carries_the_voucher_and_its_qr_code() -> None:
    slip = voucher_slip(VOUCHER, 12)
    assert (slip.number, slip.code, slip.cents, slip.expires_at_ms, slip.entry) == (
        VOUCHER.number,
        VOUCHER.code,
        VOUCHER.cents,
        VOUCHER.expires_at_ms,
        12,
    )
    assert slip.qr == qr_svg("natural9:nc-1-7-3:K7QM2-9XH4T-0ABCD")


def test_the_picture_draws_the_code_of_this_text_at_level_m() -> None:
    text = slip_text(VOUCHER.number, VOUCHER.code)
    code = segno.make(text, error="m", boost_error=False, micro=False)
    assert code.error == "M"
    assert modules(qr_svg(text)) == [list(map(int, row)) for row in code.matrix]
    assert modules(qr_svg(text)) != modules(qr_svg(text + "0"))


def test_the_picture_holds_nothing_but_paths() -> None:
    svg = qr_svg(slip_text(VOUCHER.number, VOUCHER.code))
    assert set(re.findall(r"<(\w+)", svg)) == {"svg", "path"}
    assert set(re.findall(r"([\w:-]+)=", svg)) == {"viewBox", "fill", "d", "stroke"}
    assert "://" not in svg


async def test_a_terminal_that_cashes_out_gets_a_slip(tmp_path: Path) -> None:
    """Over a real socket; before that, a message that no decoder can hold costs the terminal nothing."""

    async def story(house: House, address: str) -> None:
        room = house.room("super-six-1")
        manager = Who("pat", rank=Rank.PIT_MANAGER)
        (issued,) = await house.accounts.devices.add([Place("terminal", "super-six-1", 1)], by="ada")
        async with Client(address) as client:
            await client.enrol(issued.code)
            for command in (
                asked(staff.OpenTable, request="1"),
                asked(staff.CreditTerminal, request="2", seat=1, cents=5_000),  # before, it would take a signature
            ):
                assert isinstance(await room.writer.answer(command, manager), Accepted)
            live = await client.connect("/ws/table/super-six-1")
            await live.wait_for(protocol.Welcome)
            live.send(b'{"a":' + b"[" * 8_000)
            assert (await live.wait_for(protocol.Refused)).code == "bad-message"
            registered = await live.ask(taps.CashOut(request="3"))
            assert isinstance(registered, protocol.Registered)
            slip = registered.voucher
            assert slip is not None
            assert slip.cents == 5_000
            assert slip.qr == qr_svg(f"natural9:{slip.number}:{slip.code}")
            live.close()

    async def started(house: House, address: str) -> None:
        try:
            await story(house, address)
        finally:
            signal.raise_signal(signal.SIGTERM)

    init(tmp_path)
    venue = tmp_path / "venue.toml"
    venue.write_text(venue.read_text(encoding="utf-8").replace("port = 8909", "port = 0"), encoding="utf-8")
    await serve(tmp_path, started=started)
