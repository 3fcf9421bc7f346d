"""Any call to the disk may fail, and the disk may be full at any of them: it is said in words, the store stops, and
nothing that was acknowledged is missing when it is opened again."""

import random
from pathlib import Path

import pytest

from natural9.store.contract import Access, Corrupt, Store, StoreFailed
from natural9.store.opening import open_store
from tests.store.opening import append, buy, closing_store, entry
from tests.torture.disk.failing import Fault, failing

OPENINGS, GROUPS = 2, 3


async def appended(store: Store, acknowledged: list[int]) -> None:
    for _ in range(GROUPS):
        number = await append(store, [entry(buy(1, 5), documents=(("shoe", b"1"),))])
        acknowledged.append(number)


async def story(folder: Path, acknowledged: list[int]) -> None:
    for _ in range(OPENINGS):
        async with closing_store(open_store(folder, Access.WRITE)) as store:
            try:
                await appended(store, acknowledged)
            except StoreFailed:
                with pytest.raises(StoreFailed):  # it does not go on as if nothing had been
                    await append(store, [entry()])
                raise


async def calls(folder: Path) -> int:
    with failing(Fault(0, is_full=False)) as fault:
        await story(folder, [])
    return fault.calls


@pytest.mark.parametrize("is_full", [False, True])
async def test_a_call_that_fails_loses_nothing_and_is_said_in_words(scratch: Path, is_full: bool) -> None:
    (scratch / "sound").mkdir()
    every = await calls(scratch / "sound")
    failed = set()
    for call in sorted(random.Random(4).sample(range(1, every), 120)):
        folder = scratch / str(call)
        folder.mkdir()
        acknowledged: list[int] = []
        said = ""
        with failing(Fault(call, is_full=is_full)) as fault:
            try:
                await story(folder, acknowledged)
            except (StoreFailed, Corrupt) as error:
                said = str(error)
        failed |= set(fault.failed)
        assert said or len(acknowledged) == OPENINGS * GROUPS, f"call {call}: {fault.failed}"
        assert "None" not in said
        async with closing_store(open_store(folder, Access.WRITE)) as store:
            assert (await store.head()).seq >= len(acknowledged), f"call {call}: {fault.failed}"
            await append(store, [entry(buy(1, 5))])
    assert failed >= ({"write", "xWrite"} if is_full else {"write", "sync", "xWrite", "xSync", "xRead"})
