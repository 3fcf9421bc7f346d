"""What random play once found, each told as shortly as it can be."""

from natural9.core.cards import parse_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import RoundState, commands, decide, fold, what_next
from natural9.core.round.refusal import Code
from natural9.core.round.state import Phase
from natural9.core.table_of_play import Hand
from natural9.games import load_game
from tests.core.round.table import (
    BOTH_STAND,
    NATURAL,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    Table,
    second_round,
    signed,
)


def test_cards_that_wait_named_with_those_of_a_settled_round_do_not_undo_its_settlement() -> None:
    """It was reversed, and never made again: the round stood as settled, and nobody was paid."""
    table = Table("rws-nc")
    table.play(NATURAL)
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    table.remedy(Remedy.USE_IN_NEXT_ROUND, by=PIT_SUPERVISOR)
    before = table.credits()
    correction = commands.CorrectResult(cards=parse_cards(f"{NATURAL} 8D"))
    assert table.refused(signed(correction, by=SHIFT_MANAGER)).code is Code.BAD_CORRECTION
    assert table.credits() == before


def test_a_card_too_many_that_is_found_with_a_settled_round_waits_and_its_settlement_stands() -> None:
    table = Table("rws-nc")
    table.play(NATURAL)
    before = table.credits()
    happened = table.do(signed(commands.CorrectResult(cards=parse_cards(f"{NATURAL} 8D")), by=SHIFT_MANAGER))
    assert [event.TAG for event in happened] == ["cards-corrected"]
    assert (table.state.phase, table.held, table.credits()) == (Phase.SETTLED, "8D", before)


def test_cards_of_an_old_set_that_are_burnt_together_are_all_counted() -> None:
    """The second of them counted as one of the new set, and the count of the shoe was wrong from then on."""
    table = Table("rws-nc")
    table.play(BOTH_STAND)
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="8D 9C")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="8D 9C", replace_shoe=True)
    table.do(signed(commands.DiscardHeld(cards=parse_cards("8D 9C")), by=PIT_SUPERVISOR))
    table.open()
    assert table.state.from_old_set == 0
    table.deal("9S")
    table.do(signed(commands.CorrectCard(place=1, card=parse_cards("8S")[0]), by=SHIFT_MANAGER))
    assert table.state.shoe
    assert [table.state.shoe.left(card) for card in parse_cards("9S 8S")] == [8, 7]


def test_a_card_of_an_old_set_that_was_never_dealt_is_not_counted_as_one_of_it() -> None:
    """What was dealt in its place from the new set counted as old, and correcting it left the count as it was."""
    table = Table("rws-nc")
    table.open()
    table.deal("9S KH")
    table.report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, cards="8D 9C")
    table.remedy(Remedy.DECIDE_ORDER, by=PIT_SUPERVISOR, cards="8D 9C", replace_shoe=True)
    table.do(signed(commands.CorrectResult(cards=parse_cards("9S")), by=SHIFT_MANAGER))
    table.deal("8D 9C 2S")
    table.do(signed(commands.CorrectCard(place=4, card=parse_cards("3S")[0]), by=SHIFT_MANAGER))
    assert table.state.shoe
    assert [table.state.shoe.left(card) for card in parse_cards("2S 3S")] == [8, 7]


def test_a_round_read_from_its_own_history_knows_the_cards_that_waited_for_it() -> None:
    """Its opening did not tell of them, so that a card of an old set, burnt before it was dealt, was still counted."""
    table = Table("rws-nc")
    table.play(BOTH_STAND)
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    table.remedy(Remedy.USE_IN_NEXT_ROUND, by=PIT_SUPERVISOR)
    table.do(signed(commands.LoadShoe(shoe=2, decks=8), by=PIT_SUPERVISOR, why="marked"))
    before = len(table.happened)
    table.open()
    table.do(signed(commands.DiscardHeld(cards=parse_cards("8D")), by=PIT_SUPERVISOR))
    table.deal(NATURAL)
    read = fold(RoundState(load_game("rws-nc")), table.happened[before:])
    assert (read.held, read.from_old_set) == (table.state.held, table.state.from_old_set) == ((), 0)


def settled_with_insurance() -> Table:
    """Seat 1 has insured the Banker's 6 after four cards, and it has lost no insurance: a tie."""
    table = Table("rws-nc-insurance")
    table.open({1: {"banker": 10_000}})
    table.deal("3S 6H KD QC")
    table.insure(1, Hand.BANKER, 1_000)
    table.close_window()
    table.deal("2S")
    table.finish()
    return table


def correct_round_1(table: Table, earlier: RoundState, cards: str) -> RoundState:
    """By the shift manager, with round 2 open. Round 1 as it stands then."""
    command = commands.CorrectResult(cards=parse_cards(cards), round=1)
    happened = decide(table.state, command, SHIFT_MANAGER, "misread", earlier)
    assert isinstance(happened, tuple), happened
    table.state = fold(table.state, happened)
    table.happened += happened
    return fold(earlier, happened)


def test_a_ruling_on_insurance_that_goes_back_is_not_paid_as_well() -> None:
    """Found late, the Banker had a natural: that insurance was never on offer, and its stake goes back, no more."""
    table = settled_with_insurance()
    table.do(signed(commands.RuleOnBet(seat=1, wager="banker-insurance", returned_cents=3_000), by=SHIFT_MANAGER))
    earlier = table.state
    table.open({})
    correct_round_1(table, earlier, "3S 8H KD QC")
    assert table.credit(1) == 10_000


def test_insurance_that_went_back_stays_back_when_the_round_is_corrected_once_more() -> None:
    """The second correction took its stake away again."""
    table = settled_with_insurance()
    earlier = table.state
    table.open({})
    earlier = correct_round_1(table, earlier, "3S 8H KD QC")
    assert table.credit(1) == 10_000
    earlier = correct_round_1(table, earlier, "9S 8H KD QC")
    assert table.credit(1) == -10_000
    correct_round_1(table, earlier, "3S 8H KD QC")
    assert table.credit(1) == 10_000


def test_an_earlier_card_can_be_corrected_before_the_round_at_the_table_has_any() -> None:
    """It was taken, and its button was grey."""
    table = second_round("rws-nc")
    assert {commands.CorrectCard, commands.CorrectResult} <= set(what_next(table.state).commands)


def test_no_report_and_no_ruling_takes_an_amount_below_zero() -> None:
    table = second_round("rws-nc", "")
    for kind in (Kind.LATE_BET, Kind.WITHDRAWN_BET):
        for cents in (0, -100):
            report = commands.ReportIrregularity(kind=kind, seat=2, wager="banker", cents=cents)
            assert table.refused(report).code is Code.BAD_STAKE
    table.deal(NATURAL)
    table.finish()
    ruling = commands.RuleOnBet(seat=2, wager="banker", returned_cents=-100)
    assert table.refused(signed(ruling, by=SHIFT_MANAGER)).code is Code.BAD_STAKE


def test_a_void_does_not_take_back_what_a_reversed_settlement_had_paid_by_a_ruling() -> None:
    """The bet was ruled on, its settlement reversed by a correction, and the bet void by itself: when the round became
    void, what the ruling had once paid was taken from the seat a second time."""
    table = Table("rws-nc")
    table.open({1: {"player": 10_000}})
    table.deal("2S 7D KH KD 2H")  # Banker wins
    table.finish()
    table.do(signed(commands.RuleOnBet(seat=1, wager="player", returned_cents=20_000), by=SHIFT_MANAGER))
    assert table.credit(1) == 10_000
    table.do(signed(commands.CorrectCard(place=2, card=parse_cards("AH")[0]), by=SHIFT_MANAGER))
    assert table.state.phase is not Phase.SETTLED  # a card is due to the Banker
    table.do(signed(commands.RuleOnBet(seat=1, wager="player", returned_cents=None), by=SHIFT_MANAGER))
    assert table.credit(1) == 0
    table.do(signed(commands.VoidRound(), by=SHIFT_MANAGER))
    assert table.credit(1) == 0
