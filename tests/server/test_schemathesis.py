"""Schemathesis over the OpenAPI document, against the whole application: no 5xx, and no answer that is not documented.

It runs as a program of its own beside a real server, once for each kind of person that a request may come from, always
with the same examples.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import uvicorn

from natural9.core.staff import Rank
from natural9.server.app import documents, make_app
from natural9.server.house import House
from natural9.server.machine import Machine
from natural9.server.people.accounts import Accounts, SignedIn
from natural9.server.people.devices import Place
from natural9.server.people.limits import AttemptLimiter
from natural9.server.people.sessions import Session, cookie_name
from natural9.server.rates import Rate
from natural9.server.throttle import HttpRates
from natural9.server.upgrade import websocket_protocol
from natural9.store.contract import Access
from natural9.store.opening import open_store
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted
from natural9.table.venue.venue import VENUE_FILE, load_venue
from tests.server.people.house import CHEAP, PASSWORD
from tests.table.live import asked

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "unsupported_method",
)
EXAMPLES = "6"
ANY = Rate(10**9, 10**9)
PATIENT = HttpRates(ANY, ANY, ANY, ANY, ANY, ANY)
# With random ids nearly every answer would be 404; these exist. The last of each kind does not.
TABLES = ["nc-1", "super-six-1", "insurance-1", "none"]
IDS = {
    "staff": ["bob", "nobody"],
    "devices": ["terminal-nc-1-2", "nothing"],
    "tables": TABLES,
}


class Caller(NamedTuple):
    cookie: str
    csrf: str


class Running(NamedTuple):
    address: str
    callers: dict[str, Caller]


async def opened(folder: Path) -> House:
    """A house as it is opened anywhere, but for passwords that are quickly checked."""
    store = open_store(folder, Access.WRITE)
    return await House.of(folder, load_venue(folder / VENUE_FILE), store, Machine(hasher=CHEAP))


async def callers(accounts: Accounts) -> dict[str, Caller]:
    def caller(session: Session) -> Caller:
        cookie = f"{cookie_name(session.kind, secure=False)}={accounts.sessions.token(session)}"
        return Caller(cookie, accounts.sessions.csrf(session))

    code = accounts.first_code()
    assert code
    ada = await accounts.claim_administrator(code, id="ada", name="Ada Low", password=PASSWORD, peer="")
    found = {"nobody": Caller("", ""), "administrator": caller(ada.session)}
    for id, role in (("pat", "pit-manager"), ("bob", "dealer")):
        issued = await accounts.add(id, name=id.title(), role=role, by="ada")
        await accounts.set_password(issued.code, PASSWORD, peer="")
        signed_in = await accounts.sign_in(id, PASSWORD, peer="")
        assert isinstance(signed_in, SignedIn)
        found[role] = caller(signed_in.session)
    first, _ = await accounts.devices.add([Place("terminal", "nc-1", seat) for seat in (1, 2)], by="ada")
    found["terminal"] = caller((await accounts.devices.enrol(first.code, peer="")).session)
    return found


async def begin(house: House) -> None:
    """Tables at which something can be done: those that are named above are open, and one takes bets."""
    manager = Who("pat", rank=Rank.PIT_MANAGER)
    for table in TABLES[:-1]:
        assert isinstance(
            await house.room(table).writer.answer(asked(staff.OpenTable, request="begin"), manager), Accepted
        )
    for command in (asked(staff.LoadNewShoe, request="shoe"), asked(staff.StartRound, request="bets")):
        assert isinstance(await house.room("super-six-1").writer.answer(command, manager), Accepted)


async def serve(folder: Path, ready: "Future[Running]", stop: threading.Event) -> None:
    house = await opened(folder)
    await house.start()
    await begin(house)
    patient = AttemptLimiter(house.accounts.register, peer_tokens=1_000_000, free_attempts=1_000_000)
    config = uvicorn.Config(
        make_app(house, limiter=patient, rates=PATIENT),
        port=0,
        ws=websocket_protocol(house.hub),
        http="httptools",
        lifespan="off",
        log_config=None,
        access_log=False,
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    ready.set_result(Running(f"http://127.0.0.1:{port}", await callers(house.accounts)))
    await asyncio.to_thread(stop.wait)
    await house.stop("the test is over")
    server.should_exit = True
    await running


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("venue")
    example = files("natural9.table.venue").joinpath("example.toml").read_text(encoding="utf-8")
    quick = re.sub(r"(betting|reveal|result) = [\d.]+", r"\1 = 1", example)
    (folder / VENUE_FILE).write_text(quick, encoding="utf-8")
    ready: Future[Running] = Future()
    stop = threading.Event()

    def run() -> None:
        try:
            asyncio.run(serve(folder, ready, stop))
        except BaseException as error:
            if not ready.done():
                ready.set_exception(error)
            raise

    thread = threading.Thread(target=run)
    thread.start()
    yield ready.result(timeout=60)
    stop.set()
    thread.join(60)
    assert not thread.is_alive()


def with_known_ids() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(documents().openapi))
    for path, item in document["paths"].items():
        for operation in item.values():
            for parameter in operation.get("parameters", ()):
                room = next((room for room in IDS if f"/{room}/{{{parameter['name']}}}" in path), None)
                if room:
                    parameter["schema"] = {"type": "string", "enum": IDS[room]}
    return document


def without(regex: str, *tags: str) -> tuple[str, ...]:
    return ("--exclude-path-regex", regex, *(word for tag in tags for word in ("--exclude-tag", tag)))


OPEN = "health", "protocol", "rules", "shoes"  # to everybody, with the same answer
OF_THE_PIT = "players", "tables", "money", "rounds", "search", "odds"


# Together they try every operation in every wrong way once: one who may, where somebody may. An administrator is tried
# where only administrators may, nobody where everybody may; that others are refused is seen by fuzzing as a terminal.
@pytest.mark.parametrize(
    ("who", "options"),
    [
        ("nobody", ("--phases", "coverage,fuzzing", "--exclude-path", "/api/tables/{table}/commands")),
        (
            "administrator",
            (
                *("--phases", "coverage,fuzzing"),
                *without(r"^/api/(proof|checkpoint(?!/time-stamps)|reports/(?!staff|devices))", *OPEN, *OF_THE_PIT),
            ),
        ),
        (
            "pit-manager",
            (
                *("--phases", "coverage,fuzzing"),
                *without(r"^/api/(venue|proof|checkpoint|odds(?!/tables))", *OPEN, "people", "devices"),
            ),
        ),
        ("terminal", ("--phases", "fuzzing")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_answer_is_a_server_error_or_undocumented(
    who: str, options: tuple[str, ...], running: Running, tmp_path: Path
) -> None:
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(with_known_ids()))
    caller = running.callers[who]
    command = [sys.executable, "-m", "schemathesis.cli", "run", str(document), "--url", running.address]
    command += ["--checks", ",".join(CHECKS), "--max-examples", EXAMPLES, "--no-shrink"]
    command += ["--generation-deterministic", "--generation-with-security-parameters", "false"]
    command += ["--warnings", "off", "--no-color", *options]
    if caller.cookie:
        command += ["--header", f"Cookie: {caller.cookie}", "--header", f"x-csrf-token: {caller.csrf}"]
        command += ["--exclude-path", "/api/sign-out"]  # it would do as it is told
    # Loaded from its path: this folder's own name for it is nobody else's.
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), "SCHEMATHESIS_HOOKS": "schemathesis_hooks"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    tried = re.search(r"(\d+) generated", done.stdout)
    assert tried, done.stdout
    assert int(tried[1]) > 100
