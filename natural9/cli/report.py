"""`natural9 report`: the records as reports, on the screen, as a sheet or for programs."""

import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import tzinfo
from enum import StrEnum
from typing import Annotated, Final, NamedTuple

import typer
from msgspec import Struct
from rich.markup import escape

from natural9.cli.records import VenueArgument, read_records, show_time, zone_of
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.tables import table as columns_table
from natural9.cli.usage import within
from natural9.core.errors import BadInput, did_you_mean
from natural9.core.money import show_cents
from natural9.server.reports import money
from natural9.server.reports.days import Days, days_of
from natural9.server.reports.sheets import as_csv
from natural9.server.reports.significant import EventLine, correction_report, event_report
from natural9.store.contract import Store

# Too wide for a screen; the sheet and JSON have every column.
_NOT_ON_SCREEN: Final = frozenset(
    {"hold", "wagered_cents", "stakes_returned_cents", "vouchers_in", "vouchers_out", "bought_cents", "says", "day"}
)


class ReportKind(StrEnum):
    WIN = "win"
    METERS = "meters"
    VOUCHERS = "vouchers"
    CORRECTIONS = "corrections"
    EVENTS = "events"
    TRANSACTIONS = "transactions"
    DESKS = "desks"


class Asked(NamedTuple):
    days: Days
    table: str | None
    limit: int


Report = Callable[[Store, Asked], Awaitable[Sequence[Struct]]]
REPORTS: Final[dict[ReportKind, tuple[type[Struct], Report]]] = {
    ReportKind.WIN: (money.WinLine, lambda store, asked: money.win_report(store, asked.days, table=asked.table)),
    ReportKind.METERS: (money.MeterLine, lambda store, asked: money.meter_report(store, asked.days, table=asked.table)),
    ReportKind.VOUCHERS: (
        money.VoucherLine,
        lambda store, asked: money.voucher_report(store, at_ms=time.time_ns() // 1_000_000, table=asked.table),
    ),
    ReportKind.CORRECTIONS: (
        EventLine,
        lambda store, asked: correction_report(store, asked.days, table=asked.table, limit=asked.limit),
    ),
    ReportKind.EVENTS: (
        EventLine,
        lambda store, asked: event_report(store, asked.days, table=asked.table, limit=asked.limit),
    ),
    ReportKind.TRANSACTIONS: (money.TransactionLine, lambda store, asked: _transactions(store, asked)),
    ReportKind.DESKS: (money.DeskLine, lambda store, asked: money.desk_report(store, asked.days)),
}


def report(
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"One of {', '.join(ReportKind)}.")],
    venue: VenueArgument,
    day: Annotated[str | None, typer.Option("--day", metavar="DAY", help="One gaming day, such as 2026-11-16.")] = None,
    first_day: Annotated[str | None, typer.Option("--from", metavar="DAY", help="The first gaming day.")] = None,
    last_day: Annotated[str | None, typer.Option("--to", metavar="DAY", help="The last gaming day.")] = None,
    table: Annotated[str | None, typer.Option("--table", metavar="TABLE", help="Only this table.")] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            metavar="N",
            callback=within("--limit", 1, 2**63 - 1),
            help="The most corrections, events or transactions.",
        ),
    ] = 1000,
    csv: Annotated[bool, typer.Option("--csv", help="Print comma-separated values on stdout.")] = False,
    json: JsonOption = False,
) -> None:
    """Print a report: win, meters, vouchers, corrections and more.

    Win, meters and cash desks are by gaming day; vouchers are those outstanding. It works while the server runs. CSV
    and JSON have amounts in whole cents and times in milliseconds since 1970.

    Example: natural9 report win my-venue --day 2026-11-16 --csv
    """
    if csv and json:
        raise BadInput("bad-option", "give --csv or --json, not both")
    asked = Asked(days_of(day=day, first_day=first_day, last_day=last_day), table, limit)
    shape, make = REPORTS[_kind(kind)]
    lines = read_records(venue, lambda store: make(store, asked))
    if json:
        print_json(lines)
    elif csv:
        sys.stdout.write(as_csv(shape, lines))
    else:
        _show(shape, lines, zone_of(venue))


def _kind(text: str) -> ReportKind:
    if text not in [*ReportKind]:
        hint = did_you_mean(text, ReportKind) or f"; there are {', '.join(ReportKind)}"
        raise BadInput("unknown-report", f"there is no report {text!r}{hint}")
    return ReportKind(text)


async def _transactions(store: Store, asked: Asked) -> list[money.TransactionLine]:
    """The last of them: those of the gaming days asked for, whatever table they concern."""
    found: list[money.TransactionLine] = []
    after = 0
    while page := await money.transaction_report(store, after=after, limit=10_000):
        found += [line for line in page if asked.days.hold(line.day) and _concerns(line, asked.table)]
        found = found[-asked.limit :]
        after = page[-1].number
    return found


def _concerns(line: money.TransactionLine, table: str | None) -> bool:
    if table is None:
        return True
    accounts = (line.source.partition("/")[2], line.target.partition("/")[2])
    return any(name == table or name.rpartition("-")[0] == table for name in accounts)


def _show(shape: type[Struct], lines: Sequence[Struct], zone: tzinfo) -> None:
    if not lines:
        console().print("Nothing to report.")
        return
    hidden = _NOT_ON_SCREEN - {"says", "day"} if shape is not EventLine else {"day", "paragraph", "why"}
    names = [name for name in shape.__struct_fields__ if name not in hidden]
    numbers = [_title(name) for name in names if isinstance(getattr(lines[0], name), int | float)]
    shown = columns_table(*map(_title, names), right=numbers)
    for line in lines:
        shown.add_row(*(_cell(name, getattr(line, name), zone) for name in names))
    console().print(shown)


def _title(name: str) -> str:
    return name.removesuffix("_cents").removesuffix("_at_ms").removesuffix("_ms").replace("_", " ")


def _cell(name: str, value: object, zone: tzinfo) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name.endswith("_cents") or name == "cents":
        assert isinstance(value, int)
        return show_cents(value)
    if name.endswith("at_ms"):
        assert isinstance(value, int)
        return show_time(value, zone)
    if name == "seat" and value == 0:
        return "all"
    return escape(str(value))
