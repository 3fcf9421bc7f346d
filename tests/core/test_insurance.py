"""Insurance: when it is on offer, who may take it and for how much, and how it ends (rws-nc-insurance 3.5, 4.1)."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import Rank
from natural9.core.errors import BadInput
from natural9.core.insurance import Insurance, InsuranceRow, Window, is_window_due, room_under_cap
from natural9.core.money import MAX_CENTS, Odds
from natural9.core.outcome import Outcome, Winner
from natural9.core.settlement import InsuranceLine, InsuranceStake, Settlement, settle_round
from natural9.core.table_of_play import Hand, next_hand, total
from natural9.core.wagers import Result
from natural9.games import game_ids, load_game
from tests.core.test_deals import RANK_OF_POINTS, every_completion, rank_deals

rule = pytest.mark.rule

GAME = load_game("rws-nc-insurance")
FOUR, THIRD = Window.FOUR_CARDS, Window.THIRD_CARD
PLAYER, BANKER = Hand.PLAYER, Hand.BANKER

# Player 4 and Banker 5: Banker insurance at 2:1. The Player draws 7 and has 1: Banker insurance again, at 7:1.
BOTH_WINDOWS = "TT457"
BANKER_LOSES = (*BOTH_WINDOWS, "5")  # Player 1, Banker 0
BANKER_WINS = (*BOTH_WINDOWS, "9")  # Player 1, Banker 4
TIED = (*BOTH_WINDOWS, "6")  # Player 1, Banker 1


def insurance() -> Insurance:
    assert GAME.insurance is not None
    return GAME.insurance


def settle(ranks: tuple[Rank, ...] | str, bets: Mapping[str, int], *taken: InsuranceStake) -> Settlement:
    return settle_round(GAME, ranks, bets, taken)


def refusal(ranks: tuple[Rank, ...] | str, bets: Mapping[str, int], *taken: InsuranceStake) -> BadInput:
    with pytest.raises(BadInput) as refused:
        settle(ranks, bets, *taken)
    return refused.value


def insured(settled: Settlement) -> list[InsuranceLine]:
    return [line for line in settled.lines if isinstance(line, InsuranceLine)]


def situations() -> list[tuple[Window, str]]:
    """Every four and five cards by points, of which the fifth, where there is one, was due."""
    fours = ["".join(four) for four in product(RANK_OF_POINTS, RANK_OF_POINTS, "T", "T5")]
    fives = [four + fifth for four in fours if next_hand(four) for fifth in RANK_OF_POINTS]
    return [(FOUR, four) for four in fours] + [(THIRD, five) for five in fives]


@rule("rws-nc-insurance 1:baccarat-insurance", "rws-nc-insurance 3.5.1")
def test_no_window_is_due_when_no_draw_is_to_come() -> None:
    for window, ranks in situations():
        if next_hand(ranks) is None:
            assert not is_window_due(window, ranks)
            assert insurance().offers(window, ranks) == ()


@rule("rws-nc-insurance 1:baccarat-insurance", "rws-nc-insurance 3.5.1")
def test_the_second_window_comes_after_the_players_third_card_and_before_the_bankers() -> None:
    for window, ranks in situations():
        if window is THIRD:
            due = next_hand(ranks[:4]) is PLAYER and next_hand(ranks) is BANKER
            assert is_window_due(window, ranks) is due
        else:
            assert is_window_due(window, ranks) is (next_hand(ranks) is not None)


@given(rank_deals())
def test_a_window_is_due_only_at_its_own_number_of_cards(ranks: tuple[Rank, ...]) -> None:
    for window in Window:
        for count in range(len(ranks) + 1):
            if count != window.cards:
                assert not is_window_due(window, ranks[:count])
    assert not is_window_due(THIRD, ranks) or len(ranks) == 5
    assert not any(is_window_due(window, ranks) for window in Window), "a whole round has nothing to come"


@rule("rws-nc-insurance 3.5.1", "rws-nc-insurance 4.1.2")
def test_banker_insurance_is_on_two_cards_and_player_insurance_on_two_or_three() -> None:
    offered = {
        (window, row.hand, len(ranks)) for window, ranks in situations() for row in insurance().offers(window, ranks)
    }
    assert offered == {(FOUR, PLAYER, 4), (FOUR, BANKER, 4), (THIRD, PLAYER, 5), (THIRD, BANKER, 5)}
    for window, ranks in situations():
        for row in insurance().offers(window, ranks):
            assert total(ranks[1:4:2]) in row.banker_totals, "the Banker's two cards"
            assert total(ranks[0::2]) in row.player_totals, "all that the Player has"


@given(rank_deals())
def test_what_was_on_offer_can_be_asked_of_the_whole_round(ranks: tuple[Rank, ...]) -> None:
    for window, hand in product(Window, Hand):
        assert insurance().offer(window, ranks, hand) == insurance().offer(window, ranks[: window.cards], hand)
        assert insurance().offer(window.value, ranks, hand.value) == insurance().offer(window, ranks, hand)


@rule("rws-nc-insurance 4.1.2")
@pytest.mark.parametrize(
    ("window", "hand", "ranks", "odds"),
    [
        (FOUR, BANKER, "TT45", "2:1"),
        (FOUR, BANKER, "TT55", None),  # the table stops at a Player of 4
        (FOUR, BANKER, "TT56", "3:1"),
        (FOUR, BANKER, "TT57", "4:1"),
        (FOUR, PLAYER, "TT54", "2:1"),
        (FOUR, PLAYER, "TT53", None),
        (FOUR, PLAYER, "TT65", "3:1"),
        (FOUR, PLAYER, "TT7T", "4:1"),
        (FOUR, PLAYER, "TT77", None),  # nobody draws
        (FOUR, PLAYER, "TT8T", None),  # a natural
        (THIRD, BANKER, "TTTAA", "6:1"),
        (THIRD, BANKER, "TT457", "7:1"),
        (THIRD, BANKER, "TT567", "4:1"),  # Player 2, and a Banker of 6 draws on a 7
        (THIRD, BANKER, "TTA42", "1.5:1"),
        (THIRD, BANKER, "TTT7A", None),  # the Banker stands, so the round is over
        (THIRD, PLAYER, "TTTT5", "2:1"),
        (THIRD, PLAYER, "TTT55", None),
        (THIRD, PLAYER, "TTT56", "3:1"),
        (THIRD, PLAYER, "TTT67", "4:1"),
        (THIRD, PLAYER, "TTTT8", "7:1"),
        (THIRD, PLAYER, "TTTT9", "8:1"),
        (THIRD, PLAYER, "TT6T5", None),  # the Player stood: the fifth card is the Banker's, and the round is over
    ],
)
def test_offers_by_hand(window: Window, hand: Hand, ranks: str, odds: str | None) -> None:
    row = insurance().offer(window, ranks, hand)
    assert (row.odds.text if row else None) == odds


@rule("rws-nc-insurance 4.1.2", "rws-nc-insurance 4.1.3", "rws-nc-insurance 3.9")
def test_insurance_pays_when_the_hand_loses_and_goes_back_on_a_tie() -> None:
    bets, taken = {"banker": 10_000}, (InsuranceStake(FOUR, BANKER, 1500), InsuranceStake(THIRD, BANKER, 1000))
    four, third = insured(settle(BANKER_LOSES, bets, *taken))
    assert (four.result, four.odds, four.returned_cents, four.net_cents, four.window) == (
        Result.WIN,
        "2:1",
        4500,
        3000,
        FOUR,
    )
    assert (third.result, third.odds, third.returned_cents, third.net_cents, third.window) == (
        Result.WIN,
        "7:1",
        8000,
        7000,
        THIRD,
    )
    assert four.paragraph == third.paragraph == "rws-nc-insurance 4.1.2"
    assert settle(BANKER_LOSES, bets, *taken).net_cents == 0, "insured to the full, the bet has cost nothing"
    for line in insured(settle(BANKER_WINS, bets, *taken)):
        assert (line.result, line.odds, line.returned_cents, line.net_cents) == (
            Result.LOSE,
            None,
            0,
            -line.stake_cents,
        )
    for line in insured(settle(TIED, bets, *taken)):
        assert (line.result, line.odds, line.returned_cents, line.net_cents) == (
            Result.PUSH,
            "push",
            line.stake_cents,
            0,
        )
        assert line.paragraph == "rws-nc-insurance 3.9"


@rule("rws-nc-insurance 4.1.2", "rws-nc-insurance 3.9")
def test_the_starred_row_wins_exactly_on_the_tie() -> None:
    """Insurance on a Player of nine, after the third card."""
    starred = [row for row in insurance().rows if row.wins_on_tie]
    assert [(row.window, row.hand, row.player_totals, row.odds.text) for row in starred] == [
        (THIRD, PLAYER, (9,), "8:1")
    ]
    for deal in every_completion(("T", "T", "T", "T", "9")):
        (line,) = insured(settle(deal, {"player": 8000}, InsuranceStake(THIRD, PLAYER, 1000)))
        tied = Outcome.of(deal).winner is Winner.TIE
        assert tied is (deal[-1] == "9")
        assert line.result is (Result.WIN if tied else Result.LOSE)
        assert line.net_cents == (8000 if tied else -1000)
        assert line.paragraph == "rws-nc-insurance 4.1.2"


@pytest.mark.parametrize("row", insurance().rows)
def test_only_the_starred_row_ever_wins_on_a_tie_and_none_when_the_hand_wins(row: InsuranceRow) -> None:
    for deal in ("99TT", "98TT", "89TT"):
        outcome = Outcome.of(deal)
        if outcome.winner is Winner.TIE:
            assert row.result(outcome) is (Result.WIN if row.wins_on_tie else Result.PUSH)
        elif outcome.winner.value == row.hand.value or row.wins_on_tie:
            assert row.result(outcome) is Result.LOSE
        else:
            assert row.result(outcome) is Result.WIN


@rule("rws-nc-insurance 3.5.2")
@given(original=st.integers(1, 5000), first=st.integers(1, 1500), second=st.integers(1, 600))
@settings(deadline=None)
def test_the_cap_counts_what_both_windows_would_pay(original: int, first: int, second: int) -> None:
    bets = {"banker": original * 2}
    taken = (InsuranceStake(FOUR, BANKER, first), InsuranceStake(THIRD, BANKER, second))
    if first * 2 + second * 7 <= original * 2:
        assert len(insured(settle(BANKER_LOSES, bets, *taken))) == 2
        assert settle(BANKER_LOSES, bets, *taken).net_cents <= 0, "insurance never leaves a profit on the hand's loss"
    else:
        assert refusal(BANKER_LOSES, bets, *taken).code == "insurance-over-cap"


@rule("rws-nc-insurance 3.5.2")
def test_at_the_cap_and_a_cent_beyond_it() -> None:
    bets = {"banker": 10_000}
    settle(BANKER_WINS, bets, InsuranceStake(FOUR, BANKER, 5000))
    settle(BANKER_WINS, bets, InsuranceStake(FOUR, BANKER, 1500), InsuranceStake(THIRD, BANKER, 1000))
    alone = refusal(BANKER_WINS, bets, InsuranceStake(FOUR, BANKER, 5001))
    both = refusal(BANKER_WINS, bets, InsuranceStake(FOUR, BANKER, 1500), InsuranceStake(THIRD, BANKER, 1001))
    for refused in (alone, both):
        assert refused.code == "insurance-over-cap"
        assert refused.paragraph == "rws-nc-insurance 3.5.2"
    assert "stake at most 50.00" in str(alone)
    assert "stake at most 10.00" in str(both)


@rule("rws-nc-insurance 3.5.2")
def test_several_bets_in_one_window_count_together() -> None:
    halves = [InsuranceStake(FOUR, BANKER, 2500)] * 2
    assert len(insured(settle(BANKER_WINS, {"banker": 10_000}, *halves))) == 2
    assert refusal(BANKER_WINS, {"banker": 9998}, *halves).code == "insurance-over-cap"


@rule("rws-nc-insurance 3.5.2")
def test_each_hand_has_a_cap_of_its_own() -> None:
    """Player 6 and Banker 5 in the first window: only the Player can be insured, and only up to the Player's bet."""
    bets = {"player": 300, "banker": 100_000}
    settle("TT652", bets, InsuranceStake(FOUR, PLAYER, 100))
    assert refusal("TT652", bets, InsuranceStake(FOUR, PLAYER, 101)).code == "insurance-over-cap"


def test_room_under_the_cap_is_exact() -> None:
    three_halves, double = Odds.parse("1.5:1"), Odds.parse("2:1")
    assert room_under_cap(1000, []) == 1000
    assert room_under_cap(1000, [(100, double), (101, three_halves)]) == Fraction(1000) - 200 - Fraction(303, 2)
    assert room_under_cap(100, [(51, double)]) == -2


@rule("rws-nc-insurance 4.1.3")
@pytest.mark.parametrize("bets", [{}, {"player": 10_000}, {"tie": 10_000, "banker-pair": 10_000}])
def test_only_whoever_backs_the_hand_may_insure_it(bets: dict[str, int]) -> None:
    refused = refusal(BANKER_LOSES, bets, InsuranceStake(FOUR, BANKER, 100))
    assert refused.code == "insurance-without-bet"
    assert refused.paragraph == "rws-nc-insurance 4.1.3"
    assert "Banker" in str(refused)


@rule("rws-nc-insurance 4.1.3")
def test_whoever_backs_it_may() -> None:
    settled = settle(BANKER_LOSES, {"banker": 10_000, "player": 5000}, InsuranceStake(FOUR, BANKER, 100))
    assert [line.wager for line in settled.lines] == ["banker", "player", "banker-insurance"]


@rule("rws-nc-insurance 3.5", "rws-nc-insurance 3.5.1", "rws-nc-insurance 4.1.2")
@pytest.mark.parametrize(
    ("ranks", "window", "hand"),
    [
        ("99TT", FOUR, PLAYER),  # naturals: nothing to come
        ("99TT", THIRD, PLAYER),
        ("TT457" + "9", FOUR, PLAYER),  # the table has no Player of 4
        ("TT457" + "9", THIRD, PLAYER),  # nor a Player of 1
        ("TT652", THIRD, PLAYER),  # the Player stood: there was no second window
        ("TTT7A", THIRD, BANKER),  # the Banker stood
    ],
)
def test_what_was_not_on_offer_is_refused(ranks: str, window: Window, hand: Hand) -> None:
    refused = refusal(ranks, {"player": 10_000, "banker": 10_000}, InsuranceStake(window, hand, 100))
    assert refused.code == "insurance-not-offered"
    assert refused.paragraph == "rws-nc-insurance 3.5.1"
    assert f"{hand.words} Insurance" in str(refused)
    assert window.words in str(refused)


@pytest.mark.parametrize("game_id", [game_id for game_id in game_ids() if game_id != "rws-nc-insurance"])
def test_the_other_games_have_no_insurance(game_id: str) -> None:
    with pytest.raises(BadInput, match=game_id) as refused:
        settle_round(load_game(game_id), BANKER_LOSES, {"banker": 10_000}, [InsuranceStake(FOUR, BANKER, 100)])
    assert refused.value.code == "insurance-not-offered"


@pytest.mark.parametrize(
    ("stake", "code"),
    [
        (0, "bad-stake"),
        (-100, "bad-stake"),
        (MAX_CENTS + 1, "stake-too-large"),
        (True, "bad-stake"),
        (1.5, "bad-stake"),
    ],
)
def test_an_insurance_stake_is_a_stake(stake: int, code: str) -> None:
    assert refusal(BANKER_LOSES, {"banker": 10_000}, InsuranceStake(FOUR, BANKER, stake)).code == code


@pytest.mark.parametrize("last", ["7", "9", "5"])
def test_insurance_never_pays_a_fraction_of_a_cent(last: str) -> None:
    """1.5 to 1 on an odd cent is refused however the round ends: Player 3, Banker 4."""
    ranks = ("T", "4", "A", "T", "2", last)
    assert refusal(ranks, {"banker": 10_000}, InsuranceStake(THIRD, BANKER, 101)).code == "fraction-of-a-cent"
    assert insured(settle(ranks, {"banker": 10_000}, InsuranceStake(THIRD, BANKER, 102)))


def test_a_round_that_is_not_one_is_refused_before_its_insurance() -> None:
    assert refusal(BOTH_WINDOWS, {"banker": 10_000}, InsuranceStake(FOUR, BANKER, 100)).code == "card-missing"
    assert refusal("99TTA", {"banker": 10_000}, InsuranceStake(FOUR, BANKER, 100)).code == "card-in-excess"


def test_a_row_says_what_it_wins_on() -> None:
    assert {(row.wager, row.wins_if) for row in insurance().rows} == {
        ("player-insurance", "banker wins"),
        ("player-insurance", "tie"),
        ("banker-insurance", "player wins"),
    }
