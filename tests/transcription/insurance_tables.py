"""The four insurance tables of rws-nc-insurance 4.1.2, row by row, under readings 4 and 5."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tests.transcription.table_of_play import HandName, next_to_draw, play, total

Window = Literal["four-cards", "third-card"]
Result = Literal["win", "push", "lose"]

PARAGRAPH = "rws-nc-insurance 4.1.2"
PUSH_PARAGRAPH = "rws-nc-insurance 3.9"


@dataclass(frozen=True)
class InsuranceTable:
    """Rows as printed: first column, second column, odds, starred. `columns` says whose points each column holds."""

    window: Window
    insures: HandName
    columns: tuple[HandName, HandName]
    rows: tuple[tuple[range, range, Fraction, bool], ...]


def only(value: int) -> range:
    return range(value, value + 1)


def span(low: int, high: int) -> range:
    """The printed "low-high", both ends included."""
    return range(low, high + 1)


def to_one(pays: int | str) -> Fraction:
    return Fraction(pays)


TABLES = (
    InsuranceTable(
        "four-cards",
        "banker",
        ("banker", "player"),
        (
            (only(5), span(0, 4), to_one(2), False),
            (only(6), span(0, 5), to_one(3), False),
            (only(7), span(0, 5), to_one(4), False),
        ),
    ),
    InsuranceTable(
        "four-cards",
        "player",
        ("player", "banker"),
        (
            (only(5), only(4), to_one(2), False),
            (only(6), span(0, 5), to_one(3), False),
            (only(7), span(0, 5), to_one(4), False),
        ),
    ),
    InsuranceTable(
        "third-card",
        "banker",
        ("player", "banker"),
        (
            (only(1), only(1), to_one(6), False),
            (only(1), span(2, 6), to_one(7), False),
            (only(2), span(3, 6), to_one(4), False),
            (only(3), only(4), to_one("1.5"), False),
        ),
    ),
    InsuranceTable(
        "third-card",
        "player",
        ("banker", "player"),
        (
            (span(0, 4), only(5), to_one(2), False),
            (span(0, 5), only(6), to_one(3), False),
            (span(0, 6), only(7), to_one(4), False),
            (span(0, 6), only(8), to_one(7), False),
            (span(0, 6), only(9), to_one(8), True),  # the starred row: it pays on the tie at 9
        ),
    ),
)


def printed_rows() -> Iterator[tuple[Window, HandName, tuple[int, ...], tuple[int, ...], Fraction, bool]]:
    """The rows in printed order: window, hand insured, Player's points, Banker's points, odds, starred."""
    for table in TABLES:
        for first, second, odds, starred in table.rows:
            player, banker = (first, second) if table.columns[0] == "player" else (second, first)
            yield table.window, table.insures, tuple(player), tuple(banker), odds, starred


def _window_is_open(window: Window, ranks: Sequence[str]) -> bool:
    """Reading 5: a window exists only while a draw is still to come; the second only after the Player's third card."""
    if window == "four-cards":
        return len(ranks) == 4 and next_to_draw(ranks) is not None
    return len(ranks) == 5 and next_to_draw(ranks[:4]) == "player" and next_to_draw(ranks) == "banker"


def _row(window: Window, hand: HandName, ranks: Sequence[str]) -> tuple[Fraction, bool] | None:
    if not _window_is_open(window, ranks):
        return None
    held = {"player": total((ranks[0], ranks[2], *ranks[4:])), "banker": total((ranks[1], ranks[3]))}
    found = [
        (odds, starred)
        for table in TABLES
        if (table.window, table.insures) == (window, hand)
        for first, second, odds, starred in table.rows
        if held[table.columns[0]] in first and held[table.columns[1]] in second
    ]
    assert len(found) <= 1, f"{window} {hand} {' '.join(ranks)}: {len(found)} rows of 4.1.2 match"
    return found[0] if found else None


def expected_offer(window: Window, hand: HandName, ranks: Sequence[str]) -> Fraction | None:
    """The odds at which this hand can be insured with exactly these cards on the table, or None."""
    row = _row(window, hand, ranks)
    return None if row is None else row[0]


def expected_insurance(window: Window, hand: HandName, complete_ranks: Sequence[str]) -> tuple[Result, Fraction]:
    """How insurance taken in that window ends (reading 4), and the odds it was taken at."""
    row = _row(window, hand, complete_ranks[: 4 if window == "four-cards" else 5])
    if row is None:
        raise ValueError(f"no {hand} insurance in {window} of {' '.join(complete_ranks)}")
    odds, starred = row
    winner = play(complete_ranks).winner
    if starred:
        return ("win" if winner == "tie" else "lose"), odds
    if winner == "tie":
        return "push", odds
    return ("lose" if winner == hand else "win"), odds
