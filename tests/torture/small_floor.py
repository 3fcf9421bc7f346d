"""One table, its crew and some players, on simulated time: the real writer over a store in memory."""

import asyncio
from collections import Counter
from functools import partial
from itertools import count
from random import Random
from typing import Any

import msgspec

from natural9.core.round import Refusal
from natural9.core.round.commands import Command
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from natural9.server.card_reader import follow_reader
from natural9.server.people.permissions import Role, action_of, may
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import orders, staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order, StaffCommand
from natural9.table.commands.terminal import Tap
from natural9.table.live.answers import Accepted
from natural9.table.shoes.reader import read_cards
from natural9.table.shoes.shuffler import Shuffled, shuffled_shoe
from natural9.table.state.console_view import ConsoleView, console_sees
from natural9.table.state.view import TableView, everybody_sees
from natural9.torture.clauses import Exercised
from natural9.torture.crew import FloorPit, TableCrew
from natural9.torture.loop import SimulatedLoop
from natural9.torture.people import PEOPLE
from natural9.torture.reader import SimulatedReader, SimulatedReaders
from natural9.torture.seam import Answer, Picture
from natural9.torture.table_staff import TableStaff
from tests.table.live import CASHIER, LiveTable, table_config, terminal

SEATS = (1, 2, 3, 4, 5)
READER = "tcp:127.0.0.1:9401"


class SmallFloor:
    """Gives orders to one table, and sees its console."""

    def __init__(self, game: str, chance: Random, *, reader: bool = False, **changes: Any) -> None:
        self.chance, self.steps = chance, list[str]()
        self.readers = SimulatedReaders()
        config = table_config(game, reader=READER if reader else "", **changes)
        self.table = LiveTable(config, MemoryStore(), shuffle=self._shuffled)
        self.at = TableStaff(config, self, self, chance, self.steps.append, share=0.25)
        self._picture: Picture = {}
        self._shown: tuple[TableView, ConsoleView | None]
        self._requests = count(1)
        self._lock, self.crashes = asyncio.Lock(), 0.0
        device = SimulatedReader(chance, self.steps.append, share=0.1) if reader else None
        if device:
            self.readers.add(READER, device)
        self.crew = TableCrew(self.at, device)
        self._following: asyncio.Task[None] | None = None

    def console(self, table: str) -> Picture:
        """As it was last published; a table that has published nothing yet shows what it is."""
        told = self.table.ears.told
        if told:
            self._shown = told[-1].table, told[-1].console
            told.clear()
            self._picture = {}
        elif not self._picture:
            self._shown = everybody_sees(self.table.state), console_sees(self.table.state)
        if not self._picture:
            shown, console = (msgspec.to_builtins(one, enc_hook=str) for one in self._shown)
            self._picture = {"table": shown, "console": console}
        return self._picture

    async def order(self, table: str, person: str, command: Picture, why: str = "") -> Answer:
        rank = PEOPLE[person]
        if not may(Role(rank.tag), action_of(str(command["type"]))):
            return Answer(False, "not-allowed", "not allowed")
        asked = orders.read(msgspec.convert(command, StaffCommand))
        if isinstance(asked, Refusal):
            return Answer(False, asked.code, str(asked))
        await asyncio.sleep(self.chance.uniform(0, 0.05))
        async with self._lock:
            if self.at.rarely(self.crashes):
                await self.crash()
            return await self._answered(person, asked, why)

    async def _answered(self, person: str, asked: Command, why: str) -> Answer:
        rank = PEOPLE[person]
        answer = await self.table.writer.answer(Order(f"s{next(self._requests)}", asked, why), Who(person, rank=rank))
        await self.table.settle_down()
        if isinstance(answer, Accepted):
            return Answer(True)
        assert isinstance(answer, Refusal), answer
        return Answer(False, answer.code, str(answer))

    def _shuffled(self, decks: int) -> Shuffled:
        return shuffled_shoe(decks, self.chance.randrange, self.chance.randbytes)

    async def start(self) -> None:
        await self.table.start()
        self._follow()

    def _follow(self) -> None:
        if self.at.config.reader:
            lines = partial(read_cards, opened=self.readers.opened)
            follow = follow_reader(READER, self.table.writer, lines, self.chance.randbytes)
            self._following = asyncio.create_task(follow)

    async def crash(self) -> None:
        away_ms = self.chance.choice((1_000, 100_000))
        seen = self.table.now_ms
        if self._following:
            self._following.cancel()
        await self.table.crash()
        self.table.now_ms += away_ms
        self.table = await self.table.again(seen_ms=seen)
        self._picture = {}
        self._follow()
        self.steps.append(f"The power goes for {away_ms // 1000} s and comes back")

    async def play(self) -> None:
        """Players: they bet, take back, insure, and come late."""
        for seat in SEATS:
            await self.table.do(staff.CreditTerminal, CASHIER, seat=seat, cents=50_000_000)
        while True:
            await asyncio.sleep(self.chance.uniform(0.2, 1.5))
            view = everybody_sees(self.table.state)
            seat = self.chance.choice(SEATS)
            request = self.table.request()
            async with self._lock:
                await self.table.writer.answer(self._tap(view, seat, request), terminal(seat))

    def _tap(self, view: TableView, seat: int, request: str) -> Tap:
        if view.window_open:
            hand = self.chance.choice(list(Hand))
            return taps.Insure(request=request, round=view.round, hand=hand, cents=100)
        if self.chance.random() < 0.2:
            return taps.Clear(request=request, round=view.round)
        wager = self.chance.choice([*view.limits])
        return taps.Bet(request=request, round=view.round, wager=wager, cents=self.chance.choice((100, 500, 2_000)))


def told(
    game: str, seed: int, rounds: int, *, used: Counter[str] | None = None, **how: Any
) -> tuple[SmallFloor, Exercised]:
    """An evening from its seed, on simulated time. `used`: what other evenings had already."""

    async def whole() -> tuple[SmallFloor, Exercised]:
        floor = await evening(game, seed, rounds, used=used, **how)
        return floor, await ends(floor)

    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        return runner.run(whole())


async def evening(
    game: str, seed: int, rounds: int, *, crashes: float = 0.0, used: Counter[str] | None = None, **changes: Any
) -> SmallFloor:
    """So many rounds with mistakes, then all comes to rest."""
    floor = SmallFloor(game, Random(f"{seed}/{game}/{sorted(changes)}"), **changes)
    if used is not None:
        floor.at.used = used
    await floor.start()
    floor.crashes = crashes
    pit = FloorPit([floor.at], floor.chance)
    tasks = [asyncio.create_task(one) for one in (floor.crew.work(), pit.work(), floor.play())]
    try:
        loop = asyncio.get_running_loop()
        while floor.table.round < rounds:
            await asyncio.sleep(5)
            _raise_what_failed(tasks)
            assert loop.time() < rounds * 300, f"stuck after {floor.table.round} rounds"
        floor.at.quiet = True
        until = loop.time() + 1000
        while not floor.crew.is_at_rest():
            await asyncio.sleep(1)
            _raise_what_failed(tasks)
            assert loop.time() < until, f"does not come to rest: {floor.console('')['table']['waiting']}"
    except AssertionError as error:
        raise AssertionError("\n".join([str(error), *floor.steps[-40:]])) from None
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return floor


def _raise_what_failed(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        if task.done():
            task.result()


async def ends(floor: SmallFloor) -> Exercised:
    """What was exercised; the journal is examined, and everything stopped."""
    found = Exercised()
    for line in await floor.table.journal():
        found.hear(floor.table.config.id, line)
    await floor.table.check_history()
    verified = await verify(floor.table.store, load_game=load_game)
    assert verified.fault is None, verified.fault.words
    await floor.table.crash()
    if floor._following:
        floor._following.cancel()
        await asyncio.gather(floor._following, return_exceptions=True)
    return found
