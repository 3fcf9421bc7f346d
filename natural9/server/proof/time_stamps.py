"""A time stamp for every gaming day: when one has closed, on demand, and at the start for those that were missed.

It stands beside play and never in its way. An authority that is away or answers nonsense is asked again later, and one
stamp then covers all days since the last: a checkpoint has everything before it in it.
"""

import asyncio
from base64 import b64encode
from bisect import bisect_left
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final, NamedTuple, Protocol

import structlog

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.saying import Said, say
from natural9.journal.labels import TIME_STAMPS
from natural9.journal.line import BY_PROGRAM, Origin, read_line
from natural9.journal.venue_events import TimeStampKept
from natural9.server import metrics
from natural9.server.proof.authority import NoStamp, ask
from natural9.server.proof.checkpoints import Checkpoints
from natural9.store.contract import Store, Written
from natural9.table.venue.proof import StampAuthority

LOOK_S: Final = 10.0  # how often it is asked whether a day has closed
LATE_MS: Final = 5_000  # what was decided in the last moment of a day is durable by then
FIRST_PAUSE_S: Final = 60.0  # before the authority is asked again, then twice as long each time ...
LONGEST_PAUSE_S: Final = 3600.0  # ... up to this
PAGE: Final = 500

log = structlog.get_logger()


class ClosedDays(NamedTuple):
    """Gaming days, the last among them; "" and "" for none."""

    first: str = ""
    last: str = ""

    @property
    def many(self) -> int:
        return (date.fromisoformat(self.last) - date.fromisoformat(self.first)).days + 1 if self.last else 0


class KeptStamp(NamedTuple):
    """What is remembered of a stamp."""

    days: ClosedDays
    size: int
    stamped_at_ms: int
    authority: str


class Writes(Protocol):
    def __call__(self, event: Event, *, by: Origin, label: str) -> "asyncio.Future[int]": ...


class TimeStamps:
    """Of one house. Only one is asked for at a time."""

    def __init__(
        self,
        store: Store,
        checkpoints: Checkpoints,
        authority: StampAuthority | None,
        write: Writes,
        gaming_day: Callable[[int], str],
        clock_ms: Callable[[], int],
    ) -> None:
        self._store, self._checkpoints, self._write = store, checkpoints, write
        self._gaming_day, self._clock_ms = gaming_day, clock_ms
        self.authority = authority
        self.kept: list[KeptStamp] = []  # oldest first
        self.problem: Said | None = None  # why the last was not to be had
        self._since = "9999"  # the gaming day of the first entry that no stamp covers
        self._turn = asyncio.Lock()

    async def start(self) -> None:
        """What the journal has. An office that comes back begins again: others may have stamped meanwhile."""
        kept: list[KeptStamp] = []
        before = None
        while page := await self._store.labelled(TIME_STAMPS, before=before, limit=PAGE):
            kept += [_kept(_event(written)) for written in page]
            before = page[-1].seq
        kept.reverse()
        self.kept = kept
        self._since = await self._day_after(self.kept[-1].size if self.kept else 0)

    async def run(self) -> None:
        pause_s = FIRST_PAUSE_S
        while self.authority:
            metrics.UNSTAMPED_DAYS.set(self.missing.many)
            if not self.missing.last:
                await asyncio.sleep(LOOK_S)
            elif await self._try():
                pause_s = FIRST_PAUSE_S
            else:
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    @property
    def missing(self) -> ClosedDays:
        """The closed gaming days that no stamp covers."""
        today = self._gaming_day(self._clock_ms() - LATE_MS)
        if not self.authority or self._since >= today:
            return ClosedDays()
        return ClosedDays(self._since, (date.fromisoformat(today) - timedelta(days=1)).isoformat())

    async def _try(self) -> bool:
        try:
            await self.stamp(BY_PROGRAM)
        except Exception as error:  # whatever it is, the tables play on
            log.error("no time stamp", days=self.missing, error=str(error) or repr(error))
            return False
        return True

    async def stamp(self, by: Origin) -> KeptStamp:
        """A stamp of all that is durable now, kept in the journal; NoStamp says why there is none."""
        if self.authority is None:
            raise BadInput("no-authority", say("No time-stamp authority is named in the venue file."))
        async with self._turn:
            checkpoint = await self._checkpoints.sign()
            self._since = await self._day_after(self.kept[-1].size if self.kept else 0)
            days = self.missing
            try:
                stamped_at_ms, answer = await ask(self.authority, checkpoint.note.encode())
            except NoStamp as error:
                self.problem = error.why
                metrics.TIME_STAMPS_FAILED.inc()
                raise
            event = TimeStampKept(
                first_day=days.first,
                last_day=days.last,
                size=checkpoint.size,
                checkpoint=checkpoint.note,
                authority=self.authority.url,
                stamped_at_ms=stamped_at_ms,
                answer=b64encode(answer).decode(),
            )
            await self._write(event, by=by, label=TIME_STAMPS)
            self._since = await self._day_after(event.size)
            self.kept.append(_kept(event))
            self.problem = None
            metrics.TIME_STAMPS.inc()
            log.info("time stamp kept", days=days, size=checkpoint.size, stamped_at_ms=stamped_at_ms)
            return self.kept[-1]

    async def _day_after(self, size: int) -> str:
        """The gaming day of the first entry after so many."""
        first = await self._store.entries(after=size, limit=1)
        return first[0].day if first else self._gaming_day(self._clock_ms())

    async def event(self, size: int) -> TimeStampKept:
        """The stamp of the checkpoint of this size."""
        place = bisect_left(self.kept, size, key=lambda one: one.size)
        after = self.kept[place + 1 : place + 2]  # the next one has its entry in its checkpoint
        found = await self._store.labelled(TIME_STAMPS, before=after[0].size + 1 if after else None, limit=1)
        if not found or (event := _event(found[0])).size != size:
            raise BadInput("no-such-checkpoint", say("No checkpoint of {size} entries was stamped.", size=size))
        return event


def _event(written: Written) -> TimeStampKept:
    event = read_line(written).event
    assert isinstance(event, TimeStampKept)
    return event


def _kept(event: TimeStampKept) -> KeptStamp:
    return KeptStamp(ClosedDays(event.first_day, event.last_day), event.size, event.stamped_at_ms, event.authority)
