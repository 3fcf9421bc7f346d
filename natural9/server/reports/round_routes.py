"""Any round again, over HTTP."""

from typing import Annotated, Any

from litestar import Controller, Request, Response, get
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import PathParameter, QueryParameter, SkipValidation

from natural9.core.saying import say
from natural9.server.clock import Clock
from natural9.server.people.answers import ApiError, ApiRefused, documented
from natural9.server.people.guards import requires, who_is
from natural9.server.people.permissions import Action
from natural9.server.reports.export import RoundExport, export_round
from natural9.store.contract import Store
from natural9.table.audit.recall import Recalled, RoundSummary, Viewer, as_a_seat_sees, last_rounds, recall

AnyRequest = Request[Any, Any, Any]
# A protocol, which no value can be checked against.
StoreDependency = NamedDependency[SkipValidation[Store]]
TablePath = Annotated[str, PathParameter(description="The id of a table.", max_length=40)]
RoundPath = Annotated[int, PathParameter(description="The number of a round.", ge=1, le=2**53)]
BeforeQuery = Annotated[
    int | None, QueryParameter(description="Go on before this number: the last of the page before.", ge=1, le=2**53)
]
CountQuery = Annotated[int, QueryParameter(description="How many, newest first.", ge=1, le=100)]


def recalls(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Staff who may recall rounds, and the devices of that very table."""
    who = who_is(connection)
    if who is None or who.person or who.device is None:
        requires(Action.RECALL_ROUND)(connection, handler)
    elif who.device.table not in ("", connection.path_params["table"]):
        raise ApiRefused(403, ApiError.of("not-allowed", say("A device recalls the rounds of its own table only.")))


def viewer_of(request: AnyRequest) -> Viewer | None:
    """Whose eyes to tell it for: a terminal's own seat, nobody's at a display; None for staff, who see all."""
    who = who_is(request)
    return Viewer(who.device.seat) if who and who.device and not who.person else None


class RoundsController(Controller):
    """Recall: requirement 40."""

    path = "/rounds/{table:str}"
    tags = ("rounds",)

    @get("/", guards=[recalls], responses=documented(400, 401, 403))
    async def last(
        self,
        request: AnyRequest,
        table: TablePath,
        store: StoreDependency,
        count: CountQuery = 10,
        before: BeforeQuery = None,
    ) -> list[RoundSummary]:
        """The last rounds, newest first."""
        return await last_rounds(store, table, count, before=before, seen_by=viewer_of(request))

    @get("/{round:int}", guards=[recalls], responses=documented(400, 401, 403, 404))
    async def one(self, request: AnyRequest, table: TablePath, round: RoundPath, store: StoreDependency) -> Recalled:
        """Any round that was ever dealt, step by step. A terminal sees what is public, and its own seat."""
        viewer = viewer_of(request)
        if viewer:
            return as_a_seat_sees(await recall(store, table, round, only_seat=viewer.seat or 0), viewer.seat)
        async with store.moment() as now:
            return await recall(now, table, round)

    @get("/{round:int}/export", guards=[requires(Action.EXPORT_ROUND)], responses=documented(400, 401, 403, 404))
    async def export(self, table: TablePath, round: RoundPath, store: StoreDependency) -> Response[RoundExport]:
        """For a dispute: the round's entries as they stand in the journal, each with its hash."""
        async with store.moment() as now:
            exported = await export_round(now, table, round, at_ms=(await Clock.open(now)).record_ms())
        headers = {"content-disposition": f'attachment; filename="round-{round}.json"'}
        return Response(exported, headers=headers)
