"""A pay table made to measure: which odds give a wager this house edge, and which whole odds fit between two. Exact."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final

from natural9.core.errors import BadInput
from natural9.core.wagers import Wager
from natural9.odds.composition import Composition
from natural9.odds.distribution import outcome_weights
from natural9.odds.pricing import wager_odds

HIGHEST_ODDS: Final = 1000
MOST_TABLES: Final = 200_000  # looked through before we ask for a narrower search


@dataclass(frozen=True, slots=True)
class NeededOdds:
    """What one row would have to pay to one, all other rows as they are; None if nothing does."""

    row: int
    """Counted from 1."""
    called: str
    pays: str
    chance: Fraction
    exact: Fraction | None
    below: tuple[int, Fraction] | None
    """The nearest whole odds that pay no more, and the house edge with them."""
    above: tuple[int, Fraction] | None


@dataclass(frozen=True, slots=True)
class PayTable:
    """Whole odds to one, a number for each row that wins, and the house edge."""

    odds: tuple[int, ...]
    edge: Fraction


@dataclass(frozen=True, slots=True)
class _PaidRows:
    """The rows that pay, in order: where each stands, and how likely it is."""

    places: tuple[int, ...]
    chances: tuple[Fraction, ...]
    lose: Fraction


def _paid(wager: Wager, shoe: Composition) -> _PaidRows:
    priced = wager_odds(wager, outcome_weights(shoe))
    rows = [(place, one.probability) for place, one in enumerate(priced.rows) if one.row.odds]
    if not rows:
        raise BadInput("nothing-to-design", f"{wager.id} has no row that pays")
    places, chances = zip(*rows, strict=True)
    return _PaidRows(tuple(places), tuple(chances), priced.lose)


def odds_for_edge(wager: Wager, shoe: Composition, edge: Fraction) -> tuple[NeededOdds, ...]:
    """For each row that pays, what it would have to pay.

    >>> from natural9.games import load_game
    >>> tie = load_game("mbs-nc").wager("tie")
    >>> [needed] = odds_for_edge(tie, Composition.of(decks=8), Fraction(5, 100))
    >>> f"{float(needed.exact):.3f} {needed.below[0]} {float(needed.below[1]):.4%} {needed.above[0]}"
    '8.984 8 14.3596% 9'
    """
    paid = _paid(wager, shoe)
    ratios = [_ratio(wager, place) for place in paid.places]
    won = sum((ratio * chance for ratio, chance in zip(ratios, paid.chances, strict=True)), Fraction())
    found = []
    for place, ratio, chance in zip(paid.places, ratios, paid.chances, strict=True):
        row = wager.rows[place]
        others = won - ratio * chance
        exact = (paid.lose - edge - others) / chance if chance else None
        below = above = None
        if exact is not None and exact > 0:
            low, high = floor(exact), ceil(exact)
            below = (low, paid.lose - others - low * chance) if low >= 1 else None
            above = (high, paid.lose - others - high * chance)
        else:
            exact = None
        found.append(NeededOdds(place + 1, row.called, row.pays, chance, exact, below, above))
    return tuple(found)


def _ratio(wager: Wager, place: int) -> Fraction:
    odds = wager.rows[place].odds
    assert odds is not None, "a row that pays"
    return odds.ratio


def tables_between(wager: Wager, shoe: Composition, least: Fraction, most: Fraction) -> list[PayTable]:
    """Every pay table in whole odds whose house edge lies between these, nearest to the middle first.

    A row that is rarer than another pays no less than that one.
    """
    if not least <= most < 1:
        raise BadInput("bad-edges", "write the smaller house edge first, both below 100%, as in --between 4%..8%")
    paid = _paid(wager, shoe)
    order = sorted(range(len(paid.places)), key=lambda place: -paid.chances[place])  # the likeliest pays the least
    found: list[PayTable] = []
    for odds in _ladders([paid.chances[place] for place in order], paid.lose - most, paid.lose - least):
        by_place = dict(zip(order, odds, strict=True))
        listed = tuple(by_place[place] for place in range(len(odds)))
        won = sum((one * chance for one, chance in zip(listed, paid.chances, strict=True)), Fraction())
        found.append(PayTable(listed, paid.lose - won))
        if len(found) > MOST_TABLES:
            raise BadInput("too-many-tables", f"more than {MOST_TABLES:,} pay tables fit: ask for a narrower edge")
    middle = (least + most) / 2
    return sorted(found, key=lambda one: (abs(one.edge - middle), one.odds))


def _ladders(
    chances: Sequence[Fraction], least: Fraction, most: Fraction, lowest: int = 1
) -> Iterator[tuple[int, ...]]:
    """Whole odds, none less than the one before, that win at least and at most so much."""
    first, *rest = chances
    if not first:  # a row that never comes pays what it likes: as little as it may
        if rest or least <= 0 <= most:
            yield from ((lowest, *more) for more in (_ladders(rest, least, most, lowest) if rest else [()]))
        return
    together = sum(chances, Fraction())
    highest = min(HIGHEST_ODDS, floor(most / together))  # all after it pay at least as much
    if not rest:
        yield from ((odds,) for odds in range(max(lowest, ceil(least / first)), highest + 1))
        return
    for odds in range(lowest, highest + 1):
        won = odds * first
        for more in _ladders(rest, least - won, most - won, odds):
            yield (odds, *more)
