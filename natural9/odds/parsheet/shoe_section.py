"""The section on the shoe: how far each wager's edge strays from shoe to shoe as the cards are dealt."""

from collections.abc import Iterator
from typing import Final

from natural9.odds.counting import CARDS_IN_A_DECK
from natural9.odds.parsheet.blocks import Block, Column, Figure, Row, SheetTable, Text
from natural9.odds.parsheet.plots import CurvesPlot
from natural9.odds.parsheet.sheet import ParSheet, WagerFacts
from natural9.odds.parsheet.words import number, wager_name

EVERY: Final = CARDS_IN_A_DECK // 4  # a curve has a point every so many cards
LEAST_LEFT: Final = EVERY


def shoe_section(sheet: ParSheet) -> Iterator[Block]:
    yield Text(
        "In the mean of all shoes the house edge stays that of a fresh one however far they are dealt. What grows is "
        "how far one shoe strays from another, and with it what a bettor who has watched the cards may know. This is "
        "the standard deviation of the edge as the best linear count tells it, exactly. It is most of the whole while "
        "half a deck or more is left; a wager on pairs has no linear part, for no rank of its own makes one likelier."
    )
    depths = [decks * CARDS_IN_A_DECK for decks in range(sheet.decks - 1, 0, -1)] + [CARDS_IN_A_DECK // 2]
    columns = (Column("Wager", 26), *(Column(f"{left} left", 14, "right") for left in depths))
    rows = (Row((wager_name(facts.wager), *(_percent(facts, left) for left in depths))) for facts in sheet.wagers)
    yield SheetTable(
        "Standard deviation of the house edge by cards left, in percent of the stake.", columns, tuple(rows)
    )
    curves = tuple((facts.wager.title, tuple(_curve(sheet, facts))) for facts in sheet.wagers)
    yield Figure(
        f"The same by cards dealt, {sheet.decks} decks. A cut card that lies deeper leaves a bettor more to know.",
        CurvesPlot("cards dealt", curves),
    )


def _percent(facts: WagerFacts, left: int) -> str:
    return number(100 * facts.count.spread(left), 3)


def _curve(sheet: ParSheet, facts: WagerFacts) -> Iterator[tuple[float, float]]:
    for left in range(sheet.cards, LEAST_LEFT - 1, -EVERY):
        yield sheet.cards - left, facts.count.spread(left)
