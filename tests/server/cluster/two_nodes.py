"""Two nodes of one venue in one process, over a real nats-server and real sockets.

The one that has the tables is a whole house. The other is a house on a copy of its folder (the same people, keys and
tables) that has no room and no office: whatever is asked of it is carried.
"""

import asyncio
import secrets
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from natural9.server.app import make_app
from natural9.server.cluster.carried_http import CarriedHttp
from natural9.server.cluster.far_lines import FarLines
from natural9.server.cluster.idle_time import share_idle_time
from natural9.server.cluster.lines import Lines, LineSettings
from natural9.server.cluster.whereabouts import OFFICE, Whereabouts, table_stream
from natural9.server.connections import Door, http_protocol
from natural9.server.house import House
from natural9.server.upgrade import websocket_protocol
from tests.server.cluster.nats_server import NatsServer, nats_server
from tests.server.live_server import new_venue


class Node:
    """A house on the network of its venue. `address` is where clients connect."""

    def __init__(self, house: House, lines: Lines) -> None:
        self.house, self.lines = house, lines
        self.whereabouts = Whereabouts(lines.node)
        for stream in (OFFICE, *map(table_stream, house.venue.tables)):
            self.whereabouts.took(stream, "b")
        self.far_lines = FarLines(house.hub, lines, self.whereabouts)
        house.hub.floor.elsewhere = self.far_lines
        share_idle_time(house.accounts.sessions, lines)
        carried = CarriedHttp(lines, self.whereabouts, house.venue.tables)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        config = uvicorn.Config(
            make_app(house, carried=carried),
            ws=websocket_protocol(house.hub),
            http=http_protocol(Door(handles=10_000, strangers=10_000)),
            loop="none",
            lifespan="off",
            log_config=None,
            proxy_headers=False,
        )
        self._server = uvicorn.Server(config)
        self._server.capture_signals = suppress  # type: ignore[method-assign, assignment]
        self._tasks = [
            asyncio.create_task(self._server.serve(sockets=[self._listening])),
            asyncio.create_task(self.far_lines.run()),
        ]

    async def stop(self) -> None:
        self._tasks.pop().cancel()
        self._server.should_exit = self._server.force_exit = True
        await asyncio.gather(*self._tasks)
        await self.lines.close()


@dataclass
class TwoNodes:
    edge: Node
    owner: Node

    async def meet(self) -> None:
        while not (self.edge.lines.hears("b") and self.owner.lines.hears("a")):
            await asyncio.sleep(0.005)


@asynccontextmanager
async def two_nodes(folder: Path, *tables: str, nats: NatsServer | None = None) -> AsyncIterator[TwoNodes]:
    """`a`, where one connects, and `b`, which has everything."""
    new_venue(folder / "b", *tables)
    shutil.copytree(folder / "b", folder / "a")
    settings = LineSettings(((nats or nats_server()).address,))
    venue_id = secrets.token_hex(8)
    owner, edge = await House.open(folder / "b"), await House.open(folder / "a")
    await owner.start()
    edge.accounts.close()
    # As if it followed the office, and was never behind.
    edge.accounts = edge.hub.accounts = edge.hub.guests.accounts = owner.accounts
    edge.hub.is_ready = True
    both = TwoNodes(
        Node(edge, await Lines.open(settings, venue_id, "a")),
        Node(owner, await Lines.open(settings, venue_id, "b")),
    )
    try:
        await both.meet()
        yield both
    finally:
        await both.edge.stop()
        await both.owner.stop()
        await owner.stop("the test is over")
        await edge.store.close()
