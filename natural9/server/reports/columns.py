"""The columns of a report, read from the type of its rows: the name of a field has its unit, and so its kind.

`house_win_cents: int` is money under the title "House win". Where that does not do, the field says more:
`Annotated[int, ColumnHint(title="Times")]`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, TypeVar, get_args, get_type_hints

from msgspec import Struct

T = TypeVar("T")

SAID: Final = "said"  # no column: by the name of a column, its text as values


class ColumnKind(StrEnum):
    """How a cell is shown."""

    TEXT = "text"
    COUNT = "count"
    MONEY = "money"  # whole cents
    PERCENT = "percent"
    TIME = "time"  # milliseconds since 1970 UTC
    FLAG = "flag"
    CODE = "code"  # a word of the journal, such as hand-paid
    PARAGRAPH = "paragraph"
    ROUND = "round"  # 0 is none
    SEAT = "seat"  # 0 is all of a table's
    WAGER = "wager"  # the empty one is all of them


class ReportColumn(Struct, frozen=True, kw_only=True):
    name: str
    title: str
    kind: ColumnKind
    on_screen: bool  # a sheet and JSON have every column
    wide: bool  # only where there is room: not in a terminal of 100 columns
    summed: bool  # where the rows of the report add up


@dataclass(frozen=True)
class ColumnHint:
    """What the name of a field does not say of its column."""

    title: str = ""
    on_screen: bool = True
    wide: bool = False
    summed: bool = True


SheetOnly = Annotated[T, ColumnHint(on_screen=False)]
WideOnly = Annotated[T, ColumnHint(wide=True)]

_KINDS: Final = {
    "kind": ColumnKind.CODE,
    "paragraph": ColumnKind.PARAGRAPH,
    "role": ColumnKind.CODE,
    "round": ColumnKind.ROUND,
    "seat": ColumnKind.SEAT,
    "status": ColumnKind.CODE,
    "wager": ColumnKind.WAGER,
}
_TITLES: Final = {
    "at_ms": "Time",
    "by": "Who",
    "cents": "Amount",
    "day": "Gaming day",
    "paragraph": "Rule",
    "says": "What happened",
}
_UNITS: Final = {"cents": ColumnKind.MONEY, "ms": ColumnKind.TIME, "percent": ColumnKind.PERCENT}
_TYPES: Final = {bool: ColumnKind.FLAG, int: ColumnKind.COUNT, float: ColumnKind.COUNT}
_ADDED_UP: Final = (ColumnKind.MONEY, ColumnKind.COUNT)


def columns_of(row: type[Struct]) -> tuple[ReportColumn, ...]:
    shapes = get_type_hints(row, include_extras=True)
    return tuple(_column(name, shapes[name]) for name in row.__struct_fields__ if name != SAID)


def _column(name: str, shape: Any) -> ReportColumn:
    hint = next((part for part in getattr(shape, "__metadata__", ()) if isinstance(part, ColumnHint)), ColumnHint())
    kind = _kind(name, shape)
    return ReportColumn(
        name=name,
        title=hint.title or _title(name),
        kind=kind,
        on_screen=hint.on_screen,
        wide=hint.wide,
        summed=hint.summed and kind in _ADDED_UP,
    )


def _kind(name: str, shape: Any) -> ColumnKind:
    if found := _KINDS.get(name) or _UNITS.get(name.rpartition("_")[2]):
        return found
    plain = next((part for part in (shape, *get_args(shape)) if part in _TYPES), str)
    return _TYPES.get(plain, ColumnKind.TEXT)


def _title(name: str) -> str:
    """
    >>> _title("issued_at_ms"), _title("house_win_cents"), _title("day")
    ('Issued', 'House win', 'Gaming day')
    """
    if name in _TITLES:
        return _TITLES[name]
    for unit in ("_cents", "_at_ms", "_ms", "_percent"):
        name = name.removesuffix(unit)
    return name.replace("_", " ").capitalize()
