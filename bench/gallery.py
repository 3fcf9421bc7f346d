"""The plots of docs/gallery.md: `python -m bench.gallery` draws them anew, the same whenever and wherever it is run."""

from pathlib import Path
from typing import Final

from bench.published import DOCS, Row, name_of, rows
from natural9.games import game_ids, load_game
from natural9.odds.composition import Composition
from natural9.odds.parsheet.plots import BarChart, CurvesPlot, Plot, SessionsPlot, draw
from natural9.odds.parsheet.svg import svg_file
from natural9.odds.penetration import edge_by_penetration
from natural9.odds.pricing import odds
from natural9.odds.session import session_of
from natural9.odds.together import bets_together

FOLDER: Final = DOCS / "plots"
DECKS: Final = 8
SHOES: Final = 200
BETS: Final = {"banker": 100, "tiger": 10, "tie": 5}


def plots() -> dict[str, tuple[str, Plot]]:
    """By the names of their files: title and plot."""
    measured = [row for row in rows() if row["decks"] == str(DECKS) and row["cards_burnt"] == "0" and not row["row"]]
    return {
        "edges": ("The house edge of every side bet, 8 decks", edges()),
        "session": ("Two hundred rounds of 100 on Banker, 10 on Tiger and 5 on Tie", night()),
        "spread": ("How far the edge strays as the shoe is dealt", strays()),
        "depth": ("What perfect play wins in a shoe, by depth", by_depth(measured)),
        "counts": ("What each count has of the perfect gain on Big Tiger", captured(measured, "big-tiger")),
    }


def edges() -> Plot:
    found: dict[str, float] = {}
    for game in map(load_game, game_ids()):
        for wager in odds(game, Composition.of(decks=DECKS)).wagers:
            found.setdefault(wager.id, 100 * float(wager.house_edge))
    return BarChart(tuple(sorted(found.items(), key=lambda bar: bar[1])), digits=3)


def night() -> Plot:
    bets = bets_together(load_game("mbs-tiger"), Composition.of(decks=DECKS), BETS)
    return SessionsPlot((("200 rounds", session_of(bets.nets, rounds=200)),))


def strays() -> Plot:
    curves = []
    for wager in ("player", "tie", "big-tiger"):
        depths = edge_by_penetration(load_game("mbs-tiger"), wager, shoes=SHOES).depths
        curves.append((wager, tuple((52 * DECKS - sum(one.left) / 2, one.spread) for one in depths)))
    return CurvesPlot("cards dealt", tuple(curves))


def by_depth(measured: list[Row]) -> Plot:
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in measured:
        if row["strategy"] == "perfect" and float(row["units_per_shoe"]) > 1e-4:
            curves.setdefault(name_of(row).partition(",")[0], []).append(
                (52.0 * DECKS - float(row["cards_behind_cut"]), float(row["units_per_shoe"]))
            )
    shown = ("big-tiger", "small-tiger", "player-dragon-bonus", "player-pair")
    return CurvesPlot(
        "cards before the cut card", tuple((name, tuple(sorted(curves[name]))) for name in shown), percent=False
    )


def captured(measured: list[Row], wager: str) -> Plot:
    bars = [
        (row["strategy"], 100 * float(row["share_of_perfect"]))
        for row in measured
        if row["wager"] == wager and row["cards_behind_cut"] == "14"
    ]
    return BarChart(tuple(bars), across="of what perfect play wins, %", digits=1)


def drawn() -> dict[Path, str]:
    return {FOLDER / f"{name}.svg": svg_file(draw(plot), title) for name, (title, plot) in plots().items()}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path, text in drawn().items():
        path.write_text(text, encoding="utf-8")
