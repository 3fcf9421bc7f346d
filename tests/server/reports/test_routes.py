"""The records over HTTP: who may see what, and that a terminal sees no other seat."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from litestar import Litestar
from litestar.di import Provide

from natural9.server.app import STATUSES
from natural9.server.people.answers import exception_handlers
from natural9.server.people.devices import Place
from natural9.server.people.guards import Gate
from natural9.server.people.permissions import Action, Role, may
from natural9.server.people.routes import SignIns, people_router
from natural9.server.reports.catalogue import REPORTS as CATALOGUE
from natural9.server.reports.examination import Examination
from natural9.server.reports.export import export_round
from natural9.server.reports.routes import reports_router
from natural9.server.reports.shoes import shoe_shown
from natural9.server.search.routes import search_router
from natural9.store.contract import Access, Entry, Store
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from natural9.table.shoes.shuffler import Shuffled
from tests.server.people.browser import Browser
from tests.server.people.house import PEER, Clock, House, house
from tests.store.opening import append
from tests.table.live import START_MS, venue_of
from tests.table.stories import an_evening, shuffled_rounds

REPORTS = {
    "win": Action.SEE_REPORTS,
    "hold": Action.SEE_REPORTS,
    "meters": Action.SEE_MONEY,
    "vouchers": Action.SEE_MONEY,
    "corrections": Action.SEE_REPORTS,
    "events": Action.SEE_EVENTS,
    "shifts": Action.SEE_REPORTS,
    "transactions": Action.SEE_MONEY,
    "desks": Action.SEE_DRAWER,
    "drawer": Action.SEE_DRAWER,
    "debts": Action.SEE_MONEY,
    "staff": Action.SEE_PEOPLE,
    "devices": Action.SEE_PEOPLE,
    "protection": Action.SEE_REPORTS,
    "players": Action.SEE_PLAYERS,
    "player-statement": Action.SEE_PLAYERS,
}

VENUE = venue_of()


class Site:
    """The application over the records of one store, and people to ask it."""

    def __init__(self, venue: House) -> None:
        self.venue = venue
        sign_ins = SignIns(venue.accounts, secure=False)
        app = Litestar(
            [people_router(), reports_router(), search_router()],
            dependencies={
                "sign_ins": Provide(lambda: sign_ins, sync_to_thread=False),
                "store": Provide(lambda: venue.store, sync_to_thread=False),
                "venue": Provide(lambda: VENUE, sync_to_thread=False),
            },
            exception_handlers=exception_handlers(STATUSES),
            logging_config=None,
        )
        self.document: dict[str, Any] = app.openapi_schema.to_schema()
        self.gate: Any = Gate(app, venue.accounts, secure=False)

    @asynccontextmanager
    async def browser(self) -> AsyncIterator[Browser]:
        transport = httpx.ASGITransport(self.gate, client=(PEER, 5000))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            yield Browser(client)

    @asynccontextmanager
    async def signed_in(self, role: str) -> AsyncIterator[Browser]:
        await self.venue.person(f"{role}-1", role)
        async with self.browser() as browser:
            assert (await browser.sign_in(f"{role}-1")).status_code == 200
            yield browser

    @asynccontextmanager
    async def device(self, place: Place) -> AsyncIterator[Browser]:
        [code] = await self.venue.accounts.devices.add([place], by="ada")
        async with self.browser() as browser:
            assert (await browser.post("/api/enrol", {"code": code.code})).status_code == 201
            yield browser


async def site(store: Store | None = None) -> Site:
    store = store or MemoryStore()
    await an_evening(store)
    venue = await house(store, clock=Clock(START_MS))  # the tables' own, which an evening does not move
    await venue.administrator()
    return Site(venue)


def test_who_may_see_which_report() -> None:
    assert REPORTS.items() <= {report.name: report.permission for report in CATALOGUE}.items()


async def test_the_day_of_the_floor_is_the_pits_and_its_money_that_of_who_sees_reports() -> None:
    here = await site()
    for role, sees in (("pit-supervisor", False), ("pit-manager", True)):
        async with here.signed_in(role) as pit:
            day = (await pit.get("/api/floor/day")).json()
        assert sum(line["rounds"] for line in day["hours"]) == 2
        assert bool(day["curve"]) == sees
        assert all((line["house_win_cents"] is not None) == sees for line in day["hours"])
    async with here.browser() as nobody:
        assert (await nobody.get("/api/floor/day")).status_code == 401


@pytest.mark.parametrize("role", list(Role))
async def test_each_report_is_for_those_who_may(role: Role) -> None:
    here = await site()
    async with here.signed_in(role) as browser, here.browser() as nobody:
        for report, action in REPORTS.items():
            answer = await browser.get(f"/api/reports/{report}")
            assert answer.status_code == (200 if may(role, action) else 403), report
            assert (await nobody.get(f"/api/reports/{report}")).status_code == 401
            if may(role, action):
                sheet = await browser.get(f"/api/reports/{report}?format=csv")
                assert sheet.headers["content-type"].startswith("text/csv")
                assert len(sheet.text.splitlines()) == len(answer.json()) + 1
        recalled = await browser.get("/api/rounds/1/1")
        assert recalled.status_code == (200 if may(role, Action.RECALL_ROUND) else 403)


@pytest.mark.parametrize("role", list(Role))
async def test_the_list_names_those_reports_that_one_may_see(role: Role) -> None:
    here = await site()
    await here.venue.accounts.players.add("Mei", by="cass")
    async with here.signed_in(role) as browser, here.browser() as nobody:
        listed = (await browser.get("/api/reports")).json()
        assert [one["name"] for one in listed] == [one.name for one in CATALOGUE if may(role, one.permission)]
        for one in listed:
            for row in (await browser.get(f"/api/reports/{one['name']}")).json():
                assert [name for name in row if name != "said"] == [column["name"] for column in one["columns"]]
        assert (await nobody.get("/api/reports")).status_code == 401


async def test_a_cashier_sees_their_own_drawer_only() -> None:
    here = await site()
    async with here.signed_in("cashier") as browser:
        assert (await browser.get("/api/reports/desks")).json() == []
    async with here.signed_in("auditor") as browser:
        assert [one["desk"] for one in (await browser.get("/api/reports/desks")).json()] == ["cass"]


async def test_a_drawer_tells_its_last_transactions_newest_first() -> None:
    here = await site()
    await here.venue.person("cass", "cashier")
    async with here.browser() as browser, here.signed_in("dealer") as dealer:
        await browser.sign_in("cass")
        last = (await browser.get("/api/reports/drawer?count=2")).json()
        numbers = [one["number"] for one in last]
        assert numbers == sorted(numbers, reverse=True)
        assert len(numbers) == 2
        assert all("desk/cass" in (one["source"], one["target"]) for one in last)
        assert (await dealer.get("/api/reports/drawer")).status_code == 403
        assert (await browser.get("/api/reports/drawer?desk=carl")).json() == []
    async with here.signed_in("cashier") as other, here.signed_in("auditor") as auditor:
        assert (await other.get("/api/reports/drawer?desk=cass")).json() == [], "their own only"
        assert (await auditor.get("/api/reports/drawer?desk=cass&count=2")).json() == last


async def test_filters_and_bad_ones() -> None:
    here = await site()
    async with here.signed_in("auditor") as browser:
        assert len((await browser.get("/api/reports/win?day=2027-01-15&table=1")).json()) == 1
        assert (await browser.get("/api/reports/win?day=2027-01-16")).json() == []
        newest = (await browser.get("/api/reports/transactions?limit=2&day=2027-01-15&table=1")).json()
        assert newest[0]["number"] == newest[1]["number"] + 1
        for wrong in ("win?day=monday", "win?format=xml", "events?limit=0", "transactions?after=-1"):
            answer = await browser.get(f"/api/reports/{wrong}")
            assert (answer.status_code, set(answer.json())) == (
                400,
                {"code", "message", "paragraph", "said", "field"},
            ), wrong


async def test_a_terminal_recalls_its_own_seat_only() -> None:
    here = await site()
    async with here.device(Place("terminal", "1", 2)) as terminal:
        told = (await terminal.get("/api/rounds/1/1")).json()
        assert (told["label"], [one["seat"] for one in told["seats"]]) == ("RECALL", [2])
        assert told["staked_cents"] == 20_000
        assert "Seat 1" not in json.dumps(told)
        listed = (await terminal.get("/api/rounds/1")).json()
        assert [one["staked_cents"] for one in listed] == [30_000, 10_000, 20_000]
        assert (await terminal.get("/api/rounds/other/1")).status_code == 403
        assert (await terminal.get("/api/rounds/1/77")).status_code == 404
        assert (await terminal.get("/api/rounds/1/1/export")).status_code == 401
    async with here.device(Place("display", "", None)) as display:
        told = (await display.get("/api/rounds/1/1")).json()
        assert (told["seats"], told["staked_cents"], told["winner"]) == ([], 0, "player")
    async with here.browser() as nobody:
        assert (await nobody.get("/api/rounds/1/1")).status_code == 401


async def test_staff_recall_all_of_it_and_the_last_ten() -> None:
    here = await site()
    async with here.signed_in("dealer") as browser:
        assert [one["seat"] for one in (await browser.get("/api/rounds/1/1")).json()["seats"]] == [1, 2, 3]
        assert [one["round"] for one in (await browser.get("/api/rounds/1?count=2")).json()] == [3, 2]
        assert (await browser.get("/api/rounds/1/4")).json()["code"] == "no-such-round"
        assert (await browser.get("/api/rounds/1?count=0")).status_code == 400


async def test_an_export_for_a_dispute_can_be_checked_by_hand() -> None:
    here = await site()
    async with here.signed_in("pit-supervisor") as browser:
        answer = await browser.get("/api/rounds/1/2/export")
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.json()["dealers"] == ["dora"]
    entries = answer.json()["entries"]
    assert entries[0]["label"] == "round/1/2"
    assert [document["key"] for document in entries[0]["documents"]] == ["table/1"]
    for one in entries:
        names = ("kind", "source", "target", "cents")
        moved = [[transfer[name] for name in names] for transfer in one["transfers"]]
        values = [one[name] for name in ("stream", "number", "kind", "at_ms", "day", "label", "request")]
        beside = [[document["key"], document["sha256"]] for document in one["documents"]], one["documents_sum"]
        envelope = json.dumps(
            [2, *values, one["first_transfer"], moved, *beside], separators=(",", ":"), ensure_ascii=False
        ).encode()
        text = bytes.fromhex(one["previous_hash"]) + len(envelope).to_bytes(8, "big") + envelope
        assert hashlib.sha256(text + one["body"].encode()).hexdigest() == one["hash"]


async def test_the_export_of_a_long_round_comes_in_pages() -> None:
    here = await site()
    whole = await export_round(here.venue.store, "1", 2, at_ms=0)
    assert whole.more_after is None
    found = list((page := await export_round(here.venue.store, "1", 2, at_ms=0, most=7)).entries)
    while page.more_after is not None:
        page = await export_round(here.venue.store, "1", 2, at_ms=0, after=page.more_after, most=7)
        assert 0 < len(page.entries) <= 7
        found += page.entries
    assert tuple(found) == whole.entries
    async with here.signed_in("pit-supervisor") as browser:
        rest = (await browser.get(f"/api/rounds/1/2/export?after={found[-2].seq}")).json()
        assert [one["seq"] for one in rest["entries"]] == [found[-1].seq]
        assert (await browser.get(f"/api/rounds/1/2/export?after={10**9}")).json()["entries"] == []
        steps = (await browser.get("/api/rounds/1/1?first_step=3")).json()
        assert (steps["first_step"], len(steps["steps"])) == (3, steps["all_steps"] - 3)


async def test_a_shoe_is_a_promise_first_and_can_be_checked_afterwards() -> None:
    store = MemoryStore()
    await shuffled_rounds(store)
    here = Site(await house(store))
    async with here.browser() as nobody:
        shown = (await nobody.get("/api/shoes/1/1")).json()
        assert shown["revealed"]
        shuffled = Shuffled(
            shown["decks"],
            bytes.fromhex(shown["salt"]),
            Shuffled.parse(
                f"natural9 shoe 1\ndecks {shown['decks']}\nsalt {shown['salt']}\norder {shown['order']}\n"
            ).order,
        )
        assert shuffled.commitment == shown["commitment"]
        assert shown["order"].startswith(shown["dealt"])
        assert len(shown["dealt"].split()) >= 12
        waiting = (await nobody.get("/api/shoes/1/2")).json()
        assert (waiting["revealed"], waiting["order"], waiting["salt"], waiting["dealt"]) == (False, *[None] * 3)
        assert len(waiting["commitment"]) == 64
        assert (await nobody.get("/api/shoes/1/3")).status_code == 404
        assert (await nobody.get("/api/shoes/1/1?commitment=00")).status_code == 404
    assert (await shoe_shown(store, "1", 1)).commitments == (shown["commitment"],)


async def test_the_journal_is_verified_while_the_server_runs(tmp_path: Path) -> None:
    store = open_store(tmp_path, Access.WRITE)
    here = await site(store)
    async with here.signed_in("auditor") as browser, here.signed_in("cashier") as cashier:
        assert (await browser.get("/api/verify")).json()["state"] == "never"
        assert (await cashier.post("/api/verify")).status_code == 403
        begun = await browser.post("/api/verify")
        assert (begun.status_code, begun.json()["state"]) == (202, "running")
        while (view := (await browser.get("/api/verify")).json())["state"] == "running":
            await asyncio.sleep(0.05)
        assert (view["state"], view["holds"], view["result"]["rounds"]) == ("done", True, 3)
    await store.close()


async def test_a_checkpoint_that_anybody_noted_is_found_again_or_missed(tmp_path: Path) -> None:
    store = open_store(tmp_path, Access.WRITE)
    here = await site(store)

    async def verified(browser: Browser, noted: str) -> dict[str, Any]:
        assert (await browser.post(f"/api/verify?checkpoint={noted}")).status_code == 202
        while (view := (await browser.get("/api/verify")).json())["state"] == "running":
            await asyncio.sleep(0.05)
        return dict(view)

    async with here.signed_in("auditor") as browser:
        noted = await store.tree()
        await append(store, [Entry("venue", "noted", b"{}", START_MS, "2026-11-16")])
        found = await verified(browser, f"{noted.size} {noted.root.hex().upper()}")
        assert (found["holds"], found["result"]["noted_size"]) == (True, noted.size)
        found = await verified(browser, f"{noted.size} {'00' * 32}")
        assert found["holds"] is False
        assert "not the history that was noted" in found["result"]["fault"]["says"]
        assert (await browser.post("/api/verify?checkpoint=12")).status_code == 400
    await store.close()


async def test_an_examination_names_the_first_line_that_does_not_follow() -> None:
    store = MemoryStore()
    await an_evening(store)
    store._journal[4] = store._journal[4]._replace(day="1999-01-01")
    examination = Examination(clock_ms=lambda: 7)
    examination.start(store)
    view = await examination.wait()
    assert (view.state, view.holds, view.started_at_ms) == ("done", False, 7)
    assert view.result is not None
    assert view.result.fault is not None
    assert view.result.fault.entry == 5


async def test_every_answer_is_documented() -> None:
    paths = (await site()).document["paths"]
    for report in REPORTS:
        answers = paths[f"/api/reports/{report}"]["get"]["responses"]
        assert set(answers["200"]["content"]) == {"application/json", "text/csv"}
        assert {"400", "401", "403"} <= set(answers)
        names = [parameter["name"] for parameter in paths[f"/api/reports/{report}"]["get"]["parameters"]]
        assert "format" in names


@pytest.mark.parametrize("role", list(Role))
async def test_a_dispute_pack_is_for_those_who_may_export(role: Role) -> None:
    here = await site()
    async with here.signed_in(role) as browser, here.browser() as nobody:
        answer = await browser.get("/api/rounds/1/2/dispute.pdf?seat=1")
        assert (await nobody.get("/api/rounds/1/2/dispute.pdf")).status_code == 401
        if not may(role, Action.EXPORT_ROUND):
            assert answer.status_code == 403
            return
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.content.startswith(b"%PDF-")
        assert (await browser.get("/api/rounds/1/99/dispute.pdf")).status_code == 404
        assert (await browser.get("/api/rounds/1/2/dispute.pdf?seat=9")).json()["code"] == "no-such-seat"


async def test_a_terminal_gets_no_dispute_pack() -> None:
    here = await site()
    async with here.device(Place("terminal", "1", 1)) as terminal:
        assert (await terminal.get("/api/rounds/1/2/dispute.pdf?seat=1")).status_code == 401
