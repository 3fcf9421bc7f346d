"""Killed at any moment, cut off at any byte: what was acknowledged is there, and what is there holds together."""

import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from natural9.store.audit import audit
from natural9.store.contract import Access, Written
from natural9.store.opening import open_store
from tests.store.opening import append, audited, bet, closing_store, entry
from tests.store.postgres_server import new_place, server

ROOT = Path(__file__).parents[2]


def killed_while_appending(
    folder: Path,
    *,
    appenders: int,
    after: int,
    access: Access = Access.WRITE,
    then: Callable[[], None] | None = None,
) -> dict[int, int]:
    """The numbers that were acknowledged before the kill, with the terminal that each was for. It is killed after so
    many; with `then`, that is done first, and it is killed after as many again."""
    command = [sys.executable, "-m", "tests.store.appender", str(folder), str(appenders), access.value]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as lines:
        said = [lines.readline() for _ in range(after)]
        if then:
            then()
            said += [lines.readline() for _ in range(2 * after)]
        process.kill()
        said += lines.readlines()
    assert process.wait() == -signal.SIGKILL
    return {int(first): int(terminal) for first, terminal in (line.split() for line in said if line.endswith("\n"))}


@pytest.mark.parametrize("access", [Access.WRITE, Access.SERVE])
@pytest.mark.parametrize("seed", range(4))
async def test_what_was_acknowledged_survives_kill_9(tmp_path: Path, seed: int, access: Access) -> None:
    await survives(tmp_path, seed, access)


@pytest.mark.parametrize("access", [Access.WRITE, Access.SERVE])
async def test_what_was_acknowledged_in_a_database_survives_kill_9(access: Access) -> None:
    for seed in range(2):
        await survives(new_place(), seed, access)


async def survives(place: Path, seed: int, access: Access) -> None:
    chance = random.Random(seed)
    appenders, after = chance.choice((1, 7, 60)), chance.randrange(1, 400)
    await is_there(place, killed_while_appending(place, appenders=appenders, after=after, access=access))


async def is_there(place: Path, known: dict[int, int]) -> None:
    async with closing_store(open_store(place, Access.WRITE)) as store:
        journal: dict[int, Written] = {}
        while page := await store.entries(after=len(journal)):
            journal |= {written.seq: written for written in page}
        for first, terminal in known.items():
            assert journal[first].transfers == (bet(terminal, 1),)
            assert journal[first + 1].transfers == (bet(terminal, 2),)
        found = await audit(store)
        assert await append(store, [entry()]) == found.entries + 1


@pytest.mark.parametrize("access", [Access.WRITE, Access.SERVE])
async def test_a_database_that_is_cut_off_and_comes_back_has_lost_nothing(access: Access) -> None:
    """Whoever writes waits, and goes on by itself."""
    place, chance = new_place(), random.Random(5)

    def cut_off() -> None:
        server().stop(immediate=True)
        server().start()

    known = killed_while_appending(place, appenders=20, after=chance.randrange(50, 400), access=access, then=cut_off)
    await is_there(place, known)


async def test_a_log_cut_off_anywhere_leaves_whole_groups(tmp_path: Path) -> None:
    """As after a power cut: the end of the log never reached the disk."""
    path = tmp_path / "journal.db"
    killed_while_appending(tmp_path, appenders=3, after=50)
    log = path.with_name("journal.db-wal").read_bytes()
    chance = random.Random(9)
    lengths = []
    for place, size in enumerate(sorted(chance.randrange(len(log)) for _ in range(12))):
        cut = tmp_path / f"cut-{place}.db"
        shutil.copy(path, cut)
        cut.with_name(cut.name + "-wal").write_bytes(log[:size])
        found = await audited(open_store(cut, Access.WRITE, accept_loss=True))
        lengths.append(found.entries)
        assert found.entries % 2 == 3 % 2 or found.entries == 0  # three bought in, then two entries to an append
    assert lengths == sorted(lengths)
    assert lengths[-1] > 3
