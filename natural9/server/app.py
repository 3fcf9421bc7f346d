"""The HTTP application: routes, health, metrics and the OpenAPI document, behind the gate that everybody passes."""

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from ipaddress import ip_address
from shutil import disk_usage
from typing import Any, Protocol

import structlog
from litestar import Litestar, MediaType, Request, Response, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.types import ASGIApp, Scope
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.server import metrics
from natural9.server.card_routes import card_router
from natural9.server.demo.routes import demo_router
from natural9.server.documents import Documents, protocol_router
from natural9.server.house import House
from natural9.server.odds.routes import odds_router
from natural9.server.odds.table_routes import TableOddsController
from natural9.server.openapi import only_json, openapi_config
from natural9.server.people.addresses import is_among
from natural9.server.people.answers import STATUS, ApiError, ApiRefused, documented, exception_handlers
from natural9.server.people.guards import FORWARDED, Gate, host_allowed, peer_of, who_is
from natural9.server.people.limits import AttemptLimiter, TooOften
from natural9.server.people.permissions import Action, permissions
from natural9.server.people.player_routes import players_router
from natural9.server.people.routes import SignIns, people_router
from natural9.server.program import version
from natural9.server.proof.receipts import receipt_router
from natural9.server.proof.routes import proof_router
from natural9.server.reports.routes import reports_router
from natural9.server.request_ids import with_request_ids
from natural9.server.routes import tables_router
from natural9.server.screens import screens_router
from natural9.server.search.routes import search_router
from natural9.server.throttle import HttpRates, Throttle
from natural9.server.tracing import with_traces
from natural9.server.training.routes import training_router
from natural9.server.training.trainer import Trainings
from natural9.store.contract import StoreFailed
from natural9.table.venue.venue import Venue

AnyRequest = Request[Any, Any, Any]
log = structlog.get_logger()
STATUSES = {
    **STATUS,
    "unknown-table": 404,
    "no-such-round": 404,
    "no-such-shoe": 404,
    "no-such-entry": 404,
    "no-such-checkpoint": 404,
    "unknown-witness": 403,
    "no-authority": 409,
    "no-such-seat": 404,
    "not-ready": 503,
}


@get("/healthz", tags=["health"], media_type=MediaType.TEXT)
async def healthz() -> str:
    """The process answers."""
    return "alive\n"


@get("/readyz", tags=["health"], media_type=MediaType.TEXT, responses=documented(503))
async def readyz(house: NamedDependency[House]) -> str:
    """Self-tests are over, the tables have recovered, none has stopped, and the journal can be written."""
    halted = [room.config.id for room in house.rooms.values() if room.writer.halted]
    if not house.ready or halted or not house.store.can_write:
        why = say("not ready: the tables are not recovered yet")
        if not house.store.can_write:
            why = say("stopped: the journal cannot be written")
        elif halted:
            why = say("stopped: table {tables}", tables=tuple(halted))
        raise ApiRefused(503, ApiError.of("not-ready", why))
    return "ready\n"


@get("/metrics", tags=["health"], media_type=MediaType.TEXT, responses=documented(403))
async def prometheus(request: AnyRequest, house: NamedDependency[House]) -> Response[bytes]:
    """For Prometheus on this machine or one that the venue file names, and for staff who may see money."""
    if not _from_nearby(request, house.venue) and not _may_see_money(request):
        why = say("Metrics are for this machine and for staff who may see money.")
        raise ApiRefused(403, ApiError.of("not-allowed", why))
    for gauge in (metrics.QUEUE, metrics.SEATED, metrics.STAKED, metrics.HALTED):
        gauge.clear()  # a table may have gone to another node
    for room in house.rooms.values():
        metrics.QUEUE.labels(room.config.id).set(room.writer.queue_length)
        metrics.SEATED.labels(room.config.id).set(room.seated())
        metrics.STAKED.labels(room.config.id).set(room.at_stake_cents)
        metrics.HALTED.labels(room.config.id).set(bool(room.writer.halted))
    metrics.BUILD.labels(version()).set(1)
    with suppress(OSError):
        metrics.DISK_FREE.set(disk_usage(house.folder).free)
    return Response(generate_latest(), headers={"content-type": CONTENT_TYPE_LATEST})


def _from_nearby(request: AnyRequest, venue: Venue) -> bool:
    """From this machine, or one that the venue file names. Not through a proxy that it does not name: that would make
    everybody a neighbour. Nor by a name that is not ours: that would be a stranger's page in a browser nearby."""
    if FORWARDED in request.headers or not host_allowed(request.headers.get("host", ""), venue.allowed_origins):
        return False
    try:
        peer = peer_of(request.scope)
        return ip_address(peer).is_loopback or is_among(peer, venue.metrics_from)
    except ValueError:
        return False


def _may_see_money(request: AnyRequest) -> bool:
    who = who_is(request)
    return bool(who and who.person and who.person.may(Action.SEE_MONEY))


def _litestar(parts: Mapping[str, object], openapi: OpenAPIConfig | None = None) -> Litestar:
    routers = [
        people_router(),
        players_router(),
        tables_router(),
        reports_router(),
        proof_router(),
        receipt_router(),
        search_router(),
        odds_router(TableOddsController),
        protocol_router(),
        card_router(),
        screens_router(),
    ]
    if parts["demo"]:
        routers += [demo_router(), training_router()]
    return Litestar(
        route_handlers=[healthz, readyz, prometheus, *routers],
        dependencies={name: _given(parts, name) for name in parts},
        before_request=only_json,
        exception_handlers=exception_handlers(STATUSES),
        after_exception=[_log_mistake],
        logging_config=None,  # `configure_logs` has seen to it
        openapi_config=openapi,
    )


def _log_mistake(error: Exception, scope: Scope) -> None:
    """What is answered with 500 is a mistake of ours: the log says which."""
    if not isinstance(error, (HTTPException, BadInput, TooOften, StoreFailed)):
        log.error("request failed", path=scope["path"], exc_info=error)


def _given(parts: Mapping[str, object], name: str) -> Provide:
    return Provide(lambda: parts[name], sync_to_thread=False)


class Routes:
    """Made once, which takes its time, for one house or for several after each other."""

    def __init__(self) -> None:
        self._parts: dict[str, object] = {}
        self._app: Litestar | None = None

    def of(self, **parts: object) -> Litestar:
        """From now on they answer for these."""
        self._parts.update(parts)
        if self._app is None:
            self._app = _litestar(self._parts)
        return self._app


@cache
def documents() -> Documents:
    """What the interface is, in documents; they need no venue."""
    nothing = dict.fromkeys(("house", "sign_ins", "store", "venue", "demo", "trainings", "documents"))
    return Documents(lambda: _litestar(nothing, openapi_config()))


class Carrying(Protocol):
    """Where a venue has several nodes: between those who ask here and those who can answer."""

    def before(self, routes: ASGIApp) -> ASGIApp:
        """The routes of this node, but for what another has."""

    def answer_with(self, app: ASGIApp) -> None:
        """What others carry here is answered by the whole application."""


def make_app(
    house: House,
    *,
    demo: bool = False,
    trainings: Trainings | None = None,
    limiter: AttemptLimiter | None = None,
    rates: HttpRates | None = None,
    carried: Carrying | None = None,
    routes: Routes | None = None,
) -> ASGIApp:
    """`limiter` takes the place of the usual limits on how often one may try to sign in, `rates` of those on asking.
    `carried` sees to what another node has. `routes` are those of a house that this one follows in its process."""
    limiter = limiter or AttemptLimiter(house.accounts.register, house_addresses=house.venue.house_addresses)
    permissions()  # whatever is wrong with them stops the start, not the first who asks
    app = (routes or Routes()).of(
        house=house,
        sign_ins=SignIns(house.accounts, secure=house.secure, limiter=limiter),
        store=house.store,
        venue=house.venue,
        demo=demo,
        trainings={} if trainings is None else trainings,
        documents=documents(),
    )
    gate = Gate(
        carried.before(app) if carried else app,
        house.accounts,
        secure=house.secure,
        allowed_origins=house.venue.allowed_origins,
        proxies=house.venue.proxies,
        throttled=lambda app: Throttle(app, rates, house.machine.monotonic_s),
    )
    if carried:
        carried.answer_with(gate)
    return with_traces(with_request_ids(gate))
