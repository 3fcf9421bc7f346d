"""A report as comma-separated values, for a spreadsheet."""

import csv
import io
import re
from collections.abc import Sequence

from msgspec import Struct

from natural9.games.citations import citation
from natural9.server.reports.columns import SAID

# A spreadsheet would take a cell that begins so for a formula, blanks before it or not, and what people typed stands in
# some of them; one that is set to Chinese or Japanese takes the wide signs, too.
_FORMULA = re.compile(r"[\s\u200b-\u200f\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]")


def as_csv(shape: type[Struct], lines: Sequence[Struct]) -> str:
    """Money in whole cents, times in milliseconds since 1970 UTC, the names of the columns in the first line."""
    text = io.StringIO()
    sheet = csv.writer(text, lineterminator="\r\n")
    names = [name for name in shape.__struct_fields__ if name != SAID]
    sheet.writerow(names)
    for line in lines:
        sheet.writerow([_cell(name, getattr(line, name)) for name in names])
    return text.getvalue()


def _cell(name: str, value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "paragraph":
        value = citation(str(value))
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value
