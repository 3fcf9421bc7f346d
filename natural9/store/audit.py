"""Walking a whole journal: every number, every link of the chain, and all the money once more from the first cent."""

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import NamedTuple

from natural9.store.balances import Balances, Counts, count, meters_of
from natural9.store.chain import START, follow
from natural9.store.contract import Corrupt, Head, Meter, Overdrawn, Store, StoreFailed, Written

PAGE = 1000  # entries held at a time


class Audit(NamedTuple):
    """What was found in order."""

    entries: int
    transfers: int
    accounts: int  # with money in them, or short of it
    meters: int
    last_hash: str


class Walk:
    """One walk over a store: iterate over it for every entry as soon as it is checked; `result` is there at the end.

    The totals are compared after the last entry, so only a walk that was finished proves anything.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._balances = Balances()
        self._counts: Counts = {}
        self.result: Audit | None = None

    async def __aiter__(self) -> AsyncIterator[Written]:
        end = await self._store.head()
        reached = START
        while page := await self._store.entries(after=reached.seq, limit=min(PAGE, end.seq - reached.seq)):
            for written in page:
                reached = follow(reached, written)
                self._post(written)
                yield written
        await self._compare(reached, end)
        self.result = Audit(reached.seq, reached.transfers, len(self._balances), len(self._counts), reached.hash.hex())

    def _post(self, written: Written) -> None:
        try:
            self._balances.move(written.transfers)
        except Overdrawn as overdrawn:
            raise Corrupt(f"entry {written.seq}: {overdrawn}") from overdrawn
        count(self._counts, written.day, written.transfers)

    async def _compare(self, reached: Head, end: Head) -> None:
        balances = await self._store.balances()
        meters = await self._store.meters()
        stray = await self._store.transfers(after=reached.transfers, limit=1)
        more = await self._store.entries(after=end.seq, limit=1)
        if await self._store.head() != end:
            raise StoreFailed("the journal grew while it was audited: open it read-only, which shows it as it stood")
        if reached.seq != end.seq:
            raise Corrupt(f"entry {reached.seq + 1} is missing: the journal should go to entry {end.seq}")
        if reached != end:
            raise Corrupt(f"entry {reached.seq}: it is not the one that the journal is said to end with")
        if more:
            raise Corrupt(f"entry {more[0].seq}: the journal should have ended with entry {end.seq}")
        if stray:
            raise Corrupt(f"transfer {stray[0].number} belongs to no entry")
        _compare_balances(balances, self._balances)
        _compare_meters(meters, meters_of(self._counts))


def _compare_balances(stored: Mapping[str, int], derived: Mapping[str, int]) -> None:
    for account in sorted(stored.keys() | derived.keys()):
        kept, due = stored.get(account, 0), derived.get(account, 0)
        if kept != due or account not in derived:
            raise Corrupt(f"account {account}: its balance is {kept} cents, but its transfers make {due}")


def _compare_meters(stored: Iterable[Meter], derived: Iterable[Meter]) -> None:
    kept, due = ({meter[:3]: meter[3:] for meter in meters} for meters in (stored, derived))
    for account, day, kind in sorted(kept.keys() | due.keys()):
        key = (account, day, kind)
        if kept.get(key) != due.get(key):
            raise Corrupt(
                f"account {account}: its meter of {kind} on {day} is {kept.get(key, 'missing')},"
                f" but its transfers make {due.get(key, 'none')} (cents in, count, cents out, count)"
            )


async def audit(store: Store) -> Audit:
    """What a store holds, if all of it holds together; else Corrupt names the first thing that does not."""
    walk = Walk(store)
    async for _ in walk:
        pass
    assert walk.result is not None
    return walk.result
