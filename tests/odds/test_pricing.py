"""What every wager is worth, against published figures and against the rows themselves."""

from fractions import Fraction

import numpy as np
import pytest

from natural9.core.errors import BadInput
from natural9.core.wagers import Result
from natural9.games import game_ids, load_game
from natural9.odds.composition import Composition
from natural9.odds.distribution import PLACES, outcome_weights
from natural9.odds.kernel import outcome_weights as kernel
from natural9.odds.pricing import net_matrix, odds, what_if

EIGHT = Composition.of(decks=8)

# House edges on a fresh shoe of eight decks, in percent.
PUBLISHED = [
    ("rws-nc", "banker", 1.458104),
    ("rws-nc", "player", 1.235081),
    ("rws-nc", "tie", 14.359629),
    ("rws-nc", "player-pair", 10.361446),
    ("rws-nc", "banker-pair", 10.361446),
    ("mbs-super-six-nc", "super-six", 13.818055),
    ("mbs-super-6-nc", "super-6", 13.818055),
    ("mbs-tiger", "tiger", 16.683572),
    ("mbs-tiger", "small-tiger", 14.332546),
    ("mbs-tiger", "big-tiger", 15.253317),
    ("mbs-tiger", "tiger-tie", 30.735410),
    ("mbs-tiger", "banker", 1.057906),
    ("mbs-tiger-nc", "banker", 1.458104),
    ("mbs-fortune-six-nc", "fortune-six", 16.683572),
    ("rws-nc-super-six-plus", "super-six-plus", 16.683572),
    ("mbs-super-6-nc", "player-dragon-bonus", 2.651675),
    ("mbs-fortune-six-nc", "banker-dragon-bonus", 9.373074),
]


@pytest.mark.parametrize(("game", "wager", "percent"), PUBLISHED)
def test_house_edges_of_eight_decks(game: str, wager: str, percent: float) -> None:
    assert round(float(odds(load_game(game), EIGHT).wager(wager).house_edge) * 100, 6) == percent


@pytest.mark.parametrize("game", game_ids())
def test_chances_add_up_and_the_expectation_follows_from_them(game: str) -> None:
    weights = outcome_weights(EIGHT)
    total = sum(weights.values())
    for priced in odds(load_game(game), EIGHT).wagers:
        wager = load_game(game).wager(priced.id)
        assert priced.win + priced.push + priced.lose == 1
        won = sum(weight for outcome, weight in weights.items() if wager.result(outcome) is Result.WIN)
        assert priced.win == Fraction(won, total)
        net = [(Fraction(-1) if row is None else row.odds.ratio if row.odds else Fraction(0), weight)
               for outcome, weight in weights.items() for row in [wager.row_for(outcome)]]  # fmt: skip
        mean = sum((value * weight for value, weight in net), Fraction()) / total
        assert priced.expected == mean == -priced.house_edge
        assert priced.variance == sum(((value - mean) ** 2 * weight for value, weight in net), Fraction()) / total


@pytest.mark.parametrize("game", game_ids())
def test_floats_price_all_wagers_at_once(game: str) -> None:
    shoe = EIGHT.without("9999AAKK2345")
    weights = kernel(np.array(shoe.counts, np.float64)).ravel()[PLACES]
    fast = net_matrix(load_game(game)) @ weights / weights.sum()
    exact = [float(wager.expected) for wager in odds(load_game(game), shoe).wagers]
    assert np.abs(fast - exact).max() < 1e-12


def test_a_pair_is_by_rank() -> None:
    """11 to 1 on two cards of one rank; with kings alone every hand is one, with one of each rank none is."""
    kings = Composition((0,) * 12 + (12,))
    assert odds(load_game("rws-nc"), kings).wager("player-pair").win == 1
    one_each = Composition((1,) * 13)
    assert odds(load_game("rws-nc"), one_each).wager("player-pair").win == 0


# By hand, player points and banker points: what the bettor may expect on a fresh shoe of eight decks, in percent.
INSURED = [("four-cards", "banker", 5, 6, 8.4397)]


@pytest.mark.parametrize(("window", "hand", "player", "banker", "percent"), INSURED)
def test_insurance_on_a_fresh_shoe(window: str, hand: str, player: int, banker: int, percent: float) -> None:
    [line] = [
        line
        for line in odds(load_game("rws-nc-insurance"), EIGHT).insurance
        if (line.row.window, line.row.hand, line.player_total, line.banker_total) == (window, hand, player, banker)
    ]
    assert round(float(line.expected) * 100, 4) == percent


def test_every_insurance_line_at_every_pair_of_totals() -> None:
    game = load_game("rws-nc-insurance")
    assert game.insurance is not None
    lines = odds(game, EIGHT).insurance
    assert len(lines) == sum(len(row.player_totals) * len(row.banker_totals) for row in game.insurance.rows)
    assert all(line.win + line.push + line.lose == 1 and 0 < line.arises < 1 for line in lines)
    assert all(line.push == 0 for line in lines if line.row.wins_on_tie)


def test_games_without_insurance_have_no_such_lines() -> None:
    assert odds(load_game("mbs-nc"), EIGHT).insurance == ()


def test_what_if() -> None:
    game = load_game("mbs-tiger")
    tried = what_if(game, "tiger", 2, "25:1")
    before, after = odds(game, EIGHT).wager("tiger"), odds(tried, EIGHT).wager("tiger")
    assert after.expected == before.expected + 5 * before.rows[1].probability
    assert odds(game, EIGHT).wager("tiger") == before, "the game itself is as it was"
    assert odds(what_if(game, "tiger", 1, "push"), EIGHT).wager("tiger").push == before.rows[0].probability
    for wager, row, text in (("tiger", 3, "1:1"), ("tiger", 0, "1:1"), ("lucky", 1, "1:1"), ("tiger", 1, "x")):
        with pytest.raises(BadInput):
            what_if(game, wager, row, text)
