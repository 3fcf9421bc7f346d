"""When things really go wrong at a live table: late and withdrawn bets, a result found rounds later, a ruling, a report
that was a mistake, faults, other cards. The money is read off the ledger, and the journal verifies afterwards."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands as round_commands
from natural9.core.round.state import Phase
from natural9.core.saying import say
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from natural9.table.audit.recall import recall
from natural9.table.audit.verify import verify
from natural9.table.commands import staff
from natural9.table.commands import terminal as taps
from natural9.table.commands.decide import Who
from natural9.table.commands.orders import Order
from natural9.table.commands.preview import Preview, preview
from natural9.table.live.answers import Accepted
from natural9.table.state.console_view import console_sees
from natural9.table.state.seat_view import one_seat_sees
from natural9.table.state.view import everybody_sees
from natural9.table.venue.file import Mode, ShoeSource
from tests.table.live import (
    CASHIER,
    DEALER,
    MANAGER,
    SHIFT_MANAGER,
    SUPERVISOR,
    LiveTable,
    asked,
    live_table,
    table_config,
    terminal,
)

CREDIT = 100_000
PLAYER_WINS = "9S KH KD 5C"
BANKER_WINS = "2S KH KD 9C"


async def seated(game: str = "rws-nc-insurance", *, credit: int = CREDIT) -> LiveTable:
    table = await live_table(table_config(game))
    for seat in (1, 2):
        await table.buy(seat, credit)
    await table.open()
    return table


async def holds(table: LiveTable) -> None:
    """State, ledger and journal agree, and the journal follows from the rules alone."""
    await table.check_history()
    found = await verify(table.store, load_game=load_game)
    assert found.fault is None, found.fault


async def report(table: LiveTable, kind: Kind, **fields: Any) -> None:
    await table.do(round_commands.ReportIrregularity, DEALER, kind=kind, **fields)


async def decide(table: LiveTable, remedy: Remedy, who: Any = SUPERVISOR, why: str = "seen", **fields: Any) -> None:
    await table.do(round_commands.DecideIrregularity, who, remedy=remedy, why=why, **fields)


def credit(table: LiveTable, seat: int) -> int:
    return table.state.credit_cents(seat)


# Late and withdrawn bets: rws-nc-insurance 5.2, 5.3. The dealer's call comes before the keyed close.


async def test_a_bet_that_landed_after_the_call_goes_back_and_is_not_paid() -> None:
    table = await seated()
    await table.bet(1, "player", 10_000)
    await table.bet(1, "player", 50_000)  # "no more bets" had been said
    await table.do(round_commands.CloseBetting, DEALER)
    await report(table, Kind.LATE_BET, seat=1, wager="player", cents=50_000)
    no_reason = {"remedy": Remedy.REFUSE_BET}
    assert (await table.refused(round_commands.DecideIrregularity, DEALER, **no_reason)).code == "reason-needed"
    would = preview(table.state, round_commands.DecideIrregularity(remedy=Remedy.REFUSE_BET))
    assert isinstance(would, Preview)
    assert (would.returned_cents, would.returned_seats) == (50_000, 1)
    await decide(table, Remedy.REFUSE_BET, DEALER, "after the call")
    [voided] = await table.happened("bet-voided")
    assert (voided.seat, voided.wager, voided.cents, voided.why) == (1, "player", 50_000, "after the call")
    assert voided.paragraph == "rws-nc-insurance 5.2"
    assert (credit(table, 1), table.state.laid) == (90_000, {"player": 10_000})
    assert dict(one_seat_sees(table.state, 1).bets) == {"player": 10_000}
    await table.finish(PLAYER_WINS)
    assert credit(table, 1) == CREDIT + 10_000  # and not 600.00 more
    await holds(table)


async def test_a_bet_taken_away_after_the_call_is_put_back_and_plays() -> None:
    table = await seated()
    await table.bet(1, "banker", 20_000)
    await table.do(taps.Clear, terminal(1), round=1)
    await table.do(round_commands.CloseBetting, DEALER)
    assert console_sees(table.state).seats[0].withdrawn == {"banker": 20_000}
    too_much = {"kind": Kind.WITHDRAWN_BET, "seat": 1, "wager": "banker", "cents": 20_100}
    assert (await table.refused(round_commands.ReportIrregularity, DEALER, **too_much)).code == "bad-stake"
    await report(table, Kind.WITHDRAWN_BET, seat=1, wager="banker", cents=20_000)
    await decide(table, Remedy.BET_STANDS, DEALER)
    assert (credit(table, 1), table.state.round.staked_cents) == (80_000, 20_000)
    await table.finish(PLAYER_WINS)
    assert credit(table, 1) == 80_000
    await holds(table)


async def test_what_the_credit_lacks_by_then_is_owed() -> None:
    table = await seated(credit=20_000)
    await table.bet(1, "banker", 20_000)
    await table.do(taps.Clear, terminal(1), round=1)
    await table.do(taps.CashOut, terminal(1), cents=15_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await report(table, Kind.WITHDRAWN_BET, seat=1, wager="banker", cents=20_000)
    await decide(table, Remedy.BET_STANDS, DEALER)
    [debt] = await table.happened("debt-left")
    assert (debt.seat, debt.cents, credit(table, 1)) == (1, 15_000, 0)
    await table.finish(BANKER_WINS)
    assert (credit(table, 1), table.state.terminal(1).owed_cents) == (40_000 - 15_000, 0)  # repaid from what it won
    await holds(table)


async def test_late_insurance_goes_back_and_insurance_goes_with_the_bet_that_it_insures() -> None:
    table = await seated()
    await table.bet(1, "banker", 20_000)
    await table.do(round_commands.CloseBetting, DEALER)
    for card in ["4S", "5H", "KD", "QC"]:
        await table.do(round_commands.DealCard, DEALER, card=card)
    await table.do(round_commands.OpenInsurance, DEALER)
    await table.do(taps.Insure, terminal(1), round=1, hand=Hand.BANKER, cents=5_000)
    await table.do(round_commands.CloseInsurance, DEALER)
    await report(table, Kind.LATE_BET, seat=1, wager="banker-insurance")
    await report(table, Kind.LATE_BET, seat=1, wager="banker")
    assert (await table.refused(round_commands.DecideIrregularity, DEALER, remedy=Remedy.REFUSE_BET, why="-")).code == (
        "bad-report"
    )  # which of the two?
    await decide(table, Remedy.REFUSE_BET, DEALER, report=2)
    assert (credit(table, 1), table.state.round.staked_cents) == (CREDIT, 0)
    await table.do(round_commands.WithdrawReport, DEALER, why="gone with the bet")
    await table.finish("2H")
    assert credit(table, 1) == CREDIT
    await holds(table)


# A result found late, and rulings.


async def corrected_later(game: str) -> LiveTable:
    """Round 1 was keyed as a Player 9 and was a Banker 9; round 2 is being dealt."""
    table = await seated(game)
    await table.bet(1, "player", 10_000)
    await table.bet(2, "banker", 10_000)
    await table.finish(PLAYER_WINS)
    await table.open()
    await table.bet(1, "tie", 1_000)
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9H 4H")
    return table


@pytest.mark.parametrize("game", ["rws-nc", "mbs-tiger-nc", "rws-nc-insurance", "rws-nc-super-six-plus"])
async def test_a_wrong_result_is_put_right_while_the_next_round_is_dealt(game: str) -> None:
    table = await corrected_later(game)
    correct: dict[str, Any] = {"cards": tuple(BANKER_WINS.split()), "round": 1, "why": "the film shows it"}
    assert (await table.refused(round_commands.CorrectResult, MANAGER, **correct)).code == "rank-too-low"
    asked_for = asked(round_commands.CorrectResult, request="-", **correct).command
    would = preview(table.state, asked_for, await table.writer.earlier_round(asked_for))
    assert isinstance(would, Preview)
    assert (would.reversed_cents, would.paid_cents, would.paid_seats) == (20_000, 20_000, 1)
    before = table.state.round
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, **correct)
    assert (credit(table, 1), credit(table, 2)) == (CREDIT - 10_000 - 1_000, CREDIT + 10_000)
    assert table.state.round == before._replace(shoe=table.state.round.shoe)
    assert everybody_sees(table.state).results == ("B29n",)  # the roads tell it, too
    recalled = await recall(table.store, "1", 1)
    assert (recalled.cards, recalled.winner) == (BANKER_WINS, "banker")
    assert [(one.seat, one.returned_cents) for one in recalled.seats] == [(1, 0), (2, 20_000)]
    assert recalled.steps[-1].kind == "earlier-seat-settled"
    await table.finish("KD QC")
    await holds(table)
    table = await table.restart()
    await table.do(round_commands.CorrectCard, SHIFT_MANAGER, place=1, card="2H", round=1, why="a heart")
    await holds(table)


async def both(table: LiveTable, *orders: tuple[Order, Who]) -> None:
    """Asked in one moment, so that they are decided together."""
    for answer in await asyncio.gather(*(table.writer.answer(order, who) for order, who in orders)):
        assert isinstance(answer, Accepted), answer


async def test_two_who_correct_the_same_round_at_once_correct_it_one_after_the_other() -> None:
    table = await corrected_later("rws-nc")
    first = asked(round_commands.CorrectResult, request="a", cards=tuple(BANKER_WINS.split()), round=1, why="film")
    again = asked(round_commands.CorrectResult, request="b", cards=tuple(PLAYER_WINS.split()), round=1, why="no")
    await both(table, (first, SHIFT_MANAGER), (again, SHIFT_MANAGER))
    assert (credit(table, 1), credit(table, 2)) == (CREDIT + 10_000 - 1_000, CREDIT - 10_000)
    await holds(table)


async def test_a_round_is_corrected_while_the_next_is_opened_at_that_moment() -> None:
    """Both are decided together: by then the round that was meant is an earlier one."""
    table = await seated("rws-nc")
    await table.bet(1, "player", 10_000)
    await table.bet(2, "banker", 10_000)
    await table.finish(PLAYER_WINS)
    correct = asked(round_commands.CorrectResult, request="a", cards=tuple(BANKER_WINS.split()), round=1, why="film")
    await both(table, (asked(staff.StartRound, request="b"), DEALER), (correct, SHIFT_MANAGER))
    assert table.round == 2
    assert (credit(table, 1), credit(table, 2)) == (CREDIT - 10_000, CREDIT + 10_000)
    report = asked(
        round_commands.ReportIrregularity, request="c", kind=Kind.WRONG_RESULT, about_round=1, why="once more"
    )
    decide = asked(
        round_commands.DecideIrregularity,
        request="d",
        remedy=Remedy.SETTLE_BY_CARDS,
        cards=tuple(PLAYER_WINS.split()),
        why="no",
    )
    await both(table, (report, SHIFT_MANAGER), (decide, SHIFT_MANAGER))
    assert (credit(table, 1), credit(table, 2)) == (CREDIT + 10_000, CREDIT - 10_000)
    await holds(table)


async def test_a_correction_of_what_was_cashed_out_since_leaves_a_debt() -> None:
    table = await corrected_later("rws-nc")
    await table.do(taps.CashOut, terminal(1))
    correct = {"cards": tuple(BANKER_WINS.split()), "round": 1, "why": "the film shows it"}
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, **correct)
    assert (credit(table, 1), table.state.terminal(1).owed_cents) == (0, 20_000)
    [debt] = await table.happened("debt-left")
    assert debt.cents == 20_000
    await holds(table)


async def test_a_ruling_on_what_was_cashed_out_since_leaves_a_debt() -> None:
    table = await corrected_later("rws-nc")
    await table.do(taps.CashOut, terminal(1))
    ruling = {"seat": 1, "wager": "player", "round": 1, "returned_cents": 0, "why": "a chip from elsewhere"}
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, **ruling)
    assert (credit(table, 1), table.state.terminal(1).owed_cents) == (0, 20_000)
    await holds(table)


async def test_what_a_correction_takes_is_taken_before_a_debt_is_paid_from_the_credit() -> None:
    """There is enough for what was paid too much, and not for the debt of the correction before it as well."""
    table = await corrected_later("rws-nc")
    await table.do(taps.CashOut, terminal(1))
    correct = {"round": 1, "why": "the film shows it"}
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=("9S", "KH", "KD", "9C"), **correct)  # a tie
    assert (credit(table, 1), table.state.terminal(1).owed_cents) == (0, 10_000)
    await table.buy(1, 15_000)
    await table.do(round_commands.CorrectResult, SHIFT_MANAGER, cards=tuple(BANKER_WINS.split()), **correct)
    assert (credit(table, 1), table.state.terminal(1).owed_cents) == (5_000, 10_000)
    await holds(table)


async def test_a_ruling_compensates_one_bet_and_nothing_else() -> None:
    table = await corrected_later("rws-nc-super-six-plus")
    rule = {"seat": 2, "wager": "banker", "round": 1, "why": "the chip fell off"}
    assert (await table.refused(round_commands.RuleOnBet, MANAGER, **rule)).code == "rank-too-low"
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, **rule)
    assert (credit(table, 1), credit(table, 2)) == (CREDIT + 10_000 - 1_000, CREDIT)
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, **{**rule, "returned_cents": 15_000})
    assert credit(table, 2) == CREDIT + 5_000
    recalled = await recall(table.store, "1", 1)
    assert [one.returned_cents for one in recalled.seats if one.seat == 2] == [15_000]
    await table.finish("KD QC")
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, seat=1, wager="tie", why="a spill")
    assert credit(table, 1) == CREDIT + 10_000
    await holds(table)


# Reports that were a mistake, and more than one at a time.


async def test_a_mistaken_report_is_withdrawn_and_the_table_is_as_before() -> None:
    table = await corrected_later("rws-nc")
    before = table.state.round
    await report(table, Kind.EXCESS_OR_EXPOSED, cards=("9H",))
    await report(table, Kind.FOREIGN_CARD)
    assert [one.withdraw_rank for one in console_sees(table.state).reported] == ["pit-supervisor"] * 2
    withdraw = {"report": 1, "why": "no card was drawn"}
    assert (await table.refused(round_commands.WithdrawReport, DEALER, **withdraw)).code == "rank-too-low"
    await table.do(round_commands.WithdrawReport, SUPERVISOR, **withdraw)
    assert [one.report for one in everybody_sees(table.state).waiting] == [2]
    await table.do(round_commands.WithdrawReport, MANAGER, report=2, why="it was ours")
    assert table.state.round == before._replace(reported=2)
    await table.finish("KD QC")
    await holds(table)


async def test_no_report_executes_itself_on_an_automatic_table_either() -> None:
    table = await live_table(table_config("mbs-nc", mode=Mode.AUTOMATIC, shoe=ShoeSource.SHUFFLER))
    await table.do(staff.OpenTable, SUPERVISOR)
    await table.settle_down()
    await report(table, Kind.FOREIGN_CARD)
    await table.pass_ms(3_600_000)
    assert (table.state.round.phase, len(table.state.round.pending)) == (Phase.BETTING_OPEN, 1)
    await table.do(round_commands.WithdrawReport, SUPERVISOR, why="pressed by mistake")
    assert everybody_sees(table.state).closes_at_ms is not None


# Other cards, and cards that wait.


async def test_other_cards_before_the_cut_card_are_the_pit_supervisors_and_keep_what_was_decided() -> None:
    table = await seated("rws-nc")
    await table.finish(PLAYER_WINS)
    await report(table, Kind.EXCESS_OR_EXPOSED, cards=("9H", "8D"))
    assert [one.remedy for one in everybody_sees(table.state).waiting[0].remedies] == ["use-in-next-round", "discard"]
    await decide(table, Remedy.USE_IN_NEXT_ROUND)
    assert console_sees(table.state).early_shoe
    assert (await table.refused(staff.LoadNewShoe, DEALER, why="torn cards")).code == "rank-too-low"
    assert (await table.refused(staff.LoadNewShoe, SUPERVISOR)).code == "reason-needed"
    assert (await table.refused(staff.LoadNewShoe, SUPERVISOR, discard=("7C",), why="torn")).code == "nothing-held"
    await table.do(staff.LoadNewShoe, SUPERVISOR, discard=("8D",), why="torn cards")
    await table.do(staff.StartRound, DEALER)
    assert [str(card) for card in table.state.round.held] == ["9H"]
    await table.do(round_commands.CloseBetting, DEALER)
    assert (await table.refused(round_commands.DealCard, DEALER, card="2C")).code == "not-the-next-card"
    await table.deal("9H 2C")
    assert table.state.round.shoe
    assert table.state.round.shoe.cards_left == 8 * 52 - 1  # the nine came from the old cards
    await holds(table)


@pytest.mark.parametrize("remedy", [Remedy.RECONSTRUCT, Remedy.DISCARD])
async def test_a_card_drawn_after_a_void_round_is_used_or_burnt(remedy: Remedy) -> None:
    table = await seated("mbs-nc")
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="smoke")
    await report(table, Kind.EXCESS_OR_EXPOSED, cards=("9H",))
    await decide(table, remedy)
    assert [str(card) for card in table.state.round.held] == (["9H"] if remedy is Remedy.RECONSTRUCT else [])
    if remedy is Remedy.RECONSTRUCT:
        burn = {"cards": ("9H",), "why": "torn"}
        assert (await table.refused(round_commands.DiscardHeld, DEALER, **burn)).code == "rank-too-low"
        await table.do(round_commands.DiscardHeld, SUPERVISOR, **burn)
        assert not table.state.round.held
    await table.do(staff.StartRound, DEALER)
    await holds(table)


async def test_a_settled_round_stands_whatever_is_drawn_after_it() -> None:
    """rws-nc 1.18, mbs 5.1.2: the next card drawn early is no reason to void what was settled."""
    for game in ("rws-nc", "mbs-nc"):
        table = await seated(game)
        await table.bet(1, "player", 10_000)
        await table.finish(PLAYER_WINS)
        await report(table, Kind.EXCESS_OR_EXPOSED, cards=("9H",))
        void = {"remedy": Remedy.VOID, "why": "too late"}
        assert (await table.refused(round_commands.DecideIrregularity, SHIFT_MANAGER, **void)).code == (
            "remedy-not-allowed"
        )
        assert (await table.refused(round_commands.VoidRound, SHIFT_MANAGER, why="too late")).code == "round-concluded"
        assert credit(table, 1) == CREDIT + 10_000


async def test_the_cut_card_read_after_a_void_ends_the_shoe() -> None:
    table = await seated("mbs-nc")
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="smoke")
    await table.do(round_commands.ReportCutCard, DEALER)
    assert (await table.refused(staff.StartRound, DEALER)).code == "shoe-spent"


# Faults.


async def test_a_fault_holds_a_dealers_table_where_it_is() -> None:
    table = await seated("rws-nc")
    await table.bet(1, "player", 10_000)
    table.writer.raise_fault("program-changed", say("a file is not what it was"))
    await table.settle_down()
    held = "fault"
    assert (await table.refused(taps.Bet, terminal(1), round=1, wager="tie", cents=100)).code == held
    assert (await table.refused(round_commands.CloseBetting, DEALER)).code == held
    assert set(console_sees(table.state).commands) == {"report", "void-round"}
    await table.do(staff.ClearFault, SUPERVISOR, fault="program-changed", why="checked")
    await table.do(round_commands.CloseBetting, DEALER)
    await table.deal("9S KH KD")
    table.writer.raise_fault("program-changed", say("again"))
    await table.settle_down()
    assert (await table.refused(round_commands.DealCard, DEALER, card="5C")).code == held
    fix = {"place": 1, "card": "8S"}
    assert (await table.refused(round_commands.CorrectCard, DEALER, **fix)).code == held
    await report(table, Kind.WRONG_AREA)
    assert (await table.refused(round_commands.DecideIrregularity, SUPERVISOR, remedy=Remedy.RECONSTRUCT)).code == held
    await table.do(round_commands.WithdrawReport, DEALER, why="no")
    await table.do(round_commands.VoidRound, SHIFT_MANAGER, why="the fault stays")
    assert credit(table, 1) == CREDIT
    await table.do(taps.CashOut, terminal(1), cents=5_000)
    await table.do(staff.HandPay, CASHIER, seat=1, cents=5_000)
    assert (await table.refused(staff.LoadNewShoe, SUPERVISOR, why="new cards")).code == held
    await holds(table)


# Rules that changed in between.


async def test_a_round_of_other_rules_is_not_settled_by_todays_but_ruled_on_by_what_it_paid() -> None:
    table = await seated("rws-nc")
    await table.bet(1, "player", 10_000)
    await table.bet(1, "banker-pair", 100)
    await table.finish(PLAYER_WINS)
    await table.stop()
    game = table.config.game
    fewer = tuple(wager for wager in game.wagers if wager.id != "banker-pair")
    limits = {wager: limit for wager, limit in table.config.limits.by_wager.items() if wager != "banker-pair"}
    changed = replace(game, wagers=fewer, sha256="0" * 64)
    table = await table.again(replace(table.config, game=changed, limits=replace(table.config.limits, by_wager=limits)))
    for shape, fields in (
        (round_commands.CorrectResult, {"cards": tuple(BANKER_WINS.split())}),
        (round_commands.CorrectCard, {"place": 1, "card": "9H"}),
        (round_commands.RuleOnBet, {"seat": 1, "wager": "player"}),
    ):
        assert (await table.refused(shape, SHIFT_MANAGER, why="seen", **fields)).code == "other-rules"
    await table.do(staff.LoadNewShoe, SUPERVISOR, why="other rules")
    await table.open()
    correct = {"cards": tuple(BANKER_WINS.split()), "round": 1, "why": "seen"}
    assert (await table.refused(round_commands.CorrectResult, SHIFT_MANAGER, **correct)).code == "bad-correction"
    won = credit(table, 1)
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, seat=1, wager="player", round=1, why="a spill")
    assert credit(table, 1) == won - 10_000  # it had returned 200.00, and is void
    await table.do(round_commands.RuleOnBet, SHIFT_MANAGER, seat=1, wager="banker-pair", round=1, why="a spill")
    assert credit(table, 1) == CREDIT
    await table.check_history()
