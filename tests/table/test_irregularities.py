"""Every irregularity end to end, over the wire's commands, in each of the four documents: reported as what happened,
decided by the rank that the clause names, and every cent where it belongs afterwards."""

from typing import Any

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.round.reporting import allowed
from natural9.core.round.state import Phase
from natural9.core.staff import Rank
from natural9.games import load_game
from natural9.table.commands import staff as staff_commands
from natural9.table.commands import terminal as taps
from natural9.table.commands.console import CARDS_NOT_TO_BE_TRUSTED
from natural9.table.commands.decide import Who
from natural9.table.state.console_view import console_sees
from natural9.table.state.view import everybody_sees
from tests.core.round.table import BETS, NAMES_CARDS, NATURAL, ONE_GAME_A_DOCUMENT, PLAYER_DRAWS
from tests.table.live import DEALER, SHIFT_MANAGER, LiveTable, live_table, table_config, terminal

CREDIT = 100_000
CHANGED = 5_000  # of seat 2's bet on the Banker, which loses: refused, or put back
AFTER_ONE_ROUND = {1: CREDIT + 9_500, 2: CREDIT - 20_000}  # Player won
AFTER_TWO_ROUNDS = {1: CREDIT + 19_000, 2: CREDIT - 40_000}  # and once more


def staff(rank: Rank) -> Who:
    return Who(f"of-rank-{rank.tag}", rank=rank)


async def play_to(game_id: str, kind: Kind) -> LiveTable:
    """One round settled; in the second all cards are out, or one is due where it is said to be missing."""
    table = await live_table(table_config(game_id))
    for seat in BETS:
        await table.buy(seat, CREDIT)
    for cards in (NATURAL, "4S 7H KD QC" if kind is Kind.INSUFFICIENT_CARDS else PLAYER_DRAWS):
        await table.open()
        for seat, bets in BETS.items():
            for wager, cents in bets.items():
                await table.bet(seat, wager, cents)
        await table.bet(2, "banker", CHANGED)  # and back: what a player took away may be reported
        await table.do(taps.TakeBack, terminal(2), round=table.round, wager="banker", cents=CHANGED)
        await table.do(round_commands.CloseBetting, DEALER)
        await table.deal(cards)
        if table.round == 1:
            await table.finish("")
    return table


async def report(table: LiveTable, kind: Kind) -> None:
    about = 1 if kind is Kind.FOUND_LATER else None
    cards = tuple(NAMES_CARDS.get(kind, "").split())
    bet: dict[str, Any] = {}
    if kind in (Kind.LATE_BET, Kind.WITHDRAWN_BET):
        bet = {"seat": 2, "wager": "banker", "cents": CHANGED}
    await table.do(
        round_commands.ReportIrregularity, DEALER, kind=kind, cards=cards, about_round=about, detail="so it was", **bet
    )


async def waits(table: LiveTable, kind: Kind) -> None:
    told = everybody_sees(table.state).waiting
    assert told[0].kind is kind
    assert {"decide", "report", "withdraw-report"} <= set(console_sees(table.state).commands)
    for shape, fields in (
        (round_commands.DeclareResult, {}),
        (round_commands.Settle, {}),
        (staff_commands.StartRound, {}),
        (round_commands.ReportCutCard, {}),
        (staff_commands.LoadNewShoe, {}),
    ):
        assert (await table.refused(shape, SHIFT_MANAGER, **fields)).code == "irregularity-pending", shape


def paid(table: LiveTable) -> dict[int, int]:
    return {seat: table.state.credit_cents(seat) for seat in BETS}


CASES = [
    pytest.param(game, kind, remedy.do, id=f"{game}-{kind}-{remedy.do}")
    for game in ONE_GAME_A_DOCUMENT
    for kind in Kind
    for remedy in load_game(game).document.clause(kind, cards_dealt=5).remedies
]


@pytest.mark.parametrize(("game", "kind", "remedy"), CASES)
async def test_it_waits_is_decided_by_the_right_rank_and_the_money_is_right(
    game: str, kind: Kind, remedy: Remedy
) -> None:
    table = await play_to(game, kind)
    await report(table, kind)
    await waits(table, kind)
    [pending] = table.state.round.pending
    may = allowed(table.state.round, pending)
    decision: dict[str, Any] = {"remedy": remedy, "why": "by the book"}
    if remedy is Remedy.DECIDE_ORDER:
        decision["cards"] = tuple(reversed(NAMES_CARDS[kind].split()))
    if may.paragraph(remedy) is None:  # an established round is not void, an earlier one out of reach
        assert (
            await table.refused(round_commands.DecideIrregularity, SHIFT_MANAGER, **decision)
        ).code == "remedy-not-allowed"
        return
    for rank in Rank:
        if rank < may.rank:
            assert (
                await table.refused(round_commands.DecideIrregularity, staff(rank), **decision)
            ).code == "rank-too-low"
    await table.do(round_commands.DecideIrregularity, staff(may.rank), **decision)
    [decided] = await table.happened("irregularity-decided")
    assert (decided.kind, decided.remedy, decided.rank) == (kind, remedy, may.rank.tag)
    await concluded(table, kind, remedy)


async def concluded(table: LiveTable, kind: Kind, remedy: Remedy) -> None:
    """Void: all bets are back. Else the cards decide. And the next round opens, on cards that can be trusted."""
    if remedy is Remedy.VOID:
        assert (paid(table), table.state.round.phase) == (AFTER_ONE_ROUND, "void")
        [voided] = await table.happened("round-voided")
        shown = everybody_sees(table.state).voided
        assert shown
        assert (shown.clause, shown.paragraph) == (voided.clause, voided.paragraph)
    else:
        if kind is Kind.INSUFFICIENT_CARDS:
            await table.deal("5H")
        await table.finish("")
        changed = {Remedy.REFUSE_BET: CHANGED, Remedy.BET_STANDS: -CHANGED}.get(remedy, 0)
        assert paid(table) == {**AFTER_TWO_ROUNDS, 2: AFTER_TWO_ROUNDS[2] + changed}
    assert await table.store.balance("stake/1") == 0
    await table.check_history()
    if remedy is Remedy.VOID and kind in CARDS_NOT_TO_BE_TRUSTED:
        assert (await table.refused(staff_commands.StartRound, DEALER)).code == "new-shoe-required"
        await table.do(staff_commands.LoadNewShoe, DEALER)
    await table.do(staff_commands.StartRound, DEALER)
    await table.check_history()


@pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
async def test_a_decision_outlives_a_power_cut_and_so_does_the_waiting(game: str) -> None:
    table = await play_to(game, Kind.NOT_COVERED)
    await report(table, Kind.NOT_COVERED)
    table = await table.restart()
    await waits(table, Kind.NOT_COVERED)
    reported = [event.kind for event in await table.happened("irregularity-reported")]
    assert reported == [Kind.NOT_COVERED, Kind.TABLE_INTERRUPTION]
    await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.CONTINUE, report=1)
    # The power cut is decided on its own: an outcome is established, or the document is silent about it.
    confirm = {"remedy": Remedy.CONFIRM_CARDS, "why": "as they lie"}
    await table.do(round_commands.DecideIrregularity, staff(Rank.PIT_SUPERVISOR), **confirm)
    if table.state.round.pending:
        assert everybody_sees(table.state).waiting[0].rank == "shift-manager"
        await table.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.CONTINUE)
    await table.finish("")
    assert paid(table) == AFTER_TWO_ROUNDS
    await table.check_history()


@pytest.mark.parametrize("game", ["mbs-tiger", "rws-nc"])
async def test_cut_off_with_nothing_established_while_another_decision_waits_the_round_is_void_after_it(
    game: str,
) -> None:
    table = await live_table(table_config(game))
    await table.buy(1, CREDIT)
    await table.open()
    await table.bet(1, "banker", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await report(table, Kind.NOT_COVERED)
    table = await (await table.restart()).restart()
    assert [one.kind for one in table.state.round.pending] == [Kind.NOT_COVERED, Kind.TABLE_INTERRUPTION]
    confirm = {"remedy": Remedy.CONFIRM_CARDS, "why": "no card lies", "report": 2}
    await table.do(round_commands.DecideIrregularity, staff(Rank.PIT_SUPERVISOR), **confirm)
    assert not table.state.round.pending, "a void answers the other report as well"
    assert (table.state.round.phase, table.state.credit_cents(1)) == (Phase.VOID, CREDIT)
    await table.check_history()


async def test_of_two_cards_drawn_together_somebody_decides_the_order_and_may_replace_the_shoe() -> None:
    table = await live_table(table_config("rws-nc"))
    await table.buy(1, CREDIT)
    await table.open()
    await table.bet(1, "banker", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    kind = Kind.DRAWN_TOGETHER_ORDER_UNKNOWN
    await table.do(round_commands.ReportIrregularity, DEALER, kind=kind, cards=("5S", "9H"))
    supervisor = staff(Rank.PIT_SUPERVISOR)
    decision: dict[str, Any] = {"remedy": Remedy.DECIDE_ORDER, "replace_shoe": True, "why": "both lay face up"}
    assert (await table.refused(round_commands.DecideIrregularity, supervisor, **decision)).code == "bad-report"
    await table.do(round_commands.DecideIrregularity, supervisor, cards=("5S", "9H"), **decision)
    assert (await table.refused(round_commands.DealCard, DEALER, card="9H")).code == "not-the-next-card"
    await table.finish("5S 9H KD KC")
    assert table.state.round.shoe
    assert table.state.round.shoe.cards_left == 8 * 52 - 2  # the two came from the set before
    await table.check_history()


@pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
async def test_the_shift_manager_voids_what_waits(game: str) -> None:
    table = await play_to(game, Kind.WRONG_AREA)
    await report(table, Kind.WRONG_AREA)
    assert (await table.refused(round_commands.VoidRound, DEALER, why="no")).code == "rank-too-low"
    assert (await table.refused(round_commands.VoidRound, SHIFT_MANAGER, why=" ")).code == "bad-report"
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="enough")
    assert paid(table) == AFTER_ONE_ROUND
    await table.check_history()
