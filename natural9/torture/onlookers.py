"""Who only looks: a display above every table, the pit's list, the lobby of a terminal, where there is one, and a
manager who asks for a table and its terminals over HTTP now and then.

They do nothing, and are shown what everybody of their kind is shown: the auditor looks over their shoulders.
"""

import asyncio
from random import Random
from typing import Final

import msgspec

from natural9.server.websocket import UpgradeRefused
from natural9.torture.floor import HouseIsDown, SimulatedFloor
from natural9.torture.network import SimulatedLine

BACK_S: Final = 1.0
IN_THE_PIT: Final = "sam"
GLANCE_S: Final = 4.0


class Onlooker:
    """One screen; `who` is how it is known to the auditor, `badge` what it shows at the door."""

    def __init__(self, floor: SimulatedFloor, who: str, badge: str, path: str, chance: Random) -> None:
        self._floor, self._who, self._badge, self._path, self._chance = floor, who, badge, path, chance
        self._line: SimulatedLine | None = None
        self._after = ""  # the run and the number of the last message that it knows
        self.is_welcome = True

    async def work(self) -> None:
        while self.is_welcome:
            if self._line is None:
                await self._connect()
            await asyncio.sleep(BACK_S * self._chance.uniform(0.5, 1.5))

    async def _connect(self) -> None:
        floor = self._floor
        try:
            is_known = self._badge in floor.badges or await floor.sign_in(self._badge)
            came = floor.connect(self._badge, self, self._path, self._after) if is_known else None
        except HouseIsDown:
            return
        if isinstance(came, UpgradeRefused):
            if came.status == 401 and self._badge == IN_THE_PIT:
                floor.badges.pop(self._badge, None)
            self.is_welcome = came.status != 403
        elif came:
            self._line = came
            floor.see(self._who, "came")

    def hear(self, message: bytes) -> None:
        self._floor.see(self._who, "shown", message)
        if message.startswith(b'{"type":"welcome"'):
            said = msgspec.json.decode(message)
            self._after = f"{said['epoch']}:{said['n']}"
        elif self._after and message.startswith(b'{"type":"table"'):
            self._after = f"{self._after.partition(':')[0]}:{msgspec.json.decode(message)['n']}"

    def lost(self, code: int, reason: str) -> None:
        self._line = None
        self._floor.see(self._who, "cut", str(code).encode())


class Glances:
    """At one table after the other, whatever is going on there at that moment."""

    def __init__(self, floor: SimulatedFloor, chance: Random) -> None:
        self._floor, self._chance = floor, chance

    async def work(self) -> None:
        floor, tables = self._floor, [*self._floor.venue.tables]
        while True:
            await asyncio.sleep(GLANCE_S * self._chance.uniform(0.0, 2.0))
            path = f"/api/tables/{self._chance.choice(tables)}{self._chance.choice(('', '', '/terminals'))}"
            try:
                if IN_THE_PIT in floor.badges or await floor.sign_in(IN_THE_PIT):
                    answer = await floor.request(IN_THE_PIT, "GET", path)
                    if answer.status == 401:
                        floor.badges.pop(IN_THE_PIT, None)
            except HouseIsDown:
                pass


class Onlookers:
    """All of a floor."""

    def __init__(self, floor: SimulatedFloor, chance: Random) -> None:
        tables = [*floor.venue.tables]
        self._all = [Onlooker(floor, f"display {id}", id, f"/ws/table/{id}", chance) for id in tables]
        self._all.append(Onlooker(floor, f"floor {IN_THE_PIT}", IN_THE_PIT, "/ws/floor", chance))
        if floor.venue.lobby_tables > 1:
            self._all.append(Onlooker(floor, f"terminal {tables[0]}/1 lobby", f"{tables[0]}/1", "/ws/lobby", chance))
        self._glances = Glances(floor, chance)
        self.quiet = False

    async def work(self) -> None:
        await asyncio.gather(self._glances.work(), *[one.work() for one in self._all])
