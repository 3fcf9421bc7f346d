"""What a wager is worth: the weights of the outcomes, through the same pay rows that settle live rounds."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.money import Odds
from natural9.core.outcome import Outcome
from natural9.core.wagers import PayRow, Result, Wager
from natural9.odds.backend import np
from natural9.odds.composition import Composition
from natural9.odds.distribution import OUTCOMES, outcome_weights
from natural9.odds.insurance import InsuranceOdds, insurance_odds

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class RowOdds:
    """How likely one line of a pay table is."""

    row: PayRow
    probability: Fraction


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """A wager's exact chances and worth, for each unit staked."""

    id: str
    rows: tuple[RowOdds, ...]
    win: Fraction
    push: Fraction
    lose: Fraction
    expected: Fraction
    variance: Fraction

    @property
    def house_edge(self) -> Fraction:
        return -self.expected

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)


@dataclass(frozen=True, slots=True)
class GameOdds:
    game: Game
    shoe: Composition
    wagers: tuple[WagerOdds, ...]
    insurance: tuple[InsuranceOdds, ...]

    def wager(self, wager_id: str) -> WagerOdds:
        self.game.wager(wager_id)  # an unknown one is named there, with those on offer
        return next(wager for wager in self.wagers if wager.id == wager_id)


def odds(game: Game, shoe: Composition) -> GameOdds:
    """Every wager of a game, priced exactly for this shoe.

    >>> from natural9.games import load_game
    >>> priced = odds(load_game("mbs-tiger"), Composition.of(decks=8))
    >>> f"{float(priced.wager('tiger').house_edge):.6%}"
    '16.683572%'
    """
    weights = outcome_weights(shoe)
    insurance = insurance_odds(game.insurance, shoe) if game.insurance else ()
    return GameOdds(game, shoe, tuple(wager_odds(wager, weights) for wager in game.wagers), insurance)


def wager_odds(wager: Wager, weights: Mapping[Outcome, int]) -> WagerOdds:
    """One wager over outcomes of these weights."""
    everything = sum(weights.values())
    by_row = dict.fromkeys(range(len(wager.rows)), 0)
    places = {id(row): place for place, row in enumerate(wager.rows)}
    for outcome, weight in weights.items():
        row = wager.row_for(outcome)
        if row is not None:
            by_row[places[id(row)]] += weight
    rows = tuple(RowOdds(row, Fraction(by_row[place], everything)) for place, row in enumerate(wager.rows))
    win = _sum(one.probability for one in rows if one.row.result is Result.WIN)
    push = _sum(one.probability for one in rows if one.row.result is Result.PUSH)
    lose = 1 - win - push
    paid = [(one.row.odds.ratio, one.probability) for one in rows if one.row.odds]
    expected = _sum(ratio * chance for ratio, chance in paid) - lose
    squared = _sum(ratio**2 * chance for ratio, chance in paid) + lose
    return WagerOdds(wager.id, rows, win, push, lose, expected, squared - expected**2)


def _sum(fractions: Iterable[Fraction]) -> Fraction:
    return sum(fractions, Fraction())


def what_if(game: Game, wager_id: str, row: int, odds: str) -> Game:
    """The game with other odds on one row, counted from 1, of a wager: for trying a pay table. No rule stands for it.

    >>> from natural9.games import load_game
    >>> tried = what_if(load_game("mbs-tiger"), "tiger", 2, "25:1")
    >>> f"{float(wager_odds(tried.wager('tiger'), outcome_weights(Composition.of(decks=8))).house_edge):.4%}"
    '8.3751%'
    """
    wager = game.wager(wager_id)
    if not 1 <= row <= len(wager.rows):
        raise BadInput("no-such-row", f"{wager_id} has no row {row}: it has {len(wager.rows)}")
    tried = replace(wager.rows[row - 1], odds=None if odds == "push" else Odds.parse(odds), paragraph="")
    rows = (*wager.rows[: row - 1], tried, *wager.rows[row:])
    wagers = tuple(replace(one, rows=rows) if one is wager else one for one in game.wagers)
    return replace(game, wagers=wagers)


def nets_by_outcome(game: Game) -> list[list[float]]:
    """What each wager nets per unit on each of `OUTCOMES`."""
    return [[_net(wager, outcome) for outcome in OUTCOMES] for wager in game.wagers]


def net_matrix(game: Game) -> "NDArray[np.float64]":
    """The same as an array: times the float weights it prices all wagers at once."""
    return np.array(nets_by_outcome(game))


def _net(wager: Wager, outcome: Outcome) -> float:
    row = wager.row_for(outcome)
    return -1.0 if row is None else float(row.odds.ratio) if row.odds else 0.0
