"""A venue on one machine under its nemesis: every terminal, and the staff, have a link of their own to it."""

import asyncio
import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from tests.nemesis.faults import FAULTS, MachineNemesis, left_out_here
from tests.nemesis.links import Links
from tests.nemesis.machine import Machine
from tests.nemesis.player import Roamer
from tests.nemesis.story import NemesisStory, Size
from tests.outside import venue
from tests.outside.books import Books
from tests.outside.moments import Trap
from tests.outside.server import Server
from tests.outside.sqlite_journal import SqliteJournal


class Tapper(Roamer):
    """Many bets at once, old ids with other content: all that a terminal may think of."""

    burst = (1, 2, 6, 40, 120)
    tries_again = True


class OneMachineStory(NemesisStory):
    """`await OneMachineStory(machine, seed, size).tell(faults)`."""

    staff = venue.STAFF  # a cashier less: whoever is hired has a password hashed, and that takes its time
    journal: SqliteJournal
    nemesis: MachineNemesis

    def __init__(self, machine: Machine, seed: int, size: Size | None = None) -> None:
        super().__init__(seed, size)
        self.machine = machine
        self.journal = SqliteJournal(machine.journal_file, self.books.wrong)
        self.nemesis = MachineNemesis(machine, self.chance_of_its_own(), self.books.step, self._set_trap)
        self.left_out = left_out_here(machine)
        self.faults_here = [name for name in FAULTS if name not in self.left_out]

    async def set_up(self, terminal: type[Roamer] = Tapper) -> None:
        await super().set_up(terminal)

    async def tell(self, faults: Iterable[str]) -> Books:
        looking_after = asyncio.create_task(self.machine.look_after())
        try:
            return await super().tell(faults)
        finally:
            if looking_after.done():
                looking_after.result()  # it never ends by itself
            looking_after.cancel()

    async def open(self) -> Server:
        self.make_venue(self.machine.folder)
        seats = range(1, self.size.seats + 1)
        places = ["staff", *(f"{table}-{seat}" for table in self.tables for seat in seats)]
        self.machine.links = Links(dict.fromkeys(places, self.machine.port))
        await self.machine.start()
        return self.machine

    async def open_more(self) -> None:
        """There are none."""

    def addresses(self, sender: str) -> Sequence[str]:
        return [f"http://127.0.0.1:{self.machine.links.ports[sender]}"]

    async def could_read_on(self) -> bool:
        try:
            self.journal.read_on()
        except sqlite3.OperationalError:
            return False
        return True

    async def run_verify(self) -> tuple[int, str]:
        return await self.machine.verify()

    @property
    def starts(self) -> int:
        return self.machine.lives

    def figures(self) -> Mapping[str, int]:
        return {"kills at a moment of the protocol": self.nemesis.moments}

    async def stop(self) -> None:
        self.machine.is_looked_after = False
        await self.machine.ends_when_told()
        for said in self.machine.gave_up:
            self.books.wrong("a server gave up", f"at the end: {said}")

    def _set_trap(self, trap: Trap) -> None:
        for terminal in self.terminals:
            terminal.trap = trap
        for desk in self.desks:
            desk.trap = trap
