"""The simulated disk keeps the promises of every store, and forgets what was never durable."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from natural9.store.chain import STREAM_START
from natural9.store.contract import StoreFailed
from natural9.torture.chance import chance_of
from natural9.torture.disk import DiskFaults, SimulatedDisk
from natural9.torture.loop import SimulatedLoop
from tests.store.opening import entry


def in_simulated_time(story: Coroutine[Any, Any, None]) -> None:
    loop = SimulatedLoop()
    try:
        loop.run_until_complete(story)
    finally:
        loop.close()


def test_an_append_is_answered_once_it_is_durable() -> None:
    async def story() -> None:
        disk = SimulatedDisk(chance_of(1, "disk"), DiskFaults(slow=1.0, late_answer=0.5))
        store = disk.open()
        answer = store.append([entry()], STREAM_START)
        assert (await disk.platter.head()).seq == 0
        assert await answer == 1
        assert (await disk.platter.head()).seq == 1

    in_simulated_time(story())


def test_after_a_failure_nothing_is_written_until_it_is_opened_anew() -> None:
    async def story() -> None:
        disk = SimulatedDisk(chance_of(1, "disk"), DiskFaults(fails=1.0))
        store = disk.open()
        for _ in range(2):
            with pytest.raises(StoreFailed):
                await store.append([entry()], store.stream_head("table/1"))
        assert not store.can_write
        disk.faults = DiskFaults()
        again = disk.open()
        assert await again.append([entry()], again.stream_head("table/1")) in (1, 2)

    in_simulated_time(story())


def test_a_cut_leaves_all_of_a_commit_or_nothing_and_all_that_was_answered() -> None:
    async def story() -> None:
        left = set()
        for seed in range(20):
            disk = SimulatedDisk(chance_of(seed, "disk"))
            store = disk.open()
            assert await store.append([entry()], STREAM_START) == 1
            unanswered = store.append([entry(), entry()], store.stream_head("table/1"))
            store.power_off()
            left.add((await disk.platter.head()).seq)
            await asyncio.sleep(60)
            assert not unanswered.done()  # nobody is there to be told
        assert left == {1, 3}

    in_simulated_time(story())
