"""Cards that came out early and wait: who may burn them, which, and when; and reports that do not fit where things
stand. (rws-nc 5.4, 5.7; the readings on drawn cards.)"""

import pytest

from natural9.core.cards import parse_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code
from natural9.core.round.seats import MAX_SEAT
from natural9.core.staff import Staff
from tests.core.round.table import (
    BOTH_STAND,
    DEALER,
    NATURAL,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    Signed,
    Table,
    of,
    second_round,
    signed,
)

rule = pytest.mark.rule


def with_a_card_that_waits() -> Table:
    """After a settled round, for the next."""
    table = Table("rws-nc")
    table.play(BOTH_STAND)
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    table.remedy(Remedy.USE_IN_NEXT_ROUND, by=PIT_SUPERVISOR)
    assert table.held == "8D"
    return table


def burn(cards: str, by: Staff = PIT_SUPERVISOR) -> Signed:
    return signed(commands.DiscardHeld(cards=parse_cards(cards)), by=by)


@rule("rws-nc 5.4")
def test_a_card_that_waits_is_burnt_by_the_rank_that_decides_about_it() -> None:
    table = with_a_card_that_waits()
    assert table.refused(burn("8D", DEALER)).code is Code.RANK_TOO_LOW
    assert [event.TAG for event in table.do(burn("8D"))] == ["cards-discarded"]
    assert table.held == ""


@rule("rws-nc 5.4")
def test_only_a_card_that_waits_is_burnt_and_only_before_the_round_has_begun() -> None:
    table = with_a_card_that_waits()
    refusal = table.refused(burn("9C"))
    assert (refusal.code, refusal.message) == (Code.NOTHING_HELD, "9C does not wait: those are 8D")
    table.open()
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="9C 2S")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="9C 2S")
    table.deal("8D")
    begun = table.refused(burn("9C"))
    assert (begun.code, begun.message) == (
        Code.ROUND_OPEN,
        "Round 2 has begun, and the cards that wait belong to it",
    )
    table.deal("9C 2S KH")
    assert table.held == ""
    assert table.refused(burn("9C")).code is Code.NOTHING_HELD


@rule("rws-nc 5.7")
def test_one_of_two_cards_of_an_old_set_is_burnt_and_the_other_stays_one_of_it() -> None:
    table = Table("rws-nc")
    table.play(BOTH_STAND)
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="8D 9C")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="8D 9C", replace_shoe=True)
    table.do(burn("8D"))
    assert table.held == "9C"
    table.open()
    assert table.state.from_old_set == 1
    table.deal("9C 2S KH 3D")
    assert table.state.shoe
    assert [table.state.shoe.left(card) for card in parse_cards("9C 2S")] == [8, 7]


@rule("rws-nc 5.7")
def test_other_cards_are_loaded_and_what_waits_is_burnt_in_one() -> None:
    table = with_a_card_that_waits()
    other = commands.LoadShoe(shoe=2, decks=8, discard=parse_cards("9C"))
    assert table.refused(signed(other, by=PIT_SUPERVISOR, why="marked")).code is Code.NOTHING_HELD
    right = commands.LoadShoe(shoe=2, decks=8, discard=parse_cards("8D"))
    happened = table.do(signed(right, by=PIT_SUPERVISOR, why="marked"))
    assert [event.TAG for event in happened] == ["cards-discarded", "shoe-loaded"]
    assert table.held == ""


def test_a_card_drawn_from_a_shoe_that_was_just_loaded_is_none_of_the_last_rounds() -> None:
    table = Table("rws-nc")
    table.play(NATURAL)
    table.do(signed(commands.LoadShoe(shoe=2, decks=8), by=PIT_SUPERVISOR, why="marked"))
    named = commands.ReportIrregularity(kind=Kind.EXCESS_OR_EXPOSED, cards=parse_cards("8D"))
    refusal = table.refused(signed(named, by=DEALER))
    assert (refusal.code, refusal.message) == (
        Code.ROUND_CONCLUDED,
        "Shoe 2 is loaded: a card drawn from it is dealt in its first round",
    )


@pytest.mark.parametrize("kind", [Kind.WRONG_NUMBER_OF_CARDS, Kind.ORDER_ALTERED])
def test_nor_is_one_that_a_report_names_though_it_need_not(kind: Kind) -> None:
    table = Table("rws-nc")
    table.play(NATURAL)
    table.do(signed(commands.LoadShoe(shoe=2, decks=8), by=PIT_SUPERVISOR, why="marked"))
    named = commands.ReportIrregularity(kind=kind, cards=parse_cards("8D"))
    assert table.refused(signed(named, by=DEALER)).code is Code.ROUND_CONCLUDED


def test_a_card_is_dealt_by_its_name() -> None:
    table = second_round("rws-nc", "9S")
    refusal = table.refused(commands.DealCard(card=None))
    assert (refusal.code, refusal.message) == (Code.BAD_CARD, "Name the card that was drawn, as 9H")


def test_the_first_round_has_no_earlier_one_to_find_an_error_in() -> None:
    table = Table("rws-nc")
    table.open()
    report = commands.ReportIrregularity(kind=Kind.FOUND_LATER, about_round=1)
    refusal = table.refused(signed(report, by=DEALER))
    assert (refusal.code, refusal.message) == (
        Code.NO_EARLIER_ROUND,
        "Round 1 is the first: there is no earlier one",
    )


def test_a_report_about_a_round_that_never_was_is_refused() -> None:
    table = second_round("rws-nc", NATURAL)
    report = commands.ReportIrregularity(kind=Kind.WRONG_RESULT, about_round=7)
    refusal = table.refused(signed(report, by=DEALER))
    assert (refusal.code, refusal.message) == (Code.NO_SUCH_ROUND, "There was no round 7: round 2 is on")


def test_an_interruption_is_no_report_that_could_be_withdrawn() -> None:
    table = second_round("rws-nc", "9S KH")
    table.do(commands.NoteInterruption(away_ms=60_000, brief=False, real_cards=True))
    [interruption] = table.state.pending
    table.report(Kind.NOT_COVERED, detail="a glass of water")
    refusal = table.refused(signed(commands.WithdrawReport(report=interruption.report), by=SHIFT_MANAGER))
    assert refusal.code is Code.REMEDY_NOT_ALLOWED
    assert refusal.message == "The table was interrupted, and that is no report: decide it"


@rule("rws-nc-insurance 4.1.4")
def test_a_squeeze_is_agreed_to_for_a_seat_that_is_there() -> None:
    table = second_round("rws-nc-insurance", "5S 6H KD QC")
    refusal = table.refused(signed(commands.WaiveInsurance(seat=MAX_SEAT + 1), by=SHIFT_MANAGER))
    assert (refusal.code, refusal.message) == (Code.BAD_SEAT, f"There is no seat {MAX_SEAT + 1}")
    assert of(events.InsuranceWaived, table.do(signed(commands.WaiveInsurance(seat=1), by=SHIFT_MANAGER)))
