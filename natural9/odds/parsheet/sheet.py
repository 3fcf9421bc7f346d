"""The facts of a par sheet: everything that is computed, before it is put into words."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Final

import natural9
from natural9.core.game import Game
from natural9.core.outcome import Outcome
from natural9.core.wagers import Result, Wager
from natural9.odds.composition import MOST_CARDS_IN_A_ROUND, Composition, ordered_draws
from natural9.odds.counting import LinearCount, linear_count
from natural9.odds.distribution import outcome_weights
from natural9.odds.insurance import InsuranceOdds
from natural9.odds.pricing import WagerOdds, odds, wager_odds
from natural9.odds.session import SessionOdds, nets_of, session_of
from natural9.odds.together import Together, bets_together

LEVELS: Final = (90, 95, 99)
ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
SESSION_ROUNDS: Final = 100
# The usual rule of thumb: below so many expected hits of its rarest line, a sum is not yet near a normal one.
FEWEST_HITS: Final = 10


@dataclass(frozen=True)
class Hold:
    """Where the operator's hold, as a share of what is staked, lies after so many rounds of flat betting."""

    rounds: int
    level: int
    low: float
    high: float
    too_few: bool  # the rarest pay row is expected too seldom for the normal approximation to be trusted


@dataclass(frozen=True)
class WagerFacts:
    wager: Wager
    odds: WagerOdds
    edge_by_decks: Mapping[int, Fraction]
    holds: tuple[Hold, ...]
    session: SessionOdds
    count: LinearCount


@dataclass(frozen=True)
class ParSheet:
    game: Game
    version: str
    decks: int
    cards: int
    deals: int
    wagers: tuple[WagerFacts, ...]
    insurance: tuple[InsuranceOdds, ...]
    together: Together
    """A unit on every wager in one round."""

    @property
    def for_the_bettor(self) -> tuple[InsuranceOdds, ...]:
        """The insurance that favours the bettor, the worst for the operator first."""
        return tuple(sorted((line for line in self.insurance if line.expected > 0), key=lambda one: -one.expected))


def gather(game: Game, *, decks: int) -> ParSheet:
    """Price the game for every number of decks that it allows, and in full for this one."""
    game.check_decks(decks)
    shoe = Composition.of(decks=decks)
    priced = odds(game, shoe)
    weights = {
        number: outcome_weights(Composition.of(decks=number)) for number in range(game.decks.min, game.decks.max + 1)
    }
    return ParSheet(
        game=game,
        version=natural9.__version__,
        decks=decks,
        cards=shoe.cards,
        deals=ordered_draws(shoe.cards, MOST_CARDS_IN_A_ROUND),
        wagers=tuple(_facts(wager, priced.wager(wager.id), shoe, weights) for wager in game.wagers),
        insurance=priced.insurance,
        together=bets_together(game, shoe, dict.fromkeys((wager.id for wager in game.wagers), 1)),
    )


def _facts(
    wager: Wager, priced: WagerOdds, shoe: Composition, weights: Mapping[int, Mapping[Outcome, int]]
) -> WagerFacts:
    edges = {number: wager_odds(wager, one).house_edge for number, one in weights.items()}
    holds = tuple(hold_after(priced, rounds, level) for level in LEVELS for rounds in ROUNDS)
    session = session_of(nets_of(priced), rounds=SESSION_ROUNDS)
    return WagerFacts(wager, priced, edges, holds, session, linear_count(wager, shoe))


def hold_after(priced: WagerOdds, rounds: int, level: int) -> Hold:
    """The interval that holds the operator's hold with this confidence, in percent, by the normal approximation."""
    reach = NormalDist().inv_cdf(0.5 + level / 200) * priced.standard_deviation / sqrt(rounds)
    edge = float(priced.house_edge)
    chances = [one.probability for one in priced.rows if one.row.result is Result.WIN and one.probability]
    return Hold(rounds, level, edge - reach, edge + reach, rounds * min(chances, default=Fraction()) < FEWEST_HITS)
