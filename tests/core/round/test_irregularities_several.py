"""Several irregularities at once: each is decided on its own, in any order, and the table goes on when none is left."""

from dataclasses import replace
from itertools import permutations

import pytest

from natural9.core.cards import parse_cards
from natural9.core.irregularities import Kind, Remedy
from natural9.core.round import Refusal, commands, events
from natural9.core.round.refusal import Code
from natural9.core.round.remedies import may_be_withdrawn_by
from natural9.core.round.reporting import allowed
from natural9.core.round.state import Phase
from natural9.core.staff import Staff
from tests.core.round.clauses import (
    BY_CARDS,
    RETURNED,
    STAKED,
    Floor,
    When,
    as_far_as,
    report,
    restart,
    situation,
)
from tests.core.round.table import (
    DEALER,
    EVERYBODY,
    ONE_GAME_A_DOCUMENT,
    PIT_MANAGER,
    PIT_SUPERVISOR,
    SHIFT_MANAGER,
    decision,
    of,
    signed,
)

in_each_document = pytest.mark.parametrize("game", ONE_GAME_A_DOCUMENT)

SILENT_GAMES = ("rws-nc-insurance", "rws-nc-super-six-plus")
SILENT_ON = {
    Kind.UNSHUFFLED_CARDS,
    Kind.WRONG_AREA,
    Kind.ORDER_ALTERED,
    Kind.FACE_UP_IN_SHOE,
    Kind.TABLE_INTERRUPTION,
    Kind.TERMINAL_INTERRUPTION,
}
RULING = signed(commands.RuleOnBet(seat=2, wager="banker"), by=SHIFT_MANAGER)


def waiting(table: Floor) -> list[Kind]:
    return [pending.kind for pending in table.state.pending]


def number(table: Floor, kind: Kind) -> int:
    [found] = [pending.report for pending in table.state.pending if pending.kind is kind]
    return found


def decide(table: Floor, kind: Kind, remedy: Remedy, *, cards: str = "", replace_shoe: bool = False) -> None:
    table.remedy(remedy, by=SHIFT_MANAGER, cards=cards, report=number(table, kind), replace_shoe=replace_shoe)


# Which one is meant.


def test_while_several_wait_a_decision_and_a_withdrawal_say_which_is_meant() -> None:
    table = situation("rws-nc", When.DEALING)
    table.do(report(Kind.LATE_BET, When.DEALING))
    table.do(report(Kind.EXCESS_OR_EXPOSED, When.DEALING))
    for asked in (decision(Remedy.RECONSTRUCT, SHIFT_MANAGER), signed(commands.WithdrawReport(), by=SHIFT_MANAGER)):
        refusal = table.refused(asked)
        assert refusal.code is Code.BAD_REPORT
        assert "1 (late bet)" in refusal.message
        assert "2 (a card too many was drawn or shown)" in refusal.message
    assert table.refused(decision(Remedy.VOID, SHIFT_MANAGER, report=3)).code is Code.NO_IRREGULARITY
    assert table.refused(decision(Remedy.REFUSE_BET, SHIFT_MANAGER, report=2)).code is Code.REMEDY_NOT_ALLOWED
    decide(table, Kind.EXCESS_OR_EXPOSED, Remedy.RECONSTRUCT)
    table.remedy(Remedy.REFUSE_BET, by=DEALER)  # one is left, so no number is needed
    table.go_on()
    assert table.money() == (9_500, 0)


def test_the_rank_is_that_of_the_one_that_is_decided() -> None:
    table = situation("rws-nc", When.DEALING)
    table.do(report(Kind.NOT_COVERED, When.DEALING))
    table.do(report(Kind.TERMINAL_INTERRUPTION, When.DEALING))
    table.do(report(Kind.FACE_UP_IN_SHOE, When.DEALING))
    accepted = {
        staff: [
            number
            for number in (1, 2, 3)
            if not isinstance(table.ask(decision(Remedy.CONTINUE, staff, report=number)), Refusal)
        ]
        for staff in EVERYBODY
    }
    assert accepted == {DEALER: [2], PIT_SUPERVISOR: [2, 3], PIT_MANAGER: [2, 3], SHIFT_MANAGER: [1, 2, 3]}


# Two and three, in every order.

THREE = (
    (Kind.LATE_BET, Remedy.REFUSE_BET),
    (Kind.EXCESS_OR_EXPOSED, Remedy.RECONSTRUCT),
    (Kind.FOUND_LATER, Remedy.NO_EFFECT),
)


@in_each_document
@pytest.mark.parametrize("reported", list(permutations(range(3))))
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_are_decided_in_every_order_and_the_end_is_the_same(
    game: str, reported: tuple[int, ...], order: tuple[int, ...]
) -> None:
    table = situation(game, When.DEALING)
    for place in reported:
        table.do(report(THREE[place][0], When.DEALING))
    for left, place in zip((2, 1, 0), order, strict=True):
        assert table.refused(commands.DealCard(card=parse_cards("5H")[0])).code is Code.IRREGULARITY_PENDING
        decide(table, *THREE[place])
        assert len(table.state.pending) == left
    assert table.held == "5H"
    assert table.money() == (-10_500, 0)
    table.go_on()
    assert table.money() == (9_500, 0)
    table.opens_again()


@in_each_document
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_one_is_withdrawn_among_the_others_and_the_end_is_as_if_it_had_never_been_reported(
    game: str, order: tuple[int, ...]
) -> None:
    table = situation(game, When.DEALING)
    for kind, _ in THREE:
        table.do(report(kind, When.DEALING))
    for place in order:
        kind, remedy = THREE[place]
        if kind is Kind.EXCESS_OR_EXPOSED:
            table.do(signed(commands.WithdrawReport(report=number(table, kind)), by=SHIFT_MANAGER))
        else:
            decide(table, kind, remedy)
    assert table.held == ""
    before = situation(game, When.DEALING)
    assert table.state.shoe == before.state.shoe
    table.go_on()
    assert table.money() == (9_500, 0)


VOIDS = {  # a report that voids the round, by document: its paragraph is beside it in the tables of clauses
    "rws-nc": Kind.UNSHUFFLED_CARDS,
    "rws-nc-insurance": Kind.FOREIGN_CARD,
    "rws-nc-super-six-plus": Kind.SHORTAGE_OR_EXCESS,
    "mbs-nc": Kind.INSUFFICIENT_CARDS,
}


@in_each_document
@pytest.mark.parametrize("voided_at", range(4))
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_void_among_them_returns_every_bet_whole_whenever_it_comes_and_answers_what_concerned_the_bets(
    game: str, order: tuple[int, ...], voided_at: int
) -> None:
    table = situation(game, When.DEALING)
    for kind, _ in THREE:
        table.do(report(kind, When.DEALING))
    table.do(report(VOIDS[game], When.DEALING))
    for place in order[:voided_at]:
        decide(table, *THREE[place])
    decide(table, VOIDS[game], Remedy.VOID)
    assert table.state.phase is Phase.VOID
    assert table.money() == RETURNED
    # The late bet went back with the round; drawn cards may begin the next one, and an earlier round is another matter.
    undecided = {THREE[place][0] for place in order[voided_at:]}
    assert set(waiting(table)) == undecided - {Kind.LATE_BET}
    if Kind.FOUND_LATER in waiting(table):
        decide(table, Kind.FOUND_LATER, Remedy.NO_EFFECT)
    if Kind.EXCESS_OR_EXPOSED in waiting(table):
        decide(table, Kind.EXCESS_OR_EXPOSED, Remedy.USE_IN_NEXT_ROUND if game == "rws-nc" else Remedy.RECONSTRUCT)
    assert table.held == "5H"
    assert table.money() == RETURNED
    table.opens_again()


@in_each_document
@pytest.mark.parametrize("reporter", EVERYBODY)
@pytest.mark.parametrize(
    ("kind", "cards"),
    [
        (Kind.EXCESS_OR_EXPOSED, "8D"),
        (Kind.DRAWN_TOGETHER_ORDER_KNOWN, "8D 9C"),
        (Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, "8D 9C"),
        (Kind.WRONG_NUMBER_OF_CARDS, "8D"),
        (Kind.ORDER_ALTERED, "8D"),
        (Kind.FACE_UP_IN_SHOE, "8D"),
        (Kind.NOT_COVERED, "8D"),
    ],
)
def test_drawn_cards_that_are_reported_have_a_way_out_when_the_round_is_void_over_them(
    game: str, kind: Kind, cards: str, reporter: Staff
) -> None:
    """They are decided about, or the report is withdrawn, and the next round opens."""
    table = situation(game, When.DEALING)
    table.report(kind, cards=cards, by=reporter)
    table.do(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="smoke"))
    [pending] = table.state.pending
    for remedy, _ in allowed(table.state, pending).remedies:
        decided = table.fork()
        decided.remedy(remedy, by=SHIFT_MANAGER, cards=cards if remedy is Remedy.DECIDE_ORDER else "")
        assert decided.money() == RETURNED
        decided.opens_again()
    table.do(signed(commands.WithdrawReport(), by=SHIFT_MANAGER))
    assert table.money() == RETURNED
    table.opens_again()


@in_each_document
@pytest.mark.parametrize(
    "kind",
    [
        Kind.FOREIGN_CARD,
        Kind.SHORTAGE_OR_EXCESS,
        Kind.INSUFFICIENT_CARDS,
        Kind.UNSHUFFLED_CARDS,
        Kind.WRONG_AREA,
        Kind.WRONG_RESULT,
        Kind.TABLE_INTERRUPTION,
        Kind.TERMINAL_INTERRUPTION,
        Kind.LATE_BET,
        Kind.WITHDRAWN_BET,
        Kind.FOUND_LATER,
    ],
)
def test_a_report_that_is_not_about_drawn_cards_names_none(game: str, kind: Kind) -> None:
    """Else they would be out of the count of the shoe, and nothing that can be decided says where they are."""
    table = situation(game, When.DEALING)
    named = report(kind, When.DEALING)
    assert isinstance(named.command, commands.ReportIrregularity)
    with_cards = replace(named.command, cards=parse_cards("8D"))
    assert table.refused(named._replace(command=with_cards)).code is Code.BAD_REPORT
    table.do(named)


@in_each_document
@pytest.mark.parametrize("when", [When.OPEN, When.DEALING, When.DECLARED, When.SETTLED, When.VOID])
@pytest.mark.parametrize("first", Kind)
def test_whatever_is_decided_about_one_of_two_the_other_has_a_way_out_and_the_books_agree(
    game: str, when: When, first: Kind
) -> None:
    start = situation(game, when)
    if not start.try_to(report(first, when)):
        return
    for second in Kind:
        both = start.fork()
        if not both.try_to(report(second, when)):
            continue
        one, other = both.state.pending
        for remedy, _ in allowed(both.state, one).remedies:
            table = both.fork()
            named = " ".join(map(str, one.cards)) if remedy is Remedy.DECIDE_ORDER else ""
            table.remedy(remedy, by=SHIFT_MANAGER, cards=named, report=one.report)
            for left in table.state.pending:
                assert left.report == other.report
                ways = allowed(table.state, left).remedies
                assert ways or may_be_withdrawn_by(table.state, left) is not None
                if ways:
                    named = " ".join(map(str, left.cards)) if ways[0][0] is Remedy.DECIDE_ORDER else ""
                    table.remedy(ways[0][0], by=SHIFT_MANAGER, cards=named)
                else:
                    table.do(signed(commands.WithdrawReport(), by=SHIFT_MANAGER))
            assert not table.state.pending
            agree(table)
            table.go_on()
            agree(table)
            table.opens_again()


def agree(table: Floor) -> None:
    """What lies at the seats is what is staked, and no seat has less than it staked or more than it was returned."""
    seats = dict(table.state.seats.items())
    assert table.state.staked_cents == sum(seat.staked_cents for seat in seats.values())
    assert all(cents > 0 for seat in seats.values() for cents in seat.bets.values())
    for number, seat in seats.items():
        assert table.net(number) == seat.returned_cents - seat.staked_cents


@pytest.mark.parametrize("first", [Kind.WRONG_NUMBER_OF_CARDS, Kind.WRONG_RESULT, Kind.EXCESS_OR_EXPOSED])
@pytest.mark.parametrize("second", [Kind.WRONG_NUMBER_OF_CARDS, Kind.WRONG_RESULT, Kind.EXCESS_OR_EXPOSED])
def test_of_a_settled_round_a_void_after_another_result_takes_back_that_result(first: Kind, second: Kind) -> None:
    if first is second:
        return
    ways = {
        Kind.WRONG_NUMBER_OF_CARDS: (Remedy.VOID, ""),
        Kind.WRONG_RESULT: (Remedy.SETTLE_BY_CARDS, "4S 7H KD QC 2H"),
        Kind.EXCESS_OR_EXPOSED: (Remedy.USE_IN_NEXT_ROUND, ""),
    }
    table = situation("rws-nc", When.SETTLED)
    table.do(report(first, When.SETTLED))
    table.do(report(second, When.SETTLED))
    for kind in (first, second):
        if kind in waiting(table):
            remedy, cards = ways[kind]
            decide(table, kind, remedy, cards=cards)
    assert not table.state.pending
    money = RETURNED if Kind.WRONG_NUMBER_OF_CARDS in (first, second) else (-10_500, 20_000)
    assert table.money() == money
    table.opens_again()
    assert table.held == ("5H" if Kind.EXCESS_OR_EXPOSED in (first, second) else "")


# The same twice.


@in_each_document
@pytest.mark.parametrize(("first", "second"), [(None, None), (20_000, None), (None, 20_000), (20_000, 100)])
def test_a_late_bet_that_waits_already_is_not_reported_again(game: str, first: int | None, second: int | None) -> None:
    table = situation(game, When.DEALING)
    reported = table.report(Kind.LATE_BET, seat=2, wager="banker", cents=first)
    assert reported.cents == 20_000
    again = commands.ReportIrregularity(kind=Kind.LATE_BET, seat=2, wager="banker", cents=second)
    assert table.refused(signed(again, by=DEALER)).code is Code.ALREADY_DONE
    table.remedy(Remedy.REFUSE_BET, by=DEALER)
    assert [event.cents for event in of(events.BetVoided, table.happened)] == [20_000]
    assert table.state.staked_cents == 10_500
    assert table.refused(signed(again, by=DEALER)).code is Code.NO_SUCH_BET
    table.go_on()
    assert table.money() == (9_500, 0)


@in_each_document
@pytest.mark.parametrize("rest", [None, 5_000])
def test_two_late_parts_of_a_bet_are_no_more_than_lies(game: str, rest: int | None) -> None:
    table = situation(game, When.DEALING)
    table.report(Kind.LATE_BET, seat=2, wager="banker", cents=15_000)
    more = commands.ReportIrregularity(kind=Kind.LATE_BET, seat=2, wager="banker", cents=5_100)
    assert table.refused(signed(more, by=DEALER)).code is Code.ALREADY_DONE
    assert table.report(Kind.LATE_BET, seat=2, wager="banker", cents=rest).cents == 5_000
    for one in (2, 1):
        table.remedy(Remedy.REFUSE_BET, by=DEALER, report=one)
    assert [event.cents for event in of(events.BetVoided, table.happened)] == [5_000, 15_000]
    assert table.money() == (-10_500, 0)


@in_each_document
def test_a_withdrawn_bet_that_waits_already_is_not_reported_again(game: str) -> None:
    table = situation(game, When.DEALING)
    table.do(report(Kind.WITHDRAWN_BET, When.DEALING))
    assert table.refused(report(Kind.WITHDRAWN_BET, When.DEALING)).code is Code.ALREADY_DONE
    table.remedy(Remedy.BET_STANDS, by=DEALER)
    assert table.money() == (-10_500, -30_000)
    assert table.refused(report(Kind.WITHDRAWN_BET, When.DEALING)).code is Code.NO_SUCH_BET


@in_each_document
@pytest.mark.parametrize("is_ruled_first", [False, True])
def test_a_late_bet_that_the_manager_voids_meanwhile_goes_back_once(game: str, is_ruled_first: bool) -> None:
    table = situation(game, When.DEALING)
    table.do(report(Kind.LATE_BET, When.DEALING))
    if is_ruled_first:
        table.do(RULING)
        table.remedy(Remedy.REFUSE_BET, by=DEALER)
    else:
        table.remedy(Remedy.REFUSE_BET, by=DEALER)
        assert table.refused(RULING).code is Code.NO_SUCH_BET
    assert table.money() == (-10_500, 0)


@in_each_document
@pytest.mark.parametrize("order", list(permutations([Kind.LATE_BET, Kind.WITHDRAWN_BET])))
def test_what_came_late_is_what_lay_when_it_was_reported_and_no_more(game: str, order: tuple[Kind, Kind]) -> None:
    """200.00 came late, 100.00 was taken away: the 100.00 are left, whichever is decided first."""
    table = situation(game, When.DEALING)
    for kind in (Kind.LATE_BET, Kind.WITHDRAWN_BET):
        table.do(report(kind, When.DEALING))
    remedies = {Kind.LATE_BET: Remedy.REFUSE_BET, Kind.WITHDRAWN_BET: Remedy.BET_STANDS}
    for kind in order:
        decide(table, kind, remedies[kind])
    assert table.money() == (-10_500, -10_000)
    table.go_on()
    assert table.money() == (9_500, -10_000)


# A correction, a ruling, a restart while one waits.


@in_each_document
def test_a_correction_while_one_waits_changes_what_may_be_decided_about_it(game: str) -> None:
    """Four cards, the Player to draw, one exposed; then the first was a 9: the round is over, and the card is the next
    round's."""
    table = situation(game, When.DEALING)
    table.do(report(Kind.EXCESS_OR_EXPOSED, When.DEALING))
    table.do(signed(commands.CorrectCard(place=1, card=parse_cards("9S")[0]), by=DEALER))
    assert table.state.phase is Phase.COMPLETE
    remedies = {
        "rws-nc": {Remedy.USE_IN_NEXT_ROUND, Remedy.DISCARD},
        "mbs-nc": {Remedy.RECONSTRUCT, Remedy.DISCARD},
        **{key: {Remedy.CONTINUE, Remedy.RECONSTRUCT, Remedy.DISCARD, Remedy.VOID} for key in SILENT_GAMES},
    }[game]
    for remedy in Remedy:
        answer = table.ask(decision(remedy, SHIFT_MANAGER))
        assert isinstance(answer, Refusal) is (remedy not in remedies), remedy
    decide(table, Kind.EXCESS_OR_EXPOSED, Remedy.DISCARD)
    table.go_on()
    assert table.money() == BY_CARDS  # Player 9, Banker 7
    assert table.state.held == ()


@in_each_document
@pytest.mark.parametrize("is_withdrawn", [False, True])
def test_a_correction_while_drawn_cards_wait_keeps_the_count_of_the_shoe(game: str, is_withdrawn: bool) -> None:
    table = situation(game, When.DEALING)
    table.do(report(Kind.EXCESS_OR_EXPOSED, When.DEALING))
    table.do(signed(commands.CorrectCard(place=1, card=parse_cards("4D")[0]), by=DEALER))
    if is_withdrawn:
        table.do(signed(commands.WithdrawReport(), by=SHIFT_MANAGER))
    else:
        decide(table, Kind.EXCESS_OR_EXPOSED, Remedy.RECONSTRUCT)
    table.go_on()
    assert table.money() == BY_CARDS
    assert table.state.shoe is not None
    assert table.state.shoe.cards_left == 8 * 52 - 4 - 5
    assert [table.state.shoe.left(card) for card in parse_cards("4S 4D 5H")] == [8, 7, 7]


@in_each_document
def test_a_declared_result_is_corrected_while_a_late_bet_waits(game: str) -> None:
    table = situation(game, When.DECLARED)
    table.do(report(Kind.LATE_BET, When.DECLARED))
    correcting = signed(commands.CorrectResult(cards=parse_cards("4S 7H KD QC 2H")), by=SHIFT_MANAGER)
    table.do(correcting)
    table.remedy(Remedy.REFUSE_BET, by=DEALER)
    table.go_on()
    assert table.money() == (-10_500, 0)  # the Banker wins, and seat 2 has nothing on it


@in_each_document
@pytest.mark.parametrize("when", [When.BRIEF, When.LONG, When.REAL])
@pytest.mark.parametrize("kind", [Kind.LATE_BET, Kind.EXCESS_OR_EXPOSED, Kind.FOUND_LATER])
def test_what_waited_when_the_table_was_cut_off_still_waits_when_it_is_back(game: str, when: When, kind: Kind) -> None:
    table = situation(game, When.DEALING)
    table.do(report(kind, When.DEALING))
    [before] = table.state.pending
    table.do(commands.NoteInterruption(away_ms=90_000, brief=when is When.BRIEF, real_cards=when is When.REAL))
    if when is When.REAL:
        decide(table, Kind.TABLE_INTERRUPTION, Remedy.CONFIRM_CARDS)
    if game in SILENT_GAMES and when is not When.BRIEF:
        decide(table, Kind.TABLE_INTERRUPTION, Remedy.CONTINUE)
    assert table.state.pending == (before,)
    remedy = dict(THREE)[kind]
    table.remedy(remedy, by=SHIFT_MANAGER)
    table.go_on()
    assert table.money() == ((9_500, 0) if kind is Kind.LATE_BET else BY_CARDS)


@pytest.mark.parametrize("game", ["rws-nc", "mbs-nc"])
@pytest.mark.parametrize("is_real", [False, True])
def test_an_interruption_that_voids_answers_what_waited_but_for_drawn_cards(game: str, is_real: bool) -> None:
    table = situation(game, When.OPEN)
    table.do(commands.CloseBetting())
    for kind in (Kind.LATE_BET, Kind.EXCESS_OR_EXPOSED):
        table.do(report(kind, When.DEALING))
    table.do(commands.NoteInterruption(away_ms=90_000, brief=False, real_cards=is_real))
    if is_real:
        assert table.state.phase is Phase.BETS_CLOSED
        unsaid = decision(Remedy.CONFIRM_CARDS, PIT_SUPERVISOR, why="", report=number(table, Kind.TABLE_INTERRUPTION))
        assert table.refused(unsaid).code is Code.REASON_NEEDED  # no outcome is established, so this voids
        decide(table, Kind.TABLE_INTERRUPTION, Remedy.CONFIRM_CARDS)
    assert table.state.phase is Phase.VOID
    assert waiting(table) == [Kind.EXCESS_OR_EXPOSED]
    assert table.money() == RETURNED
    decide(table, Kind.EXCESS_OR_EXPOSED, Remedy.DISCARD)
    table.opens_again()


@in_each_document
@pytest.mark.parametrize("first", [0, 1])
def test_a_table_that_is_cut_off_twice_before_its_cards_are_confirmed_goes_on_once_both_are(
    game: str, first: int
) -> None:
    table = situation(game, When.DEALING)
    for _ in range(2):
        table.do(commands.NoteInterruption(away_ms=90_000, brief=False, real_cards=True))
    while table.state.pending:
        place = first if len(table.state.pending) > first else 0
        pending = table.state.pending[place]
        remedy = Remedy.CONFIRM_CARDS if pending.confirm else Remedy.CONTINUE
        table.remedy(remedy, by=SHIFT_MANAGER, report=pending.report)
    assert table.money() == STAKED
    table.go_on()
    assert table.money() == BY_CARDS


@pytest.mark.parametrize("game", ["rws-nc", "rws-nc-insurance", "rws-nc-super-six-plus"])
@pytest.mark.parametrize("is_ruled_first", [False, True])
def test_a_ruling_on_a_bet_of_a_settled_round_that_is_then_void_is_taken_back_with_it(
    game: str, is_ruled_first: bool
) -> None:
    table = situation(game, When.SETTLED)
    if is_ruled_first:
        table.do(RULING)
    table.do(report(Kind.WRONG_NUMBER_OF_CARDS, When.SETTLED))
    if not is_ruled_first:
        table.do(RULING)
    assert table.money() == (9_500, 0)
    table.remedy(Remedy.VOID, by=PIT_SUPERVISOR)
    assert table.money() == RETURNED
    assert table.refused(RULING).code is Code.ROUND_CONCLUDED
    table.opens_again()


# A round that is void before its first card.


@in_each_document
@pytest.mark.parametrize("kind", Kind)
def test_after_a_void_before_the_first_card_only_what_concerns_the_next_round_is_taken(game: str, kind: Kind) -> None:
    drawn = {Kind.EXCESS_OR_EXPOSED, Kind.DRAWN_TOGETHER_ORDER_KNOWN, Kind.DRAWN_TOGETHER_ORDER_UNKNOWN}
    taken = (
        drawn
        | {Kind.FOUND_LATER, Kind.NOT_COVERED}
        | {
            "rws-nc": {Kind.ORDER_ALTERED},
            "rws-nc-insurance": {Kind.SHORTAGE_OR_EXCESS, *SILENT_ON},
            "rws-nc-super-six-plus": SILENT_ON,
            "mbs-nc": {Kind.FACE_UP_IN_SHOE},  # 5.6 speaks of what is found after the first card
        }[game]
    )
    table = situation(game, When.OPEN)
    table.do(signed(commands.VoidRound(), by=SHIFT_MANAGER, why="smoke"))
    if kind not in taken:
        code = Code.NOT_COMPLETE if kind is Kind.WRONG_RESULT else Code.ROUND_CONCLUDED
        assert table.refused(report(kind, When.VOID, SHIFT_MANAGER)).code is code
        return
    table.do(report(kind, When.VOID))
    [pending] = table.state.pending
    for remedy, _ in allowed(table.state, pending).remedies:
        decided = table.fork()
        order = "5H 2D" if remedy is Remedy.DECIDE_ORDER else ""
        decided.remedy(remedy, by=SHIFT_MANAGER, cards=order)
        assert decided.money() == RETURNED
        decided.opens_again()


# A bet that was taken away.


@in_each_document
def test_a_bet_that_was_taken_away_whole_is_won_or_lost_though_it_is_noticed_after_settlement(game: str) -> None:
    """By rws-nc-insurance 5.3 it is won or lost by the result: by the manager's ruling, if by nothing else."""
    table = situation(game, When.OPEN)
    table.do(commands.TakeBackBet(seat=1, wager="player"))
    table.go_on()  # Player 9, Banker 7
    assert table.money() == (-500, -20_000)
    kept = commands.RuleOnBet(seat=1, wager="player", returned_cents=10_000)
    assert table.refused(signed(kept, by=SHIFT_MANAGER)).code is Code.ALREADY_DONE  # the player has it back
    table.do(signed(commands.RuleOnBet(seat=1, wager="player", returned_cents=20_000), by=SHIFT_MANAGER))
    assert table.money() == (9_500, -20_000)  # won, as if it had lain
    table.do(signed(commands.RuleOnBet(seat=1, wager="player", returned_cents=0), by=SHIFT_MANAGER))
    assert table.money() == (-10_500, -20_000)  # or lost


# A card said to lie in the other area.


@in_each_document
@pytest.mark.parametrize("place", range(5))
def test_a_card_that_was_only_said_to_lie_in_the_other_area_is_withdrawn_and_lies_where_it_belongs(
    game: str, place: int
) -> None:
    cards = ["4S", "7H", "KD", "QC", "5H"]
    table, straight = as_far_as(game, " ".join(cards[:place])), as_far_as(game, " ".join(cards[: place + 1]))
    if table.state.window:
        table.close_window()
    assert table.state.due is not None
    table.do(commands.DealCard(card=parse_cards(cards[place])[0], put_at=table.state.due.other))
    assert waiting(table) == [Kind.WRONG_AREA]
    table.do(signed(commands.WithdrawReport(), by=PIT_SUPERVISOR))
    assert table.exactly() == straight.exactly()


# Another set of cards while drawn ones wait: rws-nc 5.7.1.


@pytest.mark.rule("rws-nc 5.7.1", "rws-nc 5.4")
@pytest.mark.parametrize("remedy", [Remedy.RECONSTRUCT, None])
def test_the_set_is_replaced_once_it_is_known_what_becomes_of_every_card_drawn_from_it(remedy: Remedy | None) -> None:
    table = situation("rws-nc", When.DEALING)
    table.do(report(Kind.DRAWN_TOGETHER_ORDER_UNKNOWN, When.DEALING))
    table.report(Kind.EXCESS_OR_EXPOSED, cards="8D")
    replacing = decision(Remedy.DECIDE_ORDER, PIT_SUPERVISOR, cards="5H 2D", replace_shoe=True, report=1)
    assert table.refused(replacing).code is Code.IRREGULARITY_PENDING
    if remedy is None:
        table.do(signed(commands.WithdrawReport(report=2), by=PIT_SUPERVISOR))
    else:
        decide(table, Kind.EXCESS_OR_EXPOSED, remedy)
    table.do(replacing)
    assert table.held == ("5H 2D" if remedy is None else "8D 5H 2D")
    assert table.state.shoe is not None
    assert table.state.shoe.cards_left == 8 * 52
    last = 4 + len(table.state.held)
    table.do(signed(commands.CorrectCard(place=last, card=parse_cards("3D")[0]), by=PIT_SUPERVISOR))  # it was no 2D
    assert table.state.shoe.cards_left == 8 * 52
    table.go_on()
    table.opens_again()


def test_a_card_drawn_from_a_loaded_shoe_before_its_first_round_is_dealt_in_that() -> None:
    """The old shoe's count has nothing to do with it, and nobody knows more of it than that it comes first."""
    table = situation("rws-nc", When.SETTLED)
    table.do(signed(commands.LoadShoe(shoe=2, decks=8), by=PIT_SUPERVISOR, why="a torn card"))
    assert table.refused(report(Kind.EXCESS_OR_EXPOSED, When.SETTLED)).code is Code.ROUND_CONCLUDED
    table.open()
    assert table.state.shoe is not None
    assert table.state.shoe.cards_left == 8 * 52


# Insurance.


@pytest.mark.parametrize("order", list(permutations([Kind.LATE_BET, Kind.EXCESS_OR_EXPOSED])))
def test_a_late_bet_takes_its_insurance_with_it_and_an_exposed_card_ends_the_window(order: tuple[Kind, Kind]) -> None:
    table = situation("rws-nc-insurance", When.DEALING, insured=5_000)
    for kind in (Kind.LATE_BET, Kind.EXCESS_OR_EXPOSED):
        table.do(report(kind, When.DEALING))
    for kind in order:
        decide(table, kind, dict(THREE)[kind])
    assert table.money() == (-10_500, 0)
    assert not table.state.window_open
    assert table.state.phase is Phase.PLAYERS_THIRD
    table.go_on()
    assert table.money() == (9_500, 0)


def test_a_restart_in_an_insurance_window_keeps_it_open() -> None:
    table = situation("rws-nc-insurance", When.DEALING, insured=5_000)
    restart(table, When.BRIEF)
    assert table.state.window_open
    assert table.money() == (-10_500, -25_000)
