"""Three nodes by the files of `container/three-nodes/`, without containers: one is killed, and the venue plays on.

The nodes and NATS are started by the very commands of `compose.yaml`, with its secrets; only places are others.
PostgreSQL and NATS come from their wheels. It takes half a minute, so it is run by `make deploy-test` alone."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from natural9.deploy.files import text_of
from natural9.server.cluster.engines import NatsEngine, PostgresEngine, free_port, scratch_folder
from tests.deploy.tools import run_tool

HOST = "127.0.0.1"
WAIT_S = 240.0
CODE = r"works once: ([0-9A-Z-]+)"
ADA = {"id": "ada", "name": "Ada", "password": "nine chips on the rail"}
NAMES = ("node-1", "node-2", "node-3")

pytestmark = pytest.mark.skipif("DEPLOY_TEST" not in os.environ, reason="three nodes take long: make deploy-test")


def compose() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load(text_of("container/three-nodes/compose.yaml"))["services"]
    return services


def command_of(service: str, secrets: Path, **places: object) -> list[str]:
    """As compose starts it, where a container's places are this machine's."""
    one = compose()[service]
    script = one["command"][0].replace("$$", "$").replace("/run/secrets", str(secrets))
    for written, here in places.items():
        assert written in script, f"{written} is not in {script}"
        script = script.replace(written, str(here))
    return [*one["entrypoint"], script]


class NatsByCompose(NatsEngine):
    def __init__(self, folder: Path, secrets: Path) -> None:
        super().__init__(folder)
        self._secrets = secrets

    def _command(self) -> list[str]:
        conf = self.folder / "nats.conf"
        conf.write_text(text_of("container/three-nodes/nats.conf").replace("4222", str(self.port)), encoding="utf-8")
        here = {"nats-server": self._binary, "/etc/nats.conf": f"{conf} -a {HOST} -P {self._pid_file()}"}
        return command_of("nats", self._secrets, **here)


def venue_in(folder: Path, database: str, nats: str) -> None:
    folder.mkdir()
    example = files("natural9.table.venue").joinpath("example.toml").read_text(encoding="utf-8")
    part = text_of("container/three-nodes/venue.toml.part").split("\n[cluster]")
    server = re.sub(
        r"^\[server\].*?(?=^# What protects)", lambda _: part[0] + "\n\n", example, flags=re.DOTALL | re.MULTILINE
    )
    cluster = "\n[cluster]" + part[1].replace("postgresql://natural9@database/venue", database)
    (folder / "venue.toml").write_text(server + cluster.replace("nats://nats:4222", nats), encoding="utf-8")


@contextmanager
def process(*command: str, log: Path, **environment: str) -> Iterator["subprocess.Popen[bytes]"]:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # where natural9 is
    with log.open("wb") as said:
        one = subprocess.Popen(command, stdout=said, stderr=said, env={**os.environ, "PATH": path, **environment})
    try:
        yield one
    finally:
        one.kill()
        one.wait()


def wait_for(what: str, is_so: Callable[[], bool]) -> float:
    began = time.monotonic()
    while not is_so():
        assert time.monotonic() < began + WAIT_S, f"not {what} after {WAIT_S:g} s"
        time.sleep(0.05)
    return time.monotonic() - began


def is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/readyz", timeout=2).status_code == 200
    except httpx.HTTPError:
        return False


def owners(venue: Path) -> dict[str, str]:
    """Who has each stream; "" where that is nobody alive."""
    command = [sys.executable, "-m", "natural9", "nodes", str(venue), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)["streams"] if done.returncode in (0, 1) else []
    return {one["stream"]: one["node"] if one["is_played"] else "" for one in found}


@pytest.mark.parametrize("service", ["node-1", "nats"])
def test_a_password_that_cannot_be_read_is_not_an_empty_one(service: str, tmp_path: Path) -> None:
    done = subprocess.run(command_of(service, tmp_path / "none"), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.fullmatch(r"cat: .*: No such file or directory\n", done.stderr), "and nothing was started"


def test_a_node_is_killed_and_the_venue_plays_on(tmp_path: Path) -> None:
    run_tool("haproxy", "-v")
    with ExitStack() as undo:
        scratch = undo.enter_context(scratch_folder())
        (secrets := scratch / "secrets").mkdir()
        for name, word in (("database", "dbpassword"), ("nats", "n9password")):
            (secrets / name).write_text(word)
        postgres, nats = PostgresEngine(scratch / "postgres", durable=False), NatsByCompose(scratch / "nats", secrets)
        undo.callback(postgres.close)
        undo.callback(nats.stop)
        postgres.start()
        nats.start()
        venue = tmp_path / "venue"
        venue_in(venue, postgres.make_database(), nats.address)
        ports = {name: free_port() for name in NAMES}
        nodes = {}
        for name, port in ports.items():
            here = {"/venue": venue, "--host 0.0.0.0": f"--host {HOST} --port {port}"}
            serve = command_of(name, secrets, **here)
            environment = compose()[name]["environment"]
            nodes[name] = undo.enter_context(process(*serve, log=tmp_path / f"{name}.log", **environment))
            wait_for(f"{name} ready", lambda port=port: is_ready(f"http://{HOST}:{port}"))  # type: ignore[misc]
        front = free_port()
        text = text_of("container/three-nodes/haproxy.cfg").replace("bind :8909", f"bind {HOST}:{front}")
        text = text.replace("maxconn 40000", "maxconn 1000")  # the limits of a test's process
        for name, port in ports.items():
            text = text.replace(f"{name}:8909", f"{HOST}:{port}")
        (tmp_path / "haproxy.cfg").write_text(text, encoding="utf-8")
        haproxy = "/usr/sbin/haproxy", "-db", "-f", str(tmp_path / "haproxy.cfg")
        undo.enter_context(process(*haproxy, log=tmp_path / "haproxy.log"))
        balancer = f"http://{HOST}:{front}"
        wait_for("reached through the balancer", lambda: is_ready(balancer))
        wait_for("spread over three", lambda: set(owners(venue).values()) == set(NAMES))
        assert httpx.get(f"{balancer}/metrics").status_code == 403
        ada = undo.enter_context(httpx.Client(base_url=balancer, timeout=30))
        office = tmp_path / f"{owners(venue)['venue']}.log"
        code = re.findall(CODE, office.read_text())[-1]
        claimed = ada.post("/api/claim-administrator", json={"code": code, **ADA})
        assert claimed.status_code == 201, claimed.text
        nodes["node-2"].kill()
        moved_s = wait_for("all at the two that live", lambda: set(owners(venue).values()) == {"node-1", "node-3"})
        back_s = wait_for("answered", lambda: all(is_ready(balancer) for _ in range(6)))
        seen = [ada.get("/api/me") for _ in range(6)]
        assert [one.json()["person"]["id"] for one in seen] == ["ada"] * 6, "the cookie is good at every node"
        dora = {"id": "dora", "name": "Dora", "role": "dealer"}
        hired = ada.post("/api/staff", json=dora, headers={"x-csrf-token": claimed.json()["csrf"]})
        assert hired.status_code == 201, hired.text
        print(f"killed: its tables were elsewhere after {moved_s:.1f} s, the balancer answers {back_s:.1f} s later")
        for name in ("node-1", "node-3"):
            nodes[name].terminate()
            assert nodes[name].wait() == 0
        verify = [sys.executable, "-m", "natural9", "verify", str(venue)]
        assert "holds" in subprocess.run(verify, capture_output=True, text=True, check=True).stdout
