"""A report is one value: its name and title, who may see it, its columns, its filters, and how its rows are made.

The routes, the command line and the auditor's page follow from it. To add a report, write its file and name it in
`catalogue.py`.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from msgspec import Struct

from natural9.server.people.permissions import Action
from natural9.server.reports.asker import Asker
from natural9.server.reports.columns import ReportColumn, columns_of
from natural9.server.reports.filters import Parameter, ReportFilter, parameters_of
from natural9.store.contract import Store

Row = TypeVar("Row", bound=Struct)


class ReportView(Struct, frozen=True, kw_only=True):
    """All that a screen needs to draw it."""

    name: str
    title: str
    says: str
    adds_up: bool
    heavy: bool
    columns: tuple[ReportColumn, ...]
    filters: tuple[ReportFilter, ...]


@dataclass(frozen=True)
class Report(Generic[Row]):
    name: str
    title: str
    says: str
    permission: Action
    row: type[Row]  # its fields are the columns
    make: Callable[..., Awaitable[list[Row]]]  # from the store; its parameters are the filters
    adds_up: bool = False  # a sum under the rows makes sense
    of_players: bool = False  # of no use, and not listed, where no player has a name
    heavy: bool = False  # it reads much: one at a time, and a week of it unless more is asked for

    @cached_property
    def columns(self) -> tuple[ReportColumn, ...]:
        return columns_of(self.row)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return parameters_of(self.make)

    @property
    def view(self) -> ReportView:
        return ReportView(
            name=self.name,
            title=self.title,
            says=self.says,
            adds_up=self.adds_up,
            heavy=self.heavy,
            columns=self.columns,
            filters=tuple(parameter.view for parameter in self.parameters),
        )

    async def rows(self, store: Store, asker: Asker, asked: Mapping[str, Any]) -> list[Row]:
        """`asked` by the names of the filters; what is left out has its default."""
        who = {"asker": asker} if "asker" in self.make.__annotations__ else {}
        return await self.make(store, **who, **asked)
