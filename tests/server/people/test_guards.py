"""The gate: origins, hosts, who it is, and the headers of every answer."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar, Request, Response, get, post
from litestar.connection import ASGIConnection

from natural9.core.saying import verbatim
from natural9.server.people.accounts import Accounts
from natural9.server.people.answers import exception_handlers
from natural9.server.people.devices import Place
from natural9.server.people.guards import (
    LARGEST_BODY,
    Gate,
    device_of,
    host_allowed,
    identify,
    origin_allowed,
    requires,
)
from natural9.server.people.permissions import Action, Role, may, refusal
from natural9.server.people.sessions import IDLE_MS, Session, cookie_name
from natural9.server.security_headers import HSTS, SECURITY_HEADERS
from natural9.store.contract import StoreFailed
from tests.server.people.house import MINUTE_MS, PEER, House, house
from tests.table.stores import SlowStore

ALLOWED = ("https://casino.example", "http://pit.example:8080")


@pytest.mark.parametrize(
    ("origin", "host", "answer"),
    [
        (None, "casino.example", True),  # no page at all
        ("https://casino.example", "casino.example", True),
        ("http://pit.example:8080", "10.0.0.1:8000", True),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", True),
        ("http://localhost:8000", "localhost:8000", True),
        ("http://[::1]:8000", "[::1]:8000", True),
        ("http://192.168.4.2:8000", "192.168.4.2:8000", True),
        ("http://127.0.0.1:8001", "127.0.0.1:8000", False),
        ("https://evil.example", "casino.example", False),
        ("https://evil.example", "evil.example", False),  # a stranger's name that points at us
        ("http://casino.example", "127.0.0.1:8000", False),
        ("https://casino.example.evil.example", "casino.example", False),
        ("null", "127.0.0.1:8000", False),
        ("", "127.0.0.1:8000", False),
        ("file://127.0.0.1:8000", "127.0.0.1:8000", False),
    ],
)
def test_whose_page_may_act_here(origin: str | None, host: str, answer: bool) -> None:
    assert origin_allowed(origin, host, ALLOWED) is answer


@pytest.mark.parametrize(
    ("host", "answer"),
    [("casino.example", True), ("pit.example:8080", True), ("10.1.2.3", True), ("[fe80::1]:80", True),
     ("localhost", True), ("pit.example", False), ("evil.example", False), ("", False),
     ("127.0.0.1.evil.example", False), ("evil-casino.example", False)],
)  # fmt: skip
def test_which_names_are_ours(host: str, answer: bool) -> None:
    assert host_allowed(host, ALLOWED) is answer


def cookie(accounts: Accounts, session: Session, *, secure: bool = False) -> str:
    return f"{cookie_name(session.kind, secure=secure)}={accounts.sessions.token(session)}"


async def test_cookies_say_who_it_is() -> None:
    venue = await house()
    accounts = venue.accounts
    ada = await venue.administrator()
    [issued] = await accounts.devices.add([Place("terminal", "3", 1)], by="ada")
    terminal = await accounts.devices.enrol(issued.code, peer=PEER)
    both = f"{cookie(accounts, ada.session)}; {cookie(accounts, terminal.session)}"
    who = identify(both, accounts, secure=False)
    assert who
    assert (who.person, who.device, who.session) == (ada.person, terminal.device, ada.session)
    who = identify(cookie(accounts, terminal.session), accounts, secure=False)
    assert who
    assert (who.person, who.device, who.session) == (None, terminal.device, terminal.session)
    assert identify(both, accounts, secure=True) is None, "with TLS only the __Host- cookie counts"
    assert identify(cookie(accounts, ada.session, secure=True), accounts, secure=True)
    swapped = f"natural9-staff={accounts.sessions.token(terminal.session)}"
    assert identify(swapped, accounts, secure=False) is None, "a device's token makes nobody a person"
    await accounts.devices.revoke(terminal.device.id, by="ada")
    assert identify(cookie(accounts, terminal.session), accounts, secure=False) is None
    venue.clock.pass_ms(IDLE_MS)
    assert identify(both, accounts, secure=False) is None
    assert identify("", accounts, secure=False) is None


@post("/api/deal", status_code=200, guards=[requires(Action.DEAL)])
async def deal() -> dict[str, str]:
    return {"card": "9H"}


@post("/api/echo")
async def echo(request: Request[Any, Any, Any]) -> Response[bytes]:
    return Response(await request.body(), media_type="application/octet-stream")


@get("/page")
async def page() -> str:
    return "a page"


@get("/api/broken")
async def broken() -> None:
    raise RuntimeError("a secret detail")


@get("/api/stopped")
async def stopped() -> None:
    raise StoreFailed("/var/lib/journal: disk full")


@post("/api/changed")
async def changed() -> None:
    raise StoreFailed("/var/lib/journal: disk full")


def application(venue: House, *, secure: bool = False) -> Gate:
    app = Litestar(
        [deal, echo, page, broken, stopped, changed], exception_handlers=exception_handlers(), logging_config=None
    )
    return Gate(app, venue.accounts, secure=secure, allowed_origins=ALLOWED)


async def ask(venue: House, method: str, path: str, *, secure: bool = False, **more: Any) -> httpx.Response:
    gate: Any = application(venue, secure=secure)  # httpx and Litestar spell ASGI in different types
    transport = httpx.ASGITransport(gate, raise_app_exceptions=False, client=(PEER, 5000))
    async with httpx.AsyncClient(transport=transport, base_url="https://casino.example") as client:
        return await client.request(method, path, **more)


def signed(venue: House, session: Session, **headers: str) -> dict[str, str]:
    return {"cookie": cookie(venue.accounts, session), "x-csrf-token": venue.accounts.sessions.csrf(session), **headers}


@pytest.mark.parametrize("path", ["/page", "/api/nothing", "/api/deal", "/api/broken"])
@pytest.mark.parametrize("secure", [True, False])
async def test_no_answer_leaves_without_its_headers(path: str, secure: bool) -> None:
    answer = await ask(await house(), "GET", path, secure=secure)
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value
    assert answer.headers.get("strict-transport-security") == (HSTS if secure else None)
    assert (answer.headers.get("cache-control") == "no-store") == path.startswith("/api/")
    assert "script-src" not in answer.headers["content-security-policy"], "default-src 'self' has the word"


@pytest.mark.parametrize(
    ("path", "status", "code"), [("/api/broken", 500, "internal"), ("/api/stopped", 503, "store-failed")]
)
async def test_our_own_mistakes_are_json_without_details(path: str, status: int, code: str) -> None:
    answer = await ask(await house(), "GET", path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "secret" not in answer.text
    assert "/var" not in answer.text


async def test_a_change_that_may_be_durable_is_not_refused() -> None:
    venue = await house()
    session = (await venue.administrator()).session
    answer = await ask(venue, "POST", "/api/changed", headers=signed(venue, session))
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "unknown", "1")
    assert answer.json()["message"] == "It is not known yet whether this was done: ask again with the same request"


@pytest.mark.parametrize("role", Role)
async def test_a_guard_lets_in_those_who_may_and_tells_the_others_why(role: Role) -> None:
    venue = await house()
    person = await venue.person("someone", role)
    answer = await ask(venue, "POST", "/api/deal", headers=signed(venue, person.session))
    if may(role, Action.DEAL):
        assert answer.status_code == 200
    else:
        denied = refusal(role, Action.DEAL)
        assert answer.status_code == 403
        assert answer.json()["code"] == denied.code
        assert answer.json()["paragraph"] == denied.paragraph
        assert answer.json()["message"].lower() == denied.message.lower()


async def test_nobody_and_devices_are_told_to_sign_in() -> None:
    venue = await house()
    [issued] = await venue.accounts.devices.add([Place("display")], by="ada")
    display = await venue.accounts.devices.enrol(issued.code, peer=PEER)
    for headers in ({}, signed(venue, display.session)):
        answer = await ask(venue, "POST", "/api/deal", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "sign-in-first")


@pytest.mark.parametrize(
    ("change", "status", "code"), [("disable", 401, "sign-in-first"), ("change-role", 403, "not-allowed")]
)
async def test_whoever_may_no_more_by_the_end_of_their_request_does_not_act(
    change: str, status: int, code: str
) -> None:
    venue = await house()
    await venue.administrator()
    mei = await venue.person("mei", "dealer")

    async def body() -> AsyncIterator[bytes]:
        yield b"{"
        if change == "disable":
            await venue.accounts.disable("mei", by="ada")
        else:
            await venue.accounts.change_role("mei", role="auditor", by="ada")
        yield b"}"

    answer = await ask(venue, "POST", "/api/deal", headers=signed(venue, mei.session), content=body())
    assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize(("before", "after", "status"), [("auditor", "dealer", 200), ("dealer", "auditor", 403)])
async def test_nobody_acts_before_the_journal_has_their_new_role(before: str, after: str, status: int) -> None:
    """A table's entries wait for none of the office's: an order would stand before the rank that it was given in."""
    store = SlowStore()
    venue = await house(store)
    await venue.administrator()
    mei = await venue.person("mei", before)
    store.slow = True
    changing = asyncio.ensure_future(venue.accounts.change_role("mei", role=after, by="ada"))
    while not store.queued:
        await asyncio.sleep(0)
    asking = asyncio.ensure_future(ask(venue, "POST", "/api/deal", headers=signed(venue, mei.session)))
    done, _ = await asyncio.wait([asking], timeout=0.1)
    assert not done
    await store.let_one_be_durable()
    assert (await asking).status_code == status
    await changing


async def test_a_device_that_is_revoked_by_the_end_of_its_request_is_none() -> None:
    venue = await house()
    [issued] = await venue.accounts.devices.add([Place("display")], by="ada")
    display = await venue.accounts.devices.enrol(issued.code, peer=PEER)
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(device_of(ASGIConnection(scope)))

    async def receive() -> Any:
        await venue.accounts.devices.revoke(display.device.id, by="ada", why=verbatim("lost"))
        return {"type": "http.request", "body": b"{}", "more_body": False}

    headers = [(name.encode(), value.encode()) for name, value in signed(venue, display.session).items()]
    gate: Any = Gate(app, venue.accounts, secure=False)
    await gate({"type": "http", "method": "POST", "path": "/", "headers": headers, "client": (PEER, 1)}, receive, None)
    assert seen == [""]


@pytest.mark.parametrize("length", [0, 1, LARGEST_BODY])
async def test_a_body_that_comes_in_parts_is_passed_on_whole(length: int) -> None:
    venue = await house()
    mei = await venue.person("mei", "dealer")
    content = bytes(one % 256 for one in range(length))

    async def body() -> AsyncIterator[bytes]:
        for begin in range(0, length, 10_000):
            yield content[begin : begin + 10_000]

    answer = await ask(venue, "POST", "/api/echo", headers=signed(venue, mei.session), content=body())
    assert answer.content == content


async def test_a_body_without_end_is_cut_off() -> None:
    venue = await house()
    mei = await venue.person("mei", "dealer")

    async def body() -> AsyncIterator[bytes]:
        for _ in range(LARGEST_BODY // 1000 + 2):
            yield b" " * 1000
        raise AssertionError("read to the end")

    answer = await ask(venue, "POST", "/api/echo", headers=signed(venue, mei.session), content=body())
    assert answer.status_code == 413


async def test_another_page_cannot_act_for_a_person() -> None:
    venue = await house()
    mei, other = await venue.person("mei", "dealer"), await venue.person("lim", "dealer")
    good = signed(venue, mei.session, origin="https://casino.example")
    assert (await ask(venue, "POST", "/api/deal", headers=good)).status_code == 200
    for change, code in (
        ({"origin": "https://evil.example"}, "wrong-origin"),
        ({"origin": "null"}, "wrong-origin"),
        ({"host": "evil.example", "origin": "https://evil.example"}, "wrong-origin"),
        ({"x-csrf-token": ""}, "csrf"),
        ({"x-csrf-token": venue.accounts.sessions.csrf(other.session)}, "csrf"),
    ):
        answer = await ask(venue, "POST", "/api/deal", headers={**good, **change})
        assert (answer.status_code, answer.json()["code"]) == (403, code)
    without = {name: value for name, value in good.items() if name != "x-csrf-token"}
    answer = await ask(venue, "POST", "/api/deal", headers=without)
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf")


async def test_a_request_that_is_too_long_goes_no_further() -> None:
    venue = await house()
    mei = await venue.person("mei", "dealer")
    headers = signed(venue, mei.session)
    answer = await ask(venue, "POST", "/api/deal", headers=headers, content=b" " * (LARGEST_BODY + 1))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    for length in ("-1", "0" * 5000):
        answer = await ask(venue, "POST", "/api/deal", headers={**headers, "content-length": length})
        assert answer.status_code == 413


@pytest.mark.parametrize("path", ["//api/rounds/a/1", "/api//rounds/a/1", "///api/rounds///a//1"])
async def test_whoever_looks_at_the_path_sees_what_the_router_makes_of_it(path: str) -> None:
    venue = await house()
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["path"])

    gate: Any = Gate(app, venue.accounts, secure=False)
    await gate({"type": "http", "method": "GET", "path": path, "headers": [], "client": (PEER, 1)}, None, None)
    assert seen == ["/api/rounds/a/1"], "the rates of the journal's readers go by it"


async def test_a_session_in_use_gets_a_fresh_cookie_and_an_unused_one_ends() -> None:
    venue = await house()
    mei = await venue.person("mei", "dealer")
    headers = signed(venue, mei.session)
    assert "set-cookie" not in (await ask(venue, "POST", "/api/deal", headers=headers)).headers
    for _ in range(4):
        venue.clock.pass_ms(20 * MINUTE_MS)
        answer = await ask(venue, "POST", "/api/deal", headers=headers)
        assert answer.status_code == 200, "the csrf token stays good"
        headers = {**headers, "cookie": answer.headers["set-cookie"].partition(";")[0]}
    venue.clock.pass_ms(IDLE_MS)
    answer = await ask(venue, "POST", "/api/deal", headers=headers)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers
