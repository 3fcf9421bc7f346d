"""What holds for every `async def test_...`: how long it may take, and which event loop it runs on."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from inspect import iscoroutinefunction
from typing import Any

import pytest
import uvloop

LIMIT_S = 120  # only what hangs takes so long, on a busy machine too
LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def limited(test: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    @wraps(test)
    async def within_limit(**fixtures: Any) -> None:
        async with asyncio.timeout(LIMIT_S):
            await test(**fixtures)

    return within_limit


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    if isinstance(item, pytest.Function) and iscoroutinefunction(item.obj):
        item.obj = limited(item.obj)


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Python's own, unless a test names others: `@pytest.mark.asyncio(loop_factories=[...])`."""
    marker = item.get_closest_marker("asyncio")
    return LOOPS if marker and "loop_factories" in marker.kwargs else {"asyncio": LOOPS["asyncio"]}
