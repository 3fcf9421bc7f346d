"""`natural9 demo` as a person starts it: a real process, real sockets, a real journal, and nothing left behind."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from natural9.games import game_ids, load_game
from natural9.server.people.permissions import Role
from natural9.server.reports.shifts import shift_report
from natural9.server.tables import FINISH_S
from natural9.store.audit import audit
from natural9.store.contract import Access
from natural9.store.opening import open_store
from natural9.table.audit.findings import Verified
from natural9.table.audit.recall import recall
from natural9.table.audit.verify import verify
from tests.cli.test_command import run, run_alone
from tests.starter import BARE, ROOT

PASSWORD = "three quiet rivers"
PROGRAM = (sys.executable, "-m", "natural9")
SLOW_S = 60.0  # an answer may take so long where eighteen bots and other tests share two cores
DEADLINE_S = 300.0  # and so may a round at every table


@contextmanager
def demo(*arguments: str, program: Sequence[str] = PROGRAM, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    """A demo that is stopped, if it does not stop by itself."""
    running = subprocess.Popen(
        [*program, "demo", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**BARE, **environment},
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


@dataclass
class Played:
    """What a demo said, what was tried with its links while it ran, and the folder that it left."""

    said: dict[str, Any]
    used: dict[str, list[int]]  # by id: the answers to its code, used twice
    signed_in_as: dict[str, str]
    venue: dict[str, Any]
    page: httpx.Response
    visitor: int  # what a terminal that sat down at the first moment is answered in the end
    folder: Path
    code: int
    errors: str


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("demo") / "venue"
    arguments = ("--fast", "--port", "0", "--bots", "18", "--folder", str(folder), "--json")
    with demo(*arguments) as running:
        assert running.stdout
        line = running.stdout.readline()
        assert line, running.communicate()[1]
        said = json.loads(line)
        with (
            httpx.Client(base_url=said["address"], timeout=SLOW_S) as client,
            httpx.Client(base_url=said["address"], timeout=SLOW_S) as visitor,
        ):
            table = next(link["table"] for link in said["doors"] if link["role"] == "terminal")
            visitor.post("/api/demo/enter", json={"role": "terminal", "table": table}).raise_for_status()
            page, venue = client.get("/"), client.get("/api/venue").json()
            answered = {link["id"]: use_twice(said["address"], link["link"]) for link in said["doors"]}
            wait_for_rounds(client, [table["table"] for table in to_play_at(venue)])
            sat = visitor.get("/api/me").status_code
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
        used = {id: answers for id, (answers, _) in answered.items()}
        signed_in = {id: who for id, (_, who) in answered.items()}
        return Played(said, used, signed_in, venue, page, sat, folder, running.returncode, errors)


def to_play_at(venue: dict[str, Any]) -> list[dict[str, Any]]:
    """Its tables, but for the one that is set aside for training."""
    return [table for table in venue["tables"] if not table["training"]]


def wait_for_rounds(client: httpx.Client, tables: list[str], *, deadline_s: float = DEADLINE_S) -> None:
    """Until every table has settled a round on which bets lay."""
    until = time.monotonic() + deadline_s
    waiting: dict[str, float] = {}  # a table with bets on it: how many rounds it had settled then
    while True:
        metrics = client.get("/metrics").text
        settled = {table: _metric(metrics, "rounds_total", table, "round-settled") for table in tables}
        for table in tables:
            if _metric(metrics, "staked_cents", table):
                waiting.setdefault(table, settled[table])
        if all(settled[table] > waiting.get(table, settled[table]) for table in tables):
            return
        assert time.monotonic() < until, metrics
        time.sleep(0.2)


def _metric(metrics: str, name: str, *labels: str) -> float:
    found = re.findall(rf"^natural9_{name}\{{(.*)\}} ([0-9.e+]+)$", metrics, re.MULTILINE)
    return sum(float(value) for told, value in found if all(f'"{label}"' in told for label in labels))


def use_twice(address: str, link: str) -> tuple[list[int], str]:
    """Use the code of a link as the page does, twice; and who one is then."""
    what, _, code = urlsplit(link).fragment.partition("=")
    with httpx.Client(base_url=address, timeout=SLOW_S) as client:
        if what == "enrol":
            tries = [client.post("/api/enrol", json={"code": code}) for _ in range(2)]
        else:
            body = {"code": code, "password": PASSWORD}
            tries = [client.post("/api/set-password", json=body) for _ in range(2)]
            client.post("/api/sign-in", json={"id": tries[0].json()["id"], "password": PASSWORD}).raise_for_status()
        me = client.get("/api/me").json()
        return [answer.status_code for answer in tries], (me["person"] or {}).get("role") or me["device"]["kind"]


def test_there_is_a_link_for_every_role_a_terminal_at_every_table_and_a_display(played: Played) -> None:
    roles = [link["role"] for link in played.said["doors"]]
    assert set(roles) == {*Role, "terminal", "display"}
    tables = {table["table"] for table in to_play_at(played.venue)}
    assert {link["table"] for link in played.said["doors"] if link["role"] == "terminal"} == tables


def test_a_link_keeps_its_code_behind_the_hash_and_lets_in_once(played: Played) -> None:
    for link in played.said["doors"]:
        parts = urlsplit(link["link"])
        assert (parts.query, parts.path) == ("", "/")
        first, second = played.used[link["id"]]
        assert (first, second) == (201 if parts.fragment.startswith("enrol=") else 200, 403)
        assert played.signed_in_as[link["id"]] == link["role"]


def test_the_venue_says_that_it_is_a_demo_with_automatic_and_dealer_tables(played: Played) -> None:
    assert played.venue["demo"] is True
    modes = [(table["mode"], table["game"]) for table in to_play_at(played.venue)]
    assert sorted(game for _, game in modes) == sorted(game_ids()), "a table for each of the nine games"
    assert len([mode for mode, _ in modes if mode == "automatic"]) == 7
    assert {game for mode, game in modes if mode == "dealer"} == {"rws-nc-insurance", "mbs-super-six-nc"}


def test_who_sits_down_at_the_first_moment_is_put_off_the_seat_by_no_bot(played: Played) -> None:
    assert played.visitor == 200


def test_the_page_comes_with_its_policy_and_without_inline_script(played: Played) -> None:
    assert played.page.status_code == 200
    assert played.page.headers["content-security-policy"].startswith("default-src 'self'")
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", played.page.text, re.DOTALL)
    assert scripts == [""]  # from our own address, nothing inline
    assert "style=" not in played.page.text


async def test_bots_bet_at_every_table_rounds_are_settled_and_the_journal_proves_them(played: Played) -> None:
    assert (played.code, "Traceback" in played.errors) == (0, False), played.errors
    verified, kinds = await read_journal(played.folder)
    assert verified.fault is None
    assert verified.bets > 10
    assert verified.seats_settled > 5
    for table in to_play_at(played.venue):
        for kind in ("bet-placed", "seat-settled", "round-settled"):
            assert (f"table/{table['table']}", kind) in kinds
    assert ("venue", "program-stopped") in kinds


async def test_the_dealer_bot_signs_on_and_deals_under_its_own_id(played: Played) -> None:
    dealt = [table["table"] for table in to_play_at(played.venue) if table["mode"] == "dealer"]
    store = open_store(played.folder, Access.READ)
    try:
        shifts = {(one.table, one.dealer) for one in await shift_report(store)}
        assert shifts == {(table, "bot.dealer") for table in dealt}
        assert [(await recall(store, table, 1)).dealers for table in dealt] == [("bot.dealer",)] * len(dealt)
    finally:
        await store.close()


async def read_journal(folder: Path) -> tuple[Verified, set[tuple[str, str]]]:
    store = open_store(folder, Access.READ)
    try:
        await audit(store)
        entries = await store.entries(after=0, limit=100_000)
        return await verify(store, load_game=load_game), {(entry.stream, entry.kind) for entry in entries}
    finally:
        await store.close()


def test_a_demo_that_was_kept_goes_on_and_lets_everybody_in_again(played: Played) -> None:
    done = run("demo", "--fast", "--for", "0", "--port", "0", "--bots", "0", "--folder", str(played.folder), "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert len(said["doors"]) == len(played.said["doors"])
    assert not {link["link"] for link in said["doors"]} & {link["link"] for link in played.said["doors"]}


def test_each_link_stands_on_a_line_with_its_role_and_ctrl_c_takes_all_of_it_away(tmp_path: Path) -> None:
    with demo("--fast", "--port", "0", "--bots", "2", TMPDIR=str(tmp_path)) as running:
        assert running.stdout
        said = ""
        while "Ctrl-C" not in said:
            line = running.stdout.readline()
            assert line, running.communicate()[1]
            said += line
        [folder] = tmp_path.iterdir()
        assert (folder / "journal.db").is_file()
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert "Traceback" not in errors
    assert not list(tmp_path.iterdir())
    lines = [line.split() for line in said.splitlines() if "#" in line]
    assert [" ".join(words[:-1]) for words in lines[:7]] == [role.replace("-", " ") for role in Role]
    assert all(words[-1].startswith("http://127.0.0.1:") for words in lines)


STILL_SITTING_DOWN = """
import asyncio
from natural9.cli.main import main
from natural9.server.demo import run

run.HUMAN = run.HUMAN._replace(reveal_s=30)  # a round lasts longer than a server that stops waits for it
begin_work = run.begin_work

async def begin_for_ever(*given, **more):
    await begin_work(*given, **more)
    await asyncio.Event().wait()

run.begin_work = begin_for_ever
main()
"""


def test_a_second_ctrl_c_does_not_wait_for_the_rounds(tmp_path: Path) -> None:
    with demo("--port", "0", "--bots", "6", "--json", TMPDIR=str(tmp_path)) as running:
        assert running.stdout
        assert running.stdout.readline()
        is_cut_off_by_a_second_ctrl_c(running)
    assert not list(tmp_path.iterdir())


def test_nor_does_it_while_bots_still_sit_down(tmp_path: Path) -> None:
    program = (sys.executable, "-c", STILL_SITTING_DOWN)
    with demo("--port", "0", "--bots", "6", "--json", program=program, TMPDIR=str(tmp_path)) as running:
        assert running.stdout
        said = json.loads(running.stdout.readline())
        with httpx.Client(base_url=said["address"], timeout=SLOW_S) as client:
            until = time.monotonic() + DEADLINE_S
            while not _metric(client.get("/metrics").text, "staked_cents"):
                assert time.monotonic() < until
                time.sleep(0.2)
        is_cut_off_by_a_second_ctrl_c(running)
    assert not list(tmp_path.iterdir())


def is_cut_off_by_a_second_ctrl_c(running: "subprocess.Popen[str]") -> None:
    """Long before any round would have been waited for to the end."""
    assert running.stderr
    running.send_signal(signal.SIGINT)
    while "Ctrl-C again" not in (line := running.stderr.readline()):
        assert "[warning" in line, line  # as on a machine that is slow or has few file handles
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=FINISH_S / 3)
    unexpected = [line for line in errors.splitlines() if "[warning" not in line]
    assert (running.returncode, unexpected) == (130, [])


def test_a_folder_that_is_not_a_demo_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "venue.toml").write_text("# somebody's own", encoding="utf-8")
    done = run("demo", "--for", "0", "--folder", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no demo's folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["venue.toml"]
    assert (tmp_path / "venue.toml").read_text(encoding="utf-8") == "# somebody's own"


def test_a_port_that_is_taken_is_named_with_the_way_out(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run_alone("demo", "--for", "0", "--port", str(port), TMPDIR=str(tmp_path))
    assert done.returncode == 2
    assert f"port {port} is in use or not allowed: choose another" in done.stderr
    assert "--port 0" in done.stderr
    assert not list(tmp_path.iterdir())


def test_more_bots_than_seats_are_refused() -> None:
    done = run("demo", "--for", "0", "--port", "0", "--bots", "201")
    assert done.returncode == 2
    assert "201 bots" in done.stderr
