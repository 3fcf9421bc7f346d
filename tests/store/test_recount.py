"""Streams counted apart and put together come to what one walk over all of them does."""

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
