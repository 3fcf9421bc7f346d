"""Many seeds, one after the other or by several processes: no story knows of another, and they come in order."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Final

from natural9.torture.story import Told, tell

MOST_WORKERS: Final = 256


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def tell_seeds(seeds: range, rounds: int, *, workers: int) -> Iterator[Told]:
    """What came of each, in the order of the seeds, whoever told it."""
    workers = min(workers, len(seeds))
    if workers == 1:
        yield from map(partial(tell, rounds=rounds), seeds)
        return
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield from pool.map(partial(tell, rounds=rounds), seeds)
