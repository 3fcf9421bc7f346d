"""A drawer is counted again from the journal: an account of a shift that does not follow from its cash is named."""

import asyncio
from typing import Any

import pytest

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.games import load_game
from natural9.journal.line import encode_line
from natural9.journal.venue_events import DrawerClosed
from natural9.server.clock import Clock
from natural9.server.drawers import CLOSE, FILL, OPEN, RETURN, Drawers
from natural9.store.contract import Entry
from natural9.store.memory import MemoryStore
from natural9.store.streams import SharedStream
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from tests.store.opening import append
from tests.table.live import CASHIER, live_table, venue_of
from tests.table.stories import rewritten, with_record


async def a_shift(*, closes: bool = True) -> MemoryStore:
    """Cash before the drawer is opened, in it, and out of it; then the count, a little short."""
    store = MemoryStore()
    table = await live_table(store=store)
    await table.buy(1, 300)

    office = SharedStream(store, "venue")

    def write(event: Event, **beside: Any) -> "asyncio.Future[int]":
        body, key = encode_line(event, beside.pop("by"), beside.pop("command")), beside.pop("key")
        told: dict[str, Any] = {"at_ms": table.now_ms, "label": "significant"} | beside
        return office.append([Entry("venue", event.TAG, body, day="2027-01-15", request=key, **told)])

    clock = Clock(machine_ms=lambda: table.now_ms, monotonic_ms=lambda: table.now_ms)
    drawers = Drawers(store, table.vouchers, write, clock, venue_of(table.state.config))

    async def do(what: str, cents: int) -> Any:
        done = await drawers.do(what, cents, by="cass", request=f"{what} {cents}", signed_by="")
        assert not isinstance(done, Refusal), done
        return done

    await do(OPEN, 10_000)
    await table.buy(1, 5_000)
    await do(FILL, 2_000)
    await table.do(staff.HandPay, CASHIER, seat=1, cents=1_300, why="wants notes")
    await do(RETURN, 4_000)
    if closes:
        assert (await do(CLOSE, 11_999)).over_cents == -1
        again = Drawers(store, table.vouchers, write, clock, venue_of(table.state.config))
        await again.load()
        assert again.of("cass") is None
    await table.stop()
    return store


@pytest.mark.parametrize("closes", [True, False])
async def test_a_shift_is_verified(closes: bool) -> None:
    found = await verify(await a_shift(closes=closes), load_game=load_game)
    assert found.fault is None, found.fault.words


@pytest.mark.parametrize(
    ("kind", "changes", "should"),
    [
        ("drawer-opened", {"carried_cents": 0}, "carried_cents=300"),
        ("drawer-opened", {"cents": 9_000}, "it moves"),
        ("drawer-opened", {"signed_by": "cass"}, "another person signed, or nobody"),
        ("drawer-filled", {"cents": 1_000}, "it moves"),
        ("drawer-returned", {"cents": 90_000}, "The drawer holds"),
        ("drawer-closed", {"counted_cents": 12_000}, "it moves"),
        ("drawer-closed", {"expected_cents": 11_999}, "expected_cents=12000"),
        ("drawer-closed", {"taken_in_cents": 4_000}, "taken_in_cents=5000"),
        ("drawer-closed", {"desk": "carl"}, "not open"),
        ("drawer-opened", {"desk": "carl", "carried_cents": 0}, "everybody moves their own"),
        ("drawer-opened", {"desk": "box:1-1:1", "carried_cents": 0}, "Two people change and count"),
        ("drawer-opened", {"desk": "box:1-1:1", "carried_cents": 0, "signed_by": "max"}, "nothing but bills goes into"),
        ("credit-bought", {"desk": "box:1-1:1"}, "the bill acceptor of the seat"),
    ],
)
async def test_an_account_that_does_not_follow_is_named(kind: str, changes: dict[str, Any], should: str) -> None:
    def forged(entries: list[Any]) -> list[Any]:
        return [with_record(one, **changes) if one.kind == kind else one for one in entries]

    found = await verify(await rewritten(await a_shift(), forged), load_game=load_game)
    assert found.fault
    assert (found.fault.kind, should in found.fault.should) == (kind, True), found.fault.words


async def test_a_drawer_that_is_kept_open_beside_the_journal_is_named() -> None:
    store = await a_shift(closes=False)
    await append(store, [Entry("venue", "x", b"", 2**42, "2027-01-15", documents=(("drawer/cass", None),))])

    def without_last(entries: list[Any]) -> list[Any]:
        return entries[:-1]

    found = await verify(await rewritten(store, without_last), load_game=load_game)
    assert found.fault
    assert found.fault.words.startswith("the journal says: of drawer/cass: nothing")


async def test_the_account_is_that_of_the_shift() -> None:
    store = await a_shift()
    last = [one for one in await store.entries() if one.kind == DrawerClosed.TAG]
    assert [transfer.kind for transfer in last[0].transfers] == ["drawer-closed", "drawer-short"]
    balances = await store.balances()
    assert balances.get("desk/cass", 0) == 0
    assert balances["short/cass"] == -1
    assert sum(balances.values()) == 0
