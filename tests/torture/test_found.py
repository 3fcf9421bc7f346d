"""What the simulated floor has found wrong in natural9, each told again in its shortest form."""

import asyncio
import gc
from pathlib import Path

from natural9.torture.disk import DiskFaults
from natural9.torture.floor import SimulatedFloor
from natural9.torture.loop import SimulatedLoop
from natural9.torture.mix import Mix, SimulatedTable
from natural9.torture.story import silent

ONE_TABLE = Mix(seed=1, tables=(SimulatedTable("t1", "mbs-nc", "electronic", 1),))


def test_a_disk_that_fails_while_the_clock_is_set_ends_no_watch_over_the_clock(tmp_path: Path) -> None:
    """Seed 1053: where several write, the disk may come back, and nobody looked at the clock any more."""

    async def story() -> None:
        floor = SimulatedFloor(ONE_TABLE, tmp_path)
        await floor.begin()
        assert floor.house
        floor.disk.faults = DiskFaults(fails=1.0)
        floor.clock_ahead_ms += 3_600_000
        await asyncio.sleep(5)
        assert not [task for task in floor.house._tasks if task.done()]
        floor.loop.call_soon(floor.crash)
        await asyncio.sleep(1)

    loop = SimulatedLoop()
    with silent():
        loop.run_until_complete(story())
    loop.close()
    assert loop.mistakes == []


def test_wrong_codes_at_a_desk_whose_disk_fails_leave_no_error_behind(tmp_path: Path) -> None:
    """Seed 44: nobody waits until it is written that somebody guesses, and nobody looked at what became of that."""

    async def story() -> None:
        floor = SimulatedFloor(ONE_TABLE, tmp_path)
        await floor.begin()
        assert floor.house
        floor.disk.faults = DiskFaults(fails=1.0)
        for _ in range(5):
            floor.house.desk.find("t1-1-1", "0", by="carl", at_ms=floor.time_ms())
        await asyncio.sleep(5)
        floor.loop.call_soon(floor.crash)
        await asyncio.sleep(1)
        gc.collect()

    loop = SimulatedLoop()
    with silent():
        loop.run_until_complete(story())
    loop.close()
    assert loop.mistakes == []
