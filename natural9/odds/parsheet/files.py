"""A par sheet as a file: whole or not at all."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.odds.parsheet.blocks import SheetDocument
from natural9.odds.parsheet.document import document_of
from natural9.odds.parsheet.html import html_bytes
from natural9.odds.parsheet.markdown import markdown_bytes
from natural9.odds.parsheet.sheet import gather


def _pdf_bytes(document: SheetDocument) -> bytes:
    from natural9.odds.parsheet.pdf import pdf_bytes  # what draws it is an extra, and slow to come

    return pdf_bytes(document)


WRITERS: Final[Mapping[str, Callable[[SheetDocument], bytes]]] = {
    ".html": html_bytes,
    ".pdf": _pdf_bytes,
    ".md": markdown_bytes,
}


def check_target(target: Path) -> None:
    """Refuse a file that could not be written, before anything is computed."""
    if target.suffix.lower() not in WRITERS:
        raise BadInput("bad-file", f"a par sheet is written as .html, .pdf or .md, not as {str(target)!r}")
    if target.is_dir():
        raise BadInput("bad-file", f"{str(target)!r} is a folder: give the name of a file in it")
    if not target.parent.is_dir():
        raise BadInput("bad-file", f"there is no folder {str(target.parent)!r} to write {target.name!r} into")


def write_sheet(game: Game, *, decks: int, target: Path) -> None:
    """Compute the par sheet of a game and write it."""
    check_target(target)
    write_whole(target, render(game, decks=decks, suffix=target.suffix))


def render(game: Game, *, decks: int, suffix: str) -> bytes:
    """The par sheet as the bytes of a file with this ending."""
    return WRITERS[suffix.lower()](document_of(gather(game, decks=decks)))


def write_whole(target: Path, content: bytes) -> None:
    """Write beside the target and rename, so that nobody ever finds half a sheet under its name."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            beside.write_bytes(content)
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise BadInput("bad-file", f"{str(target)!r} cannot be written: {reason}") from error
