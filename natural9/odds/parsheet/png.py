"""A drawing as a PNG, for who cannot show SVG."""

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from natural9.odds.parsheet.plots import WIDTH, Box, Drawing, Label, PlotLine
from natural9.odds.parsheet.svg import COLOURS
from natural9.odds.parsheet.words import MINUS

SCALE: Final = 4  # dots a point: 288 an inch
MARGIN: Final = 8.0
_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}


def png(drawing: Drawing) -> bytes:
    size = round((WIDTH + 2 * MARGIN) * SCALE), round((drawing.height + 2 * MARGIN) * SCALE)
    image = Image.new("RGB", size, "white")
    paper = ImageDraw.Draw(image)
    for stroke in drawing.strokes:
        _draw(paper, stroke)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _at(x: float, y: float) -> tuple[float, float]:
    return (x + MARGIN) * SCALE, (y + MARGIN) * SCALE


def _draw(paper: ImageDraw.ImageDraw, stroke: PlotLine | Box | Label) -> None:
    match stroke:
        case PlotLine(x1, y1, x2, y2, ink, thick, dashed):
            width = max(1, round(thick * SCALE))
            for (ax, ay), (bx, by) in _dashes(x1, y1, x2, y2) if dashed else [((x1, y1), (x2, y2))]:
                paper.line([_at(ax, ay), _at(bx, by)], COLOURS[ink], width)
        case Box(x, y, wide, high, ink):
            paper.rectangle([_at(x, y), _at(x + wide, y + high)], COLOURS[ink])
        case Label(x, y, text, anchor, size, bold):
            font = ImageFont.load_default(size * SCALE)
            plain = text.replace(MINUS, "-")  # which Pillow's own letters lack
            paper.text(_at(x, y), plain, "#111", font, _ANCHORS[anchor], stroke_width=1 if bold else 0)


def _dashes(x1: float, y1: float, x2: float, y2: float) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Three points of ink and two of paper, as in the SVG."""
    length = max(abs(x2 - x1), abs(y2 - y1))
    ends = [(5 * n, min(5 * n + 3, length)) for n in range(int(length / 5) + 1)]
    return [
        (
            (x1 + (x2 - x1) * begin / length, y1 + (y2 - y1) * begin / length),
            (x1 + (x2 - x1) * end / length, y1 + (y2 - y1) * end / length),
        )
        for begin, end in ends
        if length
    ]
