"""Putting registered cards and results right: rws-nc 5.6, 5.8 to 5.10, mbs 6.3. The cards on the table decide.

Expectations are read off the documents and worked out by hand; the last test plays random rounds with a wrong card and
compares the money with a round in which the right one was registered at once.
"""

from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from natural9.core.cards import ALL_CARDS, Card, parse_cards
from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round import Refusal, commands, events
from natural9.core.round.correcting import Correction, what_to_correct
from natural9.core.round.refusal import Code
from natural9.core.round.state import Phase
from natural9.core.staff import Rank, Staff
from natural9.core.table_of_play import Hand, played_count
from natural9.games import game_ids
from tests.core.round.table import (
    AFTER_ONE_ROUND,
    BETS,
    BOTH_DRAW,
    BOTH_STAND,
    DEALER,
    EVERYBODY,
    ONE_GAME_A_DOCUMENT,
    PIT_SUPERVISOR,
    PLAYER_DRAWS,
    SHIFT_MANAGER,
    Signed,
    Table,
    decision,
    of,
    second_round,
    signed,
)

rule = pytest.mark.rule

SILENT = "interpretation shift-manager-where-silent"
RECORD = "interpretation record-of-a-card"
INSURANCE_UNDONE = "interpretation corrected-insurance"
# Who corrects a declared result, and by what: two documents say that the cards decide, two are silent.
CORRECTS = {
    "rws-nc": (Rank.PIT_SUPERVISOR, "rws-nc 5.6"),
    "mbs-nc": (Rank.PIT_SUPERVISOR, "mbs 6.3"),
    "mbs-tiger": (Rank.PIT_SUPERVISOR, "mbs 6.3"),
    "rws-nc-insurance": (Rank.SHIFT_MANAGER, SILENT),
    "rws-nc-super-six-plus": (Rank.SHIFT_MANAGER, SILENT),
}
in_every_document = pytest.mark.parametrize("game", CORRECTS)


def fix(place: int, card: str, by: Staff = SHIFT_MANAGER) -> Signed:
    return signed(commands.CorrectCard(place=place, card=Card.parse(card)), by=by, why="the card on the table")


def as_they_lie(cards: str, by: Staff = SHIFT_MANAGER) -> Signed:
    return signed(commands.CorrectResult(cards=parse_cards(cards)), by=by, why="as they lie")


def takes(table: Table, game: str, command: Callable[[Staff], Signed]) -> None:
    """Whoever ranks lower than the document asks is refused; whoever does not, may."""
    rank, paragraph = CORRECTS[game]
    for staff in EVERYBODY:
        if staff.rank < rank:
            refusal = table.refused(command(staff))
            assert (refusal.code, refusal.paragraph) == (Code.RANK_TOO_LOW, paragraph)
    table.do(command(next(staff for staff in EVERYBODY if staff.rank == rank)))


# Before the result is declared.


@rule("rws-nc 5.6", "mbs 6.3")
@in_every_document
@pytest.mark.parametrize("staff", EVERYBODY)
def test_a_miskeyed_card_is_the_dealers_to_mend_before_the_result(game: str, staff: Staff) -> None:
    table = second_round(game, "4S 7H KD")
    [corrected] = table.do(fix(1, "5S", staff))
    assert corrected == events.CardsCorrected(
        cards=("5S", "7H", "KD"),
        put_at=(Hand.PLAYER, Hand.BANKER, Hand.PLAYER),
        held=(),
        phase=Phase.INITIAL_DEAL,
        by=staff.id,
        why="the card on the table",
        paragraph=RECORD,
    )
    table.deal("QC 3H")  # Player 5 and 8, Banker 7
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc 5.6", "rws-nc 1.17", "mbs 5.7", "mbs 6.3")
@pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
def test_cards_registered_in_the_wrong_order_are_put_in_the_order_in_which_they_were_dealt(game: str) -> None:
    table = second_round(game, "7S 4H QC KD")
    table.do(as_they_lie("4H 7S KD QC", DEALER))
    assert (table.cards, table.state.due) == ("4H 7S KD QC", Hand.PLAYER)  # Player 4 and not 7
    table.deal("5H")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc 5.6", "mbs 6.3")
@in_every_document
def test_a_complete_round_may_turn_out_incomplete_before_its_result(game: str) -> None:
    table = second_round(game, BOTH_STAND)
    table.do(fix(1, "5S", DEALER))
    assert table.state.due is Hand.PLAYER
    declaring = commands.DeclareResult(winner=Winner.BANKER, player_total=5, banker_total=7)
    assert table.refused(declaring).code is Code.NOT_COMPLETE


# Once it is declared, and not settled.


@rule("rws-nc 5.6", "rws-nc 1.12", "mbs 6.3", "mbs 6.2")
@in_every_document
@pytest.mark.parametrize("is_card", [True, False])
def test_a_declared_result_is_corrected_by_the_rank_that_the_document_asks(game: str, is_card: bool) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.declare()
    takes(table, game, lambda staff: fix(5, "2H", staff) if is_card else as_they_lie("4S 7H KD QC 2H", staff))
    assert of(events.SettlementReversed, table.happened) == []
    assert table.refused(commands.Settle()).code is Code.NOT_DECLARED  # what was declared is no longer so
    table.finish()
    assert table.net(1) == -10_500


# Once it is settled.


@rule("rws-nc 5.6", "rws-nc 1.12", "mbs 6.3", "mbs 6.2")
@in_every_document
@pytest.mark.parametrize("is_card", [True, False])
def test_a_settled_result_is_reversed_seat_by_seat_and_settled_again_by_the_cards(game: str, is_card: bool) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    before = len(table.happened)
    takes(table, game, lambda staff: fix(5, "2H", staff) if is_card else as_they_lie("4S 7H KD QC 2H", staff))
    happened = table.happened[before:]
    won = 19_000 if game == "mbs-tiger" else 20_000
    assert [type(event) for event in happened] == [
        events.SettlementReversed,
        events.SettlementReversed,
        events.CardsCorrected,
        events.ResultDeclared,
        events.SeatSettled,
        events.SeatSettled,
        events.RoundSettled,
    ]
    assert of(events.SettlementReversed, happened) == [
        events.SettlementReversed(seat=1, cents=20_000, paragraph=CORRECTS[game][1]),
        events.SettlementReversed(seat=2, cents=0, paragraph=CORRECTS[game][1]),
    ]
    [declared] = of(events.ResultDeclared, happened)
    assert (declared.winner, declared.player_total, declared.banker_total) == (Winner.BANKER, 6, 7)
    assert [(event.seat, event.returned_cents) for event in of(events.SeatSettled, happened)] == [
        (1, 0),
        (2, 20_000 + won),
    ]
    [settled] = of(events.RoundSettled, happened)
    assert (settled.staked_cents, settled.collected_cents, settled.winnings_cents) == (30_500, 10_500, won)
    assert (table.net(1), table.net(2)) == (-10_500, won)
    assert table.state.phase is Phase.SETTLED


@rule("rws-nc 5.6", "mbs 6.3")
@in_every_document
def test_a_correction_that_is_itself_corrected_leaves_the_money_as_it_was(game: str) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.finish()
    table.do(fix(5, "2H"))
    table.do(fix(5, "5H"))
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc 5.6", "mbs 6.3")
@in_every_document
def test_a_settled_round_that_turns_out_incomplete_is_dealt_to_its_end_and_settled_then(game: str) -> None:
    table = second_round(game, BOTH_STAND)
    table.finish()
    happened = table.do(fix(1, "5S"))
    assert [type(event) for event in happened] == [
        events.SettlementReversed,
        events.SettlementReversed,
        events.CardsCorrected,
    ]
    assert (table.net(1), table.net(2)) == (-10_500, -20_000)  # at stake again, and nothing paid
    assert (table.state.due, table.state.staked_cents) == (Hand.PLAYER, 30_500)
    assert table.refused(commands.Settle()).code is Code.NOT_COMPLETE
    assert table.refused(commands.OpenBetting(round=3, betting_unit_cents=100)).code is Code.ROUND_OPEN
    assert table.refused(commands.PlaceBet(seat=3, wager="player", cents=100)).code is Code.NO_MORE_BETS
    table.deal("4C")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


@rule("rws-nc 5.6", "rws-nc 5.11", "mbs 6.3")
@in_every_document
def test_a_settled_round_that_turns_out_incomplete_may_still_be_void(game: str) -> None:
    table = second_round(game, BOTH_STAND)
    table.finish()
    table.do(fix(1, "5S"))
    table.report(Kind.FOREIGN_CARD)
    table.voids(decision(Remedy.VOID, SHIFT_MANAGER))
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc 5.6", "rws-nc 5.4", "mbs 6.3")
@in_every_document
def test_a_round_that_turns_out_shorter_keeps_the_card_in_excess_for_the_next(game: str) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.finish()
    happened = table.do(fix(3, "5D"))  # Player 9: a Natural, and no third card
    [corrected] = of(events.CardsCorrected, happened)
    assert (corrected.cards, corrected.held) == (("4S", "7H", "5D", "QC"), ("5H",))
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    table.open()
    table.deal("")
    assert table.refused(commands.DealCard(card=Card.parse("8C"), put_at=Hand.PLAYER)).code is Code.NOT_THE_NEXT_CARD
    table.deal("5H")


@rule("rws-nc 5.6", "rws-nc 1.17", "mbs 6.3")
@in_every_document
def test_a_third_card_may_turn_out_to_be_the_other_hands(game: str) -> None:
    table = second_round(game, BOTH_DRAW)
    table.finish()
    table.do(fix(1, "6S"))  # Player 6 stands; the Banker's 4 takes the first of the two cards: a tie at 6
    assert (table.cards, table.held) == ("6S 4H KD QC 2H", "2D")
    assert table.state.put_at[4] is Hand.BANKER
    assert (table.net(1), table.net(2)) == (500 * 8, 0)


@rule("rws-nc 5.6", "mbs 6.3")
@in_every_document
def test_a_wrong_suit_changes_no_money(game: str) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.finish()
    table.do(fix(1, "4C"))
    assert (table.cards, table.net(1), table.net(2)) == ("4C 7H KD QC 5H", 9_500, -20_000)


# The same by way of a report.


@rule("rws-nc 5.6", "mbs 6.3")
@in_every_document
@pytest.mark.parametrize("is_settled", [False, True])
def test_a_reported_wrong_result_is_settled_by_the_cards_named(game: str, is_settled: bool) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.declare()
    if is_settled:
        table.do(commands.Settle())
    rank, paragraph = CORRECTS[game]
    table.report(Kind.WRONG_RESULT)
    assert table.takes(rank, Remedy.SETTLE_BY_CARDS, cards="4S 7H KD QC 2H") == paragraph
    happened = table.remedy(Remedy.SETTLE_BY_CARDS, by=SHIFT_MANAGER, cards="4S 7H KD QC 2H")
    [corrected] = of(events.CardsCorrected, happened)
    assert (corrected.cards[-1], corrected.paragraph) == ("2H", paragraph)
    if not is_settled:
        table.finish()
    assert (table.net(1), table.net(2)) == (-10_500, 19_000 if game == "mbs-tiger" else 20_000)


@rule("rws-nc 5.6", "rws-nc 5.10", "mbs 6.3")
@in_every_document
def test_where_only_the_display_was_wrong_the_settlement_by_the_cards_stays(game: str) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.finish()
    table.report(Kind.WRONG_RESULT, detail="the sign over the table says Banker")
    before = table.state
    assert len(table.remedy(Remedy.SETTLE_BY_CARDS, by=SHIFT_MANAGER)) == 1
    assert table.state == before._replace(pending=())


# What is declared against the cards.


@rule("rws-nc 5.6", "rws-nc 5.10", "mbs 6.3")
@in_every_document
@pytest.mark.parametrize(
    ("winner", "player", "banker"),
    [(Winner.BANKER, 9, 7), (Winner.TIE, 9, 9), (Winner.PLAYER, 8, 7), (Winner.PLAYER, 9, 6), (Winner.BANKER, 7, 9)],
)
def test_a_declaration_that_the_cards_do_not_bear_out_is_refused(
    game: str, winner: Winner, player: int, banker: int
) -> None:
    table = second_round(game, PLAYER_DRAWS)
    refusal = table.refused(commands.DeclareResult(winner=winner, player_total=player, banker_total=banker))
    assert (refusal.code, refusal.paragraph) == (Code.RESULT_DIFFERS, CORRECTS[game][1])
    assert refusal.message.startswith("The cards show Player, Player 9, Banker 7; you declared")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


# What may be corrected now, as a console shows it.


@rule("rws-nc 5.6", "mbs 6.3")
@in_every_document
def test_what_may_be_corrected_now_and_by_whom(game: str) -> None:
    table = second_round(game, "4S 7H KD")
    dealt = (Hand.PLAYER, Hand.BANKER, Hand.PLAYER)
    now = what_to_correct(table.state)
    assert isinstance(now, Correction)
    assert (now.rank, now.paragraph) == (Rank.DEALER, RECORD)
    assert (now.may_add, now.reverses, now.places) == (False, False, dealt)
    table.deal("QC 5H")
    table.finish()
    now = what_to_correct(table.state)
    assert isinstance(now, Correction)
    assert (now.rank, now.paragraph) == CORRECTS[game]
    assert (now.may_add, now.reverses, now.places) == (True, True, (*dealt, Hand.BANKER, None, None))


def test_before_the_first_card_nothing_may_be_corrected() -> None:
    refusal = what_to_correct(second_round("rws-nc", "").state)
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.BAD_CORRECTION


# What cannot be corrected.


@rule("rws-nc 5.6", "mbs 6.3")
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (fix(0, "5S"), Code.BAD_CORRECTION),
        (fix(6, "5S"), Code.BAD_CORRECTION),
        (fix(1, "4S"), Code.BAD_CORRECTION),
        (as_they_lie(PLAYER_DRAWS), Code.BAD_CORRECTION),
        (as_they_lie(""), Code.BAD_CORRECTION),
        (as_they_lie("9H 9H 9H 9H 9H"), Code.CARD_TOO_MANY),
    ],
)
@pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
def test_a_correction_that_corrects_nothing_or_cannot_lie_on_the_table_is_refused(
    game: str, command: commands.Command, code: Code
) -> None:
    table = second_round(game, PLAYER_DRAWS, decks=4)
    table.finish()
    assert table.refused(command).code is code


@rule("rws-nc 1.20")
@pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
def test_of_a_void_round_only_the_record_is_corrected_and_it_has_no_result(game: str) -> None:
    table = second_round(game, PLAYER_DRAWS)
    table.do(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="smoke"))
    money = table.credits()
    assert table.refused(fix(5, "2H", DEALER)).code is Code.RANK_TOO_LOW  # another rank: the pit supervisor
    unexplained = signed(commands.CorrectCard(place=5, card=Card.parse("2H")), by=PIT_SUPERVISOR, why="")
    assert table.refused(unexplained).code is Code.REASON_NEEDED
    [corrected] = table.do(fix(5, "2H", PIT_SUPERVISOR))
    assert isinstance(corrected, events.CardsCorrected)
    assert (table.cards, table.state.phase, table.credits()) == ("4S 7H KD QC 2H", Phase.VOID, money)
    table.do(fix(5, "2D", DEALER))  # another suit: the dealer


# 5.8 Once the next round has been opened.


@rule("rws-nc 5.8", "rws-nc 5.6", "mbs 6.3")
@in_every_document
def test_an_earlier_round_is_not_corrected_once_the_next_is_open(game: str) -> None:
    table = second_round(game)
    for command in (fix(1, "8S"), as_they_lie("8S KH KD 5C")):
        assert table.refused(command).code is Code.BAD_CORRECTION


@rule("rws-nc 5.8")
@in_every_document
def test_a_card_corrected_then_is_one_of_the_new_round_only(game: str) -> None:
    table = second_round(game, "4S 7H")
    paid = [event for event in table.happened if isinstance(event, events.SeatSettled)]
    table.do(fix(1, "3S", DEALER))
    assert table.cards == "3S 7H"
    assert of(events.SettlementReversed, table.happened) == []
    assert of(events.SeatSettled, table.happened) == paid
    table.deal("KD QC 5H")
    table.finish()
    assert {seat: table.credit(seat) - table.net(seat) for seat in BETS} == AFTER_ONE_ROUND


@rule("rws-nc 5.8", "rws-nc 5.6")
@pytest.mark.parametrize("game", ["rws-nc", "mbs-nc"])
@pytest.mark.parametrize("cards", [None, ""])
def test_the_right_cards_of_an_earlier_round_are_never_registered_in_the_next(game: str, cards: str | None) -> None:
    table = second_round(game, cards)
    before = table.state
    if table.try_to(
        signed(commands.ReportIrregularity(kind=Kind.WRONG_RESULT, detail="round 1 was Player 8, not 9"), by=DEALER)
    ):
        table.try_to(decision(Remedy.SETTLE_BY_CARDS, DEALER, cards="8S KH KD 5C"))
    assert (table.state.phase, table.cards) == (before.phase, "")


# Cards that wait their turn are still the next ones.


@rule("rws-nc 5.7", "rws-nc 5.6", "rws-nc 1.17")
def test_cards_as_they_lie_and_cards_that_still_wait_are_not_the_same_cards() -> None:
    """A correction puts right what is registered; a card that is due is dealt, also when it is known already."""
    table = second_round("rws-nc", "4S 7H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="5H 2D")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="5H 2D")
    assert table.refused(as_they_lie("4S 7H KD QC 5H", DEALER)).code is Code.BAD_CORRECTION
    table.do(as_they_lie("4S 7H KD JC", DEALER))
    assert (table.cards, table.held) == ("4S 7H KD JC", "5H 2D")
    table.deal("5H")
    assert (table.cards, table.held) == ("4S 7H KD JC 5H", "2D")
    assert table.state.shoe is not None
    table.do(as_they_lie("4S 7H KD JC 3H", DEALER))
    assert (table.cards, table.held) == ("4S 7H KD JC 3H", "2D")


@rule("rws-nc 5.7", "rws-nc 5.4")
def test_a_correction_does_not_deal_another_card_before_those_that_wait() -> None:
    table = second_round("rws-nc", "4S 7H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="5H 2D")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="5H 2D")
    table.try_to(as_they_lie("4S 7H KD QC 9C", DEALER))
    assert "9C" not in table.cards


@rule("rws-nc 5.7", "rws-nc 5.6")
def test_a_card_that_a_correction_finds_missing_is_the_next_that_waits() -> None:
    table = second_round("rws-nc", "4S 7H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="5H 2D")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="5H 2D")
    table.deal("5H")  # Player 9, Banker 7: complete, and the 2D waits
    refusal = table.refused(as_they_lie("4S 7H KD 6C 5H 9C"))  # a Banker 3 draws
    assert (refusal.code, refusal.message[:27]) == (Code.NOT_THE_NEXT_CARD, "2D came out earlier: put 2D")
    table.do(as_they_lie("4S 7H KD 6C 5H 2D"))
    assert (table.cards, table.held) == ("4S 7H KD 6C 5H 2D", "")


# 5.7.1 The shoe has been replaced in between.


@rule("rws-nc 5.7.1", "rws-nc 5.6")
def test_a_correction_of_cards_from_the_old_set_takes_none_out_of_the_new_one() -> None:
    table = Table("rws-nc", decks=4)
    table.open()
    table.deal("3S 4H KD QC")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="2H 2D")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="2H 2D", replace_shoe=True)
    table.deal("2H 2D")
    assert table.state.shoe is not None
    assert table.state.shoe.cards_left == 4 * 52
    table.do(fix(1, "2S", DEALER))
    assert table.state.shoe is not None
    assert table.state.shoe.cards_left == 4 * 52


# 5.9 Bets as they lay at the close.


@rule("rws-nc 5.9")
def test_bets_are_settled_as_they_lay_when_bets_were_closed() -> None:
    table = Table("rws-nc")
    table.open({1: {"player": 10_000, "tie": 500}, 2: {"banker": 20_000}, 3: {"banker": 700}})
    table.do(commands.IncreaseBet(seat=1, wager="player", cents=2_000))
    table.do(commands.TakeBackBet(seat=1, wager="tie"))
    table.do(commands.TakeBackBet(seat=2, wager="banker", cents=5_000))
    table.do(commands.ClearBets(seat=3))
    table.do(commands.CloseBetting())
    late: list[commands.Command] = [
        commands.PlaceBet(seat=1, wager="banker", cents=100),
        commands.IncreaseBet(seat=1, wager="player", cents=100),
        commands.TakeBackBet(seat=2, wager="banker"),
        commands.ClearBets(seat=2),
    ]
    for command in late:
        assert table.refused(command).code is Code.NO_MORE_BETS
    table.deal(PLAYER_DRAWS)
    settled = of(events.SeatSettled, table.finish())
    assert [(event.seat, event.staked_cents, event.returned_cents) for event in settled] == [
        (1, 12_000, 24_000),
        (2, 15_000, 0),
    ]


@rule("rws-nc 5.9")
def test_a_bet_placed_on_the_wrong_spot_is_the_players_own_error_and_plays() -> None:
    table = Table("rws-nc")
    table.open({1: {"tie": 10_000}})  # meant for Player
    table.deal(PLAYER_DRAWS)
    table.finish()
    assert table.net(1) == -10_000


# Insurance on a situation that did not exist.


def banker_insured() -> Table:
    """Player 4, Banker 5: seat 2 insures its 200.00 on the Banker with 50.00 at 2 to 1; then Player 6 beats it."""
    table = second_round("rws-nc-insurance", "4S 5H KD QC")
    table.insure(2, Hand.BANKER, 5_000)
    table.deal("2H")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000 + 10_000)
    return table


@rule("rws-nc-insurance 4.1.2")
@pytest.mark.parametrize(
    ("place", "card", "why"),
    [
        (2, "4H", "no row insures a Banker 4"),
        (2, "6H", "a Banker 6 is insured by another row, at 3 to 1"),
        (1, "6S", "a Player 6 stands: no row insures the Banker against it"),
        (1, "9S", "a Natural: nothing was left to insure"),
    ],
)
def test_insurance_is_returned_if_the_right_cards_had_not_offered_it(place: int, card: str, why: str) -> None:
    table = banker_insured()
    happened = table.do(fix(place, card))
    assert of(events.InsuranceReturned, happened) == [
        events.InsuranceReturned(
            seat=2, window=Window.FOUR_CARDS, hand=Hand.BANKER, cents=5_000, paragraph=INSURANCE_UNDONE
        )
    ], why
    assert of(events.SettlementReversed, happened)[1].cents == 15_000
    assert table.state.seats[2].insurance == ()


@rule("rws-nc-insurance 4.1.2")
def test_after_such_a_return_the_round_goes_on_and_settles_without_it() -> None:
    table = banker_insured()
    table.do(fix(2, "4H"))  # a Banker 4 draws against the 2
    assert (table.state.due, table.state.staked_cents) == (Hand.BANKER, 30_500)
    table.deal("3D")  # Player 6, Banker 7
    table.finish()
    assert (table.net(1), table.net(2)) == (-10_500, 20_000)


@rule("rws-nc-insurance 4.1.2", "rws-nc-insurance 3.9")
@pytest.mark.parametrize(
    ("place", "card", "net"),
    [
        (2, "5D", -10_000),  # only the suit
        (5, "2D", -10_000),  # only the suit of a later card
        (1, "3S", 0),  # Player 3 and 5: a tie, all comes back
        (5, "8H", 20_000 - 5_000),  # Player 4 and 2: the Banker wins, and insurance is lost
    ],
)
def test_insurance_stands_if_the_right_cards_offered_the_same_line(place: int, card: str, net: int) -> None:
    table = banker_insured()
    assert of(events.InsuranceReturned, table.do(fix(place, card))) == []
    assert table.state.phase is Phase.SETTLED
    assert table.net(2) == net


@rule("rws-nc-insurance 4.1.2")
def test_insurance_of_the_second_window_goes_back_by_itself() -> None:
    table = second_round("rws-nc-insurance", "4S 5H KD QC")
    table.insure(2, Hand.BANKER, 5_000)
    table.deal("4C")
    table.insure(1, Hand.PLAYER, 1_400)  # Player 8 against Banker 5, at 7 to 1
    table.deal("2D")
    table.finish()
    happened = table.do(fix(5, "5C"))  # Player 9: another line, at 8 to 1
    [returned] = of(events.InsuranceReturned, happened)
    assert (returned.seat, returned.window, returned.cents) == (1, Window.THIRD_CARD, 1_400)
    assert (table.net(1), table.net(2)) == (9_500, -20_000 + 10_000)  # Player 9, Banker 7


@rule("rws-nc-insurance 4.1.2")
def test_a_card_corrected_while_a_window_is_open_closes_it_and_returns_what_it_took() -> None:
    table = second_round("rws-nc-insurance", "4S 5H KD QC")
    table.insure(2, Hand.BANKER, 5_000)
    [_, returned] = table.do(fix(2, "4H", DEALER))
    assert isinstance(returned, events.InsuranceReturned)
    assert (table.state.window_open, table.state.due, table.net(2)) == (False, Hand.PLAYER, -20_000)


@rule("rws-nc-insurance 4.1.2")
def test_a_window_that_was_held_on_the_same_offers_is_not_held_again() -> None:
    table = second_round("rws-nc-insurance", "4S 5H KD QC")
    table.insure(2, Hand.BANKER, 5_000)
    table.close_window()
    table.do(fix(1, "3S", DEALER))  # a Player 3 is insured by the same row
    assert (table.state.phase, table.state.window, table.net(2)) == (Phase.PLAYERS_THIRD, None, -25_000)


# Any round, any card.


@rule("rws-nc 5.6", "mbs 6.3")
@settings(deadline=None, max_examples=200)
@given(
    game=st.sampled_from(game_ids()),
    registered=st.lists(st.sampled_from(ALL_CARDS), min_size=6, max_size=6),
    place=st.integers(1, 6),
    right=st.sampled_from(ALL_CARDS),
    is_settled=st.booleans(),
)
def test_a_corrected_round_pays_what_a_rightly_registered_one_would_have(
    game: str, registered: list[Card], place: int, right: Card, is_settled: bool
) -> None:
    dealt = registered[: played_count([card.rank for card in registered])]
    assume(place <= len(dealt) and dealt[place - 1] != right)
    table = Table(game)
    bets = {1: {wager.id: 1_000 for wager in table.state.game.wagers}, 2: {"banker": 700}}
    table.open(bets)
    table.deal(" ".join(map(str, dealt)))
    if is_settled:
        table.finish()
    table.do(signed(commands.CorrectCard(place=place, card=right), by=SHIFT_MANAGER))

    lie = [*registered]
    lie[place - 1] = right
    lie = lie[: played_count([card.rank for card in lie])]
    assert list(table.state.held) == dealt[len(lie) :]
    if len(lie) > len(dealt):
        table.deal(" ".join(map(str, lie[len(dealt) :])))
    if table.state.phase is Phase.COMPLETE:
        table.finish()

    rightly = Table(game)
    rightly.open(bets)
    rightly.deal(" ".join(map(str, lie)))
    rightly.finish()
    assert table.state.cards == rightly.state.cards
    assert {seat: table.net(seat) for seat in bets} == {seat: rightly.net(seat) for seat in bets}
