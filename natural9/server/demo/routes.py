"""One click for each role. These routes are there in the demo only: whoever can reach it may be anybody in it."""

from secrets import token_hex
from typing import Annotated, Any, Final

from litestar import Controller, Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec import Meta, Struct

from natural9.core.errors import BadInput
from natural9.core.saying import say
from natural9.journal.people_events import StaffSignedIn
from natural9.server.demo.sign_in_links import BY, PEOPLE, SIGNS
from natural9.server.house import House
from natural9.server.people import wire as people_wire
from natural9.server.people.answers import ApiError, ApiRefused
from natural9.server.people.devices import Place
from natural9.server.people.guards import peer_of, who_is
from natural9.server.people.permissions import Role
from natural9.server.people.records import Person
from natural9.server.people.register import PeopleChange
from natural9.server.people.routes import SignIns
from natural9.server.people.sessions import Session
from natural9.server.training.trainer import Trainings
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.live.errands import AskTable, CreditAt
from natural9.table.venue.venue import TableConfig

CREDIT_CENTS: Final = 100_000  # what a terminal of the demo starts with
_CASHIER: Final = Who(PEOPLE[Role.CASHIER][0])


class DemoPerson(Struct, frozen=True, kw_only=True):
    role: Role
    name: str


class DemoTable(Struct, frozen=True, kw_only=True):
    table: str
    title: str
    game_title: str


class DemoRoles(Struct, frozen=True, kw_only=True):
    """Whom and what this browser can become; and where a dealer is trained, at a table that nobody plays at."""

    people: tuple[DemoPerson, ...]
    tables: tuple[DemoTable, ...]
    training: tuple[DemoTable, ...]


class EnterDemo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A role of staff; or "terminal" with a table; or "display", with a table or for all of them."""

    role: Annotated[str, Meta(max_length=40)] = "terminal"
    table: Annotated[str, Meta(max_length=40)] = ""


class DemoController(Controller):
    path = "/api/demo"
    include_in_schema = False

    @get("/roles")
    async def roles(self, house: NamedDependency[House], trainings: NamedDependency[Trainings]) -> DemoRoles:
        tables = [
            DemoTable(table=one.id, title=one.title, game_title=one.game.title) for one in house.venue.tables.values()
        ]
        return DemoRoles(
            people=tuple(DemoPerson(role=role, name=name) for role, (_, name) in PEOPLE.items()),
            tables=tuple(one for one in tables if one.table not in trainings),
            training=tuple(one for one in tables if one.table in trainings),
        )

    @post("/enter", status_code=200)
    async def enter(
        self,
        request: Request[Any, Any, Any],
        data: JSONBody[EnterDemo],
        house: NamedDependency[House],
        sign_ins: NamedDependency[SignIns],
    ) -> Response[people_wire.Me]:
        """Make this browser a person, a terminal with some credit at a seat of its own, or a display."""
        peer = peer_of(request.scope)
        if data.role in PEOPLE:
            session, person = await _sign_in(house, Role(data.role), peer=peer)
            return sign_ins.with_cookie(session, sign_ins.me(session, person=person), status=200)
        if data.role == "display":
            place = Place("display", data.table and house.table(data.table).id, None)
        elif data.role == "terminal":
            place = Place("terminal", data.table, _free_seat(house, house.table(data.table), request))
        else:
            roles = (*map(str, PEOPLE), "terminal", "display")
            none = say("the demo has no role {role}: take {roles}", role=repr(data.role), roles=roles)
            raise BadInput("bad-role", none)
        [code] = await house.accounts.devices.add([place], by=BY, signed_by=SIGNS)
        enrolled = await house.accounts.devices.enrol(code.code, peer=peer)
        if place.seat is not None:
            async with house.drawers.moving(_CASHIER.id):
                await _give_credit(house, place.table, place.seat)
        return sign_ins.with_cookie(
            enrolled.session, sign_ins.me(enrolled.session, device=enrolled.device), status=200
        )  # fmt: skip


async def _sign_in(house: House, role: Role, *, peer: str) -> tuple[Session, Person]:
    """Without a password, but not without a trace: the journal names who came in, and how."""
    id, name = PEOPLE[role]
    accounts = house.accounts
    if id not in {record.id for record in accounts.all()}:
        await accounts.add(id, name=name, role=role, by=BY)
    record = accounts.find(id)
    if record.disabled:
        record = await accounts.enable(id, by=BY)
    if record.role is not role:
        record = await accounts.change_role(id, role=role, by=BY)
    await accounts.register.write([PeopleChange(StaffSignedIn(id=id, peer=peer, purpose="demo"), by=id)])
    return accounts.sessions.begin("staff", id, record.generation), Person(id, record.name, record.role)


def _free_seat(house: House, config: TableConfig, request: Request[Any, Any, Any]) -> int:
    """The seat that this browser has already, one where no terminal stands, or one that nobody is using."""
    table, seats = config.id, range(1, config.seats + 1)
    room = house.rooms.get(table)
    connected = set(room.terminals) if room else set[int]()
    who = who_is(request)
    if who and who.device and who.device.table == table and who.device.seat is not None:
        return who.device.seat
    devices = [one for one in house.accounts.devices.all() if one.table == table and one.kind == "terminal"]
    taken = {one.seat for one in devices if one.status != "revoked"}
    enrolled = {one.seat for one in devices if one.status == "enrolled"}
    for occupied in (taken, enrolled, connected):
        if free := [seat for seat in seats if seat not in occupied and seat not in connected]:
            return free[0]
    full = say("All {seats} seats of {table} are taken.", seats=len(seats), table=config.title)
    raise ApiRefused(409, ApiError.of("table-full", full))


async def _give_credit(house: House, table: str, seat: int) -> None:
    """A table with a fault takes no money: then the player sits down without, and sees why."""
    missing = CREDIT_CENTS - await house.carry_out(table, CreditAt(seat))
    if missing > 0:
        credit = staff.CreditTerminal(seat=seat, cents=missing)
        await house.carry_out(table, AskTable.of(Order(f"demo-enter-{token_hex(8)}", credit), _CASHIER))


def demo_router() -> Router:
    return Router(path="/", route_handlers=[DemoController])
