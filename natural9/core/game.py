"""A game is a value: its wagers, decks, layouts and insurance, and the document that it was approved in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from natural9.core.cards import Rank
from natural9.core.errors import BadInput, nearest
from natural9.core.insurance import Insurance
from natural9.core.irregularities import Clause, Kind
from natural9.core.money import Odds, show_cents
from natural9.core.outcome import Outcome, Winner
from natural9.core.saying import Said, name_of, say
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
    ruling: str


@dataclass(frozen=True)
class Notice:
    """A sentence that stands on the layouts, and the paragraph that has the terminals show them."""

    says: str
    paragraph: str


@dataclass(frozen=True)
class Interpretation:
    """A reading of ours where the text leaves one open; the shift manager's authority stands above it."""

    id: str
    title: str
    paragraphs: tuple[str, ...]  # of the game's own document
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
    notice: Notice | None = None  # what its layouts say to the player
    dealer_announces: str = ""  # the paragraph, where a dealer opens and closes the betting by word of mouth

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
    # Betting units and limits that were found sound, and what each outcome pays of what is on offer (round/): a table
    # opens thousands of rounds under the same terms.
    sound_terms: set[object] = field(default_factory=set, init=False, repr=False, compare=False)
    won_by: dict[tuple[tuple[str, ...], Outcome], tuple[str, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    # Where a card goes, and where the round stands then, by the ranks with it and whether insurance is waived.
    dealt: dict[tuple[tuple[Rank, ...], bool], tuple[object, ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    # By the cards so far, filled as they come (exposure.py).
    pay_rows: dict[tuple[Rank, ...], Mapping[Winner, tuple[tuple[int, ...], ...]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @cached_property
    def wagers_by_id(self) -> dict[str, Wager]:
        return {wager.id: wager for wager in self.wagers}

    def wager(self, wager_id: str) -> Wager:
        """The wager of this id, or a clear error with those on offer."""
        wager = self.wagers_by_id.get(wager_id)
        if wager is None:
            raise BadInput("wager-not-offered", self._not_offered(wager_id))
        return wager

    def _not_offered(self, wager: str) -> Said:
        """By their ids: whoever typed a wager types another."""
        offered = tuple(self.wagers_by_id)
        what = say(
            "{game} does not offer {wager}: it offers {offered}", game=self.id, wager=repr(wager), offered=offered
        )
        if wager.endswith("-insurance"):
            return say("{what}; take insurance in its window, not as a bet", what=what)
        near = nearest(wager, offered)
        return say("{what}; did you mean {near}?", what=what, near=near) if near else what

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
                say(
                    "{game} is played with {least} to {most} decks, not {decks}",
                    game=self.id,
                    least=self.decks.min,
                    most=self.decks.max,
                    decks=decks,
                ),
                self.decks.paragraph,
            )

    def check_betting_unit(self, unit_cents: int) -> None:
        """Refuse a unit under which some odds would pay a fraction of a cent."""
        if unit_cents in self.sound_terms:
            return
        if unit_cents <= 0:
            shown = show_cents(unit_cents)
            raise BadInput("bad-unit", say("a betting unit must be more than nothing, not {unit}", unit=shown))
        for wager, odds in self.odds():
            if unit_cents * odds.numerator % odds.denominator:
                raise BadInput(
                    "bad-unit",
                    say(
                        "a betting unit of {unit} would pay a fraction of a cent on {wager} at {odds}: "
                        "use a multiple of {multiple}",
                        unit=show_cents(unit_cents),
                        wager=name_of(wager),
                        odds=odds.text,
                        multiple=show_cents(odds.denominator),
                    ),
                    "interpretation nothing-rounds",
                )
        self.sound_terms.add(unit_cents)
