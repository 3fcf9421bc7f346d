"""Credit carried from table to table: one table's writer sends it, another's receives it, and none of it is ever lost.

What was sent is kept beside the journal until it is received: after a power cut it is delivered when all are back.
Where several programs write, a table may be elsewhere, and what was sent is what the records have of it.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from itertools import count
from typing import Any, Final, Protocol, TypeVar

import msgspec

from natural9.core.saying import say
from natural9.store.contract import Corrupt, Store, StoreFailed
from natural9.table.commands.visiting import TRANSIT, Fetched, Parcel, Transit, WantedCredit
from natural9.table.live.errands import Errand, Receive, TakeAlong
from natural9.table.state.visits import SeatPlace

T = TypeVar("T")
AGAIN_S: Final = 1.0  # between two tries to reach a table elsewhere
_log: Final = logging.getLogger(__name__)


class RunsErrands(Protocol):
    """A table's writer, as others know it."""

    async def carry_out(self, errand: Errand[T]) -> T:
        """The outcome, once it is durable. Raises StoreFailed where nobody can say what came of it."""
        ...


class Carrier:
    """Between all tables of a venue."""

    def __init__(self, transit: Transit, store: Store | None = None) -> None:
        self.transit = transit
        self.writers: dict[str, RunsErrands] = {}  # of the tables that are here
        self.elsewhere: Callable[[str], RunsErrands] | None = None  # and of the others
        self._shared = store if store and store.holds else None
        self._tasks: set[asyncio.Task[None]] = set()
        self._delivering: set[str] = set()  # the numbers of parcels

    @classmethod
    async def open(cls, store: Store) -> "Carrier":
        """With all that is on its way, which must be the money that the ledger has on its way. Where others write,
        too, it is looked for when its table comes here."""
        if store.holds:
            return cls(Transit(), store)
        transit = Transit.load(await store.documents(TRANSIT))
        on_its_way = sum((await store.balances(TRANSIT)).values())
        kept = sum(parcel.cents for parcel in transit.parcels.values())
        if kept != on_its_way:
            raise Corrupt(f"{on_its_way} cents are on their way between tables, and {kept} are kept to be delivered")
        return cls(transit)

    def close(self) -> None:
        """What is still on its way stays kept."""
        for task in self._tasks:
            task.cancel()

    def _table(self, table: str) -> RunsErrands | None:
        return self.writers.get(table) or (self.elsewhere(table) if self.elsewhere else None)

    async def carry_out(self, table: str, errand: Errand[T]) -> T:
        """At whichever table; StoreFailed where it cannot be asked."""
        runs = self._table(table)
        if runs is None:
            raise StoreFailed(say("Table {table} is not at work", table=table))
        return await runs.carry_out(errand)

    def deliver_all(self) -> None:
        """What was on its way when the program ended."""
        for parcel in list(self.transit.parcels.values()):
            self.deliver(parcel)

    async def deliver_to(self, table: str) -> None:
        """A table has come here: whatever is on its way to it, and whatever it has sent, which nobody else delivers."""
        self.transit.forget_received(table)
        await self._deliver_of(table)

    async def _deliver_of(self, table: str) -> None:
        for parcel in await self._on_the_way():
            if table in (parcel.receiver.table, parcel.sender.table):
                self.deliver(parcel)

    async def _on_the_way(self) -> list[Parcel]:
        kept = await self._shared.documents(TRANSIT) if self._shared else {}
        return [msgspec.json.decode(one, type=Parcel) for one in kept.values()]

    async def look_for(self, parcel: Parcel) -> None:
        """Before it is received: where several write, memory does not know whether it was."""
        if self._shared is None:
            return
        if await self._shared.document(TRANSIT + parcel.number):
            self.transit.bring(parcel)
        else:
            self.transit.parcels.pop(parcel.number, None)

    def deliver(self, parcel: Parcel) -> None:
        table = parcel.receiver.table
        if self._table(table) is None:
            _log.error("%s cents wait for table %s, which is not in the venue", parcel.cents, table)
            return
        self.sent(parcel)
        if parcel.number not in self._delivering:
            self._delivering.add(parcel.number)
            self.start(self._deliver(parcel))

    async def _deliver(self, parcel: Parcel) -> None:
        try:
            await self._try_to_deliver(parcel)
        finally:
            self._delivering.discard(parcel.number)

    async def _try_to_deliver(self, parcel: Parcel) -> None:
        table, sender = parcel.receiver.table, parcel.sender.table
        for times in count():
            try:
                await self.carry_out(table, Receive(parcel))
                return
            except StoreFailed:  # that table has stopped: it gets it when it is back
                if not times:
                    _log.warning("%s cents wait until table %s is back", parcel.cents, table)
            if self._shared is None or not {table, sender} & self.writers.keys():  # then whoever has them delivers it
                return
            await asyncio.sleep(AGAIN_S)

    def sent(self, parcel: Parcel) -> None:
        """From a table here, and it is durable: memory keeps what is received here."""
        if self._shared and parcel.receiver.table not in self.writers:
            self.transit.parcels.pop(parcel.number, None)

    async def fetch(self, home: SeatPlace, wanted: WantedCredit, to: SeatPlace) -> Fetched | None:
        """Credit for a visitor's bet from its own table, once it is durable there; None if nobody can say."""
        try:
            fetched = await self.carry_out(home.table, TakeAlong(home.seat, wanted, to))
        except Exception as error:  # whatever it is: what the seat asks next waits behind this
            if not isinstance(error, StoreFailed):
                _log.exception("table %s: what table %s answered is not understood", to.table, home.table)
            if self._shared:
                self.start(self._look_again(to.table))
            return None
        if self._shared and fetched.parcel:
            self.transit.bring(fetched.parcel)
        return fetched

    async def _look_again(self, table: str) -> None:
        """It may have been sent, and the answer lost."""
        for times in range(5):
            await asyncio.sleep(AGAIN_S * 4**times)
            if table not in self.writers:
                return
            with suppress(StoreFailed):
                await self._deliver_of(table)

    def start(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
