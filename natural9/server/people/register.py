"""Where people and devices are written: an event in the venue's journal, the documents it changes beside it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from secrets import token_bytes
from typing import Final, NamedTuple, Protocol

from msgspec import Struct, json

from natural9.core.saying import Said
from natural9.journal.labels import label_of
from natural9.journal.line import BY_PROGRAM, Origin, by_staff, encode_line
from natural9.journal.people_events import PeopleEvent
from natural9.journal.player_events import PlayerAccountEvent
from natural9.server.people.permissions import Denied
from natural9.server.people.records import Person
from natural9.store.contract import Entry, Store
from natural9.store.streams import SharedStream

STREAM: Final = "venue"
VENUE: Final = BY_PROGRAM  # who did it, where the venue did it by itself


By = Origin | str  # a person, by their id; whatever else it is says so itself


class PeopleChange(NamedTuple):
    """What happened, by whom (a person, a device, the command line or the venue itself), and what changes with it."""

    event: PeopleEvent | PlayerAccountEvent
    by: By
    records: Sequence[tuple[str, Struct]] = ()


def origin_of(by: By) -> Origin:
    return by if isinstance(by, Origin) else by_staff(by)


class OfficeElsewhere(Protocol):
    """The office of a venue that another machine has: what is decided about people and devices is decided there."""

    async def authorise(self, id: str, password: str, *, peer: str, device: str) -> Person | Denied: ...

    async def revoke(self, device: str, why: Said) -> None:
        """It has failed too often here."""
        ...


class PeopleStream(Protocol):
    """Where entries outside the tables are written, as `SharedStream` does."""

    def append(self, entries: Sequence[Entry]) -> "asyncio.Future[int]": ...

    async def rest(self) -> None: ...


class Register:
    """The one way in which accounts and devices are stored.

    Memory changes first and in the same breath the entry is queued; the store keeps the order of the calls. So two
    who ask at once find each other's change, and nobody is told before it is durable.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock_ms: Callable[[], int],
        gaming_day: Callable[[int], str],
        record_ms: Callable[[], int] | None = None,
        random_bytes: Callable[[int], bytes] = token_bytes,
    ) -> None:
        self.store = store
        self.random_bytes = random_bytes  # for codes, cards and PINs
        self.office: PeopleStream = SharedStream(store, STREAM)  # for whoever writes outside the tables
        self.elsewhere: Callable[[], OfficeElsewhere | None] = lambda: None  # where another machine has it
        self.clock_ms = clock_ms  # for whatever runs out
        self.record_ms = record_ms or clock_ms  # for entries
        self._gaming_day = gaming_day
        self._watchers: list[Callable[[str, str], None]] = []

    def today(self) -> str:
        """The gaming day."""
        return self._gaming_day(self.record_ms())

    def write(self, changes: Sequence[PeopleChange]) -> Awaitable[int]:
        """Queue these at once, as one append; await it before telling anyone."""
        at_ms = self.record_ms()
        day = self._gaming_day(at_ms)
        return self.office.append(
            [
                Entry(
                    stream=STREAM,
                    kind=change.event.TAG,
                    body=encode_line(change.event, origin_of(change.by)),
                    at_ms=at_ms,
                    day=day,
                    label=label_of("", change.event),
                    documents=tuple((key, json.encode(record)) for key, record in change.records),
                )
                for change in changes
            ]
        )

    def write_later(self, changes: Sequence[PeopleChange]) -> None:
        """Queue these for whom nobody waits; a store that fails says so to everybody else."""
        asyncio.ensure_future(self.write(changes)).add_done_callback(noticed)

    def watch(self, watcher: Callable[[str, str], None]) -> None:
        """Be called with ("staff" or "device", id) whenever sessions of theirs end or their role changes."""
        self._watchers.append(watcher)

    def ended(self, kind: str, id: str) -> None:
        for watcher in self._watchers:
            watcher(kind, id)


def noticed(done: "asyncio.Future[int]") -> None:
    """For what nobody waits for: a store that fails says so to everybody else."""
    if not done.cancelled():
        done.exception()
