"""Receipts over HTTP: of what a terminal asked for, to that terminal, and of anything to staff who may audit."""

import asyncio
import io
from typing import Annotated, Any, Final

import msgspec
import segno
from litestar import Controller, Request, Response, Router, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import JSONBody, QueryParameter

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal.accounts import terminal_id
from natural9.journal.card_events import CardEvent
from natural9.journal.line import OriginKind, read_body, read_line
from natural9.journal.session_events import SessionEvent
from natural9.proof.checkpoint import TreeHead
from natural9.proof.merkle import inclusion_ranges
from natural9.proof.tlog_proof import LogProof
from natural9.server import wire
from natural9.server.escpos import PrintedReceipt
from natural9.server.house import House
from natural9.server.people.answers import ApiError, ApiRefused, documented
from natural9.server.people.guards import NOT_SIGNED_IN, host_allowed, requires, who_is
from natural9.server.people.permissions import Action
from natural9.server.proof.checkpoints import Checkpoints
from natural9.server.reports.round_routes import viewer_of
from natural9.store.contract import Checkpoint, Written
from natural9.store.receipt import EntryReceipt, make_receipt
from natural9.table.audit.check_round import hash_before

AnyRequest = Request[Any, Any, Any]
TableQuery = Annotated[
    str,
    QueryParameter(description="The id of a table; none for the cash desk, whose entries staff see.", max_length=40),
]
NumberQuery = Annotated[
    int, QueryParameter(description="The entry's number there, as its acknowledgement names it.", ge=1, le=2**53)
]
CoveringQuery = Annotated[
    int | None, QueryParameter(description="By the checkpoint of this size; else by the newest.", ge=1, le=2**53)
]
WAITS_S: Final = 2.0  # for the checkpoint of what has just happened: one is signed every second
LOOKS_S: Final = 0.05
LONGEST_QR: Final = 2953  # bytes: version 40, level L
MASK: Final = 3  # any can be read; trying out all eight takes five times as long


def has_receipts(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Staff who may audit, and terminals; of which entries, `_asked_for` says."""
    who = who_is(connection)
    if who is None or who.person or who.device is None or who.device.kind != "terminal":
        requires(Action.VERIFY_JOURNAL)(connection, handler)


def is_terminal(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A terminal by itself, with nobody of the staff signed in at it."""
    who = who_is(connection)
    if who and who.person:
        own = say("A terminal prints the receipts of its own player: save this one as a file.")
        raise ApiRefused(403, ApiError.of("not-allowed", own))
    if who is None or who.device is None or who.device.kind != "terminal":
        raise ApiRefused(401, ApiError.of("sign-in-first", NOT_SIGNED_IN))


class ReceiptController(Controller):
    """What proves, without the house, that an entry stands in the journal (docs/journal.md)."""

    path = "/receipt"
    tags = ("proof",)

    @get("/", guards=[has_receipts], responses=documented(400, 401, 403, 404, 503))
    async def receipt(
        self,
        request: AnyRequest,
        house: NamedDependency[House],
        entry: NumberQuery,
        table: TableQuery = "",
        size: CoveringQuery = None,
    ) -> Response[EntryReceipt]:
        """The receipt of an entry. 503 with the code `again`: no checkpoint covers it yet."""
        name = f'attachment; filename="receipt-{table or "venue"}-{entry}.json"'
        return Response(await _receipt(request, house, table, entry, size), headers={"content-disposition": name})

    @get(
        "/qr",
        guards=[has_receipts],
        media_type="image/svg+xml",
        responses=documented(400, 401, 403, 404, 409, 503),
    )
    async def picture(
        self,
        request: AnyRequest,
        house: NamedDependency[House],
        entry: NumberQuery,
        table: TableQuery = "",
        size: CoveringQuery = None,
    ) -> Response[str]:
        """The same as a QR code, where it fits into one."""
        text = msgspec.json.encode(await _receipt(request, house, table, entry, size))
        if len(text) > LONGEST_QR:
            long = say("This receipt is too long for a QR code: save it as a file.")
            raise ApiRefused(409, ApiError.of("too-long", long))
        return Response(await asyncio.to_thread(_qr_svg, text), media_type="image/svg+xml")

    @post(
        "/print",
        status_code=204,
        guards=[is_terminal],
        responses=documented(400, 401, 403, 404, 409, 413, 429, 503),
    )
    async def on_paper(
        self, request: AnyRequest, data: JSONBody[wire.PrintReceipt], house: NamedDependency[House]
    ) -> None:
        """Print the receipt of an entry at the terminal's own printer: answered once it is printed, or cannot be."""
        receipt = await _receipt(request, house, data.table, data.entry, data.size)
        if not house.hub.printers.is_on:
            raise BadInput("no-printer", say("This venue has no printer: save the receipt as a file."))
        who, host = who_is(request), request.headers.get("host", "")
        assert who is not None
        assert who.device is not None, "its guard has looked"
        page = f"{host if host_allowed(host, house.venue.allowed_origins) else ''}/receipt"
        slip = _slip(house, receipt, data.table, page)
        if why := await house.hub.printers.print_receipt(slip, who.device.table, who.device.seat or 0):
            away = say("Not printed, the printer is away: {why}. Save the receipt as a file.", why=why)
            raise ApiRefused(409, ApiError.of("printer-away", away))


def _qr_svg(text: bytes) -> str:
    code = segno.make(text, error="l", boost_error=False, micro=False, mask=MASK, mode="byte")
    picture = io.BytesIO()
    code.save(picture, kind="svg", xmldecl=False, nl=False, omitsize=True, light="#fff", svgclass=None, lineclass=None)
    return picture.getvalue().decode()


class _OfRound(msgspec.Struct):
    round: int | None = None


def _slip(house: House, receipt: EntryReceipt, table: str, page: str) -> PrintedReceipt:
    entry, line = receipt.entry, read_body(receipt.entry.body.encode())
    head = TreeHead.parse(LogProof.parse(receipt.proof).checkpoint.text)
    return PrintedReceipt(
        venue=house.venue.name,
        currency=house.venue.currency,
        table=table,
        seat=int(line.origin.by.removeprefix(f"{table}-")),
        round=msgspec.json.decode(line.command, type=_OfRound).round if line.command else None,
        says=str(line.event.describe()),
        cents=getattr(line.event, "cents", None),
        entry=entry.number,
        time=house.venue.time_text(entry.at_ms),
        origin=head.origin,
        size=head.size,
        page=page,
        text=msgspec.json.encode(receipt).decode(),
    )


async def _receipt(request: AnyRequest, house: House, table: str, number: int, size: int | None) -> EntryReceipt:
    written = await _asked_for(request, house, table, number)
    checkpoint = await _kept(house, size, written) if size else await _covering(house.office.checkpoints, written)
    hashes = await house.store.tree_hashes(inclusion_ranges(written.seq - 1, checkpoint.size))
    keys = [one.key for one in house.office.checkpoints.keys.public]
    return make_receipt(written, await hash_before(house.store, written), checkpoint, hashes, keys)


async def _asked_for(request: AnyRequest, house: House, table: str, number: int) -> Written:
    """A terminal has what it asked for itself: its seat, and this device there. What is not its own looks as if it was
    not there. Nor are limits and cards of players, for whoever sits there next may be another."""
    who = who_is(request)
    viewer = await viewer_of(request, table, house.store) if who and who.device and not who.person else None
    written = await house.store.entry(f"table/{table}" if table else "venue", number)
    none = say("There is no such entry here, or it is not of this terminal.")
    if written is None:
        raise BadInput("no-such-entry", none)
    if viewer is not None and who and who.device:
        line = read_line(written)
        own = table and viewer.seat is not None and line.origin.by == terminal_id(table, viewer.seat)
        since_ms = house.accounts.devices.find(who.device.id).enrolled_ms
        is_mine = own and line.origin.kind is OriginKind.TERMINAL and written.at_ms > since_ms
        if not is_mine or isinstance(line.event, CardEvent | SessionEvent):
            raise BadInput("no-such-entry", none)
    return written


async def _kept(house: House, size: int, written: Written) -> Checkpoint:
    kept = await house.store.checkpoint(size)
    if kept is None or kept.size < written.seq:
        raise BadInput("no-such-checkpoint", say("There is no checkpoint of {size} entries.", size=size))
    return kept


async def _covering(checkpoints: Checkpoints, written: Written) -> Checkpoint:
    """The newest checkpoint, once it has this entry in it. None is signed for a receipt's sake: whoever asks for many
    would have the house sign many."""
    now = asyncio.get_running_loop().time
    until = now() + WAITS_S
    while (newest := checkpoints.newest) is None or newest.size < written.seq:
        if now() >= until:
            again = say("No checkpoint is signed over this entry yet: ask again in a moment.")
            raise ApiRefused(503, ApiError.of("again", again), {"retry-after": "1"})
        await asyncio.sleep(LOOKS_S)
    return newest


def receipt_router() -> Router:
    return Router(path="/api", route_handlers=[ReceiptController])
