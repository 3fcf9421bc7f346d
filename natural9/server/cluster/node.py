"""One of several processes that play a venue: it keeps its leases, takes what nobody has, and lets go in good order.

A lease only makes it rare that two believe to have a table; the database refuses whoever is not the owner any more. A
node that cannot renew its leases stops speaking before they end, by a clock that nobody can set. What it takes over
comes back by the one recovery that there is.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import structlog

from natural9.core.errors import BadInput
from natural9.core.saying import Said, say
from natural9.server import metrics
from natural9.server.app import Carrying
from natural9.server.cluster.carried_http import CarriedHttp
from natural9.server.cluster.database_clock import DatabaseClock
from natural9.server.cluster.far_lines import FarLines
from natural9.server.cluster.following import Following
from natural9.server.cluster.idle_time import share_idle_time
from natural9.server.cluster.lines import Lines
from natural9.server.cluster.spreading import to_claim, to_hand_over
from natural9.server.cluster.whereabouts import OFFICE, Whereabouts, table_stream
from natural9.server.house import House
from natural9.server.people.accounts import no_administrator
from natural9.server.tables import FINISH_S
from natural9.store.contract import Corrupt, SharedStore, StoreFailed
from natural9.store.postgres.leases import Leases, NameTaken, SeenNodes, Taken

LOOK_S: Final = 0.25  # how often leases are renewed, and others looked at
QUIET_S: Final = 0.3  # so long before a lease ends a node says nothing more in its name
WATCH_S: Final = 0.05
PROOFS_S: Final = 1.0
BLIND_S: Final = 0.5  # after it was silenced: then a node shows nothing of other nodes, either
OFTEN_S: Final = 30.0
AGAIN_S: Final = 5.0  # after which a table that would not come back is tried again

LOST: Final = say("another machine has this table now")
SILENT: Final = say("the database cannot be reached: one moment")
HANDED_OVER: Final = say("the table goes to another machine: one moment")
LEAVING: Final = "leaving"  # told to all when a node begins to go
FREE: Final = "free"  # told to all when streams are let go

log = structlog.get_logger()


@dataclass(slots=True)
class StreamNotes:
    """What a node remembers of one stream; times are by the monotonic clock."""

    free_looks: int = 0  # for how many looks nobody has had it
    not_before: float = 0.0  # it would not come: when it is tried again
    dark_since: float | None = None  # since when nothing was said of it here, though it was
    halted_at: float = -OFTEN_S  # when its table last stopped by a mistake
    handed_over_at: float = -OFTEN_S  # what comes back soon is not handed over again
    letting: "asyncio.Future[int] | None" = None  # the store lets go of it


class VenueNode:
    def __init__(
        self,
        house: House,
        store: SharedStore,
        leases: Leases,
        lines: Lines,
        whereabouts: Whereabouts,
        following: Following,
        clock: DatabaseClock,
        lease_s: float,
        tell: Callable[[str], None],  # for the person who started it
    ) -> None:
        self.house, self._store, self._leases, self._lines = house, store, leases, lines
        self._whereabouts, self._following, self._clock, self._tell = whereabouts, following, clock, tell
        self._far = house.hub.floor.elsewhere = FarLines(house.hub, lines, whereabouts)
        self.carrying: Carrying | None = CarriedHttp(lines, whereabouts, house.venue.tables)
        share_idle_time(house.accounts.sessions, lines)
        self._lease_s = lease_s
        self._failures = 0  # of the store, as far as they are dealt with
        self._mine: set[str] = set()  # at work here
        self._doing: dict[str, asyncio.Task[None]] = {}  # being opened, or handed over
        self._speaks_until = 0.0  # by the monotonic clock
        self._draining, self._barred = False, ""
        self._proofs_at = 0.0  # when what the office signs is looked at next
        self._look_now = asyncio.Event()
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()  # it cannot go on: why
        self._tasks: list[asyncio.Task[None]] = []
        self.streams = [OFFICE, *map(table_stream, house.venue.tables)]
        self._notes = {stream: StreamNotes() for stream in self.streams}
        self._stay: set[str] = set()  # the others that could take a table
        self._leaving: set[str] = set()
        self._gone_by = 0.0
        lines.hear(FREE, lambda node, body: self._look_now.set())
        lines.hear(LEAVING, lambda node, body: self._leaving.add(node))
        lines.when_lost(self._leaving.discard)

    async def start(self) -> None:
        works = (self._keep(), self._watch(), self._run(), self._following.run(), self._far.run())
        self._tasks = [asyncio.create_task(one) for one in works]
        self.house.watch()

    async def end(self) -> None:
        await self.ended

    @property
    def speaks(self) -> bool:
        """Its leases hold, as far as it knows."""
        return time.monotonic() < self._speaks_until

    @property
    def has_everything(self) -> bool:
        return self._mine == set(self.streams)

    async def _keep(self) -> None:
        """Renew the leases, whatever else takes its time."""
        while True:
            try:
                await self._renew()
            except NameTaken as error:  # this one is not the node of its name any more
                self._speaks_until = 0.0
                self.ended.set_exception(error)
                return
            except StoreFailed as error:
                log.warning("leases not renewed", error=str(error))
            except Exception:
                log.exception("a mistake of ours")
            await asyncio.sleep(LOOK_S)

    async def _watch(self) -> None:
        """No lease is outlived."""
        while True:
            await asyncio.sleep(WATCH_S)
            self.house.ready = self.speaks and self._lines.is_up and not self._draining
            metrics.NODE_STREAMS.set(len(self._mine))
            metrics.NODE_LEASES.set(self.speaks)
            metrics.NODE_NATS.set(self._lines.is_up)
            try:
                await self._be_silent()
            except Exception:  # whatever else is to be closed is so at the next look
                log.exception("a mistake of ours")

    async def _be_silent(self) -> None:
        if not self.speaks:
            for stream in list(self._mine):
                await self._lose(stream, SILENT)
        # Who was signed out since, or locked, is not known here any more: nobody is shown anything.
        is_blind = time.monotonic() > self._speaks_until + BLIND_S
        if is_blind and self.house.hub.is_ready:
            self.house.hub.send_away()
        self.house.hub.is_ready = not is_blind

    async def _run(self) -> None:
        """Take what nobody has, give what others should have."""
        while True:
            self._look_now.clear()
            try:
                await self._look()
            except StoreFailed as error:
                log.warning("the other nodes cannot be seen", error=str(error))
            except Exception:
                log.exception("a mistake of ours")
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._look_now.wait()

    async def _renew(self) -> None:
        renewed = await self._leases.renew()
        self._clock.set(renewed)
        self._speaks_until = renewed.sent + self._lease_s - QUIET_S
        if renewed.barred != self._barred:
            self._barred = renewed.barred
            self._tell(renewed.barred or "This node may have tables again.")
        for stream in self._mine - renewed.epochs.keys():
            await self._lose(stream, LOST)
        if self._store.failures != self._failures:  # all were given up there, whoever knows of it by now
            self._failures = self._store.failures
            for stream in list(self._mine):
                await self._lose(stream, SILENT)
        for stream in self._mine - self._doing.keys():
            if why := self._halted(stream):  # it comes back at once, but not again and again
                now, notes = time.monotonic(), self._notes[stream]
                if now - notes.halted_at < OFTEN_S:
                    notes.not_before = now + AGAIN_S
                notes.halted_at = now
                await self._lose(stream, why)
        # Was lost here, and nobody else has it yet: an epoch is good for one time only.
        for stream in renewed.epochs.keys() - self._mine - self._doing.keys():
            notes, now = self._notes[stream], time.monotonic()
            if notes.letting is None:
                dark_s = now - (notes.dark_since or now)
                notes.dark_since = None
                await self._leases.let_go([stream], dark_ms=int(dark_s * 1000))

    async def _look(self) -> None:
        await self._follow(await self._leases.look())
        if OFFICE not in self._mine and time.monotonic() > self._proofs_at:
            self._proofs_at = time.monotonic() + PROOFS_S
            await self.house.office.checkpoints.follow()

    async def _follow(self, seen: SeenNodes) -> None:
        living = {one.card.name for one in seen.nodes if one.is_alive}
        owners = {one.stream: one.owner for one in seen.streams if one.owner in living and one.stream in self.streams}
        self._whereabouts.learn(owners)
        here, rules = self._whereabouts.here, self._leases.card.rules_sha256
        # Who will not take anything has no share: one that goes, or that has other rules.
        alive = {one.card.name for one in seen.nodes if one.is_alive and one.card.rules_sha256 == rules}
        alive -= self._leaving
        self._stay = alive - {here}
        if self._draining or self._barred or here not in alive:
            return
        now, notes = time.monotonic(), self._notes
        for stream in self.streams:
            is_free = stream not in owners and stream not in self._mine and stream not in self._doing
            notes[stream].free_looks = notes[stream].free_looks + 1 if is_free else 0
        may = {one: note.free_looks for one, note in notes.items() if note.free_looks and note.not_before <= now}
        count = len(self.streams)
        wanted = to_claim(may, len(self._mine | self._doing.keys()), streams=count, nodes=len(alive))
        if wanted:
            for taken in await self._leases.claim(wanted):
                self._do(taken.stream, self._open(taken))
        elif self._stay and not self._doing:
            many = to_hand_over(self._whereabouts.owners, here, alive)
            may_go = [one for one in self._mine if now - notes[one].handed_over_at >= OFTEN_S]
            for stream in sorted(may_go, key=lambda one: one == OFFICE)[:many]:
                notes[stream].handed_over_at = now
                self._do(stream, self._hand_over(stream))

    def _do(self, stream: str, doing: Coroutine[Any, Any, None]) -> None:
        if stream in self._doing:
            doing.close()
            return
        task = self._doing[stream] = asyncio.create_task(doing)
        task.add_done_callback(lambda done: self._done(stream, done))

    def _done(self, stream: str, done: "asyncio.Task[None]") -> None:
        self._doing.pop(stream, None)
        if not done.cancelled() and (error := done.exception()):
            log.error("a table would not come or go", stream=stream, exc_info=error)

    # Taking

    async def _open(self, taken: Taken) -> None:
        stream, house, began = taken.stream, self.house, time.monotonic()
        try:
            await self._store.take_over(stream, taken.epoch)
            failures = self._store.failures
            if stream == OFFICE:
                await self._following.catch_up()
                await house.office.take()
                if code := house.accounts.first_code():
                    self._tell(no_administrator(code))
            else:
                await house.tables.open(stream.removeprefix("table/"), taken.away_ms)
            if self._store.failures != failures:  # the store has given up whatever it had, this too
                raise StoreFailed(SILENT)
        except Exception as error:  # whatever it is: the next try comes after a pause, here or elsewhere
            ours = not isinstance(error, StoreFailed | Corrupt | BadInput)
            log.error("cannot be taken over", stream=stream, error=str(error), exc_info=error if ours else None)
            now = time.monotonic()
            self._notes[stream].not_before = now + AGAIN_S
            await self._close(stream, SILENT)
            await self._let_go(stream, dark_ms=taken.away_ms + int((now - began) * 1000))
            return
        self._mine.add(stream)
        self._notes[stream].dark_since = None
        self._whereabouts.took(stream, self._whereabouts.here)
        metrics.NODE_MOVES.labels("taken").inc()
        metrics.TAKE_OVER_SECONDS.observe(taken.away_ms / 1000 + time.monotonic() - began)
        log.info("taken over", stream=stream, away_ms=taken.away_ms, epoch=taken.epoch)

    # Letting go

    async def _lose(self, stream: str, why: Said) -> None:
        """At once: it is not ours any more, or nobody knows."""
        metrics.NODE_MOVES.labels("lost").inc()
        log.warning("lost", stream=stream, why=str(why))
        self._notes[stream].dark_since = time.monotonic()
        await self._close(stream, why)

    async def _close(self, stream: str, why: Said) -> None:
        self._mine.discard(stream)
        self._whereabouts.left(stream, self._whereabouts.here)
        if stream == OFFICE:
            await self.house.office.lose()
            self._following.start_over()  # what was not durable is not so
        elif (table := stream.removeprefix("table/")) in self.house.rooms:
            self.house.tables.close(table, why)
        notes = self._notes[stream]
        if notes.letting is None:  # and not waited for: a database may be away for long
            notes.letting = asyncio.ensure_future(self._store.let_go(stream))
            notes.letting.add_done_callback(partial(self._let_go_done, stream))

    def _let_go_done(self, stream: str, done: "asyncio.Future[int]") -> None:
        self._notes[stream].letting = None
        if not done.cancelled():
            done.exception()  # whoever takes it next is told

    async def _hand_over(self, stream: str) -> None:
        """Between two rounds, and with everything durable."""
        try:
            if stream == OFFICE:
                await self.house.office.leave(HANDED_OVER)
            else:
                await self.house.tables.finish(stream.removeprefix("table/"), self._is_urgent)
        finally:
            await self._close(stream, HANDED_OVER)
        await self._let_go(stream)
        metrics.NODE_MOVES.labels("handed-over").inc()
        log.info("handed over", stream=stream)

    def _is_urgent(self) -> bool:
        """This node must go, and has waited for long or for nobody: then a dealer's round is held."""
        return self._draining and (time.monotonic() > self._gone_by or not self._stay)

    async def _let_go(self, stream: str, *, dark_ms: int = 0) -> None:
        await self._store.let_go(stream)
        await self._leases.let_go([stream], dark_ms=dark_ms)
        self._lines.tell_all(FREE, stream.encode())

    def _halted(self, stream: str) -> Said | None:
        """Why, if what was decided there could not be made durable."""
        if stream == OFFICE:
            return None
        room = self.house.rooms.get(stream.removeprefix("table/"))
        return room.writer.halted if room else SILENT

    async def stop(self, why: str) -> None:
        """Every table finishes its round and is handed over; then the node is gone. Once."""
        if self._draining:
            return
        self._draining, self.house.ready = True, False
        self._gone_by = time.monotonic() + FINISH_S
        self._lines.tell_all(LEAVING, b"")
        while self._mine or self._doing:  # what is just being taken comes first
            for stream in list(self._mine):
                self._do(stream, self._hand_over(stream))
            await asyncio.wait(list(self._doing.values()))
            await asyncio.sleep(0)  # they take themselves off the list
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._leases.close()
        await self.house.stop(why)
        await self._lines.close()
