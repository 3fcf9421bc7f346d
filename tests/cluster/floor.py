"""A venue on several machines, all on this one: its engines, a link from each node to each of them, and its nodes.

Only this file knows where engines come from; everything else runs by command lines and speaks over the wire.
"""

import asyncio
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from natural9.server.cluster.engines import EngineFailed, NatsEngine, PostgresEngine, free_port, scratch_folder
from natural9.server.cluster.keeper import keeper
from tests.nemesis.disk import small_disk
from tests.nemesis.links import Links
from tests.nemesis.node import Node

POSTGRES, NATS = "postgres", "nats"
# What a node is told in its own copy of the venue file.
CLUSTER = """
[cluster]
database = "{database}"
nats = ["{nats}"]
"""


class Floor:
    """Made by `open_floor`."""

    def __init__(self, folder: Path, postgres: PostgresEngine, nats: NatsEngine, *, has_small_disk: bool) -> None:
        self.folder, self.postgres, self.nats = folder, postgres, nats
        self.disk = postgres.folder if has_small_disk else None
        self.database = postgres.make_database("venue")
        self.nodes: dict[str, Node] = {}
        self.links: Links
        self._kept: dict[str, int] = {}

    @property
    def addresses(self) -> list[str]:
        return [node.address for node in self.nodes.values()]

    def link(self, node: str, engine: str) -> str:
        return f"{node}>{engine}"

    def make_nodes(self, names: Sequence[str], source: Path) -> None:
        """Each with its own copy of the venue's folder, as it lies there now."""
        ports = {POSTGRES: self.postgres.port or 0, NATS: self.nats.port}
        self.links = Links({self.link(name, engine): port for name in names for engine, port in ports.items()})
        for name in names:
            database = self.links.ports[self.link(name, POSTGRES)]
            nats = self.links.ports[self.link(name, NATS)]
            folder = copy_folder(
                source,
                self.folder / f"node-{name}",
                database=f"postgresql://natural9@127.0.0.1:{database}/venue",
                nats=f"nats://127.0.0.1:{nats}",
            )
            port = free_port()
            self.nodes[name] = Node(folder, name, port, "--node", name, "--port", str(port))

    def copy_keys(self, source: str) -> None:
        """As an operator does before another machine comes."""
        for key in self.nodes[source].folder.glob("*.key"):
            for node in self.nodes.values():
                if node.name != source:
                    shutil.copy(key, node.folder)

    async def start(self, *names: str) -> None:
        """All, or these; together."""
        for name in names or self.nodes:
            self.begin(name)
        await asyncio.gather(*(self.nodes[name].up() for name in names or self.nodes))

    def begin(self, name: str) -> None:
        """It ends with us, even if we are killed."""
        self._forget(name)
        self.nodes[name].begin()
        self._kept[name] = self.nodes[name].pid
        keeper().end(self._kept[name], signal.SIGKILL)

    def _forget(self, name: str) -> None:
        """Its number may be another's by now."""
        if pid := self._kept.pop(name, 0):
            keeper().forget(pid)

    async def run(self, *words: str) -> tuple[int, str]:
        """A command of the program; its exit status, and what it says."""
        done = await asyncio.to_thread(
            subprocess.run, program(*words), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        return done.returncode, (done.stdout + done.stderr).strip()

    async def owners(self) -> dict[str, str]:
        """Who owns each stream, by the database itself; nobody while that is away."""
        sql = "SELECT name, owner FROM natural9.stream"
        try:
            said = await asyncio.to_thread(self.postgres.psql, sql, "venue")
        except EngineFailed:
            return {}
        return dict(line.split("|", 1) for line in said.splitlines())

    async def end(self) -> None:
        await asyncio.gather(*(node.clear_away() for node in self.nodes.values()))
        for name in self.nodes:
            self._forget(name)
        if self.nodes:
            self.links.end()


@asynccontextmanager
async def open_floor(*, durable: bool = False, on_small_disk: bool = False) -> AsyncIterator[Floor]:
    """Engines at work, and nobody else yet; in the end everything is gone."""
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        (folder / POSTGRES).mkdir()
        small = on_small_disk and stack.enter_context(small_disk(folder / POSTGRES))
        postgres = PostgresEngine(folder / POSTGRES, port=free_port(), durable=durable)
        stack.callback(postgres.close)
        nats = NatsEngine(folder / NATS)
        stack.callback(nats.stop)
        await asyncio.to_thread(postgres.start)
        await asyncio.to_thread(nats.start)
        floor = Floor(folder, postgres, nats, has_small_disk=bool(small))
        try:
            yield floor
        finally:
            await floor.end()


def copy_folder(source: Path, target: Path, *, database: str, nats: str) -> Path:
    """A machine's own: the venue file, with the addresses that this machine sees, and the keys."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("log*", "journal*", "alive"))
    file = target / "venue.toml"
    text = re.sub(r"\n\[cluster\]\n.*?(?=\n\[|\Z)", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    file.write_text(text + CLUSTER.format(database=database, nats=nats), encoding="utf-8")
    return target


def program(*words: str) -> list[str]:
    return [sys.executable, "-m", "natural9", *words]
