"""Walking a whole journal: every number, every link of the chain, and all that is kept beside it once more."""

from collections.abc import AsyncIterator
from hashlib import sha256
from typing import NamedTuple

from natural9.store.contract import Corrupt, Head, Store, StoreFailed, Written
from natural9.store.recount import Recount

PAGE = 1000  # entries held at a time


class Audit(NamedTuple):
    """What was found in order."""

    entries: int
    transfers: int
    accounts: int  # with money in them, or short of it
    meters: int
    documents: int
    index_rows: int  # of whatever the store finds its records by
    last_hash: str


class Walk:
    """One walk over a store: iterate over it for every entry as soon as it is checked; `result` is there at the end.

    What is kept beside the entries is compared after the last one, so only a walk that was finished proves anything.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.result: Audit | None = None

    async def __aiter__(self) -> AsyncIterator[Written]:
        end = await self._store.head()
        recount = Recount()
        while page := await self._store.entries(after=recount.entries, limit=min(PAGE, end.seq - recount.entries)):
            for written in page:
                recount.add(written)
                yield written
        await compare(self._store, recount, end)
        self.result = audited(recount, await self._store.check_indexes())


def audited(recount: Recount, index_rows: int) -> Audit:
    return Audit(
        entries=recount.entries,
        transfers=recount.transfers,
        accounts=len(recount.balances),
        meters=recount.meters,
        documents=len(recount.documents),
        index_rows=index_rows,
        last_hash=recount.reached.hash.hex(),
    )


async def compare(store: Store, recount: Recount, end: Head) -> None:
    """All that is kept beside the entries, but for the indexes, is what the entries up to this end come to."""
    reached = recount.reached
    balances = await store.balances()
    meters = await store.meters()
    documents = await store.documents("")
    stray = await store.transfers(after=reached.transfers, limit=1)
    more = await store.entries(after=end.seq, limit=1)
    if await store.head() != end:
        raise StoreFailed("the journal grew while it was audited: open it read-only, which shows it as it stood")
    if reached.seq != end.seq:
        raise Corrupt(f"entry {reached.seq + 1} is missing: the journal should go to entry {end.seq}")
    if reached != end:
        raise Corrupt(f"entry {reached.seq}: it is not the one that the journal is said to end with")
    if more:
        raise Corrupt(f"entry {more[0].seq}: the journal should have ended with entry {end.seq}")
    if stray:
        raise Corrupt(f"transfer {stray[0].number} belongs to no entry")
    try:
        hashes = {key: sha256(value).hexdigest() for key, value in documents.items()}
        recount.compare(balances, meters, hashes)
    except TypeError as error:  # a damaged file may hold anything
        raise Corrupt(f"a balance, meter or document is of a kind that was never written: {error}") from error


async def audit(store: Store) -> Audit:
    """What a store holds, if all of it holds together; else Corrupt names the first thing that does not."""
    walk = Walk(store)
    async for _ in walk:
        pass
    assert walk.result is not None
    return walk.result
