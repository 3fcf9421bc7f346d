"""kill -9 while bills are on their way: each becomes credit once, and its box holds exactly that."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from natural9.journal.line import read_line
from tests.server.acceptor import Device, device
from tests.server.live_server import PEOPLE, Server, Visit, new_venue, password, running, staffed, table

KILLS = 3
BILLS = (200, 500, 1_000, 5_000)


class Holding:
    """A device's memory: what it has asked and not been answered for good."""

    def __init__(self, one: Device, chance: Random) -> None:
        self.one, self.chance = one, chance
        self.asked: dict[str, int] = {}
        self.stacked: set[str] = set()

    async def insert(self) -> None:
        id, cents = f"run-{len(self.asked):06}", self.chance.choice(BILLS)
        self.asked[id] = cents
        await self.ask(id)

    async def ask(self, id: str) -> None:
        await self.one.say(f"BILL {self.asked[id] // 100} SGD {id}")

    def hear(self) -> None:
        for line in self.one.heard:
            word, _, id = line.partition(" ")
            assert word in ("STACK", "WAIT"), line
            if word == "STACK":
                self.stacked.add(id)

    async def settle(self) -> None:
        """Until all that it holds is answered, it asks again."""
        self.hear()
        while held := self.asked.keys() - self.stacked:
            for id in sorted(held):
                await self.ask(id)
            await asyncio.sleep(0.05)
            self.hear()


@pytest.mark.parametrize("seed", [1, 2])
def test_no_bill_is_lost_or_credited_twice(seed: int, tmp_path: Path) -> None:
    chance = Random(seed)

    async def evening(visitor: Visit, server: Server, one: Device) -> Holding:
        holding = Holding(one, chance)
        await visitor.open("a")
        await visitor.enrolled("a", 1)
        signature = {"id": PEOPLE["pit-manager"], "password": password("pit-manager")}
        cashier = await visitor.person("cashier")
        box: dict[str, Any] = {"request": "box", "table": "a", "seat": 1, "signature": signature}
        assert (await cashier.post("/api/cash-boxes/change", box))["number"] == 1
        for _ in range(KILLS):
            heard = len(one.heard)
            for _ in range(chance.randrange(3, 12)):
                await holding.insert()
            await one.told(heard + chance.randrange(1, 3))
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await one.connected.wait()
            await holding.settle()
        return holding

    async def story(folder: Path) -> None:
        async with device() as one:
            new_venue(
                folder,
                table("a", "rws-nc", shoe="shuffler"),
                f'[bill_acceptor]\naddress = "{one.address}"\nat_tables = ["a"]\n',
            )
            with running(folder) as server:
                async with Visit(server) as visitor:
                    holding = await evening(visitor, server, one)
                assert server.terminate() == 0
            bought = [read_line(one) for one in await server.history() if one.kind == "credit-bought"]
            found = {line.origin.request: line.event.cents for line in bought}  # type: ignore[attr-defined]
            assert len(bought) == len(found), "none twice"
            assert found == holding.asked, "and none lost"
            books = await server.check_books()
            assert books["desk/box:a-1:1"] == -sum(holding.asked.values())
            await server.check_every_round()

    staffed()
    asyncio.run(story(tmp_path))
