"""People and devices over HTTP, as a browser meets them."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.permissions import Role, allowed
from tests.server.people.browser import application, browser
from tests.server.people.house import MINUTE_MS, PASSWORD, PEER, House, house


def refused(answer: httpx.Response, status: int, code: str) -> bool:
    """A refusal has a status, a code, a sentence; and nothing else."""
    assert set(answer.json()) == {"code", "message", "paragraph", "said", "field"}
    begins = answer.json()["message"]
    assert (
        begins[0].isupper() or begins.startswith(("mei ", "ada ")) or code == "bad-request"
    )  # an id keeps its letters
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    return True


async def test_from_an_empty_venue_to_a_dealer_at_work() -> None:
    venue = await house()
    code = venue.accounts.first_code()
    async with browser(venue) as ada, browser(venue) as mei:
        assert refused(await ada.get("/api/me"), 401, "sign-in-first")
        claim = {"code": code, "id": "ada", "name": "Ada Low", "password": PASSWORD}
        answer = await ada.post("/api/claim-administrator", claim)
        assert answer.status_code == 201
        assert answer.json()["person"]["may"] == allowed(Role.ADMINISTRATOR)
        assert answer.json()["person"]["ranks"] == [], "held only in the pit"
        assert refused(await mei.post("/api/claim-administrator", {**claim, "id": "eve"}), 403, "bad-code")

        answer = await ada.post("/api/staff", {"id": "mei", "name": "Mei Tan", "role": "dealer"})
        assert answer.status_code == 201
        set_password = {"code": answer.json()["code"], "password": "a word of my own"}
        assert (await mei.post("/api/set-password", set_password)).json() == {"id": "mei"}
        assert refused(await mei.post("/api/set-password", set_password), 403, "bad-code")
        assert (await mei.sign_in("mei", "a word of my own")).status_code == 200
        me = (await mei.get("/api/me")).json()
        may = allowed(Role.DEALER)
        assert me["person"] == {"id": "mei", "name": "Mei Tan", "role": "dealer", "may": may, "ranks": ["dealer"]}
        assert me["csrf"] == mei.csrf
        assert refused(await mei.get("/api/staff"), 403, "not-allowed")
        assert (await mei.post("/api/sign-out")).status_code == 204
        assert refused(await mei.get("/api/me"), 401, "sign-in-first")


async def with_administrator() -> House:
    venue = await house()
    await venue.administrator()
    return venue


async def test_signing_out_is_more_than_losing_the_cookie() -> None:
    venue = await with_administrator()
    async with browser(venue) as here, browser(venue) as thief, browser(venue) as elsewhere:
        for one in (here, elsewhere):
            assert (await one.sign_in("ada")).status_code == 200
        thief.client.cookies = httpx.Cookies(here.client.cookies)
        assert (await thief.get("/api/me")).status_code == 200
        venue.clock.pass_ms(2 * MINUTE_MS)
        answer = await here.post("/api/sign-out")
        [cookie] = answer.headers.get_list("set-cookie")
        assert cookie.startswith("natural9-staff=; "), "no renewal beside the farewell"
        assert (await thief.get("/api/me")).status_code == 401
        assert (await elsewhere.get("/api/me")).status_code == 200
        await here.sign_in("ada")
        await here.post("/api/sign-out", params={"everywhere": "true"})
        assert (await elsewhere.get("/api/me")).status_code == 401


@pytest.mark.parametrize("secure", [True, False])
async def test_the_cookie_is_kept_from_scripts_and_other_sites(secure: bool) -> None:
    venue = await with_administrator()
    async with browser(venue, secure=secure) as ada:
        cookie = (await ada.sign_in("ada")).headers["set-cookie"]
        assert cookie.startswith("__Host-natural9-staff=" if secure else "natural9-staff=")
        assert "; HttpOnly; SameSite=Strict" in cookie
        assert cookie.endswith("; Secure") == secure
        assert (await ada.get("/api/me")).status_code == 200


async def test_staff_are_managed_by_their_administrator() -> None:
    venue = await with_administrator()
    async with browser(venue) as ada:
        await ada.sign_in("ada")
        mei = await venue.person("mei", "dealer")
        await venue.fail("mei", 3)
        people = (await ada.get("/api/staff")).json()
        assert [(one["id"], one["role"], one["status"]) for one in people] == [
            ("ada", "administrator", "active"),
            ("mei", "dealer", "locked"),
        ]
        assert set(people[0]) == {"id", "name", "role", "status", "locked"}, "no hash, no code"
        assert [one["locked"] for one in people] == [
            [],
            [{"place": PEER, "until_ms": venue.clock.now_ms + 15 * MINUTE_MS}],
        ]
        assert (await ada.post("/api/staff/mei/unlock")).json()["status"] == "active"
        assert (await ada.post("/api/staff/mei/role", {"role": "cashier"})).json()["role"] == "cashier"
        assert (await ada.post("/api/staff/mei/disable")).json()["status"] == "disabled"
        assert venue.accounts.person_of(mei.session) is None
        assert refused(await ada.post("/api/staff/mei/new-code", {}), 409, "staff-disabled")
        assert (await ada.post("/api/staff/mei/enable")).json()["status"] == "active"
        assert (await ada.post("/api/staff/mei/new-code", {})).json()["id"] == "mei"
        assert refused(await ada.post("/api/staff/nobody/unlock"), 404, "unknown-staff")
        assert refused(await ada.post("/api/staff/ada/disable"), 409, "last-administrator")
        again = {"id": "mei", "name": "Another", "role": "dealer"}
        assert refused(await ada.post("/api/staff", again), 409, "staff-exists")
    by_ada = [line.event for line in await venue.lines() if line.origin.by == "ada"]
    assert {event.TAG for event in by_ada} >= {"unlocked", "role-changed", "staff-disabled", "staff-enabled"}


async def test_devices_are_added_enrolled_and_revoked() -> None:
    venue = await with_administrator()
    async with browser(venue) as ada, browser(venue) as terminal:
        await ada.sign_in("ada")
        seats = {"kind": "terminal", "table": "3", "first_seat": 1, "last_seat": 4}
        codes = (await ada.post("/api/devices", seats)).json()
        assert [one["id"] for one in codes] == [f"terminal-3-{seat}" for seat in range(1, 5)]
        answer = await terminal.post("/api/enrol", {"code": codes[1]["code"]})
        assert answer.status_code == 201
        device = {"id": "terminal-3-2", "kind": "terminal", "table": "3", "seat": 2}
        assert (answer.json()["device"], answer.json()["person"]) == (device, None)
        assert (await terminal.get("/api/me")).json()["device"] == device
        assert refused(await terminal.post("/api/enrol", {"code": codes[1]["code"]}), 403, "bad-code")
        assert refused(await terminal.get("/api/devices"), 401, "sign-in-first")
        await ada.post("/api/devices", {"kind": "display"})
        listed = (await ada.get("/api/devices?table=3")).json()
        assert [one["status"] for one in listed] == ["waiting", "enrolled", "waiting", "waiting"]
        assert len((await ada.get("/api/devices")).json()) == 5
        assert (await ada.post("/api/devices/terminal-3-2/revoke")).json()["status"] == "revoked"
        assert (await terminal.get("/api/me")).status_code == 401
        assert refused(await ada.post("/api/devices/terminal-9-9/revoke"), 404, "unknown-device")


@pytest.mark.parametrize(
    "device",
    [
        {"kind": "terminal", "table": "3"},
        {"kind": "terminal", "table": "3", "first_seat": 5, "last_seat": 4},
        {"kind": "terminal", "table": "3", "first_seat": 1, "last_seat": 10_001},
        {"kind": "terminal", "first_seat": 1},
        {"kind": "display", "first_seat": 1},
        {"kind": "display", "last_seat": 1},
        {"kind": "reader"},
    ],
)
async def test_a_device_without_a_place_is_refused(device: dict[str, Any]) -> None:
    venue = await with_administrator()
    async with browser(venue) as ada:
        await ada.sign_in("ada")
        answer = await ada.post("/api/devices", device)
        assert (answer.status_code, set(answer.json())) == (400, {"code", "message", "paragraph", "said", "field"})
        assert venue.accounts.devices.all() == []


async def test_an_administrator_who_enrols_a_display_stays_signed_in() -> None:
    venue = await with_administrator()
    async with browser(venue) as ada:
        await ada.sign_in("ada")
        [code] = (await ada.post("/api/devices", {"kind": "display", "table": "3"})).json()
        csrf = ada.csrf
        await ada.post("/api/enrol", {"code": code["code"]})
        ada.csrf = csrf
        me = (await ada.get("/api/me")).json()
        assert (me["person"]["id"], me["device"]["id"], me["csrf"]) == ("ada", "display-3", csrf)
        assert (await ada.post("/api/sign-out")).status_code == 204
        assert (await ada.get("/api/me")).json()["person"] is None


async def test_guessing_is_slowed_down() -> None:
    venue = await with_administrator()
    limiter = AttemptLimiter(venue.accounts.register, peer_tokens=4, free_attempts=2)
    async with browser(venue, limiter=limiter) as guesser:
        for _ in range(2):
            assert refused(await guesser.sign_in("ada", "a wrong guess"), 401, "sign-in-refused")
        answer = await guesser.sign_in("ada", "a wrong guess")
        assert refused(answer, 429, "too-often")
        assert answer.headers["retry-after"] == "1"
        assert refused(await guesser.post("/api/enrol", {"code": "guess"}), 403, "bad-code")
        for path, data in (("set-password", {"code": "x", "password": PASSWORD}), ("enrol", {"code": "x"})):
            assert refused(await guesser.post(f"/api/{path}", data), 429, "too-often")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"null", b"[]", b"{}", b'{"id":1,"password":"x"}', b'{"id":"ada","password":"x","admin":true}',
     b"\xff\xfe", b'{"id":"ada","password":"' + b"x" * 2000 + b'"}'],
)  # fmt: skip
async def test_garbage_is_a_bad_request(content: bytes) -> None:
    venue = await with_administrator()
    async with browser(venue) as guest:
        answer = await guest.client.post("/api/sign-in", content=content)
        assert refused(answer, 400, "bad-request")
        assert "x" * 100 not in answer.text, "what was typed is not shown again"


async def test_an_endless_body_is_cut_off() -> None:
    async def endless() -> AsyncIterator[bytes]:
        sent = 0
        while sent < 1_000_000:
            sent += 1000
            yield b" " * 1000
        raise AssertionError("read to the end")

    venue = await with_administrator()
    async with browser(venue) as guest:
        assert refused(await guest.client.post("/api/sign-in", content=b" " * 70_000), 413, "too-large")

    async def drip() -> int:
        """A client that never says how long its body is, and never stops."""
        venue, statuses = await with_administrator(), []
        body = endless()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": await anext(body), "more_body": True}

        async def send(message: Any) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        scope = {
            "type": "http", "method": "POST", "path": "/api/sign-in", "raw_path": b"/api/sign-in", "query_string": b"",
            "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")], "client": ("10.0.0.7", 1),
            "server": ("127.0.0.1", 80), "scheme": "http", "root_path": "", "http_version": "1.1", "state": {},
            "asgi": {"version": "3.0"}, "extensions": {},
        }  # fmt: skip
        await application(venue)(scope, receive, send)  # type: ignore[arg-type]
        return int(statuses[0])

    assert await drip() == 413


async def test_what_is_not_there_and_what_is_not_done_are_json_too() -> None:
    async with browser(await house()) as guest:
        assert refused(await guest.get("/api/nothing"), 404, "not-found")
        answer = await guest.client.delete("/api/me")
        assert refused(answer, 405, "method-not-allowed")
        assert "GET" in answer.headers["allow"]
