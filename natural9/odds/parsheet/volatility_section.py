"""The section on volatility: how far the operator's hold and a bettor's session stray from what is expected."""

from collections.abc import Iterator

from natural9.odds.parsheet.blocks import Block, Column, Figure, Row, SheetTable, Text
from natural9.odds.parsheet.plots import SessionsPlot
from natural9.odds.parsheet.sheet import FEWEST_HITS, LEVELS, ROUNDS, SESSION_ROUNDS, Hold, ParSheet, WagerFacts
from natural9.odds.parsheet.words import MINUS, decimal, number, wager_name


def volatility_section(sheet: ParSheet) -> Iterator[Block]:
    yield Text(
        "The operator's hold is what the operator keeps, in percent of everything staked, when the same stake lies "
        "on the wager in every round. Its interval after N rounds is the house edge, plus and minus a normal "
        "quantile times the standard deviation over the square root of N: a normal approximation, in which rounds "
        "are treated as independent and each dealt from a fresh shoe."
    )
    yield Text(
        f"An asterisk marks where the rarest line of the wager is expected fewer than {FEWEST_HITS} times in so many "
        "rounds: there the approximation is rough, and the true distribution leans to one side."
    )
    yield _holds(sheet)
    yield Text(
        f"What a bettor has won or lost after {SESSION_ROUNDS} rounds of one unit on one wager, likewise independent "
        "and from fresh shoes, but without the normal approximation: the distribution of a round's result, convolved "
        "with itself. The interval is the central one: no more than 2.5% of sessions end below it, and no more than "
        "2.5% above."
    )
    yield _sessions(sheet)
    plot = SessionsPlot(tuple((facts.wager.title, facts.session) for facts in sheet.wagers))
    yield Figure(
        f"The bettor's result, in units, after {SESSION_ROUNDS} rounds of one unit, {sheet.decks} decks. Darker: "
        "the central 95%; the mean is marked.",
        plot,
    )
    yield Text(
        f"How the wagers of one round go together, exactly: 1 if their results rise and fall as one, {MINUS}1 if one "
        "rises as the other falls, 0 if neither tells of the other. The variance of several bets is the sum of theirs "
        "and, for each two, twice this times both standard deviations."
    )
    yield _correlations(sheet)


def _holds(sheet: ParSheet) -> SheetTable:
    columns = (
        Column("Wager", 26),
        Column("Level", 8, "right"),
        *(Column(f"{rounds:,} rounds", 22, "right") for rounds in ROUNDS),
    )
    rows = [row for facts in sheet.wagers for row in _hold_rows(facts)]
    return SheetTable("Confidence intervals of the operator's hold, in percent of the stakes.", columns, tuple(rows))


def _hold_rows(facts: WagerFacts) -> Iterator[Row]:
    for place, level in enumerate(LEVELS):
        cells = (hold_words(hold) for hold in facts.holds if hold.level == level)
        yield Row((wager_name(facts.wager) if not place else "", f"{level}%", *cells), leads=not place)


def hold_words(hold: Hold) -> str:
    said = f"{number(100 * hold.low, 3)} to {number(100 * hold.high, 3)}"
    return f"* {said}" if hold.too_few else said


def _sessions(sheet: ParSheet) -> SheetTable:
    columns = (
        Column("Wager", 26),
        Column("Variance", 18, "right"),
        Column("Std. dev.", 18, "right"),
        Column(f"Mean of {SESSION_ROUNDS}", 16, "right"),
        Column(f"Std. dev. of {SESSION_ROUNDS}", 18, "right"),
        Column(f"Central 95% of {SESSION_ROUNDS}", 27, "right"),
        Column("Ends ahead", 18, "right"),
    )
    caption = (
        f"Standard deviation for each unit staked, and the bettor's result in units after {SESSION_ROUNDS} rounds."
    )
    return SheetTable(caption, columns, tuple(_session_row(facts) for facts in sheet.wagers))


def _session_row(facts: WagerFacts) -> Row:
    session = facts.session
    low, high = session.interval(0.95)
    return Row(
        (
            wager_name(facts.wager),
            decimal(facts.odds.variance, 6),
            number(facts.odds.standard_deviation, 6),
            number(session.mean, 4, plus=True),
            number(session.standard_deviation, 4),
            f"{number(low, 2, plus=True)} to {number(high, 2, plus=True)}",
            f"{number(100 * session.ahead, 4)}%",
        )
    )


def _correlations(sheet: ParSheet) -> SheetTable:
    numbered = list(enumerate(sheet.wagers, 1))
    columns = (Column("Wager", 30), *(Column(str(place), 15, "right") for place, _ in numbered))
    rows = []
    for place, facts in numbered:
        with_each = (sheet.together.correlation(facts.wager.id, other.wager.id) for other in sheet.wagers[:place])
        cells = [number(correlation, 4) for correlation in with_each]
        rows.append(Row((f"{place} {wager_name(facts.wager)}", *cells, *[""] * (len(numbered) - place))))
    return SheetTable("Correlation of the results of each two wagers.", columns, tuple(rows))
