"""The tables of docs/vulnerability.md, from docs/data/vulnerability.csv: `python -m bench.published` writes them.

`python -m bench.published rows.csv ...` first makes that file of these, and its Parquet twin (with pyarrow).
"""

import csv
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from math import floor, log10
from pathlib import Path
from typing import Final

from bench.vulnerability_tables import COLUMNS, DECKS

DOCS: Final = Path(__file__).parents[1] / "docs"
DATA: Final = DOCS / "data" / "vulnerability.csv"
PAGE: Final = DOCS / "vulnerability.md"
BEGIN, END = "<!-- made by bench.published -->\n", "<!-- end -->\n"
NAMES: Final = {
    ("mbs-fortune-six-nc", "banker"): "banker, no commission",
    ("mbs-tiger", "banker"): "banker, 5% commission",
    ("mbs-fortune-six-nc", "player-pair"): "player-pair, banker-pair",
    ("mbs-fortune-six-nc", "fortune-six"): "tiger, fortune-six, super-six-plus",
    ("mbs-super-6-nc", "super-6"): "super-6, super-six",
}
LEFT_OUT: Final = {("mbs-fortune-six-nc", "banker-pair")}  # as the Player's
STRATEGIES: Final = {"linear": "linear", "tags": "to 4", "level-2": "to 2", "level-1": "to 1", "key-cards": "key cards"}

Row = dict[str, str]


def rows() -> list[Row]:
    with DATA.open(newline="") as file:
        return list(csv.DictReader(file))


def told(value: str, error: str) -> str:
    """With its standard error in units of the last digit shown: 0.3118(5)."""
    if not value:
        return "-"
    number, spread = float(value), float(error or 0)
    if not number and not spread:
        return "0"
    if not spread:
        return f"{number:.6f}"
    digits = max(0, -floor(log10(spread)))
    if round(spread * 10**digits) == 10:  # 0.096 is (1) of the digit before, not (10)
        digits -= 1
    return f"{number:.{digits}f}({round(spread * 10**digits)})"


def shown(row: Row, what: str) -> str:
    return told(row[what], row[f"{what}_stderr"])


def name_of(row: Row) -> str:
    return NAMES.get((row["game"], row["wager"]), row["wager"])


def table(columns: Sequence[str], lines: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    yield from (f"| {' | '.join(line)} |" for line in lines)
    yield ""


def page() -> str:
    found: dict[tuple[str, ...], Row] = {}
    wagers: dict[tuple[str, str], Row] = {}
    insured: dict[tuple[str, str], Row] = {}
    for row in rows():
        keys = ("game", "wager", "row", "decks", "cards_behind_cut", "cards_burnt", "strategy")
        found[tuple(row[key] for key in keys)] = row
        if row["row"]:
            insured.setdefault((row["wager"], row["row"]), row)
        elif (row["game"], row["wager"]) not in LEFT_OUT:
            wagers.setdefault((row["game"], row["wager"]), row)
    cuts = sorted({int(row["cards_behind_cut"]) for row in found.values()})
    of = {name_of(row): place for place, row in wagers.items()}

    def at(place: tuple[str, str], decks: int, cut: int, burnt: bool, strategy: str, line: str = "") -> Row:
        return found[*place, line, str(decks), str(cut), str(int(burnt)), strategy]

    def units(place: tuple[str, str], decks: int, cut: int, burnt: bool = False, strategy: str = "perfect") -> str:
        return shown(at(place, decks, cut, burnt, strategy), "units_per_shoe")

    def insurance(wager: str, line: str, cut: int) -> str:
        return shown(at(("rws-nc-insurance", wager), 8, cut, False, "perfect", line), "units_per_100_rounds")

    def counts(place: tuple[str, str]) -> Iterator[str]:
        for strategy in STRATEGIES:
            row = at(place, 8, 14, False, strategy)
            kept = "" if strategy == "linear" or not row["trigger_per_deck"] else f" `{row['tags']}`"
            yield shown(row, "units_per_shoe") + kept

    lines = [
        "### By depth, eight decks",
        "",
        "Perfect play, units a shoe, by cards behind the cut card:",
        "",
        *table(["", *map(str, cuts)], ([name, *(units(of[name], 8, cut) for cut in cuts)] for name in of)),
        "### By decks",
        "",
        "Perfect play, units a shoe, 14 cards behind the cut card; then the same with cards burnt:",
        "",
        *table(
            ["", *(f"{decks} decks" for decks in DECKS), *(f"{decks}, burnt" for decks in DECKS)],
            ([name, *(units(of[name], decks, 14, burnt) for burnt in (False, True) for decks in DECKS)] for name in of),
        ),
        "### Counts",
        "",
        "Units a shoe, eight decks, 14 cards behind the cut card; tags for A to 9 and the ten-value cards:",
        "",
        *table(
            ["", "perfect", *STRATEGIES.values()],
            ([name, units(place, 8, 14), *counts(place)] for name, place in of.items()),
        ),
        "### Insurance, row by row",
        "",
        "Taken when it is worth more than nothing, eight decks, units per 100 rounds, by cards behind the cut card:",
        "",
        *table(
            ["", *map(str, cuts)],
            (
                [f"{wager.removesuffix('-insurance')}, {line}", *(insurance(wager, line, cut) for cut in cuts)]
                for wager, line in insured
            ),
        ),
    ]
    return "\n".join(lines)


def written(text: str) -> str:
    """The page with the tables anew."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + "\n" + page() + END + rest.partition(END)[2]


def join(parts: Sequence[str]) -> None:
    arrow_csv, parquet = import_module("pyarrow.csv"), import_module("pyarrow.parquet")  # no part of any extra
    lines: list[Row] = []
    for part in parts:
        with Path(part).open(newline="") as file:
            lines += csv.DictReader(file)
    DATA.parent.mkdir(exist_ok=True)
    with DATA.open("w", newline="") as file:
        out = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(lines, key=lambda row: int(row["decks"])))
    parquet.write_table(arrow_csv.read_csv(DATA), DATA.with_suffix(".parquet"), compression="zstd")


if __name__ == "__main__":
    if sys.argv[1:]:
        join(sys.argv[1:])
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
