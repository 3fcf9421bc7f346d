"""What holds for every test: how long it may wait, which event loop it runs on, and whether it counts as covering."""

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable, Generator, Mapping
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

import pytest
import uvloop
from coverage import Coverage
from hypothesis import settings

LIMIT_S = 120  # only what hangs takes so long, on a busy machine too; a test that is marked `limit_s` has its own
settings.register_profile("natural9", deadline=None)  # no test fails because a machine is slow
settings.load_profile("natural9")
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # a shell starts what runs in the background so, and every program
    signal.signal(signal.SIGINT, signal.default_int_handler)  # that a test starts would ignore a Ctrl-C as well
gc.disable()  # until every test is found: thousands are, and none of them is garbage
LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


LONGEST = ("tests/web/", "tests/server/", "tests/cli/", "tests/cluster/", "tests/nemesis/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, so that no worker is alone with it at the end."""
    items.sort(key=lambda item: [not item.nodeid.startswith(folder) for folder in LONGEST])


def pytest_collection_finish() -> None:
    """What is loaded by now stays, so that nobody looks through it for garbage."""
    gc.freeze()
    gc.enable()


def limited(test: Callable[..., Awaitable[None]], limit_s: float) -> Callable[..., Awaitable[None]]:
    @wraps(test)
    async def within_limit(**fixtures: Any) -> None:
        async with asyncio.timeout(limit_s):
            await test(**fixtures)

    return within_limit


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Python's own, unless a test names others: `@pytest.mark.asyncio(loop_factories=[...])`."""
    marker = item.get_closest_marker("asyncio")
    return LOOPS if marker and "loop_factories" in marker.kwargs else {"asyncio": LOOPS["asyncio"]}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """What is marked `no_cover` does not count as covering, nor does what chance finds: it may look elsewhere tomorrow.
    See `make coverage`."""
    if isinstance(item, pytest.Function) and iscoroutinefunction(item.obj):
        longer = item.get_closest_marker("limit_s")
        item.obj = limited(item.obj, longer.args[0] if longer else LIMIT_S)
    by_chance = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    tracing = Coverage.current() if by_chance or item.get_closest_marker("no_cover") else None
    if tracing is None:
        return (yield)
    tracing.stop()
    try:
        return (yield)
    finally:
        tracing.start()
