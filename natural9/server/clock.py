"""A venue's two clocks: one that play is timed by, and one that the record is dated by.

The machine's own clock can be set: an hour back, two days ahead and back again. Nobody can set the *play clock*: it
starts with the time and then counts by itself, so a window lasts as long as it says. The *record clock* is the
machine's, and never goes back: where that one did, it stands still until the machine's has caught up.
"""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from natural9.store.contract import Store

JUMP_MS: Final = 2_000  # a clock kept in step is moved by less than this from one second to the next


def machine_ms() -> int:
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


async def last_entry_ms(store: Store) -> int:
    """The latest of all streams, dated by one clock, which may be written in another order; 0 if there is none."""
    streams = await store.stream_heads()
    last = [await store.entry(stream, head.number) for stream, head in streams.items()]
    return max((entry.at_ms for entry in last if entry), default=0)


async def last_entry_of(store: Store, stream: str) -> int:
    """When the last of one stream happened; 0 if it has none."""
    last = await store.entry(stream, store.stream_head(stream).number)
    return last.at_ms if last else 0


class Jump(NamedTuple):
    """The machine's clock was set."""

    before_ms: int  # what it would say now
    after_ms: int  # what it says


class ClockHeld:
    """A clock stands for as long as anybody is in here. No generator: every batch of a table comes by."""

    def __init__(self) -> None:
        self.holders = 0

    def __enter__(self) -> None:
        self.holders += 1

    def __exit__(self, *why: object) -> None:
        self.holders -= 1


class Clock:
    """Both start at the machine's time, or at the journal's last entry if that is later."""

    def __init__(
        self,
        last_entry_ms: int = 0,
        *,
        machine_ms: Callable[[], int] = machine_ms,
        monotonic_ms: Callable[[], int] = monotonic_ms,
    ) -> None:
        self._machine_ms, self._monotonic_ms = machine_ms, monotonic_ms
        self.last_entry_ms, self.started_ms = last_entry_ms, machine_ms()
        self._recorded_ms = max(last_entry_ms, self.started_ms)
        self._hold = ClockHeld()
        monotonic = monotonic_ms()
        self._played_from = self._recorded_ms - monotonic
        self._apart_ms = self.started_ms - monotonic  # when last looked at

    @classmethod
    async def open(
        cls,
        store: Store,
        machine_ms: Callable[[], int] = machine_ms,
        monotonic_ms: Callable[[], int] = monotonic_ms,
    ) -> "Clock":
        """For whoever writes this journal."""
        return cls(await last_entry_ms(store), machine_ms=machine_ms, monotonic_ms=monotonic_ms)

    def go_on_from(self, entry_ms: int) -> None:
        """No later entry is dated before this one, though somebody else's clock dated it."""
        self._recorded_ms = max(self._recorded_ms, entry_ms)

    def play_ms(self) -> int:
        """For timers, limits and sessions, and whatever screens count down by. It looks like a time, and is none."""
        return self._played_from + self._monotonic_ms()

    def record_ms(self) -> int:
        """For entries and their gaming day, the days of vouchers, and reports."""
        if not self._hold.holders:
            self._recorded_ms = max(self._recorded_ms, self._machine_ms())
        return self._recorded_ms

    def held(self) -> ClockHeld:
        """From now on the record clock stands: whoever has dated entries and writes them a few turns later is not
        behind those that others have written in between."""
        self.record_ms()
        return self._hold

    @property
    def was_behind(self) -> bool:
        """Whether the machine's clock was behind the journal at the start."""
        return self.started_ms < self.last_entry_ms

    def look(self) -> Jump | None:
        """Whether the machine's clock was set since the last look. One that drifts or is slowly moved was not."""
        after_ms, monotonic = self._machine_ms(), self._monotonic_ms()
        before_ms = self._apart_ms + monotonic
        self._apart_ms = after_ms - monotonic
        return Jump(before_ms, after_ms) if abs(after_ms - before_ms) > JUMP_MS else None
