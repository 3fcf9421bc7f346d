"""What a report may be asked for. The parameters of the function that makes its rows are its filters: `days: Days`,
and others that say in their type what they are, such as `table: TableFilter = None`.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Final, get_args, get_type_hints

from msgspec import Struct

from natural9.server.reports.asker import Asker
from natural9.server.reports.days import Days


class FilterKind(StrEnum):
    """How it is chosen on a screen."""

    DAYS = "days"  # asked for as `day`, or as `first_day` and `last_day`
    TABLE = "table"
    TEXT = "text"
    COUNT = "count"
    PAGE = "page"  # goes on from the last row of the page before


@dataclass(frozen=True)
class Filter:
    """What stands beside the type of a parameter; the limits are those of a request over HTTP."""

    kind: FilterKind
    title: str
    says: str
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    goes_on_from: str = ""  # the column whose last value asks for the next page


class ReportFilter(Struct, frozen=True, kw_only=True):
    name: str
    title: str
    kind: FilterKind
    says: str
    goes_on_from: str


@dataclass(frozen=True)
class Parameter:
    """A filter in its place: the parameter's name, type and default."""

    name: str
    shape: Any
    default: Any
    filter: Filter

    @property
    def view(self) -> ReportFilter:
        about = self.filter
        return ReportFilter(
            name=self.name, title=about.title, kind=about.kind, says=about.says, goes_on_from=about.goes_on_from
        )


DAYS: Final = Filter(FilterKind.DAYS, "Gaming days", "One gaming day, or all from the first to the last.")
TableFilter = Annotated[str | None, Filter(FilterKind.TABLE, "Table", "Only this table's.", longest=40)]
DeskFilter = Annotated[str | None, Filter(FilterKind.TEXT, "Desk", "Only this cashier's, as cass.", longest=40)]
LimitFilter = Annotated[int, Filter(FilterKind.COUNT, "Rows", "How many at most.", least=1, most=10_000)]


def before_column(column: str) -> Filter:
    """Newest first, a page at a time."""
    says = "Go on before this number: the last of the page before."
    return Filter(FilterKind.PAGE, "Before", says, least=1, most=2**53, goes_on_from=column)


def parameters_of(make: Callable[..., object]) -> tuple[Parameter, ...]:
    """Those of the function that are filters. It gets the store first; who asks, if it wants to know, is no filter."""
    shapes = get_type_hints(make, include_extras=True)
    _, *rest = inspect.signature(make).parameters.values()
    return tuple(_parameter(one, shapes[one.name]) for one in rest if shapes[one.name] is not Asker)


def _parameter(parameter: inspect.Parameter, shape: Any) -> Parameter:
    if shape is Days:
        return Parameter(parameter.name, Days, parameter.default, DAYS)
    for part in getattr(shape, "__metadata__", ()):
        if isinstance(part, Filter):
            return Parameter(parameter.name, get_args(shape)[0], parameter.default, part)
    raise TypeError(f"{parameter} is no filter: annotate it with one of natural9.server.reports.filters")
