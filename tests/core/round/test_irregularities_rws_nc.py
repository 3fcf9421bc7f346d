"""rws-nc 5.3 to 5.12: what the document demands for each irregularity, by whose decision, and what becomes of the bets.

Expectations are read off the document, not off the data. Every remedy, paragraph and rank in every situation is in
test_clauses_rws_nc; here is how each plays out. 5.1 and 5.2 are in
test_recovery_rules, 5.6 and 5.10 in test_corrections; late and withdrawn bets are beside their mbs counterparts.
"""

import pytest

from natural9.core.cards import parse_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code
from natural9.core.round.remedies import Names, names
from natural9.core.round.state import Phase
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand
from tests.core.round.table import (
    AFTER_ONE_ROUND,
    BANKER_DRAWS,
    BOTH_DRAW,
    BOTH_STAND,
    COMMANDS,
    DEALER,
    EVERYBODY,
    NATURAL,
    OTHER_COMMANDS,
    PIT_MANAGER,
    PIT_SUPERVISOR,
    PLAYER_DRAWS,
    SHIFT_MANAGER,
    WHILE_IT_WAITS,
    Signed,
    Table,
    decision,
    of,
    report_of,
    second_round,
    signed,
)

rule = pytest.mark.rule

GAME = "rws-nc"
STANDS = "interpretation settled-round-stands"


def test_every_command_either_waits_while_an_irregularity_does_or_goes_on() -> None:
    waits = {type(one.command if isinstance(one, Signed) else one) for one in OTHER_COMMANDS}
    assert waits | WHILE_IT_WAITS == COMMANDS
    assert not waits & WHILE_IT_WAITS


def test_nothing_is_decided_that_nobody_reported() -> None:
    table = second_round(GAME, "4S 7H")
    assert table.refused(decision(Remedy.VOID, SHIFT_MANAGER)).code is Code.NO_IRREGULARITY


# 5.3 What voids the round, and leaves the earlier ones.


@rule("rws-nc 5.3", "rws-nc 5.3.1", "rws-nc 5.3.2", "rws-nc 5.3.4", "rws-nc 5.3.5", "rws-nc 5.11", "rws-nc 1.20")
@pytest.mark.parametrize("cards", ["", "4S", "4S 7H KD", "4S 7H KD QC"])
@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        (Kind.FOREIGN_CARD, "rws-nc 5.3.1"),
        (Kind.SHORTAGE_OR_EXCESS, "rws-nc 5.3.2"),
        (Kind.INSUFFICIENT_CARDS, "rws-nc 5.3.4"),
        (Kind.UNSHUFFLED_CARDS, "rws-nc 5.3.5"),
    ],
)
def test_wrong_cards_void_the_round_and_the_rounds_before_stand(kind: Kind, clause: str, cards: str) -> None:
    table = second_round(GAME, cards)
    assert table.report(kind).remedies == ((Remedy.VOID, clause),)
    assert table.refused(decision(Remedy.VOID, DEALER)).code is Code.RANK_TOO_LOW
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR, why="seen by the camera"))
    assert (voided.clause, voided.paragraph, voided.by) == (clause, "rws-nc 5.11", PIT_SUPERVISOR.id)
    assert (voided.kind, voided.why) == (kind, "seen by the camera")
    decided = of(events.IrregularityDecided, table.happened)[-1]
    assert (decided.paragraph, decided.previous_stand) == (clause, "rws-nc 5.3")
    assert table.credits() == AFTER_ONE_ROUND
    table.play(PLAYER_DRAWS)
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc 5.3.1", "rws-nc 5.3.2", "rws-nc 5.3.5")
@pytest.mark.parametrize("kind", [Kind.FOREIGN_CARD, Kind.SHORTAGE_OR_EXCESS, Kind.UNSHUFFLED_CARDS])
def test_wrong_cards_may_be_found_before_the_bets_are_closed_and_after_the_last_card(kind: Kind) -> None:
    for cards in (None, NATURAL):
        table = second_round(GAME, cards)
        table.report(kind)
        table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
        assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc 5.3.2")
def test_a_card_that_the_decks_cannot_hold_is_refused_and_corrected_or_reported_as_excess() -> None:
    table = Table(GAME, decks=4)
    table.play("9H 9H 9H 9H")
    table.open()
    table.deal("")
    refusal = table.refused(commands.DealCard(card=parse_cards("9H")[0], put_at=Hand.PLAYER))
    assert (refusal.code, refusal.paragraph) == (Code.CARD_TOO_MANY, "interpretation record-of-a-card")
    assert "An earlier card may be keyed wrong: correct it" in refusal.message
    assert 'report "too many or too few of a card"' in refusal.message
    table.report(Kind.SHORTAGE_OR_EXCESS)
    assert table.voids(decision(Remedy.VOID, PIT_SUPERVISOR)).clause == "rws-nc 5.3.2"


@rule("rws-nc 5.3.3", "rws-nc 5.11")
@pytest.mark.parametrize("cards", ["4S 7H KD QC", PLAYER_DRAWS, NATURAL])
def test_a_wrong_number_of_cards_that_cannot_be_reconstructed_voids_the_round(cards: str) -> None:
    table = second_round(GAME, cards)
    table.report(Kind.WRONG_NUMBER_OF_CARDS, cards="8D", detail="the Player was given one more")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.VOID) == "rws-nc 5.3.3"
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert (voided.clause, voided.paragraph) == ("rws-nc 5.3.3", "rws-nc 5.11")
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc 5.3.3", "rws-nc 5.4")
def test_a_wrong_number_of_cards_that_can_be_reconstructed_is() -> None:
    table = second_round(GAME, NATURAL)
    table.report(Kind.WRONG_NUMBER_OF_CARDS, cards="8D", detail="the Banker drew against a Natural")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.RECONSTRUCT) == "rws-nc 5.4"
    table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR)
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    table.open()
    assert table.held == "8D"


@rule("rws-nc 5.3.3", "rws-nc 5.11")
def test_a_wrong_number_of_cards_noticed_after_settlement_reverses_it_seat_by_seat_and_voids() -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    table.report(Kind.WRONG_NUMBER_OF_CARDS)
    table.waits("rws-nc 5.3.3")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.VOID) == "rws-nc 5.3.3"
    table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    reversals = of(events.SettlementReversed, table.happened)
    assert [(event.seat, event.cents, event.paragraph) for event in reversals] == [
        (1, 20_000, "rws-nc 5.3.3"),
        (2, 0, "rws-nc 5.3.3"),
    ]
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc 5.3.4")
def test_cards_are_insufficient_only_while_one_is_due() -> None:
    for cards in (None, PLAYER_DRAWS):
        table = second_round(GAME, cards)
        assert table.refused(commands.ReportIrregularity(kind=Kind.INSUFFICIENT_CARDS)).code is Code.NO_CARD_DUE


@rule("rws-nc 5.3", "rws-nc 1.18")
@pytest.mark.parametrize(
    ("kind", "paragraph"),
    [
        (Kind.FOREIGN_CARD, "rws-nc 5.3"),
        (Kind.SHORTAGE_OR_EXCESS, "rws-nc 5.3"),
        (Kind.UNSHUFFLED_CARDS, "rws-nc 5.3"),
        (Kind.WRONG_AREA, STANDS),
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


def test_before_any_round_there_is_nothing_to_report_or_void() -> None:
    table = Table(GAME)
    for kind in Kind:
        assert table.refused(commands.ReportIrregularity(kind=kind)).code is Code.NO_ROUND
    assert table.refused(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="no reason")).code is Code.NO_ROUND


# 5.4 Cards in excess or exposed.


@rule("rws-nc 5.4", "rws-nc 1.17")
def test_an_exposed_card_is_reconstructed_it_is_the_next_one_and_nothing_else_is() -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(Kind.EXCESS_OR_EXPOSED, cards="5H", detail="the Player's third card came out face up")
    [decided, put] = table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR, why="one card, next in order")
    assert isinstance(decided, events.IrregularityDecided)
    assert (decided.by, decided.rank, decided.why) == (PIT_SUPERVISOR.id, "pit-supervisor", "one card, next in order")
    assert put == events.CardsPutInOrder(cards=("5H",), paragraph="rws-nc 5.4")
    refusal = table.refused(commands.DealCard(card=parse_cards("5D")[0], put_at=Hand.PLAYER))
    assert refusal.code is Code.NOT_THE_NEXT_CARD
    assert "5H" in refusal.message
    table.deal("5H")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc 5.4")
@pytest.mark.parametrize("is_settled", [False, True])
def test_a_card_drawn_beyond_the_end_of_the_round_opens_the_next_one(is_settled: bool) -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    if is_settled:
        table.finish()
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.USE_IN_NEXT_ROUND) == "rws-nc 5.4"
    table.remedy(Remedy.USE_IN_NEXT_ROUND, by=PIT_SUPERVISOR)
    if not is_settled:
        table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    table.open()
    table.deal("")
    assert (
        table.refused(commands.DealCard(card=parse_cards("8C")[0], put_at=Hand.PLAYER)).code is Code.NOT_THE_NEXT_CARD
    )
    table.deal("8D 2C")
    assert (table.cards, table.held) == ("8D 2C", "")


@rule("rws-nc 5.4")
def test_a_card_is_not_kept_for_the_next_round_nor_burnt_while_this_one_is_due_it() -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(Kind.EXCESS_OR_EXPOSED, cards="5H")
    for remedy in (Remedy.USE_IN_NEXT_ROUND, Remedy.DISCARD):
        assert table.refused(decision(remedy, SHIFT_MANAGER)).code is Code.REMEDY_NOT_ALLOWED


@rule("rws-nc 5.4")
def test_of_two_cards_too_many_one_may_finish_this_round_and_one_open_the_next() -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(Kind.EXCESS_OR_EXPOSED, cards="5H 8D")
    table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR)
    assert table.held == "5H 8D"
    table.deal("5H")
    table.finish()
    table.open()
    table.deal("8D")
    assert table.held == ""


@rule("rws-nc 5.4", "rws-nc 1.17")
def test_a_card_drawn_while_another_waits_comes_after_it_in_the_order_of_drawing() -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    table.remedy(Remedy.USE_IN_NEXT_ROUND, by=PIT_SUPERVISOR)
    table.finish()
    table.open()
    table.deal("")
    # The dealer takes a fresh card from the shoe instead of the one that waits: exposed, and one too soon.
    assert (
        table.refused(commands.DealCard(card=parse_cards("2C")[0], put_at=Hand.PLAYER)).code is Code.NOT_THE_NEXT_CARD
    )
    table.report(Kind.EXCESS_OR_EXPOSED, cards="2C")
    table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR)
    assert table.held == "8D 2C"


@rule("rws-nc 5.4", "rws-nc 5.3.3")
def test_where_the_house_finds_that_excess_cards_cannot_be_reconstructed_the_round_is_void() -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.VOID) == "rws-nc 5.3.3"
    assert table.voids(decision(Remedy.VOID, PIT_MANAGER)).by == PIT_MANAGER.id
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc 5.4", "rws-nc 1.18")
@pytest.mark.parametrize("is_settled", [False, True])
def test_a_card_beyond_the_last_one_voids_nothing_and_may_be_burnt(is_settled: bool) -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    if is_settled:
        table.finish()
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    assert table.refused(decision(Remedy.VOID, SHIFT_MANAGER)).code is Code.REMEDY_NOT_ALLOWED
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.DISCARD) == "rws-nc 5.4"
    [_, burnt] = table.remedy(Remedy.DISCARD, by=PIT_SUPERVISOR, why="it fell to the floor")
    assert isinstance(burnt, events.CardsDiscarded)
    assert (burnt.cards, burnt.waited, burnt.by, burnt.why) == (
        ("8D",),
        False,
        PIT_SUPERVISOR.id,
        "it fell to the floor",
    )
    if not is_settled:
        table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    table.open()
    assert table.held == ""
    assert table.state.shoe is not None
    assert table.state.shoe.left(parse_cards("8D")[0]) == 7


@rule("rws-nc 5.4")
def test_a_card_drawn_in_a_round_that_is_then_void_does_not_count_as_still_in_the_shoe() -> None:
    table = Table(GAME, decks=4)
    table.open()
    table.deal("4S 7H KD QC")
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    table.remedy(Remedy.VOID, by=PIT_SUPERVISOR)
    assert table.state.shoe is not None
    assert table.state.shoe.cards_left == 4 * 52 - 5


@rule("rws-nc 5.4")
def test_a_report_of_excess_cards_names_them_and_they_can_be_in_the_shoe() -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    assert table.refused(commands.ReportIrregularity(kind=Kind.EXCESS_OR_EXPOSED)).code is Code.BAD_REPORT
    nine_aces = commands.ReportIrregularity(kind=Kind.EXCESS_OR_EXPOSED, cards=parse_cards("AS") * 9)
    assert table.refused(nine_aces).code is Code.CARD_TOO_MANY


@rule("rws-nc 5.4")
@pytest.mark.parametrize("cards", [None, "", "4S 7H KD"])
def test_a_card_face_up_in_the_shoe_is_an_exposed_card_played_in_its_order(cards: str | None) -> None:
    table = second_round(GAME, cards)
    table.report(Kind.FACE_UP_IN_SHOE)
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.CONTINUE) == "rws-nc 5.4"
    before = table.state
    table.remedy(Remedy.CONTINUE, by=PIT_SUPERVISOR)
    assert table.state == before._replace(pending=())


# 5.5 Cards in the wrong area.


@rule("rws-nc 5.5", "rws-nc 1.17")
@pytest.mark.parametrize("place", range(6))
def test_a_card_laid_in_the_other_area_plays_where_it_belongs_and_is_put_there_before_play_goes_on(place: int) -> None:
    cards = BOTH_DRAW.split()
    table = second_round(GAME, " ".join(cards[:place]))
    due = table.state.due
    assert due is not None
    [dealt, reported] = table.do(commands.DealCard(card=parse_cards(cards[place])[0], put_at=due.other))
    assert isinstance(dealt, events.CardDealt)
    assert (dealt.hand, dealt.put_at) == (due, due.other)
    assert isinstance(reported, events.IrregularityReported)
    assert (reported.kind, reported.remedies) == (Kind.WRONG_AREA, ((Remedy.RECONSTRUCT, "rws-nc 5.5"),))
    assert (
        reported.detail == f"{cards[place]} belongs to the {due.words} hand and was put in the {due.other.words} area"
    )
    assert dealt.describe() == f"{cards[place]} to the {due.words} hand, put in the {due.other.words} area"
    table.waits("rws-nc 5.5")
    assert table.takes(Rank.DEALER, Remedy.RECONSTRUCT) == "rws-nc 5.5"
    [_, reconstructed] = table.remedy(Remedy.RECONSTRUCT, by=DEALER)
    assert isinstance(reconstructed, events.CardsReconstructed)
    assert reconstructed.put_at[place] is due
    assert reconstructed.paragraph == "rws-nc 5.5"
    table.deal(" ".join(cards[place + 1 :]))
    belong = [Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER, Hand.PLAYER, Hand.BANKER]
    assert list(table.state.put_at) == belong
    table.finish()
    assert (table.net(1), table.net(2)) == (-10_500, 10_000)


@rule("rws-nc 5.5")
def test_the_bankers_third_card_in_the_players_area_does_not_become_the_players() -> None:
    table = second_round(GAME, "7S 2H KD 3C")
    table.do(commands.DealCard(card=parse_cards("4D")[0], put_at=Hand.PLAYER))
    table.remedy(Remedy.RECONSTRUCT, by=DEALER)
    outcome = table.state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.player_total, outcome.banker_total) == (Winner.BANKER, 7, 9)


# 5.7 Two cards or more drawn together.


@rule("rws-nc 5.7")
@pytest.mark.parametrize(("order", "nets"), [("5H 2D", (9_500, -20_000)), ("2D 5H", (-10_500, 20_000))])
def test_the_order_of_cards_drawn_together_is_decided_by_the_pit_supervisor_or_above(
    order: str, nets: tuple[int, int]
) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    reported = table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="5H 2D")
    assert reported.cards == ("5H", "2D")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.DECIDE_ORDER, cards=order) == "rws-nc 5.7"
    [_, put] = table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards=order)
    assert put == events.CardsPutInOrder(cards=tuple(order.split()), paragraph="rws-nc 5.7")
    first, second = order.split()
    assert (
        table.refused(commands.DealCard(card=parse_cards(second)[0], put_at=Hand.PLAYER)).code is Code.NOT_THE_NEXT_CARD
    )
    table.deal(first)
    table.finish()
    assert (table.net(1), table.net(2)) == nets
    table.open()
    assert table.held == second


@rule("rws-nc 5.7")
def test_three_cards_drawn_together_may_be_the_last_of_this_round_and_the_first_of_the_next() -> None:
    table = second_round(GAME, "3S 4H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="8D 2D 2H")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_MANAGER, cards="2H 2D 8D")
    table.deal("2H 2D")
    table.finish()
    assert (table.net(1), table.net(2)) == (-10_500, 10_000)
    table.open()
    table.deal("8D")


@rule("rws-nc 5.7")
@pytest.mark.parametrize("order", ["", "5H", "5H 9C", "5H 2D 2D"])
def test_the_decision_says_the_order_of_exactly_those_cards(order: str) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="5H 2D")
    refusal = table.refused(decision(Remedy.DECIDE_ORDER, PIT_SUPERVISOR, cards=order))
    assert (refusal.code, refusal.paragraph) == (Code.BAD_REPORT, "rws-nc 5.7")


@rule("rws-nc 5.7")
def test_cards_drawn_together_are_two_or_more() -> None:
    table = second_round(GAME, "4S 7H KD QC")
    for kind in (Kind.DRAWN_TOGETHER_ORDER_KNOWN, Kind.DRAWN_TOGETHER_ORDER_UNKNOWN):
        report = commands.ReportIrregularity(kind=kind, cards=parse_cards("5H"))
        assert table.refused(report).code is Code.BAD_REPORT


@rule("rws-nc 5.4", "rws-nc 1.17")
def test_cards_drawn_together_whose_order_is_known_are_reconstructed_in_it() -> None:
    table = second_round(GAME, "3S 4H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_KNOWN, cards="2H 2D")
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.RECONSTRUCT) == "rws-nc 5.4"
    table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR)
    assert (
        table.refused(commands.DealCard(card=parse_cards("2D")[0], put_at=Hand.PLAYER)).code is Code.NOT_THE_NEXT_CARD
    )
    table.deal("2H 2D")
    table.finish()
    assert (table.net(1), table.net(2)) == (-10_500, 10_000)


@rule("rws-nc 5.7.1")
def test_whoever_decides_the_order_may_replace_the_cards_in_the_shoe_with_a_new_set() -> None:
    table = Table(GAME, decks=4)
    table.play("9H 9H 9H 9H")
    table.open()
    table.deal("3S 4H KD QC")
    table.do(commands.ReportCutCard())  # of the old set: the new one is not spent by it
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="2H 2D")
    table.takes(Rank.PIT_SUPERVISOR, Remedy.DECIDE_ORDER, cards="2H 2D", replace_shoe=True)
    unsaid = decision(Remedy.DECIDE_ORDER, PIT_SUPERVISOR, cards="2H 2D", replace_shoe=True, why=" ")
    assert table.refused(unsaid).code is Code.REASON_NEEDED
    happened = table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="2H 2D", replace_shoe=True)
    assert happened[-1] == events.ShoeReplaced(shoe=2, decks=4, by=PIT_SUPERVISOR.id, paragraph="rws-nc 5.7.1")
    table.deal("2H 2D")  # drawn before the change, so they still come first
    table.finish()
    assert (table.net(1), table.net(2)) == (-10_500, 10_000)
    table.play("9H 9H 9H 9H")  # of the new set: the old one held no more of them


@rule("rws-nc 5.7.1")
def test_the_set_may_also_be_kept_and_is_not_replaced_for_any_other_reason() -> None:
    table = second_round(GAME, "3S 4H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="2H 2D")
    assert not of(events.ShoeReplaced, table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="2H 2D"))
    for kind, remedy in [(Kind.FOREIGN_CARD, Remedy.VOID), (Kind.EXCESS_OR_EXPOSED, Remedy.RECONSTRUCT)]:
        table = second_round(GAME, "3S 4H KD QC")
        table.do(report_of(kind))
        refusal = table.refused(decision(remedy, SHIFT_MANAGER, replace_shoe=True))
        assert refusal.code is Code.REMEDY_NOT_ALLOWED


# 5.8 Found later.


@rule("rws-nc 5.8")
@pytest.mark.parametrize("cards", [None, "", "4S 7H KD", PLAYER_DRAWS])
def test_an_error_of_an_earlier_round_has_no_effect_on_this_one_nor_on_that(cards: str | None) -> None:
    table = second_round(GAME, cards)
    reported = table.report(Kind.FOUND_LATER, about_round=1, detail="round 1 had a wrong number of cards")
    assert (reported.about_round, reported.remedies) == (1, ((Remedy.NO_EFFECT, "rws-nc 5.8"),))
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.NO_EFFECT) == "rws-nc 5.8"
    before = table.state
    assert len(table.remedy(Remedy.NO_EFFECT, by=PIT_SUPERVISOR)) == 1
    assert table.state == before._replace(pending=())


@rule("rws-nc 5.8")
@pytest.mark.parametrize("about_round", [None, 0, 2, 3])
def test_found_later_is_about_an_earlier_round(about_round: int | None) -> None:
    table = second_round(GAME, "4S 7H")
    report = commands.ReportIrregularity(kind=Kind.FOUND_LATER, about_round=about_round)
    assert table.refused(report).code is Code.BAD_REPORT


@rule("rws-nc 5.8", "rws-nc 5.3.3")
@pytest.mark.parametrize("kind", [Kind.WRONG_NUMBER_OF_CARDS, Kind.FOREIGN_CARD, Kind.UNSHUFFLED_CARDS])
def test_a_report_that_names_an_earlier_round_never_voids_the_later_one(kind: Kind) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    if table.try_to(commands.ReportIrregularity(kind=kind, about_round=1, detail="it was in round 1")):
        table.try_to(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert table.state.phase is not Phase.VOID
    assert table.state.staked_cents == 30_500


# 5.11 Void.


@rule("rws-nc 5.11", "rws-nc 1.20")
def test_a_void_round_returns_every_bet_of_every_seat_and_has_no_result() -> None:
    wagers = ("player", "banker", "tie", "player-pair", "banker-pair")
    bets = {seat: dict.fromkeys(wagers, 100 * seat) for seat in (1, 2, 3, 40, 5_000)}
    table = second_round(GAME, "9S 9H KD KC", bets=bets)  # a Player Natural: every bet is decided, and still goes back
    table.report(Kind.FOREIGN_CARD)
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert voided.returned_cents == 5 * 100 * (1 + 2 + 3 + 40 + 5_000)
    assert voided.paragraph == "rws-nc 5.11"
    declaring = commands.DeclareResult(winner=Winner.TIE, player_total=9, banker_total=9)
    assert table.refused(declaring).code is Code.NOT_COMPLETE
    table.do(signed(commands.CorrectCard(place=1, card=parse_cards("8S")[0]), by=SHIFT_MANAGER))  # the record only
    assert (table.state.phase, table.state.staked_cents) == (Phase.VOID, 0)
    assert table.refused(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="again")).code is Code.ALREADY_DONE


@rule("rws-nc 1.20", "rws-nc 5.11")
@pytest.mark.parametrize("cards", ["8S KH KD 5C", "8S KH"])
def test_not_even_the_shift_manager_gives_a_void_round_a_result_afterwards(cards: str) -> None:
    table = second_round(GAME, BOTH_STAND)
    table.report(Kind.FOREIGN_CARD)
    table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    if table.try_to(signed(commands.ReportIrregularity(kind=Kind.NOT_COVERED), by=SHIFT_MANAGER)):
        table.try_to(decision(Remedy.SETTLE_BY_CARDS, SHIFT_MANAGER, cards=cards))
    assert table.state.phase is Phase.VOID


# 5.12 What is not covered.


@rule("rws-nc 5.12")
@pytest.mark.parametrize("kind", [Kind.NOT_COVERED, Kind.ORDER_ALTERED])
@pytest.mark.parametrize("remedy", [Remedy.CONTINUE, Remedy.NO_EFFECT])
def test_the_shift_manager_may_let_the_round_go_on(kind: Kind, remedy: Remedy) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(kind, detail="a player's drink is in the shoe")
    table.waits("rws-nc 5.12")
    assert table.takes(Rank.SHIFT_MANAGER, remedy) == "rws-nc 5.12"
    table.remedy(remedy, by=SHIFT_MANAGER, why="the cards are dry")
    table.deal("5H")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc 5.12", "rws-nc 5.11")
@pytest.mark.parametrize("kind", [Kind.NOT_COVERED, Kind.ORDER_ALTERED])
def test_the_shift_manager_may_void_what_is_not_covered(kind: Kind) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(kind)
    voided = table.voids(decision(Remedy.VOID, SHIFT_MANAGER))
    assert (voided.clause, voided.paragraph) == ("rws-nc 5.12", "rws-nc 5.11")
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc 5.12")
def test_the_shift_manager_may_have_the_cards_put_in_order_or_settle_by_other_cards() -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.report(Kind.NOT_COVERED, cards="5H")
    table.remedy(Remedy.RECONSTRUCT, by=SHIFT_MANAGER)
    assert table.held == "5H"
    table = second_round(GAME, PLAYER_DRAWS)
    table.finish()
    table.report(Kind.NOT_COVERED)
    table.remedy(Remedy.SETTLE_BY_CARDS, by=SHIFT_MANAGER, cards="4S 7H KD QC 2H")
    assert (table.net(1), table.net(2)) == (-10_500, 20_000)


@rule("rws-nc 5.12", "rws-nc 5.11", "rws-nc 1.12")
@pytest.mark.parametrize("cards", [None, "", "4S 7H KD", PLAYER_DRAWS])
@pytest.mark.parametrize("is_pending", [False, True])
def test_only_the_shift_manager_voids_a_round_outside_every_clause_and_says_why(
    cards: str | None, is_pending: bool
) -> None:
    table = second_round(GAME, cards)
    if is_pending:
        table.report(Kind.TERMINAL_INTERRUPTION)
    for staff in EVERYBODY[:-1]:
        refusal = table.refused(signed(commands.VoidRound(), by=staff, why="smoke"))
        assert (refusal.code, refusal.paragraph) == (Code.RANK_TOO_LOW, "rws-nc 5.12")
    assert table.refused(signed(commands.VoidRound(), by=SHIFT_MANAGER, why=" ")).code is Code.BAD_REPORT
    voided = table.voids(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="smoke in the hall"))
    assert (voided.why, voided.clause, voided.paragraph) == ("smoke in the hall", "rws-nc 5.12", "rws-nc 5.11")
    assert voided.kind is None
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc 5.12", "rws-nc 1.18")
def test_not_even_the_shift_manager_voids_a_settled_round_but_rules_on_its_bets() -> None:
    table = Table(GAME)
    table.play(BANKER_DRAWS)  # Player 7, Banker 9
    refusal = table.refused(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="the camera shows a switched card"))
    assert (refusal.code, refusal.paragraph) == (Code.ROUND_CONCLUDED, STANDS)
    ruling = commands.RuleOnBet(seat=1, wager="player")
    for staff in EVERYBODY[:-1]:
        assert table.refused(signed(ruling, by=staff)).code is Code.RANK_TOO_LOW
    [ruled] = table.do(signed(ruling, by=SHIFT_MANAGER, why="the camera shows a switched card"))
    assert isinstance(ruled, events.BetRuled)
    assert (ruled.was_cents, ruled.returned_cents, ruled.paragraph) == (0, 10_000, "rws-nc 5.12")
    assert (table.net(1), table.net(2)) == (-500, 20_000)


@pytest.mark.parametrize(
    ("kind", "cards", "remedy", "named"),
    [
        (Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, "8D 9C", Remedy.DECIDE_ORDER, Names.ORDER),
        (Kind.EXCESS_OR_EXPOSED, "8D", Remedy.RECONSTRUCT, Names.NOTHING),  # one card has one order
        (Kind.NOT_COVERED, "", Remedy.SETTLE_BY_CARDS, Names.CARDS),
        (Kind.NOT_COVERED, "8D 9C", Remedy.CONTINUE, Names.ORDER),
        (Kind.NOT_COVERED, "", Remedy.VOID, Names.NOTHING),
    ],
)
def test_which_cards_a_decision_names(kind: Kind, cards: str, remedy: Remedy, named: Names) -> None:
    table = second_round("rws-nc", "4S 7H KD QC")
    table.report(kind, cards=cards)
    [pending] = table.state.pending
    assert names(pending, remedy) is named
