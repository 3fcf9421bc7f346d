"""The screens are served as they were built, compressed for who can read that, and nothing else of the disk is."""

import gzip
import re
from collections.abc import Iterator
from http.client import HTTPConnection

import httpx
import pytest

from natural9.server.screens import BUILT
from tests.server.live_server import new_venue, running, table


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with (
        running(new_venue(tmp_path_factory.mktemp("screens"), table("a", "rws-nc"))) as server,
        httpx.Client(base_url=server.address) as client,
    ):
        yield client


@pytest.mark.parametrize("path", ["/", "/terminal", "/console/a", "/pit/a", "/audit/rounds/a/1", "/odds"])
def test_every_address_that_a_person_may_open_is_the_page(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.content == (BUILT / "index.html").read_bytes()


def test_assets_are_compressed_for_who_can_read_that_and_kept_for_ever(http: httpx.Client) -> None:
    [script] = re.findall(r'src="(/assets/[^"]+[.]js)"', http.get("/").text)
    built = (BUILT / script.removeprefix("/")).read_bytes()
    for accepted, encoding in (("gzip, br", "gzip"), ("identity", None)):
        with http.stream("GET", script, headers={"accept-encoding": accepted}) as answer:
            body = b"".join(answer.iter_raw())
        assert answer.headers.get("content-encoding") == encoding
        assert (gzip.decompress(body) if encoding else body) == built
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/assets/..%2findex.html", "/assets/..%2f..%2fapp.py", "/assets/nothing.js", "/nowhere"]
)
def test_nothing_else_is_served(http: httpx.Client, path: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert answer.json()["code"] == "not-found"


ODD = [
    "a%00b",
    "%00",
    "%2e%2e",
    "%2e%2e/%2e%2e/app.py",
    "..%5c..%5capp.py",
    "%ff%fe",
    "%c0%ae%c0%ae",
    "%ed%a0%80",
    "x" * 10_000,
    "x" * 200,
    "%E7%89%8C" * 200,
    "%E7%89%8C" * 100,
    "%",
    "%zz",
    "%0d%0aset-cookie:%20a=b",
    "a//b",
    "CON",
    "%7e",
]


@pytest.mark.parametrize("place", ["/assets/", "/", "/api/", "/api/tables/", "/api/venue/tables/", "/api/protocol/"])
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd[:20])
def test_an_odd_path_is_no_mistake_of_ours(http: httpx.Client, place: str, odd: str) -> None:
    connection = HTTPConnection(http.base_url.host, http.base_url.port or 80, timeout=20)
    try:
        connection.putrequest("GET", place + odd, skip_accept_encoding=True)  # as it stands: httpx would mend it
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
    finally:
        connection.close()
    assert answer.status in (400, 401, 404), (answer.status, body[:200])
    assert "set-cookie" not in answer.headers
