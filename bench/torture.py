"""The simulated floor on one core: whole-table rounds a second with 20 bets each, and what a crash and recovery cost.

Each bet is a message over the simulated line to the real hub, decided, recorded, committed to the simulated disk and
answered; every terminal is told all that it would be. Time is the CPU's.

    python -m bench.torture

How fast the machine itself is just then stands below: a loop of plain Python, in millions of turns a second.
"""

import asyncio
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from natural9.torture.loop import SimulatedLoop
from natural9.torture.mix import Mix, ProcessFaults, SimulatedTable
from natural9.torture.story import Story, fast_folder, rarely_collected, silent

ROUNDS = 400
# 20 bets a round: of a baccarat table's eight players, each with a few bets at once, or of 22 with one each.
EIGHT, MANY = 8, 22
PLAIN = Mix(
    seed=1,
    tables=(SimulatedTable("t1", "mbs-tiger", "electronic", EIGHT),),
    taps={"lay-bets": 1.0},
    taps_a_round=0,  # each taps once
    bets_at_once=(4, 6),
    betting_s=1.0,
)
CROWD = replace(PLAIN, tables=(PLAIN.tables[0]._replace(seats=MANY),), taps={"bet": 1.0})


async def played(mix: Mix, folder: Path, rounds: int) -> tuple[float, Story]:
    story = Story(mix, folder, actors=lambda story: [])
    await story.begin()
    before, start = story.rounds, time.process_time()
    while story.rounds < before + rounds:
        await asyncio.sleep(1)
    seconds = time.process_time() - start
    await story.end()
    await story.floor.stop()
    return seconds, story


def run(mix: Mix, rounds: int) -> tuple[float, Story]:
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder, silent(), rarely_collected():
        loop = SimulatedLoop()
        try:
            return loop.run_until_complete(played(mix, Path(folder), rounds))
        finally:
            loop.close()


def plain_speed() -> float:
    start, counts = time.process_time(), dict[int, int]()
    for turn in range(1_000_000):
        counts[turn & 1023] = counts.get(turn & 1023, 0) + turn
    return 1 / (time.process_time() - start)


def main() -> None:
    seconds = 0.0
    for mix in (PLAIN, CROWD):
        seconds, story = run(mix, ROUNDS)
        each, ms = story.kinds["bet-placed"] / story.rounds, seconds / ROUNDS * 1e3
        what = f"{each:.1f} bets of {mix.tables[0].seats} terminals each, {ms:.2f} ms a round"
        print(f"{ROUNDS / seconds:,.0f} whole-table rounds/s, {what}")
    more, story = run(replace(CROWD, process=ProcessFaults(crash_s=6.0)), ROUNDS // 4)
    crashes, ms = story.power.crashes, (more - seconds / 4) / story.power.crashes * 1e3
    print(f"{ms:.2f} ms a crash and recovery ({crashes} crashes in {story.rounds} rounds)")
    print(f"{plain_speed():.1f} million turns of a plain loop a second")


if __name__ == "__main__":
    main()
