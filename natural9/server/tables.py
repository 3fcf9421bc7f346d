"""The tables that are here: each is recovered, begun, finished and closed, with its writer and its devices."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

import structlog

from natural9.core.saying import Said, say, what_it_says
from natural9.server import metrics
from natural9.server.bill_acceptors import BillAcceptors
from natural9.server.card_reader import follow_reader
from natural9.server.clock import Clock, last_entry_of
from natural9.server.drawers import Drawers
from natural9.server.hub import Hub
from natural9.server.keyring import Keyring
from natural9.server.machine import Machine
from natural9.server.people.accounts import Accounts
from natural9.server.room import Room
from natural9.store.contract import Store, StoreFailed
from natural9.table.commands.cage import Vouchers
from natural9.table.live.cards_in_play import CardsInPlay
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import TimeAhead
from natural9.table.live.outbox import Outlet
from natural9.table.live.outside import Outside
from natural9.table.live.recovery import recover
from natural9.table.live.writer import Writer, program_error
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.shoes.shuffler import SealBroken, sealed, shuffled_shoe
from natural9.table.venue.venue import Mode, TableConfig, Venue

ASK_TIME_S: Final = 0.3
BETWEEN_S: Final = 0.1  # how often a dealer's table is looked at, whether its round is over
FINISH_S: Final = 90  # how long a round in play may take to end before the program stops anyway

log = structlog.get_logger()


class Tables:
    """One venue's, as many of them as are played by this process."""

    def __init__(
        self,
        venue: Venue,
        store: Store,
        hub: Hub,
        accounts: Accounts,
        vouchers: Vouchers,
        drawers: Drawers,
        cards: CardsInPlay,
        keyring: Keyring,
        clock: Clock,
        carrier: Carrier,
        machine: Machine,
        checkpoint: Callable[[], str],
    ) -> None:
        self._venue, self._store, self._hub, self._accounts = venue, store, hub, accounts
        self._vouchers, self._drawers, self._cards, self._keyring = vouchers, drawers, cards, keyring
        self._clock, self._carrier, self._machine, self._checkpoint = clock, carrier, machine, checkpoint
        self.acceptors = BillAcceptors(
            venue, store, drawers, accounts.devices.seats_of, clock.record_ms, opened=machine.open_acceptor
        )
        self._ahead_ms: int | None = None  # of the tables' own time, by the play clock
        self._writers: dict[str, asyncio.Task[None]] = {}  # of each table that is here
        self._readers: dict[str, asyncio.Task[None]] = {}  # of those with a reading shoe

    @property
    def rooms(self) -> dict[str, Room]:
        return self._hub.rooms

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        return [*self._writers.values(), *self._readers.values()]

    # One of them

    async def open(self, table: str, away_ms: int) -> None:
        """That nobody has had for so long, by the one way back that there is."""
        self._clock.go_on_from(await last_entry_of(self._store, f"table/{table}"))
        room = await self._recovered(self._venue.tables[table], self._clock.play_ms() - away_ms)
        if self._ahead_ms is None:
            self._ahead_ms = await self._ahead_elsewhere()
        self._keep_time([room])
        self._begin(room)
        await self._carrier.deliver_to(table)

    async def finish(self, table: str, is_urgent: Callable[[], bool]) -> None:
        """Its round is played to its end, and all that was decided is durable. A dealer's round is waited for, and held
        where it stands once it is urgent."""
        room, task = self.rooms[table], self._writers[table]
        writer = room.writer
        while room.config.mode is not Mode.AUTOMATIC and writer.state.in_play and not writer.halted:
            if is_urgent():
                break
            await asyncio.sleep(BETWEEN_S)
        writer.stop()
        await asyncio.wait([task], timeout=FINISH_S)

    def close(self, table: str, why: Said) -> None:
        """It is not ours any more, or has finished: from now on nothing is said here in its name."""
        room, task = self.rooms.pop(table), self._writers.pop(table)
        room.writer.halt(why)
        task.cancel()
        if reader := self._readers.pop(table, None):
            reader.cancel()
        self.acceptors.end(table)
        self._carrier.writers.pop(table, None)
        room.send_away()

    # All that there are

    async def recover_all(self, seen_ms: int) -> list[Room]:
        """Not one begins unless every one is whole."""
        rooms = [await self._recovered(config, seen_ms) for config in self._venue.tables.values()]
        self._keep_time(rooms)
        return rooms

    def begin_all(self, rooms: Sequence[Room]) -> None:
        for room in rooms:
            self._begin(room)
        self._carrier.deliver_all()

    async def finish_all(self) -> None:
        """Automatic tables finish their round, the dealers' are held."""
        for room in self.rooms.values():
            room.writer.stop()
        if self._writers:
            await asyncio.wait(self._writers.values(), timeout=FINISH_S)
        await self.acceptors.close()

    @property
    def any_halted(self) -> bool:
        return any(room.writer.halted for room in self.rooms.values())

    def with_acceptor(self) -> set[tuple[str, int]]:
        """The terminals beside which bills are taken, or still wait for their count."""
        tables = self._venue.bills.tables if self._venue.bills else ()
        here = {(table, seat) for table in tables for seat in self._accounts.devices.seats_of(table)}
        return here | self._drawers.places_of_boxes()

    # How they come to be

    async def _recovered(self, config: TableConfig, seen_ms: int) -> Room:
        """The table recovered, its shoe, and its writer; or Corrupt, and there is no room. `seen_ms` is when it was
        last at work, by the play clock; 0 if nobody knows."""
        state, answers = await recover(self._store, config, self._vouchers)
        self._cards.recovered(state)
        machine = self._machine
        shoebox = Shoebox(
            table=config.id,
            decks=config.decks,
            key=self._keyring.shoes,
            shuffle=partial(shuffled_shoe, random=machine.random_below, random_bytes=machine.random_bytes),
            seal=partial(sealed, random_bytes=machine.random_bytes),
        )
        seal: Said | None = None
        try:
            await shoebox.open(self._store, state)
        except SealBroken as error:
            seal = what_it_says(error)

        def make_writer(outlet: Outlet) -> Writer:
            return Writer(
                state,
                store=self._store,
                outside=Outside(
                    venue=self._venue,
                    vouchers=self._vouchers,
                    shoebox=shoebox,
                    cards=self._cards,
                    has_terminal=partial(self._accounts.devices.has_terminal, config.id),
                    has_drawer=self._drawers.is_open,
                    cash_box=partial(self._drawers.box_at, config.id),
                    checkpoint=self._checkpoint,
                ),
                outlet=outlet,
                play_ms=self._clock.play_ms,
                record_ms=self._clock.record_ms,
                record_held=self._clock.held,
                answers=answers,
                carrier=self._carrier,
                seen_ms=seen_ms,
                stopwatch_s=machine.stopwatch_s,
                timed=metrics.observe_batch,
            )

        room = Room(self._hub, state, make_writer)
        if seal or (state.commitment and state.in_play and shoebox.in_use(state) is None):
            room.writer.raise_fault("shoe-seal", seal or say("the sealed order of the shoe in use is missing"))
        log.info("table recovered", table=config.id, round=state.round.number, phase=state.round.phase)
        return room

    def _keep_time(self, rooms: Sequence[Room]) -> None:
        """Theirs is one time for the whole venue, whenever each table came here and whatever it noted last."""
        worked_ms = self._cards.worked_ms(room.writer.state for room in rooms)
        ahead_ms = worked_ms - self._clock.play_ms()
        self._ahead_ms = ahead_ms if self._ahead_ms is None else max(self._ahead_ms, ahead_ms)
        for room in rooms:
            room.writer.keep_time(self._ahead_ms)

    async def _ahead_elsewhere(self) -> int | None:
        """The first table comes here, and others are at work elsewhere: none where nobody answers at once."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ASK_TIME_S):
                for table in self._venue.tables.keys() - self._carrier.writers.keys():
                    with suppress(StoreFailed):
                        return await self._carrier.carry_out(table, TimeAhead())
        return None

    def _begin(self, room: Room) -> None:
        table = room.config.id
        self.rooms[table] = room
        self._hub.announcements.tell(room.epoch, room.published)
        task = self._writers[table] = asyncio.create_task(room.writer.run(), name=f"table {table}")
        task.add_done_callback(partial(self._ended, room))
        self.acceptors.begin(table, room.writer)
        if room.config.reader:
            self._readers[table] = asyncio.create_task(
                follow_reader(room.config.reader, room.writer, self._machine.read_cards, self._machine.random_bytes)
            )

    def _ended(self, room: Room, task: asyncio.Task[None]) -> None:
        """A writer that dies of a mistake of ours stops its table, loudly; the others play on."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            room.writer.halt(program_error(error))
            metrics.HALTED.labels(room.config.id).set(1)
            log.error("table halted", table=room.config.id, error=repr(error), exc_info=error)
