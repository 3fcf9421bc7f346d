"""Durable bets a second from WebSocket over rules and SQLite to the answer, against the store's group commit alone.

Both take turns in one run, with as many in flight. The server is a process of its own; 1,000 terminals in this one
each keep a few bets in flight at one table, as bytes made beforehand. They share the machine with what is measured, so
what they cost is told, too. The store alone gets the same entries, those that the server has just written, in a file
of its own. Aim: at least 0.65 of the store alone.
"""

import asyncio
import statistics
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path

import uvloop

from bench.live_server import CREDIT_CENTS, TABLE, WAGERS, LiveServer, allow_open_files, live_server
from bench.plain_terminals import PlainTerminals, Turn
from natural9.journal.accounts import TransferKind, credit_account, desk_account
from natural9.store.contract import Access, Entry, Store, Transfer
from natural9.store.opening import open_store
from natural9.store.streams import Stream

TERMINALS = 1_000
IN_FLIGHT_EACH = 2
BETS_EACH = 20  # in one turn
TURNS = 9
BETS = TERMINALS * BETS_EACH
BET = b'{"type":"bet","request":"%s","round":1,"wager":"%s","cents":100}'


def turn_of(number: int) -> Turn:
    wagers = islice(cycle(WAGERS), BETS_EACH)
    requests = [b"turn-%d-%d" % (number, place) for place in range(BETS_EACH)]
    messages = [BET % (request, wager.encode()) for request, wager in zip(requests, wagers, strict=True)]
    return Turn(requests, messages, IN_FLIGHT_EACH)


def bet(terminals: PlainTerminals, number: int) -> tuple[float, list[float]]:
    """Bets a second, and how long each answer took. Nothing else goes on in this process meanwhile."""
    turn = turn_of(number)
    start = time.perf_counter()
    seconds = terminals.bet(turn)
    return BETS / (time.perf_counter() - start), seconds


async def same_entries(server: LiveServer) -> list[Entry]:
    """The latest bets of the server's journal, as they were handed to its store."""
    journal = open_store(server.folder, Access.READ)
    head = await journal.head()
    written = await journal.entries(after=head.seq - BETS, limit=BETS)
    await journal.close()
    return [Entry(one.stream, one.kind, one.body, one.at_ms, one.day, one.label, one.transfers) for one in written]


async def append(store: Store, entries: list[Entry]) -> float:
    """Entries a second, as many appenders as bets are in flight, each waiting for its own."""
    waiting = iter(entries)

    async def appender() -> None:
        for entry in waiting:
            await stream.append([entry])

    stream = Stream(store, entries[0].stream)
    start = time.perf_counter()
    await asyncio.gather(*[appender() for _ in range(TERMINALS * IN_FLIGHT_EACH)])
    return len(entries) / (time.perf_counter() - start)


async def store_alone(folder: Path) -> Store:
    alone = folder / "alone"
    alone.mkdir()
    store = open_store(alone, Access.SERVE)
    bought = tuple(
        Transfer(TransferKind.BUY_IN, desk_account("cass"), credit_account(TABLE, seat), CREDIT_CENTS)
        for seat in range(1, TERMINALS + 1)
    )
    await Stream(store, "venue").append([Entry("venue", "bought", b"{}", 0, "2026-11-16", transfers=bought)])
    return store


async def compare(server: LiveServer, folder: Path) -> None:
    terminals = PlainTerminals(server, TERMINALS)
    await server.open_table()
    await asyncio.sleep(1)
    store = await store_alone(folder)
    bet(terminals, 0)  # warm
    paces, alone = [], []
    costs: list[list[float]] = []
    seconds: list[float] = []
    for turn in range(1, TURNS + 1):
        cpu_s = [*server.cpu_s(), time.process_time()]
        pace, took = bet(terminals, turn)
        cpu_s = [after - before for before, after in zip(cpu_s, [*server.cpu_s(), time.process_time()], strict=True)]
        costs.append([one / BETS * 1e6 for one in cpu_s])
        paces.append(pace)
        seconds += took
        alone.append(await append(store, await same_entries(server)))
    await store.close()
    ratios = [ours / theirs for ours, theirs in zip(paces, alone, strict=True)]
    took_ms = sorted(one * 1e3 for one in seconds)
    print(f"{TERMINALS:,} terminals at one table, {IN_FLIGHT_EACH} bets in flight each, {TURNS} turns of {BETS:,} bets")
    print(f"answered      {_spread(paces)} bets a second")
    print(f"store alone   {_spread(alone)} entries a second")
    print(f"ratio         {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}; aim: at least 0.65)")
    print(f"an answer     p50 {took_ms[len(took_ms) // 2]:.1f} ms, p99 {took_ms[len(took_ms) * 99 // 100]:.1f} ms")
    table_us, journal_us, terminal_us = (statistics.mean(column) for column in zip(*costs, strict=True))
    print(f"a bet costs   {table_us:.1f} us of the table's process, {journal_us:.1f} us of the journal's", end="")
    print(f", {terminal_us:.1f} us of its terminal")


def _spread(paces: list[float]) -> str:
    return f"{statistics.median(paces):7,.0f} ({min(paces):,.0f} to {max(paces):,.0f})"


async def run(folder: Path) -> None:
    async with live_server(folder, terminals=TERMINALS, betting_s=3600) as server:
        await compare(server, folder)


def main() -> None:
    allow_open_files(TERMINALS + 200)
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:  # the system's own may be in memory
        uvloop.run(run(Path(folder)))


if __name__ == "__main__":
    main()
