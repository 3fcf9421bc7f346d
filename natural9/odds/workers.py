"""Who does the work: threads of this machine, a Dask cluster, or any other executor; a little of it at a time."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from queue import Empty, Queue
from threading import Thread
from typing import Any, Final, TypeVar

from natural9.core.errors import BadInput
from natural9.extras import lacking

MOST_WORKERS: Final = 1024
ANSWER_WITHIN_S: Final = 4.0
WORKERS_WITHIN_S: Final = 4.0
START_WITHIN_S: Final = 60.0

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Crew:
    """An executor, and how many tasks it works on at the same time."""

    executor: Executor
    size: int


def cores() -> int:
    """The cores that this process may use, which a container may have made fewer than the machine has."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def threads(workers: int | None = None) -> Iterator[Crew]:
    """Threads of this machine, one a core if not told: compiled code runs in them side by side."""
    size = cores() if workers is None else workers
    if not 1 <= size <= MOST_WORKERS:
        raise BadInput("bad-workers", f"{size} workers are out of range: give 1 to {MOST_WORKERS:,}")
    with ThreadPoolExecutor(size) as executor:
        yield Crew(executor, size)


@contextmanager
def cluster(address: str) -> Iterator[Crew]:
    """The workers of a Dask cluster, by the address of its scheduler; natural9 must be installed on them too."""
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise BadInput("no-dask", f"a scheduler needs {lacking('distributed')}") from None
    _hush()
    with ExitStack() as stack:
        client = stack.enter_context(_client(distributed, address))
        size = _workers_of(client, address)
        executor = stack.enter_context(client.get_executor())
        try:
            executor.submit(cores).result(timeout=START_WITHIN_S)
        except Exception as error:  # whatever stands in the way over there
            why = _said(error)
            raise BadInput("no-workers", f"natural9 does not run on the workers of {address!r}: {why}") from None
        try:
            yield Crew(executor, size)
        except (distributed.KilledWorker, distributed.comm.CommClosedError, CancelledError) as error:
            why = _said(error)
            raise BadInput("cluster-lost", f"the cluster at {address!r} was lost on the way: {why}") from None


def _client(distributed: Any, address: str) -> Any:
    """Made in a thread of its own: Dask waits for ever for a listener that accepts and then says nothing."""
    made: Queue[Any] = Queue()

    def make() -> None:
        try:
            made.put(distributed.Client(address, timeout=ANSWER_WITHIN_S, set_as_default=False))
        except Exception as error:  # whatever Dask makes of a strange address
            made.put(error)

    Thread(target=make, daemon=True).start()
    try:
        client = made.get(timeout=ANSWER_WITHIN_S + 1)
    except Empty:
        client = TimeoutError(f"nothing said within {ANSWER_WITHIN_S + 1:g} s")
    if isinstance(client, Exception):
        why = _said(client)
        raise BadInput("no-scheduler", f"no scheduler answers at {address!r}: {why}")
    return client


def _said(error: BaseException) -> str:
    """An error of theirs on one line."""
    return " ".join(str(error).split()) or type(error).__name__


def _hush() -> None:
    """A scheduler that does not answer is one line of ours, not twenty of theirs."""
    import logging

    for name in ("distributed.comm", "distributed.client", "distributed.core", "distributed.batched"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _workers_of(client: Any, address: str) -> int:
    try:
        client.wait_for_workers(1, timeout=WORKERS_WITHIN_S)
    except TimeoutError:
        raise BadInput(
            "no-workers", f"the scheduler at {address!r} has no workers: start one with: dask worker {address}"
        ) from None
    return max(1, sum(int(threads) for threads in client.nthreads().values()))


def work_through(task: Callable[[Piece], Result], pieces: Iterable[Piece], crew: Crew) -> Iterator[Result]:
    """Each piece's result, in any order; twice as many are handed out as there are workers, however many there are.

    Leaving early, as on Ctrl-C, calls back what nobody has begun.
    """
    to_do = iter(pieces)
    under_way: set[Future[Result]] = set()
    try:
        while True:
            while len(under_way) < 2 * crew.size:
                try:
                    piece = next(to_do)
                except StopIteration:
                    break
                under_way.add(crew.executor.submit(task, piece))
            if not under_way:
                return
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            finished = deque(done)
            while finished:
                yield finished.popleft().result()
    finally:
        for future in under_way:
            future.cancel()
