"""Durable bets a second from WebSocket over rules and SQLite to the answer, against the store's group commit alone.

Both take turns in one run, with as many in flight. The server is a process of its own; 1,000 terminals in this one
each keep a few bets in flight at one table, as bytes made beforehand. The store alone gets the same entries, those
that the server has just written, in a file of its own. Aim: at least 0.65 of the store alone.
"""

import asyncio
import statistics
import tempfile
import time
from collections import deque
from itertools import cycle, islice
from pathlib import Path

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport

from bench.live_server import CREDIT_CENTS, TABLE, WAGERS, LiveServer, allow_open_files, answers_in, live_server
from natural9.journal.accounts import TransferKind, credit_account, desk_account
from natural9.store.contract import Access, Entry, Store, Transfer
from natural9.store.opening import open_store
from natural9.store.streams import Stream

TERMINALS = 1_000
IN_FLIGHT_EACH = 2
BETS_EACH = 20  # in one turn
TURNS = 9
BETS = TERMINALS * BETS_EACH
BET = b'{"type":"bet","request":"turn-%d-%d","round":1,"wager":"%s","cents":100}'
REGISTERED = b'{"type":"registered"'
OTHERS = (b'{"type":"table"', b'{"type":"seat"', b'{"type":"welcome"')


class Turn:
    """One turn of all terminals."""

    def __init__(self, number: int) -> None:
        self.messages = [BET % (number, place, wager.encode()) for place, wager in enumerate(_wagers(BETS_EACH))]
        self.seconds: list[float] = []
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()


def _wagers(many: int) -> list[str]:
    return list(islice(cycle(WAGERS), many))


class Terminal(WSListener):
    """Sends its next bet when one is answered. Answers come in the order of the bets."""

    transport: WSTransport

    def begin(self, turn: Turn) -> None:
        self._turn, self._sent_at = turn, deque[float]()
        self._waiting = iter(turn.messages)
        for _ in range(IN_FLIGHT_EACH):
            self._send()

    def _send(self) -> None:
        message = next(self._waiting, None)
        if message is not None:
            self._sent_at.append(time.perf_counter())
            self.transport.send(WSMsgType.TEXT, message)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        message = frame.get_payload_as_bytes()
        if message.startswith(REGISTERED):
            turn, now = self._turn, time.perf_counter()
            for _ in range(answers_in(message)):
                turn.seconds.append(now - self._sent_at.popleft())
                self._send()
            if len(turn.seconds) == BETS:
                turn.over.set_result(None)
        elif not message.startswith(OTHERS):
            raise SystemExit(f"the server said {message[:300]!r}")


async def bet(terminals: list[Terminal], number: int) -> tuple[float, list[float]]:
    """Bets a second, and how long each answer took."""
    turn = Turn(number)
    start = time.perf_counter()
    for terminal in terminals:
        terminal.begin(turn)
    await asyncio.wait_for(turn.over, 120)
    return BETS / (time.perf_counter() - start), turn.seconds


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
    terminals = [Terminal() for _ in range(TERMINALS)]
    for terminal, transport in zip(terminals, await server.connect_all([*terminals]), strict=True):
        terminal.transport = transport
    await server.open_table()
    await asyncio.sleep(1)
    store = await store_alone(folder)
    await bet(terminals, 0)  # warm
    paces, alone = [], []
    costs: list[list[float]] = []
    seconds: list[float] = []
    for turn in range(1, TURNS + 1):
        cpu_s = server.cpu_s()
        pace, took = await bet(terminals, turn)
        costs.append([(after - before) / BETS * 1e6 for before, after in zip(cpu_s, server.cpu_s(), strict=True)])
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
    table_us, journal_us = (statistics.median(column) for column in zip(*costs, strict=True))
    print(f"a bet costs   {table_us:.1f} us of the table's process, {journal_us:.1f} us of the journal's")


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
