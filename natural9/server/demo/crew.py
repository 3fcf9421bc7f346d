"""Who plays in the demo besides you: bots at the terminals, their cashier, and a dealer; all over the network."""

import asyncio
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple, TypeVar

from natural9.server.client import Client, ServerSaidNo
from natural9.server.demo.bots import Bot
from natural9.server.demo.cashier import Cashier
from natural9.server.demo.dealer import Dealer
from natural9.server.demo.floor import Pace
from natural9.server.demo.sign_in_links import YOUR_SEAT, staff_code, terminal_codes
from natural9.server.demo.staff import StaffClient
from natural9.server.house import House
from natural9.server.people.permissions import Role
from natural9.server.training.floor import TRAINING
from natural9.table.venue.file import Mode
from natural9.table.venue.venue import TableConfig, Venue

CASHIER, DEALER = "bot.cashier", "bot.dealer"
TLS: Final = ssl.create_default_context()  # one for all bots: reading the certificates anew for each takes a while

ONE_MOMENT: Final = 503
PATIENCE_S: Final = 60.0  # for what is on its way between two nodes

T = TypeVar("T")


class CrewWishes(NamedTuple):
    pace: Pace
    dealer_bot: bool  # deals until a person does
    seed: int


class CrewCodes(NamedTuple):
    """By which each comes in, once."""

    cashier: str
    dealer: str
    bots: dict[tuple[str, int], str]  # by table and seat


def played(venue: Venue) -> dict[str, TableConfig]:
    """The tables to play at: all but the one for training."""
    return {table: config for table, config in venue.tables.items() if table != TRAINING}


def bot_seats(venue: Venue, bots: int) -> list[tuple[str, int]]:
    """Spread over the tables, beside your own seat; a full table takes no more."""
    free = {table: list(range(YOUR_SEAT + 1, config.seats + 1)) for table, config in played(venue).items()}
    seats: list[tuple[str, int]] = []
    while len(seats) < bots and any(free.values()):
        seats += [(table, places.pop(0)) for table, places in free.items() if places]
    return seats[:bots]


async def crew_codes(house: House, bots: int) -> CrewCodes:
    seats = bot_seats(house.venue, bots)
    cashier = await staff_code(house, CASHIER, name="The bots' cashier", role=Role.CASHIER)
    dealer = await staff_code(house, DEALER, name="A dealer, by program", role=Role.DEALER)
    return CrewCodes(cashier.code, dealer.code, dict(zip(seats, await terminal_codes(house, seats), strict=True)))


async def patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """Once more as long as it is said: one moment."""
    until_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            return await ask()
        except ServerSaidNo as no:
            if no.status != ONE_MOMENT or time.monotonic() > until_s:
                raise
        await asyncio.sleep(0.25)


async def begin_work(
    address: str,
    tables: Mapping[str, TableConfig],
    codes: CrewCodes,
    clients: AsyncExitStack,
    wishes: CrewWishes,
    at_work: list[asyncio.Task[None]],
    credit: Mapping[tuple[str, int], int] = MappingProxyType({}),
) -> None:
    """Each at their place, until their task is cancelled; it is in `at_work` as soon as it begins, for who breaks off
    while others still sit down. A bot without credit buys in by itself; `credit` is for other seats."""
    chance, pace = Random(wishes.seed), wishes.pace
    selling = await clients.enter_async_context(StaffClient(address, CASHIER, ssl_context=TLS))
    await patiently(lambda: selling.begin(codes.cashier))
    cashier = Cashier(selling)
    for (table, seat), cents in credit.items():
        await patiently(partial(cashier.buy_in, table, seat, cents))
    for (table, seat), code in codes.bots.items():
        client = await clients.enter_async_context(Client(address, ssl_context=TLS))
        await patiently(partial(client.enrol, code))
        mine = Random(chance.random())
        bot = Bot(client, cashier, table=table, seat=seat, chance=mine, window_s=pace.betting_s)
        at_work.append(asyncio.create_task(bot.run(), name=f"bot {table}-{seat}"))
    if wishes.dealer_bot:
        dealing = await clients.enter_async_context(StaffClient(address, DEALER, ssl_context=TLS))
        await patiently(lambda: dealing.begin(codes.dealer))
        for config in tables.values():
            if config.mode is Mode.DEALER:
                dealer = Dealer(dealing, config, pace=pace, chance=Random(chance.random()))
                at_work.append(asyncio.create_task(dealer.run(), name=f"dealer {config.id}"))
