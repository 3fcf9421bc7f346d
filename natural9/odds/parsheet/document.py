"""A par sheet in words and tables."""

from collections.abc import Iterator

from natural9.games.citations import citation
from natural9.odds.parsheet.blocks import (
    Block,
    Caution,
    Column,
    FactList,
    Figure,
    Heading,
    RegisterEntry,
    Row,
    SheetDocument,
    SheetTable,
    Signatures,
    Text,
)
from natural9.odds.parsheet.insurance_section import insurance_section
from natural9.odds.parsheet.plots import BarChart
from natural9.odds.parsheet.sheet import ParSheet
from natural9.odds.parsheet.shoe_section import shoe_section
from natural9.odds.parsheet.volatility_section import volatility_section
from natural9.odds.parsheet.words import chance, edge, number, one_in, wager_name


def document_of(sheet: ParSheet) -> SheetDocument:
    """All sections, numbered in the order in which they stand."""
    sections = [
        ("Identification", _identification(sheet)),
        ("Pay table", _pay_table(sheet)),
        (f"Probabilities and house edge, {sheet.decks} decks", _probabilities(sheet)),
        ("House edge by number of decks", _edges_by_decks(sheet)),
        ("Volatility", volatility_section(sheet)),
        ("As the shoe is dealt", shoe_section(sheet)),
    ]
    if sheet.game.insurance:
        sections.append((f"Insurance, {sheet.decks} decks", insurance_section(sheet)))
    sections += [
        ("Interpretation register", _interpretations(sheet)),
        ("How it was computed", _method(sheet)),
        ("Signatures", iter([Signatures(("Prepared by", "Checked by"))])),
    ]
    blocks: list[Block] = []
    for place, (title, section) in enumerate(sections, 1):
        blocks += [Heading(f"{place}. {title}"), *section]
    game = sheet.game
    footer = f"{game.id} · {sheet.decks} decks · rule pack {game.sha256[:16]} · natural9 {sheet.version}"
    return SheetDocument(f"{game.title or game.id}", "Par sheet", footer, tuple(blocks))


def _identification(sheet: ParSheet) -> Iterator[Block]:
    game, document = sheet.game, sheet.game.document
    yield FactList(
        (
            ("Game", game.title),
            ("Game id", game.id),
            ("Operator", document.operator),
            ("Approved document", f"{document.title} ({document.id})"),
            ("In force from", document.effective),
            ("Rule pack, SHA-256", game.sha256),
            ("Program", f"natural9 {sheet.version}"),
            ("Decks allowed", f"{game.decks.min} to {game.decks.max} ({citation(game.decks.paragraph)})"),
            ("Decks of this sheet", f"{sheet.decks} ({sheet.cards} cards)"),
        )
    )


def _pay_table(sheet: ParSheet) -> Iterator[Block]:
    yield Text(
        "The first line of a wager that fits the finished round pays; where none fits, the wager loses. Each line "
        "cites the rule of the approved document by which it pays, pushes or loses."
    )
    rows: list[Row] = []
    for facts in sheet.wagers:
        wager = facts.wager
        name, identity = f"{wager_name(wager)}{' (optional)' if wager.optional else ''}", wager.id
        for row in wager.rows:
            rows.append(Row((name, identity, row.called, citation(row.paragraph), row.pays), leads=bool(name)))
            name = identity = ""
        rows.append(Row((name, identity, "otherwise", citation(wager.paragraph), "loses"), leads=bool(name)))
    columns = (
        Column("Wager", 26),
        Column("Id", 20),
        Column("When", 34),
        Column("Rule", 24),
        Column("Pays", 9, "right"),
    )
    yield SheetTable("Pay table.", columns, tuple(rows))


def _probabilities(sheet: ParSheet) -> Iterator[Block]:
    yield Text(
        f"A round from a fresh shoe of {sheet.decks} decks. Expectation is the bettor's, for each unit staked; the "
        "house edge is its negative in percent of the stake, a push counting as a stake. Hit frequency is how often "
        "the wager wins. The standard deviation is of one round's result for each unit staked."
    )
    columns = (
        Column("Wager", 22),
        *(Column(title, 14, "right") for title in ("Win", "Push", "Lose")),
        Column("Hit frequency", 14, "right"),
        Column("Expectation", 15, "right"),
        Column("House edge", 14, "right"),
        Column("Std. dev.", 12, "right"),
    )
    rows = []
    for facts in sheet.wagers:
        one = facts.odds
        chances = (chance(one.win), chance(one.push), chance(one.lose), one_in(one.win), chance(one.expected))
        rows.append(Row((wager_name(facts.wager), *chances, edge(one.house_edge), number(one.standard_deviation, 6))))
    yield SheetTable("Each wager.", columns, tuple(rows))
    yield from _for_the_bettor(sheet)
    bars = tuple((facts.wager.title, float(100 * facts.odds.house_edge)) for facts in sheet.wagers)
    yield Figure(f"House edge by wager, {sheet.decks} decks.", BarChart(bars))
    yield _pay_rows(sheet)


def _for_the_bettor(sheet: ParSheet) -> Iterator[Block]:
    """No approved wager favours the bettor; a pack of one's own may, and then the sheet has to say so."""
    names = [facts.wager.title for facts in sheet.wagers if facts.odds.expected > 0]
    if names:
        yield Caution(f"These wagers FAVOUR THE BETTOR: {', '.join(names)}.")


def _pay_rows(sheet: ParSheet) -> SheetTable:
    rows: list[Row] = []
    for facts in sheet.wagers:
        name = wager_name(facts.wager)
        for one in facts.odds.rows:
            paid = one.probability * one.row.odds.ratio if one.row.odds else 0 * one.probability
            cells = (one.row.words, one.row.pays, chance(one.probability), one_in(one.probability), chance(paid))
            rows.append(Row((name, *cells), leads=bool(name)))
            name = ""
        lost = facts.odds.lose
        rows.append(Row((name, "otherwise", "loses", chance(lost), one_in(lost), chance(-lost)), leads=bool(name)))
    columns = (
        Column("Wager", 24),
        Column("When", 36),
        Column("Pays", 9, "right"),
        Column("Probability", 15, "right"),
        Column("One in", 17, "right"),
        Column("Contribution", 16, "right"),
    )
    caption = "Each line of the pay table; the contributions of a wager sum to its expectation."
    return SheetTable(caption, columns, tuple(rows))


def _edges_by_decks(sheet: ParSheet) -> Iterator[Block]:
    decks = range(sheet.game.decks.min, sheet.game.decks.max + 1)
    yield Text(f"Fresh shoes of every size that the rules allow ({citation(sheet.game.decks.paragraph)}).")
    columns = (Column("Wager", 24), *(Column(f"{one} decks", 14, "right") for one in decks))
    rows = tuple(
        Row((wager_name(facts.wager), *(edge(facts.edge_by_decks[one]) for one in decks))) for facts in sheet.wagers
    )
    yield SheetTable("House edge of every wager.", columns, rows)


def _interpretations(sheet: ParSheet) -> Iterator[Block]:
    if not sheet.game.interpretations:
        yield Text("The documents leave nothing open that this game depends on.")
        return
    yield Text(
        "Where the approved text leaves a reading open, this is the one that the game is dealt, settled and computed "
        "by. The authority that the documents give to the operator's staff stands above it."
    )
    for entry in sheet.game.interpretations:
        parts = (("Reading", entry.reading), ("Rejected", entry.rejected), ("Why", entry.why))
        yield RegisterEntry(entry.title, ", ".join(map(citation, entry.paragraphs)), parts)


def _method(sheet: ParSheet) -> Iterator[Block]:
    yield Text(
        f"By exact enumeration, without simulation. A fresh shoe of {sheet.decks} decks holds {sheet.cards} cards, "
        f"from which six can be dealt in order in {sheet.deals:,} ways, all equally likely; a round uses the first "
        "four, five or six of them, as the Table of Play says. The program counts, in whole numbers, how many of "
        "these deals end in each outcome (totals, number of cards, pairs), and pays every outcome by the same rule "
        "pack that settles live rounds: the one whose SHA-256 stands in section 1."
    )
    if sheet.game.insurance:
        yield Text(
            "Insurance is counted over the same deals, by the points on the table when it is offered and by who wins "
            "in the end."
        )
    yield Text(
        "Probabilities, expectations, variances and house edges are therefore exact fractions; they are printed here "
        "rounded, half to even. Standard deviations, intervals and the distribution of sessions are computed from "
        "them in double precision. Every figure is for a round from a fresh shoe: it says nothing about a shoe that "
        "is partly dealt."
    )
    yield Text(
        f"The exact fractions can be had from the program: natural9 odds {sheet.game.id} --decks {sheet.decks} "
        f"--json. This sheet was made by natural9 {sheet.version}, which writes it byte for byte the same from the "
        "same rule pack; it bears no date of its own."
    )
