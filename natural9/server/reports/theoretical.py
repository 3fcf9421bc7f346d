"""What the exact odds of a fresh shoe expect of a stake, and how far chance may carry it."""

from collections.abc import Mapping

from msgspec import Struct

from natural9.core.game import Game
from natural9.core.insurance import Window

Situation = tuple[str, Window, int, int]  # the line of insurance, and the points of Player and Banker then


class Expected(Struct, frozen=True):
    """For each unit staked: the house edge of each wager, and the covariance of each two."""

    edge: dict[str, float]
    covariance: dict[tuple[str, str], float]


def expected_of(game: Game, decks: int) -> Expected:
    import numpy as np

    from natural9.odds import Composition
    from natural9.odds.distribution import OUTCOMES, outcome_weights
    from natural9.odds.pricing import net_matrix

    weights = outcome_weights(Composition.of(decks=decks))
    chances = np.array([weights.get(outcome, 0) for outcome in OUTCOMES], dtype=float)
    chances /= chances.sum()
    nets = net_matrix(game)
    means = nets @ chances
    covariance = (nets * chances) @ nets.T - np.outer(means, means)
    names = [wager.id for wager in game.wagers]
    return Expected(
        edge={name: -float(mean) for name, mean in zip(names, means, strict=True)},
        covariance={
            (first, second): float(covariance[i, j]) for i, first in enumerate(names) for j, second in enumerate(names)
        },
    )


def insurance_worth(game: Game, decks: int, insured: Mapping[Situation, int]) -> float | None:
    """What the house expects of these stakes, each at the points that it was taken at."""
    from natural9.odds import Composition
    from natural9.odds.insurance import insurance_odds

    if game.insurance is None:
        return None
    expected = {
        (one.row.wager, one.row.window, one.player_total, one.banker_total): one.expected
        for one in insurance_odds(game.insurance, Composition.of(decks=decks))
    }
    if not insured.keys() <= expected.keys():
        return None  # taken by rules that are not these
    return -float(sum(expected[situation] * stake for situation, stake in insured.items()))
