"""A cashier's drawer over HTTP: one's own, from the float to the count."""

from typing import Annotated, Any, Final

from litestar import Controller, Request, get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody
from msgspec import Meta, Struct

from natural9.core.money import MAX_CENTS
from natural9.core.round import Refusal
from natural9.journal.venue_events import DrawerClosed, DrawerEvent
from natural9.server.desk import STREAM, Receipt
from natural9.server.drawers import CLOSE, FILL, OPEN, RETURN
from natural9.server.house import House
from natural9.server.people.answers import documented
from natural9.server.people.guards import requires, signed_in
from natural9.server.people.permissions import Action
from natural9.server.people.routes import SignIns, second_signature
from natural9.server.people.wire import SignIn
from natural9.server.refused import refused
from natural9.table.commands.terminal import Request as RequestId

AnyRequest = Request[Any, Any, Any]
CashInDrawer = Annotated[int, Meta(ge=0, le=MAX_CENTS)]


class DrawerRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cents` is the float, what comes or goes, or what was counted."""

    request: RequestId
    cents: CashInDrawer
    signature: SignIn | None = None


class DrawerView(Struct, frozen=True, kw_only=True):
    """An open drawer. What it must come to is told by its closing, not before the count."""

    opened_at_ms: int
    carried_cents: int
    float_cents: int
    filled_cents: int
    returned_cents: int


class CloseOut(Struct, frozen=True, kw_only=True):
    """The account of a shift; `over_cents` is below zero where cash is missing."""

    opened_at_ms: int
    carried_cents: int
    float_cents: int
    filled_cents: int
    returned_cents: int
    taken_in_cents: int
    hand_paid_cents: int
    vouchers_paid_cents: int
    expected_cents: int
    counted_cents: int
    over_cents: int


class DrawerDone(Struct, frozen=True, kw_only=True):
    """It is durable. There is a receipt where cash moved, and the account of the shift where the drawer is closed."""

    desk: str
    entry: Annotated[int, Meta(description="Its number in the venue's journal")]
    receipt: Receipt | None
    close_out: CloseOut | None


_GUARDS: Final = [requires(Action.KEEP_DRAWER)]
_ANSWERS: Final = documented(400, 401, 403, 409, 413, 429, 503)


def _move(path: str, what: str, words: str) -> HTTPRouteHandler:
    """One way that cash comes or goes: whoever must sign has signed, and the answer comes once it is durable."""

    async def move(
        self: Controller,
        request: AnyRequest,
        data: JSONBody[DrawerRequest],
        house: NamedDependency[House],
        sign_ins: NamedDependency[SignIns],
    ) -> DrawerDone:
        by = signed_in(request).id
        signed_by = await second_signature(data.signature, Action.SIGN_CASH, by, request, sign_ins)
        done = await house.drawers.do(what, data.cents, by=by, request=data.request, signed_by=signed_by)
        if isinstance(done, Refusal):
            raise refused(done)
        entry, receipt = await house.desk.booked(STREAM, by, data.request)
        return DrawerDone(desk=by, entry=entry, receipt=receipt, close_out=close_out(done))

    move.__qualname__ = f"DrawerController.{path}"
    move.__doc__ = words
    made: HTTPRouteHandler = post(f"/{path}", status_code=200, guards=_GUARDS, responses=_ANSWERS)(move)
    return made


class DrawerController(Controller):
    path = "/drawer"
    tags = ("money",)

    @get("/", guards=_GUARDS, responses=documented(401, 403))
    async def mine(self, request: AnyRequest, house: NamedDependency[House]) -> DrawerView | None:
        """One's own drawer, if it is open."""
        drawer = house.drawers.of(signed_in(request).id)
        if drawer is None:
            return None
        return DrawerView(**{name: getattr(drawer, name) for name in DrawerView.__struct_fields__})

    open = _move("open", OPEN, "Begin, with a float out of the vault.")
    fill = _move("fill", FILL, "More cash out of the vault.")
    give_back = _move("return", RETURN, "Cash back to the vault.")
    close = _move("close", CLOSE, "End: what was counted, and with it what is over or short.")


def close_out(event: DrawerEvent) -> CloseOut | None:
    if not isinstance(event, DrawerClosed):
        return None
    return CloseOut(**{name: getattr(event, name) for name in CloseOut.__struct_fields__})
