"""Cashiers over a shift: a drawer with a float, fills and returns, the count; credit paid out by hand, at two desks at
once or while the terminal prints a voucher for it; and somebody who guesses codes."""

import asyncio
from random import Random
from typing import TYPE_CHECKING, Any, Final

from natural9.torture.acceptors import SimulatedAcceptors
from natural9.torture.habits import CashHabits
from natural9.torture.office import PAY, Orders
from natural9.torture.seam import Answer
from natural9.torture.terminals import SimulatedTerminal

if TYPE_CHECKING:
    from natural9.torture.story import Story

CASHIERS: Final = ("cass", "carl")
DRAWER: Final = "/api/drawer/"
FLOATS: Final = (0, 50_000, 1_000_000)
BEHIND_S: Final = 1.0  # what a cashier is behind with, once all is quiet
WRONG_CODES: Final = 4  # of a guesser, one after the other


class Drawer:
    """One cashier's own."""

    def __init__(self, orders: Orders, person: str, chance: Random, habits: CashHabits) -> None:
        self._orders, self._person, self._chance, self._habits = orders, person, chance, habits
        self._gone = 0  # to the vault, with every count
        self.quiet = False

    async def work(self) -> None:
        """Once all is quiet it stays open, so that everybody can be served."""
        chance = self._chance
        while True:
            await self._do("open", chance.choice(FLOATS))
            for _ in range(chance.randrange(6)):
                await self._pause(self._habits.drawer_s / 3)
                await self._something()
            while self.quiet:
                await asyncio.sleep(BEHIND_S)
            await self._count()
            await self._pause(self._habits.drawer_s / 4)

    async def _pause(self, mean_s: float) -> None:
        await asyncio.sleep(BEHIND_S if self.quiet else self._chance.expovariate(1 / mean_s))

    async def _something(self) -> None:
        match self._chance.randrange(5):
            case 0 | 1:
                await self._do("fill", self._chance.choice((10_000, 300_000)))
            case 2:
                await self._do("return", self._chance.choice((0, 5_000, 100_000_000)))  # or more than there is
            case 3:
                await self._do("open", 0)  # it is open
            case _:
                await self._do("return", 5_000)

    async def _count(self) -> None:
        """Most count right; some cash moves while they do."""
        lies = self._orders.cash_of(self._person) - self._gone
        miscounted = self._chance.choice((0, 0, 0, -5_000, 100))
        answer = await self._do("close", max(0, lies + miscounted))
        if answer.done:
            self._gone += answer.body["close_out"]["expected_cents"]

    async def _do(self, what: str, cents: int) -> Answer:
        body: dict[str, Any] = {"request": self._orders.new_request(), "cents": cents}
        if self._chance.random() < 0.2 and not self.quiet:  # asked twice at once
            answer, _ = await asyncio.gather(*[self._orders.post(self._person, DRAWER + what, body) for _ in range(2)])
            return answer
        return await self._orders.cash(self._person, DRAWER + what, body)


class HandPays:
    """A player has more than a voucher is for: a cashier comes and pays it by hand."""

    def __init__(self, orders: Orders, chance: Random, terminals: dict[str, SimulatedTerminal], mean_s: float) -> None:
        self._orders, self._chance, self._mean_s = orders, chance, mean_s
        self._terminals = [one for one in terminals.values() if not one.home]
        self.quiet = False

    async def work(self) -> None:
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / self._mean_s))
            if not self.quiet:
                await self._pay(self._chance.choice(self._terminals))

    async def _pay(self, terminal: SimulatedTerminal) -> None:
        chance, credit = self._chance, terminal.you["credit_cents"] if terminal.you else 0
        cents = chance.choice((None, credit, credit, credit // 2, credit + 100)) or None
        match chance.randrange(4):
            case 0:  # two come for the same credit
                await asyncio.gather(*[self._by_hand(terminal, cents or credit or 100, desk) for desk in CASHIERS])
            case 1:  # and the player takes a voucher for it at the same moment
                terminal.collect()
                await self._by_hand(terminal, cents, chance.choice(CASHIERS))
            case _:
                await self._by_hand(terminal, cents, chance.choice(CASHIERS))

    async def _by_hand(self, terminal: SimulatedTerminal, cents: int | None, desk: str) -> None:
        command = {"type": "hand-pay", "seat": terminal.seat, "cents": cents}
        body = {"request": self._orders.new_request(), "command": command, "why": "a large win"}
        await self._orders.cash(desk, f"/api/tables/{terminal.table}/commands", body)


class Guesser:
    """Has seen a voucher's number, and tries codes: at a desk, or at a terminal."""

    def __init__(self, story: "Story", chance: Random, mean_s: float) -> None:
        self._orders, self._chance, self._mean_s = story.orders, chance, mean_s
        self._vouchers = story.cashier.printed_lately
        self._terminals = [one for one in story.terminals.values() if not one.home]
        self.quiet = False

    async def work(self) -> None:
        chance = self._chance
        while True:
            await asyncio.sleep(chance.expovariate(1 / self._mean_s))
            if self.quiet or not self._vouchers:
                continue
            number, terminal = chance.choice(self._vouchers)["number"], chance.choice(self._terminals)
            if any(asked.tap == "insert-voucher" for asked in terminal.asked.values()):
                continue  # that one must wait already
            for _ in range(chance.randint(1, WRONG_CODES)):
                wrong = {"number": number, "code": f"{chance.randrange(10**16):016}"}
                if chance.random() < 0.5:
                    terminal.insert_voucher(wrong)
                else:
                    await self._orders.post("carl", PAY, {"request": self._orders.new_request(), **wrong})


def cashiers_of(story: "Story") -> list[Any]:
    """Those whom this story has."""
    habits, orders = story.mix.habits.cash, story.orders
    found = list[Any]()
    if habits.drawer_s:
        found += [Drawer(orders, one, story.chance(f"drawer {one}"), habits) for one in CASHIERS]
    if habits.hand_pay_s:
        found.append(HandPays(orders, story.chance("hand pays"), story.terminals, habits.hand_pay_s))
    if habits.guess_s:
        found.append(Guesser(story, story.chance("guesser"), habits.guess_s))
    if habits.bills_s:
        acceptors = SimulatedAcceptors(story, story.chance("bills"), habits.bills_s)
        story.floor.acceptors = acceptors.opened
        found.append(acceptors)
    return found
