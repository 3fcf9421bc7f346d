"""Any round again, over HTTP."""

from typing import Annotated, Any

from litestar import Controller, MediaType, Request, Response, get
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter, QueryParameter, SkipValidation

from natural9.core.events import seat_of
from natural9.core.saying import say
from natural9.journal.labels import visitor_label
from natural9.journal.line import read_line
from natural9.server.clock import Clock
from natural9.server.dispute.pack import VenueFacts
from natural9.server.people.answers import ApiError, ApiRefused, documented
from natural9.server.people.guards import requires, who_is
from natural9.server.people.permissions import Action
from natural9.server.reports import answers_aside
from natural9.server.reports.aside import Job, Lane, aside
from natural9.server.reports.export import RoundExport
from natural9.store.contract import Store
from natural9.table.audit.recall import Recalled, RoundSummary, Viewer
from natural9.table.venue.venue import Venue

AnyRequest = Request[Any, Any, Any]
# A protocol, which no value can be checked against.
StoreDependency = NamedDependency[SkipValidation[Store]]
TablePath = Annotated[str, PathParameter(description="The id of a table.", max_length=40)]
RoundPath = Annotated[int, PathParameter(description="The number of a round.", ge=1, le=2**53)]
BeforeQuery = Annotated[
    int | None, QueryParameter(description="Go on before this number: the last of the page before.", ge=1, le=2**53)
]
FirstStepQuery = Annotated[
    int, QueryParameter(description="Steps to pass over: a long round comes in several answers.", ge=0, le=2**53)
]
AfterQuery = Annotated[
    int, QueryParameter(description="Go on after this entry: more_after of the answer before.", ge=0, le=2**53)
]
SeatQuery = Annotated[int | None, QueryParameter(description="This seat alone.", ge=1, le=100_000)]
CountQuery = Annotated[int, QueryParameter(description="How many, newest first.", ge=1, le=100)]


def recalls(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Staff who may recall rounds, and devices; which of those, `viewer_of` says."""
    who = who_is(connection)
    if who is None or who.person or who.device is None:
        requires(Action.RECALL_ROUND)(connection, handler)


async def viewer_of(request: AnyRequest, table: str, store: Store) -> Viewer | None:
    """Whose eyes to tell it for: a terminal's own seat or the one that it has as a visitor, nobody's at a display; None
    for staff, who see all."""
    who = who_is(request)
    if who is None or who.device is None or who.person:
        return None
    device = who.device
    if device.table in ("", table):
        return Viewer(device.seat)
    if device.kind == "terminal":
        for seated in await store.labelled(visitor_label(table, device.table, device.seat or 0), limit=1):
            return Viewer(seat_of(read_line(seated).event))
    raise ApiRefused(403, ApiError.of("not-allowed", say("A device recalls the rounds of its own table only.")))


async def read_aside(viewer: Viewer | None, store: Store, job: Job, *asked: Any) -> Response[Any]:
    """As JSON; what guests ask never keeps staff waiting."""
    answer = await aside(Lane.GUESTS if viewer else Lane.STAFF, store, job, *asked)
    return Response(answer, media_type=MediaType.JSON)


class RoundsController(Controller):
    """Recall: requirement 40."""

    path = "/rounds/{table:str}"
    tags = ("rounds",)

    @get("/", guards=[recalls], responses=documented(400, 401, 403, 503))
    async def last(
        self,
        request: AnyRequest,
        table: TablePath,
        store: StoreDependency,
        count: CountQuery = 10,
        before: BeforeQuery = None,
    ) -> Response[list[RoundSummary]]:
        """The last rounds, newest first."""
        viewer = await viewer_of(request, table, store)
        return await read_aside(viewer, store, answers_aside.rounds_listed, table, count, before, viewer)

    @get("/{round:int}", guards=[recalls], responses=documented(400, 401, 403, 404, 503))
    async def one(
        self,
        request: AnyRequest,
        table: TablePath,
        round: RoundPath,
        store: StoreDependency,
        first_step: FirstStepQuery = 0,
    ) -> Response[Recalled]:
        """Any round that was ever dealt, step by step. A terminal sees what is public, and its own seat."""
        viewer = await viewer_of(request, table, store)
        return await read_aside(viewer, store, answers_aside.recalled, table, round, viewer, first_step)

    @get("/{round:int}/export", guards=[requires(Action.EXPORT_ROUND)], responses=documented(400, 401, 403, 404, 503))
    async def export(
        self, table: TablePath, round: RoundPath, store: StoreDependency, after: AfterQuery = 0
    ) -> Response[RoundExport]:
        """For a dispute: the round's entries as they stand in the journal, each with its hash."""
        at_ms = (await Clock.open(store)).record_ms()
        response = await read_aside(None, store, answers_aside.exported, table, round, after, at_ms)
        response.headers["content-disposition"] = f'attachment; filename="round-{round}.json"'
        return response

    @get(
        "/{round:int}/dispute.pdf",
        guards=[requires(Action.EXPORT_ROUND)],
        media_type="application/pdf",
        responses=documented(400, 401, 403, 404, 501, 503),
    )
    async def dispute(
        self,
        table: TablePath,
        round: RoundPath,
        store: StoreDependency,
        venue: NamedDependency[SkipValidation[Venue]],
        seat: SeatQuery = None,
    ) -> Response[bytes]:
        """For a dispute, to print: the round as pictures, its bets, settlement, decisions, rules and seal, as PDF."""
        config = venue.tables.get(table)
        facts = VenueFacts(venue.name, venue.currency, venue.zone, config.title if config else table)
        answer = await aside(Lane.LONG, store, answers_aside.dispute, table, round, seat, facts)
        headers = {"content-disposition": f'attachment; filename="dispute-{round}.pdf"'}
        return Response(answer, media_type="application/pdf", headers=headers)
