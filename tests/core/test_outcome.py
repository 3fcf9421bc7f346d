"""Outcomes: their features, and what a partly dealt round can still become."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import Rank
from natural9.core.errors import BadInput
from natural9.core.outcome import FEATURES, Outcome, Winner, completions, reachable_outcomes
from natural9.core.table_of_play import is_complete
from tests.core.test_deals import (
    a_deal_for_each_outcome,
    any_rank,
    every_completion,
    rank_deals,
    rank_prefixes,
)
from tests.transcription import table_of_play as transcription

rule = pytest.mark.rule


def brute_force(ranks: tuple[Rank, ...]) -> set[Outcome]:
    return {Outcome.of(deal) for deal in every_completion(ranks)}


@rule("rws-nc 3.11", "rws-nc 1.19", "mbs 3.9", "mbs 1.1.16", "rws-nc-super-six-plus 3.9", "rws-nc-super-six-plus 1:tie")
@rule("rws-nc-insurance 3.8", "rws-nc-insurance 1:tie")
@given(rank_deals())
def test_the_higher_total_wins_and_equal_totals_tie(ranks: tuple[Rank, ...]) -> None:
    outcome, played = Outcome.of(ranks), transcription.play(ranks)
    assert (outcome.player_total, outcome.banker_total) == (played.player_total, played.banker_total)
    higher = {True: Winner.PLAYER, False: Winner.BANKER}[played.player_total > played.banker_total]
    assert outcome.winner is (Winner.TIE if played.player_total == played.banker_total else higher)
    assert outcome.margin == abs(played.player_total - played.banker_total)


@pytest.mark.parametrize(
    ("ranks", "winner", "totals", "cards", "naturals"),
    [
        ("9T9K", "player", (8, 0), (2, 2), (True, False)),
        ("T9K9", "banker", (0, 8), (2, 2), (False, True)),
        ("99TT", "tie", (9, 9), (2, 2), (True, True)),
        ("98TT", "player", (9, 8), (2, 2), (True, True)),
        ("67TT", "banker", (6, 7), (2, 2), (False, False)),
        ("65TT2", "banker", (6, 7), (2, 3), (False, False)),
        ("57TT4", "player", (9, 7), (3, 2), (False, False)),
        ("42K955", "player", (9, 6), (3, 3), (False, False)),
        ("TTTT99", "tie", (9, 9), (3, 3), (False, False)),
    ],
)
def test_outcomes_by_hand(
    ranks: str, winner: str, totals: tuple[int, int], cards: tuple[int, int], naturals: tuple[bool, bool]
) -> None:
    outcome = Outcome.of(ranks)
    assert outcome.winner == winner
    assert (outcome.player_total, outcome.banker_total) == totals
    assert (outcome.player_cards, outcome.banker_cards) == cards
    assert (outcome.player_natural, outcome.banker_natural) == naturals
    assert outcome.natural is any(naturals)


@rule("rws-nc 1.14", "mbs 1.1.11", "mbs 3.7.1", "mbs 3.7.2")
@rule("rws-nc-insurance 1:player-pair-or-banker-pair", "rws-nc-super-six-plus 1:player-pair-or-banker-pair")
@pytest.mark.parametrize(
    ("ranks", "player_pair", "banker_pair", "same_pair"),
    [
        ("TKT9", True, False, False),  # 10, 10
        ("KTK9", True, False, False),  # K, K
        ("9T9K", True, False, False),
        ("T8KT", False, False, False),  # a Ten and a King count alike and are no pair
        ("JQK8", False, False, False),
        ("9TTT", False, True, False),
        ("TJ8J", False, True, False),
        ("T9T9", True, True, False),
        ("9999", True, True, True),
        ("QQQQ98", True, True, True),
        ("8QTK", False, False, False),
    ],
)
def test_a_pair_is_two_first_cards_of_one_rank(
    ranks: str, player_pair: bool, banker_pair: bool, same_pair: bool
) -> None:
    outcome = Outcome.of(ranks)
    assert (outcome.player_pair, outcome.banker_pair, outcome.same_pair) == (player_pair, banker_pair, same_pair)
    assert outcome.paired_hands == player_pair + banker_pair


@rule("rws-nc 3.8", "rws-nc-super-six-plus 3.4", "rws-nc-insurance 3.4", "mbs 3.7")
@given(rank_deals())
def test_third_cards_never_make_a_pair(ranks: tuple[Rank, ...]) -> None:
    outcome = Outcome.of(ranks)
    assert outcome.player_pair is (ranks[0] == ranks[2])
    assert outcome.banker_pair is (ranks[1] == ranks[3])
    assert outcome.same_pair is (len(set(ranks[:4])) == 1)


@given(st.lists(any_rank, max_size=8))
def test_only_a_whole_round_has_an_outcome(ranks: list[Rank]) -> None:
    if is_complete(ranks):
        assert Outcome.of(ranks) in completions(ranks)
        return
    with pytest.raises(BadInput) as refused:
        Outcome.of(ranks)
    assert refused.value.code in {"card-missing", "card-in-excess"}
    assert f"{len(ranks)} cards" in str(refused.value)


@pytest.mark.parametrize(
    ("ranks", "code", "says"),
    [
        ("", "card-missing", "the Player hand is due"),
        ("4", "card-missing", "the Banker hand is due"),
        ("42K", "card-missing", "the Banker hand is due"),
        ("42K9", "card-missing", "the Player hand is due"),
        ("42K95", "card-missing", "the Banker hand is due"),
        ("9A92A", "card-in-excess", "ends after 4"),
        ("57TT4A", "card-in-excess", "ends after 5"),
        ("42K9555", "card-in-excess", "ends after 6"),
        ("9" * 12, "card-in-excess", "ends after 4"),
    ],
)
def test_a_deal_that_is_not_a_round_says_what_is_wrong(ranks: str, code: str, says: str) -> None:
    with pytest.raises(BadInput, match=says) as refused:
        Outcome.of(ranks)
    assert refused.value.code == code
    assert " ".join(ranks) in str(refused.value)


def test_every_feature_takes_every_value_that_it_is_said_to_and_no_other() -> None:
    for feature, (value_of, values) in FEATURES.items():
        found = {value_of(outcome) for outcome in reachable_outcomes()}
        assert found == values, feature
        assert {type(value) for value in found} == {type(value) for value in values}, feature


def test_a_feature_is_what_the_outcome_says() -> None:
    outcome = Outcome.of("9T9K")
    assert {feature: value_of(outcome) for feature, (value_of, _) in FEATURES.items()} == {
        "winner": "player",
        "player_total": 8,
        "banker_total": 0,
        "player_cards": 2,
        "banker_cards": 2,
        "margin": 8,
        "natural": True,
        "player_natural": True,
        "banker_natural": False,
        "player_pair": True,
        "banker_pair": False,
        "paired_hands": 1,
        "same_pair": False,
    }


def test_the_reachable_outcomes_are_those_of_deals() -> None:
    deals = a_deal_for_each_outcome()
    assert set(deals) == reachable_outcomes()
    assert len(reachable_outcomes()) == 779
    assert all(Outcome.of(deal) == outcome for outcome, deal in deals.items())


@given(rank_deals())
@settings(deadline=None)
def test_completions_of_every_prefix_hold_the_outcome_of_the_deal(ranks: tuple[Rank, ...]) -> None:
    outcome = Outcome.of(ranks)
    before: frozenset[Outcome] = reachable_outcomes()
    for count in range(len(ranks) + 1):
        possible = completions(ranks[:count])
        assert outcome in possible
        assert possible <= before, "a card never makes anything possible that was not"
        before = possible
    assert completions(ranks) == {outcome}


@given(rank_prefixes(least=3))
@settings(deadline=None, max_examples=60)
def test_completions_equal_brute_force(ranks: tuple[Rank, ...]) -> None:
    assert completions(ranks) == brute_force(ranks)


@given(rank_prefixes(least=2, most=2))
@settings(deadline=None, max_examples=4)
def test_completions_of_two_cards_equal_brute_force(ranks: tuple[Rank, ...]) -> None:
    assert completions(ranks) == brute_force(ranks)


@pytest.mark.parametrize("ranks", ["", [], (), "9", ["9", "T"]])
def test_completions_take_any_sequence(ranks: Sequence[Rank]) -> None:
    assert completions(ranks) == completions(tuple(ranks))
