"""A dispute pack as PDF, A4. The same round at the same moment of the records makes the same bytes."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final

from fpdf import FPDF
from fpdf.enums import TableBordersLayout, VAlign, XPos, YPos
from fpdf.fonts import FontFace

from natural9.server.dispute.cards import HIGH, draw_card
from natural9.server.dispute.letters import Letters
from natural9.server.dispute.pack import DisputePack, Frame, SeatPart, texts_of

MARGIN: Final = 15.0
WIDTH: Final = 210 - 2 * MARGIN
PAGES: Final = "¤¤"  # stands for the number of pages until that is known
_COLUMNS, _GAP, _PAD = 3, 3.0, 1.8  # of the film strip
_CARD: Final = 7.0
_SMALL: Final = 2.9  # height of a line in a frame
_WINS: Final = {"player": (42, 99, 184), "banker": (179, 54, 47), "tie": (31, 125, 82)}


class _Paper(FPDF):
    def __init__(self, pack: DisputePack) -> None:
        super().__init__("portrait", "mm", "A4")
        self.set_margins(MARGIN, 15, MARGIN)
        self.set_auto_page_break(True, 18)
        self.set_creation_date(datetime.fromtimestamp(pack.at_ms / 1000, UTC))
        self.c_margin = 0
        self.alias_nb_pages(PAGES)
        self.letters = Letters(self, "".join(texts_of(pack)))
        self._footer = pack.footer

    def footer(self) -> None:
        self.set_y(-13)
        self.set_draw_color(17)
        self.set_line_width(0.15)
        self.line(MARGIN, self.get_y(), self.w - MARGIN, self.get_y())
        self.text_in(7.5)
        self.cell(0, 6, self.letters(self._footer))
        self.set_x(MARGIN)
        self.cell(0, 6, f"Page {self.page_no()} of {PAGES}", align="R")

    def text_in(self, size: float, style: str = "") -> None:
        self.set_font(self.letters.family, style, size)

    def says(self, text: str, height: float) -> None:
        self.multi_cell(0, height, self.letters(text), align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def room(self, height: float) -> None:
        if self.will_page_break(height):
            self.add_page()


def pack_pdf(pack: DisputePack) -> bytes:
    pdf = _Paper(pack)
    pdf.set_title(pdf.letters(f"{pack.subtitle}: {pack.title}"))
    pdf.set_producer("natural9")
    pdf.set_text_color(17)
    pdf.add_page()
    _head(pdf, pack)
    _heading(pdf, "Film strip", 45)
    _strip(pdf, pack.frames)
    _left_out(pdf, pack.frames_left_out, "more pictures are left out: the export has every step.")
    _heading(pdf, "Bets and settlement")
    if not pack.seats:
        _text(pdf, "No seat had a part in this round.")
    for seat in pack.seats:
        _seat(pdf, seat)
    _left_out(pdf, pack.seats_left_out, "more seats are left out: the export has every one.")
    _heading(pdf, "Irregularities, corrections and decisions")
    _table(pdf, ("Time", "What", "Who", "Rule"), (31, 85, 40, 24), pack.decisions, none="None.")
    _heading(pdf, "Vouchers and receipts")
    _table(pdf, ("Receipt", "Time", "What", "Who"), (16, 31, 88, 45), pack.papers, none="None in this round.")
    _heading(pdf, "Seal", 50)
    _seal(pdf, pack)
    _heading(pdf, "Every step")
    _table(pdf, ("Entry", "Time", "What", "Who", "Rule"), (14, 30, 79, 36, 21), pack.steps, none="None.")
    _left_out(pdf, pack.steps_left_out, "more steps are left out: the export has every one.")
    _heading(pdf, pack.rules_title)
    for name, words in pack.rules:
        _rule(pdf, name, words)
    _signatures(pdf)
    return bytes(pdf.output())


def _head(pdf: _Paper, pack: DisputePack) -> None:
    pdf.text_in(10)
    pdf.says(pack.subtitle.upper(), 5)
    pdf.text_in(20, "B")
    pdf.says(pack.title, 9)
    pdf.ln(1)
    _line(pdf, 0.5)
    pdf.ln(2)
    _facts(pdf, pack.facts)
    for note in pack.notes:
        _note(pdf, note)


def _heading(pdf: _Paper, text: str, needs: float = 36) -> None:
    pdf.room(needs)
    pdf.ln(4)
    pdf.text_in(12.5, "B")
    pdf.says(text, 6)
    _line(pdf, 0.2)
    pdf.ln(2)


def _line(pdf: FPDF, thick: float) -> None:
    pdf.set_draw_color(17)
    pdf.set_line_width(thick)
    pdf.line(MARGIN, pdf.get_y(), pdf.w - MARGIN, pdf.get_y())


def _text(pdf: _Paper, text: str) -> None:
    pdf.text_in(9)
    pdf.says(text, 4.4)


def _left_out(pdf: _Paper, count: int, says: str) -> None:
    if count:
        _text(pdf, f"{count:,} {says}")


def _facts(pdf: _Paper, facts: Iterable[tuple[str, str]]) -> None:
    for name, value in facts:
        pdf.text_in(9)
        pdf.set_text_color(80)
        pdf.cell(40, 4.6, pdf.letters(name))
        pdf.set_text_color(17)
        pdf.says(value, 4.6)


def _note(pdf: _Paper, text: str) -> None:
    pdf.text_in(10, "B")
    said = pdf.letters(text)
    height = len(_lines(pdf, WIDTH - 8, said)) * 4.8 + 4
    pdf.room(height + 3)
    pdf.ln(2)
    top = pdf.get_y()
    with pdf.local_context(draw_color=17, fill_color=17, line_width=0.35):
        pdf.rect(MARGIN, top, WIDTH, height)
        pdf.rect(MARGIN, top, 1.5, height, style="F")
    pdf.set_xy(MARGIN + 5, top + 2)
    pdf.multi_cell(WIDTH - 8, 4.8, said, align="L")
    pdf.set_xy(MARGIN, top + height + 1)


def _lines(pdf: FPDF, width: float, text: str) -> list[str]:
    lines = pdf.multi_cell(width, 4, text, dry_run=True, output="LINES")
    assert isinstance(lines, list)
    return lines


def _strip(pdf: _Paper, frames: Sequence[Frame]) -> None:
    wide = (WIDTH - (_COLUMNS - 1) * _GAP) / _COLUMNS
    for first in range(0, len(frames), _COLUMNS):
        row = frames[first : first + _COLUMNS]
        pdf.text_in(6.8)
        said = [_lines(pdf, wide - 2 * _PAD, pdf.letters(one.says)) for one in row]
        high = 2 * _PAD + 4 + 3.5 + _CARD * HIGH + 2 + max(map(len, said)) * _SMALL
        pdf.room(high + _GAP)
        top = pdf.get_y()
        for place, (one, lines) in enumerate(zip(row, said, strict=True)):
            _frame(pdf, one, lines, first + place + 1, MARGIN + place * (wide + _GAP), top, wide, high)
        pdf.set_xy(MARGIN, top + high + _GAP)


def _frame(
    pdf: _Paper, one: Frame, lines: Sequence[str], number: int, x: float, y: float, wide: float, high: float
) -> None:
    with pdf.local_context(draw_color=17 if one.irregular else 150, line_width=0.6 if one.irregular else 0.2):
        pdf.rect(x, y, wide, high)
    left, y = x + _PAD, y + _PAD
    pdf.text_in(7, "B")
    pdf.text(left, y + 2.6, pdf.letters(f"{number}  {one.title}"))
    pdf.text_in(6.5)
    time = pdf.letters(one.time)
    pdf.text(x + wide - _PAD - pdf.get_string_width(time), y + 2.6, time)
    y += 4
    half = (wide - 2 * _PAD) / 2
    for place, (name, cards, total) in enumerate(
        (("PLAYER", one.player, one.player_total), ("BANKER", one.banker, one.banker_total))
    ):
        start = left + place * half
        with pdf.local_context(text_color=_WINS[name.lower()]):
            pdf.text_in(6.5, "B")
            wins = "  WINS" if one.winner == name.lower() else "  TIE" if one.winner == "tie" else ""
            pdf.text(start, y + 2.4, f"{name} {'' if total is None else total}{wins}")
        for at, card in enumerate(cards):
            draw_card(pdf, start + at * (_CARD + 0.8), y + 3.5, _CARD, card, pdf.letters.family)
    pdf.text_in(6.8)
    y += 3.5 + _CARD * HIGH + 2
    for place, line in enumerate(lines):
        pdf.set_xy(left, y + place * _SMALL)
        pdf.cell(wide - 2 * _PAD, _SMALL, line)


def _seat(pdf: _Paper, seat: SeatPart) -> None:
    pdf.room(24)
    pdf.text_in(10, "B")
    pdf.says(f"Seat {seat.seat}", 5)
    _text(
        pdf,
        f"Credit {seat.credit_before} before, {seat.credit_after} after. "
        f"Staked {seat.staked}, got back {seat.returned}." + "".join(f" {one}." for one in seat.besides),
    )
    pdf.ln(1)
    titles, widths = ("Bet", "Stake", "Result", "Pays", "Got back", "Rule"), (60, 26, 20, 20, 26, 28)
    _table(pdf, titles, widths, seat.lines, none="No bet in this round.", right=(1, 4))
    pdf.ln(2)


def _table(
    pdf: _Paper,
    titles: Sequence[str],
    widths: Sequence[float],
    rows: Sequence[Sequence[str]],
    *,
    none: str,
    right: Sequence[int] = (),
) -> None:
    if not rows:
        _text(pdf, none)
        return
    pdf.text_in(8)
    with pdf.table(
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        col_widths=tuple(widths),
        text_align=tuple("RIGHT" if place in right else "LEFT" for place in range(len(titles))),
        headings_style=FontFace(emphasis="BOLD"),
        line_height=3.8,
        padding=(0.6, 1),
        v_align=VAlign.T,
        width=WIDTH,
    ) as table:
        table.row(titles)
        for row in rows:
            table.row([pdf.letters(cell) for cell in row])


def _seal(pdf: _Paper, pack: DisputePack) -> None:
    for holds, says in pack.checks:
        pdf.text_in(9.5, "B")
        pdf.cell(22, 5, "HOLDS" if holds else "FAILS")
        pdf.text_in(9.5)
        pdf.says(says, 5)
    pdf.ln(1.5)
    _facts(pdf, pack.seal)
    pdf.ln(1)
    _text(
        pdf,
        "To check it: natural9 verify FOLDER --checkpoint 'ENTRIES ROOT' walks the whole journal and finds this root; "
        "the export of the round has every entry with what its hash is made of.",
    )


def _rule(pdf: _Paper, name: str, words: str) -> None:
    pdf.text_in(8.5)
    said = pdf.letters(words)
    pdf.room(len(_lines(pdf, WIDTH, said)) * 4 + 8)
    pdf.text_in(9, "B")
    pdf.says(name, 4.4)
    pdf.text_in(8.5)
    pdf.says(words, 4)
    pdf.ln(1.5)


def _signatures(pdf: _Paper) -> None:
    _heading(pdf, "Signatures", 62)
    for role in ("Prepared by", "Decided by", "Player"):
        pdf.ln(9)
        pdf.text_in(9)
        pdf.cell(30, 5, role)
        bottom = pdf.get_y() + 5
        x = MARGIN + 30
        for name, width in (("Name", 52.0), ("Signature", 58.0), ("Date", 36.0)):
            pdf.line(x, bottom, x + width - 4, bottom)
            with pdf.local_context(text_color=110):
                pdf.set_font_size(6.5)
                pdf.text(x, bottom + 3, name)
            x += width
        pdf.ln(5)
