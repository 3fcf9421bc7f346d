"""What a venue costs by the piece: CPU for a bet, a settled seat and a watcher, bytes for a round.

A house in this process, all of it real but the sockets, on SQLite and then on PostgreSQL (a real one from its wheel,
fsync on): tables whose seats all bet, round after round. CPU is counted by process: the tables', the one that writes,
the database's. A watcher is a real WebSocket that is sent what everybody is told; `bench.broadcast` measures that.
docs/scale.md says what follows from it. `python -m bench.unit_costs [SEATS]`.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvloop

from bench.live_server import HEAD, quiet_logs
from bench.settling import seat_everybody, until
from natural9.core.saying import verbatim
from natural9.server.cluster.engines import PostgresEngine, scratch_folder
from natural9.server.house import House
from natural9.server.room import Room
from natural9.server.serve import spare_the_collector
from natural9.store.postgres.address import ADDRESS_FILE
from natural9.store.sqlite.schema import JOURNAL_FILE
from natural9.table.commands.decide import Who
from natural9.table.commands.terminal import Bet
from natural9.table.venue.venue import VENUE_FILE

SEATS = 250  # at each table
TABLES = 8
WAGERS = ("player", "tie", "tiger")
ROUNDS = 6
TABLE = """
[[table]]
id = "{id}"
game = "mbs-tiger-nc"
decks = 8
seats = {seats}
betting_unit = 1
maximum = 1000000
timers = {{ betting = {betting}, reveal = 0, result = 0.1 }}
"""


def cpu_s(pid: int) -> float:
    """Of a process and all that it started, those that have ended included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(cpu_s, children(pid)))


def children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


class Meter:
    """CPU seconds by who spent them, over some stretches of time."""

    def __init__(self, database: int | None) -> None:
        self._writer = [one for one in children(os.getpid()) if one != database]
        self._database = database
        self.spent = {"tables": 0.0, "writer": 0.0, "database": 0.0}

    def _now(self) -> dict[str, float]:
        database = cpu_s(self._database) if self._database else 0.0
        return {"tables": time.process_time(), "writer": sum(map(cpu_s, self._writer)), "database": database}

    @contextmanager
    def counts(self) -> Iterator[None]:
        before = self._now()
        yield
        for who, after in self._now().items():
            self.spent[who] += after - before[who]

    def line(self, what: str, pieces: int) -> str:
        parts = [f"{who} {cpu / pieces * 1e6:6.1f}" for who, cpu in self.spent.items() if cpu]
        return f"{what:24} {sum(self.spent.values()) / pieces * 1e6:6.1f} us of CPU: {', '.join(parts)}"


async def play(folder: Path, seats: int, size: Callable[[], int], database: int | None) -> None:
    betting = max(2.0, seats * TABLES * len(WAGERS) / 8000)
    tables = [TABLE.format(id=f"t{number}", seats=seats, betting=betting) for number in range(TABLES)]
    (folder / VENUE_FILE).write_text(HEAD + "".join(tables))
    house = await House.open(folder)
    await house.start()
    rooms = list(house.rooms.values())
    for room in rooms:
        await seat_everybody(house, room, seats)
    spare_the_collector()
    betting_costs, settling_costs = Meter(database), Meter(database)
    first = await house.store.head()
    bytes_before = size()
    for number in range(ROUNDS):
        await asyncio.gather(*[until(room, "betting-open", after=number) for room in rooms])
        with betting_costs.counts():
            for room in rooms:
                await bet(room, seats)
            await asyncio.gather(*[room.writer.see(lambda state: None) for room in rooms])
        with settling_costs.counts():
            await asyncio.gather(*[until(room, "settled") for room in rooms])
            await asyncio.gather(*[until(room, "betting-open", after=number + 1) for room in rooms])
    last = await house.store.head()
    rounds, seated = ROUNDS * TABLES, ROUNDS * TABLES * seats
    print(betting_costs.line("a bet", seated * len(WAGERS)))
    print(settling_costs.line("a settled seat", seated))
    entries = (last.seq - first.seq) / rounds
    grown = (size() - bytes_before) / rounds
    print(f"a round with {seats} seats    {entries:,.0f} entries, {grown / entries:,.0f} bytes each")
    for room in rooms:
        room.writer.halt(verbatim("measured"))
    await house.stop("measured")


async def bet(room: Room, seats: int) -> None:
    number = room.published.round
    for place, wager in enumerate(WAGERS):
        for seat in range(1, seats + 1):
            tap = Bet(request=f"{number}-{place}", round=number, wager=wager, cents=100)
            room.writer.ask_for_terminal(tap, Who.terminal(room.config.id, seat))
            if seat % 50 == 0:
                await asyncio.sleep(0.005)  # as they come in: many, not all at once


def main() -> None:
    seats = int(sys.argv[1]) if len(sys.argv) > 1 else SEATS
    quiet_logs()
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as made:  # the system's own may be in memory
        folder = Path(made)
        print(f"SQLite: {TABLES} tables, {seats} seats each, {len(WAGERS)} bets each, {ROUNDS} rounds")
        uvloop.run(play(folder, seats, lambda: (folder / JOURNAL_FILE).stat().st_size, None))
    with tempfile.TemporaryDirectory() as made, scratch_folder() as engines:
        folder = Path(made)
        engine = PostgresEngine(engines / "postgres")
        engine.start()
        (folder / ADDRESS_FILE).write_text(engine.make_database("venue") + "\n")
        print("PostgreSQL: the same")
        size = "SELECT pg_database_size('venue')"
        uvloop.run(play(folder, seats, lambda: int(engine.psql(size)), engine.pid))
        engine.close()


if __name__ == "__main__":
    main()
