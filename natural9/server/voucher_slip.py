"""A voucher as a terminal shows or prints it: its number, its code, and both as a QR code to be read at the desk."""

from typing import Annotated

import segno
from msgspec import Meta, Struct

from natural9.table.commands.cage import Printed


class VoucherSlip(Struct, frozen=True, kw_only=True):
    """A voucher to be handed out. Who holds its code holds its money."""

    number: str
    code: str
    cents: int
    expires_at_ms: int
    entry: Annotated[int, Meta(description="Its number in the journal of the table that printed it")]
    qr: Annotated[str, Meta(description="An inline SVG picture of natural9:NUMBER:CODE")]


def slip_text(number: str, code: str) -> str:
    """What the QR code says; neither part holds a colon.

    >>> slip_text("nc-1-7-3", "K7QM2")
    'natural9:nc-1-7-3:K7QM2'
    """
    return f"natural9:{number}:{code}"


def qr_svg(text: str) -> str:
    """Black on white with its quiet zone, so that it can be read from a dark screen; it takes the size of its place."""
    code = segno.make(text, error="m", boost_error=False, micro=False)
    return code.svg_inline(omitsize=True, light="#fff", svgclass=None, lineclass=None)


def voucher_slip(printed: Printed, entry: int) -> VoucherSlip:
    return VoucherSlip(
        number=printed.number,
        code=printed.code,
        cents=printed.cents,
        expires_at_ms=printed.expires_at_ms,
        entry=entry,
        qr=qr_svg(slip_text(printed.number, printed.code)),
    )
