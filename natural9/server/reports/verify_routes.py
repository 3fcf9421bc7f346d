"""What anybody can check, over HTTP: a shoe against its promise, and the whole journal."""

from typing import Annotated

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter

from natural9.server.people.answers import documented
from natural9.server.people.guards import requires
from natural9.server.people.permissions import Action
from natural9.server.reports import answers_aside
from natural9.server.reports.examination import Examination, ExaminationView
from natural9.server.reports.round_routes import StoreDependency, TablePath, read_aside
from natural9.server.reports.shoes import ShoeShown
from natural9.table.audit.checkpoint_audit import parse_noted
from natural9.table.audit.recall import Viewer

ShoePath = Annotated[int, PathParameter(description="The number of a shoe.", ge=1, le=2**53)]
EVERYBODY = Viewer(None)
LONGEST_NOTED = 4_000  # whatever it is, it fits a line of HTTP when it is written as a query


class ShoesController(Controller):
    """For players: what was promised, and once the shoe has ended what it was."""

    path = "/shoes"
    tags = ("shoes",)

    @get("/{table:str}/{shoe:int}", responses=documented(400, 404, 503))
    async def shoe(
        self,
        table: TablePath,
        shoe: ShoePath,
        store: StoreDependency,
        commitment: Annotated[
            str | None, QueryParameter(description="One of several sets of cards of this shoe.", max_length=64)
        ] = None,
    ) -> Response[ShoeShown]:
        """Save the answer as a file and check it with natural9 verify-shoe."""
        return await read_aside(EVERYBODY, store, answers_aside.shoe, table, shoe, commitment)


class VerifyController(Controller):
    """The whole journal, derived again: requirement 36, 37."""

    path = "/verify"
    tags = ("verify",)
    guards = (requires(Action.VERIFY_JOURNAL),)

    @post("/", status_code=202, responses=documented(400, 401, 403, 413))
    async def start(
        self,
        store: StoreDependency,
        examination: NamedDependency[Examination],
        checkpoint: Annotated[
            str,
            QueryParameter(
                description="A checkpoint noted earlier, whole or as SIZE and ROOT: the journal must go on from it.",
                max_length=LONGEST_NOTED,
            ),
        ] = "",
    ) -> ExaminationView:
        """Begin, unless it has begun; tables play on. GET tells how far it is."""
        return examination.start(store, noted=parse_noted(checkpoint))

    @get("/", responses=documented(401, 403))
    async def state(self, examination: NamedDependency[Examination]) -> ExaminationView:
        return examination.view
