"""How long it takes to verify a long journal, and how much memory: on every core, and on one.

`python -m bench.verify [ROUNDS]` makes a journal of so many rounds first, 12,000 unless told (about 17 entries each);
`python -m bench.verify FOLDER` measures a venue that `bench.long_journal` has left there.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Final, NamedTuple

import uvloop

from bench.long_journal import make_journal
from natural9.store.contract import Access
from natural9.store.opening import open_store

ROUNDS: Final = 12_000


class Measured(NamedTuple):
    seconds: float
    cpu_seconds: float  # of all its processes
    peak_mib: int  # of the largest of them
    said: str


def commands(venue: Path) -> dict[str, tuple[Sequence[str], int | None]]:
    """What is measured, and on how many cores (None for all). Whatever else reads a whole journal is one line more."""
    natural9 = (sys.executable, "-m", "natural9")
    return {
        "verify": ((*natural9, "verify", str(venue)), None),
        "verify, one core": ((*natural9, "verify", str(venue)), 1),
    }


def measure(command: Sequence[str], cores: int | None) -> Measured:
    """In a process of its own, so that the memory is that of this command and no other's."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_measure, (command, cores))


def _measure(command: Sequence[str], cores: int | None) -> Measured:
    if cores is not None:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds, used = time.perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return Measured(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, done.stdout.splitlines()[0])


async def entries_of(venue: Path) -> int:
    store = open_store(venue, Access.READ)
    try:
        return (await store.head()).seq
    finally:
        await store.close()


def report(venue: Path) -> None:
    entries = uvloop.run(entries_of(venue))
    size = (venue / "journal.db").stat().st_size / 2**20
    print(f"{entries:,} entries, {size:,.0f} MiB, {len(os.sched_getaffinity(0))} cores")
    for name, (command, cores) in commands(venue).items():
        took = measure(command, cores)
        each = took.seconds / entries * 1e6
        print(
            f"{name:20} {took.seconds:7.1f} s, {each:5.1f} us an entry ({took.cpu_seconds:.1f} s of CPU),"
            f" {took.peak_mib:,} MiB in the largest process"
        )


def main() -> None:
    told = sys.argv[1] if len(sys.argv) > 1 else str(ROUNDS)
    if not told.isdecimal():
        report(Path(told))
        return
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        uvloop.run(make_journal(Path(folder) / "venue", int(told)))
        report(Path(folder) / "venue")


if __name__ == "__main__":
    main()
