"""Behind a proxy: whose address the journal names, over HTTP and over WebSockets, and whom the server believes."""

from pathlib import Path

import httpx
import pytest

from natural9.journal.line import read_line
from natural9.journal.people_events import PeerRefused, SignInFailed
from natural9.server.people.limits import PEER_TOKENS
from tests.server.live_server import PLAIN, Server, new_venue, running, table
from tests.server.test_abuse import upgrade

CLIENT = "198.51.100.7"
FORGED = "6.6.6.6, " + CLIENT
TEXT = "<b>anything</b>"


async def attack(server: Server) -> tuple[set[str], set[str], int]:
    """The addresses that the journal names for a wrong sign-in and for tokens of nobody; how `/metrics` answers.

    The server is stopped afterwards, so that all it had to say is in the journal.
    """
    async with httpx.AsyncClient(base_url=server.address, verify=PLAIN) as client:
        for forwarded in (FORGED, TEXT):
            guess = {"id": "nobody", "password": "wrong password"}
            answer = await client.post("/api/sign-in", json=guess, headers={"x-forwarded-for": forwarded})
            assert answer.status_code == 401
        metrics = await client.get("/metrics", headers={"x-forwarded-for": FORGED})
        assert (await client.get("/metrics")).status_code == 200
    cookie = "natural9-device=nobody."
    statuses: list[int] = []
    while 429 not in statuses and len(statuses) < 10 * PEER_TOKENS:  # on a slow machine some tokens come back meanwhile
        statuses.append(await upgrade(server, "/ws/table/a", Cookie=cookie, **{"X-Forwarded-For": FORGED}))
    assert (set(statuses[:-1]), statuses[-1]) == ({401}, 429)
    assert len(statuses) > PEER_TOKENS - 2, "the wrong sign-ins have taken two at most"
    assert server.terminate() == 0
    events = [read_line(one).event for one in await server.history("venue")]
    failed = {one.peer for one in events if isinstance(one, SignInFailed)}
    refused = {one.peer for one in events if isinstance(one, PeerRefused)}
    return failed, refused, metrics.status_code


@pytest.mark.parametrize(
    ("setting", "failed", "refused"),
    [
        ("", {"127.0.0.1"}, {"127.0.0.1"}),
        ('proxies = ["10.0.0.0/8"]', {"127.0.0.1"}, {"127.0.0.1"}),
        ('proxies = ["127.0.0.1"]', {CLIENT, "127.0.0.1"}, {CLIENT}),
    ],
)
async def test_only_a_proxy_of_the_house_speaks_for_others(
    tmp_path: Path, setting: str, failed: set[str], refused: set[str]
) -> None:
    with running(new_venue(tmp_path, table("a", "rws-nc"), server=setting)) as server:
        assert await attack(server) == (failed, refused, 403)
