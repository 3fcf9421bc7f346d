"""When the program was last at work: a line beside the journal, written every second.

After a restart it says how long the tables were away. A machine that lost its power may not have kept the last of it,
and then they were away for longer than a moment anyway.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from natural9.disk.durable import overwrite
from natural9.server.clock import machine_ms

FILE: Final = "alive"
EVERY_S: Final = 1.0
BOOT_ID: Final = Path("/proc/sys/kernel/random/boot_id")
SINCE_BOOT: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """One moment by the machine's clock, which can be set, and by how long it has been up, which cannot."""

    machine_ms: int
    boot: str  # which start of the machine; "" where it does not say
    up_ms: int


def beat_now() -> Beat:
    boot = ""
    with suppress(OSError):
        boot = BOOT_ID.read_text(encoding="ascii").strip()
    return Beat(machine_ms=machine_ms(), boot=boot, up_ms=time.clock_gettime_ns(SINCE_BOOT) // 1_000_000)


def away_ms(folder: Path, now: Beat) -> int | None:
    """How long nobody was at work here; None if nobody knows."""
    try:
        last = msgspec.json.decode((folder / FILE).read_bytes(), type=Beat)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if last.boot and last.boot == now.boot:
        away = now.up_ms - last.up_ms
    else:
        away = now.machine_ms - last.machine_ms
    return away if away >= 0 else None  # the clock was set back


async def beat(folder: Path, are_at_work: Callable[[], bool], now: Callable[[], Beat] = beat_now) -> None:
    """For ever, as long as all tables are at work: one that has halted is away though the program runs. A disk that
    takes no more is the journal's to complain about."""
    while True:
        if are_at_work():
            with suppress(OSError):
                overwrite(folder / FILE, msgspec.json.encode(now()))
        await asyncio.sleep(EVERY_S)
