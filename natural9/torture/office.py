"""Staff of the simulated floor: orders through the real application, a cashier, and whoever opens the tables."""

import asyncio
from collections import deque
from random import Random
from typing import Any, Final

from natural9.torture.floor import HouseIsDown, SimulatedFloor
from natural9.torture.seam import Answer
from natural9.torture.terminals import SimulatedTerminal

AGAIN_S: Final = 1.0
PATIENCE_S: Final = 30.0  # then whoever waits for an answer says so
BUY_IN_CENTS: Final = (50_000, 50_000, 300_000)
LATER_S: Final = 20.0  # then the money of what was put into a terminal is long there


class Orders:
    """Whoever gives an order asks again under the same id until it is decided."""

    def __init__(self, floor: SimulatedFloor, chance: Random) -> None:
        self._floor, self._chance = floor, chance
        self.answered = 0
        self._asked: dict[str, float] = {}  # without an answer, since when

    def without_answer(self) -> list[str]:
        """In words, of those who have waited for long."""
        now = self._floor.loop.time()
        return [f"no answer to {asked}" for asked, since in self._asked.items() if now - since > PATIENCE_S]

    async def order(self, table: str, person: str, command: dict[str, Any], why: str = "") -> Answer:
        body = {"request": self._floor.new_request(), "command": command, "why": why}
        return await self.post(person, f"/api/tables/{table}/commands", body)

    async def post(self, person: str, path: str, body: dict[str, Any]) -> Answer:
        """Until it is known what came of it."""
        asked = f"{person}: {path} {body['request']}"
        self._asked[asked] = self._floor.loop.time()
        try:
            return await self._post(person, path, body)
        finally:
            del self._asked[asked]

    async def _post(self, person: str, path: str, body: dict[str, Any]) -> Answer:
        while True:
            try:
                if person not in self._floor.badges and not await self._floor.sign_in(person):
                    await self._wait()
                    continue
                status, came = await self._floor.request(person, "POST", path, body)
            except HouseIsDown:
                await self._wait()
                continue
            came = came if isinstance(came, dict) else {}
            if status == 200:
                self.answered += 1
                return Answer(True, "", "", came)
            if status == 401:
                self._floor.badges.pop(person, None)
            elif status not in (429, 503):
                self.answered += 1
                return Answer(False, came.get("code", ""), came.get("message", ""), came)
            await self._wait()

    async def _wait(self) -> None:
        await asyncio.sleep(AGAIN_S * self._chance.uniform(0.5, 1.5))


class BusyCashier:
    """Sells credit to whoever is broke, and pays vouchers: once, at two desks at the same moment, or they go into a
    terminal; and somebody comes with a copy of it afterwards."""

    def __init__(self, orders: Orders, chance: Random, terminals: dict[str, SimulatedTerminal]) -> None:
        self._orders, self._chance, self._terminals = orders, chance, terminals
        self._broke: deque[SimulatedTerminal] = deque()
        self._vouchers: deque[dict[str, Any]] = deque()
        self._copies: list[asyncio.Task[None]] = []
        self._wake = asyncio.Event()
        self.quiet = False

    def broke(self, terminal: SimulatedTerminal) -> None:
        self._broke.append(terminal)
        self._wake.set()

    def printed(self, terminal: SimulatedTerminal, voucher: dict[str, Any]) -> None:
        self._vouchers.append(voucher)
        self._wake.set()

    async def work(self) -> None:
        try:
            while True:
                await self._serve()
        finally:
            for copy in self._copies:
                copy.cancel()

    async def _serve(self) -> None:
        while self._broke:
            one = self._broke.popleft()
            await self.buy_in(one.table, one.seat)
        while self._vouchers:
            await self._cash_in(self._vouchers.popleft())
        self._wake.clear()
        if not self._broke and not self._vouchers:
            await self._wake.wait()

    async def buy_in(self, table: str, seat: int) -> Answer:
        command = {"type": "credit-terminal", "seat": seat, "cents": self._chance.choice(BUY_IN_CENTS)}
        return await self._orders.order(table, "cass", command)

    async def _cash_in(self, voucher: dict[str, Any]) -> None:
        draw, number = self._chance.random(), voucher["number"]
        if draw < 0.25:
            await self._pay(voucher, "cass", f"pay-{number}")
        elif draw < 0.5:  # at two desks at once
            await asyncio.gather(
                self._pay(voucher, "cass", f"pay-{number}"), self._pay(voucher, "carl", f"pay-{number}-b")
            )
        else:
            mine = self._chance.sample([*self._terminals.values()], k=min(2, len(self._terminals)))
            for terminal in mine[: 1 + (draw > 0.75)]:  # the same in two: one of them is refused
                terminal.insert_voucher(voucher)
            if draw < 0.6:  # and at a desk at the same moment
                await self._pay(voucher, "cass", f"pay-{number}")
        if self._chance.random() < 0.5 and not self.quiet:
            self._copies.append(asyncio.create_task(self._come_with_a_copy(voucher)))

    async def _come_with_a_copy(self, voucher: dict[str, Any]) -> None:
        await asyncio.sleep(LATER_S * self._chance.random())
        await self._pay(voucher, "carl", f"pay-{voucher['number']}-copy")

    async def _pay(self, voucher: dict[str, Any], person: str, request: str) -> None:
        body = {"request": request, "number": voucher["number"], "code": voucher["code"]}
        await self._orders.post(person, "/api/vouchers/pay", body)


class Opener:
    """Opens the tables, and keeps them so: clears faults, decides what nobody else decides."""

    def __init__(self, floor: SimulatedFloor, orders: Orders) -> None:
        self._floor, self._orders = floor, orders

    async def open(self) -> None:
        for table in self._floor.mix.tables:
            answer = await self._orders.order(table.id, "max", {"type": "open-table"})
            assert answer.done, answer
