"""The exact distribution: counts that are known, brute force on small shoes, and three faces that agree."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.cards import RANKS
from natural9.core.errors import BadInput
from natural9.core.outcome import Outcome, Winner, reachable_outcomes
from natural9.core.table_of_play import next_hand, played_count
from natural9.odds.composition import Composition, ordered_draws
from natural9.odds.distribution import OUTCOMES, PLACES, completion_weights, outcome_weights
from natural9.odds.kernel import outcome_weights as kernel

COUNTS = st.lists(st.integers(0, 40), min_size=13, max_size=13).filter(lambda counts: sum(counts) >= 6)
SMALL = st.lists(st.sampled_from(RANKS), min_size=6, max_size=8)


def composition(ranks: str | list[str]) -> Composition:
    held = Counter(ranks)
    return Composition(tuple(held[rank] for rank in RANKS))


def winners(weights: dict[Outcome, int]) -> dict[Winner, int]:
    return {winner: sum(w for outcome, w in weights.items() if outcome.winner is winner) for winner in Winner}


def test_a_fresh_shoe_of_eight_decks_by_winner() -> None:
    assert winners(outcome_weights(Composition.of(decks=8))) == {
        Winner.BANKER: 2_292_252_566_437_888,
        Winner.PLAYER: 2_230_518_282_592_256,
        Winner.TIE: 475_627_426_473_216,
    }


@pytest.mark.parametrize("decks", [1, 4, 6, 8, 10, 27, 28, 40])
def test_weights_add_up_to_all_deals(decks: int) -> None:
    """Also beyond 64 bits, where the same lines run uncompiled."""
    shoe = Composition.of(decks=decks)
    assert sum(outcome_weights(shoe).values()) == ordered_draws(shoe.cards, 6)


def test_every_reachable_outcome_has_its_own_place() -> None:
    assert len(set(PLACES)) == len(OUTCOMES) == len(reachable_outcomes())
    flat = kernel(np.full(13, 32, np.int64)).ravel()
    assert (flat[PLACES] > 0).all()
    assert flat.sum() == flat[PLACES].sum(), "no weight anywhere else"


@given(ranks=SMALL)
@settings(max_examples=25, deadline=None)
def test_small_shoes_against_every_deal(ranks: list[str]) -> None:
    found: Counter[Outcome] = Counter()
    for deal in permutations(ranks, 6):
        found[Outcome.of(deal[: played_count(deal)])] += 1
    assert outcome_weights(composition(ranks)) == dict(found)


@given(counts=COUNTS)
@settings(max_examples=60, deadline=None)
def test_three_faces_of_one_algorithm(counts: list[int]) -> None:
    exact = kernel(np.array(counts, np.int64))
    floats = kernel(np.array(counts, np.float64))
    total = ordered_draws(sum(counts), 6)
    assert np.abs(floats / total - exact / total).max() < 1e-12
    assert exact.sum() == total
    assert floats.ravel()[PLACES].sum() == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize("counts", [range(3, 16), [0] * 9 + [8] * 4, [4] * 9 + [0, 0, 1, 2]])
def test_pythons_integers_agree(counts: list[int]) -> None:
    compiled = kernel(np.array(list(counts), np.int64))
    assert (compiled == kernel.py_func(np.array(list(counts), object))).all()


@given(ranks=st.lists(st.sampled_from(RANKS), min_size=7, max_size=9), data=st.data())
@settings(max_examples=40, deadline=None)
def test_completions_of_a_partial_deal(ranks: list[str], data: st.DataObject) -> None:
    """Conditioning on the cards dealt is the same as counting the deals that begin with them."""
    count = data.draw(st.integers(1, 4))
    dealt, rest = ranks[:count], ranks[count:]
    found: Counter[Outcome] = Counter()
    for last in permutations(rest, 6 - count):
        deal = (*dealt, *last)
        found[Outcome.of(deal[: played_count(deal)])] += 1
    assert completion_weights(dealt, composition(rest)) == dict(found)


def test_completions_of_a_whole_round_are_certain() -> None:
    shoe = Composition.of(decks=8).without("42K953")
    assert next_hand("42K953") is None
    assert completion_weights("42K953", shoe) == {Outcome.of("42K953"): 1}
    assert completion_weights("", Composition.of(decks=8)) == outcome_weights(Composition.of(decks=8))


def test_first_cards_average_to_the_whole() -> None:
    """Summed over what the first card can be, the conditional weights are the unconditional ones."""
    shoe = Composition((3, 1, 2, 0, 1, 2, 0, 1, 3, 1, 0, 2, 1))
    found: Counter[Outcome] = Counter()
    for rank in RANKS:
        if shoe.left(rank):
            for outcome, weight in completion_weights(rank, shoe.without(rank)).items():
                found[outcome] += weight * shoe.left(rank)
    assert dict(found) == outcome_weights(shoe)


def test_what_has_no_odds_says_why() -> None:
    for code, ask in (
        ("too-few-cards", lambda: outcome_weights(composition("98765"))),
        ("too-few-cards", lambda: completion_weights("9", composition("987"))),
        ("card-in-excess", lambda: completion_weights("9A92K", Composition.of(decks=1))),
        ("bad-composition", lambda: Composition((1,) * 12)),
        ("bad-composition", lambda: Composition((-1,) * 13)),
        ("bad-decks", lambda: Composition.of(decks=0)),
        ("card-too-many", lambda: Composition.of(decks=1).without("99999")),
    ):
        with pytest.raises(BadInput) as refused:
            ask()
        assert refused.value.code == code
