"""Who does the work: threads, and a real Dask cluster on this machine."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from natural9.core.errors import BadInput
from natural9.games import load_game
from natural9.odds import workers
from natural9.odds.bankroll import MARTINGALE, Plan, simulate_sessions
from natural9.odds.simulation import BLOCK_ROUNDS, simulate
from natural9.odds.workers import Crew, cluster, cores, threads, work_through
from natural9.server.cluster.engines import free_port

ROOT = Path(__file__).parents[2]
PATIENT_S = 45.0  # a worker of a busy machine may take long to start


def started(*arguments: str, cwd: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]],
        cwd=cwd,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and two workers, each a process of its own, as they would be on three machines."""
    folder, port = tmp_path_factory.mktemp("dask"), str(free_port())
    address = f"tcp://127.0.0.1:{port}"
    running = [started("dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", cwd=folder)]
    worker = ("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
    running += [started(*worker, cwd=folder) for _ in range(2)]
    try:
        _wait_until_it_answers(int(port))
        yield address
    finally:
        for process in running:
            process.kill()  # a worker asked to end may wait long for its scheduler
            process.wait()


def _wait_until_it_answers(port: int) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the scheduler did not start")


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_dies_on_the_way_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ANSWER_WITHIN_S", PATIENT_S)
    monkeypatch.setattr(workers, "WORKERS_WITHIN_S", PATIENT_S)
    port = str(free_port())
    address = f"tcp://127.0.0.1:{port}"
    running = [started("dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", cwd=tmp_path)]
    worker = ("dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
    running.append(started(*worker, cwd=tmp_path))

    def pull_the_plug(_rounds: int) -> None:
        for process in running:
            process.kill()

    try:
        _wait_until_it_answers(int(port))
        with pytest.raises(BadInput, match="was lost on the way"), cluster(address) as crew:
            simulate(load_game("mbs-nc"), rounds=10**12, seed=1, crew=crew, progress=pull_the_plug)
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.mark.filterwarnings("default")
def test_a_cluster_plays_the_same_rounds_and_sessions(scheduler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ANSWER_WITHIN_S", PATIENT_S)
    monkeypatch.setattr(workers, "WORKERS_WITHIN_S", PATIENT_S)
    game, rounds = load_game("mbs-tiger"), 20 * BLOCK_ROUNDS + 1
    plan = Plan("banker", MARTINGALE, unit_cents=10_00, bankroll_cents=1000_00, rounds=50, table_max_cents=500_00)
    here, sessions_here = simulate(game, rounds=rounds, seed=9), simulate_sessions(game, plan, sessions=3000, seed=9)
    with cluster(scheduler) as crew:
        assert 1 <= crew.size <= 2
        there = simulate(game, rounds=rounds, seed=9, crew=crew)
        sessions_there = simulate_sessions(game, plan, sessions=3000, seed=9, crew=crew)
    assert (there.histogram == here.histogram).all()
    assert there.shoes == here.shoes
    assert sessions_there.result == sessions_here.result


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:{port}", "127.0.0.1:{port}", "nonsense://x", "localhost:what"])
def test_a_scheduler_that_does_not_answer(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ANSWER_WITHIN_S", 0.5)
    start = time.monotonic()
    with pytest.raises(BadInput, match="no scheduler answers at"), cluster(address.format(port=free_port())):
        pass
    assert time.monotonic() - start < PATIENT_S  # it does not wait for ever


@pytest.mark.filterwarnings("default")
def test_a_scheduler_without_workers(tmp_path: Path) -> None:
    """Asked by a process of its own: what Dask leaves behind of clusters that died may hold up its next client."""
    port = str(free_port())
    alone = started("dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard", cwd=tmp_path)
    asking = f"""
from natural9.core.errors import BadInput
from natural9.odds import workers
workers.ANSWER_WITHIN_S, workers.WORKERS_WITHIN_S = {PATIENT_S}, 0.5
try:
    with workers.cluster("tcp://127.0.0.1:{port}"):
        pass
except BadInput as error:
    print(error.message)
"""
    try:
        _wait_until_it_answers(int(port))
        said = subprocess.run([sys.executable, "-c", asking], cwd=ROOT, capture_output=True, text=True, check=True)
    finally:
        alone.kill()
        alone.wait()
    assert "has no workers: start one with: dask worker tcp://127.0.0.1" in said.stdout


@pytest.mark.filterwarnings("default")
def test_something_else_listens_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ANSWER_WITHIN_S", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(BadInput, match="no scheduler answers at"), cluster(address):
            pass


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(workers, "import_module", missing)
    with pytest.raises(BadInput, match="natural9\\[dask\\]"), cluster("tcp://127.0.0.1:1"):
        pass


@pytest.mark.parametrize("count", [0, -3, 5000])
def test_nonsense_instead_of_a_number_of_workers(count: int) -> None:
    with pytest.raises(BadInput, match="workers"), threads(count):
        pass


def test_a_worker_a_core() -> None:
    with threads() as crew:
        assert crew.size == cores() >= 1


def test_little_is_handed_out_at_once() -> None:
    handed_out = 0

    def pieces() -> Iterator[int]:
        nonlocal handed_out
        for piece in range(10**9):
            handed_out += 1
            yield piece

    with ThreadPoolExecutor(2) as executor:
        results = work_through(lambda piece: piece * piece, pieces(), Crew(executor, 2))
        assert {next(results) for _ in range(20)} >= {0, 1, 4}
        results.close()  # type: ignore[attr-defined]  # it is a generator, and Ctrl-C ends it so
    assert handed_out < 100


def test_a_mistake_in_a_task_is_heard() -> None:
    with threads(2) as crew, pytest.raises(ZeroDivisionError):
        list(work_through(lambda piece: 1 // piece, [3, 2, 1, 0], crew))
