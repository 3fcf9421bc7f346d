"""A par sheet as one HTML page: no script, nothing from outside, made to be printed on A4."""

from html import escape
from importlib.resources import files

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
from natural9.odds.parsheet.plots import draw
from natural9.odds.parsheet.svg import svg
from natural9.odds.parsheet.words import is_code


def html_bytes(document: SheetDocument) -> bytes:
    style = files(__package__).joinpath("print.css").read_text(encoding="utf-8")
    counts = {SheetTable: 0, Figure: 0}
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{escape(document.title)}: {escape(document.subtitle.lower())}</title>",
        f"<style>\n{style}</style>",
        "</head>",
        "<body>",
        f"<header><p>{escape(document.subtitle)}</p><h1>{escape(document.title)}</h1></header>",
    ]
    for block in document.blocks:
        if isinstance(block, (SheetTable, Figure)):
            counts[type(block)] += 1
        lines.append(_block(block, counts[Figure] if isinstance(block, Figure) else counts[SheetTable]))
    lines += [f"<footer>{escape(document.footer)}</footer>", "</body>", "</html>", ""]
    return "\n".join(lines).encode()


def _block(block: Block, place: int) -> str:
    match block:
        case Heading():
            return f"<h2>{escape(block.text)}</h2>"
        case Text():
            return f"<p>{escape(block.text)}</p>"
        case Caution():
            return f'<p class="warning">{escape(block.text)}</p>'
        case FactList():
            return "<dl>\n" + "\n".join(_fact(name, value) for name, value in block.items) + "\n</dl>"
        case SheetTable():
            return _table(block, place)
        case Figure():
            caption = f"<figcaption><b>Figure {place}.</b> {escape(block.caption)}</figcaption>"
            return f"<figure>\n{svg(draw(block.plot), block.caption)}\n{caption}\n</figure>"
        case RegisterEntry():
            parts = "\n".join(_fact(name, value) for name, value in block.parts)
            name = f"<h3>{escape(block.name)} <small>{escape(block.belongs_to)}</small></h3>"
            return f'<section class="entry">{name}\n<dl>\n{parts}\n</dl></section>'
        case Signatures():
            heads = "<tr><th></th><th>Name</th><th>Signature</th><th>Date</th></tr>"
            lines = (f'<tr><th scope="row">{escape(role)}</th><td></td><td></td><td></td></tr>' for role in block.roles)
            return f'<table class="signatures">\n{heads}\n' + "\n".join(lines) + "\n</table>"


def _fact(name: str, value: str) -> str:
    said = f"<code>{escape(value)}</code>" if is_code(value) else escape(value)
    return f"<dt>{escape(name)}</dt><dd>{said}</dd>"


def _table(table: SheetTable, place: int) -> str:
    heads = "".join(f'<th class="{column.align}">{escape(column.title)}</th>' for column in table.columns)
    bodies = "\n".join(f"<tbody>\n{_rows(table, group)}\n</tbody>" for group in table.groups())
    opened = '<table class="short">' if table.short else "<table>"
    caption = f"<caption><b>Table {place}.</b> {escape(table.caption)}</caption>"
    return f"{opened}\n{caption}\n<thead><tr>{heads}</tr></thead>\n{bodies}\n</table>"


def _rows(table: SheetTable, rows: list[Row]) -> str:
    return "\n".join(_row(table, row) for row in rows)


def _row(table: SheetTable, row: Row) -> str:
    classes = " ".join(name for name, there in (("leads", row.leads), ("warns", row.warns)) if there)
    opened = f'<tr class="{classes}">' if classes else "<tr>"
    cells = zip(table.columns, row.cells, strict=True)
    return opened + "".join(f'<td class="{column.align}">{escape(cell)}</td>' for column, cell in cells) + "</tr>"
