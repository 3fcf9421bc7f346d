"""Where people and devices are written: an event in the venue's journal, the documents it changes beside it."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from msgspec import Struct, json

from natural9.server.people.events import Event, to_body
from natural9.store.contract import Entry, Store

STREAM: Final = "venue"
LABEL: Final = "significant"  # requirement 43

Change = tuple[Event, Sequence[tuple[str, Struct]]]


class Register:
    """The one way in which accounts and devices are stored.

    Memory changes first and in the same breath the entry is queued; the store keeps the order of the calls. So two
    who ask at once find each other's change, and nobody is told before it is durable.
    """

    def __init__(self, store: Store, *, clock_ms: Callable[[], int], gaming_day: Callable[[int], str]) -> None:
        self.store = store
        self.clock_ms = clock_ms
        self._gaming_day = gaming_day
        self._watchers: list[Callable[[str, str], None]] = []

    def write(self, changes: Sequence[Change]) -> Awaitable[int]:
        """Queue these at once, as one append; await it before telling anyone."""
        at_ms = self.clock_ms()
        day = self._gaming_day(at_ms)
        return self.store.append(
            [
                Entry(
                    stream=STREAM,
                    kind=event.TAG,
                    body=to_body(event),
                    at_ms=at_ms,
                    day=day,
                    label=LABEL,
                    documents=tuple((key, json.encode(record)) for key, record in records),
                )
                for event, records in changes
            ]
        )

    def watch(self, watcher: Callable[[str, str], None]) -> None:
        """Be called with ("staff" or "device", id) whenever sessions of theirs end or their role changes."""
        self._watchers.append(watcher)

    def ended(self, kind: str, id: str) -> None:
        for watcher in self._watchers:
            watcher(kind, id)
