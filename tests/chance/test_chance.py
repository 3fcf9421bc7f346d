"""The tests of the shuffler are right: fair shoes pass them from a seed, each kind of unfair one is found."""

import random as standard_random
from collections.abc import Callable
from itertools import pairwise, permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from natural9.chance.report import ChanceReport, adjusted, examine_shuffler, shuffled_shoes, ways_to_every_order
from natural9.chance.rounds import deal_rounds
from natural9.chance.statistics import (
    ChanceFinding,
    drawn_bytes,
    neighbours,
    outcomes,
    place_before_and_after,
    positions,
    ranks_side_by_side,
    rises,
    runs_of_a_colour,
    runs_up_and_down,
    shoe_after_shoe,
    streaks,
)
from natural9.chance.stream import TappedRandom, raw_bytes
from natural9.chance.tails import chi_square_p, normal_p
from natural9.core.cards import ALL_CARDS
from natural9.core.outcome import Outcome
from natural9.core.table_of_play import played_count
from natural9.table.shoes.shuffler import shuffle

ONE_IN_A_MILLION = 1e-6


@pytest.fixture(scope="module")
def report() -> ChanceReport:
    return examine_shuffler(8, 500, "seed 3", Random(3).randbytes)


def test_the_shuffler_from_a_seed_at_99_percent(report: ChanceReport) -> None:
    assert report.holds, [(one.name, one.p) for one in report.tests]
    assert len(report.tests) == 14
    assert all(one.words and one.found and one.p <= one.adjusted_p <= 1 for one in report.tests)


def test_the_same_seed_is_the_same_report(report: ChanceReport) -> None:
    again = examine_shuffler(8, 500, "seed 3", Random(3).randbytes)
    assert again == report


def test_every_order_of_a_small_deck_comes_by_one_way(report: ChanceReport) -> None:
    assert report.exhausted == {2: 2, 3: 6, 4: 24, 5: 120, 6: 720}
    assert ways_to_every_order(1) == 1


# What is unfair is found, by the test that is about it.


def fair(shoes: int = 1500, decks: int = 1) -> Any:
    return shuffled_shoes(decks, shoes, Random(7).randrange)


def swapped_with_any(shoes: Any) -> Any:
    """The usual slip: every place is swapped with any place at all."""
    chance = Random(1)
    for order in shoes:
        order[:] = range(len(order))
        for place in range(len(order)):
            other = chance.randrange(len(order))
            order[place], order[other] = order[other], order[place]
    return shoes


def riffled(shoes: Any) -> Any:
    """Four riffles, as hands do: too few for a deck."""
    chance = np.random.default_rng(1)
    for order in shoes:
        order[:] = range(len(order))
        for _ in range(4):
            first = np.sort(chance.permutation(len(order))[: chance.binomial(len(order), 0.5)])
            rest = np.setdiff1d(np.arange(len(order)), first)
            merged = order.copy()
            merged[first], merged[rest] = order[: len(first)].copy(), order[len(first) :].copy()
            order[:] = merged
    return shoes


def kept_from_the_last(shoes: Any) -> Any:
    """A shoe begins with ten cards of the one before, in their places."""
    for before, order in pairwise(shoes):
        kept = before[:10]
        order[:] = [*kept, *[card for card in order if card not in set(kept)]]
    return shoes


def pairs_pushed_together(shoes: Any) -> Any:
    for order in shoes:
        ranks = order % 13
        [same, *_] = np.flatnonzero(ranks[2:] == ranks[0]) + 2
        order[1], order[same] = order[same], order[1]
    return shoes


def red_first(shoes: Any) -> Any:
    """The first twenty cards: the red ones before the black."""
    for order in shoes:
        order[:20] = sorted(order[:20], key=lambda card: (card % 52) // 13 not in (1, 2))
    return shoes


def naturals_for_the_player(shoes: Any) -> Any:
    """Every shoe begins with a nine and a king for the Player."""
    for order in shoes:
        for place, rank in ((0, 8), (2, 12)):
            at = int(np.flatnonzero(order % 13 == rank)[0])
            order[place], order[at] = order[at], order[place]
    return shoes


def in_falling_runs(shoes: Any) -> Any:
    for order in shoes:
        for start in range(0, 30, 5):
            order[start : start + 5] = sorted(order[start : start + 5], reverse=True)
    return shoes


@pytest.mark.parametrize(
    ("unfair", "statistic", "decks"),
    [
        (swapped_with_any, positions, 1),
        (swapped_with_any, place_before_and_after, 1),
        (riffled, rises, 1),
        (riffled, neighbours, 1),
        (kept_from_the_last, shoe_after_shoe, 1),
        (pairs_pushed_together, ranks_side_by_side, 1),
        (red_first, runs_of_a_colour, 1),
        (in_falling_runs, runs_up_and_down, 1),
        (naturals_for_the_player, outcomes, 1),
    ],
)
def test_what_is_unfair_is_found(
    unfair: Callable[[Any], Any], statistic: Callable[[Any], ChanceFinding], decks: int
) -> None:
    assert statistic(fair(decks=decks)).p > 0.001
    assert statistic(unfair(fair(decks=decks))).p < ONE_IN_A_MILLION


def test_streaks_that_alternate_are_found() -> None:
    """Rounds of a shoe put in another order: a win of the other side after each."""
    shoes = fair(200, decks=8)
    dealt = deal_rounds(shoes % 52)
    side = np.sign(dealt.player_total - dealt.banker_total)
    ends = np.cumsum(dealt.cards, axis=1)
    for order, won, end in zip(shoes, side, ends, strict=True):
        rounds = np.split(order, end)
        by_side = {one: [rounds[at] for at in np.flatnonzero(won == one)] for one in (1, -1, 0)}
        mixed = [one for two in zip(by_side[1], by_side[-1], strict=False) for one in two]
        short = min(len(by_side[1]), len(by_side[-1]))
        order[:] = np.concatenate([*mixed, *by_side[1][short:], *by_side[-1][short:], *by_side[0], rounds[-1]])
    assert streaks(shoes).p < ONE_IN_A_MILLION


def test_bytes_that_are_not_even_are_found() -> None:
    chance = Random(2)
    assert drawn_bytes(chance.randbytes(100_000)).p > 0.001
    assert drawn_bytes(bytes(byte & 0xFE for byte in chance.randbytes(100_000))).p < ONE_IN_A_MILLION


# What they stand on.


def test_rounds_are_dealt_as_the_table_of_play_says() -> None:
    shoes = fair(30)
    dealt = deal_rounds(shoes % 52)
    for row, order in enumerate(shoes):
        ranks = [ALL_CARDS[card % 52].rank for card in order]
        for column in range(dealt.cards.shape[1]):
            played = played_count(ranks)
            outcome = Outcome.of("".join(ranks[:played]))
            found = [int(values[row, column]) for values in dealt]
            cards = outcome.player_cards + outcome.banker_cards
            due = [outcome.player_total, outcome.banker_total, cards, outcome.player_pair, outcome.banker_pair]
            assert found == due
            ranks = ranks[played:]


def test_mean_and_variance_of_small_decks_are_exact() -> None:
    """All orders of six cards together: every statistic with a mean is exactly there."""
    orders = np.array([*permutations(range(6))])
    ups = (orders[:, 1:] > orders[:, :-1]).sum(axis=1)
    up = orders[:, 1:] > orders[:, :-1]
    runs = 1 + (up[:, 1:] != up[:, :-1]).sum(axis=1)
    assert (ups.mean(), ups.var()) == pytest.approx((5 / 2, 7 / 12))
    assert (runs.mean(), runs.var()) == pytest.approx((11 / 3, (16 * 6 - 29) / 90))
    assert rises(orders).found == runs_up_and_down(orders).found == "+0.00 deviations"


def test_tails() -> None:
    assert normal_p(1.959964) == pytest.approx(0.05, abs=1e-6)
    for statistic, degrees, p in ((3.841459, 1, 0.05), (18.307038, 10, 0.05), (1118.9481, 1000, 0.005)):
        assert chi_square_p(statistic, degrees) == pytest.approx(2 * p, rel=2e-4)
    assert chi_square_p(1074.68, 1001) == pytest.approx(chi_square_p(1073.64, 1000), rel=1e-2)
    assert chi_square_p(0, 10) == 0


def test_holm_counts_how_many_there_are() -> None:
    def finding(p: float) -> ChanceFinding:
        return ChanceFinding(name=str(p), words="", found="", p=p)

    found = adjusted([finding(p) for p in (0.03, 0.004, 0.5, 0.01)])
    assert [one.adjusted_p for one in found] == pytest.approx([0.06, 0.016, 0.5, 0.03])


# The stream.


def test_the_tap_draws_what_the_shuffler_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the same bytes, `secrets.randbelow` and the tap make the same shoe."""
    monkeypatch.setattr(standard_random, "_urandom", Random(5).randbytes)
    at_a_table = shuffle(8)
    tap = TappedRandom(Random(5).randbytes)
    assert shuffle(8, tap.below) == at_a_table
    assert bytes(tap.drawn) == b"".join(_again(len(tap.drawn)))


def _again(length: int) -> list[bytes]:
    """The same bytes, drawn as a shoe draws them."""
    source, drawn = Random(5), list[bytes]()

    def draw(count: int) -> bytes:
        drawn.append(source.randbytes(count))
        return drawn[-1]

    tap = TappedRandom(draw)
    shuffle(8, tap.below)
    assert sum(map(len, drawn)) == length
    return drawn


def test_raw_bytes_are_as_many_as_asked_for() -> None:
    assert [sum(map(len, raw_bytes(1, count))) for count in (1, 1000, 70_000, 200_001)] == [1, 1000, 70_000, 200_001]
