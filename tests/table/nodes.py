"""Several programs that write one venue's records, each with a memory of its own; here they share a process."""

import asyncio
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

from natural9.core.events import Event
from natural9.games import load_game
from natural9.journal.line import encode_line
from natural9.journal.player_events import PlayerAdded
from natural9.server.clock import Clock
from natural9.server.desk import Desk
from natural9.server.drawers import Drawers
from natural9.server.people.register import PeopleChange, Register
from natural9.store.contract import Entry, Store, StoreFailed
from natural9.store.memory import MemoryStore
from natural9.store.streams import SharedStream
from natural9.table.audit.verify import verify
from natural9.table.commands import terminal as taps
from natural9.table.commands.cage import Printed
from natural9.table.live.answers import Accepted
from natural9.table.live.cards_in_play import CardsInPlay
from natural9.table.live.carrier import Carrier, RunsErrands
from natural9.table.live.errands import Errand, decode_errand, decode_outcome, encode_errand, encode_outcome
from natural9.table.live.recovery import open_vouchers
from natural9.table.venue.protection import Protection
from tests.table.carded import MEI, TAN
from tests.table.live import KEYS, START_MS, LiveTable, table_config, terminal, venue_of

T = TypeVar("T")


class LocalHolds:
    """As a database's: at once or not at all."""

    def __init__(self) -> None:
        self.alone: set[str] = set()
        self.together: Counter[str] = Counter()
        self.is_away = False

    async def take(self, name: str, *, shared: bool = False) -> bool:
        await asyncio.sleep(0)
        if self.is_away:
            raise StoreFailed("the database is away")
        if name in self.alone or (self.together[name] and not shared):
            return False
        if shared:
            self.together[name] += 1
        else:
            self.alone.add(name)
        return True

    def let_go(self, name: str, *, shared: bool = False) -> None:
        if shared:
            self.together[name] -= 1
        else:
            self.alone.remove(name)


class SharedMemory(MemoryStore):
    """A store that several write."""

    def __init__(self) -> None:
        super().__init__()
        self.local = LocalHolds()

    @property
    def holds(self) -> LocalHolds:  # type: ignore[override]
        return self.local


class Link:
    """A table elsewhere: what is asked and answered goes as bytes, and may be lost on the way there or back."""

    def __init__(self, table: Callable[[], RunsErrands | None]) -> None:
        self._table = table
        self.lost = ""  # "asked", "answered"; "understood": what came is nothing that this program knows

    async def carry_out(self, errand: Errand[T]) -> T:
        sent: Errand[T] = decode_errand(encode_errand(errand))  # type: ignore[assignment]
        table = self._table()
        if table is None or self.lost == "asked":
            raise StoreFailed("nobody answers")
        outcome = encode_outcome(sent, await table.carry_out(sent))
        if self.lost == "answered":
            raise StoreFailed("nobody answers")
        return decode_outcome(errand, b"?" if self.lost == "understood" else outcome)


class ClusterNode:
    """One program: some of the tables, a desk, and a memory of its own."""

    def __init__(self, store: Store, write: Callable[..., "asyncio.Future[int]"]) -> None:
        self.store, self._write = store, write
        self.tables: dict[str, LiveTable] = {}
        self.barred: set[str] = set()

    async def start(self, requests: "count[int]") -> "ClusterNode":
        self.requests = requests
        self.vouchers = await open_vouchers(self.store, KEYS)
        self.carrier = await Carrier.open(self.store)
        self.cards = CardsInPlay(lambda player: player not in self.barred)
        await self.cards.load(self.store)
        clock, venue = Clock(machine_ms=lambda: START_MS, monotonic_ms=lambda: START_MS), venue_of(table_config())
        self.drawers = Drawers(self.store, self.vouchers, self._write, clock, venue)
        self.desk = Desk(self.store, self.vouchers, self._write, clock, venue)
        return self

    async def take(self, table: str, **changes: Any) -> LiveTable:
        live = LiveTable(table_config(id=table, takes_visitors=True, protection=Protection(), **changes), self.store)
        live.cards, live._requests = self.cards, self.requests
        self.tables[table] = await live.start(self.vouchers, self.carrier)
        await self.carrier.deliver_to(table)
        return live

    async def lose(self, table: str) -> None:
        """By a power cut, as far as that table knows."""
        live = self.tables.pop(table)
        live.writer.halt(live.state.status.words)
        await live.crash()
        self.carrier.writers.pop(table, None)

    async def collect(self, table: str, seat: int, cents: int) -> Printed:
        """A voucher of a terminal of this node."""
        live = self.tables[table]
        await live.buy(seat, cents)
        answer = await live.do(taps.CashOut, terminal(seat, table))
        assert answer.voucher is not None
        return answer.voucher


class NodesOfAVenue:
    """Node `a` has table 1, node `b` table 2; `links` are the ways to each table from elsewhere."""

    def __init__(self) -> None:
        self.store = SharedMemory()
        self._office = SharedStream(self.store, "venue")
        self.requests = count(1)
        self.links = {table: Link(lambda table=table: self._writer(table)) for table in ("1", "2")}  # type: ignore[misc]

    async def start(self) -> "NodesOfAVenue":
        register = Register(self.store, clock_ms=lambda: START_MS, gaming_day=lambda at_ms: "2027-01-15")
        await register.write([PeopleChange(PlayerAdded(player=player), by="cass") for player in (MEI, TAN)])
        self.a, self.b = await self._node(), await self._node()
        await (await self.a.take("1")).open()
        await (await self.b.take("2")).open()
        return self

    async def _node(self) -> ClusterNode:
        node = await ClusterNode(self.store, self.write).start(self.requests)
        node.carrier.elsewhere = self.links.__getitem__
        return node

    def _writer(self, table: str) -> RunsErrands | None:
        return next((node.carrier.writers[table] for node in (self.a, self.b) if table in node.carrier.writers), None)

    def write(self, event: Event, **beside: Any) -> "asyncio.Future[int]":
        body = encode_line(event, beside.pop("by"), beside.pop("command", None))
        told: dict[str, Any] = {"at_ms": START_MS, "label": "significant", "request": beside.pop("key", "")}
        if beside.get("at_ms", 0) is None:
            del beside["at_ms"]
        return self._office.append([Entry("venue", event.TAG, body, day="2027-01-15", **(told | beside))])

    @property
    def tables(self) -> list[LiveTable]:
        return [*self.a.tables.values(), *self.b.tables.values()]

    async def settle_down(self) -> None:
        for _ in range(4):
            for table in self.tables:
                await table.settle_down()

    async def check(self) -> None:
        """Nothing is held any more, all tables are as the journal has them, and it verifies."""
        await self.settle_down()
        assert not self.store.local.alone
        assert not +self.store.local.together
        for table in self.tables:
            assert not table.writer.halted
            await table.check_history()
        found = await verify(self.store, load_game=load_game)
        assert found.fault is None, found.fault.words


async def nodes() -> NodesOfAVenue:
    return await NodesOfAVenue().start()


def accepted(answers: list[Any]) -> int:
    return sum(isinstance(answer, Accepted) for answer in answers)
