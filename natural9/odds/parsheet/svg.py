"""A drawing as SVG, to stand inside an HTML page."""

from html import escape
from typing import Final

from natural9.odds.parsheet.plots import WIDTH, Box, Drawing, Ink, Label, PlotLine

COLOURS: Final[dict[Ink, str]] = {
    "ink": "#111",
    "dark": "#34495e",
    "mid": "#8497a9",
    "pale": "#d6dce2",
    "rule": "#d5d5d5",
}


def svg(drawing: Drawing, title: str) -> str:
    strokes = "\n".join(_stroke(stroke) for stroke in drawing.strokes)
    size = f'viewBox="0 0 {_n(WIDTH)} {_n(drawing.height)}"'
    return f'<svg {size} role="img" aria-label="{escape(title)}">\n{strokes}\n</svg>'


def svg_file(drawing: Drawing, title: str) -> str:
    """The same as a file of its own."""
    inside = svg(drawing, title).partition("\n")[2]
    margin = 8
    box = f"{-margin} {-margin} {_n(WIDTH + 2 * margin)} {_n(drawing.height + 2 * margin)}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" role="img">'
    paper = f'<rect x="{-margin}" y="{-margin}" width="100%" height="100%" fill="#fff"/>'
    return f"{head}\n<title>{escape(title)}</title>\n{paper}\n{inside}\n"


def _stroke(stroke: PlotLine | Box | Label) -> str:
    match stroke:
        case PlotLine(x1, y1, x2, y2, ink, thick, dashed):
            ends = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
            dashes = ' stroke-dasharray="3 2"' if dashed else ""
            return f'<line {ends} stroke="{COLOURS[ink]}" stroke-width="{_n(thick)}"{dashes}/>'
        case Box(x, y, width, height, ink):
            corner = f'x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"'
            return f'<rect {corner} fill="{COLOURS[ink]}"/>'
        case Label(x, y, text, anchor, size, bold):
            style = f'text-anchor="{anchor}" font-size="{_n(size)}"' + (' font-weight="bold"' if bold else "")
            return f'<text x="{_n(x)}" y="{_n(y)}" {style}>{escape(text)}</text>'


def _n(value: float) -> str:
    """Two places are finer than any printer, and hide the last bits in which machines may differ."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
