"""rws-nc-super-six-plus 5.1, its words Reconstruction and Void, and what that document is silent on.

Expectations are read off the document, not off the data. Every remedy, paragraph and rank in every
situation is in test_clauses_super_six_plus. Late and withdrawn bets are in test_irregularities_insurance.
"""

import pytest

from natural9.core.cards import parse_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand
from tests.core.round.table import (
    AFTER_ONE_ROUND,
    ANYTHING,
    BOTH_DRAW,
    EVERYBODY,
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

GAME = "rws-nc-super-six-plus"
SILENT = "interpretation shift-manager-where-silent"
RETURNS = "rws-nc-super-six-plus 1:void"

# What the document does not speak of.
SILENT_ON = (
    Kind.UNSHUFFLED_CARDS,
    Kind.WRONG_AREA,
    Kind.WRONG_RESULT,
    Kind.ORDER_ALTERED,
    Kind.FACE_UP_IN_SHOE,
    Kind.TABLE_INTERRUPTION,
    Kind.TERMINAL_INTERRUPTION,
    Kind.NOT_COVERED,
)


# 5.1 What voids the round.


@rule(
    "rws-nc-super-six-plus 5.1",
    "rws-nc-super-six-plus 5.1.1",
    "rws-nc-super-six-plus 5.1.2",
    "rws-nc-super-six-plus 5.1.3",
    "rws-nc-super-six-plus 5.1.4",
    "rws-nc-super-six-plus 1:void",
)
@pytest.mark.parametrize("cards", ["", "4S", "4S 7H KD", "4S 7H KD QC"])
@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        (Kind.FOREIGN_CARD, "rws-nc-super-six-plus 5.1.1"),
        (Kind.SHORTAGE_OR_EXCESS, "rws-nc-super-six-plus 5.1.2"),
        (Kind.WRONG_NUMBER_OF_CARDS, "rws-nc-super-six-plus 5.1.3"),
        (Kind.INSUFFICIENT_CARDS, "rws-nc-super-six-plus 5.1.4"),
    ],
)
def test_each_of_the_four_situations_voids_the_round_and_the_rounds_before_stand(
    kind: Kind, clause: str, cards: str
) -> None:
    table = second_round(GAME, cards)
    table.report(kind)
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR, why="counted twice"))
    assert (voided.clause, voided.paragraph, voided.why) == (clause, RETURNS, "counted twice")
    assert voided.kind is kind
    decided = of(events.IrregularityDecided, table.happened)[-1]
    assert (decided.paragraph, decided.previous_stand) == (clause, "rws-nc-super-six-plus 5.1")
    assert table.credits() == AFTER_ONE_ROUND
    table.play(PLAYER_DRAWS)
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc-super-six-plus 5.1.1", "rws-nc-super-six-plus 5.1.2")
@pytest.mark.parametrize("kind", [Kind.FOREIGN_CARD, Kind.SHORTAGE_OR_EXCESS])
def test_a_settled_round_is_a_previous_one_for_them(kind: Kind) -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    table.finish()
    refusal = table.refused(report_of(kind, SHIFT_MANAGER))
    assert (refusal.code, refusal.paragraph) == (Code.ROUND_CONCLUDED, "rws-nc-super-six-plus 5.1")


@rule("rws-nc-super-six-plus 5.1.2")
def test_a_card_that_the_decks_cannot_hold_is_refused_and_corrected_or_reported_as_excess() -> None:
    table = Table(GAME, decks=4)
    table.play("9H 9H 9H 9H")
    table.open()
    table.deal("")
    refusal = table.refused(commands.DealCard(card=parse_cards("9H")[0], put_at=Hand.PLAYER))
    assert refusal.code is Code.CARD_TOO_MANY
    assert "An earlier card may be keyed wrong: correct it" in refusal.message
    assert 'report "too many or too few of a card"' in refusal.message


@rule("rws-nc-super-six-plus 5.1.3", "rws-nc-super-six-plus 1:void")
def test_a_wrong_number_of_cards_noticed_before_the_next_round_takes_back_the_settlement() -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    table.finish()
    table.report(Kind.WRONG_NUMBER_OF_CARDS)
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.VOID) == "rws-nc-super-six-plus 5.1.3"
    table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    reversals = of(events.SettlementReversed, table.happened)
    assert [(event.seat, event.cents) for event in reversals] == [(1, 20_000), (2, 0)]
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc-super-six-plus 5.1.3", "rws-nc-super-six-plus 1:reconstruction")
def test_reconstructed_cards_keep_their_sequence_within_the_round_and_into_the_next() -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(Kind.WRONG_NUMBER_OF_CARDS, cards="5H 8D", detail="the Banker's 7 was given a card as well")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.RECONSTRUCT) == "rws-nc-super-six-plus 5.1.3"
    [_, put] = table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR)
    assert put == events.CardsPutInOrder(cards=("5H", "8D"), paragraph="rws-nc-super-six-plus 5.1.3")
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


@rule("rws-nc-super-six-plus 5.1.3")
def test_once_the_next_round_has_begun_the_earlier_one_is_not_void_any_more() -> None:
    table = second_round(GAME, "4S")
    table.report(Kind.FOUND_LATER, about_round=1, detail="the Banker had three cards")
    assert table.refused(decision(Remedy.VOID, SHIFT_MANAGER)).code is Code.REMEDY_NOT_ALLOWED
    before = table.state
    table.remedy(Remedy.NO_EFFECT, by=SHIFT_MANAGER)
    assert table.state == before._replace(pending=())


@rule("rws-nc-super-six-plus 5.1.4")
def test_cards_are_insufficient_only_while_one_is_due() -> None:
    for cards in (None, PLAYER_DRAWS):
        table = second_round(GAME, cards)
        assert table.refused(report_of(Kind.INSUFFICIENT_CARDS)).code is Code.NO_CARD_DUE


@rule("rws-nc-super-six-plus 1:void")
def test_a_void_round_has_no_result_not_even_for_a_bet_that_was_sure_to_win() -> None:
    bets = {1: {"super-six-plus": 1_000, "banker-pair": 500}, 2: {"player": 10_000}}
    table = second_round(GAME, "2S 3H KD 3C KH", bets=bets)  # Player 2 stays 2; Banker stands on 6 and a pair
    table.report(Kind.FOREIGN_CARD)
    table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    declaring = commands.DeclareResult(winner=Winner.BANKER, player_total=2, banker_total=6)
    assert table.refused(declaring).code is Code.NOT_COMPLETE
    table.try_to(signed(commands.CorrectResult(cards=parse_cards(PLAYER_DRAWS)), by=SHIFT_MANAGER))  # the record only
    assert (table.net(1), table.net(2)) == (0, 0)
    assert table.refused(commands.Settle()).code is Code.NOT_COMPLETE
    assert table.refused(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="again")).code is Code.ALREADY_DONE


# What the document is silent on.


@pytest.mark.parametrize("kind", SILENT_ON)
@pytest.mark.parametrize("remedy", [Remedy.CONTINUE, Remedy.NO_EFFECT, Remedy.VOID])
def test_where_the_document_is_silent_the_table_waits_for_the_shift_manager_with_bets_held(
    kind: Kind, remedy: Remedy
) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.do(report_of(kind))
    table.waits(SILENT)
    for staff in EVERYBODY[:-1]:
        assert table.refused(decision(remedy, staff)).code is Code.RANK_TOO_LOW
        assert table.refused(signed(commands.VoidRound(), by=staff, why="power failure")).code is Code.RANK_TOO_LOW
    assert table.state.staked_cents == 30_500
    assert (table.net(1), table.net(2)) == (-10_500, -20_000)
    if remedy is Remedy.VOID:
        assert table.voids(decision(remedy, SHIFT_MANAGER)).clause == SILENT
        assert table.credits() == AFTER_ONE_ROUND
    else:
        table.remedy(remedy, by=SHIFT_MANAGER)
        table.deal("5H")
        table.finish()
        assert (table.net(1), table.net(2)) == (9_500, -20_000)


@pytest.mark.parametrize("cards", [None, "", "4S", "4S 7H KD QC", PLAYER_DRAWS])
def test_a_power_failure_waits_for_the_shift_manager_whatever_is_established(cards: str | None) -> None:
    table = second_round(GAME, cards)
    reported = table.report(Kind.TABLE_INTERRUPTION)
    assert {paragraph for _, paragraph in reported.remedies} == {SILENT}
    assert {remedy for remedy, _ in reported.remedies} == set(ANYTHING)
    assert reported.rank == "shift-manager"
    table.waits(SILENT)


@rule("rws-nc-super-six-plus 1:reconstruction")
@pytest.mark.parametrize("place", range(6))
def test_a_card_laid_in_the_other_area_belongs_to_its_hand_and_the_shift_manager_has_it_put_there(place: int) -> None:
    cards = BOTH_DRAW.split()
    table = second_round(GAME, " ".join(cards[:place]))
    due = table.state.due
    assert due is not None
    table.do(commands.DealCard(card=parse_cards(cards[place])[0], put_at=due.other))
    assert table.takes(Rank.SHIFT_MANAGER, Remedy.RECONSTRUCT) == SILENT
    table.remedy(Remedy.RECONSTRUCT, by=SHIFT_MANAGER)
    assert table.state.put_at[place] is due
    table.deal(" ".join(cards[place + 1 :]))
    table.finish()
    assert (table.net(1), table.net(2)) == (-10_500, 10_000)
