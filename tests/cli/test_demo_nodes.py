"""`natural9 demo --nodes`: of real processes one is killed; its tables come back elsewhere, and nothing is lost."""

import fcntl
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import httpx
import pytest

from natural9.server.cluster.engines import PostgresEngine, scratch_folder
from natural9.server.cluster.keeper import is_alive
from tests import json_page
from tests.cli.test_command import run
from tests.cli.test_demo import demo

LONGEST_S = 200


@pytest.fixture
def folder() -> Iterator[Path]:
    with scratch_folder() as scratch:
        yield scratch / "venue"


def test_the_tables_of_a_node_that_is_killed_come_back_and_ctrl_c_ends_all_of_it(folder: Path) -> None:
    arguments = ("--nodes", "2", "--fast", "--port", "0", "--bots", "9", "--folder", str(folder), "--json")
    with demo(*arguments) as running, too_long(running):
        assert running.stdout
        assert running.stderr
        line = running.stdout.readline()
        assert line, running.communicate()[1]
        said = json.loads(line)
        json_page.hold("demo", said)
        first, second = said["nodes"]
        assert (said["postgres"].partition("://")[0], said["nats"].partition("://")[0]) == ("postgresql", "nats")
        assert until_same(lambda: tables_measured(first["url"]), lambda: streams_at(folder, "node-1") - {"venue"})
        lost = streams_at(folder, "node-1")
        assert lost
        assert streams_at(folder, "node-2")
        os.kill(first["pid"], signal.SIGKILL)
        told, again = "", f"node-1 has ended; to start it again, in another window: natural9 serve {folder} --node"
        while lost or again not in told:
            line = running.stderr.readline()
            assert line, told
            told += line
            if moved := re.fullmatch(r"(.+): from node-1\b.* to node-2\b.*\n", line):
                lost -= {"venue" if name == "the office" else name for name in moved[1].split(", ")}
        with httpx.Client(base_url=said["address"], timeout=60) as browser:
            entered = browser.post("/api/demo/enter", json={"role": "terminal", "table": "nc-1"})
            assert entered.is_success, entered.text
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=120)
    assert (running.returncode, "Traceback" in errors) == (0, False), errors
    assert not is_alive(second["pid"])
    assert verified(folder) == 0


@contextmanager
def too_long(running: "subprocess.Popen[str]") -> Iterator[None]:
    """What says nothing more is killed: then there is nothing left to wait for."""
    timer = Timer(LONGEST_S, running.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def streams_at(folder: Path, node: str) -> set[str]:
    """By `natural9 nodes`: tables, and venue for the office."""
    shown = json.loads(run("nodes", str(folder), "--json").stdout)
    [one] = [row for row in shown if row["node"] == node]
    return {table["id"] for table in one["tables"]} | ({"venue"} if one["office"] else set())


def until_same(one: Callable[[], set[str]], other: Callable[[], set[str]]) -> bool:
    """A table may be on its way just now."""
    return any(one() == other() for _ in range(20))


def tables_measured(address: str) -> set[str]:
    """Those that a node's /metrics speaks of: its own, and as many as it says that it has."""
    text = httpx.get(f"{address}/metrics", timeout=60).text
    tables = set(re.findall(r'^natural9_queued_commands\{table="(.+)"\}', text, re.MULTILINE))
    has = re.search(r"^natural9_node_streams (\d+)\.0$", text, re.MULTILINE)
    return tables if has and int(has[1]) in (len(tables), len(tables) + 1) else set()


def verified(folder: Path) -> int:
    """The exit status of `natural9 verify`, with the database that the demo has left behind."""
    engine = PostgresEngine(folder / "engines" / "postgres")
    assert engine.pid is None
    engine.start()
    try:
        return run("verify", engine.address()).returncode
    finally:
        engine.close()


def test_how_many_nodes_there_can_be() -> None:
    assert "--nodes 1 is out of range: give 2 to 9" in run("demo", "--nodes", "1").stderr


def test_a_folder_of_another_kind_of_demo_or_of_one_that_runs_is_left_alone(tmp_path: Path) -> None:
    mark = tmp_path / "this-is-a-demo"
    mark.touch()
    (tmp_path / "journal.db").touch()
    assert "is the folder of a demo without --nodes: name another one" in refusal(tmp_path, "--nodes", "2")
    (tmp_path / "journal.db").unlink()
    with mark.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert "another demo runs in" in refusal(tmp_path, "--nodes", "2")
    (tmp_path / "engines").mkdir()
    assert "is the folder of a demo with --nodes: give that, or name another one" in refusal(tmp_path)


def refusal(folder: Path, *options: str) -> str:
    done = run("demo", "--folder", str(folder), "--port", "0", *options)
    assert done.returncode == 2
    return done.stderr
