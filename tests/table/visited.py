"""Three tables over one store, and a terminal of the first that plays at the others."""

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Any

from natural9.core.round import Refusal
from natural9.games import load_game
from natural9.store.contract import Entry, Store, StreamHead
from natural9.store.memory import MemoryStore
from natural9.table.audit.verify import verify
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.live.answers import Accepted, Answer
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import Errand, SeatVisitor
from natural9.table.live.recorder import Recorder
from natural9.table.live.recovery import open_vouchers
from natural9.table.state.visits import SeatPlace
from tests.table.live import (
    KEYS,
    LiveTable,
    picture,
    refolded,
    table_config,
    terminal,
)

HOME, SEAT = SeatPlace("1", 7), 7
PLAYER_WINS = "4C 2D 5D 2S"  # a natural 9 against 4
BANKER_WINS = "2D 4C 2S 5D"
TABLES = ("1", "2", "3")


class KeepsAppends(MemoryStore):
    """And what each commit wrote, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.appends: list[Sequence[Entry]] = []

    def append(self, entries: Sequence[Entry], after: StreamHead) -> "asyncio.Future[int]":
        self.appends.append(list(entries))
        return super().append(entries, after)


class Mistake(Errand[None], frozen=True):
    """One of ours."""

    def run(self, recorder: Recorder, at_ms: int) -> None:
        raise AssertionError("a mistake of ours")


class Visited:
    """Three tables over one store; the terminal of table 1, seat 7 has a seat at the others."""

    tables: dict[str, LiveTable]
    carrier: Carrier
    seats: dict[str, int]

    def __init__(self, store: Store, **changes: Any) -> None:
        self.store = store
        self.requests = count(1)
        self.seen_ms = 0
        self.configs = {one: table_config(id=one, takes_visitors=True, **changes) for one in TABLES}

    async def start(self) -> "Visited":
        vouchers = await open_vouchers(self.store, KEYS)
        self.carrier = await Carrier.open(self.store)
        self.tables = {one: LiveTable(config, self.store) for one, config in self.configs.items()}
        for table in self.tables.values():
            table._requests, table.seen_ms = self.requests, self.seen_ms
            await table.start(vouchers, self.carrier)
        self.seats = {one: await self.sit(one) for one in ("2", "3")}
        return self

    async def sit(self, table: str, home: SeatPlace = HOME) -> int:
        return await self.tables[table].writer.carry_out(SeatVisitor(home))

    @property
    def home(self) -> LiveTable:
        return self.tables["1"]

    def who(self, table: str) -> Who:
        return terminal(self.seats[table], table)

    async def settle_down(self) -> None:
        for _ in range(3):
            for table in self.tables.values():
                await table.settle_down()

    async def open(self, credit: int = 100_000) -> "Visited":
        for table in self.tables.values():
            await table.open()
        if credit:
            await self.home.buy(SEAT, credit)
        return self

    async def ask(self, table: str, shape: type[taps.BetTap], **fields: Any) -> Answer:
        at = self.tables[table]
        answer = await at.ask(shape(request=at.request(), round=at.round, **fields), self.who(table))
        await self.settle_down()
        return answer

    async def bet(self, table: str, wager: str, cents: int) -> None:
        assert isinstance(await self.ask(table, taps.Bet, wager=wager, cents=cents), Accepted)
        await self.check()

    async def not_bet(self, table: str, cents: int) -> str:
        before = {one: picture(table.state)["terminals"] for one, table in self.tables.items()}
        answer = await self.ask(table, taps.Bet, wager="player", cents=cents)
        assert isinstance(answer, Refusal)
        after = {one: picture(table.state)["terminals"] for one, table in self.tables.items()}
        assert after == before
        return str(answer.code)

    async def finish(self, table: str, cards: str) -> None:
        await self.tables[table].finish(cards)
        await self.settle_down()

    def credits(self) -> tuple[int, ...]:
        """At home, on the way, and at the others."""
        away = [self.tables[one].state.credit_cents(seat) for one, seat in self.seats.items()]
        on_the_way = sum(parcel.cents for parcel in self.carrier.transit.parcels.values())
        return (self.home.state.credit_cents(SEAT), on_the_way, *away)

    async def check(self) -> None:
        """Everything is where it should be, and the journal says the same."""
        await self.settle_down()
        for table in self.tables.values():
            await table.check_money()
            assert picture(await refolded(self.store, table.config)) == picture(table.state)
        found = await verify(self.store, load_game=load_game)
        assert found.fault is None, found.fault.words

    async def crash(self) -> None:
        for table in self.tables.values():
            await table.crash()

    async def restart(self, *, seen_ms: int = 0) -> "Visited":
        """The power goes and comes back: the same store, another process."""
        await self.crash()
        other = Visited(self.store)
        other.configs, other.requests, other.seen_ms = self.configs, self.requests, seen_ms
        await other.start()
        other.carrier.deliver_all()
        await other.settle_down()
        return other


async def visited(credit: int = 100_000, store: Store | None = None, **changes: Any) -> Visited:
    return await (await Visited(store or MemoryStore(), **changes).start()).open(credit)
