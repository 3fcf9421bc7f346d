"""Results as columns: what stands in them, and that table libraries take them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow  # type: ignore[import-untyped]
import pytest

from natural9.games import load_game
from natural9.odds.columns import Tabular, columns_of
from natural9.odds.composition import Composition
from natural9.odds.penetration import edge_by_penetration
from natural9.odds.pricing import odds
from natural9.odds.session import session_of
from natural9.odds.simulation import simulate
from natural9.odds.together import bets_together
from natural9.odds.vulnerability import wager_vulnerability

TIGER = load_game("mbs-tiger")
EIGHT = Composition.of(decks=8)

RESULTS: dict[str, Callable[[], Tabular]] = {
    "odds": lambda: odds(TIGER, EIGHT),
    "a simulation": lambda: simulate(TIGER, rounds=1000, seed=1),
    "a session": lambda: session_of(bets_together(TIGER, EIGHT, {"tie": 5}).nets, rounds=3),
    "penetration": lambda: edge_by_penetration(TIGER, "tie", decks=4, shoes=3),
    "vulnerability": lambda: wager_vulnerability(TIGER, "tiger-pair", decks=4, shoes=3),
}


@pytest.mark.parametrize("name", RESULTS)
def test_columns_are_of_one_length_and_one_type_each(name: str) -> None:
    columns = columns_of(RESULTS[name]())
    assert len({len(column) for column in columns.values()}) == 1
    assert {column.dtype.kind for column in columns.values()} <= {"i", "f", "U"}


@pytest.mark.parametrize("name", RESULTS)
def test_arrow_takes_them_as_they_are(name: str) -> None:
    columns = columns_of(RESULTS[name]())
    table: Any = pyarrow.table(columns)
    assert table.column_names == [*columns]
    for column, values in columns.items():
        np.testing.assert_array_equal(table[column].to_numpy(), values)


def test_what_cannot_be_said_is_no_number() -> None:
    """Nobody counts pairs: a count that never bets has no edge."""
    columns = columns_of(RESULTS["vulnerability"]())
    linear = columns["strategy"] == "linear"
    assert np.isnan(columns["edge"][linear]).all()


def test_the_figures_are_those_of_the_result() -> None:
    priced = odds(TIGER, EIGHT)
    columns = columns_of(priced)
    assert columns["wager"].tolist() == [wager.id for wager in priced.wagers]
    assert columns["house_edge"].tolist() == [float(wager.house_edge) for wager in priced.wagers]
