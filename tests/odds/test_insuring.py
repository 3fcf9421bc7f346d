"""Insurance taken at every offer: by the core's own offers and cap, and each row against its exact worth."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest

from natural9.core.errors import BadInput
from natural9.core.insurance import Window, room_under_cap
from natural9.core.money import Odds
from natural9.core.outcome import Outcome
from natural9.core.table_of_play import POINTS, Hand, player_draws, total
from natural9.games import load_game
from natural9.odds import Composition, odds
from natural9.odds.insurance import Path
from natural9.odds.insuring import _PLACE_OF, insurance_table, parse_share, stakes_on
from natural9.odds.simulation import RoundsPiece, play, simulate
from natural9.odds.simulation_kernel import NO_THIRD, PATHS
from tests.odds.test_simulation import Dealer

GAME = load_game("rws-nc-insurance")
INSURANCE = GAME.insurance
assert INSURANCE is not None


def path_of(ranks: list[str]) -> Path | None:
    """None: no third card was drawn."""
    player, banker = total(ranks[0:3:2]), total(ranks[1:4:2])
    if len(ranks) == 4:
        return None
    return player, banker, POINTS[ranks[4]] if player_draws(player, banker) else None


def stakes_by_the_core(ranks: list[str], share: Fraction) -> list[tuple[int, Fraction]]:
    """What is staked in both windows for each hand backed with a unit, under the cap of 3.5.2."""
    assert INSURANCE is not None
    stakes = []
    laid: defaultdict[Hand, list[tuple[Fraction, Odds]]] = defaultdict(list)
    for window in Window:
        for row in INSURANCE.offers(window, ranks):
            room = 1 - sum((stake * at.ratio for stake, at in laid[row.hand]), Fraction())
            stake = min(share, room) / row.odds.ratio
            laid[row.hand].append((stake, row.odds))
            if stake:
                stakes.append((INSURANCE.rows.index(row), stake))
    for one in laid.values():
        in_cents = [(int(stake * 10**9), at) for stake, at in one]
        assert room_under_cap(10**9, in_cents) >= 0
    return stakes


@pytest.mark.parametrize("share", [Fraction(1), Fraction(2, 3), Fraction(1, 2)])
def test_stakes_are_the_core_s_offers_under_the_cap(share: Fraction) -> None:
    assert INSURANCE is not None
    dealer, insured = Dealer(6, 0, decks=8, cut=14), 0
    for _ in range(3000):
        ranks = dealer.round()
        path, expected = path_of(ranks), stakes_by_the_core(ranks, share)
        found = list(stakes_on(INSURANCE, share, path)) if path else []
        assert sorted(found) == sorted(expected)
        insured += len(found)
    assert insured > 500


def test_paths_are_those_of_the_same_rounds() -> None:
    dealer, slow = Dealer(6, 4, decks=8, cut=14), np.zeros(PATHS, np.int64)
    for _ in range(5000):
        ranks = dealer.round()
        if path := path_of(ranks):
            player, banker, third = path
            slow[player, banker, NO_THIRD if third is None else third, _PLACE_OF[Outcome.of(ranks).winner]] += 1
    fast, plain = (play(RoundsPiece(6, 8, 14, 4, 5000, insured)) for insured in (True, False))
    assert fast.paths is not None
    assert (fast.paths == slow).all()
    assert (fast.histogram == plain.histogram).all()
    assert fast.shoes == plain.shoes


@pytest.mark.parametrize("share", [Fraction(1), Fraction(1, 2)])
def test_every_row_comes_near_its_exact_worth(share: Fraction) -> None:
    assert INSURANCE is not None
    results = simulate(GAME, rounds=1_000_000, seed=3, insure=share).insurance
    assert [one.row for one in results] == list(INSURANCE.rows)
    for one in results:
        assert one.offers > 500
        assert 0 < abs(one.z) < 4
    lines = odds(GAME, Composition.of(decks=8)).insurance
    for one in results:  # with half of the cap a first stake never stands in the way of a second
        of_row = [line for line in lines if line.row is one.row]
        worth = sum(line.arises * line.expected for line in of_row) / sum(line.arises for line in of_row)
        assert one.exact == worth or (share == 1 and one.row.window is Window.THIRD_CARD)


def test_what_is_played_without_insurance_has_none() -> None:
    assert simulate(GAME, rounds=1000, seed=3).insurance == ()


@pytest.mark.parametrize("text", ["", "x", "1/0", "0." + "1" * 30])
def test_nonsense_instead_of_a_share(text: str) -> None:
    with pytest.raises(BadInput, match="no share of the cap"):
        parse_share(text)


@pytest.mark.parametrize("share", [Fraction(0), Fraction(-1), Fraction(3, 2), Fraction(1, 10**7)])
def test_a_share_out_of_bounds(share: Fraction) -> None:
    with pytest.raises(BadInput, match="no share of the cap"):
        simulate(GAME, rounds=10, seed=1, insure=share)


def test_only_a_backed_hand_of_a_game_with_insurance_is_insured() -> None:
    with pytest.raises(BadInput, match="mbs-nc has no insurance"):
        simulate(load_game("mbs-nc"), rounds=10, seed=1, insure=Fraction(1))
    with pytest.raises(BadInput, match="a bet on tie cannot be insured"):
        insurance_table(GAME, "tie", Fraction(1))
