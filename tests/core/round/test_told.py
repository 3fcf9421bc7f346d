"""What is told of an irregularity: everything that was named, in one sentence."""

import pytest

from natural9.core.cards import Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands
from natural9.core.round.refusal import Code
from natural9.core.table_of_play import Hand
from tests.core.round.table import (
    DEALER,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    Table,
    decided,
    decision,
    second_round,
    signed,
)


def test_a_report_tells_the_bet_or_the_round_that_it_is_about() -> None:
    table = second_round("rws-nc", "4S 7H")
    late = table.report(Kind.LATE_BET, seat=2, wager="banker", cents=10_000)
    assert late.describe() == "Irregularity reported: late bet, seat 2, Banker; a Dealer or above decides"
    earlier = table.report(Kind.WRONG_RESULT, about_round=1, detail="a six")
    assert earlier.describe() == (
        "Irregularity reported: wrong result announced, round 1: a six; a Shift Manager or above decides"
    )


@pytest.mark.parametrize(
    ("brief", "real_cards", "told"),
    [
        (True, False, "The table was away for 2.5 s and goes on where it stood"),
        (True, True, "The table was cut off for 2.5 s"),
        (False, False, "The table was cut off for 2.5 s"),
    ],
)
def test_an_interruption_tells_how_long_it_was(brief: bool, real_cards: bool, told: str) -> None:
    table = second_round("rws-nc", "4S 7H KD")
    [interrupted, *_] = table.do(commands.NoteInterruption(away_ms=2_500, brief=brief, real_cards=real_cards))
    assert interrupted.describe() == told


def test_a_correction_tells_the_card_that_comes_next_and_a_void_its_clause_and_its_reason() -> None:
    table = second_round("rws-nc", "4S 7H KD QC 5H")
    fixed = signed(commands.CorrectCard(place=3, card=table.state.cards[4]), by=DEALER)
    [corrected, *_] = table.do(fixed)  # 4 and 5: a natural, so the fifth card waits
    assert corrected.describe().startswith("Cards corrected: 4S 7H 5H QC, next 5H")
    table.report(Kind.FOREIGN_CARD)
    *_, voided = table.do(decision(Remedy.VOID, PIT_SUPERVISOR, why="a joker"))
    assert voided.describe() == "Round void: 305.00 returned: foreign card. a joker"
    by_hand = second_round("rws-nc", "4S")
    *_, voided = by_hand.do(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="smoke"))
    assert voided.describe() == "Round void: 305.00 returned: smoke"
    cut_off = second_round("rws-nc", "4S")
    *_, voided = cut_off.do(commands.NoteInterruption(away_ms=60_000, brief=False, real_cards=False))
    assert voided.describe() == "Round void: 305.00 returned: the table was interrupted"


def test_a_correction_with_nothing_that_waits_tells_the_cards_alone() -> None:
    table = second_round("rws-nc", "4S")
    [corrected] = table.do(signed(commands.CorrectCard(place=1, card=Card("5", "S")), by=DEALER, why=""))
    assert corrected.describe() == "Cards corrected: 5S"


def test_a_decision_about_an_earlier_round_that_cannot_be_found_is_refused() -> None:
    table = second_round("rws-nc", "4S")
    table.report(Kind.WRONG_RESULT, about_round=1)
    answer = decided(table.state, decision(Remedy.SETTLE_BY_CARDS, SHIFT_MANAGER, cards="2S KH KD 9C"))
    assert getattr(answer, "code", None) is Code.NO_SUCH_ROUND


def test_of_insurance_taken_twice_in_a_window_the_late_part_goes_back_alone() -> None:
    table = Table("rws-nc-insurance")
    table.open({1: {"banker": 20_000}})
    table.deal("4S 5H KD QC", windows=False)
    for cents in (1_000, 2_000):
        table.insure(1, Hand.BANKER, cents)
    table.close_window()
    table.report(Kind.LATE_BET, seat=1, wager="banker-insurance", cents=2_000)
    table.remedy(Remedy.REFUSE_BET, by=DEALER)
    assert [bet.cents for bet in table.state.seats[1].insurance] == [1_000]
