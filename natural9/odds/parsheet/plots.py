"""Plots as a few strokes on a page, so that every format draws the same ones."""

from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10
from typing import Final, Literal

from natural9.odds.parsheet.words import MINUS, number
from natural9.odds.session import SessionOdds

WIDTH: Final = 500.0  # in points, about the width of text on A4

Ink = Literal["ink", "dark", "mid", "pale", "rule"]


@dataclass(frozen=True)
class PlotLine:
    x1: float
    y1: float
    x2: float
    y2: float
    ink: Ink = "ink"
    thick: float = 0.6
    dashed: bool = False


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float
    ink: Ink


@dataclass(frozen=True)
class Label:
    """`y` is the base line."""

    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    size: float = 8.0
    bold: bool = False


@dataclass(frozen=True)
class Drawing:
    """`y` grows downwards."""

    height: float
    strokes: tuple[PlotLine | Box | Label, ...]


@dataclass(frozen=True)
class BarChart:
    """Shares in percent, one a bar."""

    bars: tuple[tuple[str, float], ...]
    across: str = "house edge, % of the stake"
    digits: int = 6


@dataclass(frozen=True)
class SessionsPlot:
    """How sessions on each wager end, side by side."""

    sessions: tuple[tuple[str, SessionOdds], ...]


@dataclass(frozen=True)
class CurvesPlot:
    """Something against what runs from left to right; one curve a name."""

    across: str
    """What runs, in words."""
    curves: tuple[tuple[str, tuple[tuple[float, float], ...]], ...]
    percent: bool = True
    """Shares; or else plain numbers."""


Plot = BarChart | SessionsPlot | CurvesPlot


def draw(plot: Plot) -> Drawing:
    match plot:
        case BarChart():
            return draw_bars(plot)
        case SessionsPlot():
            return draw_sessions(plot)
        case CurvesPlot():
            return draw_curves(plot)


def draw_curves(plot: CurvesPlot) -> Drawing:
    """Each with its name at its right end."""
    scale, sign = (100, "%") if plot.percent else (1, "")
    left, right, top, height = 40.0, 120.0, 8.0, 190.0
    base = top + height
    points = [point for _, curve in plot.curves for point in curve]
    low, high = min(0.0, *(y for _, y in points)), max(0.01, *(y for _, y in points))
    first, last = min(x for x, _ in points), max(x for x, _ in points)
    across, up = (WIDTH - left - right) / ((last - first) or 1), height / (high - low)

    def at(x: float, y: float) -> tuple[float, float]:
        return left + (x - first) * across, base - (y - low) * up

    strokes: list[PlotLine | Box | Label] = []
    for tick in ticks(scale * low, scale * high, 8):
        y = at(first, tick / scale)[1]
        strokes += [PlotLine(left, y, WIDTH - right, y, "rule", 0.4)]
        strokes += [Label(left - 5, y + 2.5, f"{tick:g}{sign}".replace("-", MINUS), "end", 7.5)]
    for tick in ticks(first, last, 10):
        x = at(tick, low)[0]
        strokes += [PlotLine(x, base, x, base + 3), Label(x, base + 12, f"{tick:g}", "middle", 7.5)]
    strokes.append(PlotLine(left, base, WIDTH - right, base))
    taken: list[float] = []
    for place, (name, curve) in enumerate(plot.curves):
        ink: Ink = ("ink", "dark", "mid")[place % 3]
        ends = [at(x, y) for x, y in curve]
        for (x1, y1), (x2, y2) in pairwise(ends):
            strokes.append(PlotLine(x1, y1, x2, y2, ink, 1.2, dashed=place >= 3))
        y = ends[-1][1] + 2.5
        while any(abs(y - other) < 9 for other in taken):  # or names would lie on each other
            y -= 9
        taken.append(y)
        strokes.append(Label(ends[-1][0] + 5, y, name, "start", 7.5))
    strokes.append(Label(left + (WIDTH - left - right) / 2, base + 24, plot.across, "middle", 7.5))
    return Drawing(base + 30, tuple(strokes))


def nice_step(span: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10, ... that divides a span into at most so many parts."""
    raw = span / most
    power = 10.0 ** floor(log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))


def ticks(low: float, high: float, most: int) -> list[float]:
    step = nice_step(high - low, most)
    first = -floor(-low / step + 1e-9)
    return [place * step for place in range(first, floor(high / step + 1e-9) + 1)]


def draw_bars(chart: BarChart) -> Drawing:
    left, right, bar, gap, top = 120.0, 60.0, 11.0, 6.0, 4.0
    values = [value for _, value in chart.bars]
    low, high = min(0.0, *values), max(0.01, *values)
    scale = (WIDTH - left - right) / (high - low)
    bottom = top + len(values) * (bar + gap) + 2
    strokes: list[PlotLine | Box | Label] = []
    for tick in ticks(low, high, 6):
        x = left + (tick - low) * scale
        strokes.append(PlotLine(x, top, x, bottom, "rule", 0.4))
        strokes.append(Label(x, bottom + 11, f"{tick:g}".replace("-", MINUS), "middle", 7.5))
    zero = left - low * scale
    y = top + gap / 2
    for name, value in chart.bars:
        length = value * scale
        strokes.append(Box(min(zero, zero + length), y, abs(length), bar, "dark"))
        strokes.append(Label(left - 6, y + bar - 2.5, name, "end"))
        strokes.append(Label(zero + max(length, 0) + 5, y + bar - 2.5, f"{number(value, chart.digits)}%", "start", 7.5))
        y += bar + gap
    strokes.append(PlotLine(zero, top, zero, bottom))
    strokes.append(Label(left + (WIDTH - left - right) / 2, bottom + 23, chart.across, "middle", 7.5))
    return Drawing(bottom + 28, tuple(strokes))


def draw_sessions(plot: SessionsPlot) -> Drawing:
    """Two panels a line; one alone has all of it."""
    across, width, height = (2, 240.0, 104.0) if len(plot.sessions) > 1 else (1, WIDTH, 204.0)
    strokes: list[PlotLine | Box | Label] = []
    for place, (name, session) in enumerate(plot.sessions):
        x = (place % across) * (WIDTH - width)
        strokes += _panel(name, session, x, (place // across) * height, width, height - 14)
    return Drawing(-(-len(plot.sessions) // across) * height, tuple(strokes))


def bins(session: SessionOdds) -> list[tuple[float, float, float]]:
    """The results gathered into equal bins around the mean: left end, width, chance."""
    step = float(session.step)
    reach = 4 * session.standard_deviation
    # Bins of whole gaps, each around a heap of results: any other width would show waves that are not there.
    each = int(session.gap / session.step) * max(1, round(reach / 20 / float(session.gap)))
    first = max(0, int((session.mean - reach - float(session.least)) / step) // each)
    last = min(len(session.chances), int((session.mean + reach - float(session.least)) / step)) // each
    starts = [place * each - each // 2 for place in range(first, last + 1)]
    return [
        (session.result(start) - step / 2, each * step, float(session.chances[max(start, 0) : start + each].sum()))
        for start in starts
    ]


def _signed(units: float) -> str:
    return f"{units:+g}".replace("-", MINUS) if units else "0"


def _panel(
    name: str, session: SessionOdds, x: float, y: float, width: float, height: float
) -> list[PlotLine | Box | Label]:
    found = bins(session)
    left, right = found[0][0], found[-1][0] + found[-1][1]
    top, base = y + 26, y + height - 12
    across, up = width / (right - left), (base - top) / max(chance for *_, chance in found)
    low, high = session.interval(0.95)
    strokes: list[PlotLine | Box | Label] = [Label(x, y + 9, name, "start", 8.5, bold=True)]
    said = f"mean {number(session.mean, 2, plus=True)}; 95%: {_signed(low)} to {_signed(high)}"
    strokes.append(Label(x + width, y + 9, said, "end", 7.5))
    for start, wide, chance in found:
        inside = low <= start + wide / 2 <= high
        box = (x + (start - left + wide * 0.06) * across, base - chance * up, wide * 0.88 * across, chance * up)
        strokes.append(Box(*box, "mid" if inside else "pale"))
    strokes.append(PlotLine(x, base, x + width, base))
    for tick in ticks(left, right, 8):
        at = x + (tick - left) * across
        strokes += [PlotLine(at, base, at, base + 3), Label(at, base + 11, _signed(tick), "middle", 7)]
    mean = x + (session.mean - left) * across
    strokes.append(PlotLine(mean, top - 8, mean, base, "ink", 0.8, dashed=True))
    return strokes
