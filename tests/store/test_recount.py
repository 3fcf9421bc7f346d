"""Streams counted apart and put together come to what one walk over all of them does."""

import pytest

from natural9.store.chain import link
from natural9.store.contract import Corrupt
from natural9.store.memory import MemoryStore
from natural9.store.recount import Recount, StreamsRecount
from tests.store.opening import append, bet, buy, entry


async def test_parts_make_up_the_whole() -> None:
    """Money that one stream takes in and another pays out is there in neither part, and in the whole once."""
    store = MemoryStore()
    for stream, moved in (
        ("venue", buy(1, 500)),
        ("table/1", bet(1, 500)),
        ("venue", buy(2, 5)),
        ("table/1", bet(2, 5)),
    ):
        await append(store, [entry(moved, stream=stream)])
    await append(store, [entry(stream="table/2")])
    whole, office, tables = Recount(), Recount(), StreamsRecount(may_go_below_zero=("",))
    for written in await store.entries():
        whole.add(written)
        if written.stream == "venue":
            office.add_stream_entry(written)
            office.pay(written)
        else:
            tables.add(written)
    tables.join(office)
    assert tables.reached == whole.reached == await store.head()
    assert (tables.streams, tables.balances, tables.counts) == (whole.streams, whole.balances, whole.counts)
    assert "terminal/1" not in tables.balances


async def test_a_page_is_chained_at_once_or_up_to_the_entry_that_does_not_follow() -> None:
    store = MemoryStore()
    for number in range(4):
        await append(store, [entry(buy(1, 5), stream="table/1" if number % 2 else "venue")])
    page = await store.entries()
    whole, broken = Recount(), Recount()
    assert list(whole.chained(page)) == [page]
    assert whole.reached == await store.head()
    page[2] = page[2]._replace(day="2026-01-01")
    runs = broken.chained(page)
    assert [next(runs), next(runs)] == [[page[0]], [page[1]]]
    with pytest.raises(Corrupt, match="entry 3: its hash does not follow from entry 1 of venue"):
        next(runs)
    assert (broken.entries, broken.transfers, broken.streams["venue"].number) == (2, 2, 1)


async def test_a_number_that_is_left_out_is_named_though_every_hash_was_made_anew() -> None:
    store = MemoryStore()
    await append(store, [entry(), entry()])
    first, second = await store.entries()
    later = second._replace(number=3)
    later = later._replace(hash=link(first.hash, *later[1:-1]))
    with pytest.raises(Corrupt, match="entry 2: entry 2 of table/1 is missing, and 3 comes after 1"):
        Recount().chain([first, later])


async def test_an_entry_that_is_missing_is_named() -> None:
    store = MemoryStore()
    await append(store, [entry(), entry(), entry()])
    first, _, third = await store.entries()
    with pytest.raises(Corrupt, match="entry 2 is missing: entry 3 comes after entry 1"):
        Recount().chain([first, third])
