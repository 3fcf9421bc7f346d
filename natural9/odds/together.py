"""Several bets in one round: what they come to together, and how each goes with the others. Exact."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from natural9.core.errors import BadInput
from natural9.core.game import Game
from natural9.core.outcome import Outcome
from natural9.core.wagers import Wager
from natural9.odds.composition import Composition
from natural9.odds.distribution import outcome_weights


@dataclass(frozen=True, slots=True)
class Together:
    """Stakes on some wagers of a game, in a round from one shoe."""

    game: Game
    shoe: Composition
    stakes: Mapping[str, int]
    nets: Mapping[Fraction, Fraction]
    """What the round may end with, in the unit of the stakes, and how likely."""
    expected: Fraction
    variance: Fraction
    means: Mapping[str, Fraction]
    """Of one unit on each wager."""
    covariances: Mapping[tuple[str, str], Fraction]
    """Of one unit on each of two wagers; that of a wager with itself is its variance."""

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def correlation(self, one: str, other: str) -> float:
        """From -1 (one wins when the other loses) to 1."""
        spread = sqrt(self.covariances[one, one] * self.covariances[other, other])
        return float(self.covariances[one, other]) / spread if spread else 0.0


def bets_together(game: Game, shoe: Composition, stakes: Mapping[str, int]) -> Together:
    """All bets of one seat.

    >>> from natural9.games import load_game
    >>> both = bets_together(load_game("mbs-nc"), Composition.of(decks=8), {"player": 100, "banker": 100})
    >>> f"{float(both.expected):.4f} {both.correlation('player', 'banker'):.4f}"
    '-2.6932 -0.9931'
    """
    if not stakes or min(stakes.values()) <= 0:
        raise BadInput("bad-bets", "name at least one bet, each of more than nothing, as in --bet banker=100")
    wagers = [game.wager(wager) for wager in stakes]  # an unknown one is named there
    weights = outcome_weights(shoe)
    everything = sum(weights.values())
    nets: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    sums = dict.fromkeys(stakes, Fraction())
    products: dict[tuple[str, str], Fraction] = {(one, other): Fraction() for one in stakes for other in stakes}
    for outcome, weight in weights.items():
        chance = Fraction(weight, everything)
        each = {wager.id: net_of(wager, outcome) for wager in wagers}
        nets[sum((each[id] * stake for id, stake in stakes.items()), Fraction())] += chance
        for one in stakes:
            sums[one] += chance * each[one]
            for other in stakes:
                products[one, other] += chance * each[one] * each[other]
    covariances = {(one, other): both - sums[one] * sums[other] for (one, other), both in products.items()}
    expected = sum((stake * sums[id] for id, stake in stakes.items()), Fraction())
    variance = sum(
        (stakes[one] * stakes[other] * covariance for (one, other), covariance in covariances.items()), Fraction()
    )
    return Together(game, shoe, dict(stakes), dict(nets), expected, variance, sums, covariances)


def net_of(wager: Wager, outcome: Outcome) -> Fraction:
    """What one unit on it nets."""
    row = wager.row_for(outcome)
    return Fraction(-1) if row is None else row.odds.ratio if row.odds else Fraction()
