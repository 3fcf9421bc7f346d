"""`natural9 search`: anything in a journal found again, as the auditor's page finds it."""

from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.markup import escape

from natural9.cli.records import VenueArgument, check_table, read_records, show_time, zone_of
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.tables import table as columns_table
from natural9.cli.usage import within
from natural9.server.search.found import MOST_ROWS, SearchFound
from natural9.server.search.found import search as search_records
from natural9.server.search.query import search_query
from natural9.store.contract import Store


def _option(name: str, says: str, metavar: str) -> Any:
    return typer.Option(name, help=says, metavar=metavar, show_default=False)


def search(
    venue: VenueArgument,
    since: Annotated[str, _option("--from", "From this time on: 2026-11-16 or '2026-11-16 14:05'.", "TIME")] = "",
    until: Annotated[str, _option("--to", "Up to and including this time.", "TIME")] = "",
    table: Annotated[str, _option("--table", "The id of a table.", "TABLE")] = "",
    seat: Annotated[str, _option("--seat", "The number of a seat.", "SEAT")] = "",
    device: Annotated[str, _option("--device", "A device by its id, or a terminal such as 3-7.", "DEVICE")] = "",
    voucher: Annotated[str, _option("--voucher", "The number of a voucher, such as 3-7-1.", "NUMBER")] = "",
    least: Annotated[str, _option("--least", "At least this amount.", "AMOUNT")] = "",
    most: Annotated[str, _option("--most", "At most this amount.", "AMOUNT")] = "",
    result: Annotated[str, _option("--result", "How the round ended: player, banker, tie or void.", "RESULT")] = "",
    person: Annotated[str, _option("--person", "A person of the staff or a player, by their id.", "ID")] = "",
    before: Annotated[
        int | None,
        typer.Option(
            "--before", help="Continue before this entry.", metavar="ENTRY", callback=within("--before", 1, 2**53)
        ),
    ] = None,
    limit: Annotated[
        int,
        typer.Option(
            "--limit", help="The most rows to show.", metavar="COUNT", callback=within("--limit", 1, MOST_ROWS)
        ),
    ] = 100,
    json: JsonOption = False,
) -> None:
    """Search a journal by time, seat, voucher, amount and more.

    An entry must match every option. Newest first. --result alone finds each round once. Times are the venue's own. It
    works while the server runs.

    Example: natural9 search my-venue --table nc-1 --seat 7 --least 500
    """
    zone = zone_of(venue)
    query = search_query(
        zone, since=since, until=until, table=table, seat=seat, device=device,
        voucher=voucher, least=least, most=most, result=result, person=person,
    )  # fmt: skip

    async def searched(store: Store) -> SearchFound:
        if query.table is not None:
            await check_table(venue, store, query.table)
        return await search_records(store, query, before=before, limit=limit)

    found = read_records(venue, searched)
    if json:
        print_json(found)
        return
    if found.rows:
        shown = columns_table(
            "entry", "time", "table", "round", "result", "what happened", "who", right=["entry", "round"]
        )
        for row in found.rows:
            number = str(row.round) if row.round else ""
            who = f"{row.by} ({row.rank})" if row.rank else row.by
            when = show_time(row.at_ms, zone)
            shown.add_row(str(row.entry), when, row.table, number, row.result or "", escape(row.says), escape(who))
        console().print(shown)
    console().print(_ending(found, lambda at_ms: show_time(at_ms, zone)))


def _ending(found: SearchFound, time_of: Callable[[int], str]) -> str:
    """How many there are, and how to go on."""
    said = [] if found.count is None else [f"{found.count:,} found." if found.count else "Nothing found."]
    if not found.complete and found.back_to_ms is not None:
        said.append(f"The search stopped at {time_of(found.back_to_ms)}: there may be more before that.")
    if found.more_before is not None:
        said.append(f"--before {found.more_before} shows more.")
    return " ".join(said) or "That is all."
