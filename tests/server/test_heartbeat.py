"""How long the tables were away: a line beside the journal that is written as long as all of them are at work."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from natural9.server.heartbeat import FILE, Beat, away_ms, beat, beat_now

HOUR_MS = 3_600_000
THEN = Beat(machine_ms=1_800_000_000_000, boot="one", up_ms=50_000)


async def one_beat(folder: Path, *, at_work: bool) -> None:
    beating = asyncio.create_task(beat(folder, lambda: at_work))
    await asyncio.sleep(0.01)
    beating.cancel()
    await asyncio.gather(beating, return_exceptions=True)


def later(*, machine_ms: int, boot: str = "one", up_ms: int) -> Beat:
    return Beat(machine_ms=THEN.machine_ms + machine_ms, boot=boot, up_ms=THEN.up_ms + up_ms)


@pytest.mark.parametrize(
    ("now", "away"),
    [
        (later(machine_ms=3_000, up_ms=3_000), 3_000),
        (later(machine_ms=HOUR_MS, up_ms=3_000), 3_000),  # the clock was set, and the machine was up all the time
        (later(machine_ms=-HOUR_MS, up_ms=3_000), 3_000),
        (later(machine_ms=3_000, up_ms=HOUR_MS), HOUR_MS),
        (later(machine_ms=60_000, boot="two", up_ms=-40_000), 60_000),  # after another start only the clock tells
        (later(machine_ms=-1, boot="two", up_ms=-40_000), None),  # and one that went back tells nothing
        (later(machine_ms=-1, boot="two", up_ms=0), None),
    ],
)
def test_while_the_machine_is_up_its_clock_decides_nothing(tmp_path: Path, now: Beat, away: int | None) -> None:
    (tmp_path / FILE).write_bytes(msgspec.json.encode(THEN))
    assert away_ms(tmp_path, now) == away


def test_a_machine_that_does_not_name_its_starts_goes_by_its_clock(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(msgspec.json.encode(msgspec.structs.replace(THEN, boot="")))
    assert away_ms(tmp_path, later(machine_ms=3_000, boot="", up_ms=HOUR_MS)) == 3_000
    assert away_ms(tmp_path, later(machine_ms=-3_000, boot="", up_ms=HOUR_MS)) is None


async def test_it_tells_when_the_tables_were_last_at_work(tmp_path: Path) -> None:
    assert away_ms(tmp_path, beat_now()) is None  # nobody knows
    await one_beat(tmp_path, at_work=True)
    written = (tmp_path / FILE).read_bytes()
    assert away_ms(tmp_path, beat_now()) is not None
    await one_beat(tmp_path, at_work=False)  # one of them has halted: it is away though the program runs
    assert (tmp_path / FILE).read_bytes() == written
    for spoilt in (b"soon", b"", written[:-5]):
        (tmp_path / FILE).write_bytes(spoilt)
        assert away_ms(tmp_path, beat_now()) is None


async def test_a_disk_that_takes_no_more_stops_nothing(tmp_path: Path) -> None:
    await one_beat(tmp_path / "gone", at_work=True)
    assert away_ms(tmp_path / "gone", beat_now()) is None
