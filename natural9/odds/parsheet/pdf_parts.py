"""Tables and plots on a PDF page."""

from typing import Final

from fpdf import FPDF
from fpdf.enums import TableBordersLayout, TableBorderStyle, TableCellStyle, VAlign
from fpdf.fonts import FontFace

from natural9.odds.parsheet.blocks import Row, SheetTable
from natural9.odds.parsheet.plots import WIDTH, Box, Ink, Label, Plot, PlotLine, draw

MARGIN: Final = 17.0  # mm, left and right
_LINE, _PAD_Y, _PAD_X = 3.3, 0.45, 1.2  # mm, of a table
_FIRST_ROWS: Final = 6  # of a long table, not to stand alone at the foot of a page
_POINT: Final = 25.4 / 72  # mm
_INKS: Final[dict[Ink, tuple[int, int, int]]] = {
    "ink": (17, 17, 17),
    "dark": (52, 73, 94),
    "mid": (132, 151, 169),
    "pale": (214, 220, 226),
    "rule": (213, 213, 213),
}
# What Latin-1 has no sign for, in signs that it has.
_INSTEAD: Final = str.maketrans({"−": "-", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "…": "..."})


def latin(text: str) -> str:
    """The part of a text that the standard fonts can print."""
    return " ".join(text.translate(_INSTEAD).encode("latin-1", "ignore").decode("latin-1").split())


def text_width(pdf: FPDF) -> float:
    return float(pdf.w) - 2 * MARGIN


class _Rules(TableBordersLayout):
    """Thin rules across: around the headings, above each group, and at the end; none down the page."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self._rows = rows

    def cell_style_getter(
        self,
        row_idx: int,
        col_idx: int,
        col_pos: int,
        num_heading_rows: int,
        num_rows: int,
        num_col_idx: int,
        num_col_pos: int,
    ) -> TableCellStyle:
        strong, faint = TableBorderStyle(0.25, 17), TableBorderStyle(0.1, 170)
        bottom: TableBorderStyle | bool = strong if row_idx == num_rows - 1 else False
        if row_idx < num_heading_rows:
            return TableCellStyle(top=strong, bottom=strong)
        place = row_idx - num_heading_rows
        return TableCellStyle(top=faint if place and self._rows[place].leads else False, bottom=bottom)


def table_needs(table: SheetTable) -> float:
    """The height to keep on one page: a short table whole, of a long one the beginning."""
    rows = len(table.rows) if table.short else _FIRST_ROWS
    return (_LINE + 2 * _PAD_Y) * (rows + 1)


def table_on(pdf: FPDF, table: SheetTable) -> None:
    """Set a table; a group of rows is not torn apart, and every page that the table reaches has its headings."""
    pdf.set_font("Helvetica", "", 7)
    heading = _height(pdf, table, tuple(column.title for column in table.columns))
    page: list[Row] = []
    left = pdf.page_break_trigger - pdf.get_y() - heading
    for group in table.groups():
        height = sum(_height(pdf, table, row.cells) for row in group)
        if height > left and page:
            _table_part(pdf, table, tuple(page))
            pdf.add_page()
            page, left = [], pdf.page_break_trigger - pdf.get_y() - heading
        page += group
        left -= height
    _table_part(pdf, table, tuple(page))


def _height(pdf: FPDF, table: SheetTable, cells: tuple[str, ...]) -> float:
    """The height of a row, by its cell of most lines."""
    share = text_width(pdf) / sum(column.width for column in table.columns)
    most = 1
    for column, cell in zip(table.columns, map(latin, cells), strict=True):
        width = column.width * share - 2 * _PAD_X
        if pdf.get_string_width(cell) > width:
            lines = pdf.multi_cell(width, _LINE, cell, dry_run=True, output="LINES")
            assert isinstance(lines, list)
            most = max(most, len(lines))
    return most * _LINE + 2 * _PAD_Y


def _table_part(pdf: FPDF, table: SheetTable, rows: tuple[Row, ...]) -> None:
    """The rows that stand on one page."""
    pdf.set_font("Helvetica", "", 7)
    warned = FontFace(emphasis="BOLD", fill_color=(233, 233, 233))
    stamp = FontFace(emphasis="BOLD", color=(255, 255, 255), fill_color=(17, 17, 17))
    with pdf.table(
        borders_layout=_Rules(rows),
        col_widths=tuple(column.width for column in table.columns),
        text_align=tuple(column.align.upper() for column in table.columns),
        headings_style=FontFace(emphasis="BOLD"),
        line_height=_LINE,
        padding=(_PAD_Y, _PAD_X),
        v_align=VAlign.T,
        width=text_width(pdf),
    ) as part:
        part.row([latin(column.title) for column in table.columns])
        for row in rows:
            line = part.row(style=warned if row.warns else None)
            for place, cell in enumerate(row.cells, 1):
                line.cell(latin(cell), style=stamp if row.warns and place == len(row.cells) else None)


def draw_on(pdf: FPDF, plot: Plot) -> None:
    """Draw at the full width of the text, on a page where it fits."""
    drawing = draw(plot)
    scale = text_width(pdf) / WIDTH
    if pdf.will_page_break(drawing.height * scale + 12):
        pdf.add_page()
    top = pdf.get_y() + 1
    with pdf.local_context():  # tables would take over the colour of the last box
        for stroke in drawing.strokes:
            _stroke(pdf, stroke, top, scale)
    pdf.set_xy(MARGIN, top + drawing.height * scale + 1)


def _stroke(pdf: FPDF, stroke: PlotLine | Box | Label, top: float, scale: float) -> None:
    match stroke:
        case PlotLine(x1, y1, x2, y2, ink, thick, dashed):
            pdf.set_draw_color(*_INKS[ink])
            pdf.set_line_width(thick * scale)
            if dashed:
                pdf.set_dash_pattern(dash=1, gap=0.7)
            pdf.line(MARGIN + x1 * scale, top + y1 * scale, MARGIN + x2 * scale, top + y2 * scale)
            pdf.set_dash_pattern()
        case Box(x, y, width, height, ink):
            pdf.set_fill_color(*_INKS[ink])
            pdf.rect(MARGIN + x * scale, top + y * scale, width * scale, height * scale, style="F")
        case Label(x, y, text, anchor, size, bold):
            pdf.set_font("Helvetica", "B" if bold else "", size * scale / _POINT)
            said = latin(text)
            before = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * float(pdf.get_string_width(said))
            pdf.text(MARGIN + x * scale - before, top + y * scale, said)
