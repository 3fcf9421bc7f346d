"""Tables and money over HTTP: what there is, the rules to read, and every command of staff through one route."""

import asyncio
from typing import Annotated, Any, assert_never

from litestar import Controller, Request, Router, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import JSONBody, PathParameter

from natural9.core.errors import BadInput
from natural9.core.round import Refusal
from natural9.core.round.commands import Command
from natural9.core.saying import say
from natural9.core.staff import Rank
from natural9.journal.line import by_staff
from natural9.journal.sentence import Sentence
from natural9.journal.venue_events import VoucherPaid, VoucherReprinted
from natural9.server import wire
from natural9.server.cash_box_routes import AcceptorController, CashBoxController
from natural9.server.desk import STREAM
from natural9.server.drawer_routes import DrawerController
from natural9.server.house import House
from natural9.server.people.answers import documented, not_known
from natural9.server.people.guards import requires, signed_in
from natural9.server.people.permissions import Action, Denied, action_of, refusal
from natural9.server.people.records import Person
from natural9.server.people.routes import SignIns, another, not_allowed, second_signature
from natural9.server.program import program_sha256, version
from natural9.server.refused import refused
from natural9.server.room import Room
from natural9.server.rules import game_view, interpretation_titles, names_by_english, rule_texts
from natural9.server.training.trainer import Trainings
from natural9.table.commands import orders
from natural9.table.commands.cage import Printed, Voucher
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order, StaffCommand
from natural9.table.commands.preview import Preview, preview
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.staff import CreditTerminal, HandPay
from natural9.table.live.answers import Accepted, Answer, NotKnown
from natural9.table.state.console_view import console_sees
from natural9.table.state.sessions import has_money, stakes_cents
from natural9.table.state.state import TableState
from natural9.table.state.view import everybody_sees

TableId = Annotated[str, PathParameter(description="The id of a table.", max_length=40)]
AnyRequest = Request[Any, Any, Any]


def sees_terminals(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """The desk and the pit, who credit terminals and pay them out; besides them whoever may see all money."""
    if not signed_in(connection).may(Action.CREDIT_TERMINAL):
        requires(Action.SEE_MONEY)(connection, handler)


class VenueController(Controller):
    """For everyone: what is running, and its rules."""

    path = "/venue"
    tags = ("tables",)

    @get("/")
    async def venue(
        self,
        house: NamedDependency[House],
        demo: NamedDependency[bool],
        trainings: NamedDependency[Trainings],
    ) -> wire.VenueView:
        return wire.VenueView(
            name=house.venue.name,
            currency=house.venue.currency,
            zone=str(house.venue.zone),
            day=house.venue.gaming_day(house.clock.record_ms()),
            version=version(),
            demo=demo,
            players=house.venue.players is not None,
            prints=house.venue.printer is not None,
            takes_bills=house.venue.bills is not None,
            needs_administrator=not house.accounts.has_administrator,
            tables=tuple(
                wire.TableLine(
                    table=one.id,
                    title=one.title,
                    game=one.game.id,
                    game_title=one.game.title,
                    mode=one.mode,
                    shoe=one.shoe,
                    has_reader=bool(one.reader),
                    seats=one.seats,
                    status=house.hub.floor.status_of(one.id),
                    training=one.id in trainings,
                )
                for one in house.venue.tables.values()
                if house.hub.is_ready
            ),
            names=names_by_english(house.venue),
            interpretations=interpretation_titles(),
        )

    @get("/tables/{table:str}/rules", responses=documented(400, 404))
    async def rules(self, table: TableId, house: NamedDependency[House]) -> wire.GameView:
        """Pay table, insurance and interpretations, each with its paragraph."""
        return game_view(house.table(table))


class RulesController(Controller):
    """For everyone: what a citation such as "mbs 4.8" says."""

    path = "/rules"
    tags = ("rules",)

    @get("/paragraphs")
    async def paragraphs(self) -> dict[str, list[wire.RuleText]]:
        """Every paragraph of the approved documents in our own words, and our readings of them, by its citation.

        The documents decide. A reading may differ from one document to another.
        """
        return rule_texts()


class TablesController(Controller):
    """For staff."""

    path = "/tables"
    tags = ("tables",)

    @get("/{table:str}", guards=[requires(Action.SEE_TABLE)], responses=documented(400, 401, 403, 404, 503))
    async def table(self, table: TableId, house: NamedDependency[House]) -> wire.StaffTable:
        return await house.room(table).writer.see(
            lambda state: wire.StaffTable(table=everybody_sees(state), console=console_sees(state))
        )

    @get("/{table:str}/terminals", guards=[sees_terminals], responses=documented(400, 401, 403, 404, 503))
    async def terminals(self, table: TableId, house: NamedDependency[House]) -> list[wire.TerminalLine]:
        """Those that are connected, hold money, or are locked."""
        room = house.room(table)

        def lines(state: TableState) -> list[wire.TerminalLine]:
            seats = sorted({*room.terminals, *state.terminals})
            return [_terminal_line(state, seat, connected=seat in room.terminals) for seat in seats]

        return await room.writer.see(lines)

    @post(
        "/{table:str}/preview",
        status_code=200,
        guards=[requires(Action.SEE_TABLE)],
        responses=documented(400, 401, 403, 404, 409, 413, 503),
    )
    async def preview(
        self, table: TableId, data: JSONBody[wire.PreviewRequest], house: NamedDependency[House]
    ) -> Preview:
        """What a command would do to the money if it were given now. Nothing changes by asking."""
        room, command = house.room(table), _command(data.command)
        earlier = await room.writer.earlier_round(command)
        seen = await room.writer.see(lambda state: preview(state, command, earlier))
        if isinstance(seen, Refusal):
            raise refused(seen)
        return seen

    @post("/{table:str}/commands", status_code=200, responses=documented(400, 401, 403, 404, 409, 413, 429, 503))
    async def command(
        self,
        request: AnyRequest,
        table: TableId,
        data: JSONBody[wire.StaffRequest],
        house: NamedDependency[House],
        sign_ins: NamedDependency[SignIns],
    ) -> wire.Done:
        """Every command of the console, the pit and the cashier. Done means durable; 409 says why not, in words."""
        person = signed_in(request)
        if data.sign_in:
            person = await another(data.sign_in, request, sign_ins)
        room = house.room(table)
        action = action_of(str(data.command.__struct_config__.tag))
        _check_may(person, action)
        signed_by = await second_signature(data.signature, Action.SIGN_CASH, person.id, request, sign_ins)
        if signed_by:  # which took a while
            person = _check_may(await sign_ins.accounts.by_now(person), action)
        order = Order(data.request, _command(data.command), data.why)
        who = Who(person.id, rank=_rank(person), signed_by=signed_by)
        if moves_cash := isinstance(order.command, CreditTerminal | HandPay):
            async with house.drawers.moving(person.id):
                answer, n = await _answer(room, order, who)
        else:
            answer, n = await _answer(room, order, who)
        entry = _done(answer)
        receipt = (await house.desk.booked(f"table/{table}", person.id, data.request)).receipt if moves_cash else None
        return wire.Done(request=data.request, by=person.id, entry=entry, n=n, receipt=receipt)


def _command(written: StaffCommand) -> Command:
    command = orders.read(written)
    if isinstance(command, Refusal):
        raise refused(command)
    return command


def _check_may(person: Person | Denied, action: Action) -> Person:
    if isinstance(person, Denied):
        raise not_allowed(person)
    if not person.may(action):
        raise not_allowed(refusal(person.role, action))
    return person


async def _answer(room: Room, order: Order, who: Who) -> tuple[Answer, int]:
    """The answer, and the number of the last message about the table at that moment: it shows what was done."""
    answered: asyncio.Future[tuple[Answer, int]] = asyncio.get_running_loop().create_future()

    def reply(answer: Answer) -> None:
        if not answered.done():
            answered.set_result((answer, room.n))

    room.writer.ask(order, who, reply)
    return await answered


def _done(answer: Answer) -> int:
    """The number of its entry."""
    match answer:
        case Accepted(entry=entry):
            return entry
        case Refusal():
            raise refused(answer)
        case NotKnown():
            raise not_known()
        case _:
            assert_never(answer)


def _rank(person: Person) -> Rank | None:
    return person.staff.rank if person.staff else None


def _terminal_line(state: TableState, seat: int, *, connected: bool) -> wire.TerminalLine:
    terminal = state.terminals.get(seat)
    return wire.TerminalLine(
        seat=seat,
        home_table=terminal.home.table if terminal and terminal.home else "",
        home_seat=terminal.home.seat if terminal and terminal.home else 0,
        connected=connected,
        credit_cents=terminal.credit_cents if terminal else 0,
        staked_cents=stakes_cents(state, seat),
        owed_cents=terminal.owed_cents if terminal else 0,
        locked=terminal.locked if terminal else "",
        kept=seat in state.playing and not has_money(state, seat),
    )


class CageController(Controller):
    """The cash desk."""

    path = "/vouchers"
    tags = ("money",)

    @post(
        "/pay",
        status_code=200,
        guards=[requires(Action.REDEEM_VOUCHER)],
        responses=documented(400, 401, 403, 409, 413, 429, 503),
    )
    async def pay(
        self,
        request: AnyRequest,
        data: JSONBody[wire.PayVoucher],
        house: NamedDependency[House],
        sign_ins: NamedDependency[SignIns],
    ) -> wire.PaidVoucher:
        """Pay a voucher out: once and only once."""
        by = signed_in(request).id
        signed_by = await second_signature(data.signature, Action.SIGN_CASH, by, request, sign_ins)
        async with house.drawers.moving(by):
            paid = await house.desk.pay(data.number, data.code, by=by, request=data.request, signed_by=signed_by)
        if not isinstance(paid, VoucherPaid):
            raise not_known() if isinstance(paid, NotKnown) else refused(paid)
        entry, receipt = await house.desk.booked(STREAM, by, data.request)
        return wire.PaidVoucher(number=paid.number, cents=paid.cents, desk=by, entry=entry, receipt=receipt)

    @post("/look", status_code=200, responses=documented(400, 401, 403, 409, 413, 429, 503))
    async def look(
        self, request: AnyRequest, data: JSONBody[wire.LookAtVoucher], house: NamedDependency[House]
    ) -> wire.VoucherSeen:
        """What a voucher is worth, before any money moves. Whoever may void one or see all money needs no code."""
        person = signed_in(request)
        needs_no_code = person.may(Action.VOID_VOUCHER) or person.may(Action.SEE_MONEY)
        if not needs_no_code and not person.may(Action.REDEEM_VOUCHER):
            raise not_allowed(refusal(person.role, Action.REDEEM_VOUCHER))
        found = await house.desk.look(data.number, data.code, by=person.id, without_code=needs_no_code)
        if isinstance(found, Refusal):
            if found.code is TableCode.VOUCHER_REDEEMED and await house.desk.is_being_redeemed(data.number):
                raise not_known()
            raise refused(found)
        return _seen(found)

    @post(
        "/print",
        status_code=200,
        guards=[requires(Action.VOID_VOUCHER)],
        responses=documented(400, 401, 403, 409, 413, 429, 503),
    )
    async def print_copy(
        self, request: AnyRequest, data: JSONBody[wire.PrintVoucher], house: NamedDependency[House]
    ) -> wire.VoucherSeen:
        """Print a copy of a voucher that is out, marked as one, where it was issued. The journal has it first."""
        by = signed_in(request).id
        if not house.hub.printers.is_on:
            raise BadInput("no-printer", say("this venue has no printer: show the voucher at its terminal, or void it"))
        found = await house.desk.look(data.number, "", by=by, without_code=True)
        if isinstance(found, Refusal):
            raise refused(found)
        if not (code := house.vouchers.code(found.number)):
            raise BadInput("no-code", say("the key of this voucher is lost, and its code with it: void it"))
        event = VoucherReprinted(number=found.number, cents=found.cents, desk=by, why=data.why)
        await house.office.write(event, by=by_staff(by))
        copy = Printed(number=found.number, code=code, cents=found.cents, expires_at_ms=found.expires_at_ms)
        house.hub.printers.print_slip(found.table, found.seat, copy, found.issued_at_ms, is_copy=True)
        return _seen(found)

    @get("/printers", guards=[requires(Action.SEE_TABLE)], responses=documented(401, 403))
    async def printers(self, house: NamedDependency[House]) -> list[wire.PrinterAway]:
        """Those that are away. Nothing waits for them but paper."""
        return [
            wire.PrinterAway(
                table=one.table,
                seat=one.seat,
                why=Sentence.of(one.why),
                since_ms=one.since_ms,
                waiting=one.waiting,
                given_up=one.given_up,
            )
            for one in house.hub.printers.troubles()
        ]


def _seen(voucher: Voucher) -> wire.VoucherSeen:
    return wire.VoucherSeen(
        number=voucher.number,
        cents=voucher.cents,
        table=voucher.table,
        seat=voucher.seat,
        issued_at_ms=voucher.issued_at_ms,
        expires_at_ms=voucher.expires_at_ms,
    )


class ProgramController(Controller):
    path = "/program"
    tags = ("integrity",)

    @post(
        "/check",
        status_code=200,
        guards=[requires(Action.VERIFY_JOURNAL)],
        responses=documented(400, 401, 403, 413, 503),
    )
    async def check(self, house: NamedDependency[House]) -> wire.ProgramCheck:
        """Verify every file of the program and the rules against the hashes taken at the start."""
        changed = await house.check_program()
        return wire.ProgramCheck(program_sha256=program_sha256(house.file_hashes), changed=tuple(changed))


def tables_router() -> Router:
    return Router(
        path="/api",
        route_handlers=[
            VenueController,
            RulesController,
            TablesController,
            CageController,
            DrawerController,
            CashBoxController,
            AcceptorController,
            ProgramController,
        ],
    )
