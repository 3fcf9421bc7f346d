"""A disk: what is durable survives its process; commits take their time, fail, or are durable and never answered.

A commit takes all that waits, as a real store's does. A process that is killed while one is under way does not learn
what became of it: it may have reached the disk or not. After a failure nothing more is written until the store is
opened anew.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

from natural9.store.balances import check
from natural9.store.contract import Checkpoint, Entry, StoreFailed, StreamHead
from natural9.store.memory import MemoryStore

USUAL_S: Final = 0.001  # a commit, and its answer


class DiskFaults(NamedTuple):
    """How likely each is, for one commit."""

    slow: float = 0.0  # it takes seconds
    late_answer: float = 0.0  # it is durable long before anybody knows
    fails: float = 0.0  # and the store with it
    longest_s: float = 3.0


NO_DISK_FAULTS: Final = DiskFaults()


class SimulatedDisk:
    """What is left when the power is gone."""

    def __init__(self, chance: Random, faults: DiskFaults | None = None) -> None:
        self.chance, self.faults = chance, faults or NO_DISK_FAULTS
        self.platter = MemoryStore()
        self.happened: Counter[str] = Counter()
        self.wrote: Callable[[str, int], None] | None = None  # told how far a stream goes, whenever it is durable
        self.failed: Callable[[], None] | None = None  # told when a commit has failed

    def open(self) -> "SimulatedStore":
        return SimulatedStore(self)


class _Waiting(NamedTuple):
    entries: Sequence[Entry]
    after: StreamHead
    answer: asyncio.Future[int]


class SimulatedStore(MemoryStore):
    """The store of one process. It shares with those before and after it what is on the disk, and nothing else."""

    def __init__(self, disk: SimulatedDisk) -> None:
        super().__init__()
        vars(self).update(vars(disk.platter))  # its containers, not copies of them
        self._disk, self._chance = disk, disk.chance
        self._waiting: list[_Waiting] = []
        self._under_way: list[_Waiting] = []
        self._is_durable = False  # what is under way
        self._failed = ""

    @property
    def can_write(self) -> bool:
        return not self._failed and super().can_write

    def append(self, entries: Sequence[Entry], after: StreamHead) -> "asyncio.Future[int]":
        check(entries)
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        if self._failed or self._closed:
            answer.set_exception(StoreFailed(self._failed or "this store is closed"))
            return answer
        self._waiting.append(_Waiting(entries, after, answer))
        if not self._under_way:
            self._begin()
        return answer

    def _begin(self) -> None:
        self._under_way, self._waiting, self._is_durable = self._waiting, [], False
        faults, chance, happened = self._disk.faults, self._chance, self._disk.happened
        seconds = USUAL_S
        if faults.slow and chance.random() < faults.slow:
            happened["slow commit"] += 1
            seconds = chance.uniform(USUAL_S, faults.longest_s)
        loop = asyncio.get_running_loop()
        if faults.fails and chance.random() < faults.fails:
            loop.call_later(seconds, self._fail)
        else:
            loop.call_later(seconds, self._commit)

    def _commit(self) -> None:
        answers = self._write_all()
        faults, chance = self._disk.faults, self._chance
        if faults.late_answer and chance.random() < faults.late_answer:
            self._disk.happened["late answer"] += 1
            later = chance.uniform(USUAL_S, faults.longest_s)
            asyncio.get_running_loop().call_later(later, self._answer, answers)
        else:
            self._answer(answers)

    def _write_all(self) -> list[int | Exception]:
        answers: list[int | Exception] = []
        for entries, after, _ in self._under_way:
            try:
                answers.append(self._write(entries, after))
                if self._disk.wrote:
                    self._disk.wrote(entries[0].stream, self.stream_head(entries[0].stream).number)
            except Exception as refused:
                answers.append(refused)
        self._is_durable = True
        return answers

    def _answer(self, answers: list[int | Exception]) -> None:
        under_way, self._under_way = self._under_way, []
        for (_, _, answer), came in zip(under_way, answers, strict=True):
            if answer.done():
                continue
            if isinstance(came, Exception):
                answer.set_exception(came)
            else:
                answer.set_result(came)
        if self._waiting:
            self._begin()

    def _fail(self) -> None:
        """Whether it reached the disk, nobody can tell."""
        if self._chance.random() < 0.5:
            self._disk.happened["failed commit that is durable"] += 1
            self._write_all()
        else:
            self._disk.happened["failed commit"] += 1
        self._refuse("the disk failed: input/output error")

    def _refuse(self, why: str) -> None:
        self._failed = why
        if self._disk.failed:
            self._disk.failed()
        waiting, self._waiting, self._under_way = self._under_way + self._waiting, [], []
        for _, _, answer in waiting:
            if not answer.done():
                answer.set_exception(StoreFailed(why))

    def power_off(self) -> None:
        """The process is gone, now: nobody is told anything any more."""
        if self._under_way and not self._is_durable:
            if self._chance.random() < 0.5:
                self._disk.happened["commit without an answer"] += 1
                self._write_all()
            else:
                self._disk.happened["commit lost"] += 1
        elif self._under_way:
            self._disk.happened["commit without an answer"] += 1
        self._waiting, self._under_way = [], []
        self._failed = "there is no power"

    async def keep_checkpoint(self, checkpoint: Checkpoint) -> None:
        if self._failed:
            raise StoreFailed(self._failed)
        await super().keep_checkpoint(checkpoint)

    async def close(self) -> None:
        """Once what waits is written."""
        while self._under_way or self._waiting:
            await asyncio.sleep(USUAL_S)
        await super().close()
