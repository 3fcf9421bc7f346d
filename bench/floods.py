"""Floods of every kind from one guest and from fifty, and how long the others wait meanwhile.

Honest terminals bet at a steady pace and their answers are timed, before each flood and during it; the attackers are
one process of their own, at low priority. Aim: 99 in 100 answers within 50 ms, whatever the flood. On a machine of few
cores the attackers take time from the server by running at all: read the rows with that in mind.
`python -m bench.floods [--seconds S] [--only KIND]`
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections import Counter
from pathlib import Path

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport

from bench.attacks import HALF_OPEN_EACH, KINDS, Target
from bench.live_server import PASSWORD, TABLE, LiveServer, allow_open_files, live_server
from natural9.server.client import Client

HONEST, BETS_A_SECOND = 20, 4
MANY = 50
LAYERS, ROUND_ENTRIES = 200, 500  # guests who first lay so many bets each: there is a long round to recall
IN_FLIGHT = 200  # of each of those: what a terminal may have outstanding, and a bit less
AIM_MS = 50
BET = b'{"type":"bet","request":"%d","round":1,"wager":"player","cents":100}'


class Honest(WSListener):
    """Bets, and notes how long each answer took."""

    transport: WSTransport

    def __init__(self) -> None:
        self.answers_s: list[float] = []
        self._asked: dict[bytes, float] = {}
        self._number = 0

    def bet(self) -> None:
        self._number += 1
        self._asked[b'"%d"' % self._number] = time.perf_counter()
        self.transport.send(WSMsgType.TEXT, BET % self._number)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        message = frame.get_payload_as_bytes()
        if message.startswith(b'{"type":"registered"'):
            listed = message[message.index(b"[") + 1 : message.index(b"]")]
            for request in listed.split(b","):
                if asked_at := self._asked.pop(request, None):
                    self.answers_s.append(time.perf_counter() - asked_at)
        elif message.startswith(b'{"type":"refused"'):
            sys.exit(f"an honest bet was refused: {message.decode()}")

    def taken(self) -> list[float]:
        """What was measured since; a bet that still waits counts with the time that it has waited."""
        waiting = [time.perf_counter() - asked_at for asked_at in self._asked.values()]
        found, self.answers_s = self.answers_s + waiting, []
        return found


async def bet_on(honest: list[Honest]) -> None:
    """Steadily, one terminal after the other."""
    step_s = 1 / (BETS_A_SECOND * len(honest))
    due = time.perf_counter()
    while True:
        for one in honest:
            one.bet()
            due += step_s
            await asyncio.sleep(max(0.0, due - time.perf_counter()))


def percentiles(answers_s: list[float]) -> tuple[float, float]:
    ordered = sorted(answers_s)
    return 1000 * ordered[len(ordered) // 2], 1000 * ordered[len(ordered) * 99 // 100]


async def measured(honest: list[Honest], seconds: float) -> tuple[float, float]:
    for one in honest:
        one.taken()
    await asyncio.sleep(seconds)
    return percentiles([answer for one in honest for answer in one.taken()])


async def attacked(kind: str, target: Target) -> Counter[str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.attacks", kind, stdin=PIPE, stdout=PIPE, preexec_fn=lambda: os.nice(10) and None
    )
    found, _ = await process.communicate(msgspec.json.encode(target))
    return Counter(msgspec.json.decode(found, type=dict[str, int]))


async def lay_a_long_round(server: LiveServer, seats: range) -> None:
    """100,000 entries."""

    async def lay(seat: int) -> None:
        guest = Honest()
        guest.transport = await server.connect(seat, guest)
        for laid in range(ROUND_ENTRIES):
            while laid - len(guest.answers_s) >= IN_FLIGHT:
                await asyncio.sleep(0.02)
            guest.bet()
        while len(guest.answers_s) < ROUND_ENTRIES:
            await asyncio.sleep(0.02)
        guest.transport.disconnect()

    await asyncio.gather(*[lay(seat) for seat in seats])


async def play(server: LiveServer, kinds: list[str], seconds: float) -> None:
    honest = [Honest() for _ in range(HONEST)]
    for seat, one in enumerate(honest, 1):
        one.transport = await server.connect(seat, one)
    await server.open_table()
    await asyncio.sleep(1)
    await lay_a_long_round(server, range(HONEST + 1, HONEST + LAYERS + 1))
    async with Client(server.address) as pit:
        await pit.sign_in("pat", PASSWORD)
        staff = pit.cookies
    betting = asyncio.ensure_future(bet_on(honest))
    await asyncio.sleep(1)
    host, _, port = server.address.removeprefix("http://").partition(":")
    print(f"{os.cpu_count()} cores for the server, its journal, the attackers and {HONEST} honest terminals")
    print(
        f"{'flood':<12}{'guests':>7}{'p50 before':>12}{'p99 before':>12}{'p50':>8}{'p99':>8} ms  {'':<6}what came of it"
    )
    first = HONEST + LAYERS
    for kind in kinds:
        for guests in (1, MANY):
            cookies = server.cookies[first : first + guests]
            first += guests
            before = await measured(honest, seconds / 2)
            target = Target(host, int(port), TABLE, cookies, staff, seconds)
            attack = asyncio.ensure_future(attacked(kind, target))
            await asyncio.sleep(1)  # until it has started
            during = await measured(honest, seconds)
            came = ", ".join(f"{count:,} x {what}" for what, count in (await attack).most_common())
            verdict = "" if during[1] < AIM_MS else "OVER"
            row = f"{kind:<12}{guests:>7}{before[0]:>12.1f}{before[1]:>12.1f}{during[0]:>8.1f}{during[1]:>8.1f}"
            print(f"{row}     {verdict:<6}{came or 'none ended'}", flush=True)
    betting.cancel()


async def main(kinds: list[str], seconds: float) -> None:
    seats = HONEST + LAYERS + len(kinds) * (1 + MANY)
    allow_open_files(MANY * HALF_OPEN_EACH + 2000)
    with tempfile.TemporaryDirectory() as folder:
        async with live_server(Path(folder), terminals=seats, betting_s=3600) as server:
            await play(server, kinds, seconds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--only", choices=KINDS, action="append")
    options = parser.parse_args()
    uvloop.run(main(options.only or list(KINDS), options.seconds))
