"""rws-nc-insurance 5.1 to 5.3, and what that document is silent on; late and withdrawn bets in all four documents.

Expectations are read off the documents, not off the data. Every remedy, paragraph and rank in every situation is in
test_clauses_rws_nc_insurance.
"""

import pytest

from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import commands, events
from natural9.core.round.refusal import Code
from natural9.core.round.state import Phase
from natural9.core.staff import Rank
from natural9.core.table_of_play import Hand
from tests.core.round.table import (
    AFTER_ONE_ROUND,
    ANYTHING,
    DEALER,
    EVERYBODY,
    MBS_GAMES,
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

GAME = "rws-nc-insurance"
SILENT = "interpretation shift-manager-where-silent"
RETURNS = "interpretation void-returns-everything"

# What the document does not speak of, but for drawn cards.
SILENT_ON = (
    Kind.SHORTAGE_OR_EXCESS,
    Kind.UNSHUFFLED_CARDS,
    Kind.WRONG_AREA,
    Kind.WRONG_RESULT,
    Kind.ORDER_ALTERED,
    Kind.FACE_UP_IN_SHOE,
    Kind.TABLE_INTERRUPTION,
    Kind.TERMINAL_INTERRUPTION,
    Kind.NOT_COVERED,
)

# Game, the paragraph that refuses a late bet, the one by which a withdrawn bet stands.
AT_THE_CLOSE = [
    ("rws-nc", "rws-nc 3.7", "rws-nc 5.9"),
    ("rws-nc-insurance", "rws-nc-insurance 5.2", "rws-nc-insurance 5.3"),
    ("rws-nc-super-six-plus", "rws-nc-super-six-plus 3.2", "interpretation withdrawn-bet-stands"),
    *((game, "mbs 5.5", "mbs 5.4") for game in MBS_GAMES),
]


def insured_in_both_windows() -> Table:
    """Player 4 and 8, Banker 5 and to draw; seat 2 has insured in the first window, seat 1 in the second."""
    table = second_round(GAME, "4S 5H KD QC")
    table.insure(2, Hand.BANKER, 5_000)  # at 2 to 1
    table.deal("4C")
    table.insure(1, Hand.PLAYER, 1_400)  # at 7 to 1
    return table


# 5.1 What voids the game.


@rule("rws-nc-insurance 5.1", "rws-nc-insurance 5.1.1", "rws-nc-insurance 5.1.2", "rws-nc-insurance 5.1.3")
@pytest.mark.parametrize(
    ("kind", "clause", "previous_stand"),
    [
        (Kind.FOREIGN_CARD, "rws-nc-insurance 5.1.1", "rws-nc-insurance 5.1.1"),
        (Kind.WRONG_NUMBER_OF_CARDS, "rws-nc-insurance 5.1.2", ""),
        (Kind.INSUFFICIENT_CARDS, "rws-nc-insurance 5.1.3", ""),
    ],
)
@pytest.mark.parametrize("is_window_open", [False, True])
def test_a_void_game_returns_every_bet_insurance_too_and_the_games_before_stand(
    kind: Kind, clause: str, previous_stand: str, is_window_open: bool
) -> None:
    table = insured_in_both_windows()
    if not is_window_open:
        table.close_window()
    table.report(kind)
    voided = table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert (voided.clause, voided.paragraph) == (clause, RETURNS)
    assert voided.returned_cents == 10_500 + 20_000 + 5_000 + 1_400
    returned = of(events.BetsReturned, table.happened)
    assert [(event.seat, event.cents) for event in returned] == [(1, 11_900), (2, 25_000)]
    assert of(events.IrregularityDecided, table.happened)[-1].previous_stand == previous_stand
    assert not table.state.window_open
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc-insurance 5.1.1")
@pytest.mark.parametrize("cards", [None, "", "4S", "4S 7H KD QC", PLAYER_DRAWS])
def test_a_foreign_card_voids_the_game_whenever_in_its_progress_it_is_found(cards: str | None) -> None:
    table = second_round(GAME, cards)
    table.report(Kind.FOREIGN_CARD)
    assert table.voids(decision(Remedy.VOID, PIT_SUPERVISOR)).clause == "rws-nc-insurance 5.1.1"
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc-insurance 5.1.1")
def test_a_foreign_card_found_after_settlement_leaves_the_game_as_it_is() -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    table.finish()
    refusal = table.refused(report_of(Kind.FOREIGN_CARD))
    assert (refusal.code, refusal.paragraph) == (Code.ROUND_CONCLUDED, "rws-nc-insurance 5.1.1")


@rule("rws-nc-insurance 5.1.2")
def test_a_wrong_number_of_cards_noticed_before_the_next_game_takes_back_the_settlement() -> None:
    table = insured_in_both_windows()
    table.deal("2D")  # Player 8, Banker 7
    table.finish()
    assert (table.net(1), table.net(2)) == (10_000 - 500 - 1_400, -20_000 + 10_000)
    table.report(Kind.WRONG_NUMBER_OF_CARDS)
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.VOID) == "rws-nc-insurance 5.1.2"
    table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    reversals = of(events.SettlementReversed, table.happened)
    assert [(event.seat, event.cents) for event in reversals] == [(1, 20_000), (2, 15_000)]
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc-insurance 5.1.2")
def test_a_wrong_number_of_cards_that_can_be_reconstructed_does_not_void_the_game() -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    table.report(Kind.WRONG_NUMBER_OF_CARDS, cards="8D")
    [_, put] = table.remedy(Remedy.RECONSTRUCT, by=PIT_SUPERVISOR)
    assert put == events.CardsPutInOrder(cards=("8D",), paragraph="rws-nc-insurance 5.1.2")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)
    table.open()
    assert table.held == "8D"


@rule("rws-nc-insurance 5.1.2")
def test_once_the_next_game_has_begun_the_earlier_one_is_not_void_any_more() -> None:
    table = second_round(GAME)
    table.report(Kind.FOUND_LATER, about_round=1, detail="the Banker had three cards")
    assert table.refused(decision(Remedy.VOID, SHIFT_MANAGER)).code is Code.REMEDY_NOT_ALLOWED
    assert table.takes(Rank.SHIFT_MANAGER, Remedy.NO_EFFECT) == SILENT
    table.remedy(Remedy.NO_EFFECT, by=SHIFT_MANAGER)
    assert table.state.phase is Phase.BETTING_OPEN


@rule("rws-nc-insurance 5.1.3")
@pytest.mark.parametrize("cards", ["", "4S 7H KD", "4S 7H KD QC"])
def test_a_shoe_that_runs_short_voids_the_game(cards: str) -> None:
    table = second_round(GAME, cards)
    table.report(Kind.INSUFFICIENT_CARDS)
    assert table.takes(Rank.PIT_SUPERVISOR, Remedy.VOID) == "rws-nc-insurance 5.1.3"
    table.voids(decision(Remedy.VOID, PIT_SUPERVISOR))
    assert table.credits() == AFTER_ONE_ROUND


@rule("rws-nc-insurance 5.1.3")
def test_once_the_last_card_is_out_none_can_be_missing() -> None:
    table = second_round(GAME, PLAYER_DRAWS)
    assert table.refused(report_of(Kind.INSUFFICIENT_CARDS)).code is Code.NO_CARD_DUE


# 5.2, 5.3 and their counterparts: bets after the close.


@rule("rws-nc-insurance 5.2", "rws-nc 3.7", "rws-nc-super-six-plus 3.2", "mbs 5.5")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
@pytest.mark.parametrize("cards", ["", "4S 7H KD", "4S 7H KD QC", PLAYER_DRAWS])
def test_a_late_bet_is_refused_and_the_terminal_told_what_was_not_registered(
    game: str, late: str, withdrawn: str, cards: str
) -> None:
    table = second_round(game, cards)
    told: dict[commands.Command, str] = {
        commands.PlaceBet(seat=5, wager="tie", cents=12_500): "your 125.00 on Tie was not registered",
        commands.IncreaseBet(seat=1, wager="player", cents=1_000): "your 10.00 on Player was not registered",
    }
    for command, sentence in told.items():
        refusal = table.refused(command)
        assert (refusal.code, refusal.paragraph) == (Code.NO_MORE_BETS, late)
        assert refusal.message == f"No more bets: betting on round 2 closed; {sentence}"


@rule("rws-nc-insurance 5.2", "rws-nc 3.7", "rws-nc-super-six-plus 3.2", "mbs 5.5")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
@pytest.mark.parametrize(
    ("seat", "wager", "cents", "now", "end"),
    [
        (1, "tie", None, (-10_000, -20_000), (10_000, -20_000)),  # the bet goes back, the others play
        (1, "player", 4_000, (-6_500, -20_000), (5_500, -20_000)),  # it was raised: what lay before plays
        (2, "banker", 20_000, (-10_500, 0), (9_500, 0)),
    ],
)
@pytest.mark.parametrize("cards", ["", "4S 7H KD QC", PLAYER_DRAWS])
def test_a_late_bet_goes_back_and_so_much_of_one_that_was_raised(
    game: str,
    late: str,
    withdrawn: str,
    cards: str,
    seat: int,
    wager: str,
    cents: int | None,
    now: tuple[int, int],
    end: tuple[int, int],
) -> None:
    table = second_round(game, cards)
    table.report(Kind.LATE_BET, seat=seat, wager=wager, cents=cents)
    table.waits(late)
    assert table.takes(Rank.DEALER, Remedy.REFUSE_BET) == late
    assert table.refused(decision(Remedy.REFUSE_BET, DEALER, why="")).code is Code.REASON_NEEDED
    [_, voided] = table.remedy(Remedy.REFUSE_BET, by=DEALER, why="after the call")
    assert isinstance(voided, events.BetVoided)
    assert (voided.seat, voided.wager, voided.why, voided.paragraph) == (seat, wager, "after the call", late)
    assert (table.net(1), table.net(2)) == now
    table.deal(" ".join(PLAYER_DRAWS.split()[len(table.state.cards) :]))
    table.finish()
    assert (table.net(1), table.net(2)) == end


@rule("rws-nc-insurance 5.2", "rws-nc 3.7", "rws-nc-super-six-plus 3.2", "mbs 5.5", "rws-nc 5.9")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
@pytest.mark.parametrize(
    ("kind", "seat", "wager", "cents", "code"),
    [
        (Kind.LATE_BET, None, "banker", None, Code.BAD_REPORT),
        (Kind.LATE_BET, 2, "", None, Code.BAD_REPORT),
        (Kind.LATE_BET, 2, "tie", None, Code.NO_SUCH_BET),
        (Kind.LATE_BET, 9, "banker", None, Code.NO_SUCH_BET),
        (Kind.LATE_BET, 1_000_000, "banker", None, Code.NO_SUCH_BET),
        (Kind.LATE_BET, 2, "banker", 20_100, Code.BAD_STAKE),
        (Kind.LATE_BET, 2, "banker", 150, Code.BAD_STAKE),  # the betting unit is 1.00
        (Kind.WITHDRAWN_BET, 2, "banker", None, Code.BAD_REPORT),  # how much?
        (Kind.WITHDRAWN_BET, 2, "tie", 100, Code.NO_SUCH_BET),
        (Kind.WITHDRAWN_BET, 1, "player", 100, Code.NO_SUCH_BET),
        (Kind.WITHDRAWN_BET, 2, "banker", 10_100, Code.BAD_STAKE),
        (Kind.WITHDRAWN_BET, 2, "banker", 150, Code.BAD_STAKE),
    ],
)
def test_a_report_names_a_bet_that_lies_or_one_that_was_taken_back_and_no_more_of_it(
    game: str, late: str, withdrawn: str, kind: Kind, seat: int | None, wager: str, cents: int | None, code: Code
) -> None:
    table = second_round(game, "4S 7H KD QC")
    named = commands.ReportIrregularity(kind=kind, seat=seat, wager=wager, cents=cents)
    assert table.refused(signed(named, by=DEALER)).code is code


@rule("rws-nc-insurance 5.3", "rws-nc 5.9", "mbs 5.4")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
def test_a_bet_cannot_be_withdrawn_after_the_close_and_the_terminal_is_told_that_it_stands(
    game: str, late: str, withdrawn: str
) -> None:
    table = second_round(game, "4S")
    told: dict[commands.Command, str] = {
        commands.TakeBackBet(seat=2, wager="banker"): "your bet on Banker stands",
        commands.TakeBackBet(seat=2, wager="banker", cents=5_000): "your bet on Banker stands",
        commands.ClearBets(seat=2): "your bets stand",
    }
    for command, sentence in told.items():
        refusal = table.refused(command)
        assert (refusal.code, refusal.paragraph) == (Code.NO_MORE_BETS, withdrawn)
        assert refusal.message == f"No more bets: betting on round 2 closed; {sentence}"


@rule("rws-nc-insurance 5.3", "rws-nc 5.9", "mbs 5.4")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
@pytest.mark.parametrize(
    ("third", "cents", "nets"),
    [
        ("5H", 10_000, (9_500, -30_000)),  # Player 9, Banker 7
        ("5H", 4_000, (9_500, -24_000)),  # so much of it
        ("3H", 10_000, (4_000, 0)),  # a tie at 7 pays 8 to 1
    ],
)
def test_a_bet_withdrawn_all_the_same_is_put_back_and_won_or_lost_by_the_result(
    game: str, late: str, withdrawn: str, third: str, cents: int, nets: tuple[int, int]
) -> None:
    """While bets were open seat 2 took 100.00 back; it is said that it did so after the call."""
    table = second_round(game, "4S 7H KD QC")
    table.report(Kind.WITHDRAWN_BET, seat=2, wager="banker", cents=cents)
    table.waits(withdrawn)
    assert table.takes(Rank.DEALER, Remedy.BET_STANDS) == withdrawn
    assert table.refused(decision(Remedy.BET_STANDS, DEALER, why=" ")).code is Code.REASON_NEEDED
    [_, restored] = table.remedy(Remedy.BET_STANDS, by=DEALER, why="after the call")
    assert restored == events.BetRestored(
        seat=2, wager="banker", cents=cents, why="after the call", paragraph=withdrawn
    )
    assert (table.net(1), table.net(2)) == (-10_500, -20_000 - cents)
    again = commands.ReportIrregularity(kind=Kind.WITHDRAWN_BET, seat=2, wager="banker", cents=10_000)
    assert table.refused(signed(again, by=DEALER)).code in (Code.NO_SUCH_BET, Code.BAD_STAKE)
    table.deal(third)
    table.finish()
    assert (table.net(1), table.net(2)) == nets


@rule("rws-nc-insurance 5.3", "rws-nc 5.9", "mbs 5.4")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
def test_all_bets_of_a_seat_that_were_cleared_are_put_back_one_by_one(game: str, late: str, withdrawn: str) -> None:
    table = second_round(game)
    table.do(commands.ClearBets(seat=1))
    table.deal("4S 7H KD QC")
    for wager, cents in (("player", 10_000), ("tie", 500)):
        table.report(Kind.WITHDRAWN_BET, seat=1, wager=wager, cents=cents)
        table.remedy(Remedy.BET_STANDS, by=DEALER)
    table.deal("5H")
    table.finish()
    assert (table.net(1), table.net(2)) == (9_500, -20_000)


# A late bet and its insurance: rws-nc-insurance 5.2 and 3.5.2.


@rule("rws-nc-insurance 5.2", "rws-nc-insurance 3.5.2")
@pytest.mark.parametrize(
    ("late", "insurance", "back", "end"),
    [
        (10_000, 2_500, [], 0),  # 100.00 are left, and cover 25.00 at 4 to 1: the insurance wins what the bet loses
        (10_100, 2_500, [2_500], -9_900),  # 99.00 do not
        (20_000, 2_500, [2_500], 0),
    ],
)
def test_insurance_that_the_rest_of_a_late_bet_does_not_cover_goes_back(
    late: int, insurance: int, back: list[int], end: int
) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.insure(2, Hand.BANKER, insurance)
    table.report(Kind.LATE_BET, seat=2, wager="banker", cents=late)
    happened = table.remedy(Remedy.REFUSE_BET, by=DEALER)
    returned = of(events.InsuranceReturned, happened)
    assert [event.cents for event in returned] == back
    assert all(event.paragraph == "interpretation late-bet-and-its-insurance" for event in returned)
    table.close_window()
    table.deal("5H")
    table.finish()
    assert table.net(2) == end
    assert table.net(1) == 9_500


@rule("rws-nc-insurance 5.2", "rws-nc-insurance 3.5.2")
def test_of_insurance_in_both_windows_the_last_goes_back_first() -> None:
    """Banker 5 against Player 4 and then 1: insured with 50.00 at 2 to 1, and with 10.00 at 7 to 1."""
    table = second_round(GAME, "4S 5H KD QC")
    table.insure(2, Hand.BANKER, 5_000)
    table.deal("7C")  # Player 1; the Banker's 5 draws against a 7
    table.insure(2, Hand.BANKER, 1_000)
    table.report(Kind.LATE_BET, seat=2, wager="banker", cents=10_000)  # the 100.00 left cover the first alone
    happened = table.remedy(Remedy.REFUSE_BET, by=DEALER)
    assert [(event.window, event.cents) for event in of(events.InsuranceReturned, happened)] == [
        (Window.THIRD_CARD, 1_000)
    ]
    assert table.net(2) == -10_000 - 5_000


@rule("rws-nc-insurance 5.2")
@pytest.mark.parametrize(("cents", "left"), [(None, 0), (5_000, 0), (2_000, 3_000), (4_500, 500)])
def test_insurance_that_came_late_goes_back_or_so_much_of_it_as_did(cents: int | None, left: int) -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.insure(2, Hand.BANKER, 4_000)
    table.insure(2, Hand.BANKER, 1_000)
    table.report(Kind.LATE_BET, seat=2, wager="banker-insurance", cents=cents)
    table.remedy(Remedy.REFUSE_BET, by=DEALER)
    assert sum(bet.cents for bet in table.state.seats[2].insurance) == left
    assert table.net(2) == -20_000 - left
    table.close_window()
    table.deal("5H")  # Player 9, Banker 7: insurance pays 4 to 1
    table.finish()
    assert table.net(2) == -20_000 + 4 * left


@rule("rws-nc-insurance 5.2", "rws-nc-insurance 5.3", "rws-nc 3.7", "rws-nc 5.9", "mbs 5.4", "mbs 5.5")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
def test_before_the_close_bets_come_and_go_and_none_is_late(game: str, late: str, withdrawn: str) -> None:
    table = second_round(game)
    for kind in (Kind.LATE_BET, Kind.WITHDRAWN_BET):
        assert table.refused(report_of(kind)).code is Code.BETTING_STILL_OPEN
    table.do(commands.PlaceBet(seat=5, wager="tie", cents=12_500))
    table.do(commands.IncreaseBet(seat=5, wager="tie", cents=500))
    table.do(commands.TakeBackBet(seat=5, wager="tie"))
    table.do(commands.ClearBets(seat=2))
    assert table.state.staked_cents == 10_500


@rule("rws-nc-insurance 5.2", "rws-nc-insurance 5.3")
def test_an_open_insurance_window_takes_insurance_and_no_other_bet() -> None:
    table = second_round(GAME, "4S 7H KD QC")
    table.insure(2, Hand.BANKER, 5_000)
    cited: dict[commands.Command, str] = {
        commands.PlaceBet(seat=5, wager="banker", cents=1_000): "rws-nc-insurance 5.2",
        commands.IncreaseBet(seat=2, wager="banker", cents=1_000): "rws-nc-insurance 5.2",
        commands.TakeBackBet(seat=2, wager="banker"): "rws-nc-insurance 5.3",
        commands.ClearBets(seat=2): "rws-nc-insurance 5.3",
    }
    for command, paragraph in cited.items():
        refusal = table.refused(command)
        assert (refusal.code, refusal.paragraph) == (Code.NO_MORE_BETS, paragraph)


# What the document is silent on.


@pytest.mark.parametrize("kind", SILENT_ON)
@pytest.mark.parametrize("remedy", [Remedy.CONTINUE, Remedy.VOID])
def test_where_the_document_is_silent_the_table_waits_for_the_shift_manager_with_bets_held(
    kind: Kind, remedy: Remedy
) -> None:
    table = insured_in_both_windows()
    table.close_window()
    table.do(report_of(kind))
    table.waits(SILENT)
    for staff in EVERYBODY[:-1]:
        assert table.refused(decision(remedy, staff)).code is Code.RANK_TOO_LOW
        assert table.refused(signed(commands.VoidRound(), by=staff, why="power failure")).code is Code.RANK_TOO_LOW
    assert table.state.staked_cents == 36_900
    assert (table.net(1), table.net(2)) == (-11_900, -25_000)
    if remedy is Remedy.VOID:
        assert table.voids(decision(remedy, SHIFT_MANAGER)).clause == SILENT
        assert table.credits() == AFTER_ONE_ROUND
    else:
        table.remedy(remedy, by=SHIFT_MANAGER)
        table.deal("2D")
        table.finish()
        assert (table.net(1), table.net(2)) == (8_100, -10_000)


@pytest.mark.parametrize("cards", [None, "", "4S", "4S 7H KD QC", PLAYER_DRAWS])
def test_a_power_failure_waits_for_the_shift_manager_whatever_is_established(cards: str | None) -> None:
    table = second_round(GAME, cards)
    reported = table.report(Kind.TABLE_INTERRUPTION)
    assert {paragraph for _, paragraph in reported.remedies} == {SILENT}
    assert {remedy for remedy, _ in reported.remedies} == set(ANYTHING)
    assert reported.rank == "shift-manager"
    table.waits(SILENT)
