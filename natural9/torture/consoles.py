"""The consoles of the simulated floor: a screen at every table, over the real WebSocket, and orders given beside it."""

import asyncio
from collections.abc import Mapping
from random import Random
from typing import Final

from natural9.server import protocol
from natural9.server.websocket import UpgradeRefused
from natural9.torture.floor import HouseIsDown, SimulatedFloor
from natural9.torture.network import SimulatedLine
from natural9.torture.office import Orders
from natural9.torture.seam import NOTHING, Answer, Picture
from natural9.torture.terminals import Decoder

BACK_S: Final = 0.5
SHOWN_S: Final = 10.0  # that a screen may take to show what was done: then whoever waits goes by what it shows
LOOK_S: Final = 0.02
COMES_BY_S: Final = 40.0


class ConsoleScreen:
    """One table's, under the badge of a person of its own."""

    def __init__(self, floor: SimulatedFloor, decoder: Decoder, table: str, person: str, chance: Random) -> None:
        self._floor, self._decoder, self._table, self._person, self._chance = floor, decoder, table, person, chance
        self._who = f"console {person} {table}"
        self._line: SimulatedLine | None = None
        self._view: Picture = NOTHING  # what the console may do about it comes right behind
        self.picture: Picture = NOTHING
        self.epoch, self.n = "", 0

    async def work(self) -> None:
        """Connected, for as long as there is a house."""
        while True:
            if self._line is None:
                await self._connect()
            await asyncio.sleep(BACK_S * self._chance.uniform(0.5, 1.5))

    async def _connect(self) -> None:
        floor, after = self._floor, f"{self.epoch}:{self.n}" if self.epoch else ""
        try:
            if self._person not in floor.badges and not await floor.sign_in(self._person):
                return
            came = floor.connect(self._person, self, f"/ws/table/{self._table}", after)
        except HouseIsDown:
            return
        if isinstance(came, UpgradeRefused):
            if came.status in (401, 403):
                floor.badges.pop(self._person, None)
            return
        self._line = came
        floor.see(self._who, "came")

    def hear(self, message: bytes) -> None:
        """A change of the table comes first, what the console may do about it right behind: they count together."""
        self._floor.see(self._who, "shown", message)
        said = self._decoder.decode(message)
        match said["type"]:
            case "welcome":
                self.epoch, self.n, self._view = said["epoch"], said["n"], said["table"]
                self.picture = {"table": self._view, "console": said["console"]}
            case "table":
                self._view = said["table"]
            case "console":
                self.n = said["n"]
                self.picture = {"table": self._view, "console": said["console"]}
            case "halted":
                self.picture = NOTHING
            case _:
                pass

    def lost(self, code: int, reason: str) -> None:
        """Dark until it is connected again."""
        self._line, self.picture = None, NOTHING
        self._floor.see(self._who, "cut", str(code).encode())
        if code == protocol.SESSION_ENDED:
            self._floor.badges.pop(self._person, None)

    async def shows(self, epoch: str, n: int) -> None:
        """Until the picture of this number is there, or another run of the table shows its own."""
        until_s = self._floor.loop.time() + SHOWN_S
        while self._floor.loop.time() < until_s:
            if self.picture and (self.epoch != epoch or self.n >= n):
                return
            await asyncio.sleep(LOOK_S)


class Patrol:
    """A table that nobody stands at: whoever comes by now and then looks at it, over HTTP."""

    def __init__(self, floor: SimulatedFloor, table: str, person: str, chance: Random) -> None:
        self._floor, self._table, self._person, self._chance = floor, table, person, chance
        self.picture: Picture = NOTHING
        self.epoch = ""

    async def work(self) -> None:
        while True:
            await self._look()
            await asyncio.sleep(COMES_BY_S * self._chance.uniform(0.5, 1.5))

    async def _look(self) -> None:
        floor = self._floor
        try:
            if self._person not in floor.badges and not await floor.sign_in(self._person):
                return
            answer = await floor.request(self._person, "GET", f"/api/tables/{self._table}")
        except HouseIsDown:
            self.picture = NOTHING
            return
        if answer.status == 401:
            floor.badges.pop(self._person, None)
        self.picture = answer.body if answer.status == 200 else NOTHING

    async def shows(self, epoch: str, n: int) -> None:
        """Looked at once more: what was done is there by now."""
        await self._look()


class Consoles:
    """All of a floor. Whoever stands at a table gives orders there and looks at its screen."""

    def __init__(self, orders: Orders, screens: Mapping[str, ConsoleScreen | Patrol]) -> None:
        self._orders, self._screens = orders, screens
        self.quiet = False

    async def work(self) -> None:
        await asyncio.gather(*[screen.work() for screen in self._screens.values()])

    def console(self, table: str) -> Picture:
        return self._screens[table].picture

    async def order(self, table: str, person: str, command: Picture, why: str = "") -> Answer:
        screen = self._screens[table]
        epoch = screen.epoch
        answer = await self._orders.order(table, person, command, why)
        if answer.done:
            await screen.shows(epoch, answer.body["n"])
        return answer
