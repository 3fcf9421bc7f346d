"""An earlier round put right after the next has opened: rws-nc 5.6, 5.8, mbs 6.3; readings found-late and
record-of-a-card. And the manager's ruling on a single bet: rws-nc 5.12, mbs 6.1, "Hand or Bet"."""

from typing import Final

import pytest

from natural9.core.cards import Card, parse_cards
from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal, RoundState, commands, decide, events, fold
from natural9.core.round.decide import round_meant
from natural9.core.round.refusal import Code
from natural9.core.staff import Staff
from natural9.core.table_of_play import Hand
from tests.core.round.table import (
    BETS,
    BOTH_STAND,
    DEALER,
    EVERYBODY,
    NATURAL,
    ONE_GAME_A_DOCUMENT,
    PIT_MANAGER,
    PIT_SUPERVISOR,
    PLAYER_DRAWS,
    SHIFT_MANAGER,
    Table,
    of,
)

rule = pytest.mark.rule
in_every_document = pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)
WHY: Final = "the film shows it"
SILENT: Final = "interpretation shift-manager-where-silent"
WRONG_RESULT: Final = {"rws-nc": "rws-nc 5.6", "mbs-nc": "mbs 6.3"}
RULING: Final = {
    "rws-nc": "rws-nc 5.12",
    "mbs-nc": "mbs 6.1",
    "rws-nc-super-six-plus": "rws-nc-super-six-plus 1:void",
    "rws-nc-insurance": SILENT,
}


class Floor:
    """A table that remembers its rounds, as the journal does."""

    def __init__(self, game: str) -> None:
        self.table = Table(game)
        self.rounds: dict[int, RoundState] = {}

    def play(self, cards: str = NATURAL) -> None:
        self.table.play(cards)
        self.rounds[self.table.state.number] = self.table.state

    def decided(self, command: commands.Command, by: Staff, why: str = WHY) -> tuple[events.RoundEvent, ...] | Refusal:
        number = round_meant(self.table.state, command)
        earlier = self.rounds.get(number) if number is not None else None
        decided = decide(self.table.state, command, by, why, earlier)
        return decided if isinstance(decided, Refusal) else tuple(decided)

    def do(self, command: commands.Command, by: Staff, why: str = WHY) -> tuple[events.RoundEvent, ...]:
        happened = self.decided(command, by, why)
        assert not isinstance(happened, Refusal), happened
        self.table.state = fold(self.table.state, happened)
        self.table.happened += happened
        self.rounds = {number: fold(state, happened) for number, state in self.rounds.items()}
        return happened

    def refused(self, command: commands.Command, by: Staff, why: str = WHY) -> Refusal:
        refusal = self.decided(command, by, why)
        assert isinstance(refusal, Refusal), refusal
        return refusal


def two_rounds(game: str) -> Floor:
    """Round 1 settled as NATURAL: seat 1 has won, seat 2 has lost; round 2 is open with two cards dealt."""
    floor = Floor(game)
    floor.play()
    floor.table.open()
    floor.table.deal("2S 3H")
    return floor


def all_cards(cards: str, number: int | None = 1) -> commands.CorrectResult:
    return commands.CorrectResult(cards=parse_cards(cards), round=number)


def card(place: int, text: str, number: int | None = 1) -> commands.CorrectCard:
    return commands.CorrectCard(place=place, card=Card.parse(text), round=number)


BANKER_NINE: Final = "9S KH KD 5C".replace("9S", "2S").replace("5C", "9C")  # Player 2, Banker 9: a natural


# A result.


@rule("rws-nc 5.6", "rws-nc 5.8", "mbs 6.3")
@in_every_document
def test_a_wrong_result_is_settled_by_its_cards_whenever_it_is_found(game: str) -> None:
    floor = two_rounds(game)
    before, cents = floor.table.state, floor.table.credits()
    for staff in (DEALER, PIT_SUPERVISOR, PIT_MANAGER):
        refusal = floor.refused(all_cards(BANKER_NINE), staff)
        assert (refusal.code, refusal.paragraph) == (Code.RANK_TOO_LOW, WRONG_RESULT.get(game, SILENT))
    assert floor.refused(all_cards(BANKER_NINE), SHIFT_MANAGER, why=" ").code is Code.BAD_CORRECTION
    taken_up, corrected, *settled = floor.do(all_cards(BANKER_NINE), SHIFT_MANAGER)
    assert taken_up == events.RoundTakenUp(about_round=1)
    assert isinstance(corrected, events.EarlierCardsCorrected)
    assert (corrected.round, " ".join(corrected.was), " ".join(corrected.cards)) == (1, NATURAL, BANKER_NINE)
    assert (corrected.by, corrected.why, corrected.paragraph) == (
        SHIFT_MANAGER.id,
        WHY,
        WRONG_RESULT.get(game, SILENT),
    )
    # Player 100.00 and Tie 5.00 lose instead of winning 100.00; Banker 200.00 wins 1 to 1.
    assert [(one.seat, one.was_cents, one.returned_cents) for one in of(events.EarlierSeatSettled, settled)] == [
        (1, 20_000, 0),
        (2, 0, 40_000),
    ]
    assert floor.table.credits() == {1: cents[1] - 20_000, 2: cents[2] + 40_000}
    # The round in play has not moved: rws-nc 5.8. Only the count of the shoe knows better.
    assert floor.table.state == before._replace(shoe=floor.table.state.shoe)
    assert floor.table.state.shoe is not None
    assert floor.table.state.shoe.left(Card.parse("9S")) == 8
    assert floor.table.state.shoe.left(Card.parse("9C")) == 7


@rule("rws-nc 5.6", "mbs 6.3")
def test_other_totals_that_pay_the_same_move_no_money() -> None:
    floor = two_rounds("rws-nc")
    before = floor.table.credits()
    happened = floor.do(all_cards("8S KH KD 5C"), SHIFT_MANAGER)  # PLAYER has 8 and not 9, and wins
    assert [event.TAG for event in happened] == ["round-taken-up", "earlier-cards-corrected"]
    assert floor.table.credits() == before


@rule("rws-nc 5.6", "mbs 6.3")
@pytest.mark.parametrize("game", ["rws-nc", "mbs-nc"])
def test_the_same_by_way_of_a_report_which_holds_the_table_until_it_is_decided(game: str) -> None:
    floor = two_rounds(game)
    report = floor.table.report(Kind.WRONG_RESULT, about_round=1)
    assert (report.about_round, report.rank, [remedy for remedy, _ in report.remedies]) == (
        1,
        "shift-manager",
        [Remedy.SETTLE_BY_CARDS],
    )
    decision = commands.DecideIrregularity(remedy=Remedy.SETTLE_BY_CARDS, cards=parse_cards(BANKER_NINE))
    assert floor.refused(decision, PIT_MANAGER).code is Code.RANK_TOO_LOW
    assert floor.refused(decision, SHIFT_MANAGER, why="").code is Code.REASON_NEEDED
    decided, *happened = floor.do(decision, SHIFT_MANAGER)
    assert isinstance(decided, events.IrregularityDecided)
    assert len(of(events.EarlierSeatSettled, happened)) == 2
    assert not floor.table.state.pending
    floor.table.deal("KD QC")


@in_every_document
def test_a_correction_that_is_corrected_again_leaves_the_money_as_it_was(game: str) -> None:
    floor = two_rounds(game)
    cents = floor.table.credits()
    floor.do(all_cards(BANKER_NINE), SHIFT_MANAGER)
    floor.do(all_cards(NATURAL), SHIFT_MANAGER)
    assert floor.table.credits() == cents


def test_the_cards_of_an_earlier_round_are_a_whole_round_of_this_shoe() -> None:
    floor = two_rounds("rws-nc")
    assert floor.refused(all_cards("9S KH KD"), SHIFT_MANAGER).code is Code.BAD_CORRECTION
    assert floor.refused(all_cards("9S KH KD 5C 2H"), SHIFT_MANAGER).code is Code.BAD_CORRECTION
    assert floor.refused(all_cards(NATURAL), SHIFT_MANAGER).code is Code.BAD_CORRECTION  # as registered
    assert floor.refused(card(5, "2H"), SHIFT_MANAGER).code is Code.BAD_CORRECTION
    assert floor.refused(all_cards(BANKER_NINE, 7), SHIFT_MANAGER).code is Code.NO_SUCH_ROUND
    spent = Floor("rws-nc")
    for _ in range(8):
        spent.play("9S KH KD 5C")  # all eight nines of spades, by the record
    spent.table.open()
    refusal = spent.refused(card(4, "9S"), SHIFT_MANAGER)
    assert (refusal.code, refusal.paragraph) == (Code.CARD_TOO_MANY, "interpretation record-of-a-card")


# The record of a card.


@in_every_document
def test_another_suit_is_the_dealers_to_correct_with_a_reason_and_changes_no_money(game: str) -> None:
    floor = two_rounds(game)
    cents = floor.table.credits()
    assert floor.refused(card(1, "9H"), DEALER, why="").code is Code.REASON_NEEDED
    [_, corrected] = floor.do(card(1, "9H"), DEALER)
    assert isinstance(corrected, events.EarlierCardsCorrected)
    assert corrected.paragraph == "interpretation record-of-a-card"
    assert floor.table.credits() == cents


@in_every_document
def test_another_rank_that_changes_no_result_is_the_pit_supervisors(game: str) -> None:
    floor = two_rounds(game)
    cents = floor.table.credits()
    assert floor.refused(card(3, "QD"), DEALER).code is Code.RANK_TOO_LOW  # a king keyed for a queen
    floor.do(card(3, "QD"), PIT_SUPERVISOR)
    assert floor.table.credits() == cents


@in_every_document
def test_a_pair_is_a_result_too(game: str) -> None:
    floor = two_rounds(game)
    refusal = floor.refused(card(3, "9D"), PIT_MANAGER)  # 9-9 is a Player 8 and a pair
    assert (refusal.code, refusal.paragraph) == (Code.RANK_TOO_LOW, WRONG_RESULT.get(game, SILENT))


def test_one_mis_keyed_suit_does_not_stop_a_genuine_card_for_good() -> None:
    """Nine of spades keyed eight times, once wrongly: the ninth card that comes is genuine."""
    floor = Floor("mbs-nc")
    for _ in range(8):
        floor.play("9S KH KD 5C")
    floor.table.open()
    floor.table.do(commands.CloseBetting())
    deal = commands.DealCard(card=Card.parse("9S"))
    assert floor.table.refused(deal).code is Code.CARD_TOO_MANY
    floor.do(card(1, "9C", 3), DEALER)
    floor.table.do(deal)


def test_a_void_round_keeps_its_record_and_its_money() -> None:
    floor = Floor("rws-nc")
    floor.table.open()
    floor.table.deal("9S KH")
    floor.do(commands.VoidRound(), SHIFT_MANAGER)
    floor.rounds[1] = floor.table.state
    floor.table.open()
    cents = floor.table.credits()
    floor.do(card(1, "8S"), PIT_SUPERVISOR)
    assert floor.rounds[1].cards == parse_cards("8S KH")
    assert floor.table.credits() == cents


def test_cards_of_another_shoe_leave_the_count_of_this_one_alone() -> None:
    floor = Floor("rws-nc")
    floor.play()
    floor.do(commands.LoadShoe(shoe=2, decks=8), PIT_SUPERVISOR)
    floor.play()
    left = floor.table.state.shoe
    floor.do(card(1, "9H", 1), DEALER)
    assert floor.table.state.shoe == left


# Rulings.


def rule_on(seat: int, wager: str, returned: int | None = None, number: int | None = None) -> commands.RuleOnBet:
    return commands.RuleOnBet(seat=seat, wager=wager, returned_cents=returned, round=number)


@rule("rws-nc 5.12", "mbs 6.1", "rws-nc-super-six-plus 1:void")
@in_every_document
@pytest.mark.parametrize("number", [None, 1])
def test_a_single_settled_bet_is_void_by_the_shift_manager_alone(game: str, number: int | None) -> None:
    floor = two_rounds(game)
    if number is None:
        floor = Floor(game)
        floor.play()
    cents = floor.table.credits()
    command = rule_on(2, "banker", None, number)
    for staff in EVERYBODY[:-1]:
        refusal = floor.refused(command, staff)
        assert (refusal.code, refusal.paragraph) == (Code.RANK_TOO_LOW, RULING[game])
    assert floor.refused(command, SHIFT_MANAGER, why="").code is Code.BAD_REPORT
    ruled = floor.do(command, SHIFT_MANAGER)[-1]
    assert ruled == events.BetRuled(
        round=1,
        seat=2,
        wager="banker",
        stake_cents=20_000,
        was_cents=0,
        returned_cents=20_000,
        by=SHIFT_MANAGER.id,
        why=WHY,
        paragraph=RULING[game],
    )
    assert floor.table.credits() == {1: cents[1], 2: cents[2] + 20_000}  # nobody else's money moves
    assert floor.refused(command, SHIFT_MANAGER).code is Code.ALREADY_DONE
    floor.do(rule_on(2, "banker", 0, number), SHIFT_MANAGER)  # and it can be ruled again
    assert floor.table.credits() == cents


@in_every_document
def test_a_bet_is_settled_otherwise_and_that_stands_above_the_cards(game: str) -> None:
    floor = two_rounds(game)
    cents = floor.table.credits()
    floor.do(rule_on(1, "tie", 2_500, 1), SHIFT_MANAGER)  # lost 5.00, and gets 25.00
    assert floor.table.credits()[1] == cents[1] + 2_500
    floor.do(all_cards(BANKER_NINE), SHIFT_MANAGER)  # Player loses as well, and the ruling stays
    assert floor.table.credits()[1] == cents[1] + 2_500 - 20_000
    floor.do(all_cards(NATURAL), SHIFT_MANAGER)
    assert floor.table.credits()[1] == cents[1] + 2_500


@in_every_document
def test_a_ruling_outlives_a_correction_before_the_next_round(game: str) -> None:
    floor = Floor(game)
    floor.play()
    cents = floor.table.credits()
    floor.do(rule_on(1, "tie", 2_500), SHIFT_MANAGER)
    happened = floor.do(all_cards(BANKER_NINE, None), SHIFT_MANAGER)
    [again] = of(events.BetRuled, happened)
    assert (again.was_cents, again.returned_cents, again.by) == (0, 2_500, SHIFT_MANAGER.id)
    assert floor.table.credits()[1] == cents[1] + 2_500 - 20_000


@in_every_document
def test_a_bet_of_the_round_in_play_can_only_be_void(game: str) -> None:
    floor = Floor(game)
    floor.table.open()
    assert floor.refused(rule_on(2, "banker"), SHIFT_MANAGER).code is Code.BETTING_STILL_OPEN
    floor.table.deal("2S 3H")
    assert floor.refused(rule_on(2, "banker", 500), SHIFT_MANAGER).code is Code.NOT_COMPLETE
    assert floor.refused(rule_on(2, "player"), SHIFT_MANAGER).code is Code.NO_SUCH_BET
    [voided] = floor.do(rule_on(2, "banker"), SHIFT_MANAGER)
    assert voided == events.BetVoided(seat=2, wager="banker", cents=20_000, why=WHY, paragraph=RULING[game])
    assert (floor.table.net(2), floor.table.state.staked_cents) == (0, 10_500)
    floor.do(commands.VoidRound(), SHIFT_MANAGER)
    assert floor.refused(rule_on(1, "player"), SHIFT_MANAGER).code is Code.ROUND_CONCLUDED


def test_insurance_goes_back_with_the_bet_that_it_insures_and_is_ruled_on_by_its_own_name() -> None:
    floor = Floor("rws-nc-insurance")
    floor.table.open({1: {"banker": 15_000}})
    floor.table.deal("4S 5H KD QC", windows=False)
    floor.table.insure(1, Hand.BANKER, 5_000)
    floor.table.close_window()
    happened = floor.do(rule_on(1, "banker"), SHIFT_MANAGER)
    assert [type(one) for one in happened] == [events.BetVoided, events.InsuranceReturned]
    assert (floor.table.net(1), floor.table.state.staked_cents) == (0, 0)
    floor = Floor("rws-nc-insurance")
    floor.table.open({1: {"banker": 15_000}})
    floor.table.deal("4S 5H KD QC", windows=False)
    floor.table.insure(1, Hand.BANKER, 5_000)
    floor.table.close_window()
    [back] = floor.do(rule_on(1, "banker-insurance"), SHIFT_MANAGER)
    assert isinstance(back, events.InsuranceReturned)
    assert (back.window, floor.table.net(1)) == (Window.FOUR_CARDS, -15_000)


def test_there_is_nothing_to_rule_on_before_the_first_round_or_in_one_that_never_was() -> None:
    floor = Floor("rws-nc")
    assert floor.refused(rule_on(1, "player"), SHIFT_MANAGER).code is Code.NO_ROUND
    floor.play(PLAYER_DRAWS)
    assert floor.refused(rule_on(1, "player", None, 9), SHIFT_MANAGER).code is Code.NO_SUCH_ROUND
    assert floor.refused(rule_on(2, "tie"), SHIFT_MANAGER).code is Code.NO_SUCH_BET
    assert sum(BETS[1].values()) == 10_500


def test_a_round_of_other_rules_is_not_settled_again_but_ruled_on_by_what_it_paid() -> None:
    floor = two_rounds("rws-nc")
    floor.rounds[1] = floor.rounds[1]._replace(rules=None)
    assert floor.refused(all_cards(BANKER_NINE), SHIFT_MANAGER).code is Code.BAD_CORRECTION
    floor.rounds[1] = floor.rounds[1]._replace(paid={(2, "banker"): 0})  # as the journal tells it
    floor.do(rule_on(2, "banker", None, 1), SHIFT_MANAGER)
    assert floor.table.credits()[2] == -20_000  # round 2's stake alone


# A ruling is about one bet.


def test_a_ruling_holds_for_the_bet_that_it_was_made_on_and_no_other() -> None:
    """Ruled void, then the round is open again and part of the bet goes back: what is left is another bet."""
    floor = Floor("rws-nc")
    floor.play(BOTH_STAND)  # Player 6, Banker 7
    floor.do(rule_on(1, "player"), SHIFT_MANAGER)
    floor.do(card(1, "5S", None), SHIFT_MANAGER)  # a Player 5 draws
    floor.table.report(Kind.LATE_BET, seat=1, wager="player", cents=5_000)
    floor.table.remedy(Remedy.REFUSE_BET, by=PIT_SUPERVISOR)
    floor.table.deal("4C")
    floor.table.finish()
    assert floor.table.net(1) == 5_000 - 500  # Player 9: the other 50.00 win, and the tie is lost


def test_a_bet_that_was_taken_away_is_charged_once_and_a_void_gives_it_back() -> None:
    floor = Floor("rws-nc")
    floor.table.open()
    floor.table.do(commands.TakeBackBet(seat=2, wager="banker"))
    floor.table.deal(NATURAL)
    floor.table.finish()
    floor.do(rule_on(2, "banker", 0), SHIFT_MANAGER)  # it would have lost
    assert floor.table.net(2) == -20_000
    floor.do(card(1, "5S", None), SHIFT_MANAGER)  # open again: but it is ruled on already
    withdrawn = commands.ReportIrregularity(kind=Kind.WITHDRAWN_BET, seat=2, wager="banker", cents=20_000)
    assert floor.refused(withdrawn, DEALER).code is Code.NO_SUCH_BET
    floor.do(commands.VoidRound(), SHIFT_MANAGER)
    assert floor.table.net(2) == 0


@pytest.mark.parametrize("cards", ["3S", "3S 4H KD", "9S KH KD 5C 2S 2H"])
def test_a_void_round_has_as_many_cards_as_it_had(cards: str) -> None:
    floor = Floor("rws-nc")
    floor.table.open()
    floor.table.deal("3S 4H")
    floor.do(commands.VoidRound(), SHIFT_MANAGER)
    floor.rounds[1] = floor.table.state
    floor.table.open()
    assert floor.refused(all_cards(cards), SHIFT_MANAGER).code is Code.BAD_CORRECTION
