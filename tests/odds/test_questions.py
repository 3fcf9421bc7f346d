"""Bets laid together, sessions of them, odds made to measure, and an edge as a shoe is dealt."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natural9.core.errors import BadInput
from natural9.games import load_game
from natural9.odds.composition import Composition
from natural9.odds.design import odds_for_edge, tables_between
from natural9.odds.distribution import outcome_weights
from natural9.odds.parsheet.plots import BarChart, CurvesPlot, SessionsPlot, draw
from natural9.odds.parsheet.png import png
from natural9.odds.parsheet.svg import svg_file
from natural9.odds.penetration import edge_by_penetration
from natural9.odds.pricing import odds, wager_odds, what_if
from natural9.odds.session import nets_of, session_of
from natural9.odds.together import bets_together

TIGER = load_game("mbs-tiger")
EIGHT = Composition.of(decks=8)
WAGERS = [wager.id for wager in TIGER.wagers]
ALONE = odds(TIGER, EIGHT)


# Together


@settings(max_examples=25)
@given(st.dictionaries(st.sampled_from(WAGERS), st.integers(1, 1000), min_size=1, max_size=4))
def test_bets_together_are_worth_what_they_are_alone(stakes: dict[str, int]) -> None:
    laid = bets_together(TIGER, EIGHT, stakes)
    assert laid.expected == sum(stake * ALONE.wager(wager).expected for wager, stake in stakes.items())
    assert sum(laid.nets.values()) == 1
    assert laid.expected == sum(net * chance for net, chance in laid.nets.items())
    squares = sum(net**2 * chance for net, chance in laid.nets.items())
    assert laid.variance == squares - laid.expected**2, "the covariances make up for what goes together"
    for one, other in product(stakes, repeat=2):
        assert laid.covariances[one, other] == laid.covariances[other, one]
        assert abs(laid.correlation(one, other)) <= 1 + 1e-12
    for wager in stakes:
        assert laid.covariances[wager, wager] == ALONE.wager(wager).variance


def test_tiger_wins_only_with_banker() -> None:
    """Their covariance by hand: the product of both nets, over the six outcomes that matter, less that of the means."""
    laid = bets_together(TIGER, EIGHT, {"banker": 1, "tiger": 1})
    weights = outcome_weights(EIGHT)
    everything, by_hand = sum(weights.values()), Fraction()
    for outcome, weight in weights.items():
        banker = {"banker": Fraction(95, 100), "player": Fraction(-1), "tie": Fraction(0)}[str(outcome.winner)]
        tiger = Fraction(-1)
        if outcome.winner == "banker" and outcome.banker_total == 6:
            tiger = Fraction(12 if outcome.banker_cards == 2 else 20)
        by_hand += Fraction(weight, everything) * banker * tiger
    means = ALONE.wager("banker").expected * ALONE.wager("tiger").expected
    assert laid.covariances["banker", "tiger"] == by_hand - means


@pytest.mark.parametrize("stakes", [{}, {"banker": 0}, {"banker": -5}, {"nonsense": 1}])
def test_no_bets_are_no_question(stakes: dict[str, int]) -> None:
    with pytest.raises(BadInput):
        bets_together(TIGER, EIGHT, stakes)


# Sessions


def test_ten_rounds_of_heads_or_tails_are_the_binomial() -> None:
    half = Fraction(1, 2)
    ends = session_of({Fraction(-1): half, Fraction(1): half}, rounds=10)
    assert [ends.result(place) for place in range(len(ends.chances))] == list(range(-10, 11, 2))
    assert ends.chances == pytest.approx([comb(10, won) / 1024 for won in range(11)])
    assert ends.quantile(0.5) == 0
    assert ends.quantile(0.0001) == -10
    assert ends.ahead == pytest.approx(sum(comb(10, won) for won in range(6, 11)) / 1024)


def test_a_long_session_is_the_same_by_either_way() -> None:
    laid = bets_together(TIGER, EIGHT, {"banker": 100, "tiger": 10})
    short = session_of(laid.nets, rounds=9)
    doubled = np.convolve(np.convolve(short.chances, short.chances), short.chances)
    long = session_of(laid.nets, rounds=27)
    assert np.abs(long.chances - doubled[: len(long.chances)]).max() < 1e-13
    longer = session_of(laid.nets, rounds=2000)
    assert longer.chances.sum() == pytest.approx(1)
    assert longer.chances.min() >= 0
    results = float(longer.least) + float(longer.step) * np.arange(len(longer.chances))
    assert float((results * longer.chances).sum()) == pytest.approx(2000 * float(laid.expected), rel=1e-6)


@pytest.mark.parametrize("rounds", [0, -3, 10**9])
def test_more_rounds_than_can_be_told_apart(rounds: int) -> None:
    with pytest.raises(BadInput, match="rounds"):
        session_of(nets_of(ALONE.wager("tiger")), rounds=rounds)


# Design


@settings(max_examples=25)
@given(st.sampled_from(WAGERS), st.fractions(Fraction(-1, 2), Fraction(4, 5)))
def test_a_row_that_pays_what_it_needs_gives_that_edge(wager: str, edge: Fraction) -> None:
    for needed in odds_for_edge(TIGER.wager(wager), EIGHT, edge):
        if needed.exact is None:
            continue
        exact = f"{needed.exact.numerator}:{needed.exact.denominator}"
        if needed.exact.denominator < 10**6 and needed.exact.numerator < 10**6:
            tried = what_if(TIGER, wager, needed.row, exact)
            assert wager_odds(tried.wager(wager), outcome_weights(EIGHT)).house_edge == edge
        for whole in (needed.below, needed.above):
            if whole:
                tried = what_if(TIGER, wager, needed.row, f"{whole[0]}:1")
                assert wager_odds(tried.wager(wager), outcome_weights(EIGHT)).house_edge == whole[1]


def test_a_row_that_could_pay_nothing_and_still_give_too_much() -> None:
    [*_, last] = odds_for_edge(TIGER.wager("tiger"), EIGHT, Fraction(79, 100))
    assert (last.exact, last.below, last.above) == (None, None, None)


def test_every_table_in_whole_odds_is_found_and_no_other() -> None:
    """Against a plain search of all odds to 60, priced one by one."""
    least, most = Fraction(9, 100), Fraction(11, 100)
    found = tables_between(TIGER.wager("tiger"), EIGHT, least, most)
    chances = [one.probability for one in ALONE.wager("tiger").rows]
    plain = {
        (two, three): edge
        for two, three in product(range(1, 61), repeat=2)
        if two <= three and least <= (edge := 1 - sum(chances) - two * chances[0] - three * chances[1]) <= most
    }
    assert {table.odds: table.edge for table in found} == plain
    middle = (least + most) / 2
    apart = [abs(table.edge - middle) for table in found]
    assert apart == sorted(apart)


def test_edges_the_wrong_way_round() -> None:
    with pytest.raises(BadInput, match="smaller"):
        tables_between(TIGER.wager("tie"), EIGHT, Fraction(8, 100), Fraction(4, 100))


# Penetration


def test_in_the_mean_the_edge_is_that_of_a_fresh_shoe_and_its_spread_grows() -> None:
    found = edge_by_penetration(TIGER, "big-tiger", decks=4, shoes=150)
    fresh = float(odds(TIGER, Composition.of(decks=4)).wager("big-tiger").house_edge)
    for depth in found.depths[:-1]:  # the last is reached by some shoes alone
        assert abs(depth.edge - fresh) < 5 * depth.edge_stderr
    spreads = [depth.spread for depth in found.depths]
    assert spreads == sorted(spreads)
    assert found.depths[0].favourable == 0 < found.depths[-1].favourable
    assert found.depths[0].volatility == pytest.approx(ALONE.wager("big-tiger").standard_deviation, rel=0.01)


def test_ctrl_c_keeps_the_shoes_dealt_so_far() -> None:
    told: list[int] = []

    def at_the_second(dealt: int) -> None:
        told.append(dealt)
        if dealt == 200:
            raise KeyboardInterrupt

    kept = edge_by_penetration(TIGER, "tie", decks=4, shoes=100_000, progress=at_the_second)
    assert told == [100, 200]
    assert kept == edge_by_penetration(TIGER, "tie", decks=4, shoes=200)


# Plots


@pytest.mark.parametrize(
    "plot",
    [
        BarChart((("tie", 14.4), ("tiger", 16.7))),
        SessionsPlot((("tie", session_of(nets_of(ALONE.wager("tie")), rounds=20)),)),
        CurvesPlot("cards dealt", (("edge", ((0.0, 0.1), (50.0, 0.12))), ("spread", ((0.0, -0.02), (50.0, 0.12))))),
    ],
)
def test_a_plot_is_drawn_as_svg_and_png(plot: BarChart | SessionsPlot | CurvesPlot) -> None:
    drawing = draw(plot)
    text = svg_file(drawing, "What & why")
    assert text.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "<title>What &amp; why</title>" in text
    assert text.count("<line") + text.count("<rect") + text.count("<text") == len(drawing.strokes) + 1
    assert png(drawing).startswith(b"\x89PNG")
