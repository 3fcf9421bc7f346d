"""The mathematics: exact odds of every wager for any shoe, simulation, and what counting cards is worth.

Par sheets are in `natural9.odds.parsheet`.
"""

from natural9.odds.bankroll import Plan, Strategy, simulate_sessions
from natural9.odds.composition import Composition
from natural9.odds.distribution import completion_weights, outcome_weights
from natural9.odds.insurance import InsuranceOdds
from natural9.odds.pricing import GameOdds, WagerOdds, odds, what_if
from natural9.odds.simulation import Simulation, simulate
from natural9.odds.vulnerability import insurance_vulnerability, wager_vulnerability

__all__ = [
    "Composition",
    "GameOdds",
    "InsuranceOdds",
    "Plan",
    "Simulation",
    "Strategy",
    "WagerOdds",
    "completion_weights",
    "insurance_vulnerability",
    "odds",
    "outcome_weights",
    "simulate",
    "simulate_sessions",
    "wager_vulnerability",
    "what_if",
]
