"""The gate of the HTTP interface: who is it, is the page ours, may they; and the headers on every answer."""

import re
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.handlers import BaseRouteHandler
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send

from natural9.core.saying import say
from natural9.server.people.accounts import Accounts
from natural9.server.people.addresses import client_address
from natural9.server.people.answers import ApiError, ApiRefused
from natural9.server.people.permissions import Action, refusal
from natural9.server.people.records import Device, Person
from natural9.server.people.sessions import Kind, Session, cookie_name, read_cookie, set_cookie
from natural9.server.security_headers import HSTS, SECURITY_HEADERS
from natural9.table.venue.venue import Network

LARGEST_BODY: Final = 64 * 1024
LONGEST_LENGTH: Final = 20  # digits: Python reads no number of thousands, though all of them be zeros
LONGEST_SHOWN: Final = 200  # of what a stranger wrote
CSRF_HEADER: Final = "x-csrf-token"
FORWARDED: Final = "x-forwarded-for"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# These act on what stands in the request, not on whose cookie comes with it.
WITHOUT_CSRF: Final = frozenset({"/api/sign-in", "/api/claim-administrator", "/api/set-password", "/api/enrol"})
NOT_SIGNED_IN: Final = say("Nobody is signed in here, or the session has ended.")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: a person, an enrolled device, or a person at a device."""

    person: Person | None
    device: Device | None
    staff_session: Session | None
    device_session: Session | None

    @property
    def session(self) -> Session:
        """The one that a page's CSRF token belongs to: the person's before the device's."""
        session = self.staff_session or self.device_session
        assert session is not None, "identify never returns nobody"
        return session


def identify(cookie_header: str, accounts: Accounts, *, secure: bool) -> Caller | None:
    """Who these cookies belong to, for HTTP and for the handshake of a WebSocket alike."""

    def read(kind: Kind) -> Session | None:
        return accounts.sessions.read(read_cookie(cookie_header, cookie_name(kind, secure=secure)))

    return _caller(accounts, read("staff"), read("device"))


def _caller(accounts: Accounts, staff: Session | None, device: Session | None) -> Caller | None:
    person = accounts.person_of(staff) if staff else None
    enrolled = accounts.devices.device_of(device) if device else None
    if person is None and enrolled is None:
        return None
    return Caller(person, enrolled, staff if person else None, device if enrolled else None)


def host_allowed(host: str, allowed: Collection[str]) -> bool:
    """Whether this is a name of ours: one of the allowed origins', an address, or localhost.

    Any other name may be a stranger's that he lets point at us, so that his page counts as ours.
    """
    if any(host == origin.partition("://")[2] for origin in allowed):
        return True
    name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    try:
        return name == "localhost" or bool(ip_address(name))
    except ValueError:
        return False


def origin_allowed(origin: str | None, host: str, allowed: Collection[str]) -> bool:
    """Whether a page of this origin may act here. No origin at all is no page: browsers always send one."""
    if origin is None or origin in allowed:
        return True
    scheme, _, place = origin.partition("://")
    return scheme in {"http", "https"} and place == host and host_allowed(host, allowed)


def requires(action: Action) -> Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], None]:
    """A guard for a route: someone is signed in, and their role may."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        person = signed_in(connection)
        if not person.may(action):
            denied = refusal(person.role, action)
            raise ApiRefused(403, ApiError.of(denied.code, denied.message, denied.paragraph))

    return guard


def signed_in(connection: ASGIConnection[Any, Any, Any, Any]) -> Person:
    """The person behind this request; without one it is refused."""
    who = who_is(connection)
    if who is None or who.person is None:
        raise ApiRefused(401, ApiError.of("sign-in-first", NOT_SIGNED_IN))
    return who.person


def who_is(connection: ASGIConnection[Any, Any, Any, Any]) -> Caller | None:
    return _who(connection.scope)


def _who(scope: Scope) -> Caller | None:
    who: Caller | None = scope.get("who")  # type: ignore[assignment]  # Gate put it there
    return who


async def look_again(scope: Scope, accounts: Accounts) -> None:
    """Who sends this, by now: while a body comes or a password is checked, somebody may be dismissed."""
    if who := _who(scope):
        if who.person:
            await accounts.role_is_durable(who.person.id)
        scope["who"] = _caller(accounts, who.staff_session, who.device_session)  # type: ignore[typeddict-unknown-key]


async def check_again(connection: ASGIConnection[Any, Any, Any, Any], accounts: Accounts) -> None:
    """After a wait: refused unless they are still signed in, and may still do what the route's guards ask for."""
    await look_again(connection.scope, accounts)
    signed_in(connection)
    await connection.route_handler.authorize_connection(connection)


def device_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The id of the device of the house whose token this browser shows; "" if it is none."""
    who = who_is(connection)
    return who.device.id if who and who.device else ""


def peer_of(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""


class Gate:
    """Stands before the whole application, so that no answer leaves without its headers, a 404 no more than a page."""

    def __init__(
        self,
        app: ASGIApp,
        accounts: Accounts,
        *,
        secure: bool,
        allowed_origins: Collection[str] = (),
        proxies: Collection[Network] = (),
        throttled: Callable[[ASGIApp], ASGIApp] = lambda app: app,
    ) -> None:
        """`throttled` limits how often one may ask: what the gate refuses counts as much as what it lets through."""
        self._app = throttled(_unless_refused(_once_whole(app, accounts)))
        self._accounts = accounts
        self._secure = secure
        self._allowed = frozenset(allowed_origins)
        self._proxies = proxies
        headers = {**SECURITY_HEADERS, **({"strict-transport-security": HSTS} if secure else {})}
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        # The router takes any number of slashes for one: so that everybody who looks at the path sees what it sees.
        scope["path"] = re.sub("/{2,}", "/", scope["path"])
        scope["client"] = (client_address(peer_of(scope), headers.get(FORWARDED, ""), self._proxies), 0)
        who = identify(headers.get("cookie", ""), self._accounts, secure=self._secure)
        if who and who.staff_session:
            self._accounts.sessions.heard(who.staff_session)
        scope["who"] = who  # type: ignore[typeddict-unknown-key]  # ASGI leaves room for keys of one's own
        scope["refused"] = self._refuse(scope, headers, who)  # type: ignore[typeddict-unknown-key]
        await self._app(scope, receive, self._sealed(scope, who, send))

    def _refuse(self, scope: HTTPScope, headers: dict[str, str], who: Caller | None) -> tuple[int, ApiError] | None:
        """Why this request goes no further, if so."""
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > LONGEST_LENGTH or int(length) > LARGEST_BODY:
            return 413, ApiError.of("too-large", say("A request holds at most {most} bytes.", most=LARGEST_BODY))
        if not scope.get("query_string", b"").isascii():  # what else is in it stands there by its percent signs
            return 400, ApiError.of("bad-request", say("the request cannot be read"))
        if scope["method"] in SAFE_METHODS:
            return None
        host, origin = headers.get("host", ""), headers.get("origin")
        if not origin_allowed(origin, host, self._allowed):
            why = say(
                "A page of {origin} may not act here: add it to allowed_origins if it should.",
                origin=repr((origin or "")[:LONGEST_SHOWN]),
            )
            return 403, ApiError.of("wrong-origin", why)
        if who and scope["path"] not in WITHOUT_CSRF:
            sessions = self._accounts.sessions
            if not sessions.csrf_matches(who.session, headers.get(CSRF_HEADER, "")):
                why = say(
                    "The header {header} is missing or of another session: GET /api/me tells the right one.",
                    header=CSRF_HEADER,
                )
                return 403, ApiError.of("csrf", why)
        return None

    def _sealed(self, scope: HTTPScope, who: Caller | None, send: Send) -> Send:
        """Every answer gets the security headers, and a session that is being used a fresh cookie."""

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._seal(scope, who, message)
            await send(message)

        return sealed

    def _seal(self, scope: HTTPScope, who: Caller | None, message: HTTPResponseStartEvent) -> None:
        headers = list(message.get("headers", []))
        there = {name.lower() for name, _ in headers}
        headers += [(name, value) for name, value in self._headers if name not in there]
        if scope["path"].startswith("/api/") and b"cache-control" not in there:
            headers.append((b"cache-control", b"no-store"))
        if who and b"set-cookie" not in there:  # signing in or out says something else about the cookie
            headers += [(b"set-cookie", cookie.encode()) for cookie in self._renewals(who)]
        message["headers"] = headers

    def _renewals(self, who: Caller) -> list[str]:
        sessions = (who.staff_session, who.device_session)
        renewed = [self._accounts.sessions.renewed(session) for session in sessions if session]
        return [session_cookie(session, self._accounts, secure=self._secure) for session in renewed if session]


def _unless_refused(app: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        refused: tuple[int, ApiError] | None = scope.get("refused")  # type: ignore[assignment]
        if refused is None:
            await app(scope, receive, send)
            return
        status, error = refused
        body = msgspec.json.encode(error)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return answer


def _once_whole(app: ASGIApp, accounts: Accounts) -> ASGIApp:
    """A body may take as long as the server waits for one: who sends it is looked at again once all of it is there."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        if scope["method"] not in SAFE_METHODS and _who(scope):  # nobody waits for a stranger's
            receive = await _whole(receive)
            await look_again(scope, accounts)
        await app(scope, _limited(receive), send)

    return answer


def session_cookie(session: Session, accounts: Accounts, *, secure: bool) -> str:
    """The Set-Cookie header for a session."""
    sessions = accounts.sessions
    return set_cookie(session.kind, sessions.token(session), max_age_s=sessions.max_age_s(session), secure=secure)


def _headers(scope: HTTPScope) -> dict[str, str]:
    """By name; the first of each counts, but several lines of a Cookie are one, and of those that proxies add to."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        found[name] = (
            f"{found[name]}{_JOINED[name]}{value}" if name in _JOINED and name in found else found.get(name, value)
        )
    return found


_JOINED: Final = {"cookie": "; ", FORWARDED: ", "}


async def _whole(receive: Receive) -> Receive:
    """The same messages, once the last of the body is there, or more than a request holds."""
    messages: deque[Any] = deque()
    received, is_more = 0, True
    while is_more and received <= LARGEST_BODY:
        message: Any = await receive()
        messages.append(message)
        received += len(message.get("body", b""))
        is_more = message["type"] == "http.request" and message.get("more_body", False)

    async def again() -> Any:
        return messages.popleft() if messages else await receive()

    return again


def _limited(receive: Receive) -> Receive:
    """A body that does not say how long it is may still not be longer."""
    received = 0

    async def limited() -> Any:
        nonlocal received
        message = await receive()
        if message["type"] == "http.request":
            received += len(message.get("body", b""))
            if received > LARGEST_BODY:
                raise RequestEntityTooLarge(detail=f"a request holds at most {LARGEST_BODY} bytes")
        return message

    return limited
