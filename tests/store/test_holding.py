"""To have something alone for a while: at once, after somebody else, or not at all."""

import asyncio

import pytest

from natural9.store.contract import StoreFailed
from natural9.store.holding import held
from tests.table.nodes import LocalHolds


async def test_where_one_process_writes_alone_there_is_nothing_to_hold() -> None:
    async with held(None, "desk/cass"), held(None, "desk/cass"):
        pass


async def test_it_is_held_until_the_end_of_the_block_whatever_happens_in_it() -> None:
    holds = LocalHolds()

    async def fails() -> None:
        async with held(holds, "desk/cass"):
            assert holds.alone == {"desk/cass"}
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fails()
    assert holds.alone == set()


async def test_who_shares_it_goes_beside_others_who_do() -> None:
    holds = LocalHolds()
    async with held(holds, "desk/cass", shared=True), held(holds, "desk/cass", shared=True):
        assert holds.together["desk/cass"] == 2
        with pytest.raises(StoreFailed, match="desk/cass is busy elsewhere"):
            async with held(holds, "desk/cass", patience_s=0):
                pass
    assert not +holds.together


async def test_who_comes_second_waits_for_the_first() -> None:
    holds, order = LocalHolds(), list[str]()

    async def one(name: str) -> None:
        async with held(holds, "desk/cass", patience_s=60):
            order.append(name)
            for _ in range(5):
                await asyncio.sleep(0)
            order.append(name)

    await asyncio.gather(one("first"), one("second"), one("third"))
    assert order[::2] == order[1::2]
    assert sorted(order[::2]) == ["first", "second", "third"]
