"""Letters for paper: what the standard fonts lack, Chinese above all, is printed with the fonts of the screens.

Those lie beside the screens as `make web` builds them, in slices of a few hundred letters each; only the slices that a
text needs are read. A letter that no font has is printed as its code, [U+20BB7]: never left out, never a question mark.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from fpdf import FPDF
from fpdf.fonts import TTFFont

from natural9.server.screens import BUILT

SCREENS: Final = BUILT / "assets"
_FACE: Final = re.compile(r"@font-face\{[^}]*?url\([^)]*?([^/)]+\.woff2)\)[^}]*?unicode-range:([^;}]+)")
_FIRST: Final = "inter-"  # of several that have a letter; its look is that of the screens
# What Latin-1 has no sign for, in signs that it has.
_INSTEAD: Final = str.maketrans({"−": "-", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "…": "..."})
LATIN: Final = 0xFF  # as far as the standard fonts go
STANDARD: Final = "Helvetica"
OWN: Final = "screens"
REGULAR: Final[dict[str, float]] = {"wght": 400}
BOLD: Final[dict[str, float]] = {"wght": 700}


class Slice(NamedTuple):
    file: Path
    ranges: tuple[tuple[int, int], ...]

    def has(self, code: int) -> bool:
        return any(first <= code <= last for first, last in self.ranges)


@cache
def slices(folder: Path) -> tuple[Slice, ...]:
    """None where the screens are not built, or nothing here reads their fonts."""
    if not folder.is_dir() or find_spec("brotli") is None:
        return ()
    found = {one.file.name: one for sheet in sorted(folder.glob("*.css")) for one in _faces(sheet)}
    return tuple(sorted(found.values(), key=lambda one: (not one.file.name.startswith(_FIRST), one.file.name)))


def _faces(sheet: Path) -> Iterator[Slice]:
    for name, ranges in _FACE.findall(sheet.read_text(encoding="utf-8")):
        if (sheet.parent / name).is_file():
            yield Slice(sheet.parent / name, tuple(map(_range, ranges.split(","))))


def _range(text: str) -> tuple[int, int]:
    """
    >>> _range("U+4E00-4E02"), _range("U+7F?")
    ((19968, 19970), (2032, 2047))
    """
    first, _, last = text.strip().upper().removeprefix("U+").partition("-")
    return int(first.replace("?", "0"), 16), int((last or first).replace("?", "F"), 16)


class Letters:
    """The fonts of one document, and its texts as they can print them."""

    def __init__(self, pdf: FPDF, text: str, folder: Path = SCREENS) -> None:
        self._own: set[str] = set()
        self.family = STANDARD
        wanted = {one for one in text.translate(_INSTEAD) if ord(one) > LATIN}
        there = slices(folder)
        if not wanted or not there:
            return
        self.family = OWN
        latin = next(one for one in there if one.has(ord("A")))
        pdf.add_font(OWN, "", latin.file, variations=REGULAR)
        pdf.add_font(OWN, "B", latin.file, variations=BOLD)
        others: list[str] = []
        for part in there:
            if letters := {one for one in wanted if part.has(ord(one))}:
                wanted -= letters
                if part != latin:
                    others.append(f"{OWN}-{len(others)}")
                    pdf.add_font(others[-1], "", part.file, variations=REGULAR)
                font = pdf.fonts[others[-1] if part != latin else OWN]
                assert isinstance(font, TTFFont)
                self._own |= {one for one in letters if ord(one) in font.cmap}
        if others:
            pdf.set_fallback_fonts(others, exact_match=False)

    def __call__(self, text: str) -> str:
        """The text on one line, every letter of it in some form."""
        return "".join(map(self._letter, " ".join(text.translate(_INSTEAD).split())))

    def _letter(self, letter: str) -> str:
        if letter in self._own or (ord(letter) <= LATIN and letter.isprintable()):
            return letter
        if unicodedata.category(letter) in ("Cf", "Mn"):  # a mark without a place of its own
            return ""
        return f"[U+{ord(letter):04X}]"
