"""The house: one venue's store, people and tables, from opening the journal to the last entry before it is closed."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

import structlog

from natural9.core.errors import BadInput
from natural9.core.round import Refusal
from natural9.core.saying import Said, say, verbatim
from natural9.journal import venue_events
from natural9.journal.line import BY_PROGRAM, OriginKind
from natural9.server.clock import Clock
from natural9.server.desk import Desk
from natural9.server.drawers import Drawers
from natural9.server.heartbeat import away_ms, beat
from natural9.server.hub import Hub
from natural9.server.keyring import Keyring, open_keyring
from natural9.server.machine import THIS_MACHINE, Machine
from natural9.server.office import Office
from natural9.server.people.accounts import Accounts
from natural9.server.people.devices import Place
from natural9.server.points import Points
from natural9.server.program import file_hashes, program_sha256
from natural9.server.proof.signing_key import CheckpointKeys, open_checkpoint_keys
from natural9.server.room import Room
from natural9.server.tables import Tables
from natural9.store.contract import Access, Store, StoreFailed
from natural9.store.opening import open_store
from natural9.table.commands.cage import Vouchers
from natural9.table.commands.decide import Who
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.terminal import BarCard
from natural9.table.live.answers import NOT_KNOWN, Accepted
from natural9.table.live.cards_in_play import CardsInPlay
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import AskTable, CatchUp, Errand, WhatSeatsHold
from natural9.table.live.exclusive import forget_redeemed
from natural9.table.live.recovery import open_vouchers
from natural9.table.venue.venue import VENUE_FILE, TableConfig, Venue, load_venue

DAY_S: Final = 24 * 60 * 60
LOOK_S: Final = 1.0  # how often the machine's clock is looked at

log = structlog.get_logger()
T = TypeVar("T")


def check_approved(venue: Venue) -> None:
    """Where the venue names the approved program, no other starts (requirement 36)."""
    running = program_sha256(file_hashes())
    if venue.approved_program and venue.approved_program != running:
        why = f"this program is {running}, and the venue file approves {venue.approved_program} alone"
        raise BadInput("program-not-approved", f"{why}: install that one, or have this one approved and named there")


def _not_recovered() -> BadInput:
    return BadInput("not-ready", say("the tables are not recovered yet: ask again in a moment"))


class House:
    """Made by `House.open`; `start` begins play, `stop` ends it."""

    def __init__(
        self,
        folder: Path,
        venue: Venue,
        store: Store,
        accounts: Accounts,
        vouchers: Vouchers,
        keyring: Keyring,
        clock: Clock,
        carrier: Carrier,
        checkpoint_keys: CheckpointKeys,
        machine: Machine = THIS_MACHINE,
    ) -> None:
        self.folder, self.venue, self.store = folder, venue, store
        self.accounts, self.vouchers = accounts, vouchers
        self.secure = venue.tls_cert is not None or venue.tls_at_proxy  # cookies travel over https alone
        self.clock, self.machine = clock, machine
        self.carrier, self.file_hashes = carrier, machine.file_hashes()
        self.hub = Hub(
            venue, accounts, secure=self.secure, clock_ms=clock.play_ms, time_ms=clock.record_ms, machine=machine
        )
        self.office = Office(venue, store, accounts, clock, keyring, checkpoint_keys, self.file_hashes)
        self.drawers = Drawers(store, vouchers, self.office.write, clock, venue)
        self.desk = Desk(store, vouchers, self.office.write, clock, venue, has_drawer=self.drawers.is_open)
        self.points = Points(store)
        self.cards = CardsInPlay(accounts.players.may_play, read_account=accounts.players.read)
        self.tables = Tables(
            venue,
            store,
            self.hub,
            accounts,
            vouchers,
            self.drawers,
            self.cards,
            keyring,
            clock,
            carrier,
            machine,
            self.office.checkpoints.cosigned_text,
        )
        accounts.house_addresses, accounts.house_words = venue.house_addresses, (venue.name,)
        accounts.players.is_on = venue.players is not None
        accounts.players.stop_play = self._stop_play
        accounts.devices.check_place = self._check_place
        accounts.devices.held_at = self._held_at
        self.ready = self._stopped = False
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def open(cls, folder: Path, venue: Venue | None = None) -> "House":
        """The venue in this folder. The first time, its journal and its keys are made."""
        venue = venue or load_venue(folder / VENUE_FILE)
        check_approved(venue)
        store = open_store(folder, Access.SERVE, head_copy=venue.head_copy)
        return await cls.of(folder, venue, store)

    @classmethod
    async def of(cls, folder: Path, venue: Venue, store: Store, machine: Machine = THIS_MACHINE) -> "House":
        """The venue whose records are open for writing. All who write there go by the same time."""
        try:
            keyring = await open_keyring(folder, store, machine.random_bytes)
            checkpoint_keys = await open_checkpoint_keys(folder, store, venue, machine.random_bytes)
        except BadInput:
            await store.close()
            raise
        clock = await Clock.open(store, machine.time_ms, machine.monotonic_ms)
        accounts = await Accounts.open(
            store,
            key=keyring.in_use,
            clock_ms=clock.play_ms,
            record_ms=clock.record_ms,
            gaming_day=venue.gaming_day,
            hasher=machine.hasher,
            random_bytes=machine.random_bytes,
        )
        vouchers = await open_vouchers(store, keyring.vouchers)
        carrier = await Carrier.open(store)
        house = cls(folder, venue, store, accounts, vouchers, keyring, clock, carrier, checkpoint_keys, machine)
        await house.drawers.load()
        await house.cards.load(store)
        return house

    @property
    def rooms(self) -> dict[str, Room]:
        return self.hub.rooms

    def room(self, table: str) -> Room:
        room = self.rooms.get(self.table(table).id)
        if room is None:
            raise _not_recovered()
        return room

    def table(self, table: str) -> TableConfig:
        config = self.venue.tables.get(table)
        if config is None:
            tables = tuple(self.venue.tables)
            none = say("there is no table {table}: there are {tables}", table=repr(table[:40]), tables=tables)
            raise BadInput("unknown-table", none)
        return config

    def _check_place(self, place: Place) -> None:
        """A device belongs to a table that there is, a terminal to one of its seats."""
        if place.table:
            seats = self.table(place.table).seats
            if place.seat is not None and not 1 <= place.seat <= seats:
                none = say(
                    "table {table} has seats 1 to {most}, not {seat}", table=place.table, most=seats, seat=place.seat
                )
                raise BadInput("bad-seat", none)

    async def carry_out(self, table: str, errand: Errand[T]) -> T:
        """At a table of the venue; who does not know yet does not guess."""
        config = self.table(table)
        if not self.ready and config.id not in self.rooms:
            raise _not_recovered()
        return await self.carrier.carry_out(config.id, errand)

    async def _held_at(self, table: str, seats: Sequence[int]) -> list[tuple[Said, ...]]:
        return await self.carry_out(table, WhatSeatsHold(seats))

    async def start(self) -> None:
        """Self-tests first: the journal as far as it is needed, the program and the rules; then the tables."""
        away = away_ms(self.folder, self.machine.beat())
        seen_ms = 0 if away is None else self.clock.play_ms() - away
        rooms = await self.tables.recover_all(seen_ms)
        await self.office.take()
        if self.clock.was_behind:
            behind = venue_events.ClockBehind(says_ms=self.clock.started_ms, last_entry_ms=self.clock.last_entry_ms)
            await self.office.write(behind, by=BY_PROGRAM)
            log.warning("clock behind", says=str(behind.describe()))
        self.tables.begin_all(rooms)
        self._tasks.append(asyncio.create_task(beat(self.folder, self._are_at_work, self.machine.beat)))
        self.watch()
        log.info("ready", tables=list(self.rooms))

    def watch(self) -> None:
        """From now on whoever connects is answered."""
        self._tasks.append(asyncio.create_task(self._check_daily()))
        self._tasks.append(asyncio.create_task(self._watch_clock()))
        self.ready = self.hub.is_ready = True

    def _are_at_work(self) -> bool:
        return not self.tables.any_halted

    async def stop(self, why: str) -> None:
        """Automatic tables finish their round, the dealers' are held; then everything is closed in order. Once."""
        if self._stopped:
            return
        self._stopped, self.ready = True, False
        log.info("stopping", why=why)
        await self.tables.finish_all()
        tasks = [*self.tables.tasks, *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.tables.any_halted:
            await self.office.lose()
            await self.office.rest()
        elif self.office.is_here:
            await self.office.leave(verbatim(why))
        await self.hub.printers.close()
        await self.hub.announcements.close()
        self.carrier.close()
        self.accounts.close()
        await self.store.close()
        log.info("stopped")

    # Players with names

    async def _stop_play(self, player: str) -> None:
        """Wherever the card is in, no bet is taken any more; and whatever was decided before is durable."""
        if not self.ready:
            raise _not_recovered()
        await asyncio.gather(*[self._catch_up(table) for table in self.venue.tables])
        if self.store.holds:  # and this one is ours
            await self.cards.read(self.store, player)
        if place := self.cards.places.get(player):
            table, seat = place
            tap = BarCard(request=self.machine.random_bytes(8).hex(), player=player)
            who = Who("", seat=seat, kind=OriginKind.PROGRAM)
            answer = await self.carry_out(table, AskTable.of(tap, who))
            is_out = isinstance(answer, Refusal) and answer.code is TableCode.NO_CARD
            if not isinstance(answer, Accepted) and not is_out:  # or the card would bet on when the table is back
                raise StoreFailed(NOT_KNOWN.why)

    async def _catch_up(self, table: str) -> None:
        with suppress(StoreFailed):  # a table that has stopped takes no bets, either
            await self.carry_out(table, CatchUp())

    # Its clock

    async def _watch_clock(self) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            with suppress(StoreFailed):  # which stops the tables, and says so; whoever comes back looks on
                await self.look_at_clock()

    async def look_at_clock(self) -> None:
        if jump := self.clock.look():
            jumped = venue_events.ClockJumped(before_ms=jump.before_ms, after_ms=jump.after_ms)
            log.warning("clock jumped", says=str(jumped.describe()))
            await self.office.write(jumped, by=BY_PROGRAM)

    # Integrity

    async def check_program(self) -> list[str]:
        """Which files are not as they were at the start; any such stops play at every table."""
        now = await asyncio.to_thread(self.machine.file_hashes)
        wrong = sorted(path for path in {*now, *self.file_hashes} if now.get(path) != self.file_hashes.get(path))
        if wrong:
            log.error("program changed", files=wrong)
            other = say("{file} is not what it was when the program started", file=wrong[0])
            for room in self.rooms.values():
                room.writer.raise_fault("program-changed", other)
        return wrong

    async def _check_daily(self) -> None:
        while True:
            await asyncio.sleep(DAY_S)
            try:
                await self.check_program()
            except Exception:  # tomorrow's check comes all the same
                log.exception("program not checked")
            if self.store.holds:
                with suppress(StoreFailed):  # tomorrow is soon enough
                    await forget_redeemed(self.store, self.vouchers)
