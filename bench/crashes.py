"""The whole simulated floor, killed about once in each second of its time, between any two steps: what each seed draws
but for that, and judged at the end by the auditor as any other story.

    python -m bench.crashes --crashes 100000 --seed 5000 --workers 2

Seed after seed until there are so many crashes; exit 1 if one of them went wrong.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import count, islice
from multiprocessing import get_context

from natural9.torture.mix import draw_mix
from natural9.torture.story import Told, tell

CRASH_S = 1.0
ROUNDS = 15
LONGEST_S = 3_000.0  # where betting takes eight seconds, a floor that is killed every second hardly ever closes it
STORIES_OF_A_PROCESS = 20  # memory that stories leave behind goes with it


def killed_often(seed: int) -> Told:
    mix = draw_mix(seed)
    process = mix.process._replace(crash_s=CRASH_S)
    return tell(seed, ROUNDS, mix=replace(mix, process=process, longest_s=LONGEST_S))


def stories(first: int, workers: int) -> Iterator[Told]:
    seeds = count(first)
    anew = get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=anew, max_tasks_per_child=STORIES_OF_A_PROCESS) as pool:
        while True:
            yield from pool.map(killed_often, islice(seeds, 4 * workers))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--crashes", type=int, default=2_000, help="so many at least")
    parser.add_argument("--seed", type=int, default=5_000, help="the first")
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    seen, wrong, seconds, last = Counter[str](), 0, 0.0, 0
    for told in stories(asked.seed, asked.workers):
        seen += Counter(crashes=told.crashes, rounds=told.rounds, bets=told.bets, decisions=told.decisions)
        seconds, last = seconds + told.seconds, told.seed
        for violation in told.violations:
            wrong += 1
            print(f"seed {told.seed}: {violation}", flush=True)
        print(f"{seen['crashes']:,} crashes, {seconds:,.0f} CPU s, seed {last}", file=sys.stderr, flush=True)
        if seen["crashes"] >= asked.crashes:
            break
    print(", ".join(f"{many:,} {name}" for name, many in seen.items()))
    print(f"seeds {asked.seed} to {last}, {seconds:,.0f} s of CPU, {wrong} violations (aim: 0)")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
