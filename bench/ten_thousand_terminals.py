"""10,000 connected terminals at one table, five bets each inside a betting window of 15 s, then a dealt round.

Each has its own cookie and its own WebSocket, all in this process; the server is another. Aims: every bet is
acknowledged, every terminal is shown its new balance within 2 s of the last card, and a terminal costs the server
less than 30 kB. `python -m bench.ten_thousand_terminals [--terminals N]`
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport

from bench.live_server import WAGERS, LiveServer, allow_open_files, answers_in, live_server

TERMINALS = 10_000
WINDOW_S = 15
SPREAD_S = 11  # over which the bets are laid
SLICE_S = 0.02
REVEAL_S = 0.2
BET = b'{"type":"bet","request":"%d","round":1,"wager":"%s","cents":%d}'
REGISTERED, SEAT, TABLE, REFUSED = (b'{"type":"%s"' % kind for kind in (b"registered", b"seat", b"table", b"refused"))


class Hall:
    """What all terminals together have seen."""

    def __init__(self, terminals: int) -> None:
        self.terminals = [Terminal(self) for _ in range(terminals)]
        self.bets = terminals * len(WAGERS)
        self.answers_s: list[float] = []
        self.refused: list[bytes] = []
        self.settled = 0
        self.opened, self.closed, self.all_shown = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self.acknowledged_at = self.last_card_at = self.first_shown_at = self.last_shown_at = 0.0

    def table(self, message: bytes) -> None:
        if b'"phase":"betting-open"' in message:
            self.opened.set()
        elif b'"phase":"bets-closed"' in message:
            self.closed.set()
        elif not self.last_card_at and b'"phase":"complete"' in message:
            self.last_card_at = time.perf_counter()

    def acknowledged(self, seconds: float) -> None:
        self.answers_s.append(seconds)
        if len(self.answers_s) == self.bets:
            self.acknowledged_at = time.perf_counter()

    def shown(self) -> None:
        self.settled += 1
        self.first_shown_at = self.first_shown_at or time.perf_counter()
        if self.settled == len(self.terminals):
            self.last_shown_at = time.perf_counter()
            self.all_shown.set()


class Terminal(WSListener):
    """Looks at no more of a message than it must: the client has one core, as the server has."""

    __slots__ = ("_hall", "_sent_at", "_settled", "transport")
    transport: WSTransport

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._sent_at: list[float] = []
        self._settled = False

    def bet(self, place: int) -> None:
        self._sent_at.append(time.perf_counter())
        self.transport.send(WSMsgType.TEXT, BET % (place, WAGERS[place].encode(), 100 * (place + 1)))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        message = frame.get_payload_as_bytes()
        if message.startswith(TABLE):
            self._hall.table(message)
        elif message.startswith(REGISTERED):
            for _ in range(answers_in(message)):
                self._hall.acknowledged(time.perf_counter() - self._sent_at.pop(0))
        elif message.startswith(SEAT) and b'"returned_cents":null' not in message and not self._settled:
            self._settled = True
            self._hall.shown()
        elif message.startswith(REFUSED):
            self._hall.refused.append(message)


async def lay_bets(hall: Hall, spread_s: float = SPREAD_S) -> float:
    """Every terminal's first bet, then every one's second ... evenly over the time; seconds from first to last."""
    waiting = [(terminal, place) for place in range(len(WAGERS)) for terminal in hall.terminals]
    start = time.perf_counter()
    laid = 0
    while laid < len(waiting):
        due = min(len(waiting), round((time.perf_counter() - start) / spread_s * len(waiting)) + 1)
        for terminal, place in waiting[laid:due]:
            terminal.bet(place)
        laid = due
        await asyncio.sleep(SLICE_S)
    return time.perf_counter() - start


async def play(server: LiveServer, terminals: int) -> None:
    hall = Hall(terminals)
    before = server.resident_bytes()
    start = time.perf_counter()
    for terminal, transport in zip(hall.terminals, await server.connect_all([*hall.terminals]), strict=True):
        terminal.transport = transport
    connected_s = time.perf_counter() - start
    await asyncio.sleep(1)
    each = (server.resident_bytes() - before) / terminals
    print(f"{terminals:,} terminals connected in {connected_s:.1f} s")
    print(f"memory        {each / 1e3:.1f} kB a terminal (aim: under 30)", flush=True)
    await server.open_table()
    await asyncio.wait_for(hall.opened.wait(), 30)
    cpu_s, opened_at = sum(server.cpu_s()), time.perf_counter()
    laid_s = await lay_bets(hall)
    await asyncio.wait_for(hall.closed.wait(), 60)
    closed_at = time.perf_counter()
    share = (sum(server.cpu_s()) - cpu_s) / (closed_at - opened_at)
    in_time = len(hall.answers_s)
    took_ms = sorted(one * 1e3 for one in hall.answers_s)
    print(
        f"bets          {hall.bets:,} laid in {laid_s:.1f} s, {in_time:,} acknowledged when betting closed"
        f" ({len(hall.refused)} refused), the last {hall.acknowledged_at - opened_at:.1f} s after the opening\n"
        f"an answer     p50 {took_ms[in_time // 2]:.1f} ms, p99 {took_ms[in_time * 99 // 100]:.1f} ms\n"
        f"the server    {share:.2f} of a core while betting was open",
        flush=True,
    )
    await asyncio.wait_for(hall.all_shown.wait(), 120)
    each = (server.resident_bytes() - before) / terminals
    print(
        f"settled       the last terminal was shown its balance {hall.last_shown_at - hall.last_card_at:.2f} s after"
        f" the last card (aim: within 2), the first {hall.first_shown_at - hall.last_card_at:.2f} s;"
        f" {REVEAL_S} s of it is the pause before the result\n"
        f"memory        {each / 1e3:.1f} kB a terminal after the round, with its bets and answers"
    )
    if hall.refused or len(hall.answers_s) < hall.bets:
        raise SystemExit(f"not every bet was acknowledged: {hall.refused[:1] or len(hall.answers_s)}")


async def run(folder: Path, terminals: int) -> None:
    async with live_server(folder, terminals=terminals, betting_s=WINDOW_S, reveal_s=REVEAL_S) as server:
        await play(server, terminals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--terminals", type=int, default=TERMINALS)
    terminals: int = parser.parse_args().terminals
    allow_open_files(terminals + 200)
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:  # the system's own may be in memory
        uvloop.run(run(Path(folder), terminals))


if __name__ == "__main__":
    main()
