"""The exact mathematics: float64 odds of all wagers of a game for an arbitrary shoe, and the exact-integer weights.

All on one core in one run, by processor time. (a) odds of every wager, pairs included, against simulating 4,000 rounds
with our own simulator; (b) exact weights against float ones, at most 3; (d) import times and the cached start.
"""

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.distribution import PLACES
from natural9.odds.kernel import outcome_weights
from natural9.odds.pricing import net_matrix
from natural9.odds.simulation_kernel import PLACES_IN_HISTOGRAM, play_block


def best_us(run: Callable[[], object], times: int = 400, tries: int = 7) -> float:
    run()
    best = float("inf")
    for _ in range(tries):
        start = time.process_time()
        for _ in range(times):
            run()
        best = min(best, (time.process_time() - start) / times * 1e6)
    return best


def command_s(*words: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return time.perf_counter() - start


def main() -> None:
    shoe = Composition.of(decks=8).without("99AAKK2345678")
    floats, integers = np.array(shoe.counts, np.float64), np.array(shoe.counts, np.int64)
    nets = net_matrix(load_game("mbs-tiger"))

    def all_wagers() -> object:
        weights = outcome_weights(floats).ravel()[PLACES]
        return nets @ weights / weights.sum()

    priced, plain = best_us(all_wagers), best_us(lambda: outcome_weights(floats))
    exact = best_us(lambda: outcome_weights(integers))
    histogram = np.zeros(PLACES_IN_HISTOGRAM, np.int64)
    simulated = best_us(lambda: play_block(np.uint64(1), np.uint64(0), 4_000, 8, 14, histogram))
    print(f"odds of all {len(nets)} wagers of mbs-tiger, a depleted shoe  {priced:6.1f} us (aim: below 45)")
    print(f"simulating 4,000 rounds                               {simulated:6.1f} us (aim: more than the odds)")
    print(f"float64 weights of 779 outcomes                       {plain:6.1f} us")
    print(f"exact integer weights                                 {exact:6.1f} us, {exact / plain:.2f} of it (aim: 3)")
    print(f"import natural9                                       {command_s('-c', 'import natural9'):6.2f} s")
    print(f"python -c pass                                        {command_s('-c', 'pass'):6.2f} s")
    whole = [command_s("-m", "natural9", "odds", "mbs-tiger") for _ in range(2)]
    print(f"natural9 odds mbs-tiger, compiled kernels cached      {whole[1]:6.2f} s")


if __name__ == "__main__":
    main()
