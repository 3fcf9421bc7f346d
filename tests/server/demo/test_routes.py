"""One click for each role: in the demo only, and through the same gate as everything else."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from natural9.core.saying import verbatim
from natural9.core.staff import Rank
from natural9.server.app import make_app
from natural9.server.demo.floor import FAST, venue_file
from natural9.server.demo.sign_in_links import PEOPLE
from natural9.server.house import House
from natural9.server.people.permissions import Role
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from tests.server.people.browser import Browser
from tests.table.live import asked

HERE = "http://127.0.0.1:8909"


@asynccontextmanager
async def browser(house: House, *, demo: bool = True) -> AsyncIterator[Browser]:
    app: Any = make_app(house, demo=demo)
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 5000))
    async with httpx.AsyncClient(transport=transport, base_url=HERE, headers={"origin": HERE}) as client:
        yield Browser(client)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    (tmp_path / "venue.toml").write_text(venue_file(port=8909, pace=FAST), encoding="utf-8")
    one = await House.open(tmp_path)
    await one.start()
    try:
        yield one
    finally:
        await one.stop("over")


async def test_outside_the_demo_nobody_becomes_anybody_by_a_click(house: House) -> None:
    async with browser(house, demo=False) as nobody:
        assert (await nobody.get("/api/demo/roles")).status_code == 404
        assert (await nobody.post("/api/demo/enter", {"role": "administrator"})).status_code in (404, 405)
        assert (await nobody.get("/api/me")).status_code == 401
    assert house.accounts.all() == []


async def test_one_click_makes_a_browser_each_role(house: House) -> None:
    async with browser(house) as anybody:
        roles = (await anybody.get("/api/demo/roles")).json()
        assert [one["role"] for one in roles["people"]] == list(PEOPLE)
        assert [one["table"] for one in roles["tables"]] == list(house.rooms)
        for role in Role:
            entered = await anybody.post("/api/demo/enter", {"role": role})
            assert (entered.status_code, entered.json()["person"]["role"]) == (200, role)
            assert (await anybody.get("/api/me")).json()["person"]["name"] == PEOPLE[role][1]
        assert (await anybody.get("/api/staff/")).status_code == 200  # an administrator, the last of them


async def test_each_browser_gets_a_seat_of_its_own_and_credit(house: House) -> None:
    async with browser(house) as one, browser(house) as other:
        first = (await one.post("/api/demo/enter", {"table": "insurance-1"})).json()["device"]
        second = (await other.post("/api/demo/enter", {"table": "insurance-1"})).json()["device"]
        assert (first["seat"], second["seat"]) == (1, 2)
        again = (await one.post("/api/demo/enter", {"table": "insurance-1"})).json()["device"]
        assert again["seat"] == 1
    state = house.room("insurance-1").writer.state
    assert (state.credit_cents(1), state.credit_cents(2), state.credit_cents(3)) == (100_000, 100_000, 0)
    assert (await house.store.balances("desk/"))["desk/rosa.ng"] == -200_000


async def test_a_full_table_gives_away_the_seats_that_nobody_uses(house: House) -> None:
    seats = []
    for _ in range(10):
        async with browser(house) as somebody:
            seats.append((await somebody.post("/api/demo/enter", {"table": "insurance-1"})).json()["device"]["seat"])
    assert seats == [*range(1, 10), 1]


async def test_at_a_table_with_a_fault_one_sits_down_without_credit(house: House) -> None:
    room = house.room("tiger-1")
    room.writer.raise_fault("lamp", verbatim("a lamp is broken"))
    async with browser(house) as somebody:
        assert (await somebody.post("/api/demo/enter", {"table": "tiger-1"})).status_code == 200
        clear = asked(staff.ClearFault, request="clear", fault="lamp", why="a new lamp")
        await room.writer.answer(clear, Who("max", rank=Rank.PIT_MANAGER))
        assert room.writer.state.credit_cents(1) == 0
        assert (await somebody.post("/api/demo/enter", {"table": "tiger-1"})).json()["device"]["seat"] == 1
        assert room.writer.state.credit_cents(1) == 100_000


async def test_a_display_of_one_table_or_of_all(house: House) -> None:
    async with browser(house) as wall:
        for table in ("", "tiger-1"):
            device = (await wall.post("/api/demo/enter", {"role": "display", "table": table})).json()["device"]
            assert (device["kind"], device["table"]) == ("display", table)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"role": "king"}, 400, "bad-role"),
        ({"role": "terminal"}, 404, "unknown-table"),
        ({"table": "moon"}, 404, "unknown-table"),
        ({"role": "display", "table": "moon"}, 404, "unknown-table"),
        ({"rank": "dealer"}, 400, None),
    ],
)
async def test_what_the_demo_does_not_have(house: House, body: dict[str, str], status: int, code: str | None) -> None:
    async with browser(house) as anybody:
        answer = await anybody.post("/api/demo/enter", body)
        assert answer.status_code == status
        assert code in (None, answer.json()["code"])


async def test_the_gate_stands_before_it_too(house: House) -> None:
    async with browser(house) as anybody:
        stranger = {"origin": "http://elsewhere.example"}
        body = {"role": "administrator"}
        refused = await anybody.client.post("/api/demo/enter", json=body, headers=stranger)
        assert (refused.status_code, refused.json()["code"]) == (403, "wrong-origin")
        assert (await anybody.post("/api/demo/enter", {"role": "dealer"})).status_code == 200
        without = await anybody.client.post("/api/demo/enter", json=body)
        assert (without.status_code, without.json()["code"]) == (403, "csrf")
