"""A voucher on paper, in the few words of ESC/POS that every receipt printer has: text, a QR code, a cut."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from natural9.core.money import show_cents
from natural9.server.voucher_slip import slip_text

BEGIN: Final = b"\x1b@\x1ba\x01"  # as switched on, everything centred
LARGE: Final = b"\x1d!\x11"
NORMAL: Final = b"\x1d!\x00"
CHINESE: Final = b"\x1c&"  # two-byte letters, GB18030
CUT: Final = b"\n\x1dVB\x00"  # after feeding the paper out
LARGEST_QR: Final = 200  # bytes; a voucher's text is a third of that


class PrintedVoucher(Struct, frozen=True, kw_only=True):
    """All that a slip says. Times are by the clock on the wall."""

    venue: str
    currency: str
    table: str
    seat: int
    number: str
    code: str
    cents: int
    issued: str
    expires: str
    is_copy: bool = False


def slip_lines(slip: PrintedVoucher, *, chinese: bool) -> Iterator[tuple[bytes, str]]:
    """Each line with its size."""

    def both(english: str, other: str) -> str:
        return f"{english} {other}" if chinese else english

    yield NORMAL, slip.venue
    yield LARGE, both("VOUCHER", "票券")
    if slip.is_copy:
        yield LARGE, both("COPY", "副本")
        yield NORMAL, both("Paid once, whichever slip comes first", "与原票只兑付一次")
    yield LARGE, f"{slip.currency} {show_cents(slip.cents)}"
    yield NORMAL, f"{both('Number', '号码')}: {slip.number}"
    yield NORMAL, f"{both('Code', '验证码')}: {slip.code}"
    yield NORMAL, f"{both('Table', '牌桌')} {slip.table}, {both('seat', '座位')} {slip.seat}"
    yield NORMAL, f"{both('Issued', '发出')}: {slip.issued}"
    yield NORMAL, f"{both('Good until', '有效至')}: {slip.expires}"
    yield NORMAL, "Take it to the cash desk, or type it in at a terminal."
    if chinese:
        yield NORMAL, "请到柜台兑付或在终端输入"


def escpos(slip: PrintedVoucher, *, chinese: bool) -> bytes:
    """The bytes for the printer. A letter that it does not have is a question mark; the code has none of those."""
    letters = "gb18030" if chinese else "ascii"
    text = b"".join(size + line.encode(letters, "replace") + b"\n" for size, line in slip_lines(slip, chinese=chinese))
    return BEGIN + (CHINESE if chinese else b"") + text + qr(slip_text(slip.number, slip.code)) + CUT


def qr(text: str) -> bytes:
    """The printer draws it: model 2, six dots a square, error correction M."""
    data = text.encode("ascii")
    assert len(data) <= LARGEST_QR
    store = _of_qr(b"P0" + data)
    return _of_qr(b"A2\x00") + _of_qr(b"C\x06") + _of_qr(b"E1") + store + _of_qr(b"Q0") + b"\n"


def _of_qr(what: bytes) -> bytes:
    """One function of symbol 49, behind its length."""
    return b"\x1d(k" + (len(what) + 1).to_bytes(2, "little") + b"1" + what
