"""When the program was last at work: a line beside the journal, written every second.

After a restart it says how long the tables were away. A machine that lost its power may not have kept the last of it,
and then they were away for longer than a moment anyway.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

FILE: Final = "alive"
EVERY_S: Final = 1.0


def last_seen_ms(folder: Path) -> int:
    """When the program was last at work here; 0 if that is not known."""
    try:
        return int((folder / FILE).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


async def beat(folder: Path, clock_ms: Callable[[], int], are_at_work: Callable[[], bool]) -> None:
    """For ever, as long as all tables are at work: one that has halted is away though the program runs. A disk that
    takes no more is the journal's to complain about."""
    while True:
        if are_at_work():
            with suppress(OSError):
                (folder / FILE).write_text(str(clock_ms()), encoding="ascii")
        await asyncio.sleep(EVERY_S)
