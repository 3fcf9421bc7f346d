"""A par sheet as Markdown; plots are drawn in characters, since few readers of Markdown show SVG."""

import re
from typing import Final

from natural9.odds.parsheet.blocks import (
    Block,
    Caution,
    FactList,
    Figure,
    Heading,
    RegisterEntry,
    Row,
    SheetDocument,
    SheetTable,
    Signatures,
    Text,
)
from natural9.odds.parsheet.plots import BarChart, CurvesPlot, Plot, SessionsPlot, bins
from natural9.odds.parsheet.words import is_code, number
from natural9.odds.session import SessionOdds

_RULES: Final = {"left": ":---", "right": "---:", "center": ":---:"}
_HEIGHTS: Final = " ▁▂▃▄▅▆▇█"
_BAR_WIDTH: Final = 40
_SPECIAL: Final = re.compile(r"([\\`*_|<>\[\]])")


def markdown_bytes(document: SheetDocument) -> bytes:
    places = {SheetTable: 0, Figure: 0}
    parts = [f"# {_escape(document.title)}", f"**{_escape(document.subtitle)}**"]
    for block in document.blocks:
        if isinstance(block, (SheetTable, Figure)):
            places[type(block)] += 1
        parts.append(_block(block, places[Figure] if isinstance(block, Figure) else places[SheetTable]))
    parts += ["---", _escape(document.footer)]
    return ("\n\n".join(parts) + "\n").encode()


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _block(block: Block, place: int) -> str:
    match block:
        case Heading():
            return f"## {_escape(block.text)}"
        case Text():
            return _escape(block.text)
        case Caution():
            return f"> **{_escape(block.text)}**"
        case FactList():
            return "\n".join(["| | |", "|:---|:---|", *(_fact(name, value) for name, value in block.items)])
        case SheetTable():
            return _table(block, place)
        case Figure():
            return f"**Figure {place}.** {_escape(block.caption)}\n\n```text\n{_drawn(block.plot)}\n```"
        case RegisterEntry():
            parts = "\n".join(f"- {name}: {_escape(value)}" for name, value in block.parts)
            return f"### {_escape(block.name)}\n\n{_escape(block.belongs_to)}\n\n{parts}"
        case Signatures():
            blank = "\\_" * 24
            lines = (f"| {role} | {blank} | {blank} | {blank[:24]} |" for role in block.roles)
            return "\n".join(["| | Name | Signature | Date |", "|:---|:---|:---|:---|", *lines])


def _fact(name: str, value: str) -> str:
    return f"| {_escape(name)} | {f'`{value}`' if is_code(value) else _escape(value)} |"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(map(_escape, cells))} |"


def _table(table: SheetTable, place: int) -> str:
    heads = _line(tuple(column.title for column in table.columns))
    rules = f"|{'|'.join(_RULES[column.align] for column in table.columns)}|"
    rows = "\n".join(_row(row) for row in table.rows)
    return f"**Table {place}.** {_escape(table.caption)}\n\n{heads}\n{rules}\n{rows}"


def _row(row: Row) -> str:
    if not row.warns:
        return _line(row.cells)
    return f"| {' | '.join(f'**{_escape(cell)}**' for cell in row.cells)} |"


def _drawn(plot: Plot) -> str:
    match plot:
        case BarChart():
            return _bars(plot)
        case SessionsPlot():
            return _sessions(plot)
        case CurvesPlot():
            return _curves(plot)


def _curves(plot: CurvesPlot) -> str:
    """A line for each, from left to right, as high as the highest of all is full."""
    most = max(0.01, *(y for _, curve in plot.curves for _, y in curve))
    wide = max(len(name) for name, _ in plot.curves)
    steps = len(_HEIGHTS) - 1
    return "\n".join(
        f"{name:<{wide}}  {''.join(_HEIGHTS[round(steps * max(0.0, y) / most)] for _, y in curve)}"
        for name, curve in plot.curves
    )


def _bars(chart: BarChart) -> str:
    most = max(0.01, *(abs(value) for _, value in chart.bars))
    wide = max(len(name) for name, _ in chart.bars)
    return "\n".join(
        f"{name:<{wide}}  {number(value, 6):>11}%  {'█' * round(_BAR_WIDTH * abs(value) / most)}"
        for name, value in chart.bars
    )


def _sessions(plot: SessionsPlot) -> str:
    return "\n\n".join(f"{name}\n{_session(session)}" for name, session in plot.sessions)


def _session(session: SessionOdds) -> str:
    """A bar for each bin, the central 95% of results solid."""
    low, high = session.interval(0.95)
    found = bins(session)
    most = max(share for *_, share in found)
    lines = []
    for start, wide, share in found:
        middle = start + wide / 2
        bar = round(_BAR_WIDTH * share / most)
        if bar:
            mean = "  <- mean" if start <= session.mean < start + wide else ""
            lines.append(f"{number(middle, 1, plus=True):>8}  {('█' if low <= middle <= high else '░') * bar}{mean}")
    return "\n".join(lines)
