"""The gaming day of the floor over HTTP, for the pit."""

from typing import Any

from litestar import Controller, MediaType, Response, get
from litestar.di import NamedDependency
from litestar.params import SkipValidation

from natural9.server.clock import Clock
from natural9.server.people.answers import documented
from natural9.server.people.guards import requires, signed_in
from natural9.server.people.permissions import Action
from natural9.server.reports.aside import Lane, aside
from natural9.server.reports.floor_day import FloorDay, floor_day
from natural9.server.reports.round_routes import AnyRequest, StoreDependency
from natural9.table.venue.venue import Venue


class FloorController(Controller):
    path = "/floor"
    tags = ("tables",)

    @get("/day", guards=[requires(Action.SEE_TABLE)], responses=documented(401, 403, 503))
    async def day(
        self, request: AnyRequest, store: StoreDependency, venue: NamedDependency[SkipValidation[Venue]]
    ) -> Response[FloorDay]:
        """This gaming day so far, by hour and table, and the house's win against what the odds expect. What is money,
        only whoever may see the reports is shown."""
        now_ms = (await Clock.open(store)).record_ms()
        with_money = signed_in(request).may(Action.SEE_REPORTS)
        made = await aside(Lane.FLOOR, store, floor_day, venue.gaming_day(now_ms), now_ms, with_money)
        answer: Response[Any] = Response(made, media_type=MediaType.JSON)
        return answer
