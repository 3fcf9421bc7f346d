"""20,000 terminals over two nodes: two tables, one at each node, and every other terminal connected to the other one.

So half of all bets, and half of all that is shown, goes over NATS. Every terminal lays five bets while betting is open,
and is shown its new balance after the deal; every bet must be acknowledged, every terminal paid. All of it is on this
machine: two nodes, the two processes that write for them, PostgreSQL, NATS and the terminals share its cores.
`python -m bench.nodes [--terminals N]`
"""

import argparse
import asyncio
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import uvloop
from picows import WSTransport

from bench.live_server import AT_ONCE, PASSWORD, WAGERS, allow_open_files, connect, prepare, write_venue
from bench.nemesis import keep_logs
from bench.ten_thousand_terminals import REVEAL_S, Hall, lay_bets
from natural9.server.client import Client
from natural9.table.commands import staff
from tests.cluster.floor import Floor, open_floor

TERMINALS = 20_000
NODES = ("one", "two")
TABLES = ("nc-1", "nc-2")
A_SECOND = 1_500  # bets, all together
SPARE_S = 30  # that betting stays open after the last is laid


class Part(NamedTuple):
    """What the process with one table's terminals is given: a process may have so many connections, and not more."""

    table: str
    addresses: list[str]  # first the node's that has the table
    cookies: list[str]


async def spread(floor: Floor) -> dict[str, str]:
    """Which node each table is at, once each node has one."""
    async with asyncio.timeout(120):
        while True:
            owners = await floor.owners()
            found = {table: owners.get(f"table/{table}", "") for table in TABLES}
            if set(found.values()) == set(NODES):
                return found
            await asyncio.sleep(0.5)


async def connect_all(hall: Hall, part: Part) -> None:
    """Every other terminal at the node that has its table."""
    for start in range(0, len(part.cookies), AT_ONCE):
        some = range(start, min(start + AT_ONCE, len(part.cookies)))
        lines: list[WSTransport] = await asyncio.gather(
            *[connect(part.addresses[seat % 2], part.table, part.cookies[seat], hall.terminals[seat]) for seat in some]
        )
        for seat, line in zip(some, lines, strict=True):
            hall.terminals[seat].transport = line


def play(part: Part) -> None:
    allow_open_files(len(part.cookies) + 200)
    uvloop.run(play_table(part))


async def play_table(part: Part) -> None:
    hall = Hall(len(part.cookies))
    start = time.perf_counter()
    await connect_all(hall, part)
    say(part, f"{len(part.cookies):,} terminals connected in {time.perf_counter() - start:.1f} s")
    async with Client(part.addresses[0]) as pit:
        await pit.sign_in("pat", PASSWORD)
        await pit.order(part.table, staff.OpenTable())
    await asyncio.wait_for(hall.opened.wait(), 60)
    opened_at = time.perf_counter()
    laid_s = await lay_bets(hall, hall.bets * len(TABLES) / A_SECOND)
    await asyncio.wait_for(hall.closed.wait(), 300)
    took_ms = sorted(one * 1e3 for one in hall.answers_s)
    many = len(took_ms)
    say(
        part,
        f"{hall.bets:,} bets laid in {laid_s:.1f} s, {many:,} acknowledged when betting closed"
        f" ({len(hall.refused)} refused), the last {hall.acknowledged_at - opened_at:.1f} s after the opening",
    )
    say(part, f"an answer: p50 {took_ms[many // 2]:.1f} ms, p99 {took_ms[many * 99 // 100]:.1f} ms")
    await asyncio.wait_for(hall.all_shown.wait(), 300)
    first_s, last_s = (at - hall.last_card_at for at in (hall.first_shown_at, hall.last_shown_at))
    say(
        part, f"{hall.settled:,} terminals were shown their balance {first_s:.2f} to {last_s:.2f} s after the last card"
    )
    if hall.refused or many < hall.bets:
        raise SystemExit(f"{part.table}: not every bet was acknowledged: {hall.refused[:1] or many}")


def say(part: Part, what: str) -> None:
    print(f"{part.table}  {what}", flush=True)


async def run(terminals: int, keep: Path | None) -> None:
    async with open_floor(durable=True) as floor:
        folder = floor.folder / "venue"
        folder.mkdir()
        each = terminals // len(TABLES)
        betting_s = terminals * len(WAGERS) / A_SECOND + SPARE_S
        write_venue(folder, TABLES, terminals=each, betting_s=betting_s, reveal_s=REVEAL_S)
        cookies = await prepare(folder, each)
        status, said = await floor.run("move", str(folder), floor.database)
        if status:
            raise SystemExit(said)
        floor.make_nodes(NODES, folder)
        await floor.start()
        try:
            await play_all(floor, cookies)
        finally:
            if keep:
                keep_logs(floor.folder, keep)


async def play_all(floor: Floor, cookies: dict[str, list[str]]) -> None:
    at, loop = await spread(floor), asyncio.get_running_loop()
    print(", ".join(f"{table} at node {name}" for table, name in at.items()), flush=True)
    with ProcessPoolExecutor(len(TABLES), mp_context=get_context("spawn")) as processes:
        playing = []
        for table in TABLES:
            names = [at[table], *(name for name in NODES if name != at[table])]
            part = Part(table, [floor.nodes[name].address for name in names], cookies[table])
            playing.append(loop.run_in_executor(processes, play, part))
        await asyncio.gather(*playing)
    if await spread(floor) != at:
        raise SystemExit("a table moved while it was played at")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.nodes", description=__doc__.partition("\n")[0])
    parser.add_argument("--terminals", type=int, default=TERMINALS)
    parser.add_argument("--logs", type=Path, help="where the nodes' logs are kept")
    asked = parser.parse_args()
    asyncio.run(run(asked.terminals, asked.logs))


if __name__ == "__main__":
    main()
