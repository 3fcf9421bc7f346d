"""The screens are served as they were built, compressed for who can read that, and nothing else of the disk is."""

import gzip
import re
from collections.abc import Iterator

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
