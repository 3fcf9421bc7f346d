"""`natural9 nodes`: which node has which table, as the database knows it."""

import asyncio
import shlex
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from rich.markup import escape
from rich.table import Table

from natural9.cli.records import VenueArgument, check_venue, show_time, zone_of
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.tables import table
from natural9.core.errors import BadInput
from natural9.store.contract import StoreFailed
from natural9.store.postgres.address import address_of
from natural9.table.venue.venue import VENUE_FILE, load_venue

if TYPE_CHECKING:
    from natural9.store.postgres.leases import SeenNodes, SeenStream

OFFICE = "venue"  # the stream of what is no table's: people, devices, the desks
TABLE = "table/"
MINUTE_MS = 60_000


class StreamRow(Struct, frozen=True, kw_only=True):
    """A table, or the office. Times are milliseconds since 1970; `since` is 0 where nobody ever had it."""

    id: str
    epoch: int = 0
    since: int = 0
    entries: int = 0
    lease_ms: int | None = None  # what is left of it


class NodeRow(Struct, frozen=True, kw_only=True):
    """A dead node has what it had last; what nobody has is at a node without a name."""

    node: str
    url: str = ""
    is_alive: bool = False
    takes_tables: bool = False
    why_not: str = ""  # it takes none
    since: int = 0
    lag_ms: int = 0  # since it was last heard
    version: str = ""
    program_sha256: str = ""
    rules_sha256: str = ""
    office: StreamRow | None = None
    tables: list[StreamRow] = []

    def streams(self) -> Iterator[tuple[str, StreamRow]]:
        """By their names in the records: a table may be called venue, too."""
        if self.office:
            yield OFFICE, self.office
        yield from [(TABLE + one.id, one) for one in self.tables]


class Looked(NamedTuple):
    now_ms: int  # by the database's clock
    rows: list[NodeRow]
    streams: list[str]  # in the order of the venue file

    def at(self, stream: str) -> tuple[NodeRow, StreamRow]:
        return next((row, one) for row in self.rows for of, one in row.streams() if of == stream)


def nodes(venue: VenueArgument, json: JsonOption = False) -> int:
    """Show which node has which table, since when, and who is dead.

    It asks only the database, so it works whichever nodes run. Exit 1: a table or the office has no live node.

    Example: natural9 nodes my-venue
    """
    found = _look(venue)
    if json:
        print_json(found.rows)
    else:
        _show(found, zone_of(venue))
    return 0 if all(found.at(stream)[0].is_alive for stream in found.streams) else 1


def _look(venue: Path) -> Looked:
    try:
        address = address_of(venue)
        if address is None:
            check_venue(venue)
            serve = f"natural9 serve {shlex.quote(str(venue))}"
            raise BadInput("no-nodes", f"{venue} has its records in a file, so one process has all tables: {serve}")
        from natural9.store.postgres.leases import look

        seen = asyncio.run(look(address))
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None
    streams = _streams(venue) or [one.stream for one in seen.streams]
    return Looked(seen.now_ms, _rows(seen, streams), streams)


def _rows(seen: "SeenNodes", streams: list[str]) -> list[NodeRow]:
    """In the order of the database; at the end what is at no node that it knows."""
    claims = {one.stream: one for one in seen.streams}
    owners = {stream: claims[stream].owner if stream in claims else "" for stream in streams}
    known = {node.card.name for node in seen.nodes}
    at_play = {one.owner for one in seen.streams}
    played = {node.card.rules_sha256 for node in seen.nodes if node.is_alive and node.card.name in at_play}

    def had_by(names: set[str]) -> tuple[StreamRow | None, list[StreamRow]]:
        office, tables = None, []
        for stream in streams:
            if owners[stream] in names:
                row = _stream_row(stream, claims.get(stream))
                if stream == OFFICE:
                    office = row
                else:
                    tables.append(row)
        return office, tables

    rows = []
    for node in seen.nodes:
        card = node.card
        other = "its rules are not those that are played" if played and card.rules_sha256 not in played else ""
        why_not = card.barred or other
        office, tables = had_by({card.name})
        rows.append(
            NodeRow(
                node=card.name,
                url=card.address,
                is_alive=node.is_alive,
                takes_tables=node.is_alive and not why_not,
                why_not=why_not,
                since=node.since_ms,
                lag_ms=node.seen_ms_ago,
                version=card.version,
                program_sha256=card.program_sha256,
                rules_sha256=card.rules_sha256,
                office=office,
                tables=tables,
            )
        )
    office, tables = had_by({*owners.values()} - known)
    return [*rows, NodeRow(node="", office=office, tables=tables)] if office or tables else rows


def _stream_row(stream: str, claim: "SeenStream | None") -> StreamRow:
    if claim is None:
        return StreamRow(id=_id_of(stream))
    return StreamRow(
        id=_id_of(stream),
        epoch=claim.epoch,
        since=claim.since_ms,
        entries=claim.number,
        lease_ms=claim.expires_in_ms,
    )


def _id_of(stream: str) -> str:
    return stream.removeprefix(TABLE)


def _streams(venue: Path) -> list[str]:
    """Those of the venue file; a table that is not in it any more stays in the records, and at no node."""
    try:
        tables = load_venue(venue / VENUE_FILE).tables
    except BadInput:  # an address, or a folder without one
        return []
    return [OFFICE, *(TABLE + table for table in tables)]


def _show(found: Looked, zone: tzinfo) -> None:
    out = console()
    named = [row for row in found.rows if row.node]
    if named:
        out.print(_node_table(named, found.now_ms, zone))
        for row in named:
            if row.is_alive and row.why_not:
                out.print(f"{row.node} takes nothing: {escape(row.why_not)}")
    else:
        out.print("No node has ever joined.")
    out.print()
    out.print(_stream_table(found, zone))


def _node_table(rows: list[NodeRow], now_ms: int, zone: tzinfo) -> Table:
    shown = table("node", "", "address", "version", "since", "seen", "has", right=["has"])
    for row in rows:
        state = "dead" if not row.is_alive else "alive" if row.takes_tables else "takes nothing"
        has = len([*row.streams()]) if row.is_alive else 0
        seen = f"{row.lag_ms / 1000:.1f} s ago" if row.lag_ms < MINUTE_MS else show_time(now_ms - row.lag_ms, zone)
        shown.add_row(row.node, state, row.url, row.version, show_time(row.since, zone), seen, str(has))
    return shown


def _stream_table(found: Looked, zone: tzinfo) -> Table:
    shown = table("table", "at", "since", "lease", "entries", right=["lease", "entries"])
    for stream in found.streams:
        node, row = found.at(stream)
        name = "the office" if stream == OFFICE else row.id
        at = node.node if node.is_alive else f"nobody; last at {node.node}" if node.node else "nobody"
        since = show_time(row.since, zone) if row.since else ""
        lease = "" if row.lease_ms is None else f"{row.lease_ms / 1000:.1f} s" if row.lease_ms > 0 else "over"
        shown.add_row(name, at, since, lease, f"{row.entries:,}")
    return shown
