"""Staff of the simulated floor: orders through the real application, a cashier, and whoever opens the tables."""

import asyncio
from collections import deque
from random import Random
from typing import Any, Final

from natural9.core.staff import Rank
from natural9.torture.floor import PASSWORD, HouseIsDown, SimulatedFloor
from natural9.torture.people import of_rank
from natural9.torture.seam import Answer
from natural9.torture.terminals import SimulatedTerminal

AGAIN_S: Final = 1.0
PATIENCE_S: Final = 30.0  # then whoever waits for an answer says so
BUY_IN_CENTS: Final = (50_000, 50_000, 300_000)
PAY: Final = "/api/vouchers/pay"
DRAWER_IN: Final = {"/api/drawer/open": 1, "/api/drawer/fill": 1, "/api/drawer/return": -1}
REMEMBERED: Final = 10  # vouchers
LATER_S: Final = 20.0  # then the money of what was put into a terminal is long there


class Orders:
    """Whoever gives an order asks again under the same id until it is decided."""

    def __init__(self, floor: SimulatedFloor, chance: Random) -> None:
        self._floor, self._chance = floor, chance
        self.answered = 0
        self._cash: dict[tuple[str, str], int] = {}  # what each request has brought to whose desk
        self._asked: dict[str, float] = {}  # without an answer, since when

    def without_answer(self) -> list[str]:
        """In words, of those who have waited for long."""
        now = self._floor.loop.time()
        return [f"no answer to {asked}" for asked, since in self._asked.items() if now - since > PATIENCE_S]

    def new_request(self) -> str:
        return self._floor.new_request()

    def cash_of(self, person: str) -> int:
        """What has come to a desk less what went from it, by what its cashier was told, but for counts."""
        return sum(cents for (desk, _), cents in self._cash.items() if desk == person)

    async def order(self, table: str, person: str, command: dict[str, Any], why: str = "") -> Answer:
        body = {"request": self._floor.new_request(), "command": command, "why": why}
        return await self.post(person, f"/api/tables/{table}/commands", body)

    async def cash(self, person: str, path: str, body: dict[str, Any]) -> Answer:
        """Asked alone; where that is too much for one person, once more with somebody who signs."""
        answer = await self.post(person, path, body)
        if answer.code == "signature-required":
            signature = {"id": of_rank(Rank.PIT_MANAGER, self._chance)[0], "password": PASSWORD}
            body = {**body, "request": self.new_request(), "signature": signature}
            answer = await self.post(person, path, body)
        return answer

    async def post(self, person: str, path: str, body: dict[str, Any]) -> Answer:
        """Until it is known what came of it."""
        asked = f"{person}: {path} {body['request']}"
        self._asked[asked] = self._floor.loop.time()
        try:
            return await self._post(person, path, body)
        finally:
            self._asked.pop(asked, None)  # gone where the same was asked twice at once

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
                self._cash[person, body["request"]] = _moved(path, body, came)
                return Answer(True, "", "", came)
            if status == 401:
                self._floor.badges.pop(person, None)
            elif status not in (429, 503):
                self.answered += 1
                return Answer(False, came.get("code", ""), came.get("message", ""), came)
            await self._wait()

    async def _wait(self) -> None:
        await asyncio.sleep(AGAIN_S * self._chance.uniform(0.5, 1.5))


def _moved(path: str, body: dict[str, Any], came: dict[str, Any]) -> int:
    """How much cash came to the desk by this."""
    command = body.get("command", {})
    match command.get("type", path):
        case "credit-terminal":
            return int(command["cents"])
        case "hand-pay":
            return -(command["cents"] or 0)
        case "/api/vouchers/pay":
            return -int(came["cents"])
        case _:
            return DRAWER_IN.get(path, 0) * int(body.get("cents", 0))


class BusyCashier:
    """Sells credit to whoever is broke, and pays vouchers: once, at two desks at the same moment, or they go into a
    terminal; and somebody comes with a copy of it afterwards."""

    def __init__(self, orders: Orders, chance: Random, terminals: dict[str, SimulatedTerminal]) -> None:
        self._orders, self._chance, self._terminals = orders, chance, terminals
        self._broke: deque[SimulatedTerminal] = deque()
        self._vouchers: deque[dict[str, Any]] = deque()
        self.printed_lately: deque[dict[str, Any]] = deque(maxlen=REMEMBERED)
        self._copies: list[asyncio.Task[None]] = []
        self._wake = asyncio.Event()
        self.quiet = False

    def broke(self, terminal: SimulatedTerminal) -> None:
        self._broke.append(terminal)
        self._wake.set()

    def printed(self, terminal: SimulatedTerminal, voucher: dict[str, Any]) -> None:
        self._vouchers.append(voucher)
        self.printed_lately.append(voucher)
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
        body = {"request": self._orders.new_request(), "command": command, "why": ""}
        return await self._orders.cash("cass", f"/api/tables/{table}/commands", body)

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
        await self._orders.cash(person, PAY, body)


class Opener:
    """Opens the tables, and keeps them so: clears faults, decides what nobody else decides."""

    def __init__(self, floor: SimulatedFloor, orders: Orders) -> None:
        self._floor, self._orders = floor, orders

    async def open(self) -> None:
        for table in self._floor.mix.tables:
            answer = await self._orders.order(table.id, "max", {"type": "open-table"})
            assert answer.done, answer
