"""The cash boxes of bill acceptors over HTTP: who is there, changed and counted by two people."""

from typing import Annotated, Any, Final

from litestar import Controller, Request, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from natural9.core.errors import BadInput
from natural9.core.money import MAX_CENTS
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal.accounts import cash_box
from natural9.journal.sentence import Sentence
from natural9.server.desk import STREAM, Receipt
from natural9.server.drawer_routes import CloseOut, close_out
from natural9.server.drawers import Done
from natural9.server.house import House
from natural9.server.people.answers import documented
from natural9.server.people.guards import requires, signed_in
from natural9.server.people.permissions import Action
from natural9.server.people.routes import SignIns, second_signature
from natural9.server.people.wire import SignIn
from natural9.server.refused import refused
from natural9.table.commands.terminal import Request as RequestId

AnyRequest = Request[Any, Any, Any]
TableId = Annotated[str, Meta(min_length=1, max_length=40)]


class CashBoxView(Struct, frozen=True, kw_only=True):
    """One that holds bills which nobody has counted. What it must hold is told by its count, not before."""

    box: str
    number: int
    since_ms: int
    in_acceptor: bool


class AcceptorBoxes(Struct, frozen=True, kw_only=True):
    """Of the bill acceptor at one terminal, the oldest first; without one that is in it, bills go back."""

    table: str
    seat: int
    boxes: tuple[CashBoxView, ...]


class ChangeCashBox(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    request: RequestId
    table: TableId
    seat: Annotated[int, Meta(ge=1, le=2**31)]
    signature: SignIn | None = None


class CountCashBox(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`cents`: what was counted."""

    request: RequestId
    box: Annotated[str, Meta(min_length=1, max_length=64)]
    cents: Annotated[int, Meta(ge=0, le=MAX_CENTS)]
    signature: SignIn | None = None


class CashBoxDone(Struct, frozen=True, kw_only=True):
    """It is durable; the account of a box where it was counted."""

    box: str
    number: int
    entry: Annotated[int, Meta(description="Its number in the venue's journal")]
    receipt: Receipt | None
    close_out: CloseOut | None


_GUARDS: Final = [requires(Action.KEEP_DRAWER)]
_ANSWERS: Final = documented(400, 401, 403, 409, 413, 429, 503)


class CashBoxController(Controller):
    path = "/cash-boxes"
    tags = ("money",)

    @get("/", guards=_GUARDS, responses=documented(401, 403))
    async def boxes(self, house: NamedDependency[House]) -> list[AcceptorBoxes]:
        """Of every terminal that has a bill acceptor, or whose box is not counted."""
        return [
            AcceptorBoxes(table=table, seat=seat, boxes=_boxes(house, table, seat))
            for table, seat in sorted(house.tables.with_acceptor())
        ]

    @post("/change", status_code=200, guards=_GUARDS, responses=_ANSWERS)
    async def change(
        self,
        request: AnyRequest,
        data: JSONBody[ChangeCashBox],
        house: NamedDependency[House],
        sign_ins: NamedDependency[SignIns],
    ) -> CashBoxDone:
        """An empty box goes into the acceptor; the one that comes out waits for its count."""
        by = signed_in(request).id
        if (data.table, data.seat) not in house.tables.with_acceptor():
            none = say(
                "no terminal with a bill acceptor is at table {table}, seat {seat}", table=data.table, seat=data.seat
            )
            raise BadInput("no-acceptor", none)
        signed_by = await second_signature(data.signature, Action.SIGN_CASH, by, request, sign_ins)
        done = await house.drawers.change_box(data.table, data.seat, by=by, request=data.request, signed_by=signed_by)
        return await _done(house, done, by, data.request)

    @post("/count", status_code=200, guards=_GUARDS, responses=_ANSWERS)
    async def count(
        self,
        request: AnyRequest,
        data: JSONBody[CountCashBox],
        house: NamedDependency[House],
        sign_ins: NamedDependency[SignIns],
    ) -> CashBoxDone:
        """What was counted in a box, and with it what is over or short; all of it goes to the vault."""
        by = signed_in(request).id
        box = cash_box(data.box)
        if box is None:
            raise BadInput("no-cash-box", say("{box} is no cash box", box=repr(data.box)))
        signed_by = await second_signature(data.signature, Action.SIGN_CASH, by, request, sign_ins)
        done = await house.drawers.count_box(box, data.cents, by=by, request=data.request, signed_by=signed_by)
        return await _done(house, done, by, data.request)


class AcceptorInTrouble(Struct, frozen=True, kw_only=True):
    """A bill acceptor that somebody must see to: it does not answer, or says so itself."""

    table: str
    seat: int
    why: Sentence
    since_ms: int


class AcceptorController(Controller):
    """For the pit."""

    path = "/floor/bill-acceptors"
    tags = ("tables",)

    @get("/", guards=[requires(Action.SEE_TABLE)], responses=documented(401, 403))
    async def troubles(self, house: NamedDependency[House]) -> list[AcceptorInTrouble]:
        """Those in trouble, of the tables that this node has. Play goes on without them."""
        return [
            AcceptorInTrouble(table=one.table, seat=one.seat, why=Sentence.of(one.why), since_ms=one.since_ms)
            for one in house.tables.acceptors.troubles()
        ]


def _boxes(house: House, table: str, seat: int) -> tuple[CashBoxView, ...]:
    in_acceptor = house.drawers.box_at(table, seat)
    return tuple(
        CashBoxView(box=one.desk, number=box.number, since_ms=one.opened_at_ms, in_acceptor=one.desk == in_acceptor)
        for one in house.drawers.boxes_of(table, seat)
        if (box := cash_box(one.desk))
    )


async def _done(house: House, done: Done, by: str, request: str) -> CashBoxDone:
    if isinstance(done, Refusal):
        raise refused(done)
    box = cash_box(done.desk)
    assert box is not None, "only cash boxes are moved here"
    entry, receipt = await house.desk.booked(STREAM, by, request)
    return CashBoxDone(box=done.desk, number=box.number, entry=entry, receipt=receipt, close_out=close_out(done))
