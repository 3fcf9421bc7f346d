"""A full hall plays and settles while another table bets: how long the event loop is held, and what the other waits.

10,000 seats with five bets each at one table of a house in this process, all of it real but the sockets; the one seat
of another table bets all the time. The loop is held as long as a task that wants to run every millisecond does not.
Aim: no longer than 50 ms at a time.
"""

import asyncio
import tempfile
import time
from collections import defaultdict
from itertools import count
from pathlib import Path
from typing import cast

import uvloop

from bench.live_server import CREDIT_CENTS, HEAD, quiet_logs
from natural9.core.round.commands import Command
from natural9.core.saying import verbatim
from natural9.server.house import House
from natural9.server.people.devices import Place
from natural9.server.room import Room
from natural9.server.serve import spare_the_collector
from natural9.server.websocket import Connection
from natural9.table.commands import staff
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.terminal import Bet, BetTap, Clear
from natural9.table.live.answers import Accepted
from natural9.table.live.writer import MOST_OUTSTANDING
from natural9.table.venue.venue import VENUE_FILE

SEATS = 10_000
WAGERS = ("player", "banker", "tie", "tiger", "tiger-pair")
ROUNDS = 5
AIM_MS = 50
VENUE = (
    HEAD
    + """
[[table]]
id = "hall"
game = "mbs-tiger-nc"
decks = 8
seats = {seats}
betting_unit = 1
maximum = 1000000
timers = {{ betting = 6, reveal = 0.2, result = 2 }}

[[table]]
id = "other"
game = "rws-nc"
decks = 8
seats = 1
betting_unit = 1
maximum = 1000000
timers = {{ betting = 3600, reveal = 0.2, result = 2 }}
"""
)


class Line:
    """A terminal's connection with nobody at the other end: what it is sent goes nowhere."""

    def send(self, message: bytes) -> bool:
        return True


class Watch:
    """How long the loop was held, by what the hall was at."""

    def __init__(self, hall: Room) -> None:
        self._hall = hall
        self.held_ms: defaultdict[str, list[float]] = defaultdict(list)
        self.waited_ms: defaultdict[str, list[float]] = defaultdict(list)

    @property
    def phase(self) -> str:
        return str(self._hall.published.phase)

    async def run(self) -> None:
        before = time.perf_counter()
        while True:
            await asyncio.sleep(0.001)
            now = time.perf_counter()
            self.held_ms[self.phase].append((now - before) * 1e3 - 1)
            before = now

    async def bet_elsewhere(self, room: Room) -> None:
        who = Who.terminal(room.config.id, 1)
        for place in count():
            request, number = f"tap-{place}", room.published.round
            tap: BetTap = Clear(request=request, round=number)
            if place % 2 == 0:
                tap = Bet(request=request, round=number, wager="player", cents=100)
            start = time.perf_counter()
            answer = await room.writer.answer(tap, who)
            assert isinstance(answer, Accepted), answer
            self.waited_ms[self.phase].append((time.perf_counter() - start) * 1e3)
            await asyncio.sleep(0.05)  # so that the round's requests suffice


async def order(room: Room, request: str, command: Command, who: str) -> None:
    answer = await room.writer.answer(Order(request, command), Who(who))
    assert isinstance(answer, Accepted), answer


async def seat_everybody(house: House, room: Room, seats: int) -> None:
    """Each with a terminal, credit and a connection."""
    places = [Place("terminal", room.config.id, seat) for seat in range(1, seats + 1)]
    for code in await house.accounts.devices.add(places, by="bench"):
        await house.accounts.devices.enrol(code.code, peer="")
    for first in range(1, seats + 1, MOST_OUTSTANDING):
        some = range(first, min(first + MOST_OUTSTANDING, seats + 1))
        bought = [
            order(room, f"credit-{seat}", staff.CreditTerminal(seat=seat, cents=CREDIT_CENTS), "cass") for seat in some
        ]
        await asyncio.gather(*bought)
    room.terminals.update({seat: cast(Connection, Line()) for seat in range(1, seats + 1)})
    await order(room, "open", staff.OpenTable(), "pat")


async def bet_everywhere(room: Room) -> None:
    number = room.published.round
    for place, wager in enumerate(WAGERS):
        for seat in range(1, SEATS + 1):
            bet = Bet(request=f"{number}-{place}", round=number, wager=wager, cents=100 * (1 + seat % 20))
            room.writer.ask_for_terminal(bet, Who.terminal(room.config.id, seat))
            if seat % 250 == 0:
                await asyncio.sleep(0.01)


async def until(room: Room, phase: str, *, after: int = 0) -> None:
    while room.published.phase != phase or room.published.round <= after:
        await asyncio.sleep(0.005)


async def measure(folder: Path) -> None:
    (folder / VENUE_FILE).write_text(VENUE.format(seats=SEATS))
    quiet_logs()
    house = await House.open(folder)
    await house.start()
    hall, other = house.rooms["hall"], house.rooms["other"]
    await seat_everybody(house, hall, SEATS)
    await seat_everybody(house, other, 1)
    await until(other, "betting-open")
    spare_the_collector()
    watch = Watch(hall)
    tasks = [asyncio.create_task(watch.run()), asyncio.create_task(watch.bet_elsewhere(other))]
    for number in range(ROUNDS):
        await until(hall, "betting-open", after=number)
        await bet_everywhere(hall)
        await until(hall, "settled")
        staked = hall.writer.state.round.staked_cents
        assert staked == sum([100 * (1 + seat % 20) for seat in range(1, SEATS + 1)]) * len(WAGERS), staked
    await until(hall, "betting-open", after=ROUNDS)
    for task in tasks:
        task.cancel()
    show(watch)
    for room in (hall, other):
        room.writer.halt(verbatim("measured"))  # nobody waits for the other's round to end
    await house.stop("measured")


def show(watch: Watch) -> None:
    print(f"{SEATS:,} seats with {len(WAGERS)} bets each, {ROUNDS} rounds; another table bets all the time")
    print("what everybody was told last   loop held, longest      the other's answer p50      p99    longest")
    for phase, held_ms in watch.held_ms.items():
        waited_ms = sorted(watch.waited_ms[phase]) or [0.0]
        middle, late = waited_ms[len(waited_ms) // 2], waited_ms[len(waited_ms) * 99 // 100]
        print(f"{phase:30} {max(held_ms):15.1f} ms {middle:24.1f} {late:8.1f} {waited_ms[-1]:7.1f} ms")
    every_ms = sorted([one for waited_ms in watch.waited_ms.values() for one in waited_ms])
    late, last = every_ms[len(every_ms) * 99 // 100], every_ms[-1]
    print(f"the other's answers on the whole: p99 {late:.1f} ms, longest {last:.1f} ms, behind the hall's settlement")
    longest = max([max(held_ms) for held_ms in watch.held_ms.values()])
    print(f"held at most {longest:.1f} ms at a time (aim: {AIM_MS} ms)")


def main() -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:  # the system's own may be in memory
        uvloop.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
