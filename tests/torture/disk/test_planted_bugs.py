"""Bugs that a good engineer could make, planted: the power cuts find each of them."""

import asyncio
import os
import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from natural9.disk.calls import another_disk, disk
from natural9.store.contract import Access, Store
from natural9.store.group import Commits, Committed, Outcome, Writing
from natural9.store.opening import open_store
from tests.store.opening import append, buy, closing_store, entry
from tests.torture.disk.cuts import recording_cut, tally
from tests.torture.disk.judge import wrong_journal
from tests.torture.disk.recorders import RecordingCalls, recording
from tests.torture.disk.recording import Recording
from tests.torture.disk.tape import Tape
from tests.torture.disk.telling import history, telling

IMAGES = 60


class AnswersFirst:
    """Says what will be durable, and makes it so while everybody believes it."""

    def __init__(self, committer: Commits) -> None:
        self._committer = committer
        self._late = threading.Thread()
        self.is_able = True

    def commit(self, group: Sequence[Writing]) -> Committed:
        if self._late.ident:
            self._late.join()
        self._late = threading.Thread(target=self._committer.commit, args=(group,))
        self._late.start()
        return Committed([cast(Outcome, one.number + 1) for one in group], {})

    def close(self) -> None:
        self._late.join()
        self._committer.close()


class SyncsNoFolder(RecordingCalls):
    def sync(self, file: int) -> None:
        if not os.path.isdir(f"/proc/self/fd/{file}"):  # noqa: PTH112
            super().sync(file)


class SyncsNoHead(RecordingCalls):
    def open(self, path: Path, flags: int, mode: int = 0o600) -> int:
        return super().open(path, flags & ~os.O_DSYNC, mode)

    def sync(self, file: int) -> None:
        if ".head" not in str(Path(f"/proc/self/fd/{file}").readlink()):
            super().sync(file)


@contextmanager
def planted(bug: str, tape: Tape) -> Iterator[None]:
    plants = {"folder not synced": SyncsNoFolder, "head file not synced": SyncsNoHead}
    with another_disk(plants[bug](tape) if bug in plants else disk()):
        yield


def spoiled(bug: str, store: Store) -> None:
    writer = cast(Any, store)._writer
    if bug == "synchronous = normal":
        writer._committer._connection.pragma("synchronous", "normal")
    if bug == "answer before commit":
        writer._committer = AnswersFirst(writer._committer)


async def story(root: Path, bug: str) -> Recording:
    root = root.resolve()
    folder = root / "venue"
    folder.mkdir()
    with recording(root, sqlite_syncs_folders=False) as tape, planted(bug, tape):
        for _ in range(2):
            async with closing_store(telling(open_store(folder, Access.WRITE), tape)) as store:
                spoiled(bug, store)
                for _ in range(5):
                    await append(store, [entry(buy(1, 5))])
    async with closing_store(open_store(folder, Access.READ)) as store:
        return Recording(tape, folder, await history(store), wrong_journal)


@pytest.mark.parametrize(
    "bug", ["", "synchronous = normal", "answer before commit", "head file not synced", "folder not synced"]
)
def test_a_planted_bug_is_found(scratch: Path, bug: str) -> None:
    (scratch / "recorded").mkdir()
    made = asyncio.run(story(scratch / "recorded", bug))
    _, wrong = tally(recording_cut(made, scratch, "planted", bug, random.Random(bug), IMAGES))
    assert bool(wrong) == bool(bug), wrong
