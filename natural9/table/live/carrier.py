"""Credit carried from table to table: one table's writer sends it, another's receives it, and none of it is ever lost.

What was sent is kept beside the journal until it is received: after a power cut it is delivered when all are back.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final, Protocol, TypeVar

from natural9.core.saying import say
from natural9.store.contract import Corrupt, Store, StoreFailed
from natural9.table.commands.visiting import TRANSIT, Fetched, Parcel, Transit, WantedCredit
from natural9.table.live.errands import Errand, Receive, TakeAlong
from natural9.table.state.visits import SeatPlace

T = TypeVar("T")
_log: Final = logging.getLogger(__name__)


class RunsErrands(Protocol):
    """A table's writer, as others know it."""

    async def carry_out(self, errand: Errand[T]) -> T:
        """The outcome, once it is durable. Raises StoreFailed where nobody can say what came of it."""
        ...


class Carrier:
    """Between all tables of a venue."""

    def __init__(self, transit: Transit) -> None:
        self.transit = transit
        self.writers: dict[str, RunsErrands] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, store: Store) -> "Carrier":
        """With all that is on its way, which must be the money that the ledger has on its way."""
        transit = Transit.load(await store.documents(TRANSIT))
        on_its_way = sum((await store.balances(TRANSIT)).values())
        kept = sum(parcel.cents for parcel in transit.parcels.values())
        if kept != on_its_way:
            raise Corrupt(f"{on_its_way} cents are on their way between tables, and {kept} are kept to be delivered")
        return cls(transit)

    async def carry_out(self, table: str, errand: Errand[T]) -> T:
        """At whichever table; StoreFailed where it cannot be asked."""
        writer = self.writers.get(table)
        if writer is None:
            raise StoreFailed(say("Table {table} is not at work", table=table))
        return await writer.carry_out(errand)

    def deliver_all(self) -> None:
        """What was on its way when the program ended."""
        for parcel in list(self.transit.parcels.values()):
            self.deliver(parcel)

    def deliver(self, parcel: Parcel) -> None:
        if writer := self.writers.get(parcel.receiver.table):
            self.start(self._deliver(parcel, writer))
        else:
            _log.error("%s cents wait for table %s, which is not in the venue", parcel.cents, parcel.receiver.table)

    async def _deliver(self, parcel: Parcel, writer: RunsErrands) -> None:
        try:
            await writer.carry_out(Receive(parcel))
        except StoreFailed:  # that table has stopped: it gets it when it is back
            _log.warning("%s cents wait until table %s is back", parcel.cents, parcel.receiver.table)

    async def fetch(self, home: SeatPlace, wanted: WantedCredit, to: SeatPlace) -> Fetched | None:
        """Credit for a visitor's bet from its own table, once it is durable there; None if nobody can say."""
        try:
            return await self.carry_out(home.table, TakeAlong(home.seat, wanted, to))
        except StoreFailed:
            return None

    def start(self, doing: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
