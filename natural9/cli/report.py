"""`natural9 report`: the records as reports, on the screen, as a sheet or for programs. A command for each of them."""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo
from typing import Annotated, Any, Final

import typer
from msgspec import Struct
from rich.markup import escape

from natural9.cli.records import VenueArgument, read_records, show_time, zone_of
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.tables import table as columns_table
from natural9.cli.usage import PlainCommand, within
from natural9.core.errors import BadInput
from natural9.core.money import show_cents
from natural9.games.citations import citation
from natural9.server.clock import Clock
from natural9.server.reports.asker import Asker
from natural9.server.reports.catalogue import REPORTS
from natural9.server.reports.columns import ColumnKind, ReportColumn
from natural9.server.reports.days import days_of
from natural9.server.reports.filters import FilterKind, Parameter
from natural9.server.reports.report import Report
from natural9.server.reports.sheets import as_csv
from natural9.server.reports.signature import keyword, signed
from natural9.store.contract import Store

NUMBERS: Final = (ColumnKind.MONEY, ColumnKind.COUNT, ColumnKind.PERCENT, ColumnKind.ROUND, ColumnKind.SEAT)
MOST: Final = 2**63 - 1
DAY_OPTIONS: Final = {
    "day": Annotated[str | None, typer.Option("--day", metavar="DAY", help="One gaming day, such as 2026-11-16.")],
    "first_day": Annotated[str | None, typer.Option("--from", metavar="DAY", help="The first gaming day.")],
    "last_day": Annotated[str | None, typer.Option("--to", metavar="DAY", help="The last gaming day.")],
}
CsvOption = Annotated[bool, typer.Option("--csv", help="Print comma-separated values on stdout.")]

report = typer.Typer(
    name="report",
    help="""Print a report: win, meters, vouchers, corrections and more.

    Without a name it lists the reports. It works while the server runs.

    CSV and JSON have every column, amounts in whole cents and times in milliseconds since 1970.

    Example: natural9 report win my-venue --day 2026-11-16 --csv
    """,
    add_completion=False,
    rich_markup_mode=None,
    invoke_without_command=True,
)


@report.callback()
def list_reports(context: typer.Context, json: JsonOption = False) -> None:
    if context.invoked_subcommand:
        return
    if json:
        print_json([one.view for one in REPORTS])
        return
    listed = columns_table("report", "title", "")
    for one in REPORTS:
        listed.add_row(one.name, one.title, one.says)
    console().print(listed)


def command_of(report: Report[Any]) -> Callable[..., None]:
    """A command with the report's filters as its options."""

    def show(*, venue: Any, csv: bool, json: bool, **asked: Any) -> None:
        if csv and json:
            raise BadInput("bad-option", "give --csv or --json, not both")
        if DAY_OPTIONS.keys() <= asked.keys():
            asked["days"] = days_of(**{name: asked.pop(name) for name in DAY_OPTIONS})

        async def made(store: Store) -> list[Any]:
            asker = Asker((await Clock.open(store)).record_ms())
            return await report.rows(store, asker, asked)

        rows = read_records(venue, made)
        if json:
            print_json(rows)
        elif csv:
            sys.stdout.write(as_csv(report.row, rows))
        else:
            _show(report.columns, rows, zone_of(venue))
        _tell_of_more(len(rows), asked)

    show.__doc__ = f"{report.says}\n\nExample: natural9 report {report.name} my-venue --csv"
    options = [option for parameter in report.parameters for option in _options(parameter)]
    forms = [keyword("csv", CsvOption, False), keyword("json", JsonOption, False)]
    return signed(show, [keyword("venue", VenueArgument), *options, *forms], None)


def _tell_of_more(rows: int, asked: Mapping[str, Any]) -> None:
    """Nobody takes the newest rows for all of them."""
    most = next((name for name in ("limit", "count") if name in asked), None)
    if most and rows >= asked[most]:
        print(f"natural9: only the newest {rows:,} are here, there may be more: give --{most} more", file=sys.stderr)


def _options(parameter: Parameter) -> list[inspect.Parameter]:
    about = parameter.filter
    if about.kind is FilterKind.DAYS:
        return [keyword(name, option, None) for name, option in DAY_OPTIONS.items()]
    name, check = f"--{parameter.name}", None
    if about.least is not None:
        check = within(name, about.least, MOST)
    option = typer.Option(name, help=about.says, metavar=parameter.name.upper(), callback=check)
    return [keyword(parameter.name, Annotated[parameter.shape, option], parameter.default)]


def _show(columns: Sequence[ReportColumn], rows: Sequence[Struct], zone: tzinfo) -> None:
    if not rows:
        console().print("Nothing to report.")
        return
    columns = [column for column in columns if column.on_screen and not column.wide]
    numbers = [column.title for column in columns if column.kind in NUMBERS]
    shown = columns_table(*(column.title for column in columns), right=numbers)
    for row in rows:
        shown.add_row(*(_cell(column.kind, getattr(row, column.name), zone) for column in columns))
    console().print(shown)


def _cell(kind: ColumnKind, value: Any, zone: tzinfo) -> str:
    match kind:
        case _ if value is None:
            return "–"
        case ColumnKind.MONEY:
            return show_cents(value)
        case ColumnKind.TIME:
            return show_time(value, zone)
        case ColumnKind.PERCENT:
            return f"{value:.2f}%"
        case ColumnKind.FLAG:
            return "yes" if value else "no"
        case ColumnKind.SEAT if value == 0:
            return "all"
        case ColumnKind.WAGER if value == "":
            return "all wagers"
        case ColumnKind.ROUND if value == 0:
            return ""
        case ColumnKind.PARAGRAPH:
            return citation(value)
        case _:
            return escape(str(value))


for one in REPORTS:
    report.command(one.name, cls=PlainCommand, short_help=one.title)(command_of(one))
