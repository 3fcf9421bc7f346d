"""Our simulator against a plain C program that deals the same cards, and two workers against one.

Both keep the full outcome histogram with pairs, and must give the same one before either is timed, by processor time:
what else the machine does takes nothing from either. Of the ways to compile C the quickest counts. On one core ours
should reach it; on two cores each should reach 0.95 of one alone.
"""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from natural9.games import load_game
from natural9.odds.simulation import simulate
from natural9.odds.simulation_kernel import PLACES_IN_HISTOGRAM, play_block, play_two_blocks
from natural9.odds.workers import cores, threads

SEED, DECKS, CUT = 9, 8, 14
ROUNDS = 20_000_000
REPEATS = 7
WAYS = (["-O3"], ["-O3", "-march=native"], ["-O2"])

Played = tuple[float, int, NDArray[np.int64]]


def ours(kernel: Callable[..., Any], rounds: int, block: int = 0) -> Played:
    """Seconds, shoes and histogram of one block, or of two."""
    histogram = np.zeros(PLACES_IN_HISTOGRAM, np.int64)
    start = time.process_time()
    shoes = kernel(np.uint64(SEED), np.uint64(block), rounds, DECKS, CUT, histogram)
    return time.process_time() - start, shoes, histogram


def in_c(program: Path, rounds: int, block: int = 0) -> Played:
    arguments = [str(number) for number in (SEED, block, rounds, DECKS, CUT, 1)]
    said = subprocess.run([program, *arguments], capture_output=True, check=True, text=True).stdout.split()
    return float(said[0]), int(said[1]), np.array(said[2:], np.int64)


def c_seconds(program: Path) -> float:
    return in_c(program, ROUNDS)[0]


def compiled(folder: str) -> list[Path]:
    if shutil.which("gcc") is None:
        return []
    source, programs = Path(__file__).with_name("simulator.c"), []
    for number, way in enumerate(WAYS):
        programs.append(Path(folder, f"simulator-{number}"))
        subprocess.run(["gcc", *way, "-Wall", "-o", programs[-1], source], check=True)
    return programs


def against_c(programs: list[Path]) -> None:
    alone = [ours(play_block, 1_000_000, block) for block in range(4)]  # loads or compiles, too
    for block in range(3):
        _, shoes, histogram = ours(play_two_blocks, 1_000_000, block)
        assert shoes == alone[block][1] + alone[block + 1][1]
        assert (histogram == alone[block][2] + alone[block + 1][2]).all()
        for program in programs:
            _, their_shoes, their_histogram = in_c(program, 1_000_000, block)
            assert alone[block][1] == their_shoes
            assert (alone[block][2] == their_histogram).all()
    ways: dict[str, Callable[[], float]] = {
        "one block": lambda: ours(play_block, ROUNDS)[0],
        "two blocks": lambda: ours(play_two_blocks, ROUNDS // 2)[0],
    }
    for way, program in zip(WAYS, programs, strict=False):
        ways[f"gcc {' '.join(way)}"] = partial(c_seconds, program)
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(REPEATS):
        for name, play in ways.items():
            best[name] = min(best[name], play())
    for name, seconds in best.items():
        print(f"{name:24}{ROUNDS / seconds / 1e6:6.1f} M rounds/s on one core")
    if programs:
        theirs = min(seconds for name, seconds in best.items() if name.startswith("gcc"))
        print(f"two blocks at a time, as `simulate` plays: {theirs / best['two blocks']:.2f} of C (aim: 1.0)")
    else:
        print("no gcc here, so nothing to hold it against")


def on_two_cores() -> None:
    if cores() < 2:
        print("one core here: two workers cannot be held against one")
        return
    game, best, best_by_cpu = load_game("mbs-tiger"), {1: 0.0, 2: 0.0}, {1: 0.0, 2: 0.0}
    for _ in range(REPEATS):
        for workers in best:
            with threads(workers) as crew:
                start = time.process_time()
                played = simulate(game, rounds=2 * ROUNDS * workers, seed=SEED, crew=crew)
                by_cpu = played.rounds / (time.process_time() - start)
            best[workers] = max(best[workers], played.rounds_per_second / workers)
            best_by_cpu[workers] = max(best_by_cpu[workers], by_cpu)
    print(f"simulate, 1 worker   {best[1] / 1e6:6.1f} M rounds/s")
    print(
        f"simulate, 2 workers  {best[2] / 1e6:6.1f} M rounds/s each, {best[2] / best[1]:.2f} of one alone (aim: 0.95)"
    )
    share = best_by_cpu[2] / best_by_cpu[1]
    print(f"by processor time, which other programs on the machine do not take from: {share:.2f} of one alone")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        against_c(compiled(folder))
    on_two_cores()


if __name__ == "__main__":
    main()
