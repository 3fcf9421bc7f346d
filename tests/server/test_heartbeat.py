"""How long the tables were away: a line beside the journal that is written as long as all of them are at work."""

import asyncio
from pathlib import Path

from natural9.server.heartbeat import FILE, beat, last_seen_ms


async def one_beat(folder: Path, now_ms: int, *, at_work: bool) -> None:
    beating = asyncio.create_task(beat(folder, lambda: now_ms, lambda: at_work))
    await asyncio.sleep(0.01)
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)


async def test_it_tells_when_the_tables_were_last_at_work(tmp_path: Path) -> None:
    assert last_seen_ms(tmp_path) == 0  # nobody knows
    await one_beat(tmp_path, 1_000, at_work=True)
    assert last_seen_ms(tmp_path) == 1_000
    await one_beat(tmp_path, 2_000, at_work=False)  # one of them has halted: it is away though the program runs
    assert last_seen_ms(tmp_path) == 1_000
    (tmp_path / FILE).write_text("soon")
    assert last_seen_ms(tmp_path) == 0


async def test_a_disk_that_takes_no_more_stops_nothing(tmp_path: Path) -> None:
    await one_beat(tmp_path / "gone", 1_000, at_work=True)
    assert last_seen_ms(tmp_path / "gone") == 0
