"""Evenings at a live table for the tests of its records, and an insider who rewrites what was recorded."""

from collections.abc import Callable

import msgspec

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.store.contract import Store, Written
from natural9.store.memory import MemoryStore
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.venue.file import Mode, ShoeSource
from tests.store.opening import append, as_sent
from tests.table.live import (
    CASHIER,
    DEALER,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    live_table,
    table_config,
    terminal,
)

NATURAL = "9S 2H KD 6C"  # Player 9, Banker 8


async def an_evening(store: Store) -> LiveTable:
    """Three rounds read in by the dealer: one won and lost, one corrected after settlement, one void; vouchers."""
    table = await live_table(store=store)
    await table.do(staff.OpenTable, SUPERVISOR)
    for seat in (1, 2, 3):
        await table.buy(seat, 100_000)
    await table.open()
    await table.bet(1, "player", 10_000)
    await table.bet(1, "tie", 500)
    await table.bet(2, "banker", 20_000)
    await table.bet(3, "banker", 5_000)
    await table.do(taps.TakeBack, terminal(3), round=1, wager="banker", cents=1_000)
    await table.finish(NATURAL)
    await table.refused(taps.Bet, terminal(2), round=1, wager="banker", cents=100)
    await table.open()
    await table.bet(1, "player", 10_000)
    await table.bet(2, "banker", 10_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal(NATURAL)
    await table.do(round_commands.DeclareResult, DEALER)
    await table.do(round_commands.Settle, DEALER)
    await table.do(taps.CashOut, terminal(1))
    await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card="8S", why="misread")
    await table.open()
    await table.bet(2, "banker", 30_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 2H")
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a chair fell on the table")
    await table.do(taps.CashOut, terminal(2), cents=1_000)
    await table.do(staff.HandPay, CASHIER, seat=3, cents=700, why="wants cash")
    await table.do(
        staff.ChangeLimits,
        MANAGER,
        limits={"tie": staff.LimitChange(min_cents=100, max_cents=5_000)},
        why="quiet",
    )
    return table


async def an_irregular_round(table: LiveTable) -> None:
    """Two cards drawn together, put in order by the pit, and played."""
    await table.open()
    await table.bet(2, "banker", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 2H KD 9C")
    await table.do(
        round_commands.ReportIrregularity,
        DEALER,
        kind=Kind.DRAWN_TOGETHER_ORDER_KNOWN,
        cards=("5H", "6D"),
        detail="stuck",
    )
    await table.do(
        round_commands.DecideIrregularity,
        SHIFT_MANAGER,
        remedy=Remedy.RECONSTRUCT,
        why="as they lay",
        cards=("5H", "6D"),
    )
    await table.finish("5H 6D")


async def shuffled_rounds(store: Store, rounds: int = 3, seats: int = 2) -> LiveTable:
    """Rounds of an automatic table with a shuffler, then a new shoe: the first is revealed."""
    config = table_config(mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER)
    table = await live_table(config, store)
    for seat in range(1, seats + 1):
        await table.buy(seat, 10_000_000)
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.pass_ms(0)
    for _ in range(rounds):
        while table.state.round.phase != "betting-open":
            await table.pass_ms(5_000)
        for seat in range(1, seats + 1):
            await table.bet(seat, "banker" if seat % 2 else "player", 1_000)
        while table.state.in_play:
            await table.pass_ms(1_000 if table.state.round.phase != "betting-open" else 15_000)
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="the first order is to be shown")
    return table


async def everything(store: Store) -> list[Written]:
    return await store.entries(limit=10**9)


async def rewritten(store: Store, change: Callable[[list[Written]], list[Written]]) -> MemoryStore:
    """The same journal with some entries changed by an insider, and every number, hash, balance and meter after them
    made anew."""
    copy = MemoryStore(may_go_below_zero=("",))
    documents = tuple((await store.documents("")).items())
    for written in change(await everything(store)):
        await append(copy, [as_sent(written, documents)])
        documents = ()
    return copy


def with_record(written: Written, **changes: object) -> Written:
    """The entry with these values of its event changed."""
    body = msgspec.json.decode(written.body)
    body["record"].update(changes)
    return written._replace(body=msgspec.json.encode(body))


def with_beside(written: Written, **changes: object) -> Written:
    """The entry with these values changed that stand beside its event: who asked, in which rank, the version."""
    return written._replace(body=msgspec.json.encode(msgspec.json.decode(written.body) | changes))
