"""Random money in random groups: it adds up, nobody falls below zero, and the journal can be audited."""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.store.audit import audit
from natural9.store.contract import FLOATING, Access, Entry, Overdrawn, Store, Transfer
from natural9.store.opening import find_records, open_store
from tests.store.opening import STORES, append, audited, closing_store, entry

ACCOUNTS = ("terminal/1", "terminal/2", "stake/1", "house/bank", "desk/1")
MONEY = st.builds(
    Transfer,
    kind=st.sampled_from(("buy", "bet")),
    source=st.sampled_from(ACCOUNTS),
    target=st.sampled_from(ACCOUNTS),
    cents=st.integers(1, 40),
).filter(lambda transfer: transfer.source != transfer.target)
ENTRIES = st.lists(MONEY, max_size=3).map(lambda transfers: entry(*transfers))
APPENDS = st.lists(ENTRIES, min_size=1, max_size=3)
GROUPS = st.lists(st.lists(APPENDS, min_size=1, max_size=5), min_size=1, max_size=5)

Group = list[list[Entry]]


def plain_sums(appends: Group) -> tuple[dict[str, int], list[bool]]:
    """The same money, added up the slow way: what is held, and which appends are taken."""
    held = dict.fromkeys(ACCOUNTS, 0)
    taken = []
    for entries in appends:
        after = dict(held)
        fits = True
        for _, source, target, cents in (transfer for one in entries for transfer in one.transfers):
            after[source] -= cents
            after[target] += cents
            fits &= after[source] >= 0 or source.startswith(FLOATING)
        taken.append(fits)
        held = after if fits else held
    return {account: cents for account, cents in held.items() if cents}, taken


def append_at(store: Store, stream: str, entries: list[Entry]) -> "asyncio.Future[int]":
    """Each of a group is to another stream, and all of them share a commit."""
    return append(store, [one._replace(stream=stream) for one in entries])


@given(groups=GROUPS)
@settings(max_examples=40, deadline=None)
def test_money_adds_up_in_every_store(groups: list[Group]) -> None:
    adds_up(groups, [opened for name, opened in STORES.items() if not name.startswith("postgres")])


@given(groups=GROUPS)
@settings(max_examples=12, deadline=None)
def test_money_adds_up_in_a_database(groups: list[Group]) -> None:
    """An emptied one each time, which takes longer."""
    adds_up(groups, [STORES["postgres"], STORES["postgres-shared"]])


def adds_up(groups: list[Group], stores: list[Callable[[Path], Store]]) -> None:
    held, taken = plain_sums([entries for group in groups for entries in group])

    async def story() -> None:
        for opened in stores:
            with tempfile.TemporaryDirectory() as folder:
                async with closing_store(opened(Path(folder))) as store:
                    await check(store)
                if find_records(Path(folder)):
                    await audited(open_store(Path(folder), Access.READ))  # once more, as another process finds it

    async def check(store: Store) -> None:
        answers: list[int | BaseException] = []
        for group in groups:
            sent = [append_at(store, f"table/{place}", entries) for place, entries in enumerate(group)]
            answers += await asyncio.gather(*sent, return_exceptions=True)
        assert [not isinstance(answer, Overdrawn) for answer in answers] == taken
        sent_to = [(f"table/{place}", len(entries)) for group in groups for place, entries in enumerate(group)]
        in_order = [name for (name, many), fits in zip(sent_to, taken, strict=True) if fits for _ in range(many)]
        assert [written.stream for written in await store.entries()] == in_order
        assert await store.balances() == held
        assert sum(held.values()) == 0
        assert all(cents > 0 or account.startswith(FLOATING) for account, cents in held.items())
        found = await audit(store)
        assert found.entries == (await store.head()).seq

    asyncio.run(story())  # Hypothesis runs many examples in one test: each has an event loop of its own
