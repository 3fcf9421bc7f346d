"""What systemd is told, where it started the program: that it is ready, that it stops, that it is not stuck.

Nothing is told where nobody asked (`NOTIFY_SOCKET`), and nobody fails because it could not be told.
"""

import asyncio
import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

READY: Final = "READY=1"
STOPPING: Final = "STOPPING=1"
NOT_STUCK: Final = "WATCHDOG=1"


def tell_supervisor(words: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether anybody was told."""
    address = environment.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return False
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.setblocking(False)
        line.sendto(words.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)
        return True
    return False


def watchdog_s(environment: Mapping[str, str] = os.environ) -> float | None:
    """How often it wants to hear that we are not stuck; None where it does not ask this process."""
    asked, of = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not asked.isdecimal() or int(asked) == 0 or of not in ("", str(os.getpid())):
        return None
    return int(asked) / 1_000_000


async def say_not_stuck(can_go_on: Callable[[], bool], environment: Mapping[str, str] = os.environ) -> None:
    """For ever, from the event loop that all tables share: if that stands still, the supervisor hears nothing. Nor
    while it cannot go on without a new start."""
    every_s = watchdog_s(environment)
    while every_s is not None:
        if can_go_on():
            tell_supervisor(NOT_STUCK, environment)
        await asyncio.sleep(every_s / 3)
