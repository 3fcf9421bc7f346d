"""Search over HTTP. A process of its own reads, so that no table and no report waits for it."""

from typing import Annotated

from litestar import Controller, MediaType, Response, Router, get
from litestar.di import NamedDependency
from litestar.params import PathParameter, QueryParameter, SkipValidation

from natural9.server.people.answers import documented
from natural9.server.people.guards import requires
from natural9.server.people.permissions import Action
from natural9.server.reports import answers_aside
from natural9.server.reports.aside import Lane, aside
from natural9.server.reports.round_routes import BeforeQuery, StoreDependency
from natural9.server.search.entry import EntryPage
from natural9.server.search.found import MOST_ROWS, SearchFound
from natural9.server.search.query import search_query
from natural9.table.venue.venue import Venue

EntryPath = Annotated[int, PathParameter(description="The number of an entry of the journal.", ge=1, le=2**53)]
LimitQuery = Annotated[int, QueryParameter(description="Rows in one answer.", ge=1, le=MOST_ROWS)]


def _typed(says: str) -> QueryParameter:
    return QueryParameter(description=says, max_length=100)


class SearchController(Controller):
    path = "/search"
    tags = ("search",)
    guards = (requires(Action.SEARCH_RECORDS),)

    @get("/", responses=documented(400, 401, 403, 503))
    async def found(
        self,
        store: StoreDependency,
        venue: NamedDependency[SkipValidation[Venue]],
        since: Annotated[str, _typed("From this time of the venue on: 2026-11-16, or 2026-11-16 14:05.")] = "",
        until: Annotated[str, _typed("Up to and with this time.")] = "",
        table: Annotated[str, _typed("The id of a table.")] = "",
        seat: Annotated[str, _typed("The number of a seat.")] = "",
        device: Annotated[str, _typed("A device by its id, or a terminal as 3-7.")] = "",
        voucher: Annotated[str, _typed("The number of a voucher, as 3-7-1.")] = "",
        least: Annotated[str, _typed("At least this amount, as 2.50.")] = "",
        most: Annotated[str, _typed("At most this amount.")] = "",
        result: Annotated[str, _typed("How its round ended: player, banker, tie or void.")] = "",
        person: Annotated[str, _typed("The id of a person of the staff, or the number of a player.")] = "",
        before: BeforeQuery = None,
        limit: LimitQuery = 100,
    ) -> Response[SearchFound]:
        """What holds for all that is given, newest first; the first page says how many there are."""
        query = search_query(
            venue.zone, since=since, until=until, table=table, seat=seat, device=device,
            voucher=voucher, least=least, most=most, result=result, person=person,
        )  # fmt: skip
        answer = await aside(Lane.SEARCH, store, answers_aside.searched, query, before, limit)
        return Response(answer, media_type=MediaType.JSON)  # type: ignore[arg-type]

    @get("/entries/{entry:int}", responses=documented(400, 401, 403, 404, 503))
    async def entry(self, store: StoreDependency, entry: EntryPath) -> Response[EntryPage]:
        """One entry as it stands in the journal."""
        answer = await aside(Lane.SEARCH, store, answers_aside.entry_shown, entry)
        return Response(answer, media_type=MediaType.JSON)  # type: ignore[arg-type]


def search_router() -> Router:
    return Router(path="/api", route_handlers=[SearchController])
