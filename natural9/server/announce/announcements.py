"""What everybody may see, told outside once it is durable. Whoever is to be told and does not listen holds up no table.

Each destination has one queue, so the messages of a table arrive in their order. One that is not taken is tried again;
where too many wait, the oldest is dropped, and whoever comes back sees the gap by `n`. A message may come twice.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from natural9.server import metrics
from natural9.server.announce.announcement import Announcement, PublicTable, encode, public_table, public_tags
from natural9.server.announce.destinations import Destination, NotTaken, destinations
from natural9.server.cluster.nats_connection import NatsRefused
from natural9.table.state.view import TableView
from natural9.table.venue.venue import Venue

MOST_WAITING: Final = 1_000  # of one destination
FIRST_WAIT_S: Final = 0.5
LONGEST_WAIT_S: Final = 15.0
PATIENCE_S: Final = 5.0  # whoever has not taken a message by then is away
LAST_S: Final = 2.0  # for what still waits when the house closes

log = structlog.get_logger()


class Announcements:
    """To all destinations of a venue; one that has none tells nobody."""

    def __init__(
        self,
        venue: Venue,
        *,
        clock_ms: Callable[[], int],
        time_ms: Callable[[], int],
        patience_s: float = PATIENCE_S,
        wait_s: float = FIRST_WAIT_S,
    ) -> None:
        self._venue, self._clock_ms, self._time_ms = venue.name, clock_ms, time_ms
        self._queues = [_Delivery(one, patience_s, wait_s) for one in destinations(venue.announce)]
        self._told: dict[str, tuple[str, int, PublicTable]] = {}  # of each table: its run, and the last of it

    def tell(self, run: str, view: TableView, happened: Sequence[str] = (), *, halted: bool = False) -> None:
        """How a table looks now. Nothing is sent where nothing that everybody may know has changed."""
        if not self._queues:
            return
        now, tags = public_table(view), public_tags(happened)
        former_run, n, former = self._told.get(view.table, ("", 0, None))
        if run != former_run:
            n, former = 0, None
        if now == former and not tags and not halted:
            return
        self._told[view.table] = run, n + 1, now
        at_ms, closes_at_ms = self._time_ms(), view.closes_at_ms
        announcement = Announcement(
            venue=self._venue,
            table=view.table,
            run=run,
            n=n + 1,
            at_ms=at_ms,
            happened=tags,
            halted=halted,
            closes_at_ms=None if closes_at_ms is None else at_ms + closes_at_ms - self._clock_ms(),
            now=now,
        )
        message = encode(announcement)
        for queue in self._queues:
            queue.put(view.table, message)

    async def close(self) -> None:
        """Whoever listens is told the rest; whoever is away is not waited for."""
        await asyncio.gather(*[queue.close() for queue in self._queues])


class _Delivery:
    """What waits for one destination."""

    def __init__(self, to: Destination, patience_s: float, wait_s: float) -> None:
        self._to, self._patience_s, self._first_wait_s = to, patience_s, wait_s
        self._waiting: deque[tuple[str, bytes]] = deque()
        self._task: asyncio.Task[None] | None = None
        self._is_away = False
        self._sent = metrics.ANNOUNCED.labels(to.name)
        self._dropped = metrics.ANNOUNCEMENTS_DROPPED.labels(to.name)

    def put(self, table: str, message: bytes) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.popleft()
            self._dropped.inc()
        self._waiting.append((table, message))
        if self._task is None:
            self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        if self._task and not self._is_away:
            await asyncio.wait([self._task], timeout=LAST_S)
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._dropped.inc(len(self._waiting))
        await self._to.close()

    async def _work(self) -> None:
        """Until nothing waits."""
        wait_s = self._first_wait_s
        while self._waiting:
            one = self._waiting.popleft()
            try:
                async with asyncio.timeout(self._patience_s):
                    await self._to.send(*one)
            except asyncio.CancelledError:  # the house closes: as far as is known, nobody took it
                self._waiting.appendleft(one)
                raise
            except Exception as error:  # whatever it is: play goes on, and it is tried again
                self._not_taken(one, error)
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)
            else:
                wait_s = self._first_wait_s
                self._sent.inc()
                if self._is_away:
                    log.info("announcements are taken again", to=self._to.name)
                self._is_away = False
        self._task = None

    def _not_taken(self, one: tuple[str, bytes], error: Exception) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self._dropped.inc()
        else:
            self._waiting.appendleft(one)
        if not self._is_away:  # one outage is one line
            log.warning("announcements are not taken", to=self._to.name, why=_words(error))
        self._is_away = True


def _words(error: Exception) -> str:
    """Without the address, which may hold a password."""
    if isinstance(error, NotTaken | NatsRefused | ValueError):
        return str(error)
    if isinstance(error, TimeoutError):
        return "no answer"
    return (isinstance(error, OSError) and error.strerror) or type(error).__name__
