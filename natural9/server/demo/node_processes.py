"""The nodes of a demo, each a process of its own."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx

from natural9.core.errors import BadInput
from natural9.server.cluster.engines import free_port
from natural9.server.cluster.keeper import keeper
from natural9.server.demo.crew import TLS
from natural9.server.demo.floor import HOST
from natural9.server.demo.run import DemoNode

ANSWER_S: Final = 1.0  # a node that does not say within it that it is ready is passed by


class NodeProcess:
    def __init__(self, folder: Path, name: str) -> None:
        self.name, self.port = name, free_port()
        self.address = f"http://{HOST}:{self.port}"
        self.log = folder / f"{name}.log"
        command = [sys.executable, "-m", "natural9.server.demo.node", str(folder), name, str(self.port)]
        with self.log.open("wb") as log:  # a session of its own: Ctrl-C is for the demo, which ends it in order
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        keeper().end(self._process.pid, signal.SIGKILL)

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    @property
    def shown(self) -> DemoNode:
        return DemoNode(name=self.name, url=self.address, pid=self._process.pid, log=str(self.log))

    async def is_ready(self) -> bool | None:
        """None where it does not answer."""
        try:
            async with httpx.AsyncClient(verify=TLS, timeout=ANSWER_S) as client:
                return (await client.get(f"{self.address}/readyz")).is_success
        except httpx.HTTPError:
            return None

    def check(self) -> None:
        """BadInput with its last words, if it has ended."""
        if self.has_ended:
            said = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            raise BadInput("node-ended", f"{self.name} has ended: {said[-1] if said else 'it said nothing'}")

    def ask_to_stop(self) -> None:
        self._process.send_signal(signal.SIGTERM)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        keeper().forget(self._process.pid)


@contextmanager
def node_processes(folder: Path, nodes: int) -> Iterator[list[NodeProcess]]:
    """So many, started; whatever runs of them afterwards is killed."""
    processes: list[NodeProcess] = []
    try:
        for number in range(1, nodes + 1):
            processes.append(NodeProcess(folder, f"node-{number}"))  # noqa: PERF401  # what was started is ended
        yield processes
    finally:
        for process in processes:
            process.end()


async def until_ready(processes: list[NodeProcess], *, wait_s: float) -> None:
    """BadInput where one ends instead, or takes too long."""
    try:
        async with asyncio.timeout(wait_s):
            for process in processes:
                while not await process.is_ready():
                    process.check()
                    await asyncio.sleep(0.1)
    except TimeoutError:
        raise BadInput("node-late", f"the nodes are not ready after {wait_s:g} s: see {processes[0].log}") from None


async def drained(processes: list[NodeProcess]) -> None:
    """Each ends its rounds, and then itself."""
    for process in processes:
        process.ask_to_stop()
    while not all(process.has_ended for process in processes):
        await asyncio.sleep(0.05)
