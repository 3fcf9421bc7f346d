"""The house: one venue's store, people and tables, from opening the journal to the last entry before it is closed."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import structlog

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.saying import Said, say, verbatim, what_it_says
from natural9.journal import venue_events
from natural9.journal.labels import SIGNIFICANT
from natural9.journal.line import BY_PROGRAM, Origin, OriginKind, encode_line
from natural9.server import metrics
from natural9.server.bill_acceptors import BillAcceptors
from natural9.server.card_reader import follow_reader
from natural9.server.clock import Clock, last_entry_of
from natural9.server.desk import Desk
from natural9.server.drawers import Drawers
from natural9.server.heartbeat import away_ms, beat
from natural9.server.hub import Hub
from natural9.server.keyring import Keyring, open_keyring
from natural9.server.machine import THIS_MACHINE, Machine
from natural9.server.people.accounts import Accounts
from natural9.server.people.devices import Place
from natural9.server.program import Program, file_hashes, program_sha256, version
from natural9.server.proof.checkpoints import Checkpoints
from natural9.server.proof.signing_key import CheckpointKeys, open_checkpoint_keys
from natural9.server.proof.time_stamps import TimeStamps
from natural9.server.room import Room
from natural9.store.contract import Access, Entry, Store, StoreFailed, Transfer
from natural9.store.opening import open_store
from natural9.table.commands.cage import Vouchers
from natural9.table.commands.decide import Who
from natural9.table.commands.refusals import TableCode
from natural9.table.commands.terminal import BarCard
from natural9.table.live.answers import NOT_KNOWN, Accepted
from natural9.table.live.cards_in_play import CardsInPlay
from natural9.table.live.carrier import Carrier
from natural9.table.live.errands import AskTable, CatchUp, Errand, TimeAhead, WhatSeatsHold
from natural9.table.live.outbox import Outlet
from natural9.table.live.recovery import open_vouchers, recover
from natural9.table.live.writer import Writer, program_error
from natural9.table.shoes.shoebox import Shoebox
from natural9.table.shoes.shuffler import SealBroken, sealed, shuffled_shoe
from natural9.table.venue.venue import VENUE_FILE, Mode, TableConfig, Venue, load_venue

PROGRAM: Final = "program"
DAY_S: Final = 24 * 60 * 60
ASK_TIME_S: Final = 0.3
LOOK_S: Final = 1.0  # how often the machine's clock is looked at
BETWEEN_S: Final = 0.1  # how often a dealer's table is looked at, whether its round is over
FINISH_S: Final = 90  # how long a round in play may take to end before the program stops anyway

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
        self.hub = Hub(
            venue, accounts, secure=self.secure, clock_ms=clock.play_ms, time_ms=clock.record_ms, machine=machine
        )
        self.drawers = Drawers(store, vouchers, self.write, clock, venue)
        self.acceptors = BillAcceptors(
            venue, store, self.drawers, accounts.devices.seats_of, clock.record_ms, opened=machine.open_acceptor
        )
        self.desk = Desk(store, vouchers, self.write, clock, venue, has_drawer=self.drawers.is_open)
        self.checkpoints = Checkpoints(store, checkpoint_keys, venue.proof.witnesses)
        self.time_stamps = TimeStamps(
            store, self.checkpoints, venue.proof.stamp_authority, self.write, venue.gaming_day, clock.record_ms
        )
        self.cards = CardsInPlay(accounts.players.may_play, read_account=accounts.players.read)
        accounts.house_addresses, accounts.house_words = venue.house_addresses, (venue.name,)
        accounts.players.is_on = venue.players is not None
        accounts.players.stop_play = self._stop_play
        accounts.devices.check_place = self._check_place
        accounts.devices.held_at = self._held_at
        self.ready = self._stopped = False
        self.file_hashes = machine.file_hashes()
        self._keyring, self.carrier = keyring, carrier
        self._ahead_ms: int | None = None  # of the tables' own time, by the play clock
        self._tasks: list[asyncio.Task[None]] = []
        self._office_tasks: list[asyncio.Task[None]] = []
        self._writers: dict[str, asyncio.Task[None]] = {}  # of each table that is here
        self._readers: dict[str, asyncio.Task[None]] = {}  # of those with a reading shoe

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
        rooms = [await self._recovered(config, seen_ms) for config in self.venue.tables.values()]
        self._keep_time(rooms)
        await self.take_office()
        if self.clock.was_behind:
            behind = venue_events.ClockBehind(says_ms=self.clock.started_ms, last_entry_ms=self.clock.last_entry_ms)
            await self.write(behind, by=BY_PROGRAM)
            log.warning("clock behind", says=str(behind.describe()))
        for room in rooms:
            self._begin(room)
        self.carrier.deliver_all()
        self._tasks.append(asyncio.create_task(beat(self.folder, self._are_at_work, self.machine.beat)))
        self.watch()
        log.info("ready", tables=list(self.rooms))

    def watch(self) -> None:
        """From now on whoever connects is answered."""
        self._tasks.append(asyncio.create_task(self._check_daily()))
        self._tasks.append(asyncio.create_task(self._watch_clock()))
        self.ready = self.hub.is_ready = True

    # The tables that are here

    async def open_room(self, table: str, away_ms: int) -> None:
        """A table that nobody has had for so long comes here, by the one way back that there is."""
        config = self.table(table)
        self.clock.go_on_from(await last_entry_of(self.store, f"table/{table}"))
        room = await self._recovered(config, self.clock.play_ms() - away_ms)
        if self._ahead_ms is None:
            self._ahead_ms = await self._ahead_elsewhere()
        self._keep_time([room])
        self._begin(room)
        await self.carrier.deliver_to(table)

    async def finish_room(self, table: str, is_urgent: Callable[[], bool]) -> None:
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

    def close_room(self, table: str, why: Said) -> None:
        """It is not ours any more, or has finished: from now on nothing is said here in its name."""
        room, task = self.rooms.pop(table), self._writers.pop(table)
        room.writer.halt(why)
        task.cancel()
        if reader := self._readers.pop(table, None):
            reader.cancel()
        self.acceptors.end(table)
        self.carrier.writers.pop(table, None)
        room.send_away()

    def _keep_time(self, rooms: Sequence[Room]) -> None:
        """Theirs is one time for the whole venue, whenever each table came here and whatever it noted last."""
        worked_ms = self.cards.worked_ms(room.writer.state for room in rooms)
        ahead_ms = worked_ms - self.clock.play_ms()
        self._ahead_ms = ahead_ms if self._ahead_ms is None else max(self._ahead_ms, ahead_ms)
        for room in rooms:
            room.writer.keep_time(self._ahead_ms)

    async def _ahead_elsewhere(self) -> int | None:
        """The first table comes here, and others are at work elsewhere: none where nobody answers at once."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ASK_TIME_S):
                for table in self.venue.tables.keys() - self.carrier.writers.keys():
                    with suppress(StoreFailed):
                        return await self.carrier.carry_out(table, TimeAhead())
        return None

    def _begin(self, room: Room) -> None:
        table = room.config.id
        self.rooms[table] = room
        self.hub.announcements.tell(room.epoch, room.published)
        task = self._writers[table] = asyncio.create_task(room.writer.run(), name=f"table {table}")
        task.add_done_callback(partial(self._ended, room))
        self.acceptors.begin(table, room.writer)
        if room.config.reader:
            self._readers[table] = asyncio.create_task(
                follow_reader(room.config.reader, room.writer, self.machine.read_cards, self.machine.random_bytes)
            )

    def with_acceptor(self) -> set[tuple[str, int]]:
        """The terminals beside which bills are taken, or still wait for their count."""
        tables = self.venue.bills.tables if self.venue.bills else ()
        here = {(table, seat) for table in tables for seat in self.accounts.devices.seats_of(table)}
        return here | self.drawers.places_of_boxes()

    def _are_at_work(self) -> bool:
        return not any(room.writer.halted for room in self.rooms.values())

    async def _recovered(self, config: TableConfig, seen_ms: int) -> Room:
        """The table recovered, its shoe, and its writer; or Corrupt, and there is no room. `seen_ms` is when it was
        last at work, by the play clock; 0 if nobody knows."""
        state, answers = await recover(self.store, config, self.vouchers)
        self.cards.recovered(state)
        machine = self.machine
        shoebox = Shoebox(
            table=config.id,
            decks=config.decks,
            key=self._keyring.shoes,
            shuffle=partial(shuffled_shoe, random=machine.random_below, random_bytes=machine.random_bytes),
            seal=partial(sealed, random_bytes=machine.random_bytes),
        )
        seal: Said | None = None
        try:
            await shoebox.open(self.store, state)
        except SealBroken as error:
            seal = what_it_says(error)

        def make_writer(outlet: Outlet) -> Writer:
            return Writer(
                state,
                store=self.store,
                venue=self.venue,
                vouchers=self.vouchers,
                shoebox=shoebox,
                outlet=outlet,
                play_ms=self.clock.play_ms,
                record_ms=self.clock.record_ms,
                record_held=self.clock.held,
                answers=answers,
                carrier=self.carrier,
                has_terminal=partial(self.accounts.devices.has_terminal, config.id),
                has_drawer=self.drawers.is_open,
                cash_box=partial(self.drawers.box_at, config.id),
                cards=self.cards,
                checkpoint=self.checkpoints.cosigned_text,
                seen_ms=seen_ms,
                stopwatch_s=machine.stopwatch_s,
                timed=metrics.observe_batch,
            )

        room = Room(self.hub, state, make_writer)
        if seal or (state.commitment and state.in_play and shoebox.in_use(state) is None):
            room.writer.raise_fault("shoe-seal", seal or say("the sealed order of the shoe in use is missing"))
        log.info("table recovered", table=config.id, round=state.round.number, phase=state.round.phase)
        return room

    # The office: whatever belongs to no table

    async def take_office(self) -> None:
        await self._record_start()
        await self.checkpoints.start()
        await self.time_stamps.start()
        self._office_tasks += [asyncio.create_task(one.run()) for one in (self.checkpoints, self.time_stamps)]

    async def lose_office(self) -> None:
        """It is another's: nothing is written there any more, but what waits."""
        for task in self._office_tasks:
            task.cancel()
        await asyncio.gather(*self._office_tasks, return_exceptions=True)
        self._office_tasks.clear()

    async def leave_office(self, why: Said) -> None:
        await self.lose_office()
        self.accounts.failures.tell()
        program = msgspec.json.encode(self._program(running=False))
        await self.write(venue_events.ProgramStopped(why=why), by=BY_PROGRAM, documents=((PROGRAM, program),))
        await self.accounts.register.office.rest()
        await self.checkpoints.stop()

    async def _record_start(self) -> None:
        stored = await self.store.document(PROGRAM)
        former = msgspec.json.decode(stored, type=Program) if stored else None
        now = self._program(running=True)
        changed = now.changed_since(former)
        started = venue_events.ProgramStarted(
            version=now.version,
            program_sha256=now.program_sha256,
            venue_sha256=now.venue_sha256,
            rules=now.rules,
            changed=changed,
            stopped_cleanly=former is not None and not former.running,
        )
        documents = ((PROGRAM, msgspec.json.encode(now)), self._keyring.document)
        await self.write(started, by=BY_PROGRAM, documents=documents)
        if not (keys := self.checkpoints.keys).is_recorded:
            await self.write(keys.event, by=BY_PROGRAM, documents=(keys.document,))
            self.checkpoints.keys = keys._replace(is_recorded=True)
            log.info("checkpoints are signed", key=keys.event.key)
        log.info("started", version=now.version, program=now.program_sha256, changed=changed)

    def _program(self, *, running: bool) -> Program:
        return Program(
            version=version(),
            program_sha256=program_sha256(self.file_hashes),
            venue_sha256=self.venue.sha256,
            rules={table.game.id: table.game.sha256 for table in self.venue.tables.values()},
            running=running,
        )

    async def stop(self, why: str) -> None:
        """Automatic tables finish their round, the dealers' are held; then everything is closed in order. Once."""
        if self._stopped:
            return
        self._stopped, self.ready = True, False
        log.info("stopping", why=why)
        for room in self.rooms.values():
            room.writer.stop()
        if self._writers:
            await asyncio.wait(self._writers.values(), timeout=FINISH_S)
        await self.acceptors.close()
        tasks = [*self._writers.values(), *self._readers.values(), *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if any(room.writer.halted for room in self.rooms.values()):
            await self.lose_office()
            await self.accounts.register.office.rest()
            await self.checkpoints.stop()
        elif self._office_tasks:
            await self.leave_office(verbatim(why))
        await self.hub.printers.close()
        await self.hub.announcements.close()
        self.carrier.close()
        self.accounts.close()
        await self.store.close()
        log.info("stopped")

    def _ended(self, room: Room, task: asyncio.Task[None]) -> None:
        """A writer that dies of a mistake of ours stops its table, loudly; the others play on."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            room.writer.halt(program_error(error))
            metrics.HALTED.labels(room.config.id).set(1)
            log.error("table halted", table=room.config.id, error=repr(error), exc_info=error)

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

    # Outside any table

    def write(
        self,
        event: Event,
        *,
        by: Origin,
        label: str = SIGNIFICANT,
        command: bytes | None = None,
        transfers: tuple[Transfer, ...] = (),
        documents: tuple[tuple[str, bytes | None], ...] = (),
        at_ms: int | None = None,
        key: str = "",
    ) -> "asyncio.Future[int]":
        at_ms = at_ms or self.clock.record_ms()
        entry = Entry(
            stream="venue",
            kind=event.TAG,
            body=encode_line(event, by, command),
            at_ms=at_ms,
            day=self.venue.gaming_day(at_ms),
            label=label,
            transfers=transfers,
            documents=documents,
            request=key,
        )
        return self.accounts.register.office.append([entry])

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
            await self.write(jumped, by=BY_PROGRAM)

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
            await self.check_program()
