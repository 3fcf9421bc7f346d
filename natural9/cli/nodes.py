"""`natural9 nodes`: which node has which table, as the database knows it."""

import asyncio
import shlex
from collections.abc import Sequence
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from rich.markup import escape
from rich.table import Table

from natural9.cli.records import VenueArgument, show_time, zone_of
from natural9.cli.shared import JsonOption, console, print_json
from natural9.cli.tables import table
from natural9.core.errors import BadInput
from natural9.store.contract import StoreFailed
from natural9.store.postgres.address import address_of
from natural9.table.venue.venue import VENUE_FILE, load_venue

if TYPE_CHECKING:
    from natural9.store.postgres.leases import SeenNodes

OFFICE = "venue"  # the stream of what is no table's: people, devices, the desks
TABLE = "table/"
MINUTE_MS = 60_000


class NodeRow(Struct, frozen=True, kw_only=True):
    name: str
    address: str
    version: str
    program_sha256: str
    rules_sha256: str
    is_alive: bool
    since_ms: int
    seen_ms_ago: int
    takes_tables: bool
    why_not: str  # it takes none


class StreamRow(Struct, frozen=True, kw_only=True):
    stream: str
    node: str  # "" where nobody has it
    is_played: bool  # by a node that lives
    since_ms: int
    epoch: int
    entries: int
    lease_ms: int | None  # what is left of it


class Nodes(Struct, frozen=True, kw_only=True):
    now_ms: int  # by the database's clock
    nodes: list[NodeRow]
    streams: list[StreamRow]


class ListedTable(Struct, frozen=True, kw_only=True):
    """For programs, as `NodeRow` and `StreamRow` are for the eye."""

    id: str
    epoch: int
    since: int  # milliseconds since 1970, as all times here
    entries: int
    lease_ms: int | None


class ListedNode(Struct, frozen=True, kw_only=True):
    """`tables` of a dead node are those that it had last; those that nobody ever had stand at a node without a name."""

    node: str
    url: str = ""
    is_alive: bool = False
    takes_tables: bool = False
    why_not: str = ""
    since: int = 0
    lag_ms: int = 0  # since it was last heard
    version: str = ""
    program_sha256: str = ""
    rules_sha256: str = ""
    has_office: bool
    tables: list[ListedTable]


def nodes(venue: VenueArgument, json: JsonOption = False) -> int:
    """Show which node has which table, since when, and who is dead.

    It asks only the database, so it works whichever nodes run. Exit 1: a table or the office has no live node.

    Example: natural9 nodes my-venue
    """
    found = _look(venue)
    if json:
        print_json(_listed(found))
    else:
        _show(found, zone_of(venue))
    return 0 if all(row.is_played for row in found.streams) else 1


def _look(venue: Path) -> Nodes:
    try:
        address = address_of(venue)
        if address is None:
            serve = f"natural9 serve {shlex.quote(str(venue))}"
            raise BadInput("no-nodes", f"{venue} has its records in a file, so one process has all tables: {serve}")
        from natural9.store.postgres.leases import look

        seen = asyncio.run(look(address))
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None
    rows = _stream_rows(seen)
    return Nodes(
        now_ms=seen.now_ms,
        nodes=_node_rows(seen),
        streams=[rows.get(stream) or _nobodys(stream) for stream in _streams(venue) or rows],
    )


def _stream_rows(seen: "SeenNodes") -> dict[str, StreamRow]:
    living = {node.card.name for node in seen.nodes if node.is_alive}
    return {
        one.stream: StreamRow(
            stream=one.stream,
            node=one.owner,
            is_played=one.owner in living,
            since_ms=one.since_ms,
            epoch=one.epoch,
            entries=one.number,
            lease_ms=one.expires_in_ms,
        )
        for one in seen.streams
    }


def _node_rows(seen: "SeenNodes") -> list[NodeRow]:
    owners = {stream.owner for stream in seen.streams}
    played = {node.card.rules_sha256 for node in seen.nodes if node.is_alive and node.card.name in owners}
    rows = []
    for node in seen.nodes:
        card = node.card
        other = "its rules are not those that are played" if played and card.rules_sha256 not in played else ""
        why_not = card.barred or other
        rows.append(
            NodeRow(
                name=card.name,
                address=card.address,
                version=card.version,
                program_sha256=card.program_sha256,
                rules_sha256=card.rules_sha256,
                is_alive=node.is_alive,
                since_ms=node.since_ms,
                seen_ms_ago=node.seen_ms_ago,
                takes_tables=node.is_alive and not why_not,
                why_not=why_not,
            )
        )
    return rows


def _listed(found: Nodes) -> list[ListedNode]:
    listed = [
        ListedNode(
            node=row.name,
            url=row.address,
            is_alive=row.is_alive,
            takes_tables=row.takes_tables,
            why_not=row.why_not,
            since=row.since_ms,
            lag_ms=row.seen_ms_ago,
            version=row.version,
            program_sha256=row.program_sha256,
            rules_sha256=row.rules_sha256,
            **_had_by(row.name, found.streams),
        )
        for row in found.nodes
    ]
    nobodys = _had_by("", found.streams)
    return [*listed, ListedNode(node="", **nobodys)] if nobodys["tables"] or nobodys["has_office"] else listed


def _had_by(node: str, rows: Sequence[StreamRow]) -> dict[str, Any]:
    mine = [row for row in rows if row.node == node]
    tables = [
        ListedTable(
            id=row.stream.removeprefix(TABLE),
            epoch=row.epoch,
            since=row.since_ms,
            entries=row.entries,
            lease_ms=row.lease_ms,
        )
        for row in mine
        if row.stream != OFFICE
    ]
    return {"tables": tables, "has_office": len(tables) < len(mine)}


def _streams(venue: Path) -> list[str]:
    """Those of the venue file; a table that is not in it any more stays in the records, and at no node."""
    try:
        tables = load_venue(venue / VENUE_FILE).tables
    except BadInput:  # an address, or a folder without one
        return []
    return [OFFICE, *(TABLE + table for table in tables)]


def _nobodys(stream: str) -> StreamRow:
    return StreamRow(stream=stream, node="", is_played=False, since_ms=0, epoch=0, entries=0, lease_ms=None)


def _show(found: Nodes, zone: tzinfo) -> None:
    out = console()
    if found.nodes:
        out.print(_node_table(found, zone))
        for node in found.nodes:
            if node.is_alive and node.why_not:
                out.print(f"{node.name} takes nothing: {escape(node.why_not)}")
    else:
        out.print("No node has ever joined.")
    out.print()
    out.print(_stream_table(found.streams, zone))


def _node_table(found: Nodes, zone: tzinfo) -> Table:
    shown = table("node", "", "address", "version", "since", "seen", "has", right=["has"])
    for node in found.nodes:
        state = "dead" if not node.is_alive else "alive" if node.takes_tables else "takes nothing"
        has = sum(row.node == node.name and row.is_played for row in found.streams)
        late, seen_at = node.seen_ms_ago, show_time(found.now_ms - node.seen_ms_ago, zone)
        seen = f"{late / 1000:.1f} s ago" if late < MINUTE_MS else seen_at
        shown.add_row(node.name, state, node.address, node.version, show_time(node.since_ms, zone), seen, str(has))
    return shown


def _stream_table(rows: Sequence[StreamRow], zone: tzinfo) -> Table:
    shown = table("table", "at", "since", "lease", "entries", right=["lease", "entries"])
    for row in rows:
        name = "the office" if row.stream == OFFICE else row.stream.removeprefix(TABLE)
        at = row.node if row.is_played else f"nobody; last at {row.node}" if row.node else "nobody"
        since = show_time(row.since_ms, zone) if row.since_ms else ""
        lease = "" if row.lease_ms is None else f"{row.lease_ms / 1000:.1f} s" if row.lease_ms > 0 else "over"
        shown.add_row(name, at, since, lease, f"{row.entries:,}")
    return shown
