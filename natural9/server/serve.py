"""Run a venue: open it, start its tables, serve until told to stop, and stop cleanly."""

import asyncio
import gc
import signal
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, Protocol

import structlog
import uvicorn
from litestar.types import ASGIApp

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.extras import lacking
from natural9.server.accepting import Acceptor
from natural9.server.app import Carrying, make_app
from natural9.server.connections import SPARE_HANDLES, Door, http_protocol, most_strangers, raise_handle_limit
from natural9.server.house import House
from natural9.server.supervisor import READY, STOPPING, say_not_stuck, tell_supervisor
from natural9.server.tls import tls_context
from natural9.server.tracing import start_tracing, stop_tracing
from natural9.server.training.trainer import Trainings
from natural9.server.upgrade import websocket_protocol
from natural9.store.contract import Corrupt, StoreFailed
from natural9.table.venue.venue import VENUE_FILE, Venue, load_venue

BACKLOG = 4096
HANDSHAKE_S = 10.0  # for TLS; uvicorn leaves it at a minute

log = structlog.get_logger()

Started = Callable[[House, str], Awaitable[None]]  # once it answers, with its address


class AtWork(Protocol):
    """A house that is served: all of a venue, or one node's part of it."""

    @property
    def house(self) -> House: ...
    async def start(self) -> None: ...
    async def stop(self, why: str) -> None: ...
    @property
    def carrying(self) -> Carrying | None:
        """What is asked here and answered elsewhere; None where all is here."""
        ...

    async def end(self) -> None:
        """Returns, or raises why, when it cannot go on."""
        ...


class Alone(NamedTuple):
    """One process that plays the whole venue."""

    house: House
    carrying: Carrying | None = None

    async def start(self) -> None:
        await self.house.start()

    async def stop(self, why: str) -> None:
        await self.house.stop(why)

    async def end(self) -> None:
        await asyncio.Event().wait()


async def _open(folder: Path, venue: Venue, node: str, tell: Callable[[str], None]) -> AtWork:
    if not node:
        return Alone(await House.open(folder, venue))
    from natural9.server.cluster.joining import join  # what speaks to NATS is loaded only by nodes

    return await join(folder, venue, node, tell=tell)


async def serve(
    folder: Path,
    *,
    started: Started,
    demo: bool = False,
    trainings: Trainings | None = None,
    node: str = "",
    host: str | None = None,
    port: int | None = None,
    tell: Callable[[str], None] = lambda words: None,
) -> None:
    """Until SIGTERM or SIGINT. Raises BadInput for a venue that cannot be opened, naming what is wrong.

    With a name it is one node of several. `tell` is for the person who started it."""
    venue = load_venue(folder / VENUE_FILE).at(host, port)
    if venue.proof.stamp_authority and find_spec("rfc3161_client") is None:  # now, and not at the end of the day
        raise BadInput("not-installed", f"time_stamp_authority of {VENUE_FILE} needs {lacking('rfc3161_client')}")
    with _bound_to(venue) as listening:  # before records are opened, which may take long: a taken port begins nothing
        start_tracing(node=node)
        try:
            at_work = await _open(folder, venue, node, tell)
            await at_work.start()
        except (Corrupt, StoreFailed) as error:
            raise BadInput("cannot-start", f"no play: {error}") from None
        await _play(at_work, listening, started=started, demo=demo, trainings=trainings, lasting=bool(node))


async def _play(
    at_work: AtWork,
    listening: socket.socket,
    *,
    started: Started,
    demo: bool,
    trainings: Trainings | None,
    lasting: bool,
) -> None:
    """Until told to stop, or until it cannot go on; who cancels it ends it where it stands, as a power cut would.
    `lasting` where a journal that is away comes back by itself."""
    house = at_work.house
    spare_the_collector()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(one, stop.set)
    try:
        app = make_app(house, demo=demo, trainings=trainings, carried=at_work.carrying)
        server = _server(house, app, listening)
        running = asyncio.create_task(server.serve(sockets=[listening]))
        ended = asyncio.create_task(at_work.end())
        await started(house, _address(house, listening))
        tell_supervisor(READY)
        # A node's journal comes back by itself; a file that could not be written takes a new start.
        alive = asyncio.create_task(say_not_stuck(lambda: lasting or house.store.can_write))
        await asyncio.wait([running, ended, asyncio.create_task(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
        tell_supervisor(STOPPING)
        await at_work.stop(say("asked to stop"))
        server.should_exit = True
        await running
        alive.cancel()
    except asyncio.CancelledError:
        raise  # who cuts it off waits for no round
    except BaseException:
        await at_work.stop(say("it could not be served"))
        raise
    finally:
        for one in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(one)
        await asyncio.to_thread(stop_tracing)
    if ended.done() and (why := ended.exception()):
        raise BadInput("cannot-go-on", str(why))


def spare_the_collector() -> None:
    """What was loaded stays, and play leaves next to no cycles behind: looking for them took a seventh of a bet."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


class _Server(uvicorn.Server):
    """Signals are ours: tables come first, the port afterwards. So is TLS."""

    def __init__(self, config: uvicorn.Config, tls: ssl.SSLContext | None) -> None:
        super().__init__(config)
        self.tls = tls

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's on sockets that listen already, but a few at a time, and a TLS handshake must end."""
        config = self.config

        def protocol() -> asyncio.Protocol:
            return config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            )

        handshake_s = HANDSHAKE_S if self.tls else None
        self.servers = [Acceptor(one, protocol, tls=self.tls, handshake_s=handshake_s) for one in sockets or ()]  # type: ignore[misc]  # all that uvicorn asks of one
        self.started = True


def _bound_to(venue: Venue) -> socket.socket:
    """Nobody is heard yet."""
    bound = socket.socket(socket.AF_INET6 if ":" in venue.host else socket.AF_INET)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((venue.host, venue.port))
    except OSError as error:
        bound.close()
        raise _cannot_listen(venue, error) from None
    return bound


def _cannot_listen(venue: Venue, error: OSError) -> BadInput:
    why = error.strerror or str(error)
    return BadInput("cannot-listen", f"port {venue.port} of {venue.host} cannot be used: {why}")


def _server(house: House, app: ASGIApp, listening: socket.socket) -> uvicorn.Server:
    venue = house.venue
    tls = tls_context(venue.tls_cert, venue.tls_key) if venue.tls_cert and venue.tls_key else None
    config = uvicorn.Config(
        app,
        ws=websocket_protocol(house.hub),
        http=http_protocol(_door(house)),
        loop="none",  # it runs already (event_loop)
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the gate and the hub read them, from the venue's proxies alone
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        ssl_certfile=venue.tls_cert,  # so that it knows that it is https
        ssl_keyfile=venue.tls_key,
        backlog=BACKLOG,
    )
    try:
        listening.listen(BACKLOG)  # from now on a client waits for its answer; it is not turned away
    except OSError as error:  # somebody else bound the same port, and was quicker
        raise _cannot_listen(venue, error) from None
    return _Server(config, tls)


def _door(house: House) -> Door:
    limit, seats = raise_handle_limit(), sum(table.seats for table in house.venue.tables.values())
    if limit < seats + 2 * SPARE_HANDLES:
        log.warning("few file handles", limit=limit, seats=seats, advice="raise the limit, as with ulimit -n")
    return Door(handles=limit - SPARE_HANDLES, strangers=most_strangers(limit, seats))


def _address(house: House, listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if house.venue.tls_cert else 'http'}://{shown}:{port}"
