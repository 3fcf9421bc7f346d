"""What the way over NATS adds to a bet: 1,000 bets a second at a table, asked at its own node and at another.

Two real nodes, PostgreSQL with its default durability and NATS, all on this machine. Each terminal bets at its own
pace, whether the one before was answered or not; those at the table's node and those at the other take turns. Aim: at
p99 at most 5 ms more. `python -m bench.carried`.
"""

import asyncio
import json
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport

from bench.live_server import TABLE, LiveServer, allow_open_files, prepare, write_venue
from natural9.server.cluster.engines import running_engines, scratch_folder
from natural9.table.venue.venue import VENUE_FILE

TERMINALS = 250  # at each node
BETS_A_SECOND = 1_000
TURN_S = 4.0
TURNS = 6
AIM_MS = 5.0
BET = b'{"type":"bet","request":"%d","round":1,"wager":"player","cents":100}'
REGISTERED = b'{"type":"registered"'


class BettingTerminal(WSListener):
    """Tells how long each answer took."""

    numbers = count(1)

    def __init__(self, took: list[float], wrong: list[bytes]) -> None:
        self.took, self.wrong = took, wrong
        self.asked: dict[str, float] = {}

    def on_ws_connected(self, transport: WSTransport) -> None:
        self._transport = transport

    def bet(self) -> None:
        request = next(self.numbers)
        self.asked[str(request)] = time.perf_counter()
        self._transport.send(WSMsgType.TEXT, BET % request)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        message = frame.get_payload_as_bytes()
        if message.startswith(REGISTERED):
            now = time.perf_counter()
            for request in msgspec.json.decode(message)["requests"]:
                self.took.append(now - self.asked.pop(request))
        elif frame.msg_type == WSMsgType.CLOSE or message.startswith((b'{"type":"refused"', b'{"type":"halted"')):
            self.wrong.append(message)


@asynccontextmanager
async def node(folder: Path, name: str, cookies: list[str]) -> AsyncIterator[LiveServer]:
    said = folder / f"log.{name}"
    command = (sys.executable, "-m", "natural9", "serve", str(folder), "--node", name, "--port", "0")
    with said.open("wb") as log:
        process = await asyncio.create_subprocess_exec(*command, stderr=log)
    try:
        while not (found := re.search(r" at (http://\S+)", said.read_text())):
            if process.returncode is not None:
                sys.exit(said.read_text())
            await asyncio.sleep(0.05)
        yield LiveServer(found[1], process.pid, folder, cookies)
    finally:
        process.kill()
        await process.wait()


async def owners(folder: Path) -> dict[str, str]:
    """Which node has which stream, once all are played."""
    while True:
        command = (sys.executable, "-m", "natural9", "nodes", str(folder), "--json")
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        shown, _ = await process.communicate()
        if process.returncode == 0:
            streams: list[dict[str, Any]] = json.loads(shown)["streams"]
            return {one["stream"]: one["node"] for one in streams}
        await asyncio.sleep(0.2)


async def turn(terminals: list[BettingTerminal], seconds: float) -> list[float]:
    """How long the answers took."""
    took = terminals[0].took
    took.clear()
    pause_s = len(terminals) / BETS_A_SECOND
    begun = time.perf_counter()

    async def play(place: int, one: BettingTerminal) -> None:
        for number in count():
            at = begun + (number + place / len(terminals)) * pause_s
            if at > begun + seconds:
                return
            await asyncio.sleep(at - time.perf_counter())
            one.bet()

    await asyncio.gather(*[play(*one) for one in enumerate(terminals)])
    while any(one.asked for one in terminals):
        await asyncio.sleep(0.01)
    return list(took)


def p(parts: list[float], hundredth: int) -> float:
    return sorted(parts)[len(parts) * hundredth // 100] * 1e3


async def compare(here: LiveServer, there: LiveServer) -> None:
    wrong: list[bytes] = []
    sides: dict[str, list[BettingTerminal]] = {}
    for name, server, first in (("own", here, 1), ("other", there, TERMINALS + 1)):
        took: list[float] = []
        sides[name] = [BettingTerminal(took, wrong) for _ in range(TERMINALS)]
        await asyncio.gather(*[server.connect(first + place, one) for place, one in enumerate(sides[name])])
    await there.open_table()
    await asyncio.sleep(1)
    for terminals in sides.values():  # warm
        await turn(terminals, 1.0)
    took_s: dict[str, list[list[float]]] = {"own": [], "other": []}
    cpu_us: dict[str, list[float]] = {"own": [], "other": []}
    for number in range(TURNS * 2):
        name = ("own", "other")[number % 2]
        before = [sum(here.cpu_s()), sum(there.cpu_s())]
        took_s[name].append(await turn(sides[name], TURN_S))
        spent = [sum(here.cpu_s()) - before[0], sum(there.cpu_s()) - before[1]]
        cpu_us[name].append(sum(spent) / len(took_s[name][-1]) * 1e6)
    if wrong:
        sys.exit(f"{len(wrong)} bets were not registered, the first: {wrong[0]!r}")
    print(f"{BETS_A_SECOND:,} bets a second of {TERMINALS} terminals, {TURNS} turns of {TURN_S:.0f} s at each node")
    for name, words in (("own", "at the table's node"), ("other", "at another node  ")):
        ends = [p(one, 99) for one in took_s[name]]
        middle = statistics.median(p(one, 50) for one in took_s[name])
        p99 = f"{statistics.median(ends):.2f} ms ({min(ends):.2f} to {max(ends):.2f})"
        cost = f"{statistics.median(cpu_us[name]):.0f} us of both nodes' processors a bet"
        print(f"{words}  p50 {middle:.2f} ms, p99 {p99}, {cost}")
    pairs = zip(took_s["own"], took_s["other"], strict=True)
    added = statistics.median(p(far, 99) - p(near, 99) for near, far in pairs)
    print(f"the way over NATS adds {added:.2f} ms at p99 (aim: at most {AIM_MS:.0f} ms)")


async def run(folder: Path, database: str, nats: str) -> None:
    write_venue(folder, [TABLE], terminals=2 * TERMINALS, betting_s=3600)
    (folder / "journal.postgresql").write_text(database + "\n")
    [cookies] = (await prepare(folder, 2 * TERMINALS)).values()
    with (folder / VENUE_FILE).open("a") as venue:
        venue.write(f'\n[cluster]\nnats = ["{nats}"]\n')
    async with node(folder, "a", cookies) as a, node(folder, "b", cookies) as b:
        await asyncio.sleep(3)  # tables spread
        has_table = (await owners(folder))[f"table/{TABLE}"]
        await compare(*((a, b) if has_table == "a" else (b, a)))


def main() -> None:
    allow_open_files(2 * TERMINALS + 200)
    with (
        tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder,
        scratch_folder() as scratch,
        running_engines(scratch) as (postgres, nats),
    ):
        uvloop.run(run(Path(folder), postgres.make_database(), nats.address))


if __name__ == "__main__":
    main()
