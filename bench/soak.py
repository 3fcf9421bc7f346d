"""Hours of play at full speed, on one server with real WebSocket terminals: does it stay as it was in the first minute?

Every terminal bets again as soon as its last bet is answered, twenty times a round, which is about what the server lets
a terminal send; rounds follow each other without a pause. So a minute has as many rounds as a table has in an hour, and
writes some 200 MB. Told as it goes: the memory of the server and of the process that writes its journal, bytes of
journal a round, how long answers take. Then the thundering herd (`bench.herd`): 10,000 terminals are cut off and come
back at once, and no acknowledgement may be lost.

`python -m bench.soak [--minutes 20] [--terminals 400] [--herd 10000]`
"""

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport

from bench.herd import stampede
from bench.live_server import WAGERS, LiveServer, allow_open_files, live_server

MINUTES: Final = 20.0
TERMINALS: Final = 400
BETS_EACH: Final = 20  # in a round
HERD: Final = 10_000
BETTING_S: Final = 1.0
ROUNDS_AN_HOUR: Final = 60  # of a table that people play at
LOOKS: Final = 20  # at the memory, over the whole time
WARM: Final = 0.25  # of the time: answers, results and roads that are kept fill up first
LATE: Final = {"betting-closed", "other-round"}  # a bet that was on its way when betting closed
MOST_GROWTH: Final = 0.05  # from then to the end
BET: Final = b'{"type":"bet","request":"%d","round":%d,"wager":"%s","cents":100}'
TABLE, WELCOME, REGISTERED, REFUSED = (
    b'{"type":"%s"' % kind for kind in (b"table", b"welcome", b"registered", b"refused")
)
MB: Final = 1e6


class TableShown(msgspec.Struct):
    round: int
    phase: str


class Shown(msgspec.Struct):
    """All that a player of this bench looks at."""

    table: TableShown


class Refused(msgspec.Struct):
    code: str


_shown: Final = msgspec.json.Decoder(Shown).decode
_refused: Final = msgspec.json.Decoder(Refused).decode


class Player(WSListener):
    """Has one bet on its way at a time."""

    transport: WSTransport

    def __init__(self, answered: Callable[[float], None], refused: Counter[str]) -> None:
        self._answered, self._refused = answered, refused
        self._requests = count(1)
        self._sent_at: float | None = None  # its one bet that is not answered yet
        self._open_round: int | None = None
        self._left = 0  # bets of this round
        self.rounds = 0
        self.is_there = True

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        message = frame.get_payload_as_bytes()
        if message.startswith((TABLE, WELCOME)):
            self._look(_shown(message).table)
        elif message.startswith(REGISTERED) and self._sent_at:
            self._answered(time.perf_counter() - self._sent_at)
            self._sent_at = None
        elif message.startswith(REFUSED):
            self._refused[_refused(message).code] += 1
            self._sent_at = None
        self._bet()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        self.is_there = False

    def _look(self, now: TableShown) -> None:
        if now.phase == "betting-open" and self._open_round != now.round:
            self.rounds += 1
            self._left = BETS_EACH
        self._open_round = now.round if now.phase == "betting-open" else None

    def _bet(self) -> None:
        if self._open_round and self._left and self._sent_at is None:
            self._left -= 1
            number = next(self._requests)
            self._sent_at = time.perf_counter()
            wager = WAGERS[number % len(WAGERS)].encode()
            self.transport.send(WSMsgType.TEXT, BET % (number, self._open_round, wager))


class Look(NamedTuple):
    """At one moment; what was answered since the one before."""

    minute: float
    rounds: int
    bets: int
    p50_ms: float
    p99_ms: float
    server_bytes: int
    writer_bytes: int
    journal_bytes: int

    @property
    def words(self) -> str:
        return (
            f"{self.minute:6.1f} min {self.rounds:8,} rounds {self.bets:11,} bets"
            f"   p50 {self.p50_ms:6.1f} ms, p99 {self.p99_ms:6.1f} ms"
            f"   server {self.server_bytes / MB:7.1f} MB, writer {self.writer_bytes / MB:6.1f} MB"
            f"   journal {self.journal_bytes / MB:9,.1f} MB"
        )


class Soak:
    def __init__(self, server: LiveServer, terminals: int) -> None:
        self._server = server
        self._seconds: list[float] = []  # of the answers since the last look
        self._bets = 0
        self.refused: Counter[str] = Counter()
        self._players = [Player(self._seconds.append, self.refused) for _ in range(terminals)]
        self._start = time.perf_counter()

    async def play(self, minutes: float) -> list[Look]:
        for player, transport in zip(self._players, await self._server.connect_all([*self._players]), strict=True):
            player.transport = transport
        await self._server.open_table()
        self._start = time.perf_counter()
        looks: list[Look] = []
        for turn in range(1, LOOKS + 1):
            due = self._start + turn * minutes * 60 / LOOKS
            await asyncio.sleep(due - time.perf_counter())
            if not all(player.is_there for player in self._players):
                raise SystemExit("the server hung up on a terminal")
            looks.append(self._look())
            print(looks[-1].words, flush=True)
        for player in self._players:
            player.transport.disconnect()
        return looks

    def _look(self) -> Look:
        ordered = sorted(self._seconds) or [0.0]
        self._bets += len(self._seconds)
        self._seconds.clear()
        server_bytes, writer_bytes = self._server.resident_bytes_each()
        journal = self._server.folder / "journal.db"
        return Look(
            (time.perf_counter() - self._start) / 60,
            max(player.rounds for player in self._players),
            self._bets,
            ordered[len(ordered) // 2] * 1e3,
            ordered[len(ordered) * 99 // 100] * 1e3,
            server_bytes,
            writer_bytes,
            sum(one.stat().st_size for one in journal.parent.glob("journal.db*")),
        )


def judged(looks: list[Look], refused: Counter[str]) -> str:
    """What it comes to; SystemExit if memory grows, or a bet was refused that should not have been."""
    warm, end = looks[int(len(looks) * WARM)], looks[-1]
    rounds = end.rounds - warm.rounds
    if rounds < 1 or not end.bets:
        raise SystemExit("too short: no round was played after the first quarter")
    grown = end.server_bytes + end.writer_bytes - warm.server_bytes - warm.writer_bytes
    share = grown / (warm.server_bytes + warm.writer_bytes)
    hours = end.rounds / ROUNDS_AN_HOUR
    said = (
        f"{end.rounds:,} rounds, as many as a table plays in {hours:,.1f} hours, and {end.bets:,} bets"
        f" ({end.bets / (end.minute * 60):,.0f} a second); refused: {dict(refused) or 'none'}\n"
        f"memory        {grown / MB:+.1f} MB ({share:+.1%}) since {warm.minute:.1f} min,"
        f" {grown / rounds:+,.0f} bytes a round (aim: within {MOST_GROWTH:.0%})\n"
        f"journal       {(end.journal_bytes - warm.journal_bytes) / rounds:,.0f} bytes a round,"
        f" {(end.journal_bytes - warm.journal_bytes) / max(1, end.bets - warm.bets):,.0f} a bet\n"
        f"an answer     p99 {end.p99_ms:.1f} ms at the end, {warm.p99_ms:.1f} ms after the first quarter,"
        f" {max(look.p99_ms for look in looks):.1f} ms at worst"
    )
    if set(refused) - LATE:
        raise SystemExit(f"{said}\na bet was refused that should not have been")
    if share > MOST_GROWTH:
        raise SystemExit(f"{said}\nmemory grows")
    return said


async def soak(folder: Path, minutes: float, terminals: int) -> None:
    folder.mkdir()
    print(f"{terminals:,} terminals at full speed for {minutes:g} minutes", flush=True)
    async with live_server(folder, terminals=terminals, betting_s=BETTING_S, reveal_s=0, result_s=0) as server:
        playing = Soak(server, terminals)
        looks = await playing.play(minutes)
    print(judged(looks, playing.refused), flush=True)


async def run(folder: Path, minutes: float, terminals: int, herd: int) -> None:
    if minutes:
        await soak(folder / "soak", minutes, terminals)
    if herd:
        await stampede(folder / "herd", herd)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=MINUTES, help="0: the herd alone")
    parser.add_argument("--terminals", type=int, default=TERMINALS)
    parser.add_argument("--herd", type=int, default=HERD, help="terminals cut off at once; 0: none")
    asked = parser.parse_args()
    allow_open_files(max(asked.terminals, asked.herd) + 500)
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:  # the system's own may be in memory
        uvloop.run(run(Path(folder), asked.minutes, asked.terminals, asked.herd))


if __name__ == "__main__":
    main()
