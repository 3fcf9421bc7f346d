"""The mathematics: exact odds of every wager for any shoe, simulation, and what counting cards is worth.

Par sheets are in `natural9.odds.parsheet`. A name is loaded from its module when it is first asked for, since numba
comes along with most of them: a server that has priced nothing does without.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from natural9.odds.bankroll import Plan, Strategy, simulate_sessions
    from natural9.odds.columns import columns_of
    from natural9.odds.composition import Composition
    from natural9.odds.design import odds_for_edge, tables_between
    from natural9.odds.distribution import completion_weights, outcome_weights
    from natural9.odds.insurance import InsuranceOdds
    from natural9.odds.penetration import edge_by_penetration
    from natural9.odds.pricing import GameOdds, WagerOdds, odds, what_if
    from natural9.odds.session import session_of
    from natural9.odds.simulation import Simulation, simulate
    from natural9.odds.together import Together, bets_together
    from natural9.odds.vulnerability import insurance_vulnerability, wager_vulnerability

_MODULES: Final = {  # of each name
    "Composition": "composition",
    "GameOdds": "pricing",
    "InsuranceOdds": "insurance",
    "Plan": "bankroll",
    "Simulation": "simulation",
    "Strategy": "bankroll",
    "Together": "together",
    "WagerOdds": "pricing",
    "columns_of": "columns",
    "completion_weights": "distribution",
    "insurance_vulnerability": "vulnerability",
    "odds": "pricing",
    "odds_for_edge": "design",
    "outcome_weights": "distribution",
    "edge_by_penetration": "penetration",
    "session_of": "session",
    "simulate": "simulation",
    "simulate_sessions": "bankroll",
    "tables_between": "design",
    "bets_together": "together",
    "wager_vulnerability": "vulnerability",
    "what_if": "pricing",
}

__all__ = [
    "Composition",
    "GameOdds",
    "InsuranceOdds",
    "Plan",
    "Simulation",
    "Strategy",
    "Together",
    "WagerOdds",
    "bets_together",
    "columns_of",
    "completion_weights",
    "edge_by_penetration",
    "insurance_vulnerability",
    "odds",
    "odds_for_edge",
    "outcome_weights",
    "session_of",
    "simulate",
    "simulate_sessions",
    "tables_between",
    "wager_vulnerability",
    "what_if",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
