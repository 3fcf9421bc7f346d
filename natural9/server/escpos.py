"""Vouchers and receipts on paper, in the few words of ESC/POS that every slip printer has: text, a QR code, a cut."""

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
LEVEL_L: Final = b"0"  # error correction: as little as there is, and a quarter more fits in
LEVEL_M: Final = b"1"
# The most bytes, the level, and the dots of each square: none is wider than the 512 dots that a printer of 180 dpi has
# on paper 80 mm wide; one of 203 dpi has 576.
QR_SIZES: Final = ((504, LEVEL_M, 6), (929, LEVEL_L, 5), (1465, LEVEL_L, 4), (2699, LEVEL_L, 3), (2953, LEVEL_L, 2))
LARGEST_QR: Final = QR_SIZES[-1][0]


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


class PrintedReceipt(Struct, frozen=True, kw_only=True):
    """All that the slip of a receipt says. It is worth no money, so a second one is no copy."""

    venue: str
    currency: str
    table: str
    seat: int
    round: int | None
    says: str
    cents: int | None
    entry: int
    time: str  # by the clock on the wall
    origin: str
    size: int
    page: str  # where anybody checks one
    text: str  # the receipt itself


def slip_lines(slip: PrintedVoucher, *, chinese: bool) -> Iterator[tuple[bytes, str]]:
    """Each line with its size."""
    both = _in_both if chinese else _in_english
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


def receipt_lines(slip: PrintedReceipt, *, chinese: bool) -> Iterator[tuple[bytes, str]]:
    """Each line with its size."""
    both = _in_both if chinese else _in_english
    yield NORMAL, slip.venue
    yield LARGE, both("RECEIPT", "收据")
    yield NORMAL, slip.says
    if slip.cents is not None:
        yield LARGE, f"{slip.currency} {show_cents(slip.cents)}"
    yield NORMAL, f"{both('Table', '牌桌')} {slip.table}, {both('seat', '座位')} {slip.seat}"
    if slip.round is not None:
        yield NORMAL, f"{both('Game no.', '局号')}: {slip.round}"
    yield NORMAL, f"{both('Time', '时间')}: {slip.time}"
    yield NORMAL, f"{both('Entry', '记录号')}: {slip.entry}"
    yield NORMAL, f"{both('Checkpoint', '检查点')}: {slip.origin}, {both('entries', '记录数')} {slip.size}"
    if not fits_qr(slip.text):
        yield NORMAL, "This receipt is too long for a QR code: save it as a file at this terminal."
        if chinese:
            yield NORMAL, "此收据过长 请在本终端存为文件"
    yield NORMAL, f"{both('Check it at', '核对网址')}: {slip.page}"


def _in_both(english: str, chinese: str) -> str:
    return f"{english} {chinese}"


def _in_english(english: str, _: str) -> str:
    return english


def escpos(slip: PrintedVoucher | PrintedReceipt, *, chinese: bool) -> bytes:
    """The bytes for the printer. A letter that it does not have is a question mark; a voucher's code has none of those.
    So is what is no letter at all: a name must not tell the printer what to do."""
    if isinstance(slip, PrintedVoucher):
        lines, code = slip_lines(slip, chinese=chinese), slip_text(slip.number, slip.code)
    else:
        lines, code = receipt_lines(slip, chinese=chinese), slip.text
    text = b"".join(size + _letters(line, chinese=chinese) + b"\n" for size, line in lines)
    return BEGIN + (CHINESE if chinese else b"") + text + (qr(code) if fits_qr(code) else b"") + CUT


def _letters(line: str, *, chinese: bool) -> bytes:
    shown = "".join(letter if letter.isprintable() else "?" for letter in line)
    return shown.encode("gb18030" if chinese else "ascii", "replace")


def fits_qr(text: str) -> bool:
    return len(text.encode()) <= LARGEST_QR


def qr(text: str) -> bytes:
    """The printer draws it: model 2, as large as there is room for."""
    data = text.encode()
    level, dots = next((level, dots) for most, level, dots in QR_SIZES if len(data) <= most)
    store = _of_qr(b"P0" + data)
    return _of_qr(b"A2\x00") + _of_qr(bytes([*b"C", dots])) + _of_qr(b"E" + level) + store + _of_qr(b"Q0") + b"\n"


def _of_qr(what: bytes) -> bytes:
    """One function of symbol 49, behind its length in two bytes, the lower one (pL) first; it counts the 49, too."""
    return b"\x1d(k" + (len(what) + 1).to_bytes(2, "little") + b"1" + what
