"""Reading aside: in another process, a few at a time, and whatever becomes of it there is said here."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from natural9.core.errors import BadInput
from natural9.server.people.answers import ApiRefused
from natural9.server.reports.aside import MOST_WAITING, Lane, _send, aside
from natural9.store.contract import Access, Store, StoreFailed
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_store
from tests.server.reports import jobs
from tests.starter import ROOT


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    one = open_store(tmp_path, Access.SERVE)
    yield one
    await one.close()


async def test_another_process_reads_and_gives_way_to_those_who_play(store: Store) -> None:
    pid, nice, seq = map(int, (await aside(Lane.STAFF, store, jobs.where)).split())
    assert pid != os.getpid()
    assert nice > os.nice(0)
    assert seq == 0
    assert int((await aside(Lane.STAFF, store, jobs.where)).split()[0]) == pid, "the same one reads on"
    assert int((await aside(Lane.GUESTS, store, jobs.where)).split()[0]) != pid, "guests have one of their own"


async def test_a_store_in_memory_is_read_here() -> None:
    assert (await aside(Lane.STAFF, MemoryStore(), jobs.where)).startswith(str(os.getpid()).encode())


async def test_a_large_answer_arrives_whole(store: Store) -> None:
    assert await aside(Lane.STAFF, store, jobs.large, 3_000_000) == b"9" * 3_000_000


async def test_a_refusal_arrives_as_it_was_said(store: Store) -> None:
    with pytest.raises(BadInput, match="there is no seat 9") as refused:
        await aside(Lane.STAFF, store, jobs.refuse, 9)
    assert (refused.value.code, refused.value.paragraph) == ("bad-seat", "7.1")
    assert refused.value.message.template == "there is no seat {seat}"


async def test_a_mistake_there_is_an_error_here_and_the_next_is_answered(store: Store) -> None:
    with pytest.raises(StoreFailed, match="ZeroDivisionError"):
        await aside(Lane.STAFF, store, jobs.fail)
    assert await aside(Lane.STAFF, store, jobs.large, 1) == b"9"


async def test_a_process_that_was_killed_is_followed_by_another(store: Store) -> None:
    with pytest.raises(ApiRefused) as refused:
        await aside(Lane.STAFF, store, jobs.die)
    assert refused.value.status_code == 503
    assert await aside(Lane.STAFF, store, jobs.large, 1) == b"9"


def test_an_answer_that_nobody_waits_for_any_more_is_no_mistake(tmp_path: Path) -> None:
    """The house has ended meanwhile. Python 3.13 names what it could not write at the end, earlier ones with -X dev."""
    command = [sys.executable, "-X", "dev", "-m", "natural9.server.reports.aside"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT) as process:
        assert process.stdout
        process.stdout.close()
        _send(process.stdin, (tmp_path, jobs.large, (1,)))
        assert process.stderr
        assert process.stderr.read() == b""
    assert process.returncode == 0


async def test_a_few_wait_and_more_are_told_to_come_back(store: Store) -> None:
    asked = [aside(Lane.GUESTS, store, jobs.large, 1) for _ in range(MOST_WAITING + 3)]
    answers = await asyncio.gather(*asked, aside(Lane.STAFF, store, jobs.large, 1), return_exceptions=True)
    refused = [one for one in answers if isinstance(one, ApiRefused)]
    assert len(refused) == 3
    assert {one.status_code for one in refused} == {503}
    assert {one.error.code for one in refused} == {"busy"}
    assert all(one.headers and int(one.headers["retry-after"]) >= 1 for one in refused)
    assert answers[-1] == b"9", "guests keep no staff waiting"
    assert await aside(Lane.GUESTS, store, jobs.large, 1) == b"9"
