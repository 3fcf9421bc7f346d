"""Inputs that nobody means, a million of them from one seed, for every part that reads what others wrote.

    python -m bench.fuzz --inputs 1000000 --seed 1
    python -m bench.fuzz --seed 1 --only notes --at 4711

For each target: how many inputs there were, how many were refused and how many taken as valid (much of what is made is
still valid), the slowest, by how much memory grew. A failure says its number; `--at` feeds that input alone.
"""

import argparse
import asyncio
import sys
import time

from tests.fuzz.feeding import Fed, feed
from tests.fuzz.targets import TARGETS, shares

COLUMNS = "{:<18}{:>10}{:>10}{:>10}{:>9}{:>12}{:>12}{:>10}"


def show(fed: Fed) -> None:
    figures = (fed.inputs, fed.refused, fed.valid)
    memory = f"{fed.growth / 1e6:.1f} MB"
    counted = [f"{one:,}" for one in figures]
    print(
        COLUMNS.format(fed.name, *counted, f"{fed.seconds:.0f}", f"{fed.slowest_ms:.1f} ms", memory, len(fed.failures)),
        flush=True,
    )
    for failure in fed.failures:
        print(f"  FAILED at input {failure.number}: {failure.given}\n{failure.what}", flush=True)


def progress(fed: Fed) -> None:
    print(f"{fed.name}: {fed.inputs:,} so far", file=sys.stderr, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1_000_000, help="for all targets together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=TARGETS, action="append")
    parser.add_argument("--at", type=int, help="feed this input alone; with one --only")
    options = parser.parse_args()
    names = options.only or [*TARGETS]
    if options.at is not None:
        if len(names) != 1:
            parser.error("--at needs one --only NAME")
        fed = asyncio.run(feed(TARGETS[names[0]](), options.seed, 1, first=options.at))
        show(fed)
        return bool(fed.failures)
    begun, all_fed = time.monotonic(), list[Fed]()
    heads = ("target", "inputs", "refused", "valid", "CPU s", "slowest", "memory", "failures")
    print(f"seed {options.seed}, {options.inputs:,} inputs\n" + COLUMNS.format(*heads), flush=True)
    for name, inputs in shares(options.inputs, names).items():
        fed = asyncio.run(feed(TARGETS[name](), options.seed, inputs, progress=progress))
        show(fed)
        all_fed.append(fed)
    failures = sum(len(fed.failures) for fed in all_fed)
    total = [f"{sum(getattr(fed, name) for fed in all_fed):,}" for name in ("inputs", "refused", "valid")]
    seconds = f"{sum(fed.seconds for fed in all_fed):.0f}"
    slowest = f"{max(fed.slowest_ms for fed in all_fed):.1f} ms"
    print(COLUMNS.format("all", *total, seconds, slowest, "", failures))
    print(f"in {time.monotonic() - begun:.0f} s")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
