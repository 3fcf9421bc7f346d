"""Terminals that play at other tables as well, for as long as they like it there."""

import asyncio
from random import Random
from typing import TYPE_CHECKING, Final

from natural9.torture.terminals import SimulatedTerminal

if TYPE_CHECKING:
    from natural9.torture.story import Story

SHARE: Final = 0.4  # of terminals, where a venue lets them
STAYS_S: Final = 40.0


class Visitors:
    """Each is a screen of its own at the other table, under the badge of its terminal; it comes and goes."""

    def __init__(self, story: "Story", chance: Random) -> None:
        self._chance, self.quiet = chance, False
        self._all: list[SimulatedTerminal] = []
        tables = [id for id, config in story.floor.venue.tables.items() if config.takes_visitors]
        for own in [*story.terminals.values()]:
            others = [table for table in tables if table != own.table]
            if others and story.floor.venue.lobby_tables > 1 and chance.random() < SHARE:
                table = chance.choice(others)
                name = f"{own.name} at {table}"
                self._all.append(
                    SimulatedTerminal(
                        story.floor, story.decoder, table, own.seat, story.chance(f"terminal {name}"), story.mix,
                        home=own.table,
                    )
                )  # fmt: skip
                story.terminals[name] = self._all[-1]

    async def work(self) -> None:
        while self._all:
            await asyncio.sleep(STAYS_S * self._chance.uniform(0.1, 2.0) / len(self._all))
            one = self._chance.choice(self._all)
            if self.quiet:
                for each in self._all:
                    each.come()
            elif one.is_away:
                one.come()
            else:
                one.go_home()
