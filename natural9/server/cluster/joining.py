"""A process becomes one of a venue's nodes: the database first, then the records, then the lines to the others."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from hashlib import sha256
from pathlib import Path

from natural9.core.errors import BadInput
from natural9.server.cluster.database_clock import DatabaseClock
from natural9.server.cluster.far_table import FarTables
from natural9.server.cluster.following import Following
from natural9.server.cluster.lines import Lines, LineSettings
from natural9.server.cluster.node import VenueNode
from natural9.server.cluster.whereabouts import Whereabouts
from natural9.server.house import House, check_approved
from natural9.server.machine import Machine
from natural9.server.program import file_hashes, program_sha256, version
from natural9.store.contract import Access
from natural9.store.opening import open_shared
from natural9.store.postgres.address import address_of
from natural9.store.postgres.leases import Leases, NodeCard
from natural9.table.venue.cluster import ClusterSettings
from natural9.table.venue.venue import Venue


async def join(folder: Path, venue: Venue, name: str, *, tell: Callable[[str], None]) -> VenueNode:
    """Nothing is at work yet. `tell` is for the person who started it."""
    settings = venue.cluster
    if settings is None:
        raise BadInput("no-cluster", f"{folder}: a node needs [cluster] in the venue file")
    check_approved(venue)
    address = address_of(folder)
    if address is None:
        why = f"{folder} has its records in a file: several nodes need a database, natural9 move carries them there"
        raise BadInput("no-database", why)
    async with AsyncExitStack() as undo:
        store = open_shared(folder, Access.SERVE, node=name, folder=folder)
        undo.push_async_callback(store.close)
        leases = await Leases.open(address, node_card(venue, name), lease_s=settings.lease_s)
        undo.push_async_callback(leases.close)
        clock = DatabaseClock()
        clock.set(await leases.renew())
        house = await House.of(folder, venue, store, Machine(time_ms=clock.now_ms))
        lines = await Lines.open(line_settings(settings), house.office.checkpoints.keys.origin, name)
        undo.push_async_callback(lines.close)
        whereabouts = Whereabouts(name)
        FarTables(house.carrier, lines, whereabouts)
        following = Following(house, lines, whereabouts)
        node = VenueNode(house, store, leases, lines, whereabouts, following, clock, settings.lease_s, tell)
        undo.pop_all()
        return node


def node_card(venue: Venue, name: str) -> NodeCard:
    rules = "".join(f"{table.game.id} {table.game.sha256}\n" for table in venue.tables.values())
    return NodeCard(
        name=name,
        version=version(),
        program_sha256=program_sha256(file_hashes()),
        rules_sha256=sha256(rules.encode()).hexdigest(),
        address=f"{venue.host}:{venue.port}",
    )


def line_settings(settings: ClusterSettings) -> LineSettings:
    return LineSettings(
        servers=settings.nats,
        tls_ca=settings.tls_ca,
        tls_cert=settings.tls_cert,
        tls_key=settings.tls_key,
        login=settings.login(),
    )
