"""The thundering herd: all terminals are cut off in the middle of betting, and all of them come back at once.

A switch restarts, and every terminal of the floor connects again in the same second, with bets on their way. Each asks
again for what it has no answer to, under the same id, as the screens do. Then every bet must be acknowledged, and the
journal must have each of them once. `bench.soak` runs it.
"""

import asyncio
import socket
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final, cast
from urllib.parse import urlsplit

from bench.live_server import TABLE, WAGERS, LiveServer, live_server
from bench.plain_terminals import PING, PONG, QUIET_S, TEXT, client_frame, first_frame, handshake
from natural9.journal.accounts import terminal_id
from natural9.journal.line import read_body
from natural9.store.contract import Access
from natural9.store.opening import open_store

SPREAD_S: Final = 20.0  # over which the bets are laid
BEFORE: Final = 2 / 5  # of them; then every terminal lays one more in the same moment, and is cut off
ON_THEIR_WAY_S: Final = 0.1  # so late: some are answered, some are not read yet
BETTING_S: Final = 600.0  # long enough for a slow machine: nothing here waits for its end
BACK_WITHIN_S: Final = 300.0
PAUSE_S: Final = (0.2, 2.0)  # before whoever was turned away tries again
SLICE_S: Final = 0.02
BET: Final = b'{"type":"bet","request":"%s","round":1,"wager":"%s","cents":100}'
WELCOME, REGISTERED, REFUSED = (b'{"type":"%s"' % kind for kind in (b"welcome", b"registered", b"refused"))


class OneOfTheHerd:
    """A terminal. It remembers what it has no answer to, and asks again for it when it is back."""

    def __init__(self, herd: "Herd", seat: int) -> None:
        self.herd, self.seat = herd, seat
        self.line: Line | None = None  # once it has seen the table
        self.waiting: dict[bytes, bytes] = {}  # frames without an answer, by their requests

    def bet(self, place: int) -> None:
        request = b"%d" % place
        self.waiting[request] = frame = client_frame(TEXT, BET % (request, WAGERS[place].encode()))
        if self.line:
            self.line.transport.write(frame)

    def cut_off(self) -> None:
        if self.line:
            self.line.transport.abort()
        self.line = None

    def hear(self, line: "Line", message: bytes) -> None:
        if message.startswith(WELCOME):
            self.line = line
            self.herd.back.add(self.seat)
            line.transport.write(b"".join(self.waiting.values()))
        elif message.startswith(REGISTERED):
            for named in message[message.index(b"[") + 1 : message.index(b"]")].split(b","):
                if self.waiting.pop(named.strip(b'"'), None):
                    self.herd.acknowledged += 1
                else:
                    self.herd.twice += 1
        elif message.startswith(REFUSED):
            self.herd.refused.append(message)


class Line(asyncio.Protocol):
    """One connection of a terminal, whose handshake is sent already."""

    transport: asyncio.Transport

    def __init__(self, terminal: OneOfTheHerd) -> None:
        self._terminal = terminal
        self._rest = b""
        self._is_upgraded = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's, which only looks like one

    def data_received(self, data: bytes) -> None:
        data = self._rest + data
        if not self._is_upgraded and b"\r\n\r\n" in data:
            answer, _, data = data.partition(b"\r\n\r\n")
            self._is_upgraded = answer.startswith(b"HTTP/1.1 101")
            if not self._is_upgraded:
                self.transport.abort()
                return
        while self._is_upgraded and (place := first_frame(data)):
            kind, message, data = data[0], data[place[0] : place[1]], data[place[1] :]
            if kind == PING:
                self.transport.write(client_frame(PONG, message))
            else:
                self._terminal.hear(self, message)
        self._rest = data

    def connection_lost(self, error: Exception | None) -> None:
        herd, is_current = self._terminal.herd, self._terminal.line is self
        if is_current or not self._is_upgraded:  # the server hung up, or never took it in
            self._terminal.line = None
            herd.dropped.append(self._terminal)


class Herd:
    def __init__(self, server: LiveServer, terminals: int) -> None:
        self._server = server
        self.all = [OneOfTheHerd(self, seat) for seat in range(1, terminals + 1)]
        self.bets = terminals * len(WAGERS)
        self.acknowledged = self.twice = self.turned_away = 0
        self.back: set[int] = set()  # seats that are connected and have seen the table
        self.refused: list[bytes] = []
        self.dropped: list[OneOfTheHerd] = []
        self._chance = Random(9)

    async def come_in(self) -> float:
        """All at once; the seconds until the last has seen the table."""
        start = time.perf_counter()
        self.back.clear()
        async with asyncio.timeout(BACK_WITHIN_S):
            await self._connect(self.all)
            while len(self.back) < len(self.all):
                await self.look_after_the_dropped()
        return time.perf_counter() - start

    async def look_after_the_dropped(self) -> None:
        """Whoever was turned away tries again, after a while."""
        dropped, self.dropped = self.dropped, []
        self.turned_away += len(dropped)
        await asyncio.sleep(self._chance.uniform(*PAUSE_S) if dropped else SLICE_S)
        await self._connect(dropped)

    async def _connect(self, some: list[OneOfTheHerd]) -> None:
        """One after the other says who it is at once, as a machine of its own would, and none waits for an answer."""
        loop = asyncio.get_running_loop()

        def connect_each() -> None:
            for one in some:
                asyncio.run_coroutine_threadsafe(self._take_over(one, self._said_hello(one)), loop)

        await asyncio.to_thread(connect_each)

    def _said_hello(self, one: OneOfTheHerd) -> socket.socket:
        address = urlsplit(self._server.address)
        line = socket.create_connection((address.hostname, address.port), timeout=QUIET_S)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line.sendall(handshake(self._server, one.seat))
        line.setblocking(False)
        return line

    async def _take_over(self, one: OneOfTheHerd, line: socket.socket) -> None:
        await asyncio.get_running_loop().create_connection(lambda: Line(one), sock=line)

    async def lay(self, first: float, last: float) -> None:
        """This share of all bets, evenly over its time, whoever is connected or not."""
        order = [(one, place) for place in range(len(WAGERS)) for one in self.all]
        laid, end = round(first * len(order)), round(last * len(order))
        start = time.perf_counter() - first * SPREAD_S
        while laid < end:
            due = min(end, round((time.perf_counter() - start) / SPREAD_S * len(order)) + 1)
            for one, place in order[laid:due]:
                one.bet(place)
            laid = due
            await asyncio.sleep(SLICE_S)

    async def all_answered(self) -> None:
        async with asyncio.timeout(BACK_WITHIN_S):
            while any(one.waiting for one in self.all) and not self.refused:
                await self.look_after_the_dropped()


async def in_the_journal(folder: Path) -> Counter[tuple[str, str]]:
    """How often each request of each terminal has led to a bet."""
    store, found, after = open_store(folder, Access.READ), Counter[tuple[str, str]](), 0
    try:
        while page := await store.entries(after=after, stream=f"table/{TABLE}"):
            lines = [read_body(one.body) for one in page if one.kind == "bet-placed"]
            found.update((line.origin.by, line.origin.request) for line in lines)
            after = page[-1].seq
    finally:
        await store.close()
    return found


async def stampede(folder: Path, terminals: int) -> None:
    """SystemExit unless every bet is acknowledged, and in the journal once."""
    folder.mkdir()
    async with live_server(folder, terminals=terminals, betting_s=BETTING_S) as server:
        herd = Herd(server, terminals)
        came_s = await herd.come_in()
        print(f"{terminals:,} terminals came at once: all see the table after {came_s:.1f} s", flush=True)
        await server.open_table()
        await asyncio.sleep(1)  # the round has opened
        await herd.lay(0, BEFORE)
        for one in herd.all:
            one.bet(round(BEFORE * len(WAGERS)))
        await asyncio.sleep(ON_THEIR_WAY_S)
        waiting, turned_away = sum(len(one.waiting) for one in herd.all), herd.turned_away
        for one in herd.all:
            one.cut_off()
        print(f"cut off       all of them, {waiting:,} bets without an answer", flush=True)
        back_s, _ = await asyncio.gather(herd.come_in(), herd.lay(BEFORE + 1 / len(WAGERS), 1))
        print(
            f"back          the last after {back_s:.1f} s, turned away {herd.turned_away - turned_away:,} times before",
            flush=True,
        )
        await herd.all_answered()
        resident = server.resident_bytes() / 1e6
    found = await in_the_journal(folder)
    due = {(terminal_id(TABLE, one.seat), str(place)) for one in herd.all for place in range(len(WAGERS))}
    lost, repeated = due - found.keys(), [one for one, times in found.items() if times > 1]
    print(
        f"bets          {herd.acknowledged:,} of {herd.bets:,} acknowledged ({herd.twice:,} answers came twice),"
        f" {len(herd.refused):,} refused; in the journal {found.total():,}, missing {len(lost):,},"
        f" twice {len(repeated):,}\n"
        f"memory        {resident:,.0f} MB",
        flush=True,
    )
    if herd.refused or lost or repeated or herd.acknowledged != herd.bets or found.keys() - due:
        raise SystemExit(
            f"an acknowledgement was lost, or a bet: {herd.refused[:1] or sorted(lost)[:3] or repeated[:3]}"
        )
