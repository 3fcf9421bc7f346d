"""What a par sheet is made of, whichever format it is set in: the three writers get the same blocks."""

from dataclasses import dataclass
from typing import Final, Literal

from natural9.odds.parsheet.plots import Plot

MOST_ROWS_KEPT_TOGETHER: Final = 12

Align = Literal["left", "right", "center"]


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Caution:
    """What a reader must not miss."""

    text: str


@dataclass(frozen=True)
class FactList:
    """Names and values, one a line."""

    items: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Column:
    """`width` is the share of the page that a writer without a layout engine gives it."""

    title: str
    width: float
    align: Align = "left"


@dataclass(frozen=True)
class Row:
    """`leads` begins a group, and has a rule above it; `warns` is printed so that nobody overlooks it."""

    cells: tuple[str, ...]
    leads: bool = True
    warns: bool = False


@dataclass(frozen=True)
class SheetTable:
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        assert all(len(row.cells) == len(self.columns) for row in self.rows), self.caption

    @property
    def short(self) -> bool:
        """Short enough to be kept on one page."""
        return len(self.rows) <= MOST_ROWS_KEPT_TOGETHER

    def groups(self) -> list[list[Row]]:
        """The rows by what they belong to; a page does not end within a group."""
        groups: list[list[Row]] = []
        for row in self.rows:
            if row.leads or not groups:
                groups.append([])
            groups[-1].append(row)
        return groups


@dataclass(frozen=True)
class Figure:
    caption: str
    plot: Plot


@dataclass(frozen=True)
class RegisterEntry:
    """An entry of a register: a name, what it belongs to, and its parts by name."""

    name: str
    belongs_to: str
    parts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Signatures:
    """Lines to be filled in by hand."""

    roles: tuple[str, ...]


Block = Heading | Text | Caution | FactList | SheetTable | Figure | RegisterEntry | Signatures


@dataclass(frozen=True)
class SheetDocument:
    """`footer` stands on every page where there are pages."""

    title: str
    subtitle: str
    footer: str
    blocks: tuple[Block, ...]
