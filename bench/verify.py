"""How long it takes to verify a long journal, and how much memory: on every core, and on one; the same of its export
and of the verifier that shares nothing with the program.

`python -m bench.verify [ROUNDS]` makes a journal of so many rounds first, 12,000 unless told (about 17 entries each);
`python -m bench.verify FOLDER` measures a venue that `bench.long_journal` has left there.

Of 60,000 rounds (1,026,231 entries, 425 MiB, eight automatic tables of three seats), two quiet cores: verify 4.8 s
(9.0 s of CPU), 58 MiB in the largest process; on one core 9.9 s and 62 MiB; export 7.9 s, 51 MiB; the outside verifier
31.7 s, 43 MiB. The machine counts: it turned a plain loop of Python 14.1 million times a second just then; on another
day, 6.8 s (12.6 s of CPU) before each table's entries of a page were taken together, and 42 s outside.

Of 1,000,000 rounds (17,103,340 entries, 7 GiB), with other work beside: verify 209 s (292 s of CPU), 154 MiB; export
202 s of CPU, 154 MiB; the outside verifier, of its first 60%, 496 s of CPU and 74 MiB.
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
OUTSIDE: Final = Path(__file__).parents[1] / "verifier" / "natural9_verify.py"


class Measured(NamedTuple):
    seconds: float
    cpu_seconds: float  # of all its processes
    peak_mib: int  # of the largest of them


class Reader(NamedTuple):
    """A command that reads the whole of a journal; on how many cores (None for all), and where what it prints goes."""

    command: Sequence[str]
    cores: int | None = None
    into: Path = Path(os.devnull)


def readers(venue: Path, exported: Path) -> dict[str, Reader]:
    natural9 = (sys.executable, "-m", "natural9")
    return {
        "verify": Reader((*natural9, "verify", str(venue))),
        "verify, one core": Reader((*natural9, "verify", str(venue)), cores=1),
        "export": Reader((*natural9, "export", str(venue)), into=exported),
        "outside verifier": Reader((sys.executable, str(OUTSIDE), str(exported))),
    }


def measure(reader: Reader) -> Measured:
    """In a process of its own, so that the memory is that of this command and no other's."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_measure, (reader,))


def _measure(reader: Reader) -> Measured:
    if reader.cores is not None:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: reader.cores])
    start = time.perf_counter()
    with reader.into.open("wb") as into:
        done = subprocess.run(reader.command, stdout=into, stderr=subprocess.PIPE, check=False)
    seconds, used = time.perf_counter() - start, getrusage(RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(reader.command)} ended with {done.returncode}: {done.stderr.decode()}")
    return Measured(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)


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
    for name, reader in readers(venue, venue / "exported.jsonl").items():
        took = measure(reader)
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
