"""Targets are fed from a seed, watched, and what they did is counted."""

import asyncio
import gc
import logging
import resource
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final

import structlog

from tests.fuzz.target import Target, Wrong

LONGEST_CPU_S: Final = 10.0  # for one input: what takes longer hangs
MOST_GROWTH: Final = 48 * 1024 * 1024  # bytes, after the first tenth of the inputs
ENOUGH_FAILURES: Final = 5
PROGRESS_S: Final = 20.0


class Hung(Exception):
    """It was still at work after LONGEST_CPU_S of this process's time."""


@dataclass(frozen=True)
class Failure:
    number: int
    given: str
    what: str


@dataclass
class Fed:
    """What became of the inputs of one target."""

    name: str
    inputs: int = 0
    valid: int = 0
    refused: int = 0
    seconds: float = 0.0
    slowest_ms: float = 0.0
    slowest: str = ""
    growth: int = 0  # bytes of memory, after the first tenth
    failures: list[Failure] = field(default_factory=list)


def input_of(target: Target, seed: int, number: int) -> Any:
    return target.make(Random(f"{seed}/{target.name}/{number}"))


async def feed(
    target: Target, seed: int, inputs: int, *, first: int = 0, progress: Callable[[Fed], None] = lambda fed: None
) -> Fed:
    """So many inputs, of a seed, from this number on."""
    gc.collect()  # or what an earlier test left behind would be a complaint here
    fed = Fed(target.name)
    with tempfile.TemporaryDirectory(dir=in_memory()) as folder, watched() as complaints:
        await target.open(Path(folder))
        begun, shown, base = time.process_time(), time.monotonic(), _memory()
        for number in range(first, first + inputs):
            given = input_of(target, seed, number)
            await feed_one(target, given, number, fed, complaints)
            if number - first == inputs // 10:
                base = _memory()
            if len(fed.failures) >= ENOUGH_FAILURES:
                break
            if time.monotonic() - shown > PROGRESS_S:
                shown = time.monotonic()
                progress(fed)
        fed.growth = max(0, _memory() - base)
        await _close(target, fed, complaints)
        fed.seconds = time.process_time() - begun
    if fed.growth > MOST_GROWTH and not target.keeps:
        fed.failures.append(Failure(first + inputs, "all of them", f"memory grew by {fed.growth:,} bytes"))
    return fed


async def feed_one(target: Target, given: Any, number: int, fed: Fed, complaints: list[str]) -> None:
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, LONGEST_CPU_S)
    try:
        if await target.feed(given):
            fed.valid += 1
        else:
            fed.refused += 1
        if complaints:
            raise Wrong("\n".join(complaints))
    except Exception:
        fed.failures.append(Failure(number, repr(given)[:3000], traceback.format_exc()))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    complaints.clear()
    fed.inputs += 1
    took_ms = 1000 * (time.process_time() - started)
    if took_ms > fed.slowest_ms:
        fed.slowest_ms, fed.slowest = took_ms, f"input {number}: {repr(given)[:120]}"


async def _close(target: Target, fed: Fed, complaints: list[str]) -> None:
    try:
        await target.close()
        if complaints:
            raise Wrong("\n".join(complaints))
    except Exception:
        fed.failures.append(Failure(fed.inputs, "all of them", traceback.format_exc()))


def in_memory() -> str | None:
    """Where a file costs no disk, on Linux."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _memory() -> int:
    """What this process holds now."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize()


@contextmanager
def watched() -> Iterator[list[str]]:
    """Whatever is logged as a mistake of ours, or left to the event loop; and nothing goes on for ever."""
    complaints: list[str] = []
    logger, level = logging.getLogger(), logging.getLogger().level
    handler = _Kept(complaints)
    before = structlog.get_config()
    loop = asyncio.get_running_loop()
    handled = signal.signal(signal.SIGPROF, _hung)
    logger.addHandler(handler)
    structlog.configure(processors=[_Processor(complaints)], logger_factory=structlog.ReturnLoggerFactory())
    loop.set_exception_handler(lambda _, context: complaints.append(_told(context)))
    try:
        yield complaints
    finally:
        loop.set_exception_handler(None)
        structlog.configure(**before)
        logger.removeHandler(handler)
        logger.setLevel(level)
        signal.signal(signal.SIGPROF, handled)


def _hung(_: int, __: FrameType | None) -> None:
    raise Hung(f"more than {LONGEST_CPU_S:g} s for one input")


def _told(context: dict[str, Any]) -> str:
    error = context.get("exception")
    return f"{context['message']}: {''.join(traceback.format_exception(error)) if error else context}"


class _Kept(logging.Handler):
    """Errors of the standard log."""

    def __init__(self, complaints: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._complaints = complaints

    def emit(self, record: logging.LogRecord) -> None:
        shown = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
        self._complaints.append(f"logged: {record.getMessage()}\n{shown}")


class _Processor:
    """Errors of ours."""

    def __init__(self, complaints: list[str]) -> None:
        self._complaints = complaints

    def __call__(self, _: Any, method: str, event: Any) -> str:
        if method in ("error", "critical", "exception") or event.get("exc_info"):
            error = event.get("exc_info")
            shown = (
                "".join(traceback.format_exception(error))
                if isinstance(error, BaseException)
                else traceback.format_exc()
            )
            self._complaints.append(f"logged: {event.get('event')}\n{shown}")
        return ""
