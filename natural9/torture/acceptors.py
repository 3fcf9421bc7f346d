"""Bill acceptors beside terminals: each holds a bill or a voucher in escrow and asks until it is told what becomes of
it, over a cable that comes loose; and whoever changes and counts their cash boxes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import TYPE_CHECKING, Any, Final

from natural9.core.money import show_cents
from natural9.core.staff import Rank
from natural9.table.devices.line import LineToDevice, Serial, Tcp
from natural9.torture.floor import PASSWORD, HouseIsDown
from natural9.torture.people import of_rank
from natural9.torture.terminals import SimulatedTerminal

if TYPE_CHECKING:
    from natural9.torture.story import Story

ASKS_AGAIN_S: Final = 2.0
BILLS: Final = (1_000, 5_000, 10_000, 100_000, 1_000_000)
BOXES: Final = "/api/cash-boxes/"
WRONG_LINES: Final = ("BILL 50 1", "\x00\xff", "STACK", "B" * 300)


class EscrowDevice:
    """One device; what is in it is known by an id that it never uses twice."""

    def __init__(self, story: "Story", place: str, chance: Random, share: float) -> None:
        self._floor, self._tell = story.floor, story.tell
        self._place, self._chance, self.share = place, chance, share
        self._lines: list[asyncio.StreamReader] = []
        self._count = 0
        self.held: tuple[str, int, str] | None = None  # id, cents of a bill, the line that asks
        self.box = 0  # cents in the box that nobody has counted

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[LineToDevice]:
        stream = asyncio.StreamReader()
        self._lines.append(stream)
        self._ask_again()
        try:
            yield LineToDevice(stream, self._hear)
        finally:
            if stream in self._lines:
                self._lines.remove(stream)

    def insert_bill(self, cents: int, currency: str = "SGD") -> None:
        self._insert(f"BILL {show_cents(cents).replace(',', '')} {currency}", cents)

    def insert_ticket(self, number: str, code: str) -> None:
        self._insert(f"TICKET natural9:{number}:{code}", 0)

    def _insert(self, what: str, cents: int) -> None:
        if self.held is None:
            self._count += 1
            id = f"{self._place.replace('/', '-')}-{self._count:06}"
            self.held = (id, cents, f"{what} {id}")
            self._ask_again()

    def _ask_again(self) -> None:
        if self.held:
            self._write(self.held[2])
            asyncio.get_running_loop().call_later(ASKS_AGAIN_S, self._still, self.held[0])

    def _still(self, id: str) -> None:
        if self.held and self.held[0] == id:
            self._ask_again()

    def _write(self, text: str) -> None:
        draw = self._chance.random()
        if draw < self.share / 3:
            text = self._chance.choice(WRONG_LINES)
        elif draw < self.share * 2 / 3:
            return self._come_loose()
        self._floor.see(f"acceptor {self._place}", "inserted", text.encode())
        for line in self._lines:
            line.feed_data(f"{text}\n".encode())
        return None

    def _come_loose(self) -> None:
        for line in [*self._lines]:
            line.feed_eof()
        self._lines.clear()

    async def _hear(self, data: bytes) -> None:
        """What the house says; now and then it does not arrive."""
        if self._chance.random() < self.share / 3:
            return
        self._floor.see(f"acceptor {self._place}", "told", data)
        word, _, rest = data.decode().strip().partition(" ")
        id = rest.partition(" ")[0]
        if self.held is None or self.held[0] != id or word not in ("STACK", "RETURN"):
            return
        self.box += self.held[1] if word == "STACK" else 0
        self._tell(f"the bill acceptor at {self._place} {'keeps' if word == 'STACK' else 'gives back'} {self.held[2]}")
        self.held = None
        self._write(f"{'STACKED' if word == 'STACK' else 'RETURNED'} {id}")


class SimulatedAcceptors:
    """All of a floor: players who feed them, and the cashiers who see to their boxes."""

    def __init__(self, story: "Story", chance: Random, mean_s: float) -> None:
        self._story, self._chance, self._mean_s = story, chance, mean_s
        self.quiet = False
        share = story.mix.staff.reader
        self._terminals = [one for one in story.terminals.values() if not one.home]
        self._all = {
            one.name: EscrowDevice(story, one.name, story.chance(f"acceptor {one.name}"), share)
            for one in self._terminals
        }

    @asynccontextmanager
    async def opened(self, where: Tcp | Serial) -> AsyncIterator[LineToDevice]:
        """In the place of a socket: the host is the table and the seat."""
        assert isinstance(where, Tcp)
        async with self._all[where.host.replace("-", "/")].opened() as line:
            yield line

    async def work(self) -> None:
        for terminal in self._terminals:
            await self._change(terminal)
        while True:
            await asyncio.sleep(self._chance.expovariate(1 / self._mean_s))
            if self.quiet:
                for device in self._all.values():
                    device.share = 0.0
                continue
            terminal = self._chance.choice(self._terminals)
            await self._something(terminal, self._all[terminal.name])

    async def _something(self, terminal: SimulatedTerminal, device: EscrowDevice) -> None:
        chance, vouchers = self._chance, self._story.cashier.printed_lately
        match chance.randrange(8):
            case 0 if vouchers:
                voucher = chance.choice((vouchers[-1], chance.choice(vouchers)))
                device.insert_ticket(voucher["number"], chance.choice((voucher["code"], "0000-0000")))
            case 1:
                await self._change(terminal)
            case 2:
                await self._count(terminal, device)
            case 3:
                device.insert_bill(chance.choice(BILLS), "EUR")
            case _:
                device.insert_bill(chance.choice(BILLS))

    async def _change(self, terminal: SimulatedTerminal) -> None:
        await self._ask("change", {"table": terminal.table, "seat": terminal.seat})

    async def _count(self, terminal: SimulatedTerminal, device: EscrowDevice) -> None:
        """The oldest box, whether it is out or still in."""
        try:
            answer = await self._story.floor.request("cass", "GET", BOXES)
        except HouseIsDown:
            return
        rows: list[Any] = answer.body if answer.status == 200 else []
        mine = next((one for one in rows if (one["table"], one["seat"]) == (terminal.table, terminal.seat)), None)
        if mine and mine["boxes"]:
            lies, device.box = device.box, 0
            await self._ask("count", {"box": mine["boxes"][0]["box"], "cents": lies})

    async def _ask(self, what: str, fields: dict[str, Any]) -> None:
        orders = self._story.orders
        signature = {"id": of_rank(Rank.PIT_MANAGER, self._chance)[0], "password": PASSWORD}
        body = {"request": orders.new_request(), **fields, "signature": signature}
        await orders.post("cass", BOXES + what, body)
