"""`natural9 serve`: run a venue's tables."""

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from natural9.cli.records import VenueFolder, check_venue
from natural9.cli.usage import port_option
from natural9.core.errors import BadInput
from natural9.store.contract import StoreFailed
from natural9.store.opening import find_records
from natural9.store.postgres.address import address_of
from natural9.table.venue.cluster import check_node_name
from natural9.table.venue.venue import VENUE_FILE, load_venue

if TYPE_CHECKING:
    from natural9.server.house import House


def serve(
    folder: VenueFolder,
    node: Annotated[
        str | None, typer.Option("--node", metavar="NAME", help="This node's name, where several play one venue.")
    ] = None,
    host: Annotated[
        str | None, typer.Option("--host", metavar="HOST", help="The address to listen on.  [default: venue.toml's]")
    ] = None,
    port: Annotated[int | None, port_option("venue.toml's")] = None,
    plain_logs: Annotated[bool, typer.Option("--plain-logs", help="Write logs for people instead of JSON.")] = False,
) -> None:
    """Run the tables of a venue.

    Ctrl-C or SIGTERM stops it. A bet that was acknowledged is never lost. The first start prints a code: with it the
    first administrator opens their account.

    Where venue.toml has [cluster], each process is a node with a name of its own: docs/cluster.md.

    Example: natural9 serve my-venue
    """
    check_venue(folder)
    check_node(folder, node)
    from natural9.server import event_loop
    from natural9.server.logs import configure_logs
    from natural9.server.serve import serve as serve_venue

    configure_logs(as_json=not plain_logs, node=node or "")
    started = partial(_say, node)
    event_loop.run(serve_venue(folder, started=started, node=node or "", host=host, port=port, tell=_tell))


def check_node(folder: Path, node: str | None) -> None:
    """A name where the venue is one of several nodes, and only there; and records that all of them can reach."""
    cluster = load_venue(folder / VENUE_FILE).cluster
    if node is None:
        if cluster:
            start = f"natural9 serve {shlex.quote(str(folder))} --node node-1"
            raise BadInput("no-node", f"{folder / VENUE_FILE} has [cluster], so each process has a name: {start}")
        return
    check_node_name(node)
    if cluster is None:
        raise BadInput(
            "no-cluster", f"{folder / VENUE_FILE} has no [cluster], so one process has all tables: no --node"
        )
    try:
        database = address_of(folder)
    except StoreFailed as error:
        raise BadInput("bad-address", str(error)) from None
    if database is None and find_records(folder):
        move = f"natural9 move {shlex.quote(str(folder))} {cluster.database or 'postgresql://USER@HOST/DATABASE'}"
        raise BadInput("no-database", f"several nodes share a database, and the records of {folder} are a file: {move}")
    if database is None:
        raise BadInput("no-database", f"name the database of the nodes: [cluster] database in {folder / VENUE_FILE}")


async def _say(node: str | None, house: "House", address: str) -> None:
    from natural9.server.people.accounts import no_administrator

    what = f"node {node}" if node else f"{len(house.rooms)} tables"
    _tell(f"{house.venue.name}: {what} at {address}")
    if not node and (code := house.accounts.first_code()):
        _tell(no_administrator(code))


def _tell(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
