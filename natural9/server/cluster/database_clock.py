"""What time it is by the database: all nodes date their entries by it, whatever their own machines say."""

import time
from collections.abc import Callable

from natural9.store.postgres.leases import Renewed


class DatabaseClock:
    """Behind the database by less than the way of an answer, and never ahead of it: whoever has a table next goes on
    from the times that this one wrote."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._ahead_ms = 0  # of the monotonic clock

    def set(self, renewed: Renewed) -> None:
        """Just told. The database looked at its clock at some moment between the question and now: an answer that took
        long says little, and what we had holds if it could be so."""
        earliest = renewed.now_ms - int(self._monotonic() * 1000)
        latest = renewed.now_ms - int(renewed.sent * 1000)
        self._ahead_ms = min(max(self._ahead_ms, earliest), latest)

    def now_ms(self) -> int:
        return self._ahead_ms + int(self._monotonic() * 1000)
