"""A report is one value: its columns follow from its rows, its filters from the function that makes them."""

from typing import Annotated, Any

import pytest
from msgspec import Struct

from natural9.server.reports.asker import Asker
from natural9.server.reports.catalogue import REPORTS
from natural9.server.reports.columns import ColumnHint, ColumnKind, SheetOnly, WideOnly, columns_of
from natural9.server.reports.days import EVERY_DAY, Days
from natural9.server.reports.filters import FilterKind, LimitFilter, TableFilter, before_column, parameters_of
from natural9.server.reports.report import Report
from natural9.store.contract import Store
from natural9.store.memory import MemoryStore


class Row(Struct):
    table: str
    at_ms: int
    seat: int
    expired: bool
    kind: SheetOnly[str]
    rounds: Annotated[int, ColumnHint(title="Times", summed=False)]
    house_win_cents: int
    deviation_cents: WideOnly[int | None]
    hold_percent: float
    mean: float


async def made(
    store: Store,
    asker: Asker,
    days: Days = EVERY_DAY,
    *,
    table: TableFilter = None,
    before: Annotated[int | None, before_column("entry")] = None,
    limit: LimitFilter = 7,
) -> list[Row]:
    return []


def test_the_name_of_a_field_says_what_its_column_is() -> None:
    assert [(one.title, one.kind, one.summed) for one in columns_of(Row)] == [
        ("Table", ColumnKind.TEXT, False),
        ("Time", ColumnKind.TIME, False),
        ("Seat", ColumnKind.SEAT, False),
        ("Expired", ColumnKind.FLAG, False),
        ("Kind", ColumnKind.CODE, False),
        ("Times", ColumnKind.COUNT, False),
        ("House win", ColumnKind.MONEY, True),
        ("Deviation", ColumnKind.MONEY, True),
        ("Hold", ColumnKind.PERCENT, False),
        ("Mean", ColumnKind.COUNT, True),
    ]
    assert [one.name for one in columns_of(Row) if not one.on_screen] == ["kind"]
    assert [one.name for one in columns_of(Row) if one.wide] == ["deviation_cents"]


def test_the_parameters_of_the_function_are_the_filters() -> None:
    found = parameters_of(made)
    assert [(one.name, one.filter.kind, one.default) for one in found] == [
        ("days", FilterKind.DAYS, EVERY_DAY),
        ("table", FilterKind.TABLE, None),
        ("before", FilterKind.PAGE, None),
        ("limit", FilterKind.COUNT, 7),
    ]
    assert found[2].view.goes_on_from == "entry"


def test_a_parameter_that_is_no_filter_is_a_mistake_of_ours() -> None:
    async def wrong(store: Store, colour: str) -> list[Row]:
        return []

    with pytest.raises(TypeError, match="colour: str is no filter"):
        parameters_of(wrong)


def test_every_report_can_be_told_from_the_others() -> None:
    for told in ([one.name for one in REPORTS], [one.title for one in REPORTS]):
        assert len(set(told)) == len(told)
    for report in REPORTS:
        shown = [one.name for one in report.columns if one.on_screen]
        assert shown, report.name
        for one in report.parameters:
            if one.filter.kind is FilterKind.PAGE:
                assert one.filter.goes_on_from in report.row.__struct_fields__, report.name


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.name)
async def test_a_new_house_has_nothing_to_report(report: Report[Any]) -> None:
    asked = {"days": EVERY_DAY} if any(one.name == "days" for one in report.parameters) else {}
    assert await report.rows(MemoryStore(), Asker(0, desk="cass"), asked) == []
