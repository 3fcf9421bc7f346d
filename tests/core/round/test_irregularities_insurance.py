"""rws-nc-insurance 5.1 to 5.3, and what that document is silent on; late and withdrawn bets in all four documents.

Expectations are read off the documents, not off the data.
"""

import pytest

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
    check_clause,
    decision,
    of,
    report_of,
    second_round,
)

rule = pytest.mark.rule

GAME = "rws-nc-insurance"
SILENT = "interpretation shift-manager-where-silent"
RETURNS = "interpretation void-returns-everything"

UNLIMITED = dict.fromkeys(ANYTHING, SILENT)  # the shift manager decides what no clause limits
# Kind: the rank that decides, and each remedy with its paragraph. What can be reconstructed is judged by the pit
# supervisor (interpretation house-is-the-pit-supervisor).
CLAUSES = {
    Kind.FOREIGN_CARD: (Rank.DEALER, {Remedy.VOID: "rws-nc-insurance 5.1.1"}),
    Kind.WRONG_NUMBER_OF_CARDS: (
        Rank.PIT_SUPERVISOR,
        {Remedy.RECONSTRUCT: "rws-nc-insurance 5.1.2", Remedy.VOID: "rws-nc-insurance 5.1.2"},
    ),
    Kind.INSUFFICIENT_CARDS: (Rank.DEALER, {Remedy.VOID: "rws-nc-insurance 5.1.3"}),
    Kind.LATE_BET: (Rank.DEALER, {Remedy.REFUSE_BET: "rws-nc-insurance 5.2"}),
    Kind.WITHDRAWN_BET: (Rank.DEALER, {Remedy.BET_STANDS: "rws-nc-insurance 5.3"}),
    Kind.FOUND_LATER: (Rank.SHIFT_MANAGER, {Remedy.CONTINUE: SILENT, Remedy.NO_EFFECT: SILENT}),
}

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


@rule("rws-nc-insurance 5.1")
@pytest.mark.parametrize("kind", Kind)
def test_each_irregularity_waits_for_its_remedies_and_the_rank_that_decides_them(kind: Kind) -> None:
    check_clause(GAME, kind, *CLAUSES.get(kind, (Rank.SHIFT_MANAGER, UNLIMITED)))


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
    assert table.voids(decision(Remedy.VOID, DEALER)).clause == "rws-nc-insurance 5.1.1"
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
    assert table.takes(Rank.DEALER, Remedy.VOID) == "rws-nc-insurance 5.1.3"
    table.voids(decision(Remedy.VOID, DEALER))
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
        commands.PlaceBet(seat=5, wager="tie", cents=12_500): "your 125.00 on tie was not registered",
        commands.IncreaseBet(seat=1, wager="player", cents=1_000): "your 10.00 on player was not registered",
    }
    for command, sentence in told.items():
        refusal = table.refused(command)
        assert (refusal.code, refusal.paragraph) == (Code.NO_MORE_BETS, late)
        assert refusal.message == f"No more bets: betting on round 2 closed; {sentence}"


@rule("rws-nc-insurance 5.2", "rws-nc 3.7", "rws-nc-super-six-plus 3.2", "mbs 5.5")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
def test_a_late_bet_that_is_reported_was_never_made_and_a_raised_one_plays_as_it_was(
    game: str, late: str, withdrawn: str
) -> None:
    table = second_round(game, "4S 7H KD QC")
    table.report(Kind.LATE_BET, seats=(1, 5), detail="seat 1 put 10.00 more on player, seat 5 bet 125.00 on tie")
    table.waits(late)
    assert table.takes(Rank.DEALER, Remedy.REFUSE_BET) == late
    assert len(table.remedy(Remedy.REFUSE_BET, by=DEALER)) == 1
    table.deal("5H")
    table.finish()
    assert (table.net(1), table.net(2), table.credit(5)) == (9_500, -20_000, 0)


@rule("rws-nc-insurance 5.3", "rws-nc 5.9", "mbs 5.4")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
def test_a_bet_cannot_be_withdrawn_after_the_close_and_the_terminal_is_told_that_it_stands(
    game: str, late: str, withdrawn: str
) -> None:
    table = second_round(game, "4S")
    told: dict[commands.Command, str] = {
        commands.TakeBackBet(seat=2, wager="banker"): "your bet on banker stands",
        commands.TakeBackBet(seat=2, wager="banker", cents=5_000): "your bet on banker stands",
        commands.ClearBets(seat=2): "your bets stand",
    }
    for command, sentence in told.items():
        refusal = table.refused(command)
        assert (refusal.code, refusal.paragraph) == (Code.NO_MORE_BETS, withdrawn)
        assert refusal.message == f"No more bets: betting on round 2 closed; {sentence}"


@rule("rws-nc-insurance 5.3", "rws-nc 5.9", "mbs 5.4")
@pytest.mark.parametrize(("game", "late", "withdrawn"), AT_THE_CLOSE)
def test_a_bet_withdrawn_all_the_same_is_won_or_lost_by_the_result(game: str, late: str, withdrawn: str) -> None:
    for third, nets in [("5H", (9_500, -20_000)), ("3H", (4_000, 0))]:  # Player 9, or a tie at 7 that pays 8 to 1
        table = second_round(game, "4S 7H KD QC")
        table.report(Kind.WITHDRAWN_BET, seats=(1, 2))
        table.waits(withdrawn)
        assert table.takes(Rank.DEALER, Remedy.BET_STANDS) == withdrawn
        before = table.state
        assert len(table.remedy(Remedy.BET_STANDS, by=DEALER)) == 1
        assert table.state == before._replace(pending=None)
        table.deal(third)
        table.finish()
        assert (table.net(1), table.net(2)) == nets


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


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in CLAUSES])
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
        assert table.refused(commands.VoidRound(by=staff, why="power failure")).code is Code.RANK_TOO_LOW
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
    assert (dict(reported.remedies), reported.rank) == (UNLIMITED, "shift-manager")
    table.waits(SILENT)
