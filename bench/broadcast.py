"""One event to 2,000 connected terminals: the server's WebSockets (uvicorn and our adapter) against bare picows.

Both servers run as processes of their own, the clients in this one; events go out in turn in one run, the next when
every client has the last. Counted are the time until the last client has it, and what the server alone spends on
sending it (best of many turns). Aim: at least 0.7 of bare picows. Memory is the server's growth per connection, with
read buffers of the same size.
"""

import asyncio
import gc
import json
import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

import uvicorn
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect, ws_create_server

from natural9.server.upgrade import FIRST_BUFFER_BYTES, websocket_protocol
from natural9.server.websocket import Connection, Handshake, broadcast

CLIENTS = 2_000
TURNS = 150
AT_ONCE = 100  # connects in flight
EVENT = json.dumps({"sequence": 1, "table": "tiger-1", "cards": ["4S", "2H"] * 60}).encode().ljust(1_000)


def resident_bytes() -> int:
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def report(seconds: list[float]) -> bytes:
    return json.dumps({"resident": resident_bytes(), "seconds": seconds}).encode()


class Ours:
    """A listener of our adapter: `deal` sends the event to everyone, anything else asks for the figures."""

    def __init__(self) -> None:
        self.open: set[Connection] = set()
        self.seconds: list[float] = []

    def opening(self, handshake: Handshake) -> object:
        return None

    def opened(self, connection: Connection) -> None:
        self.open.add(connection)

    def message(self, connection: Connection, message: bytes) -> None:
        if message != b"deal":
            connection.send(report(self.seconds))
            return
        start = time.perf_counter()
        broadcast(self.open, EVENT)
        self.seconds.append(time.perf_counter() - start)

    def closed(self, connection: Connection) -> None:
        self.open.discard(connection)


async def no_page(scope: Any, receive: Any, send: Any) -> None:
    raise AssertionError("nobody asks for a page here")


async def serve_ours(pipe: Pipe) -> None:
    config = uvicorn.Config(
        no_page, ws=websocket_protocol(Ours()), http="httptools", port=0, lifespan="off", log_config=None, backlog=4096
    )
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    pipe.send(server.servers[0].sockets[0].getsockname()[1])
    await asyncio.Event().wait()


class Bare(WSListener):
    """The same with picows alone."""

    open: set[WSTransport] = set()  # noqa: RUF012  # one server a process
    seconds: list[float] = []  # noqa: RUF012

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.open.add(transport)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.open.discard(transport)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.get_payload_as_bytes() != b"deal":
            transport.send(WSMsgType.TEXT, report(self.seconds))
            return
        start = time.perf_counter()
        for each in self.open:
            each.send(WSMsgType.TEXT, EVENT)
        self.seconds.append(time.perf_counter() - start)


async def serve_bare(pipe: Pipe) -> None:
    server = await ws_create_server(
        lambda _: Bare(), "127.0.0.1", 0, backlog=4096, read_buffer_init_size=FIRST_BUFFER_BYTES
    )
    pipe.send(server.sockets[0].getsockname()[1])
    await asyncio.Event().wait()


def run_server(which: Callable[[Pipe], Any], pipe: Pipe) -> None:
    uvloop.run(which(pipe))


class Crowd:
    """The clients of one server."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.transports: list[WSTransport] = []
        self.missing = 0
        self.answered = asyncio.Event()
        self.answer = b""
        self.turns: list[float] = []

    async def enter(self, port: int) -> None:
        crowd = self

        class Client(WSListener):
            def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
                crowd.missing -= 1
                if crowd.missing <= 0:
                    crowd.answer = frame.get_payload_as_bytes()
                    crowd.answered.set()

        url = f"ws://127.0.0.1:{port}/"
        resident: list[int] = []
        while len(self.transports) < CLIENTS:
            some = await asyncio.gather(*(ws_connect(Client, url) for _ in range(AT_ONCE)))
            self.transports += [transport for transport, _ in some]
            resident.append((await self.figures())["resident"])
        self.bytes_each = (resident[-1] - resident[0]) / (CLIENTS - AT_ONCE)

    async def ask(self, message: bytes, answers: int) -> bytes:
        self.missing = answers
        self.answered.clear()
        self.transports[0].send(WSMsgType.TEXT, message)
        await asyncio.wait_for(self.answered.wait(), 60)
        return self.answer

    async def figures(self) -> dict[str, Any]:
        figures: dict[str, Any] = json.loads(await self.ask(b"figures", 1))
        return figures

    async def turn(self) -> None:
        start = time.perf_counter()
        assert await self.ask(b"deal", CLIENTS) == EVENT
        self.turns.append(time.perf_counter() - start)


async def visit(ports: dict[str, int]) -> None:
    crowds = [Crowd(name) for name in ports]
    for crowd in crowds:
        await crowd.enter(ports[crowd.name])
    for _ in range(TURNS):
        for crowd in crowds:
            await crowd.turn()
    sending = [min((await crowd.figures())["seconds"]) for crowd in crowds]
    arriving = [min(crowd.turns) for crowd in crowds]
    print(f"one event of {len(EVENT):,} bytes to {CLIENTS:,} clients, {TURNS} turns each, the best of each")
    for crowd, sent, arrived in zip(crowds, sending, arriving, strict=True):
        print(
            f"{crowd.name:20} all have it in {arrived * 1e3:6.2f} ms; sending takes {sent * 1e3:6.2f} ms,"
            f" {sent / CLIENTS * 1e6:5.2f} us each; {crowd.bytes_each / 1e3:5.1f} kB a connection"
        )
    print(f"until all have it  {arriving[0] / arriving[1]:.2f} of bare picows (aim: at least 0.7)")
    print(f"sending alone      {sending[0] / sending[1]:.2f} of bare picows")


def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < 2 * CLIENTS + 100:
        sys.exit(f"this run needs {2 * CLIENTS + 100} open files, the limit is {most}: raise it with ulimit -n")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    spawn = multiprocessing.get_context("spawn")
    ports, servers = {}, []
    for name, which in (("bare picows", serve_bare), ("uvicorn and adapter", serve_ours)):
        here, there = spawn.Pipe()
        server = spawn.Process(target=run_server, args=(which, there), daemon=True)
        server.start()
        servers.append(server)
        ports[name] = here.recv()
    try:
        uvloop.run(visit(ports))
    finally:
        for server in servers:
            server.terminate()


if __name__ == "__main__":
    main()
