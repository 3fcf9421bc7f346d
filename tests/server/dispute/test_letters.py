"""Letters on paper: Chinese from the screens' own fonts, and what no font has as its code; nothing is lost."""

import re
import zlib
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import XPos

from natural9.server.dispute.letters import OWN, SCREENS, STANDARD, Letters, slices

NAME = "陳美玲"


def printed(text: str, folder: Path = SCREENS) -> tuple[Letters, bytes]:
    pdf = FPDF()
    letters = Letters(pdf, text, folder)
    pdf.add_page()
    for style in ("", "B"):
        pdf.set_font(letters.family, style, 10)
        pdf.multi_cell(0, 5, letters(text), new_x=XPos.LMARGIN)
    return letters, bytes(pdf.output())


def mapped(pdf: bytes) -> str:
    """Every letter that the fonts of a document say they print."""
    streams = [_plain(part) for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)]
    maps = [part.decode("latin-1") for part in streams if b"beginbfchar" in part or b"beginbfrange" in part]
    return "".join(
        chr(int(code, 16)) for part in maps for code in re.findall(r"<[0-9A-Fa-f]+>\s+<([0-9A-Fa-f]{4})>", part)
    )


def _plain(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return stream


def test_plain_english_needs_no_font_of_ours() -> None:
    letters, made = printed("Seat 2 – “stuck” … 5 × 3 café")
    assert letters.family == STANDARD
    assert letters("Seat 2 – “stuck” …\nnext") == 'Seat 2 - "stuck" ... next'
    assert len(made) < 5_000


def test_chinese_is_printed_in_both_weights() -> None:
    letters, made = printed(f"By {NAME} ā")
    assert letters.family == OWN
    assert letters(f"By {NAME} ā") == f"By {NAME} ā"
    assert {*NAME, "B", "y", "ā"} <= {*mapped(made)}


def test_a_letter_that_no_font_has_is_its_code() -> None:
    letters, _ = printed(f"{NAME} 𠮷 😀")
    assert letters(f"{NAME} 𠮷 😀") == f"{NAME} [U+20BB7] [U+1F600]"


def test_without_the_screens_every_letter_is_still_there(tmp_path: Path) -> None:
    assert slices(tmp_path) == ()
    letters, made = printed(NAME, tmp_path)
    assert letters(NAME) == "[U+9673][U+7F8E][U+73B2]"
    assert made.startswith(b"%PDF-")
