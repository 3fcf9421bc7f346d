"""Which clauses of the rulebooks the simulated floor exercises, counted by paragraph: seed after seed, until none is
missing.

    python -m bench.clauses --seeds 50 --rounds 200
"""

import argparse
import sys
import time

from natural9.torture.clauses import Exercised, clauses, remedies
from natural9.torture.mix import Mix, ProcessFaults, SimulatedTable, StaffFaults
from natural9.torture.story import tell

GAMES = ("rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus", "mbs-tiger")


def clumsy(seed: int) -> Mix:
    """A dealer with real cards at a table of every document, many mistakes, and now and then a power cut."""
    tables = tuple([SimulatedTable(f"t{place}", game, "keyed", 4) for place, game in enumerate(GAMES, start=1)])
    power = ProcessFaults(crash_s=60, long_outage=0.5)
    return Mix(seed=seed, tables=tables, staff=StaffFaults(mistakes=0.3), process=power)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, default=50, help="so many at most")
    parser.add_argument("--rounds", type=int, default=200, help="of each seed, at least")
    asked = parser.parse_args()
    found, rounds, crashes, steps, began = Exercised(), 0, 0, 0, time.process_time()
    missing, seed = found.missing(), asked.first
    for seed in range(asked.first, asked.first + asked.seeds):
        told = tell(seed, asked.rounds, mix=clumsy(seed), judged=False)
        found.add(told.clauses)
        rounds, crashes, steps = rounds + told.rounds, crashes + told.crashes, steps + len(told.steps)
        missing = found.missing()
        print(f"seed {seed}: {told.rounds} rounds, {len(missing)} missing", file=sys.stderr, flush=True)
        if not missing:
            break
    print("| clause | exercised |\n|---|---|")
    for clause in clauses():
        print(f"| {clause} | {found.paragraphs[clause]} |")
    seconds = time.process_time() - began
    print(
        f"\nSeeds {asked.first} to {seed}: {rounds} rounds, {crashes} kills, {steps} steps of staff, {seconds:.0f} s;",
        end=" ",
    )
    print(f"{len(remedies())} remedies of {len(clauses())} clauses. Missing: {', '.join(missing) or 'none'}.")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
