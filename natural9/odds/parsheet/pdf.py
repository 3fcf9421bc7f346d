"""A par sheet as PDF, A4, with the fonts that every reader has: they lack Chinese, which is left out."""

from datetime import UTC, datetime
from typing import Final

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from natural9.odds.parsheet.blocks import (
    Block,
    Caution,
    FactList,
    Figure,
    Heading,
    RegisterEntry,
    SheetDocument,
    SheetTable,
    Signatures,
    Text,
)
from natural9.odds.parsheet.pdf_parts import MARGIN, draw_on, latin, table_needs, table_on, text_width
from natural9.odds.parsheet.words import is_code

# A clock would make every copy another file. The sheet is dated by whoever signs it.
NO_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)
PAGES: Final = "¤¤"  # stands for the number of pages until that is known; as wide as two digits
_SIGNATURE_HEIGHT: Final = 14.0
_UNDER_A_HEADING: Final = 60.0  # room for a beginning; the signatures, which have no other, fit into it


class _Page(FPDF):
    def __init__(self, footer: str) -> None:
        super().__init__("portrait", "mm", "A4")
        self._footer = latin(footer)
        self.set_margins(MARGIN, 16, MARGIN)
        self.set_auto_page_break(True, 20)
        self.set_creation_date(NO_DATE)
        self.c_margin = 0
        self.alias_nb_pages(PAGES)

    def footer(self) -> None:
        self.set_y(-14)
        self.set_draw_color(17)
        self.set_line_width(0.15)
        self.line(MARGIN, self.get_y(), self.w - MARGIN, self.get_y())
        self.set_font("Times", "", 8)
        self.cell(0, 6, self._footer)
        self.set_x(MARGIN)
        self.cell(0, 6, f"Page {self.page_no()} of {PAGES}", align="R")


def pdf_bytes(document: SheetDocument) -> bytes:
    pdf = _Page(document.footer)
    pdf.set_title(latin(f"{document.title}: {document.subtitle.lower()}"))
    pdf.set_producer("natural9")
    pdf.add_page()
    pdf.set_text_color(17)
    _title(pdf, document)
    places = {SheetTable: 0, Figure: 0}
    for block in document.blocks:
        if isinstance(block, (SheetTable, Figure)):
            places[type(block)] += 1
        _block(pdf, block, places[Figure] if isinstance(block, Figure) else places[SheetTable])
    return bytes(pdf.output())


def _title(pdf: FPDF, document: SheetDocument) -> None:
    pdf.set_font("Times", "", 11)
    _line(pdf, document.subtitle.upper(), 5)
    pdf.set_font("Times", "", 22)
    _line(pdf, document.title, 9)
    pdf.ln(2)
    _rule(pdf, 0.5)
    pdf.ln(2)


def _line(pdf: FPDF, text: str, height: float) -> None:
    pdf.multi_cell(0, height, latin(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _rule(pdf: FPDF, thick: float) -> None:
    pdf.set_draw_color(17)
    pdf.set_line_width(thick)
    pdf.line(MARGIN, pdf.get_y(), pdf.w - MARGIN, pdf.get_y())


def _block(pdf: FPDF, block: Block, place: int) -> None:
    match block:
        case Heading():
            _heading(pdf, block.text)
        case Text():
            pdf.set_font("Times", "", 10)
            _line(pdf, block.text, 4.6)
            pdf.ln(1.6)
        case Caution():
            _warning(pdf, block.text)
        case FactList():
            _facts(pdf, block.items, 42)
        case SheetTable():
            _caption(pdf, f"Table {place}.", block.caption, needs=table_needs(block) + 7)
            table_on(pdf, block)
            pdf.ln(4)
        case Figure():
            draw_on(pdf, block.plot)
            _caption(pdf, f"Figure {place}.", block.caption, needs=6)
            pdf.ln(3)
        case RegisterEntry():
            _entry(pdf, block)
        case Signatures():
            _signatures(pdf, block)


def _room(pdf: FPDF, height: float) -> None:
    """Begin a page where what comes next would be torn apart."""
    if pdf.will_page_break(height):
        pdf.add_page()


def _height(pdf: FPDF, width: float, text: str) -> float:
    """How high a text will stand, in the font that is set."""
    height = pdf.multi_cell(width, 4.8, text, dry_run=True, output="HEIGHT")
    assert isinstance(height, float)
    return height


def _heading(pdf: FPDF, text: str) -> None:
    _room(pdf, _UNDER_A_HEADING)
    pdf.ln(4)
    pdf.set_font("Times", "B", 13)
    _line(pdf, text, 6)
    _rule(pdf, 0.2)
    pdf.ln(2)


def _caption(pdf: FPDF, name: str, text: str, *, needs: float) -> None:
    _room(pdf, needs)
    pdf.set_font("Times", "", 9)
    pdf.multi_cell(0, 4.4, f"**{name}** {latin(text)}", markdown=True, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.ln(1)


def _warning(pdf: FPDF, text: str) -> None:
    pdf.set_font("Times", "B", 10)
    said, width = latin(text), text_width(pdf) - 8
    height = _height(pdf, width, said) + 5
    _room(pdf, height + 2)
    top = pdf.get_y()
    with pdf.local_context(draw_color=17, fill_color=17, line_width=0.35):
        pdf.rect(MARGIN, top, text_width(pdf), height)
        pdf.rect(MARGIN, top, 1.5, height, style="F")
    pdf.set_xy(MARGIN + 5, top + 2.5)
    pdf.multi_cell(width, 4.8, said, align="L")
    pdf.set_xy(MARGIN, top + height + 3)


def _facts(pdf: FPDF, items: tuple[tuple[str, str], ...], indent: float) -> None:
    for name, value in items:
        pdf.set_font("Times", "", 10)
        pdf.set_text_color(68)
        pdf.cell(indent, 4.8, latin(name))
        pdf.set_text_color(17)
        if is_code(value):
            pdf.set_font("Courier", "", 9)
        pdf.multi_cell(0, 4.8, latin(value), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.ln(1)


def _entry(pdf: FPDF, entry: RegisterEntry) -> None:
    pdf.set_font("Times", "", 10)
    width = text_width(pdf) - 20
    _room(pdf, sum(_height(pdf, width, latin(text)) for _, text in entry.parts) + 14)
    pdf.set_font("Courier", "B", 10)
    _line(pdf, entry.name, 5)
    pdf.set_font("Times", "I", 8.5)
    _line(pdf, entry.belongs_to, 4)
    pdf.ln(0.6)
    _facts(pdf, entry.parts, 20)
    pdf.ln(1.5)


def _signatures(pdf: FPDF, block: Signatures) -> None:
    widths = (("", 28.0), ("Name", 56.0), ("Signature", 60.0), ("Date", 36.0))
    pdf.set_font("Times", "", 10)
    pdf.ln(3)
    for name, width in widths:
        pdf.cell(width, 5, name)
    pdf.ln(5)
    pdf.set_line_width(0.25)
    for role in block.roles:
        pdf.ln(_SIGNATURE_HEIGHT - 5)
        bottom = pdf.get_y() + 5
        pdf.cell(widths[0][1], 5, latin(role))
        x = MARGIN + widths[0][1]
        for _, width in widths[1:]:
            pdf.line(x, bottom, x + width - 4, bottom)
            x += width
        pdf.ln(5)
