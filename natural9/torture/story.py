"""One seed told: a floor is built and played under its faults; then they stop, and everything must come to rest."""

import asyncio
import gc
import logging
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Final, Protocol

import structlog

from natural9.journal.line import read_line
from natural9.table.venue.file import Mode
from natural9.torture.chance import chance_of
from natural9.torture.clauses import Exercised
from natural9.torture.crew import TableCrew
from natural9.torture.disk import NO_DISK_FAULTS
from natural9.torture.floor import HouseIsDown, SimulatedFloor
from natural9.torture.loop import SimulatedLoop
from natural9.torture.mix import Mix, draw_mix
from natural9.torture.network import NO_NETWORK_FAULTS
from natural9.torture.office import BusyCashier, Opener, Orders
from natural9.torture.pay_rows import RowsPaid
from natural9.torture.staffing import staff_of
from natural9.torture.terminals import Decoder, SimulatedTerminal
from natural9.torture.watching import FloorWatch

LOOK_S: Final = 1.0
REST_S: Final = 600.0  # simulated, that everything may take to come to rest
AT_LEAST: Final = 2  # rounds that a table must play on
KIND: Final = attrgetter("kind")
ENDINGS: Final = frozenset({"round-settled", "round-voided"})


class Actor(Protocol):
    """Somebody of the floor beside terminals and the cashier. `quiet` is set when the faults stop."""

    quiet: bool

    async def work(self) -> None: ...


@dataclass
class Told:
    """What came of a seed."""

    seed: int
    rounds: int = 0
    bets: int = 0
    decisions: int = 0  # taps and orders that the house answered
    crashes: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)  # of entries
    refused: Counter[str] = field(default_factory=Counter)  # taps, by code
    clauses: Exercised = field(default_factory=Exercised)
    pay_rows: Counter[str] = field(default_factory=Counter)  # that decided a bet
    steps: list[str] = field(default_factory=list)  # in plain words
    loop_steps: int = 0
    violations: list[str] = field(default_factory=list)
    head: str = ""
    seconds: float = 0.0
    simulated_s: float = 0.0


class Power:
    """The operator of the machine, and whoever kicks its plug: kills, outages, clocks that are set, restarts."""

    def __init__(self, floor: SimulatedFloor, mix: Mix, chance: Random) -> None:
        self._floor, self._faults, self._chance = floor, mix.process, chance
        self.crashes = 0
        self.quiet = False
        self._next_crash = self._in(self._faults.crash_s)
        self._next_jump = self._in(self._faults.clock_jump_s)
        self._next_stop = self._in(self._faults.stop_s)

    def _say(self, words: str) -> None:
        if self._floor.tell:
            self._floor.tell(words)

    def _in(self, mean_s: float) -> float:
        return self._floor.loop.time() + self._chance.expovariate(1 / mean_s) if mean_s else float("inf")

    async def work(self) -> None:
        while True:
            now = self._floor.loop.time()
            if not self._floor.is_up:
                await self._start()
            elif self._floor.is_halted:
                self._floor.happened["started anew after a halt"] += 1
                await asyncio.sleep(self._chance.uniform(0.0, 20.0))
                await self._kill()
            elif self.quiet:
                await asyncio.sleep(LOOK_S)
            elif now >= self._next_crash:
                self._next_crash = self._in(self._faults.crash_s)
                await self._kill()
            elif now >= self._next_stop:
                self._next_stop = self._in(self._faults.stop_s)
                await self._stop()
            elif now >= self._next_jump:
                self._next_jump = self._in(self._faults.clock_jump_s)
                self._floor.happened["clock set"] += 1
                ahead_ms = round(self._chance.uniform(-3_600_000, 3_600_000))
                self._floor.clock_ahead_ms += ahead_ms
                self._say(f"the machine's clock is set by {ahead_ms / 1000:+.0f} s")
            else:
                soonest = min(self._next_crash, self._next_jump, self._next_stop, now + LOOK_S)
                await asyncio.sleep(soonest - now)

    async def _kill(self) -> None:
        """Between any two steps of what is going on then."""
        self._kill_in(self._chance.choice((1, 3, 10, 30, 100, 300)))
        while self._floor.is_up:
            await asyncio.sleep(0.001)

    def _kill_in(self, most_steps: int) -> None:
        self._floor.loop.after_steps(self._chance.randint(1, most_steps), self._killed)

    def _killed(self) -> None:
        self.crashes += 1
        self._say("the server is killed")
        self._floor.crash()

    async def _start(self) -> None:
        away_s = self._chance.uniform(0.0, 5.0)
        if not self.quiet and self._chance.random() < self._faults.long_outage:
            self._floor.happened["long outage"] += 1
            away_s = self._chance.uniform(10.0, 200.0)
        await asyncio.sleep(away_s)
        if not self.quiet and self._chance.random() < self._faults.at_start:
            self._floor.happened["killed while it started"] += 1
            self._kill_in(self._chance.choice((3, 10, 30, 100)))
        with suppress(HouseIsDown):
            self._say("the server is started")
            await self._floor.open()

    async def _stop(self) -> None:
        self._floor.happened["stopped and started"] += 1
        with suppress(HouseIsDown):
            self._say("the server is stopped in good order")
            await self._floor.stop()


class Story:
    """The floor of a mix, and everybody on it."""

    def __init__(self, mix: Mix, folder: Path, *, actors: Callable[["Story"], list[Actor]] | None = None) -> None:
        self.mix = mix
        self.floor = SimulatedFloor(mix, folder)
        self.orders = Orders(self.floor, self.chance("orders"))
        self.terminals: dict[str, SimulatedTerminal] = {}
        self.cashier = BusyCashier(self.orders, self.chance("cashier"), self.terminals)
        self.opener = Opener(self.floor, self.orders)
        self.power = Power(self.floor, mix, self.chance("power"))
        self.decoder = Decoder()
        self.kinds: Counter[str] = Counter()
        self.steps: list[str] = []  # what staff did, in plain words
        self._read, self._over = 0, Counter[str]()
        self._more_actors = actors or staff_of
        self.quiet_ms = 0  # when the faults stopped
        self.rounds_then: dict[str, int] = {}
        self.at_rest: list[str] = []  # tables that were brought to rest at the end
        self.actors: list[Actor] = [self.cashier, self.power]
        self._working: list[asyncio.Task[None]] = []

    def tell(self, words: str) -> None:
        self.steps.append(f"{self.floor.loop.time():9.1f} s  {words}")

    def chance(self, part: str) -> Random:
        return chance_of(self.mix.seed, part)

    @property
    def rounds(self) -> int:
        """That are over, as the disk has them."""
        return sum(self._ended().values())

    def _ended(self) -> Counter[str]:
        """Rounds that are over, by stream; what has come since the last look is looked at."""
        journal = self.floor.disk.platter._journal
        new = journal[self._read :]
        self._read += len(new)
        kinds = Counter(map(KIND, new))
        self.kinds.update(kinds)
        if not ENDINGS.isdisjoint(kinds):
            self._over.update([entry.stream for entry in new if entry.kind in ENDINGS])
        return self._over

    async def play(self, rounds: int) -> None:
        """Until so many rounds are over, and at each table its share of them: a dealer's would have two or three while
        an automatic one has thirty. Then without faults, until everything has come to rest."""
        await self.begin()
        try:
            while not self._have_been_played(rounds) and self.floor.loop.time() < self.mix.longest_s:
                await asyncio.sleep(LOOK_S)
                for one in self._working:
                    if one.done():
                        one.result()
            self.quiet()
            await self.rest()
            await self.close()
        finally:
            await self.end()

    def _have_been_played(self, rounds: int) -> bool:
        by_table = [*self.rounds_by_table().values()]
        return sum(by_table) >= rounds and min(by_table) >= rounds // len(by_table)

    async def begin(self) -> None:
        """The tables are open, everybody is at work, and from now on things go wrong."""
        floor, mix = self.floor, self.mix
        await floor.begin()
        await self.opener.open()
        for table in mix.tables:
            for seat in range(1, table.seats + 1):
                name = f"{table.id}/{seat}"
                self.terminals[name] = SimulatedTerminal(
                    floor, self.decoder, table.id, seat, self.chance(f"terminal {name}"), mix,
                    self.cashier.broke, self.cashier.printed,
                )  # fmt: skip
        self.actors += self._more_actors(self)
        self._working = [asyncio.create_task(one.work()) for one in self.actors]
        for terminal in self.terminals.values():
            terminal.connect()
        self.floor.disk.faults, self.floor.network.faults = mix.disk, mix.network

    async def end(self) -> None:
        for one in self._working:
            one.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)

    def quiet(self) -> None:
        """The faults stop; from now on everybody behaves."""
        floor = self.floor
        if floor.tell:
            floor.tell("the faults stop")
        self.quiet_ms, self.rounds_then = floor.monotonic_ms(), self.rounds_by_table()
        floor.disk.faults, floor.network.faults = NO_DISK_FAULTS, NO_NETWORK_FAULTS
        for actor in self.actors:
            actor.quiet = True
        for terminal in self.terminals.values():
            terminal.quiet = True

    async def rest(self) -> None:
        """Every request is answered, and every table plays on: none is stuck."""
        began_s, before = self.floor.loop.time(), self.rounds_by_table()
        while self.floor.loop.time() - began_s < REST_S:
            await asyncio.sleep(LOOK_S)
            if not self._what_waits(before):
                return
        raise Stuck(f"after {REST_S:g} s without faults: {'; '.join(self._what_waits(before))}")

    async def close(self) -> None:
        """Each crew goes home once its round is over and nothing waits for anybody: what it leaves is judged."""
        crews = [one for one in self.actors if isinstance(one, TableCrew) and one.at.config.mode is Mode.DEALER]
        for crew in crews:
            crew.evening_ends = True
        began_s = self.floor.loop.time()
        while waits := [crew.at.id for crew in crews if not crew.has_gone]:
            if self.floor.loop.time() - began_s > REST_S:
                raise Stuck(f"after {REST_S:g} s nobody can go home at {', '.join(waits)}")
            await asyncio.sleep(LOOK_S)
        self.at_rest = [crew.at.id for crew in crews]

    def _what_waits(self, before: dict[str, int]) -> list[str]:
        now = self.rounds_by_table()
        waits = [
            f"fewer than {AT_LEAST} rounds ended at {table}"
            for table in before
            if now[table] < before[table] + AT_LEAST
        ]
        waiting = [one for one in self.terminals.values() if one.asked and not one.is_gone]
        waits += [f"{one.name} has no answer to {next(iter(one.asked.values())).tap}" for one in waiting]
        waits += self.orders.without_answer()
        if not self.floor.is_up:
            waits.append("the house is down")
        elif self.floor.is_halted:
            waits.append("a table has halted")
        return waits

    def rounds_by_table(self) -> dict[str, int]:
        ended = self._ended()
        return {table.id: ended[f"table/{table.id}"] for table in self.mix.tables}


async def exercised_by(story: Story) -> tuple[Exercised, Counter[str]]:
    """Of the rulebooks and of the pay tables, by the journal on the disk."""
    found, rows = Exercised(), Counter[str]()
    for table in story.mix.tables:
        paid = RowsPaid()
        for entry in await story.floor.disk.platter.entries(stream=f"table/{table.id}", limit=10**9):
            line = read_line(entry)
            found.hear(table.id, line)
            paid.hear(line)
        rows += paid.rows
    return found, rows


class Stuck(Exception):
    """Liveness is violated, in words."""


def tell(
    seed: int,
    rounds: int,
    *,
    mix: Mix | None = None,
    actors: Callable[[Story], list[Actor]] | None = None,
    judged: bool = True,
    step_by_step: bool = False,
) -> Told:
    """The story of a seed, from the first start to the last checkpoint."""
    began = time.process_time()
    told = Told(seed)
    with (
        silent(),
        rarely_collected(),
        tempfile.TemporaryDirectory(prefix="natural9-torture-", dir=fast_folder()) as folder,
    ):
        loop = SimulatedLoop()
        try:
            asyncio.set_event_loop(loop)
            loop.run_until_complete(
                _tell(
                    told, mix or draw_mix(seed), Path(folder), rounds, actors, judged=judged, step_by_step=step_by_step
                )
            )
        finally:
            asyncio.set_event_loop(None)
            loop.close()
    told.violations += [f"mistake: {one}" for one in loop.mistakes]
    told.seconds = time.process_time() - began
    return told


@contextmanager
def silent() -> Iterator[None]:
    """What the house logs of its troubles is no news here, and takes its time."""
    configured = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a coroutine of a process that was killed was never awaited
            yield
    finally:
        logging.disable(before)
        structlog.configure(**configured)


@contextmanager
def rarely_collected() -> Iterator[None]:
    """As `serve` sets it for a server: looking for circles as often as Python does takes a tenth of the time."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def fast_folder() -> str | None:
    """Keys and heartbeats are real files: in memory, where there is such a place."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


async def _tell(
    told: Told,
    mix: Mix,
    folder: Path,
    rounds: int,
    actors: Callable[[Story], list[Actor]] | None,
    *,
    judged: bool,
    step_by_step: bool,
) -> None:
    story = Story(mix, folder, actors=actors)
    if step_by_step:
        story.floor.tell = story.tell
    watch = FloorWatch(story.floor) if judged else None
    try:
        await story.play(rounds)
        if watch:
            must_play = [table.id for table in mix.tables if table.deals == "electronic"]
            watch.rests(story.rounds_then, must_play=must_play, must_rest=story.at_rest, since_ms=story.quiet_ms)
        await story.floor.stop()
    except Stuck as stuck:
        told.violations.append(f"stuck: {stuck}")
        story.floor.loop.call_soon(story.floor.crash)
        await asyncio.sleep(1)
    if watch:
        told.violations += [str(one) for one in await watch.judge()]
    told.rounds, told.kinds = story.rounds, story.kinds
    told.bets = told.kinds["bet-placed"]
    for one in story.terminals.values():
        told.refused.update(one.refused)
    answered = sum(one.answered for one in story.terminals.values()) + told.refused.total()
    told.decisions = answered + story.orders.answered
    told.steps = story.steps
    told.clauses, told.pay_rows = await exercised_by(story)
    told.crashes = story.power.crashes
    told.faults = story.floor.happened + story.floor.disk.happened + story.floor.network.happened
    told.loop_steps = story.floor.loop.steps
    told.simulated_s = story.floor.loop.time()
    told.head = (await story.floor.disk.platter.head()).hash.hex()
