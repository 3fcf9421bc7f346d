"""HTTP at a node that has nothing: carried to the one that has, and answered as if it were asked there."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from natural9.server.client import ServerSaidNo
from natural9.server.cluster.carried_http import ANYWHERE, OF_A_TABLE, _written, whose
from natural9.server.security_headers import SECURITY_HEADERS
from natural9.table.commands import staff
from tests.server.cluster.two_nodes import TwoNodes, two_nodes
from tests.server.live_server import Visit, table


@pytest.fixture
async def both(tmp_path: Path) -> AsyncIterator[TwoNodes]:
    async with two_nodes(tmp_path, table("t", "rws-nc"), table("u", "rws-nc")) as nodes:
        yield nodes


@pytest.fixture
async def visit(both: TwoNodes) -> AsyncIterator[Visit]:
    async with Visit(cast(Any, both.edge)) as one:
        yield one


async def test_orders_sign_ins_and_devices_go_to_whoever_has_them(both: TwoNodes, visit: Visit) -> None:
    assert both.edge.house.rooms == {}
    await visit.begin_round("t")
    assert (await visit.see("t")).table.phase == "betting-open"
    stranger = await visit.stranger()
    await stranger.sign_in("dora", "seven green lamps of dora")
    assert (await stranger.get("/api/me"))["person"]["id"] == "dora"
    await visit.enrolled("t", 3)
    with pytest.raises(ServerSaidNo, match=r"^403"):
        await stranger.post("/api/staff/", {"id": "eve", "name": "Eve Low", "role": "dealer"})
    with pytest.raises(ServerSaidNo, match=r"^409"):
        await visit.do("dealer", "t", staff.StartRound)
    assert (await both.edge.house.store.head()).seq < (await both.owner.house.store.head()).seq


async def test_an_answer_is_the_same_as_that_of_the_owner(both: TwoNodes, visit: Visit) -> None:
    cookies = (await visit.person("dealer")).cookies
    async with httpx.AsyncClient(headers={"cookie": cookies}) as client:
        for path in ("/api/tables/t", "/api/drawer/", "/api/tables/none", "/api/none", "/api/checkpoint/keys"):
            here, there = [await client.get(node.address + path) for node in (both.edge, both.owner)]
            assert (here.status_code, here.content) == (there.status_code, there.content)
            assert sorted(here.headers) == sorted(there.headers)
            assert SECURITY_HEADERS.items() <= dict(here.headers).items()
            assert len(here.headers.get_list("content-security-policy")) == 1


async def test_what_any_node_can_say_is_not_carried(both: TwoNodes, visit: Visit) -> None:
    await both.owner.lines.close()
    client = await visit.person("auditor")
    for path in ("/api/venue/", "/api/reports/", "/api/rounds/t", "/api/odds/games", "/healthz", "/api/me"):
        await client.get(path)


async def test_the_gate_is_passed_at_both(both: TwoNodes, visit: Visit) -> None:
    async with httpx.AsyncClient() as client:
        cookies = (await visit.person("dealer")).cookies
        order = f"{both.edge.address}/api/tables/t/commands"
        no_token = await client.post(order, json={}, headers={"cookie": cookies})
        assert (no_token.status_code, no_token.json()["code"]) == (403, "csrf")
        foreign = await client.post(order, json={}, headers={"origin": "http://evil.example"})
        assert (foreign.status_code, foreign.json()["code"]) == (403, "wrong-origin")
        nobody = await client.post(order, json={})
        assert nobody.status_code in (400, 401)
        large = await client.post(order, content=b" " * 70_000)
        assert large.status_code == 413

        async def chunks() -> AsyncIterator[bytes]:
            for _ in range(70):
                yield b" " * 1000

        assert (await client.post(order, content=chunks())).status_code == 413


@pytest.mark.parametrize("name", [b"x-forwarded-for", b"X-Forwarded-For"])
async def test_through_whom_a_request_came_is_not_carried(name: bytes) -> None:
    """The gate has found out whose it is: the next node would look at the line once more, and believe it."""
    scope: Any = {
        "method": "GET",
        "path": "/api/me",
        "raw_path": b"/api/me",
        "query_string": b"",
        "scheme": "http",
        "client": ("10.0.0.7", 0),
        "headers": [(name, b"10.9.9.9"), (b"cookie", b"mine")],
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    request = await _written("table/t", scope, receive)
    assert request
    assert (request.peer, request.headers) == ("10.0.0.7", [(b"cookie", b"mine")])


async def test_one_moment_while_nobody_has_it(both: TwoNodes, visit: Visit) -> None:
    client = await visit.person("dealer")
    both.edge.whereabouts.left("table/t", "b")
    with pytest.raises(ServerSaidNo, match="503 one-moment: This goes to another machine") as no:
        await client.get("/api/tables/t")
    assert not no.value.is_decided
    # The other says that it has not got it either, and carries it no further.
    both.edge.whereabouts.took("table/t", "b")
    both.owner.whereabouts.took("table/t", "a")
    with pytest.raises(ServerSaidNo, match="503 one-moment"):
        await client.get("/api/tables/t")
    await both.owner.lines.close()
    while both.edge.lines.hears("b"):
        await asyncio.sleep(0.005)
    with pytest.raises(ServerSaidNo, match="503 one-moment"):
        await visit.do("dealer", "u", staff.StartRound)


async def test_what_became_of_a_command_is_not_known_if_its_node_is_lost_meanwhile(
    both: TwoNodes, visit: Visit
) -> None:
    await visit.person("dealer")
    asked: asyncio.Queue[bytes] = asyncio.Queue()

    async def never(sender: str, body: bytes) -> bytes:
        asked.put_nowait(body)
        await asyncio.Event().wait()
        return b""

    both.owner.lines._serving["http"] = never
    order = asyncio.ensure_future(visit.do("dealer", "t", staff.StartRound))
    look = asyncio.ensure_future((await visit.person("dealer")).get("/api/tables/t"))
    for _ in (order, look):
        await asked.get()
    await both.owner.lines.close()
    with pytest.raises(ServerSaidNo, match="503 unknown"):
        await order
    with pytest.raises(ServerSaidNo, match="503 one-moment"):
        await look


def test_every_route_has_somebody_who_answers() -> None:
    """Whoever adds one that is neither a table's nor the office's says so in the lists."""
    assert all(one.startswith("/api/") for one in (*OF_A_TABLE, *ANYWHERE))
    for path in ("/api/meter", "/api/sign-in", "/api/vouchers/pay", "/api/drawer/", "/api/card/", "/api/verify"):
        assert whose(path, []) == "venue"
    assert whose("/api/me", []) is None
    assert whose("/api/odds/tables/t", ["t"]) == "table/t"
    assert whose("/api/training/t/call", ["t"]) == "table/t"
    assert whose("/api/odds/games", ["t"]) is None
