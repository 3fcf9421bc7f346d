"""Whoever is told to stop stops, whatever comes in the same instant."""

import ast
import asyncio
from pathlib import Path

import pytest

import natural9

PACKAGE = Path(natural9.__file__).parent


@pytest.mark.parametrize("turns", range(4))
async def test_a_wait_that_is_over_and_cancelled_in_one_turn_is_cancelled(turns: int) -> None:
    """As `asyncio.timeout` has it. `asyncio.wait_for` of Python 3.11 forgets that it was cancelled, and a task that
    waits so in a loop goes on for ever."""
    news = asyncio.Event()

    async def wait() -> None:
        while True:
            async with asyncio.timeout(60):
                await news.wait()
            news.clear()

    task = asyncio.create_task(wait())
    await asyncio.sleep(0.01)
    news.set()
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task], timeout=5)
    assert task.cancelled()


def test_nothing_waits_in_a_way_that_forgets() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "wait_for"
        if isinstance(node.value, ast.Name) and node.value.id == "asyncio"
    ]
    assert not found, "use asyncio.timeout: asyncio.wait_for may forget that it was cancelled"
