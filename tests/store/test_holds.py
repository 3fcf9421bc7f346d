"""What only one of several nodes may decide about at a time."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from natural9.store.contract import Access, Holds, StoreFailed
from natural9.store.memory import MemoryStore
from natural9.store.opening import open_shared, open_store
from natural9.store.postgres.holds import DatabaseHolds
from tests.store.opening import closing_store
from tests.store.postgres_server import address, emptied_place, end_connections, server


@pytest.fixture
def place() -> Path:
    return emptied_place()


@pytest.fixture
async def pair(place: Path) -> AsyncIterator[tuple[DatabaseHolds, DatabaseHolds]]:
    one, other = (DatabaseHolds(address(place), node) for node in ("one", "other"))
    yield one, other
    one.close()
    other.close()


async def comes(holds: Holds, name: str, *, shared: bool = False) -> None:
    """What was let go is told to the database a moment later."""
    while not await holds.take(name, shared=shared):
        await asyncio.sleep(0.001)


async def test_where_one_process_writes_alone_there_are_none(tmp_path: Path, place: Path) -> None:
    assert MemoryStore().holds is None
    for where in (tmp_path, place):
        async with closing_store(open_store(where, Access.WRITE)) as store:
            assert store.holds is None


async def test_nodes_that_write_together_have_them(place: Path) -> None:
    async with closing_store(open_shared(place, Access.WRITE, node="one", folder=None)) as one:
        async with closing_store(open_shared(place, Access.WRITE, node="other", folder=None)) as other:
            assert one.holds is not None
            assert other.holds is not None
            assert await one.holds.take("voucher/1")
            assert not await other.holds.take("voucher/1")
        one.holds.let_go("voucher/1")


async def test_one_has_it_at_a_time(pair: tuple[DatabaseHolds, DatabaseHolds]) -> None:
    one, other = pair
    assert await one.take("voucher/1")
    assert not await one.take("voucher/1")
    assert not await other.take("voucher/1")
    assert not await other.take("voucher/1", shared=True)
    assert await other.take("voucher/2")
    one.let_go("voucher/1")
    await comes(other, "voucher/1")
    assert not await one.take("voucher/1")


async def test_some_share_what_nobody_has_alone(pair: tuple[DatabaseHolds, DatabaseHolds]) -> None:
    one, other = pair
    for _ in range(2):
        assert await one.take("desk/1", shared=True)
    assert await other.take("desk/1", shared=True)
    assert not await one.take("desk/1")
    one.let_go("desk/1", shared=True)
    other.let_go("desk/1", shared=True)
    for holds in pair:
        assert not await holds.take("desk/1")
    one.let_go("desk/1", shared=True)
    await comes(other, "desk/1")
    assert not await one.take("desk/1", shared=True)


async def test_it_is_taken_again_before_the_database_heard_that_it_was_let_go(
    pair: tuple[DatabaseHolds, DatabaseHolds],
) -> None:
    one, other = pair
    for shared in (False, True, False):
        assert await one.take("card/1", shared=shared)
        one.let_go("card/1", shared=shared)
    assert await one.take("card/1")
    assert not await other.take("card/1", shared=True)
    one.let_go("card/1")
    await comes(other, "card/1")


async def test_many_who_ask_at_once_get_it_one_after_the_other(pair: tuple[DatabaseHolds, DatabaseHolds]) -> None:
    inside = served = 0

    async def serve(holds: DatabaseHolds) -> None:
        nonlocal inside, served
        for _ in range(10):
            await comes(holds, "voucher/1")
            inside += 1
            assert inside == 1
            await asyncio.sleep(0)
            inside -= 1
            served += 1
            holds.let_go("voucher/1")

    await asyncio.gather(*(serve(holds) for holds in pair for _ in range(3)))
    assert served == 60


async def test_with_its_connection_it_is_gone_and_stays_taken_here(
    place: Path, pair: tuple[DatabaseHolds, DatabaseHolds]
) -> None:
    """Who took it decides as if it had it; that nothing is paid twice is the database's affair."""
    one, other = pair
    assert await one.take("voucher/1")
    for _ in range(2):
        assert await one.take("desk/1", shared=True)
    end_connections(place)
    await comes_back(other, "voucher/1")
    assert not await one.take("voucher/1")
    await comes_back(one, "voucher/2")
    one.let_go("voucher/1")  # which was lost: the other keeps it
    assert not await one.take("voucher/1")
    assert await one.take("desk/1", shared=True)  # there once more
    assert not await other.take("desk/1")
    for _ in range(3):
        one.let_go("desk/1", shared=True)
    await comes(other, "desk/1")


async def comes_back(holds: DatabaseHolds, name: str) -> None:
    """Who asks on a connection that was ended meanwhile is told that nobody knows."""
    while True:
        try:
            assert await holds.take(name)
            return
        except StoreFailed:
            pass


async def test_a_shared_one_is_let_go_while_it_is_taken_again(
    place: Path, pair: tuple[DatabaseHolds, DatabaseHolds]
) -> None:
    one, other = pair
    assert await one.take("desk/1", shared=True)
    one._line.drop()
    again = asyncio.ensure_future(one.take("desk/1", shared=True))
    await asyncio.sleep(0)  # it asks by now
    await asyncio.sleep(0)
    one.let_go("desk/1", shared=True)
    assert await again
    assert not await other.take("desk/1")
    one.let_go("desk/1", shared=True)
    await comes(other, "desk/1")


async def test_who_stops_waiting_for_it_does_not_have_it(pair: tuple[DatabaseHolds, DatabaseHolds]) -> None:
    one, other = pair
    for is_free in (True, False):
        async with one._turn:  # so that it is not answered yet
            taking = asyncio.ensure_future(one.take("voucher/1"))
            await asyncio.sleep(0)
            taking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await taking
        await comes(one, "voucher/2")  # it was answered before
        one.let_go("voucher/2")
        if is_free:
            await comes(other, "voucher/1")
    other.let_go("voucher/1")
    await comes(one, "voucher/1")


async def test_several_are_let_go_at_once(pair: tuple[DatabaseHolds, DatabaseHolds]) -> None:
    one, other = pair
    names = ("voucher/1", "voucher/2", "card/1")
    for name in names:
        assert await one.take(name)
    for name in names:
        one.let_go(name)
    for name in names:
        await comes(other, name)


async def test_while_the_database_is_away_nobody_can_say(place: Path) -> None:
    holds = DatabaseHolds(address(place), "one")
    assert await holds.take("voucher/1")
    server().stop(immediate=True)
    try:
        with pytest.raises(StoreFailed, match="cannot be reached"):
            await holds.take("voucher/2")
        holds.let_go("voucher/1")
        await asyncio.sleep(0)
    finally:
        server().start()
    assert await holds.take("voucher/1")
    holds.close()
