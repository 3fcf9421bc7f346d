"""A game is a value: its wagers, decks, layouts and insurance, and the document that it was approved in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from natural9.core.errors import BadInput, did_you_mean
from natural9.core.insurance import Insurance
from natural9.core.irregularities import Clause, Kind
from natural9.core.money import Odds, show_cents
from natural9.core.wagers import Wager


@dataclass(frozen=True)
class DeckRange:
    """How many decks a game may be played with, and the paragraph that says so."""

    min: int
    max: int
    paragraph: str


@dataclass(frozen=True)
class Layout:
    """A table layout. An electronic one has as many seats as there are terminals, so no number of boxes."""

    id: str
    title: str
    boxes: int | None
    paragraph: str


@dataclass(frozen=True)
class Procedure:
    """The paragraphs by which the ordinary steps of a round are taken."""

    opens: str
    closes: str
    late_bet: str
    withdrawn_bet: str
    choice_of_wagers: str
    limits: str
    initial_deal: str
    table_of_play: str
    winner: str
    cut_card: str
    settlement: str
    void: str


@dataclass(frozen=True)
class Interpretation:
    """A reading of ours where the text leaves one open; the shift manager's authority stands above it."""

    id: str
    paragraphs: tuple[str, ...]
    reading: str
    rejected: str
    why: str


@dataclass(frozen=True)
class Document:
    """An approved rulebook."""

    id: str
    title: str
    operator: str
    effective: str
    decks: DeckRange
    procedure: Procedure
    clauses: Mapping[Kind, Clause]

    def clause(self, kind: Kind, *, cards_dealt: int) -> Clause:
        """The clause that governs; what no clause governs is decided as not covered (rws-nc 5.12, mbs 6.1)."""
        clause = self.clauses.get(kind)
        if clause is None or (clause.after_first_card and not cards_dealt):
            return self.clauses[Kind.NOT_COVERED]
        return clause


@dataclass(frozen=True)
class Game:
    """One approved game: everything that settling, pricing or showing it needs."""

    id: str
    title: str
    document: Document
    decks: DeckRange
    betting_unit_cents: int
    wagers: tuple[Wager, ...]
    insurance: Insurance | None
    layouts: tuple[Layout, ...]
    interpretations: tuple[Interpretation, ...] = field(repr=False)
    sha256: str = ""

    @cached_property
    def wagers_by_id(self) -> dict[str, Wager]:
        return {wager.id: wager for wager in self.wagers}

    def wager(self, wager_id: str) -> Wager:
        """The wager of this id, or a clear error with those on offer."""
        wager = self.wagers_by_id.get(wager_id)
        if wager is None:
            if wager_id.endswith("-insurance"):
                hint = "; take insurance in its window, not as a bet"
            else:
                hint = did_you_mean(wager_id, self.wagers_by_id)
            offered = ", ".join(self.wagers_by_id)
            raise BadInput("wager-not-offered", f"{self.id} does not offer {wager_id!r}: it offers {offered}{hint}")
        return wager

    def odds(self) -> tuple[tuple[str, Odds], ...]:
        """Every odds that a table of this game may have to pay, with the wager that it belongs to."""
        rows = [(wager.id, row.odds) for wager in self.wagers for row in wager.rows if row.odds]
        rows += [(row.wager, row.odds) for row in (self.insurance.rows if self.insurance else ())]
        return tuple(rows)

    def check_decks(self, decks: int) -> None:
        """Refuse a number of decks that the game is not approved for."""
        if not self.decks.min <= decks <= self.decks.max:
            raise BadInput(
                "bad-decks",
                f"{self.id} is played with {self.decks.min} to {self.decks.max} decks, not {decks}",
                self.decks.paragraph,
            )

    def check_betting_unit(self, unit_cents: int) -> None:
        """Refuse a unit under which some odds would pay a fraction of a cent."""
        if unit_cents <= 0:
            raise BadInput("bad-unit", f"a betting unit must be more than nothing, not {show_cents(unit_cents)}")
        for wager, odds in self.odds():
            if unit_cents * odds.numerator % odds.denominator:
                raise BadInput(
                    "bad-unit",
                    f"a betting unit of {show_cents(unit_cents)} would pay a fraction of a cent on {wager} at {odds}: "
                    f"use a multiple of {show_cents(odds.denominator)}",
                    "interpretation nothing-rounds",
                )
