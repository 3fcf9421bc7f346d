"""The section on insurance, where a game has it."""

from collections.abc import Iterator

from natural9.games.citations import citation
from natural9.odds.insurance import InsuranceOdds
from natural9.odds.parsheet.blocks import Block, Caution, Column, Row, SheetTable, Text
from natural9.odds.parsheet.sheet import ParSheet
from natural9.odds.parsheet.words import WINDOWS, chance, edge, points

WORST_NAMED = 3


def insurance_section(sheet: ParSheet) -> Iterator[Block]:
    yield Text(
        "Insurance is a bet that the hand one has backed will lose, offered while a draw is still to come: after "
        "four cards, and again after the Player's third card. It is priced from the point totals on the table and a "
        "fresh shoe, over all cards that make those totals."
    )
    yield _offered(sheet)
    worst = sheet.for_the_bettor
    if worst:
        named = "; ".join(_situation(one) for one in worst[:WORST_NAMED])
        yield Caution(
            f"{len(worst)} of the {len(sheet.insurance)} situations below FAVOUR THE BETTOR. The worst for the "
            f"operator: {named}."
        )
    else:
        yield Text("None of the situations below favours the bettor.")
    yield _situations(sheet)


def _situation(one: InsuranceOdds) -> str:
    return (
        f"{one.row.hand} insurance at Player {one.player_total}, Banker {one.banker_total} "
        f"({WINDOWS[one.row.window]}) at {one.row.odds}: +{edge(one.expected)}"
    )


def _offered(sheet: ParSheet) -> SheetTable:
    columns = (
        Column("Insured", 14),
        Column("Offered after", 18),
        Column("Player", 12, "center"),
        Column("Banker", 12, "center"),
        Column("Wins if", 20),
        Column("Rule", 30),
        Column("Pays", 12, "right"),
    )
    insurance = sheet.game.insurance
    assert insurance is not None
    rows = tuple(
        Row(
            (
                row.hand.capitalize(),
                WINDOWS[row.window],
                points(row.player_totals),
                points(row.banker_totals),
                row.wins_if,
                citation(row.paragraph),
                str(row.odds),
            )
        )
        for row in insurance.rows
    )
    return SheetTable("Insurance on offer, by the points on the table.", columns, rows)


def _situations(sheet: ParSheet) -> SheetTable:
    columns = (
        Column("Insured", 13),
        Column("After", 16),
        Column("Player", 11, "right"),
        Column("Banker", 11, "right"),
        Column("Pays", 9, "right"),
        *(Column(title, 18, "right") for title in ("Arises", "Win", "Push", "Lose")),
        Column("Expectation", 19, "right"),
        Column("Favours", 17, "center"),
    )
    rows = []
    before: object = None
    for one in sheet.insurance:
        rows.append(_situation_row(one, leads=one.row is not before))
        before = one.row
    caption = "Every line of insurance at every pair of totals: how often it is offered, and its worth to the bettor."
    return SheetTable(caption, columns, tuple(rows))


def _situation_row(one: InsuranceOdds, *, leads: bool) -> Row:
    bettor = one.expected > 0
    sign = "+" if bettor else ""
    favours = "BETTOR" if bettor else "house" if one.expected < 0 else "neither"
    where = (one.row.hand.capitalize(), WINDOWS[one.row.window], str(one.player_total), str(one.banker_total))
    chances = (chance(one.arises), chance(one.win), chance(one.push), chance(one.lose), sign + chance(one.expected))
    return Row((*where, str(one.row.odds), *chances, favours), leads=leads, warns=bettor)
