"""Cards drawn on paper, suits as shapes: no font is asked for them."""

from typing import Final

from fpdf import FPDF

RED: Final = (170, 40, 35)
BLACK: Final = (20, 20, 20)
HIGH: Final = 1.4  # times as high as wide


def draw_card(pdf: FPDF, x: float, y: float, wide: float, card: str, family: str) -> None:
    rank, suit = card[:-1].replace("T", "10"), card[-1]
    ink = RED if suit in "DH" else BLACK
    with pdf.local_context(draw_color=120, fill_color=255, line_width=0.2):
        pdf.rect(x, y, wide, wide * HIGH, style="DF", round_corners=True, corner_radius=wide * 0.12)
    with pdf.local_context(text_color=ink, fill_color=ink, draw_color=ink, line_width=0.05):
        pdf.set_font(family, "B", wide * 1.35)
        pdf.text(x + (wide - pdf.get_string_width(rank)) / 2, y + wide * 0.6, rank)
        _suit(pdf, suit, x + wide / 2, y + wide * 1.02, wide * 0.2)


def _suit(pdf: FPDF, suit: str, x: float, y: float, r: float) -> None:
    """Around its middle, r to each side."""
    if suit == "D":
        pdf.polygon([(x, y - 1.4 * r), (x + r, y), (x, y + 1.4 * r), (x - r, y)], style="F")
        return
    if suit == "C":
        for dx, dy in ((0, -0.7), (-0.65, 0.25), (0.65, 0.25)):
            _disc(pdf, x + dx * r, y + dy * r, 0.62 * r)
    else:
        up = 1 if suit == "H" else -1  # a spade is a heart on its head
        for dx in (-0.5, 0.5):
            _disc(pdf, x + dx * r, y - up * 0.4 * r, 0.56 * r)
        pdf.polygon(
            [(x - 1.03 * r, y - up * 0.2 * r), (x + 1.03 * r, y - up * 0.2 * r), (x, y + up * 1.25 * r)], style="F"
        )
    if suit in "CS":
        pdf.polygon([(x, y - 0.2 * r), (x + 0.5 * r, y + 1.35 * r), (x - 0.5 * r, y + 1.35 * r)], style="F")


def _disc(pdf: FPDF, x: float, y: float, r: float) -> None:
    pdf.ellipse(x - r, y - r, 2 * r, 2 * r, style="F")
