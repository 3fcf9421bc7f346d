"""The records over HTTP: reports, recall, shoes to be checked, and verifying the journal."""

import asyncio
import time
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from litestar import Controller, Request, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide
from litestar.handlers import BaseRouteHandler
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, Operation, Schema
from litestar.openapi.spec.enums import OpenAPIType
from litestar.params import PathParameter, QueryParameter, SkipValidation
from msgspec import Struct

from natural9.server.people.answers import ApiError, ApiRefused, documented
from natural9.server.people.guards import requires, signed_in, who_is
from natural9.server.people.permissions import Action
from natural9.server.reports import money
from natural9.server.reports.days import Days, days_of
from natural9.server.reports.examination import Examination, ExaminationView
from natural9.server.reports.export import RoundExport, export_round
from natural9.server.reports.hold import HoldLine, counted_aside
from natural9.server.reports.sheets import as_csv
from natural9.server.reports.shoes import ShoeShown, shoe_shown
from natural9.server.reports.significant import EventLine, correction_report, event_report
from natural9.store.contract import Store
from natural9.table.audit.recall import Recalled, RoundSummary, Viewer, as_a_seat_sees, last_rounds, recall

AnyRequest = Request[Any, Any, Any]
# A protocol, which no value can be checked against.
StoreDependency = NamedDependency[SkipValidation[Store]]
Line = TypeVar("Line", bound=Struct)
Format = Annotated[Literal["json", "csv"], QueryParameter(name="format", description="JSON, or a sheet.")]
TablePath = Annotated[str, PathParameter(description="The id of a table.", max_length=40)]
RoundPath = Annotated[int, PathParameter(description="The number of a round.", ge=1, le=2**53)]
ShoePath = Annotated[int, PathParameter(description="The number of a shoe.", ge=1, le=2**53)]
TableQuery = Annotated[str | None, QueryParameter(description="Only this table's.", max_length=40)]
DayQuery = Annotated[str | None, QueryParameter(description="A gaming day, as 2026-11-16.", max_length=10)]
BeforeQuery = Annotated[
    int | None, QueryParameter(description="Go on before this number: the last of the page before.", ge=1, le=2**53)
]
AfterQuery = Annotated[int, QueryParameter(description="Go on after this transaction.", ge=0, le=2**53)]
LimitQuery = Annotated[int, QueryParameter(description="How many at most.", ge=1, le=10_000)]
CountQuery = Annotated[int, QueryParameter(description="How many, newest first.", ge=1, le=100)]
REFUSALS = documented(400, 401, 403)
HEAD_OR_NONE = "^([0-9A-Fa-f]{64})?$"


def reports_router() -> Router:
    """All routes about the records, under /api. The application provides `store`."""
    examination = Examination(clock_ms=_now_ms)
    one_count = asyncio.Semaphore(1)
    return Router(
        path="/api",
        route_handlers=[ReportsController, RoundsController, ShoesController, HeadController, VerifyController],
        dependencies={
            "examination": Provide(lambda: examination, sync_to_thread=False),
            "one_count": Provide(lambda: one_count, sync_to_thread=False),
            "days": Provide(asked_days, sync_to_thread=False),
        },
    )


@dataclass
class SheetOperation(Operation):
    """A report comes as JSON or, with format=csv, as a sheet; the document names both."""

    def __post_init__(self) -> None:
        answer = (self.responses or {}).get("200")
        if isinstance(answer, OpenAPIResponse) and answer.content is not None:
            answer.content["text/csv"] = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))


def shown(shape: type[Line], lines: list[Line], sheet: str, name: str) -> Response[list[Line]]:
    if sheet == "json":
        return Response(lines)
    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    answer: Response[Any] = Response(as_csv(shape, lines), media_type="text/csv; charset=utf-8", headers=headers)
    return answer


def asked_days(day: DayQuery = None, first_day: DayQuery = None, last_day: DayQuery = None) -> Days:
    return days_of(day=day, first_day=first_day, last_day=last_day)


class ReportsController(Controller):
    """Money in whole cents; times in milliseconds since 1970 UTC; gaming days by the venue's clock."""

    path = "/reports"
    tags = ("reports",)

    @get("/win", guards=[requires(Action.SEE_REPORTS)], responses=REFUSALS, operation_class=SheetOperation)
    async def win(
        self,
        store: StoreDependency,
        days: NamedDependency[Days],
        table: TableQuery = None,
        sheet: Format = "json",
    ) -> Response[list[money.WinLine]]:
        """What each table won on each gaming day: requirement 44."""
        async with store.moment() as now:
            return shown(money.WinLine, await money.win_report(now, days, table=table), sheet, "win")

    @get("/hold", guards=[requires(Action.SEE_REPORTS)], responses=REFUSALS, operation_class=SheetOperation)
    async def hold(
        self,
        store: StoreDependency,
        days: NamedDependency[Days],
        one_count: NamedDependency[asyncio.Semaphore],
        table: TableQuery = None,
        sheet: Format = "json",
    ) -> Response[list[HoldLine]]:
        """Hold against the exact theoretical win, wager by wager. It reads every settlement of the days asked for."""
        async with one_count:  # each is a process of its own, and one at a time is enough
            return shown(HoldLine, await counted_aside(store, days, table=table), sheet, "hold")

    @get("/meters", guards=[requires(Action.SEE_MONEY)], responses=REFUSALS, operation_class=SheetOperation)
    async def meters(
        self,
        store: StoreDependency,
        days: NamedDependency[Days],
        table: TableQuery = None,
        sheet: Format = "json",
    ) -> Response[list[money.MeterLine]]:
        """The meters of every terminal, and of each table (seat 0): requirement 41."""
        async with store.moment() as now:
            return shown(money.MeterLine, await money.meter_report(now, days, table=table), sheet, "meters")

    @get("/vouchers", guards=[requires(Action.SEE_MONEY)], responses=REFUSALS, operation_class=SheetOperation)
    async def vouchers(
        self, store: StoreDependency, table: TableQuery = None, sheet: Format = "json"
    ) -> Response[list[money.VoucherLine]]:
        """Vouchers outstanding, with their age."""
        lines = await money.voucher_report(store, at_ms=_now_ms(), table=table)
        return shown(money.VoucherLine, lines, sheet, "vouchers")

    @get("/corrections", guards=[requires(Action.SEE_REPORTS)], responses=REFUSALS, operation_class=SheetOperation)
    async def corrections(
        self,
        store: StoreDependency,
        days: NamedDependency[Days],
        table: TableQuery = None,
        before: BeforeQuery = None,
        limit: LimitQuery = 1000,
        sheet: Format = "json",
    ) -> Response[list[EventLine]]:
        """Corrections, overrides and voids, with who and why: requirement 45. Newest first."""
        lines = await correction_report(store, days, table=table, before=before, limit=limit)
        return shown(EventLine, lines, sheet, "corrections")

    @get("/events", guards=[requires(Action.SEE_EVENTS)], responses=REFUSALS, operation_class=SheetOperation)
    async def events(
        self,
        store: StoreDependency,
        days: NamedDependency[Days],
        table: TableQuery = None,
        before: BeforeQuery = None,
        limit: LimitQuery = 1000,
        sheet: Format = "json",
    ) -> Response[list[EventLine]]:
        """Significant events, newest first: requirement 43."""
        lines = await event_report(store, days, table=table, before=before, limit=limit)
        return shown(EventLine, lines, sheet, "events")

    @get("/transactions", guards=[requires(Action.SEE_MONEY)], responses=REFUSALS, operation_class=SheetOperation)
    async def transactions(
        self,
        store: StoreDependency,
        account: Annotated[str | None, QueryParameter(description="As credit/3-7.", max_length=100)] = None,
        after: AfterQuery = 0,
        limit: LimitQuery = 1000,
        sheet: Format = "json",
    ) -> Response[list[money.TransactionLine]]:
        """Every transfer of money, numbered without gaps: requirement 42."""
        lines = await money.transaction_report(store, account=account, after=after, limit=limit)
        return shown(money.TransactionLine, lines, sheet, "transactions")

    @get("/desks", guards=[requires(Action.SEE_DRAWER)], responses=REFUSALS, operation_class=SheetOperation)
    async def desks(
        self,
        request: AnyRequest,
        store: StoreDependency,
        days: NamedDependency[Days],
        sheet: Format = "json",
    ) -> Response[list[money.DeskLine]]:
        """Cash desks by gaming day; a cashier sees their own drawer."""
        person = signed_in(request)
        desk = None if person.may(Action.SEE_MONEY) else person.id
        async with store.moment() as now:
            return shown(money.DeskLine, await money.desk_report(now, days, desk=desk), sheet, "desks")

    @get("/drawer", guards=[requires(Action.SEE_DRAWER)], responses=REFUSALS, operation_class=SheetOperation)
    async def drawer(
        self, request: AnyRequest, store: StoreDependency, count: CountQuery = 20, sheet: Format = "json"
    ) -> Response[list[money.TransactionLine]]:
        """The last that went through one's own drawer, newest first."""
        lines = await money.last_transactions(store, f"desk/{signed_in(request).id}", count)
        return shown(money.TransactionLine, lines, sheet, "drawer")


def recalls(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Staff who may recall rounds, and the devices of that very table."""
    who = who_is(connection)
    if who is None or who.person or who.device is None:
        requires(Action.RECALL_ROUND)(connection, handler)
    elif who.device.table not in ("", connection.path_params["table"]):
        raise ApiRefused(403, ApiError("not-allowed", "A device recalls the rounds of its own table only."))


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
            exported = await export_round(now, table, round, at_ms=_now_ms())
        headers = {"content-disposition": f'attachment; filename="round-{round}.json"'}
        return Response(exported, headers=headers)


class ShoesController(Controller):
    """For players: what was promised, and once the shoe has ended what it was."""

    path = "/shoes"
    tags = ("shoes",)

    @get("/{table:str}/{shoe:int}", responses=documented(400, 404))
    async def shoe(
        self,
        table: TablePath,
        shoe: ShoePath,
        store: StoreDependency,
        commitment: Annotated[
            str | None, QueryParameter(description="One of several sets of cards of this shoe.", max_length=64)
        ] = None,
    ) -> ShoeShown:
        """Save the answer as a file and check it with natural9 verify-shoe."""
        return await shoe_shown(store, table, shoe, commitment=commitment)


class JournalHead(Struct, frozen=True, kw_only=True):
    """Where the journal ends now. The hash follows from every entry up to this one."""

    entry: int
    hash: str


class HeadController(Controller):
    """For everyone: whoever notes a head can have the journal held against it later, rewritten or not."""

    path = "/head"
    tags = ("verify",)

    @get("/")
    async def head(self, store: StoreDependency) -> JournalHead:
        """Give it to natural9 verify --head, or to whoever verifies."""
        head = await store.head()
        return JournalHead(entry=head.seq, hash=head.hash.hex())


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
        head: Annotated[
            str, QueryParameter(description="A head noted earlier: the journal must contain it.", pattern=HEAD_OR_NONE)
        ] = "",
    ) -> ExaminationView:
        """Begin, unless it has begun; tables play on. GET tells how far it is."""
        return examination.start(store, noted_head=head.lower())

    @get("/", responses=documented(401, 403))
    async def state(self, examination: NamedDependency[Examination]) -> ExaminationView:
        return examination.view


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
