"""The best linear count: effects of removal against exact prices, and why it is the best."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from natural9.core.cards import RANKS
from natural9.core.errors import BadInput
from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.counting import LinearCount, TagCount, best_tags, key_cards, linear_count, tag_count
from natural9.odds.pricing import odds

WAGERS = (
    ("mbs-tiger", "big-tiger"),
    ("mbs-super-6-nc", "player-dragon-bonus"),
    ("mbs-nc", "tie"),
    ("mbs-nc", "banker"),
)
EIGHT = Composition.of(decks=8)


@cache
def expected(game: str, wager: str, shoe: Composition) -> Fraction:
    """By the ordinary way: the whole game priced."""
    return odds(load_game(game), shoe).wager(wager).expected


@cache
def count_of(game: str, wager: str, decks: int = 8) -> LinearCount:
    return linear_count(load_game(game).wager(wager), Composition.of(decks=decks))


@pytest.mark.parametrize(("game", "wager"), [*WAGERS, ("mbs-tiger", "tiger-pair")])
def test_an_effect_of_removal_is_the_exact_change_of_the_expectation(game: str, wager: str) -> None:
    count = count_of(game, wager)
    fresh = expected(game, wager, EIGHT)
    assert count.fresh == fresh
    assert count.effects == tuple(expected(game, wager, EIGHT.without(rank)) - fresh for rank in RANKS)


@pytest.mark.parametrize(("game", "wager"), WAGERS)
def test_the_count_is_balanced_and_does_not_tell_ten_value_cards_apart(game: str, wager: str) -> None:
    count = count_of(game, wager)
    assert sum(count.effects) == 0
    assert len(set(count.effects[9:])) == 1
    assert count.estimate(EIGHT) == count.fresh


@pytest.mark.parametrize(("game", "wager"), WAGERS)
def test_the_estimate_is_exact_with_one_card_gone(game: str, wager: str) -> None:
    count = count_of(game, wager)
    for rank in RANKS:
        left = EIGHT.without(rank)
        assert count.estimate(left) == expected(game, wager, left)


@pytest.mark.parametrize(("game", "wager"), [("mbs-tiger", "big-tiger"), ("mbs-nc", "tie")])
def test_no_linear_count_is_nearer_with_two_cards_gone(game: str, wager: str) -> None:
    """What the estimate misses averages to nothing, and correlates with no rank seen: least squares, exactly."""
    shoe = Composition.of(decks=4)
    count = count_of(game, wager, 4)
    missed: list[tuple[tuple[str, str], Fraction]] = []
    for one, other in combinations_with_replacement(RANKS, 2):
        left = shoe.without(one)
        ways = shoe.left(one) * left.left(other) * (1 if one == other else 2)
        left = left.without(other)
        missed.append(((one, other), ways * (expected(game, wager, left) - count.estimate(left))))
    assert any(error for _, error in missed)
    assert sum(error for _, error in missed) == 0
    for rank in RANKS:
        assert sum(seen.count(rank) * error for seen, error in missed) == 0


@pytest.mark.parametrize("wager", ["player-pair", "banker-pair"])
def test_a_pair_has_no_linear_count_since_no_rank_is_special(wager: str) -> None:
    count = count_of("mbs-nc", wager)
    assert set(count.effects) == {0}
    tags = tag_count(count, best_tags(count))
    assert set(tags.tags) == {0}
    assert (tags.trigger, tags.slope, tags.correlation) == (None, 0.0, 0.0)
    assert set(tags.points) == {0.0}


@pytest.mark.parametrize(("game", "wager"), WAGERS)
def test_the_best_tags_are_small_balanced_and_near(game: str, wager: str) -> None:
    count = count_of(game, wager)
    tags = best_tags(count)
    assert sum(tags[:9]) + 4 * tags[9] == 0
    assert 0 < max(map(abs, tags)) <= 4
    made = tag_count(count, tags)
    assert made.correlation > 0.99
    assert made.correlation >= tag_count(count, best_tags(count, largest=2)).correlation
    assert made.trigger is not None
    assert made.trigger > 0


def test_a_published_count_has_its_published_correlation_and_trigger() -> None:
    """Big Tiger at 50 to 1, eight decks: 0.981, and bet from a true count of +8."""
    published = tag_count(count_of("mbs-tiger", "big-tiger"), (0, 0, -1, -1, -1, -2, 1, 2, 2, 0))
    assert round(published.correlation, 3) == 0.981
    assert published.trigger == pytest.approx(8, abs=0.05)


def test_the_tags_estimate_nothing_at_their_trigger() -> None:
    count = count_of("mbs-tiger", "big-tiger")
    for made in (tag_count(count, best_tags(count)), tag_count(count, best_tags(count), trigger=12.5)):
        assert made.trigger is not None
        assert float(count.fresh) + made.slope * made.trigger / 52 == pytest.approx(0, abs=1e-15)
        assert made.points == pytest.approx([made.slope * tag for tag in made.tags])


def test_exact_tags_are_the_linear_count() -> None:
    """With tags in the very proportion of the effects, the least-squares slope gives the points back."""
    count = count_of("mbs-tiger", "big-tiger")
    tags = tuple(round(10**9 * float(effect)) for effect in count.effects[:10])
    made = tag_count(count, tags)
    assert made.correlation == pytest.approx(1)
    assert made.points == pytest.approx([float(points) for points in count.points], rel=1e-4, abs=1e-6)


def test_unbalanced_tags_are_brought_into_balance() -> None:
    count = count_of("mbs-tiger", "big-tiger")
    tags = best_tags(count)
    shifted = tag_count(count, tuple(tag + 1 for tag in tags))
    assert sum(shifted.balanced_tags) == 0
    assert shifted.points == pytest.approx(tag_count(count, tags).points)


def test_tags_that_point_the_wrong_way_never_bet() -> None:
    count = count_of("mbs-tiger", "big-tiger")
    wrong = tag_count(count, tuple(-tag for tag in best_tags(count)))
    assert wrong.correlation < -0.99
    assert (wrong.trigger, wrong.slope) == (None, 0.0)


def _too_few(count: LinearCount) -> TagCount:
    return tag_count(count, (1, 2, 3))


def _too_large(count: LinearCount) -> TagCount:
    return tag_count(count, (10**400, *[0] * 9))


def _no_trigger(count: LinearCount) -> TagCount:
    return tag_count(count, best_tags(count), trigger=float("nan"))


@pytest.mark.parametrize(
    ("make", "code"), [(_too_few, "bad-tags"), (_too_large, "bad-tags"), (_no_trigger, "bad-trigger")]
)
def test_what_is_no_count_is_refused(make: Callable[[LinearCount], TagCount], code: str) -> None:
    with pytest.raises(BadInput) as refused:
        make(count_of("mbs-nc", "tie"))
    assert refused.value.code == code


@pytest.mark.parametrize("wager", ["player", "banker", "tie", "tiger", "small-tiger", "big-tiger", "tiger-tie"])
def test_no_balanced_tags_of_one_are_nearer(wager: str) -> None:
    count = count_of("mbs-tiger", wager)
    fit = tag_count(count, best_tags(count, largest=1)).correlation
    effects = np.array([float(effect) for effect in count.effects[:10]])
    many = np.array([1] * 9 + [4])
    tags = np.array(list(product((-1, 0, 1), repeat=10)))
    tags = tags[(tags @ many == 0) & tags.any(axis=1)]
    nearest = ((tags * effects) @ many / np.sqrt(tags**2 @ many)).max() / np.sqrt(effects**2 @ many)
    assert fit == pytest.approx(nearest, abs=1e-12)


@pytest.mark.parametrize("wager", ["player", "tie", "small-tiger", "big-tiger", "tiger-tie"])
def test_no_other_two_kinds_of_cards_tell_more(wager: str) -> None:
    count = count_of("mbs-tiger", wager)
    found = key_cards(count)
    assert 1 <= sum(map(abs, found)) <= 2
    fit = tag_count(count, found).correlation
    for first, second in product(range(10), repeat=2):
        for signs in product((-1, 1), repeat=2):
            tags = [0] * 10
            tags[first], tags[second] = signs
            assert tag_count(count, tuple(tags)).correlation <= fit + 1e-12


def test_pairs_have_no_key_cards() -> None:
    assert set(key_cards(count_of("mbs-tiger", "tiger-pair"))) == {0}


def test_the_spread_is_that_of_every_two_cards_that_may_be_gone() -> None:
    shoe = Composition.of(decks=4)
    count = linear_count(load_game("mbs-tiger").wager("tiger"), shoe)
    squares = Fraction()
    for first, second in product(RANKS, RANKS):
        gone = shoe.without(first + second)
        ways = Fraction(16, 208) * Fraction(15 if first == second else 16, 207)
        squares += ways * (count.estimate(gone) - count.fresh) ** 2
    assert count.spread(206) == pytest.approx(float(squares) ** 0.5, rel=1e-12)
    assert count.spread(208) == 0
