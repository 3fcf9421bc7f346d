"""The dealer's console: guided through a round, with insurance windows, corrections and new shoes."""

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import commands as round_commands
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.state.console_view import console_sees
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.venue.limits import TableLimits
from tests.table.live import (
    DEALER,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    live_table,
    table_config,
    terminal,
)


def may(table: LiveTable) -> set[str]:
    """What moves the round; corrections, reports and rulings aside."""
    aside = {"report", "void-round", "correct-card", "correct-result", "rule-on-bet"}
    return set(console_sees(table.state).commands) - aside


async def test_the_console_is_told_what_comes_next() -> None:
    table = await live_table()
    assert (await table.refused(staff.StartRound, DEALER)).code == "table-not-open"
    await table.do(staff.OpenTable, SUPERVISOR)
    assert (await table.refused(staff.StartRound, DEALER)).code == "no-shoe"
    await table.do(staff.LoadNewShoe, DEALER)
    assert may(table) == {"open-betting"}
    await table.do(staff.StartRound, DEALER)
    assert (await table.refused(round_commands.DealCard, DEALER, card="4S")).code == "betting-still-open"
    assert may(table) == {"close-betting", "cut-card"}
    await table.do(round_commands.CloseBetting, DEALER)
    for place, card in enumerate(["4S", "2H", "KD", "9C", "5H"]):
        due = Hand.BANKER if place % 2 else Hand.PLAYER
        assert (console_sees(table.state).due, may(table)) == (due, {"deal", "cut-card"})
        assert (await table.refused(round_commands.DeclareResult, DEALER)).code == "not-complete"
        await table.do(round_commands.DealCard, DEALER, card=card)
    assert (console_sees(table.state).due, may(table)) == ("banker", {"deal", "cut-card"})
    await table.do(round_commands.DealCard, DEALER, card="5D")
    assert (console_sees(table.state).due, may(table)) == (None, {"declare", "cut-card"})
    assert (await table.refused(round_commands.DealCard, DEALER, card="5D")).code == "no-card-due"
    assert (await table.refused(round_commands.Settle, DEALER)).code == "not-declared"
    assert (await table.refused(round_commands.DeclareResult, DEALER, winner=Winner.BANKER)).code == "result-differs"
    await table.do(round_commands.DeclareResult, DEALER, winner=Winner.PLAYER, player_total=9, banker_total=6)
    assert may(table) == {"settle", "cut-card"}
    await table.do(round_commands.Settle, DEALER)
    assert "open-betting" in may(table)


async def test_a_card_has_to_be_named_and_to_be_one() -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    assert (await table.refused(round_commands.DealCard, DEALER)).code == "bad-card"
    assert (await table.refused(round_commands.DealCard, DEALER, card="xS")).code == "bad-card"
    assert (
        await table.refused(round_commands.ReportIrregularity, DEALER, kind=Kind.EXCESS_OR_EXPOSED, cards=("xS",))
    ).code == "bad-card"
    await table.do(round_commands.DealCard, DEALER, card="10s")
    assert [str(card) for card in table.state.round.cards] == ["TS"]


async def test_a_card_put_in_the_wrong_area_waits_for_its_remedy() -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.do(round_commands.DealCard, DEALER, card="4S", put_at=Hand.BANKER)
    [pending] = table.state.round.pending
    assert pending.kind is Kind.WRONG_AREA
    assert "decide" in may(table)
    assert not may(table) & {"deal", "close-betting", "settle", "declare"}
    assert (await table.refused(round_commands.DealCard, DEALER, card="2H")).code == "irregularity-pending"
    await table.do(round_commands.DecideIrregularity, DEALER, remedy=Remedy.RECONSTRUCT)
    await table.finish("2H KD 9C 5H 5D")


async def test_the_cut_card_ends_the_shoe() -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.ReportCutCard, DEALER)
    await table.finish("4S 2H KD 9C 5H 5D")
    assert (await table.refused(staff.StartRound, DEALER)).code == "shoe-spent"
    await table.do(staff.LoadNewShoe, DEALER)
    assert (await table.refused(staff.LoadNewShoe, DEALER)).code == "shoe-not-spent"
    await table.open()
    assert (table.state.round.shoe_number, table.state.results) == (2, [])


async def test_optional_wagers_are_on_for_a_shoe() -> None:
    config = table_config("mbs-tiger")
    chosen = frozenset({"tiger"})
    limits = {
        wager: limit for wager, limit in config.limits.by_wager.items() if wager not in ("small-tiger", "big-tiger")
    }
    optional = {wager.id for wager in config.game.wagers if wager.optional}
    limits = {wager: limit for wager, limit in limits.items() if wager not in optional or wager in chosen}
    table = await live_table(table_config(optional=chosen, limits=TableLimits(betting_unit_cents=100, by_wager=limits)))
    await table.buy(1, 1_000)
    await table.open()
    assert set(table.state.round.offered) == set(limits)
    gone = next(iter(optional - chosen))
    assert (await table.refused(taps.Bet, terminal(1), round=1, wager=gone, cents=100)).code == "wager-not-offered"


@pytest.mark.parametrize(
    "kind", [Kind.FOREIGN_CARD, Kind.SHORTAGE_OR_EXCESS, Kind.UNSHUFFLED_CARDS, Kind.INSUFFICIENT_CARDS]
)
async def test_after_a_void_for_cards_not_to_be_trusted_a_new_shoe_comes_first(kind: Kind) -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 2H KD 9C")
    await table.do(round_commands.ReportIrregularity, DEALER, kind=kind)
    await table.do(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.VOID, why="found")
    refusal = await table.refused(staff.StartRound, DEALER)
    assert (refusal.code, refusal.paragraph) == ("new-shoe-required", "interpretation spent-shoe")
    table = await table.restart()
    assert (await table.refused(staff.StartRound, DEALER)).code == "new-shoe-required"
    await table.do(staff.LoadNewShoe, DEALER)
    await table.do(staff.StartRound, DEALER)
    await table.finish("4S 2H KD 9C 5H 5D")
    await table.do(staff.StartRound, DEALER)


async def test_a_void_for_anything_else_plays_on_with_the_same_cards() -> None:
    table = await live_table()
    await table.open()
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="a quarrel")
    await table.do(staff.StartRound, DEALER)
    assert table.state.round.shoe_number == 1


async def test_a_round_reopened_by_a_correction_has_no_result_until_it_is_settled_again() -> None:
    table = await live_table()
    await table.buy(1, 10_000)
    await table.open()
    await table.bet(1, "player", 1_000)
    await table.finish("9S KH KD 5C")
    assert one_seat_sees(table.state, 1).returned_cents == 2_000
    await table.do(round_commands.CorrectCard, SUPERVISOR, place=1, card="4S", why="a four, not a nine")
    view = one_seat_sees(table.state, 1)
    assert (view.lines, view.returned_cents, table.state.results) == ((), None, [])
    assert await table.store.balance("stake/1") == 1_000
    await table.check_history()
    await table.finish("4H 4D")
    assert (len(table.state.results), table.state.credit_cents(1)) == (1, 9_000)
    await table.do(round_commands.CorrectCard, DEALER, place=1, card="4H", why="a heart")  # a suit: the result stands
    assert (len(table.state.results), table.state.credit_cents(1)) == (1, 9_000)
    await table.check_history()


async def test_a_result_is_put_right_only_with_a_reason() -> None:
    """A card mis-keyed before the result needs none; after it, no way round: neither by all cards nor by one."""
    table = await live_table()
    await table.open()
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9S KH KD 5C")
    await table.do(round_commands.CorrectCard, DEALER, place=1, card="9D")
    await table.do(round_commands.DeclareResult, DEALER)
    for _ in range(2):
        refusal = await table.refused(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card="8S")
        assert (refusal.code, "say why" in refusal.message) == ("bad-correction", True)
        refusal = await table.refused(
            round_commands.CorrectResult, SHIFT_MANAGER, cards=("8S", "KH", "KD", "5C"), why=" "
        )
        assert refusal.code == "bad-correction"
        if table.state.round.phase != "settled":
            await table.do(round_commands.Settle, DEALER)
    await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card="8S", why="an eight")
    assert [event.why for event in await table.happened("cards-corrected")] == ["", "an eight"]
    for why in ({}, {"why": ""}):
        refusal = await table.refused(round_commands.CorrectResult, DEALER, cards=("9S", "KH", "KD", "5C"), **why)
        assert (refusal.code, "say why" in refusal.message) == ("bad-correction", True)


# Insurance: rws-nc-insurance 3.5, 4.1.2 to 4.1.4.


async def insured_table(credit: int = 100_000, **limits: int) -> LiveTable:
    """Player 4 against Banker 5, and the first window open; seat 1 backs the Banker, seat 2 the Player, 3 the tie."""
    config = table_config("rws-nc-insurance")
    given = TableLimits(betting_unit_cents=100, by_wager=config.limits.by_wager, **limits)
    table = await live_table(table_config("rws-nc-insurance", limits=given))
    for seat, wager in ((1, "banker"), (2, "player"), (3, "tie")):
        await table.buy(seat, credit)
        if table.state.round.phase == "no-round":
            await table.open()
        await table.bet(seat, wager, 10_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("4S 5H KD QC")
    assert (await table.refused(round_commands.DealCard, DEALER, card="2H")).code == "insurance-first"
    assert one_seat_sees(table.state, 1).may_insure == {}
    await table.do(round_commands.OpenInsurance, DEALER)
    return table


def may_insure(table: LiveTable, seat: int) -> dict[Hand, int]:
    return dict(one_seat_sees(table.state, seat).may_insure)


async def test_each_seat_insures_what_it_has_bet_on_up_to_what_it_is_told() -> None:
    table = await insured_table()
    [(hand, most)] = may_insure(table, 1).items()
    assert (hand, may_insure(table, 3)) == (Hand.BANKER, {})
    insure = {"round": 1, "hand": Hand.BANKER}
    assert (await table.refused(taps.Insure, terminal(1), cents=most + 100, **insure)).code == "insurance-over-cap"
    refusal = await table.refused(taps.Insure, terminal(3), cents=100, **insure)
    assert refusal.code == "insurance-without-bet"
    await table.do(taps.Insure, terminal(1), cents=1_000, **insure)
    assert may_insure(table, 1) == {Hand.BANKER: most - 1_000}
    await table.do(taps.Insure, terminal(1), cents=most - 1_000, **insure)
    assert may_insure(table, 1) == {}
    assert table.state.credit_cents(1) == 90_000 - most
    await table.do(round_commands.CloseInsurance, DEALER)
    refusal = await table.refused(taps.Insure, terminal(1), cents=100, **insure)
    assert refusal.code == "insurance-closed"
    [late] = await table.happened("late-bet-refused")
    assert (late.seat, late.wager, late.cents) == (1, "banker-insurance", 100)
    table2 = await table.restart()  # the document is silent: the shift manager decides, bets held
    assert table2.state.round.seats[1].insurance
    confirm = {"remedy": Remedy.CONFIRM_CARDS, "why": "as they lie"}
    await table2.do(round_commands.DecideIrregularity, SUPERVISOR, **confirm)
    await table2.do(round_commands.DecideIrregularity, SHIFT_MANAGER, remedy=Remedy.CONTINUE)
    await table2.deal("2H")
    await table2.check_history()


@pytest.mark.parametrize(
    ("credit", "limits"),
    [(10_300, {}), (100_000, {"seat_max_cents": 10_300}), (100_000, {"table_max_cents": 30_300})],
)
async def test_what_a_seat_may_insure_is_what_would_be_taken(credit: int, limits: dict[str, int]) -> None:
    table = await insured_table(credit, **limits)
    assert may_insure(table, 1) == {Hand.BANKER: 300}
    await table.refused(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=400)
    await table.do(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=300)
    assert may_insure(table, 1) == {}


async def test_a_squeeze_waives_the_second_window_for_everybody() -> None:
    table = await insured_table()
    ranks = [Who("x", rank=rank) for rank in Rank]
    lower = [who for who in ranks if who.rank and who.rank < table.config.game.insurance.waiver_rank]  # type: ignore[union-attr]
    for who in lower:
        assert (await table.refused(round_commands.WaiveInsurance, who, seat=1)).code == "rank-too-low"
    await table.do(round_commands.WaiveInsurance, MANAGER, seat=1)
    await table.do(round_commands.CloseInsurance, DEALER)
    await table.do(
        round_commands.DealCard, DEALER, card="6H"
    )  # Player has 0; the Banker's 5 draws on a 6, and no window comes
    assert (table.state.round.phase, table.state.round.waived) == ("bankers-third", 4)
    await table.finish("KH")


async def test_a_game_without_insurance_has_no_window() -> None:
    table = await live_table()
    await table.open()
    for shape, fields in (
        (round_commands.OpenInsurance, {}),
        (round_commands.CloseInsurance, {}),
        (round_commands.WaiveInsurance, {"seat": 1}),
    ):
        assert (await table.refused(shape, SHIFT_MANAGER, **fields)).code == "no-insurance"
