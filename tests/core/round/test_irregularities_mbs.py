"""mbs 5.1 to 5.8 and 6.1 to 6.3, in all six games, and beside them rws-nc where the two documents differ.

Expectations are read off the documents, not off the data. Every remedy, paragraph and rank in every situation is in
test_clauses_mbs; here is how each plays out in every game. 5.4 and 5.5 are in test_irregularities_insurance, with the
late and withdrawn bets of the other documents; 5.9 and 5.10 are in test_recovery_rules; more of 6.3 in
test_corrections.
"""

import pytest

from natural9.core.cards import parse_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code
from natural9.core.round.state import Phase
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand
from tests.core.round.table import (
    AFTER_ONE_ROUND,
    BETS,
    BOTH_DRAW,
    BOTH_STAND,
    DEALER,
    EVERYBODY,
    MBS_GAMES,
    NATURAL,
    PIT_SUPERVISOR,
    PLAYER_DRAWS,
    SHIFT_MANAGER,
    Table,
    decision,
    of,
    report_of,
    second_round,
    signed,
)

rule = pytest.mark.rule
in_every_game = pytest.mark.parametrize("game", MBS_GAMES)

GAME = "mbs-nc"
RETURNS = "interpretation void-returns-everything"  # the document does not say aloud what becomes of the bets

STANDS = "interpretation settled-round-stands"


@rule("mbs 5.1.2")
@pytest.mark.parametrize(
    ("kind", "paragraph"),
    [
        (Kind.FOREIGN_CARD, "mbs 5.1.2"),
        (Kind.SHORTAGE_OR_EXCESS, "mbs 5.1.2"),
        (Kind.UNSHUFFLED_CARDS, "mbs 5.1.2"),
        (Kind.WRONG_AREA, STANDS),
        (Kind.WRONG_NUMBER_OF_CARDS, STANDS),
        (Kind.ORDER_ALTERED, STANDS),
        (Kind.FACE_UP_IN_SHOE, STANDS),
        (Kind.TABLE_INTERRUPTION, STANDS),
        (Kind.TERMINAL_INTERRUPTION, STANDS),
        (Kind.LATE_BET, STANDS),
        (Kind.WITHDRAWN_BET, STANDS),
    ],
)
def test_a_settled_round_stands_whatever_is_then_found(kind: Kind, paragraph: str) -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    table.finish()
    refusal = table.refused(report_of(kind, SHIFT_MANAGER))
    assert (refusal.code, refusal.paragraph) == (Code.ROUND_CONCLUDED, paragraph)


# 5.1 Extra, missing, foreign or unshuffled cards.


@rule("mbs 5.1", "mbs 5.1.1", "mbs 5.1.2")
@in_every_game
@pytest.mark.parametrize("kind", [Kind.FOREIGN_CARD, Kind.SHORTAGE_OR_EXCESS, Kind.UNSHUFFLED_CARDS])
@pytest.mark.parametrize("cards", [None, "", "4S 7H KD", PLAYER_DRAWS])
def test_wrong_cards_void_the_round_and_the_rounds_before_stand(game: str, kind: Kind, cards: str | None) -> None:
    table = second_round(game, cards)
    table.report(kind)
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR, why="a joker"))
    assert (voided.clause, voided.paragraph, voided.why) == ("mbs 5.1.1", RETURNS, "a joker")
    assert voided.kind is kind
    decided = of(events.IrregularityDecided, table.happened)[-1]
    assert (decided.paragraph, decided.previous_stand) == ("mbs 5.1.1", "mbs 5.1.2")
    assert table.credits() == AFTER_ONE_ROUND


@rule("mbs 5.1", "mbs 5.1.1")
def test_a_card_that_the_decks_cannot_hold_is_refused_and_corrected_or_reported_as_an_extra_one() -> None:
    table = Table(GAME, decks=4)
    table.play("9H 9H 9H 9H")
    table.open()
    table.deal("4S")
    refusal = table.refused(commands.DealCard(card=parse_cards("9H")[0], put_at=Hand.BANKER))
    assert refusal.code is Code.CARD_TOO_MANY
    assert "An earlier card may be keyed wrong: correct it" in refusal.message
    assert 'report "too many or too few of a card"' in refusal.message
    table.report(Kind.SHORTAGE_OR_EXCESS)
    assert table.voids(decision(Remedy.VOID, PIT_SUPERVISOR)).clause == "mbs 5.1.1"


# 5.2 and 5.7 Order altered, cards in an incorrect order.


@rule("mbs 5.2")
@in_every_game
@pytest.mark.parametrize("cards", [None, "4S", "4S 7H KD QC", NATURAL])
def test_an_order_altered_beyond_reconstruction_voids_the_round(game: str, cards: str | None) -> None:
    table = second_round(game, cards)
    assert (Remedy.VOID, "mbs 5.2") in table.report(Kind.ORDER_ALTERED).remedies
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert (voided.clause, voided.paragraph) == ("mbs 5.2", RETURNS)
    assert table.credits() == AFTER_ONE_ROUND


@rule("mbs 5.2", "rws-nc 5.12")
def test_an_altered_order_is_mbs_own_clause_and_in_rws_nc_for_the_shift_manager() -> None:
    mbs, rws = second_round(GAME, "4S 7H KD QC"), second_round("rws-nc", "4S 7H KD QC")
    assert {paragraph.split()[0] for _, paragraph in mbs.report(Kind.ORDER_ALTERED).remedies} == {"mbs"}
    assert mbs.voids(decision(Remedy.VOID, PIT_SUPERVISOR)).clause == "mbs 5.2"
    assert rws.report(Kind.ORDER_ALTERED).rank == "shift-manager"
    assert rws.takes(Rank.SHIFT_MANAGER, Remedy.VOID) == "rws-nc 5.12"
    assert rws.takes(Rank.SHIFT_MANAGER, Remedy.CONTINUE) == "rws-nc 5.12"


@rule("mbs 5.2", "mbs 5.7")
@in_every_game
@pytest.mark.parametrize("kind", [Kind.WRONG_NUMBER_OF_CARDS, Kind.EXCESS_OR_EXPOSED])
def test_cards_too_many_that_cannot_be_reconstructed_void_the_round(game: str, kind: Kind) -> None:
    table = second_round(game, "4S 7H KD QC")
    table.report(kind, cards="8D")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.VOID) == "mbs 5.2"
    assert table.voids(decision(Remedy.VOID, PIT_SUPERVISOR)).clause == "mbs 5.2"
    assert table.credits() == AFTER_ONE_ROUND


@rule("mbs 5.7", "mbs 5.1.2")
@in_every_game
@pytest.mark.parametrize("remedy", [Remedy.RECONSTRUCT, Remedy.DISCARD])
@pytest.mark.parametrize("is_settled", [False, True])
def test_a_card_beyond_the_last_one_is_of_the_next_round_and_this_one_stands(
    game: str, remedy: Remedy, is_settled: bool
) -> None:
    table = second_round(game, PLAYER_DRAWS)
    if is_settled:
        table.finish()
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    assert table.refused(decision(Remedy.VOID, SHIFT_MANAGER)).code is Code.REMEDY_NOT_ALLOWED
    table.remedy(remedy, by=PIT_SUPERVISOR)
    if not is_settled:
        table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    table.open()
    assert table.held == ("8D" if remedy is Remedy.RECONSTRUCT else "")


@rule("mbs 5.7")
@pytest.mark.parametrize("kind", [Kind.WRONG_NUMBER_OF_CARDS, Kind.EXCESS_OR_EXPOSED])
def test_cards_drawn_too_soon_are_reconstructed_and_come_next_before_any_other(kind: Kind) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(kind, cards="5H 8D")
    [_, put] = table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR)
    assert put == events.CardsPutInOrder(cards=("5H", "8D"), paragraph="mbs 5.7")
    assert (
        table.refused(commands.DealCard(card=parse_cards("8D")[0], put_at=Hand.PLAYER)).code is Code.NOT_THE_NEXT_CARD
    )
    table.deal("5H")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    table.open()
    table.deal("")
    assert (
        table.refused(commands.DealCard(card=parse_cards("8C")[0], put_at=Hand.PLAYER)).code is Code.NOT_THE_NEXT_CARD
    )
    table.deal("8D")


@rule("mbs 5.7")
@in_every_game
@pytest.mark.parametrize("place", range(6))
def test_a_card_laid_in_the_other_area_is_put_back_where_it_belongs(game: str, place: int) -> None:
    cards = BOTH_DRAW.split()
    table = second_round(game, " ".join(cards[:place]))
    due = table.state.due
    assert due is not None
    [_, reported] = table.do(commands.DealCard(card=parse_cards(cards[place])[0], put_at=due.other))
    assert isinstance(reported, events.IrregularityReported)
    assert (reported.kind, reported.remedies) == (Kind.WRONG_AREA, ((Remedy.RECONSTRUCT, "mbs 5.7"),))
    table.waits("mbs 5.7")
    [_, reconstructed] = table.remedy(Remedy.RECONSTRUCT, by=DEALER)
    assert isinstance(reconstructed, events.CardsReconstructed)
    assert (reconstructed.put_at[place], reconstructed.paragraph) == (due, "mbs 5.7")
    table.deal(" ".join(cards[place + 1 :]))
    outcome = table.state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.player_total, outcome.banker_total) == (Winner.BANKER, 5, 6)


# 5.3 Too few cards.


@rule("mbs 5.3")
@in_every_game
@pytest.mark.parametrize("cards", ["", "4S", "4S 7H KD QC"])
def test_a_dealing_device_that_runs_short_voids_the_round(game: str, cards: str) -> None:
    table = second_round(game, cards)
    assert table.report(Kind.INSUFFICIENT_CARDS).remedies == ((Remedy.VOID, "mbs 5.3"),)
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert (voided.clause, voided.paragraph) == ("mbs 5.3", RETURNS)
    assert table.credits() == AFTER_ONE_ROUND


@rule("mbs 5.3")
def test_once_the_last_card_is_out_none_can_be_missing() -> None:
    table = second_round(GAME, BOTH_STAND)
    assert table.refused(commands.ReportIrregularity(kind=Kind.INSUFFICIENT_CARDS)).code is Code.NO_CARD_DUE


# 5.6 A card face up.


@rule("mbs 5.6")
@in_every_game
@pytest.mark.parametrize("cards", ["4S", "4S 7H KD QC"])
def test_a_card_face_up_once_the_first_is_out_plays_as_if_it_were_face_down(game: str, cards: str) -> None:
    table = second_round(game, cards)
    assert table.report(Kind.FACE_UP_IN_SHOE).remedies == ((Remedy.CONTINUE, "mbs 5.6"),)
    assert table.takes(Rank.DEALER, Remedy.CONTINUE) == "mbs 5.6"
    before = table.state
    table.remedy(Remedy.CONTINUE, by=DEALER)
    assert table.state == before._replace(pending=())
    table.deal(" ".join(PLAYER_DRAWS.split()[len(cards.split()) :]))
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("mbs 5.6", "mbs 6.1", "rws-nc 5.4")
@pytest.mark.parametrize("cards", [None, ""])
def test_before_the_first_card_5_6_is_silent_and_the_shift_manager_decides_where_rws_nc_plays_on(
    cards: str | None,
) -> None:
    mbs, rws = second_round(GAME, cards), second_round("rws-nc", cards)
    assert {paragraph for _, paragraph in mbs.report(Kind.FACE_UP_IN_SHOE).remedies} == {"mbs 6.1"}
    assert mbs.takes(Rank.SHIFT_MANAGER, Remedy.CONTINUE) == "mbs 6.1"
    assert mbs.takes(Rank.SHIFT_MANAGER, Remedy.VOID) == "mbs 6.1"
    assert rws.report(Kind.FACE_UP_IN_SHOE).remedies == ((Remedy.CONTINUE, "rws-nc 5.4"),)
    assert rws.takes(Rank.PIT_SUPERVISOR, Remedy.CONTINUE) == "rws-nc 5.4"


# 5.8 Cards drawn together.


@rule("mbs 5.8")
@in_every_game
def test_cards_drawn_together_in_a_known_order_are_reconstructed(game: str) -> None:
    table = second_round(game, "3S 4H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_KNOWN, cards="2H 2D")
    assert table.takes(Rank.DEALER, Remedy.RECONSTRUCT) == "mbs 5.8"
    [_, put] = table.remedy(Remedy.RECONSTRUCT, by=DEALER)
    assert put == events.CardsPutInOrder(cards=("2H", "2D"), paragraph="mbs 5.8")
    assert (
        table.refused(commands.DealCard(card=parse_cards("2D")[0], put_at=Hand.PLAYER)).code is Code.NOT_THE_NEXT_CARD
    )
    table.deal("2H 2D")
    table.finish()
    assert table.net(1) == -10_500


@rule("mbs 5.8.1")
@in_every_game
@pytest.mark.parametrize("cards", ["", "3S 4H KD QC"])
def test_cards_drawn_together_in_an_unknown_order_void_the_round(game: str, cards: str) -> None:
    table = second_round(game, cards)
    assert table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="2H 2D").remedies == ((Remedy.VOID, "mbs 5.8.1"),)
    assert table.refused(decision(Remedy.DECIDE_ORDER, SHIFT_MANAGER, cards="2H 2D")).code is Code.REMEDY_NOT_ALLOWED
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert (voided.clause, voided.paragraph) == ("mbs 5.8.1", RETURNS)
    assert table.credits() == AFTER_ONE_ROUND


@rule("mbs 5.8.1", "rws-nc 5.7", "rws-nc 5.7.1")
def test_in_an_unknown_order_mbs_voids_where_rws_nc_has_the_order_decided() -> None:
    mbs, rws = second_round(GAME, "3S 4H KD QC"), second_round("rws-nc", "3S 4H KD QC")
    at_mbs = mbs.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="2H 2D")
    at_rws = rws.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="2H 2D")
    assert at_mbs.remedies == ((Remedy.VOID, "mbs 5.8.1"),)
    assert at_rws.remedies == ((Remedy.DECIDE_ORDER, "rws-nc 5.7"),)
    assert mbs.refused(decision(Remedy.VOID, PIT_SUPERVISOR, replace_shoe=True)).code is Code.REMEDY_NOT_ALLOWED
    mbs.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert rws.refused(decision(Remedy.VOID, SHIFT_MANAGER)).code is Code.REMEDY_NOT_ALLOWED
    rws.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="2H 2D", replace_shoe=True)
    rws.deal("2H 2D")
    rws.finish()
    assert (mbs.net(2), rws.net(2)) == (0, 10_000)


# 6.1 What is not covered.


@rule("mbs 6.1")
@in_every_game
@pytest.mark.parametrize("remedy", [Remedy.CONTINUE, Remedy.NO_EFFECT, Remedy.VOID])
def test_what_is_not_covered_waits_for_the_gaming_shift_manager(game: str, remedy: Remedy) -> None:
    table = second_round(game, "4S 7H KD QC")
    table.report(Kind.NOT_COVERED, detail="a fire alarm")
    table.waits("mbs 6.1")
    assert table.takes(Rank.SHIFT_MANAGER, remedy) == "mbs 6.1"
    if remedy is Remedy.VOID:
        assert table.voids(decision(remedy, SHIFT_MANAGER)).clause == "mbs 6.1"
        assert table.credits() == AFTER_ONE_ROUND
    else:
        table.remedy(remedy, by=SHIFT_MANAGER)
        table.deal("5H")
        table.finish()
        assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("mbs 6.1", "mbs 6.2")
@pytest.mark.parametrize("cards", [None, "", "4S 7H KD", PLAYER_DRAWS])
def test_only_the_shift_manager_voids_a_round_outside_every_clause_and_says_why(cards: str | None) -> None:
    table = second_round(GAME, cards)
    for staff in EVERYBODY[:-1]:
        refusal = table.refused(signed(commands.VoidRound(), by=staff, why="smoke"))
        assert (refusal.code, refusal.paragraph) == (Code.RANK_TOO_LOW, "mbs 6.1")
    assert table.refused(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="")).code is Code.BAD_REPORT
    voided = table.voids(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="smoke in the hall"))
    assert (voided.why, voided.clause, voided.paragraph) == ("smoke in the hall", "mbs 6.1", RETURNS)
    assert table.credits() == AFTER_ONE_ROUND


@rule("mbs 6.1", "rws-nc 5.8")
@pytest.mark.parametrize("remedy", [Remedy.CONTINUE, Remedy.NO_EFFECT])
def test_an_error_found_later_is_for_the_mbs_shift_manager_but_settled_by_rws_nc_5_8(remedy: Remedy) -> None:
    mbs, rws = second_round(GAME, "4S 7H"), second_round("rws-nc", "4S 7H")
    assert mbs.report(Kind.FOUND_LATER, about_round=1).rank == "shift-manager"
    assert rws.report(Kind.FOUND_LATER, about_round=1).rank == "pit-supervisor"
    assert rws.takes(Rank.PIT_SUPERVISOR, Remedy.NO_EFFECT) == "rws-nc 5.8"
    assert mbs.takes(Rank.SHIFT_MANAGER, remedy) == "mbs 6.1"
    before = mbs.state
    mbs.remedy(remedy, by=SHIFT_MANAGER)
    assert mbs.state == before._replace(pending=())
    # Round 1 is paid and gone: no decision about it takes money from round 2 or back from round 1.
    assert mbs.credits() == {seat: AFTER_ONE_ROUND[seat] - sum(BETS[seat].values()) for seat in BETS}


@rule("mbs 6.1")
@pytest.mark.parametrize("remedy", [Remedy.VOID, Remedy.RECONSTRUCT, Remedy.DISCARD])
def test_not_even_the_shift_manager_undoes_an_earlier_round_through_this_one(remedy: Remedy) -> None:
    table = second_round(GAME, "4S 7H")
    table.report(Kind.FOUND_LATER, about_round=1)
    assert table.refused(decision(remedy, SHIFT_MANAGER)).code is Code.REMEDY_NOT_ALLOWED


# 6.3 The cards stand, whatever a display says.


@rule("mbs 6.3")
@in_every_game
def test_a_result_that_the_cards_do_not_show_cannot_be_declared(game: str) -> None:
    table = second_round(game, PLAYER_DRAWS)
    for winner, player, banker in [(Winner.BANKER, 7, 9), (Winner.PLAYER, 8, 7), (Winner.TIE, 9, 9)]:
        wrong = commands.DeclareResult(winner=winner, player_total=player, banker_total=banker)
        refusal = table.refused(wrong)
        assert (refusal.code, refusal.paragraph) == (Code.RESULT_DIFFERS, "mbs 6.3")
        assert refusal.message.startswith("The cards show Player, Player 9, Banker 7;")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("mbs 6.3")
@in_every_game
def test_a_wrong_result_that_is_reported_is_settled_by_the_cards(game: str) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.finish()
    table.report(Kind.WRONG_RESULT, detail="the Player's third card was the 2H")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.SETTLE_BY_CARDS, cards="4S 7H KD QC 2H") == "mbs 6.3"
    table.remedy(Remedy.SETTLE_BY_CARDS, by=PIT_SUPERVISOR, cards="4S 7H KD QC 2H")
    assert table.state.phase is Phase.SETTLED
    commission = 1_000 if game == "mbs-tiger" else 0  # 5% of 200.00
    assert (table.net(1), table.net(2)) == (-10_500, 20_000 - commission)
