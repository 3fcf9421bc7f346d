"""The OpenAPI document and the others as they are served; and bodies that no document describes."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from natural9.cli.init import init
from natural9.server import protocol
from natural9.server.app import documents, make_app
from natural9.server.house import House
from natural9.server.people.guards import LARGEST_BODY
from natural9.server.people.sessions import cookie_name
from natural9.server.program import version
from tests.server.people.house import PASSWORD

OPERATIONS = [
    (method, path, operation)
    for path, item in documents().openapi["paths"].items()
    for method, operation in item.items()
]


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """The whole application on a new venue, and the administrator's browser."""
    folder = tmp_path / "venue"
    init(folder)
    house = await House.open(folder)
    await house.start()
    code = house.accounts.first_code()
    assert code
    ada = await house.accounts.claim_administrator(code, id="ada", name="Ada Low", password=PASSWORD, peer="")
    cookies = {cookie_name("staff", secure=False): house.accounts.sessions.token(ada.session)}
    headers = {"x-csrf-token": house.accounts.sessions.csrf(ada.session)}
    app: Any = make_app(house)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    base = "http://127.0.0.1"
    async with httpx.AsyncClient(transport=transport, base_url=base, cookies=cookies, headers=headers) as one:
        yield one
    await house.stop("the test is over")


BODIES = {
    "nothing": b"",
    "half an object": b'{"id": "bob"',
    "not UTF-8": b'{"id": "\xff\xfe", "name": "Bob", "role": "dealer"}',
    "UTF-16": '{"id": "bob", "name": "Bob", "role": "dealer"}'.encode("utf-16"),
    "half a surrogate pair": rb'{"id": "bob", "name": "\ud800", "role": "dealer"}',
    "arrays without end": b"[" * 30_000,
    "objects without end": b'{"id":' * 10_000,
    "not a number": b'{"kind": "terminal", "table": "nc-1", "first_seat": NaN}',
    "a number without end": b'{"kind": "terminal", "table": "nc-1", "first_seat": ' + b"9" * 5_000 + b"}",
    "a float beyond floats": b'{"kind": "terminal", "table": "nc-1", "first_seat": 1e400}',
    "null": b"null",
    "two values": b"{} {}",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a form": b"id=bob&name=Bob",
}
PATHS = ("/api/staff", "/api/devices", "/api/tables/nc-1/commands", "/api/sign-in", "/api/vouchers/pay")


async def test_whatever_is_sent_is_answered_in_one_shape(client: httpx.AsyncClient) -> None:
    json_headers = {"content-type": "application/json"}
    for path in PATHS:
        for name, body in BODIES.items():
            answer = await client.post(path, content=body, headers=json_headers)
            allowed = {400, 403} if path == "/api/vouchers/pay" else {400}  # an administrator has no cash desk
            assert answer.status_code in allowed, (path, name, answer.text)
            assert set(answer.json()) == {"code", "message", "paragraph", "said", "field"}, (path, name)


async def test_other_content_types_sizes_methods_and_paths(client: httpx.AsyncClient) -> None:
    async def status(method: str, path: str, kind: str = "application/json", body: bytes = b"{}") -> int:
        answer = await client.request(method, path, content=body, headers={"content-type": kind})
        assert set(answer.json()) == {"code", "message", "paragraph", "said", "field"}, (method, path)
        return answer.status_code

    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "json"):
        assert await status("POST", "/api/staff", kind) == 415
    assert await status("POST", "/api/staff", "application/json; charset=utf-8") == 400
    assert await status("POST", "/api/staff", body=b" " * (LARGEST_BODY + 1)) == 413
    assert await status("PUT", "/api/staff") == 405
    assert await status("DELETE", "/api/tables/nc-1") == 405
    assert await status("GET", "/api/nothing") == 404
    assert await status("GET", "/api/openapi") == 404
    assert await status("GET", "/api/tables/a%2Fb") == 404
    assert await status("GET", "/api/tables/%ff%00") == 404
    assert await status("GET", "/api/tables/" + "x" * 41) == 400
    assert await status("POST", "/api/sign-out?everywhere=perhaps") == 400


async def test_documents_are_served_stamped_and_can_be_kept(client: httpx.AsyncClient) -> None:
    kept = {"/api/openapi.json": "openapi", "/api/protocol": "asyncapi", "/api/protocol/schema.json": "json_schema"}
    for path, name in kept.items():
        answer = await client.get(path)
        assert answer.json() == json.loads(json.dumps(getattr(documents(), name)))
        assert version() in answer.text
    types = await client.get("/api/protocol/types.ts")
    assert types.text == documents().typescript
    assert types.headers["content-type"].startswith("text/plain")
    for path in (*kept, "/api/protocol/types.ts"):
        answer = await client.get(path)
        assert answer.headers["x-protocol-version"] == str(protocol.VERSION)
        assert "max-age=" in answer.headers["cache-control"]
        again = await client.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        other = await client.get(path, headers={"if-none-match": '"0"'})
        assert other.status_code == 200


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=[f"{one[0]} {one[1]}" for one in OPERATIONS])
def test_every_operation_says_how_it_is_refused(method: str, path: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    assert "413" in answers
    if "requestBody" in operation:
        assert {"400", "403", "415"} <= set(answers)
        assert list(operation["requestBody"]["content"]) == ["application/json"]
    if method != "get":
        assert "403" in answers
    for status, answer in answers.items():
        if int(status) >= 400:
            assert answer["content"] == {"application/json": {"schema": {"$ref": "#/components/schemas/ApiError"}}}
    if "429" in answers:
        assert "Retry-After" in answers["429"]["headers"]
    if "401" in answers and path not in {"/api/sign-in", "/api/me"}:
        assert operation["security"] == [{"person": []} if method == "get" else {"person": [], "csrf": []}]


def test_operation_ids_are_unique_and_readable() -> None:
    ids = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(ids)) == len(ids)
    assert {"staffDisable", "listStaff", "tablesCommand", "sessionSignIn", "cagePay"} <= set(ids)
    assert all(id.isalnum() and id[0].islower() for id in ids)


def test_commands_of_staff_are_told_apart_by_their_type() -> None:
    schemas = documents().openapi["components"]["schemas"]
    assert schemas["StaffRequest"]["properties"]["command"] == {"$ref": "#/components/schemas/StaffCommand"}
    union = schemas["StaffCommand"]
    assert union["discriminator"]["propertyName"] == "type"
    assert union["discriminator"]["mapping"]["deal"] == "#/components/schemas/DealCard"
    assert len(union["anyOf"]) == len(union["discriminator"]["mapping"])
    for ref in union["discriminator"]["mapping"].values():
        command = schemas[ref.rpartition("/")[2]]
        assert command["additionalProperties"] is False
        assert "type" in command["required"]
    assert set(schemas["StaffRequest"]["required"]) == {"request", "command"}


def test_security_is_a_cookie_and_a_token_beside_it() -> None:
    schemes = documents().openapi["components"]["securitySchemes"]
    assert (schemes["person"]["in"], schemes["device"]["in"]) == ("cookie", "cookie")
    assert (schemes["csrf"]["in"], schemes["csrf"]["name"]) == ("header", "x-csrf-token")
