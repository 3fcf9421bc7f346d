"""Signing in, enrolling, and what an administrator does, over HTTP."""

from typing import Annotated, Any

from litestar import Controller, Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from natural9.core.errors import BadInput
from natural9.core.saying import name_of, say
from natural9.core.staff import Rank
from natural9.server.people import wire
from natural9.server.people.accounts import Accounts
from natural9.server.people.answers import ApiError, ApiRefused, documented
from natural9.server.people.devices import ENROLMENT_MS, SIGNED_MS, Place
from natural9.server.people.guards import (
    NOT_SIGNED_IN,
    Caller,
    check_again,
    device_of,
    peer_of,
    requires,
    session_cookie,
    signed_in,
    who_is,
)
from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.permissions import Action, Denied, Role, allowed, permissions, refusal
from natural9.server.people.records import Device, DeviceRecord, IssuedCode, Person, StaffRecord
from natural9.server.people.sessions import Session, set_cookie

AnyRequest = Request[Any, Any, Any]
StaffId = Annotated[str, PathParameter(description="The id of a person.", max_length=100)]
DeviceId = Annotated[str, PathParameter(description="The id of a device.", max_length=100)]


class SignIns:
    """Signing in over HTTP: the accounts, the limiter, and whether cookies travel over TLS only."""

    def __init__(self, accounts: Accounts, *, secure: bool, limiter: AttemptLimiter | None = None) -> None:
        self.accounts = accounts
        self.limiter = limiter or AttemptLimiter(accounts.register)
        self.secure = secure

    def with_cookie(self, session: Session, me: wire.Me, *, status: int) -> Response[wire.Me]:
        cookie = session_cookie(session, self.accounts, secure=self.secure)
        return Response(me, status_code=status, headers={"set-cookie": cookie})

    def me(self, session: Session, *, person: Person | None = None, device: Device | None = None) -> wire.Me:
        return wire.Me(
            csrf=self.accounts.sessions.csrf(session),
            expires_ms=session.expires_ms,
            person=_view(person) if person else None,
            device=wire.DeviceIdentity(device.id, device.kind, device.table, device.seat) if device else None,
        )


def _view(person: Person) -> wire.PersonView:
    ranks = [rank.tag for rank in Rank if person.staff and person.staff.rank >= rank]
    return wire.PersonView(person.id, person.name, person.role, allowed(person.role), ranks)


class SessionController(Controller):
    """For everyone: in, out, and who am I."""

    tags = ("people",)

    @post("/sign-in", status_code=200, responses=documented(400, 401, 403, 413, 429, 503))
    async def sign_in(
        self, request: AnyRequest, data: JSONBody[wire.SignIn], sign_ins: NamedDependency[SignIns]
    ) -> Response[wire.Me]:
        """Sign in; whoever was signed in with this browser is signed out. What was wrong is never told."""
        peer, device, who = peer_of(request.scope), device_of(request), who_is(request)
        await sign_ins.limiter.attempt(peer, data.id, device=device)
        former = who.staff_session if who else None
        answer = await sign_ins.accounts.sign_in(data.id, data.password, peer=peer, device=device, former=former)
        if isinstance(answer, Denied):
            raise ApiRefused(401, ApiError.of(answer.code, answer.message, answer.paragraph))
        sign_ins.limiter.succeeded(peer, data.id, device=device)
        return sign_ins.with_cookie(answer.session, sign_ins.me(answer.session, person=answer.person), status=200)

    @post("/sign-out", status_code=204, responses=documented(400, 401, 403, 413, 503))
    async def sign_out(
        self, request: AnyRequest, sign_ins: NamedDependency[SignIns], everywhere: FromQuery[bool] = False
    ) -> Response[None]:
        """End this session, or with `everywhere` all of this person's."""
        signed_in(request)
        who = who_is(request)
        assert who is not None
        await sign_ins.accounts.sign_out(who.session, everywhere=everywhere)
        gone = set_cookie("staff", "", max_age_s=0, secure=sign_ins.secure)
        return Response(None, status_code=204, headers={"set-cookie": gone})

    @get("/me", responses=documented(401))
    async def me(self, request: AnyRequest, sign_ins: NamedDependency[SignIns]) -> wire.Me:
        """Who this browser is, and what they may do."""
        who: Caller | None = who_is(request)
        if who is None:
            raise ApiRefused(401, ApiError.of("sign-in-first", NOT_SIGNED_IN))
        return sign_ins.me(who.session, person=who.person, device=who.device)

    @post("/claim-administrator", responses=documented(400, 403, 409, 413, 429, 503))
    async def claim(
        self, request: AnyRequest, data: JSONBody[wire.ClaimAdministrator], sign_ins: NamedDependency[SignIns]
    ) -> Response[wire.Me]:
        """The first administrator's account, by the code that the server printed."""
        peer = peer_of(request.scope)
        await sign_ins.limiter.attempt(peer)
        answer = await sign_ins.accounts.claim_administrator(
            data.code, id=data.id, name=data.name, password=data.password, peer=peer
        )
        sign_ins.limiter.succeeded(peer)
        return sign_ins.with_cookie(answer.session, sign_ins.me(answer.session, person=answer.person), status=201)

    @post("/set-password", status_code=200, responses=documented(400, 403, 413, 429, 503))
    async def set_password(
        self, request: AnyRequest, data: JSONBody[wire.SetPassword], sign_ins: NamedDependency[SignIns]
    ) -> wire.PasswordSet:
        """One's own password, by a one-time code; earlier sessions end."""
        peer = peer_of(request.scope)
        await sign_ins.limiter.attempt(peer)
        person = await sign_ins.accounts.set_password(data.code, data.password, peer=peer)
        sign_ins.limiter.succeeded(peer)
        return wire.PasswordSet(person.id)

    @post("/change-password", status_code=200, responses=documented(400, 401, 403, 409, 413, 429, 503))
    async def change_password(
        self, request: AnyRequest, data: JSONBody[wire.ChangePassword], sign_ins: NamedDependency[SignIns]
    ) -> wire.PasswordSet:
        """One's own password, by the present one; all other sessions of this person end."""
        person, who, peer, device = signed_in(request), who_is(request), peer_of(request.scope), device_of(request)
        assert who is not None
        await sign_ins.limiter.attempt(peer, person.id, device=device)
        await sign_ins.accounts.change_password(who.session, data.present, data.new, peer=peer, device=device)
        sign_ins.limiter.succeeded(peer, person.id, device=device)
        return wire.PasswordSet(person.id)

    @post("/enrol", responses=documented(400, 403, 409, 413, 429, 503))
    async def enrol(
        self, request: AnyRequest, data: JSONBody[wire.Enrol], sign_ins: NamedDependency[SignIns]
    ) -> Response[wire.Me]:
        """Make this browser the terminal, display or reader that the code stands for."""
        peer = peer_of(request.scope)
        await sign_ins.limiter.attempt(peer)
        answer = await sign_ins.accounts.devices.enrol(data.code, peer=peer)
        sign_ins.limiter.succeeded(peer)
        return sign_ins.with_cookie(answer.session, sign_ins.me(answer.session, device=answer.device), status=201)


SIGNS = {Action.SIGN_SEAT_OVER, Action.SIGN_CASH, Action.SIGN_APPOINTMENT}
_STAFF = [requires(Action.MANAGE_STAFF)]
_DEVICES = [requires(Action.MANAGE_DEVICES)]
CHANGES = documented(400, 401, 403, 404, 409, 413, 503)


class StaffController(Controller):
    """Staff accounts: administrators manage them, an auditor reads."""

    path = "/staff"
    tags = ("people",)

    @get("/", guards=[requires(Action.SEE_PEOPLE)], responses=documented(401, 403))
    async def list_staff(self, sign_ins: NamedDependency[SignIns]) -> list[wire.StaffView]:
        return [_staff(record, sign_ins) for record in sign_ins.accounts.all()]

    @get("/permissions", guards=[requires(Action.SEE_PEOPLE)], responses=documented(401, 403))
    async def list_permissions(self) -> list[wire.PermissionView]:
        """What each role may do, and where that follows from."""
        return [
            wire.PermissionView(
                one.action, one.says, [role for role in Role if role in one.roles], one.changes, one.paragraph
            )
            for one in permissions().values()
        ]

    @post("/", guards=_STAFF, responses=documented(400, 401, 403, 409, 413, 503))
    async def add_staff(
        self, request: AnyRequest, data: JSONBody[wire.NewStaff], sign_ins: NamedDependency[SignIns]
    ) -> wire.CodeView:
        """A new account. The code is for that person, who sets a password of their own with it."""
        by = signed_in(request).id
        signed_by = await _appointed(data.role, data.id, data.signature, request, sign_ins)
        add = sign_ins.accounts.add
        return _code(await add(data.id, name=data.name, role=data.role, by=by, signed_by=signed_by))

    @post("/{id:str}/disable", status_code=200, guards=_STAFF, responses=CHANGES)
    async def disable(self, request: AnyRequest, id: StaffId, sign_ins: NamedDependency[SignIns]) -> wire.StaffView:
        """Close an account; its sessions end at once."""
        return _staff(await sign_ins.accounts.disable(id, by=signed_in(request).id), sign_ins)

    @post("/{id:str}/enable", status_code=200, guards=_STAFF, responses=CHANGES)
    async def enable(self, request: AnyRequest, id: StaffId, sign_ins: NamedDependency[SignIns]) -> wire.StaffView:
        return _staff(await sign_ins.accounts.enable(id, by=signed_in(request).id), sign_ins)

    @post("/{id:str}/unlock", status_code=200, guards=_STAFF, responses=CHANGES)
    async def unlock(self, request: AnyRequest, id: StaffId, sign_ins: NamedDependency[SignIns]) -> wire.StaffView:
        """Let someone try again before their lock-out is over, wherever that is."""
        sign_ins.limiter.unlocked(id)
        return _staff(await sign_ins.accounts.unlock(id, by=signed_in(request).id), sign_ins)

    @post("/{id:str}/role", status_code=200, guards=_STAFF, responses=CHANGES)
    async def change_role(
        self, request: AnyRequest, id: StaffId, data: JSONBody[wire.NewRole], sign_ins: NamedDependency[SignIns]
    ) -> wire.StaffView:
        """It holds at once, for open sessions too."""
        by, change = signed_in(request).id, sign_ins.accounts.change_role
        signed_by = await _appointed(data.role, id, data.signature, request, sign_ins)
        return _staff(await change(id, role=data.role, by=by, signed_by=signed_by), sign_ins)

    @post("/{id:str}/new-code", status_code=200, guards=_STAFF, responses=CHANGES)
    async def new_code(
        self, request: AnyRequest, id: StaffId, data: JSONBody[wire.NewCode], sign_ins: NamedDependency[SignIns]
    ) -> wire.CodeView:
        """A new one-time code for someone who forgot their password."""
        by, role = signed_in(request).id, sign_ins.accounts.find(id).role
        signed_by = await _appointed(role, id, data.signature, request, sign_ins)
        return _code(await sign_ins.accounts.new_code(id, by=by, signed_by=signed_by))


class DevicesController(Controller):
    """Terminals, displays and readers: administrators manage them, an auditor reads."""

    path = "/devices"
    tags = ("devices",)

    @get("/", guards=[requires(Action.SEE_PEOPLE)], responses=documented(400, 401, 403))
    async def list_devices(
        self,
        sign_ins: NamedDependency[SignIns],
        table: Annotated[str | None, QueryParameter(description="Only those of one table.", max_length=100)] = None,
    ) -> list[wire.DeviceView]:
        return [_device(one) for one in sign_ins.accounts.devices.all() if table is None or one.table == table]

    @post("/", guards=_DEVICES, responses=documented(400, 401, 403, 404, 409, 413, 429, 503))
    async def add_devices(
        self, request: AnyRequest, data: JSONBody[wire.NewDevices], sign_ins: NamedDependency[SignIns]
    ) -> list[wire.CodeView]:
        """Up to 10,000 at once; each code enrols one device. One at a seat that holds money takes a signature."""
        by = signed_in(request).id
        signed_by = await second_signature(data.signature, Action.SIGN_SEAT_OVER, by, request, sign_ins)
        good_ms = SIGNED_MS if signed_by else ENROLMENT_MS
        add = sign_ins.accounts.devices.add
        return [_code(one) for one in await add(_places(data), by=by, signed_by=signed_by, good_ms=good_ms)]

    @post("/{id:str}/revoke", status_code=200, guards=_DEVICES, responses=documented(400, 401, 403, 404, 413, 503))
    async def revoke(self, request: AnyRequest, id: DeviceId, sign_ins: NamedDependency[SignIns]) -> wire.DeviceView:
        """Its token is worth nothing from now on."""
        by = signed_in(request).id
        return _device(await sign_ins.accounts.devices.revoke(id, by=by, why=say("by an administrator")))


async def another(sign_in: wire.SignIn, request: AnyRequest, sign_ins: SignIns) -> Person:
    """Someone signs one thing where somebody else is signed in, under their own id, and is not signed in by it."""
    peer, device = peer_of(request.scope), device_of(request)
    await sign_ins.limiter.attempt(peer, sign_in.id, device=device)
    answer = await sign_ins.accounts.authorise(sign_in.id, sign_in.password, peer=peer, device=device)
    if isinstance(answer, Denied):
        raise not_allowed(answer)
    sign_ins.limiter.succeeded(peer, sign_in.id, device=device)
    await check_again(request, sign_ins.accounts)
    return answer


def not_allowed(denied: Denied) -> ApiRefused:
    return ApiRefused(403, ApiError.of(denied.code, denied.message, denied.paragraph))


async def second_signature(
    signature: wire.SignIn | None, action: Action, by: str, request: AnyRequest, sign_ins: SignIns
) -> str:
    """Who signs besides whoever asks, if anybody does: another person, who may by this action."""
    if signature is None:
        return ""
    signer = await another(signature, request, sign_ins)
    if signer.id == by:
        raise BadInput("same-person", say("who asks for this does not sign for it: another person does"))
    if not signer.may(action):
        raise not_allowed(refusal(signer.role, action))
    return signer.id


async def _appointed(
    role: Role, whose: str, signature: wire.SignIn | None, request: AnyRequest, sign_ins: SignIns
) -> str:
    """Who signs for one who will sign for money themselves, as soon as there is anybody who could."""
    by = signed_in(request).id
    signed_by = await second_signature(signature, Action.SIGN_APPOINTMENT, by, request, sign_ins)
    if signed_by == whose:
        raise BadInput("same-person", say("nobody signs for themselves: another person does"))
    signs = bool(SIGNS & set(allowed(role)))
    if signs and not signed_by and sign_ins.accounts.is_anybody(may=Action.SIGN_APPOINTMENT, but=by):
        second = say(
            "a {role} signs for money, so two people appoint one: a Pit Manager or above signs here. If there is no "
            "other, it is done at the server itself, with natural9 users",
            role=name_of(role),
        )
        raise BadInput("appointment-unsigned", second)
    return signed_by


def _places(data: JSONBody[wire.NewDevices]) -> list[Place]:
    if data.kind != "terminal":
        return [Place(data.kind, data.table, data.last_seat if data.first_seat is None else data.first_seat)]
    if data.first_seat is None:
        which = say("a terminal belongs to a seat: give first_seat, and last_seat for several")
        raise BadInput("bad-seat", which)
    last = data.first_seat if data.last_seat is None else data.last_seat
    if last < data.first_seat or last - data.first_seat >= 10_000:
        order = say("seats {first} to {last}: 1 to 10,000 of them, in this order", first=data.first_seat, last=last)
        raise BadInput("bad-seat", order)
    return [Place("terminal", data.table, seat) for seat in range(data.first_seat, last + 1)]


def _staff(record: StaffRecord, sign_ins: SignIns) -> wire.StaffView:
    accounts = sign_ins.accounts
    locked = [wire.LockView(place, lock.until_ms) for place, lock in accounts.locked_at(record).items()]
    return wire.StaffView(record.id, record.name, record.role, accounts.status(record), locked)


def _device(record: DeviceRecord) -> wire.DeviceView:
    return wire.DeviceView(record.id, record.kind, record.table, record.seat, record.status)


def _code(issued: IssuedCode) -> wire.CodeView:
    return wire.CodeView(issued.id, issued.code, issued.expires_ms)


def people_router() -> Router:
    return Router(path="/api", route_handlers=[SessionController, StaffController, DevicesController])
