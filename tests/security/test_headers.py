"""No answer leaves without its headers: not a page, not a refusal, not what the parts below the application say."""

import re
from typing import Any

import pytest

from natural9.server.connections import TOO_SLOW, Door, http_protocol
from natural9.server.security_headers import HSTS, SECURITY_HEADERS
from natural9.server.upgrade import refusal
from natural9.server.websocket import UpgradeRefused
from tests.security.answers import rows
from tests.security.floor import Floor, together

ODD: list[tuple[str, str, object]] = [
    ("GET", "/no/such/address", None),
    ("PUT", "/api/me", {}),
    ("DELETE", "/", None),
    ("TRACE", "/", None),
    ("OPTIONS", "/api/staff", None),
    ("HEAD", "/", None),
    ("POST", "/api/sign-in", b"{"),
    ("POST", "/api/sign-in", b"x" * 70_000),
    ("GET", "/assets/../../venue.key", None),
    ("GET", "/api/rounds/a/99999999999999999999", None),
]


def lacks(headers: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in SECURITY_HEADERS.items() if headers.get(name) != value}


@together
async def test_every_answer_of_the_application_has_them(floor: Floor) -> None:
    asked = [("shift-manager", row.method, row.path, row.body) for row in rows().values() if not row.is_last]
    for caller, method, path, body in [*asked, *(("nobody", *odd) for odd in ODD)]:
        answer = await floor.ask(caller, method, path, body)
        headers = dict(answer.headers)
        assert not lacks(headers), (method, path, answer.status)
        assert answer.status < 500, (method, path)
        assert not [name for name in headers if name.startswith("access-control-")], "no other origin is let in"
        assert "server" not in headers, "nobody is told what we are made of"
        if path.startswith("/api/") and not path.startswith(("/api/openapi", "/api/protocol")):
            assert headers["cache-control"] == "no-store", path


def test_the_policy_lets_no_script_in_but_ours() -> None:
    policy = dict(part.split(" ", 1) for part in SECURITY_HEADERS["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert {policy[one] for one in ("object-src", "base-uri", "frame-ancestors")} == {"'none'"}
    assert "unsafe" not in SECURITY_HEADERS["content-security-policy"]
    assert not {"script-src", "script-src-elem", "connect-src", "worker-src"} & policy.keys(), "as all else: ours alone"
    assert int(re.findall(r"max-age=(\d+)", HSTS)[0]) >= 365 * 24 * 3600
    assert "includeSubDomains" in HSTS


def test_a_refused_upgrade_has_them() -> None:
    response = refusal(UpgradeRefused(403, "wrong-origin", "a page of <script> may not connect here", 3)).response
    headers = {name.lower(): value for name, value in response.headers.items()}
    assert not lacks(headers)
    assert (headers["cache-control"], headers["retry-after"]) == ("no-store", "3")


class Wire:
    """All that a connection does to its transport."""

    def __init__(self) -> None:
        self.said = b""

    def write(self, data: bytes) -> None:
        self.said += data

    def close(self) -> None:
        pass


def heads(said: bytes) -> dict[str, str]:
    lines = said.decode().partition("\r\n\r\n")[0].split("\r\n")[1:]
    return {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}


@pytest.mark.parametrize("why", ["Invalid HTTP request received.", "Request head too large."])
def test_what_is_no_request_is_answered_with_them(why: str) -> None:
    shape: Any = http_protocol(Door(handles=10, strangers=10))
    connection, wire = object.__new__(shape), Wire()
    connection.transport = wire
    connection.send_400_response(why)
    assert wire.said.startswith(b"HTTP/1.1 400 ")
    assert not lacks(heads(wire.said))
    assert wire.said.endswith(why.encode())


def test_who_is_too_slow_is_told_so_with_them() -> None:
    assert not lacks(heads(TOO_SLOW))
