"""Our simulator against a plain C program that deals the same cards, and two workers against one.

Both keep the full outcome histogram with pairs, and must give the same one before either is timed. On one core ours
should reach 0.9 of C; on two cores each should reach 0.95 of one alone.
"""

import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from natural9.games import load_game
from natural9.odds.simulation import simulate
from natural9.odds.simulation_kernel import PLACES_IN_HISTOGRAM, play_block
from natural9.odds.workers import cores, threads

SEED, DECKS, CUT = 9, 8, 14
ROUNDS = 20_000_000
REPEATS = 7


def ours(rounds: int, block: int = 0) -> tuple[float, int, NDArray[np.int64]]:
    """Seconds, shoes and histogram of one block."""
    histogram = np.zeros(PLACES_IN_HISTOGRAM, np.int64)
    start = time.perf_counter()
    shoes = play_block(np.uint64(SEED), np.uint64(block), rounds, DECKS, CUT, histogram)
    return time.perf_counter() - start, shoes, histogram


def in_c(program: Path, rounds: int, block: int = 0) -> tuple[float, int, NDArray[np.int64]]:
    arguments = [str(number) for number in (SEED, block, rounds, DECKS, CUT, 1)]
    said = subprocess.run([program, *arguments], capture_output=True, check=True, text=True).stdout.split()
    return float(said[0]), int(said[1]), np.array(said[2:], np.int64)


def compiled(folder: str) -> Path | None:
    if shutil.which("gcc") is None:
        return None
    source, program = Path(__file__).with_name("simulator.c"), Path(folder, "simulator")
    subprocess.run(["gcc", "-O3", "-march=native", "-Wall", "-o", program, source], check=True)
    return program


def against_c(program: Path | None) -> None:
    ours(1000)  # loads or compiles
    if program is None:
        best = min(ours(ROUNDS)[0] for _ in range(REPEATS))
        print(f"Numba  {ROUNDS / best / 1e6:6.1f} M rounds/s on one core (no gcc here, so nothing to hold it against)")
        return
    for block in range(3):
        _, our_shoes, our_histogram = ours(1_000_000, block)
        _, their_shoes, their_histogram = in_c(program, 1_000_000, block)
        assert our_shoes == their_shoes
        assert (our_histogram == their_histogram).all()
    times = [(ours(ROUNDS)[0], in_c(program, ROUNDS)[0]) for _ in range(REPEATS)]
    mine, theirs = (min(column) for column in zip(*times, strict=True))
    print(f"C      {ROUNDS / theirs / 1e6:6.1f} M rounds/s on one core, the same histogram")
    print(f"Numba  {ROUNDS / mine / 1e6:6.1f} M rounds/s on one core, {theirs / mine:.2f} of C (aim: 0.9)")


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
