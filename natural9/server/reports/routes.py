"""The records over HTTP. The routes of the reports follow from the catalogue."""

import inspect
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from litestar import MediaType, Response, Router, get
from litestar.di import NamedDependency, Provide
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, Operation, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.params import QueryParameter

from natural9.server.clock import Clock, machine_ms
from natural9.server.people.answers import documented
from natural9.server.people.guards import requires, signed_in
from natural9.server.people.permissions import Action
from natural9.server.people.routes import SignIns
from natural9.server.reports.answers_aside import reported
from natural9.server.reports.aside import Lane, aside
from natural9.server.reports.asker import Asker
from natural9.server.reports.catalogue import REPORTS
from natural9.server.reports.days import Days, days_of
from natural9.server.reports.examination import Examination
from natural9.server.reports.filters import FilterKind, Parameter
from natural9.server.reports.floor_routes import FloorController
from natural9.server.reports.report import Report, ReportView
from natural9.server.reports.round_routes import AnyRequest, RoundsController, StoreDependency
from natural9.server.reports.signature import keyword, signed
from natural9.server.reports.verify_routes import ShoesController, VerifyController
from natural9.store.contract import Store

Format = Annotated[Literal["json", "csv"], QueryParameter(name="format", description="JSON, or a sheet.")]
DayQuery = Annotated[str | None, QueryParameter(description="A gaming day, as 2026-11-16.", max_length=10)]


def reports_router() -> Router:
    """All routes about the records, under /api. The application provides `store`."""
    examination = Examination(clock_ms=machine_ms)
    reports = Router("/reports", route_handlers=[list_reports, *map(report_route, REPORTS)], tags=["reports"])
    return Router(
        path="/api",
        route_handlers=[reports, RoundsController, FloorController, ShoesController, VerifyController],
        dependencies={
            "examination": Provide(lambda: examination, sync_to_thread=False),
            "days": Provide(asked_days, sync_to_thread=False),
        },
    )


@get("/", summary="Reports", responses=documented(401))
async def list_reports(request: AnyRequest, sign_ins: NamedDependency[SignIns]) -> list[ReportView]:
    """The reports that whoever asks may see, with their columns and filters."""
    person = signed_in(request)
    have_names = bool(sign_ins.accounts.players.all())
    listed = [report for report in REPORTS if person.may(report.permission)]
    return [report.view for report in listed if have_names or not report.of_players]


@dataclass
class SheetOperation(Operation):
    """A report comes as JSON or, with format=csv, as a sheet; the document names both."""

    def __post_init__(self) -> None:
        answer = (self.responses or {}).get("200")
        if isinstance(answer, OpenAPIResponse) and answer.content is not None:
            answer.content["text/csv"] = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))


def asked_days(day: DayQuery = None, first_day: DayQuery = None, last_day: DayQuery = None) -> Days:
    return days_of(day=day, first_day=first_day, last_day=last_day)


def report_route(report: Report[Any]) -> HTTPRouteHandler:
    """A route with the report's filters as its query: Litestar reads them, and the document, from the signature."""

    lane = Lane.LONG if report.heavy else Lane.STAFF

    async def answer(*, request: AnyRequest, store: Any, sheet: str, **asked: Any) -> Response[Any]:
        made = await aside(lane, store, reported, report.name, await _asker(request, store), asked, sheet)
        return _shown(report, made, sheet)

    answer.__qualname__ = f"Reports.{report.name.replace('-', '_')}"
    answer.__doc__ = report.says
    parameters = [
        keyword("request", AnyRequest),
        keyword("store", StoreDependency),
        *map(_query, report.parameters),
        keyword("sheet", Format, "json"),
    ]
    row: Any = report.row
    route = get(
        f"/{report.name}",
        summary=report.title,
        guards=[requires(report.permission)],
        responses=documented(400, 401, 403, 503),
        operation_class=SheetOperation,
    )
    made: HTTPRouteHandler = route(signed(answer, parameters, Response[list[row]]))
    return made


def _query(parameter: Parameter) -> inspect.Parameter:
    about = parameter.filter
    if about.kind is FilterKind.DAYS:
        return keyword(parameter.name, NamedDependency[Days])
    query = QueryParameter(description=about.says, ge=about.least, le=about.most, max_length=about.longest)
    return keyword(parameter.name, Annotated[parameter.shape, query], parameter.default)


async def _asker(request: AnyRequest, store: Store) -> Asker:
    person = signed_in(request)
    return Asker((await Clock.open(store)).record_ms(), desk=person.id, sees_every_desk=person.may(Action.SEE_MONEY))


def _shown(report: Report[Any], made: bytes, sheet: str) -> Response[Any]:
    if sheet == "json":
        return Response(made, media_type=MediaType.JSON)
    headers = {"content-disposition": f'attachment; filename="{report.name}.csv"'}
    return Response(made, media_type="text/csv; charset=utf-8", headers=headers)
