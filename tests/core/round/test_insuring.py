"""Insurance windows at the table."""

from dataclasses import replace

import pytest

from natural9.core.cards import Card
from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events, what_next
from natural9.core.round.insuring import insurable
from natural9.core.round.refusal import Code
from natural9.core.round.state import Phase
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand
from natural9.games import game_ids
from tests.core.round.table import DEALER, PIT_MANAGER, PIT_SUPERVISOR, SHIFT_MANAGER, Table, of, signed

rule = pytest.mark.rule

GAME = "rws-nc-insurance"
BACKED = {1: {"banker": 15_000}, 2: {"player": 10_000}, 3: {"tie": 5_000}}
# Banker 6, Player 5: the Banker is insured at 3 to 1; then the Player's six makes 1, and at 7 to 1 again.
FOUR = "5S 6H KD QC"
FIFTH = "6D"


def where(table: Table) -> Phase:
    return table.state.phase


def at_window(cards: str = FOUR) -> Table:
    table = Table(GAME)
    table.open(BACKED)
    table.deal(cards)
    return table


def phase_of(table: Table) -> Phase:
    return table.state.phase


@rule("rws-nc-insurance 3.5", "rws-nc-insurance 4.1.2", "rws-nc-insurance 1:baccarat-insurance")
def test_both_windows_of_a_round() -> None:
    table = at_window()
    assert phase_of(table) is Phase.FOUR_CARDS_INSURANCE
    first = table.refused(commands.DealCard(card=Card("6", "D"), put_at=Hand.PLAYER))
    assert first.code is Code.INSURANCE_FIRST
    [opened] = of(events.InsuranceOpened, table.do(commands.OpenInsurance()))
    assert (opened.window, opened.offers, opened.paragraph) == (
        Window.FOUR_CARDS,
        {Hand.BANKER: "3:1"},
        "rws-nc-insurance 4.1.2",
    )
    assert table.refused(commands.OpenInsurance()).code is Code.ALREADY_DONE
    table.insure(1, Hand.BANKER, 1_000)
    table.do(commands.CloseInsurance())
    assert phase_of(table) is Phase.PLAYERS_THIRD
    assert table.refused(commands.PlaceInsurance(seat=1, hand=Hand.BANKER, cents=100)).code is Code.INSURANCE_CLOSED
    table.deal(FIFTH)
    assert phase_of(table) is Phase.THIRD_CARD_INSURANCE
    table.insure(1, Hand.BANKER, 1_000)
    table.do(commands.CloseInsurance())
    assert phase_of(table) is Phase.BANKERS_THIRD
    table.deal("4H")  # Banker 0: it loses, and both insurances win
    [settled] = [event for event in of(events.SeatSettled, table.finish()) if event.seat == 1]
    assert [(line.window, line.odds, line.returned_cents, line.paragraph) for line in settled.insurance] == [
        (Window.FOUR_CARDS, "3:1", 4_000, "rws-nc-insurance 4.1.2"),
        (Window.THIRD_CARD, "7:1", 8_000, "rws-nc-insurance 4.1.2"),
    ]
    assert table.net(1) == -15_000 + 3_000 + 7_000


@rule("rws-nc-insurance 4.1.3")
def test_a_window_that_nobody_can_use_is_opened_and_closed_at_once() -> None:
    """Banker leads and only Player is backed: that it was offered to nobody is on record, and one command passes it."""
    table = Table(GAME)
    table.open({2: {"player": 10_000}, 3: {"tie": 5_000}})
    table.deal(FOUR)
    opened, closed = table.do(commands.OpenInsurance())
    assert isinstance(opened, events.InsuranceOpened)
    assert isinstance(closed, events.InsuranceClosed)
    assert (opened.offers, closed.window) == ({Hand.BANKER: "3:1"}, Window.FOUR_CARDS)
    assert phase_of(table) is Phase.PLAYERS_THIRD
    table.deal(FIFTH)  # Banker still leads
    table.do(commands.OpenInsurance())
    assert phase_of(table) is Phase.BANKERS_THIRD


@rule("rws-nc-insurance 4.1.3", "rws-nc-insurance 3.5.2")
def test_a_window_is_passed_where_the_first_was_used_to_the_cap() -> None:
    table = at_window()
    table.insure(1, Hand.BANKER, 5_000)
    table.do(commands.CloseInsurance())
    table.deal(FIFTH)
    assert len(table.do(commands.OpenInsurance())) == 2
    assert phase_of(table) is Phase.BANKERS_THIRD


@rule("rws-nc-insurance 3.9")
def test_a_tie_returns_insurance() -> None:
    table = at_window()
    table.insure(1, Hand.BANKER, 1_000)
    table.do(commands.CloseInsurance())
    table.deal("6D 5H")  # Player 1, Banker 6 and 5: 1
    table.finish()
    assert (table.net(1), table.net(2)) == (0, 0)


@rule("rws-nc-insurance 4.1.2")
@pytest.mark.parametrize(("last", "net"), [("5H", 8_000), ("4H", 10_000 - 1_000)])
def test_the_starred_row_wins_on_the_tie_and_loses_otherwise(last: str, net: int) -> None:
    table = Table(GAME)
    table.open({2: {"player": 10_000}})
    table.deal("4S 4H KD QC 5D")  # Player 4 and 9, Banker 4 draws
    table.insure(2, Hand.PLAYER, 1_000)
    table.do(commands.CloseInsurance())
    table.deal(last)
    table.finish()
    assert table.net(2) == net


@rule("rws-nc-insurance 4.1.3")
def test_only_a_backed_hand_is_insured() -> None:
    table = at_window()
    table.do(commands.OpenInsurance())
    for seat in (2, 3, 9, 0, -5):
        refusal = table.refused(commands.PlaceInsurance(seat=seat, hand=Hand.BANKER, cents=100))
        assert (refusal.code, refusal.paragraph) == (Code.INSURANCE_WITHOUT_BET, "rws-nc-insurance 4.1.3")
    not_offered = table.refused(commands.PlaceInsurance(seat=2, hand=Hand.PLAYER, cents=100))
    assert not_offered.code is Code.INSURANCE_CLOSED
    assert insurable(table.state, 2) == {}
    assert insurable(table.state, 1) == {Hand.BANKER: 5_000}


@rule("rws-nc-insurance 3.5.2")
def test_all_insurance_together_pays_no_more_than_the_original_bet() -> None:
    table = at_window()
    table.do(commands.OpenInsurance())
    over = table.refused(commands.PlaceInsurance(seat=1, hand=Hand.BANKER, cents=5_100))
    assert (over.code, over.paragraph) == (Code.INSURANCE_OVER_CAP, "rws-nc-insurance 3.5.2")
    assert "at most 50.00" in over.message
    table.insure(1, Hand.BANKER, 4_000)
    assert insurable(table.state, 1) == {Hand.BANKER: 1_000}
    table.insure(1, Hand.BANKER, 500)
    table.do(commands.CloseInsurance())
    table.deal(FIFTH)
    # 45.00 at 3 to 1 leave 15.00 of 150.00: at 7 to 1 that is 2.14, and whole units are 2.00.
    assert insurable(table.state, 1) == {Hand.BANKER: 200}
    table.do(commands.OpenInsurance())
    over = table.refused(commands.PlaceInsurance(seat=1, hand=Hand.BANKER, cents=300))
    assert over.code is Code.INSURANCE_OVER_CAP
    assert "at most 2.00" in over.message
    table.insure(1, Hand.BANKER, 200)
    assert insurable(table.state, 1) == {}


@rule("rws-nc-insurance 3.5.2")
def test_insurance_of_one_hand_takes_nothing_from_the_other() -> None:
    table = Table(GAME)
    table.open({1: {"banker": 15_000, "player": 14_000}})
    table.deal("4S 5H KD QC")
    table.insure(1, Hand.BANKER, 7_500)  # 2 to 1: all of it
    table.do(commands.CloseInsurance())
    table.deal("4C")  # Player 8 against Banker 5: the Player is insured at 7 to 1
    assert insurable(table.state, 1) == {Hand.PLAYER: 2_000}


@rule("rws-nc-insurance 3.5.1")
@pytest.mark.parametrize("cards", ["9S 6H KD QC", "6S 7H KD QC", "5S 8H KD QC", "KS 4H KD QC"])
def test_no_window_without_an_offer_or_a_draw_to_come(cards: str) -> None:
    table = at_window(cards)
    assert table.state.window is None
    refusal = table.refused(commands.OpenInsurance())
    assert (refusal.code, refusal.paragraph) == (Code.INSURANCE_CLOSED, "rws-nc-insurance 3.5.1")


@rule("rws-nc-insurance 3.5.1")
def test_no_second_window_when_the_banker_stands() -> None:
    table = at_window("5S 6H KD QC 2D")  # Player 7; a Banker 6 draws only on a six or seven
    assert table.state.phase is Phase.COMPLETE


@rule("rws-nc-insurance 4.1.4")
def test_a_squeeze_waives_the_second_window_for_everybody() -> None:
    table = at_window()
    table.insure(1, Hand.BANKER, 1_000)
    low = table.refused(signed(commands.WaiveInsurance(seat=1), by=DEALER))
    assert (low.code, low.paragraph) == (Code.RANK_TOO_LOW, "rws-nc-insurance 4.1.4")  # to consent is to judge
    [waived] = of(events.InsuranceWaived, table.do(signed(commands.WaiveInsurance(seat=1), by=PIT_SUPERVISOR)))
    assert (waived.seat, waived.by, waived.paragraph) == (1, PIT_SUPERVISOR.id, "rws-nc-insurance 4.1.4")
    assert table.refused(signed(commands.WaiveInsurance(seat=1), by=PIT_SUPERVISOR)).code is Code.ALREADY_DONE
    table.insure(1, Hand.BANKER, 1_000)  # the first window is not touched
    table.do(commands.CloseInsurance())
    table.deal(FIFTH, windows=False)
    assert table.state.phase is Phase.BANKERS_THIRD
    assert table.refused(commands.OpenInsurance()).code is Code.INSURANCE_CLOSED
    table.deal("4H")
    table.finish()
    table.play("5S 6H KD QC 6D 5H", BACKED)
    assert Window.THIRD_CARD in [event.window for event in of(events.InsuranceOpened, table.happened)], "one round only"


@rule("rws-nc-insurance 4.1.4")
@pytest.mark.parametrize("cards", ["", "5S 6H KD", "9S 6H KD QC", "6S 5H KD QC"])
def test_a_squeeze_is_asked_for_before_the_players_third_card(cards: str) -> None:
    refusal = at_window(cards).refused(signed(commands.WaiveInsurance(seat=1), by=PIT_SUPERVISOR))
    assert (refusal.code, refusal.paragraph) == (Code.INSURANCE_CLOSED, "rws-nc-insurance 4.1.4")


@rule("rws-nc-insurance 4.1.4")
def test_a_third_card_that_left_the_shoe_face_down_can_still_be_waived_on() -> None:
    table = at_window("5S 6H KD QC 6D")
    assert where(table) is Phase.THIRD_CARD_INSURANCE
    table.do(signed(commands.WaiveInsurance(seat=1), by=PIT_SUPERVISOR))
    assert where(table) is Phase.BANKERS_THIRD
    assert table.refused(commands.OpenInsurance()).code is Code.INSURANCE_CLOSED
    table.do(signed(commands.TakeBackWaiver(), by=PIT_SUPERVISOR, why="the player asks no longer"))
    assert where(table) is Phase.THIRD_CARD_INSURANCE
    table.do(commands.OpenInsurance())  # once it is open the card has been seen
    assert table.refused(signed(commands.WaiveInsurance(seat=1), by=SHIFT_MANAGER)).code is Code.INSURANCE_CLOSED


@rule("rws-nc-insurance 4.1.4")
def test_a_waiver_pressed_by_mistake_is_taken_back_until_a_third_card_is_exposed() -> None:
    table = at_window()
    take_back = signed(commands.TakeBackWaiver(), by=PIT_SUPERVISOR, why="the wrong key")
    assert table.refused(take_back).code is Code.NO_IRREGULARITY
    waive = signed(commands.WaiveInsurance(seat=1), by=PIT_SUPERVISOR)
    table.do(waive)
    assert table.refused(signed(commands.TakeBackWaiver(), by=DEALER, why="the wrong key")).code is Code.RANK_TOO_LOW
    assert table.refused(signed(commands.TakeBackWaiver(), by=PIT_SUPERVISOR, why="")).code is Code.BAD_REPORT
    [taken_back] = of(events.WaiverTakenBack, table.do(take_back))
    assert (taken_back.by, taken_back.why) == (PIT_SUPERVISOR.id, "the wrong key")
    table.do(waive)
    table.close_window()
    table.deal(FIFTH, windows=False)
    assert table.refused(take_back).code is Code.INSURANCE_CLOSED
    assert table.state.phase is Phase.BANKERS_THIRD  # the window stays waived


@rule("rws-nc-insurance 3.5")
def test_no_insurance_is_offered_against_a_card_that_everybody_has_seen() -> None:
    """Interpretation known-next-card: the card drawn early is the next one, whichever remedy plays it."""
    table = at_window()
    table.do(commands.OpenInsurance())
    table.insure(1, Hand.BANKER, 1_000)
    table.report(Kind.EXCESS_OR_EXPOSED, cards="6D")
    happened = table.remedy(Remedy.CONTINUE, by=SHIFT_MANAGER)
    [skipped] = of(events.InsuranceSkipped, happened)
    assert (skipped.window, skipped.paragraph) == (Window.FOUR_CARDS, "interpretation known-next-card")
    assert (table.held, table.state.phase, table.state.window_open) == ("6D", Phase.PLAYERS_THIRD, False)
    assert table.state.seats[1].insurance, "what was taken before the card was seen stands"
    assert table.refused(commands.OpenInsurance()).code is Code.INSURANCE_CLOSED
    table.deal("6D", windows=False)
    assert table.state.phase is Phase.THIRD_CARD_INSURANCE  # the card after it is not known


@rule("rws-nc-insurance 3.5")
def test_nor_after_a_card_that_was_known_if_the_one_after_it_is_known_as_well() -> None:
    table = at_window("5S 6H KD")
    table.report(Kind.EXCESS_OR_EXPOSED, cards="QC 6D 4H")
    table.remedy(Remedy.CONTINUE, by=SHIFT_MANAGER)
    table.deal("QC", windows=False)
    assert where(table) is Phase.PLAYERS_THIRD
    table.deal("6D", windows=False)
    assert where(table) is Phase.BANKERS_THIRD


def test_a_pack_may_leave_a_squeeze_to_a_higher_rank() -> None:
    table = at_window()
    game = table.state.game
    assert game.insurance is not None
    strict = replace(game, insurance=replace(game.insurance, waiver_rank=Rank.PIT_MANAGER))
    table.state = table.state._replace(rules=strict)
    refusal = table.refused(signed(commands.WaiveInsurance(seat=1), by=PIT_SUPERVISOR))
    assert (refusal.code, refusal.paragraph) == (Code.RANK_TOO_LOW, "rws-nc-insurance 4.1.4")
    table.do(signed(commands.WaiveInsurance(seat=1), by=PIT_MANAGER))


@pytest.mark.parametrize("stake", [0, -100, 150, 10**13])
def test_insurance_is_staked_like_any_bet(stake: int) -> None:
    table = at_window()
    table.do(commands.OpenInsurance())
    assert table.refused(commands.PlaceInsurance(seat=1, hand=Hand.BANKER, cents=stake)).code is Code.BAD_STAKE


@pytest.mark.parametrize("game", [game for game in game_ids() if game != GAME])
def test_other_games_have_no_insurance(game: str) -> None:
    table = Table(game)
    table.open({1: {"banker": 15_000}})
    table.deal(FOUR)
    for command in (
        commands.OpenInsurance(),
        commands.PlaceInsurance(seat=1, hand=Hand.BANKER, cents=100),
        commands.CloseInsurance(),
        signed(commands.WaiveInsurance(seat=1), by=DEALER),
    ):
        assert table.refused(command).code is Code.NO_INSURANCE
    assert not {commands.OpenInsurance, commands.WaiveInsurance} & set(what_next(table.state).commands)
