"""The office: whatever belongs to no table. Of several nodes one has it."""

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec
import structlog

from natural9.core.events import Event
from natural9.core.saying import Said
from natural9.journal import venue_events
from natural9.journal.labels import SIGNIFICANT
from natural9.journal.line import BY_PROGRAM, Origin, encode_line
from natural9.server.clock import Clock, last_entry_of
from natural9.server.keyring import Keyring
from natural9.server.people.accounts import Accounts
from natural9.server.program import Program, program_sha256, version
from natural9.server.proof.checkpoints import Checkpoints
from natural9.server.proof.signing_key import CheckpointKeys
from natural9.server.proof.time_stamps import TimeStamps
from natural9.store.contract import Entry, Store, Transfer
from natural9.table.venue.venue import Venue

STREAM: Final = "venue"
PROGRAM: Final = "program"

log = structlog.get_logger()


class Office:
    """What the venue's own journal says: that the program runs, and what is signed for all tables."""

    def __init__(
        self,
        venue: Venue,
        store: Store,
        accounts: Accounts,
        clock: Clock,
        keyring: Keyring,
        checkpoint_keys: CheckpointKeys,
        file_hashes: Mapping[str, str],
    ) -> None:
        self._venue, self._store, self._accounts, self._clock = venue, store, accounts, clock
        self._keyring, self._file_hashes = keyring, file_hashes
        self.checkpoints = Checkpoints(store, checkpoint_keys, venue.proof.witnesses)
        self.time_stamps = TimeStamps(
            store, self.checkpoints, venue.proof.stamp_authority, self.write, venue.gaming_day, clock.record_ms
        )
        self.tasks: list[asyncio.Task[None]] = []

    @property
    def is_here(self) -> bool:
        return bool(self.tasks)

    async def take(self) -> None:
        self._clock.go_on_from(await last_entry_of(self._store, STREAM))  # another clock may have dated it
        await self._record_start()
        await self.checkpoints.start()
        await self.time_stamps.start()
        self.tasks += [asyncio.create_task(one.run()) for one in (self.checkpoints, self.time_stamps)]

    async def lose(self) -> None:
        """It is another's: nothing is written there any more, but what waits."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.tasks.clear()

    async def leave(self, why: Said) -> None:
        await self.lose()
        self._accounts.failures.tell()
        program = msgspec.json.encode(self._program(running=False))
        await self.write(venue_events.ProgramStopped(why=why), by=BY_PROGRAM, documents=((PROGRAM, program),))
        await self.rest()

    async def rest(self) -> None:
        """What was written is durable, and signed as far as it can be."""
        await self._accounts.register.office.rest()
        await self.checkpoints.stop()

    async def _record_start(self) -> None:
        stored = await self._store.document(PROGRAM)
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
            program_sha256=program_sha256(self._file_hashes),
            venue_sha256=self._venue.sha256,
            rules={table.game.id: table.game.sha256 for table in self._venue.tables.values()},
            running=running,
        )

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
        at_ms = at_ms or self._clock.record_ms()
        entry = Entry(
            stream=STREAM,
            kind=event.TAG,
            body=encode_line(event, by, command),
            at_ms=at_ms,
            day=self._venue.gaming_day(at_ms),
            label=label,
            transfers=transfers,
            documents=documents,
            request=key,
        )
        return self._accounts.register.office.append([entry])
