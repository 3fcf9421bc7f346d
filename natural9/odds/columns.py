"""Results as columns of NumPy arrays, which every table library takes as they are.

`pandas.DataFrame(columns)`, `polars.DataFrame(columns)` and `pyarrow.table(columns)` are all it needs, and none of them
is needed here. (The dataframe interchange protocol would be a hundred lines more; its makers have given it up.)
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from natural9.odds.penetration import Penetration
from natural9.odds.pricing import GameOdds
from natural9.odds.session import SessionOdds
from natural9.odds.simulation import Simulation
from natural9.odds.vulnerability import Vulnerability

Columns = dict[str, NDArray[Any]]
Tabular = GameOdds | Simulation | SessionOdds | Penetration | Vulnerability


def columns_of(result: Tabular) -> Columns:
    """A result of this room as a table, a row for what it has many of; NaN where nothing can be said.

    >>> from natural9.games import load_game
    >>> from natural9.odds import Composition, odds
    >>> priced = columns_of(odds(load_game("mbs-nc"), Composition.of(decks=8)))
    >>> priced["wager"][:2].tolist(), priced["house_edge"][:2].round(6).tolist()
    (['player', 'banker'], [0.012351, 0.014581])
    """
    rows = [*_rows_of(result)]
    return {name: np.array([np.nan if row[name] is None else row[name] for row in rows]) for name in rows[0]}


def _rows_of(result: Tabular) -> Iterator[dict[str, object]]:
    match result:
        case GameOdds():
            yield from _of_odds(result)
        case Simulation():
            for one in result.wagers:
                figures = {"mean": one.mean, "stderr": one.stderr, "exact": float(one.exact), "z": one.z}
                yield {"wager": one.id, **figures}
        case SessionOdds():
            for place, chance in enumerate(result.chances):
                yield {"result": result.result(place), "probability": float(chance)}
        case Penetration():
            for depth in result.depths:
                where = {"cards_left_from": depth.left[0], "cards_left_to": depth.left[1], "rounds": depth.rounds}
                edges = {"house_edge": depth.edge, "house_edge_stderr": depth.edge_stderr, "spread": depth.spread}
                yield {**where, **edges, "favourable": depth.favourable, "volatility": depth.volatility}
        case Vulnerability():
            yield from _of_vulnerability(result)


def _of_odds(priced: GameOdds) -> Iterator[dict[str, object]]:
    for wager in priced.wagers:
        chances = {"win": float(wager.win), "push": float(wager.push), "lose": float(wager.lose)}
        worth = {"expected": float(wager.expected), "house_edge": float(wager.house_edge)}
        yield {"wager": wager.id, **chances, **worth, "standard_deviation": wager.standard_deviation}


def _of_vulnerability(found: Vulnerability) -> Iterator[dict[str, object]]:
    for depth in found.depths:
        for name, play in {"perfect": depth.perfect, **depth.counts}.items():
            worth, captured = play.worth_per_shoe, play.captured
            yield {
                "cards_behind_cut": depth.cut,
                "strategy": name,
                "bets_per_round": play.bets.value,
                "edge": play.edge.value if play.edge else None,
                "units_per_100_rounds": play.worth_per_100_rounds.value,
                "units_per_shoe": worth.value,
                "units_per_shoe_stderr": worth.stderr,
                "share_of_perfect": captured.value if captured else None,
            }
