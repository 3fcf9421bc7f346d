"""A plot into a file, as its name asks for."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from natural9.core.errors import BadInput

if TYPE_CHECKING:
    from natural9.odds.parsheet.plots import Plot

KINDS: Final = (".svg", ".png")
PlotOption = Annotated[
    Path | None, typer.Option("--plot", metavar="FILE", help="Draw it into this file, an .svg or a .png.")
]


def check_plot(file: Path | None) -> None:
    """Before anything is computed."""
    if file is not None and file.suffix.lower() not in KINDS:
        raise BadInput("bad-plot", f"{str(file)!r} is not a plot's name: end it in .svg or .png")
    if file is not None and not file.parent.is_dir():
        raise BadInput("bad-plot", f"{file} cannot be written: there is no folder {file.parent}; make it first")


def write_plot(file: Path, plot: "Plot", title: str) -> None:
    from natural9.odds.parsheet.plots import draw
    from natural9.odds.parsheet.svg import svg_file

    drawing = draw(plot)
    try:
        if file.suffix.lower() == ".svg":
            file.write_text(svg_file(drawing, title), encoding="utf-8")
        else:
            from natural9.odds.parsheet.png import png

            file.write_bytes(png(drawing))
    except OSError as error:
        raise BadInput("bad-plot", f"{file} cannot be written: {error.strerror}") from None
