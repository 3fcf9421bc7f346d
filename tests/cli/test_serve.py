"""`natural9 serve` on the command line: where it listens, and which process of several it is."""

import socket
from pathlib import Path

import pytest

from tests.cli.test_command import run
from tests.server.live_server import table, venue_file

CLUSTER = '[cluster]\nnats = ["nats://127.0.0.1:4222"]\n'
DATABASE = 'database = "postgresql://db.example/venue"\n'


def refusal(folder: Path, *options: str, cluster: str = "") -> str:
    (folder / "venue.toml").write_text(venue_file(table("a", "rws-nc")) + cluster)
    done = run("serve", str(folder), *options)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_a_node_needs_a_cluster_and_a_cluster_needs_nodes(tmp_path: Path) -> None:
    assert "has no [cluster], so one process has all tables: no --node" in refusal(tmp_path, "--node", "node-1")
    named = refusal(tmp_path, cluster=CLUSTER + DATABASE)
    assert f"has [cluster], so each process has a name: natural9 serve {tmp_path} --node node-1" in named
    assert "'Node 1' cannot name a node" in refusal(tmp_path, "--node", "Node 1", cluster=CLUSTER + DATABASE)


def test_nodes_need_a_database(tmp_path: Path) -> None:
    assert f"[cluster] database in {tmp_path}/venue.toml" in refusal(tmp_path, "--node", "a", cluster=CLUSTER)
    (tmp_path / "journal.db").touch()
    moved = refusal(tmp_path, "--node", "a", cluster=CLUSTER + DATABASE)
    assert f"are a file: natural9 move {tmp_path} postgresql://db.example/venue" in moved
    (tmp_path / "journal.postgresql").write_text("postgresql://db.example/other")
    assert "which of them is it?" in refusal(tmp_path, "--node", "a", cluster=CLUSTER + DATABASE)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--port", "70000"), "--port 70000 is out of range: give 0 to 65535"),
        (("--host", "0.0.0.0"), "0.0.0.0 can be reached from other machines"),
        (("--host", ""), "an empty host is every address"),
    ],
)
def test_where_it_cannot_listen_is_said(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    assert why in refusal(tmp_path, *options)


def test_a_port_that_is_taken_is_named_and_nothing_is_begun(tmp_path: Path) -> None:
    (tmp_path / "venue.toml").write_text(venue_file(table("a", "rws-nc")))
    with socket.create_server(("127.0.0.2", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", str(tmp_path), "--host", "127.0.0.2", "--port", str(port))
    assert (done.returncode, done.stderr) == (
        2,
        f"natural9: port {port} of 127.0.0.2 cannot be used: Address already in use\n",
    )
    assert [one.name for one in tmp_path.iterdir()] == ["venue.toml"]
