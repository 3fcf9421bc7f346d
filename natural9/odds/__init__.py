"""The mathematics: exact odds of every wager for any shoe."""

from natural9.odds.composition import Composition
from natural9.odds.distribution import completion_weights, outcome_weights
from natural9.odds.insurance import InsuranceOdds
from natural9.odds.pricing import GameOdds, WagerOdds, odds, what_if

__all__ = [
    "Composition",
    "GameOdds",
    "InsuranceOdds",
    "WagerOdds",
    "completion_weights",
    "odds",
    "outcome_weights",
    "what_if",
]
