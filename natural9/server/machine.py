"""What a house takes from the machine that it runs on: time, chance, devices, its own files."""

import secrets
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from argon2 import PasswordHasher

from natural9.server.clock import machine_ms, monotonic_ms
from natural9.server.heartbeat import Beat, beat_now
from natural9.server.program import file_hashes
from natural9.table.devices.line import OpenDevice, opened
from natural9.table.shoes.reader import Reading, read_cards
from natural9.table.shoes.shuffler import Below

_OPEN_ACCEPTOR: Final = partial(opened, writes=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Nothing of a house looks for any of these elsewhere."""

    time_ms: Callable[[], int] = machine_ms  # which can be set
    monotonic_ms: Callable[[], int] = monotonic_ms  # which cannot
    monotonic_s: Callable[[], float] = time.monotonic  # the same, for rates
    stopwatch_s: Callable[[], float] = time.perf_counter  # for how long work takes
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    random_below: Below = secrets.randbelow
    beat: Callable[[], Beat] = beat_now
    read_cards: Callable[[str], AsyncGenerator[Reading, None]] = read_cards
    open_acceptor: OpenDevice = _OPEN_ACCEPTOR  # of bills
    file_hashes: Callable[[], dict[str, str]] = file_hashes
    hasher: PasswordHasher | None = None  # of passwords; None is as costly as it should be


THIS_MACHINE: Final = Machine()
