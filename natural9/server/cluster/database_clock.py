"""What time it is by the database: all nodes date their entries by it, whatever their own machines say."""

import time

from natural9.store.postgres.leases import Renewed


class DatabaseClock:
    def __init__(self) -> None:
        self._ahead_ms = 0  # of the monotonic clock

    def set(self, renewed: Renewed) -> None:
        """The database said so some time after it was asked: what we say is never before that."""
        self._ahead_ms = renewed.now_ms - int(renewed.sent * 1000)

    def now_ms(self) -> int:
        return self._ahead_ms + time.monotonic_ns() // 1_000_000
