"""Which clauses of the approved documents a story has exercised, counted from its journal by paragraph.

A clause counts where an entry follows from it: a decision, a void, cards put in order, a bet that goes back. A refusal
that cites one does not. Every remedy of every clause is counted as well, since most paragraphs have several.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from natural9.core.events import Event
from natural9.core.game import Document
from natural9.core.irregularities import Kind
from natural9.core.round import events
from natural9.core.staff import Rank
from natural9.games.loader import game_ids, load_game, paragraphs
from natural9.journal.line import JournalLine

# Paragraphs that lead in others: they count with those.
_LEADS_IN: Final = {"rws-nc 5.1", "rws-nc-insurance 5.1", "mbs 5.1", "mbs 5.9"}
# Paragraphs that no entry cites: what a terminal's bets that were registered, or were not, come to when it is lost;
# that a display only informs; that a higher rank may do it, too.
_PLAYED: Final = {"rws-nc": "rws-nc 5.2.1", "mbs": "mbs 5.10.1"}
_NO_PART: Final = {"rws-nc": "rws-nc 5.2.2", "mbs": "mbs 5.10.2"}
_DISPLAYED: Final = {"rws-nc": "rws-nc 5.10"}
_HIGHER_RANK: Final = {"mbs": "mbs 6.2"}


@cache
def documents() -> dict[str, Document]:
    """The approved documents, by their ids."""
    found = [load_game(game).document for game in game_ids()]
    return {document.id: document for document in found}


@cache
def clauses() -> tuple[str, ...]:
    """Every paragraph about irregularities: the chapters on them, and whatever else their clauses cite. Our readings
    are named with the document that takes them."""
    chapters = [one for one in paragraphs() if one.split()[1][0] in "56"]
    cited = [
        _named(document, paragraph)
        for document in documents().values()
        for clause in document.clauses.values()
        for paragraph in (
            *[remedy.paragraph for remedy in clause.remedies],
            clause.previous_stand,
            clause.may_replace_shoe,
        )
        if paragraph
    ]
    return tuple(dict.fromkeys([*chapters, *cited]))


@cache
def remedies() -> tuple[str, ...]:
    """Every remedy of every clause, as "mbs foreign-card: void"."""
    return tuple(
        [
            f"{document.id} {clause.kind}: {remedy.do}"
            for document in documents().values()
            for clause in document.clauses.values()
            for remedy in clause.remedies
        ]
    )


def _named(document: Document, paragraph: str) -> str:
    return f"{document.id}: {paragraph}" if paragraph.startswith("interpretation") else paragraph


@dataclass(slots=True)
class _Round:
    """What a count must know of the round at a table."""

    document: Document | None = None
    have_bet: set[int] = field(default_factory=set)
    were_lost: set[int] = field(default_factory=set)  # terminals
    settled: bool = False
    counted: set[str] = field(default_factory=set)  # for the order that is carried out: each paragraph once


@dataclass(slots=True)
class Exercised:
    """Hears every line of every table, in the order of its stream."""

    paragraphs: Counter[str] = field(default_factory=Counter)
    remedies: Counter[str] = field(default_factory=Counter)
    _rounds: dict[str, _Round] = field(default_factory=dict)

    def hear(self, table: str, line: JournalLine) -> None:
        event = line.event
        now = self._rounds.setdefault(table, _Round())
        if isinstance(event, events.BettingOpened):
            now = self._rounds[table] = _Round(load_game(event.game).document)
        if now.document is None or not isinstance(event, events.OfRound):
            return
        if line.command is not None:
            now.counted.clear()
        for paragraph in self._followed(now, now.document, event):
            if paragraph not in now.counted:
                now.counted.add(paragraph)
                self._count(now.document, paragraph)

    def missing(self) -> list[str]:
        """Clauses and remedies that have not been exercised yet."""
        return [one for one in clauses() if not self.paragraphs[one]] + [
            one for one in remedies() if not self.remedies[one]
        ]

    def add(self, other: "Exercised") -> None:
        """What another story has exercised."""
        self.paragraphs.update(other.paragraphs)
        self.remedies.update(other.remedies)

    def _count(self, document: Document, paragraph: str) -> None:
        name = _named(document, paragraph)
        if name not in clauses():
            return
        self.paragraphs[name] += 1
        lead, _, _ = name.rpartition(".")
        if lead in _LEADS_IN:
            self.paragraphs[lead] += 1

    def _followed(self, now: _Round, document: Document, event: Event) -> Iterator[str]:
        id_ = document.id
        match event:
            case events.BetPlaced():
                now.have_bet.add(event.seat)
            case events.IrregularityReported(kind=Kind.TERMINAL_INTERRUPTION):
                now.were_lost.update(event.seats)
                if id_ in _NO_PART and set(event.seats) - now.have_bet:
                    yield _NO_PART[id_]
            case events.IrregularityDecided():
                yield event.paragraph
                yield event.previous_stand
                yield from self._decided(document, event)
            case events.RoundVoided():
                yield event.clause
                yield event.paragraph
            case events.RoundSettled():
                now.settled = True
                if id_ in _PLAYED and now.were_lost & now.have_bet:
                    yield _PLAYED[id_]
            case events.EarlierSeatSettled():
                yield _DISPLAYED.get(id_, "")
            case events.CardsCorrected():
                yield event.paragraph
                yield _DISPLAYED.get(id_, "") if now.settled else ""
            case (
                events.ShoeReplaced()
                | events.BetVoided()
                | events.BetRestored()
                | events.BetRuled()
                | events.EarlierCardsCorrected()
                | events.CardsReconstructed()
                | events.CardsPutInOrder()
                | events.CardsDiscarded()
            ):
                yield event.paragraph
            case _:
                pass

    def _decided(self, document: Document, event: events.IrregularityDecided) -> Iterator[str]:
        for kind in (event.kind, Kind.NOT_COVERED):
            clause = document.clauses.get(kind)
            if clause and (event.remedy, event.paragraph) in {(one.do, one.paragraph) for one in clause.remedies}:
                self.remedies[f"{document.id} {kind}: {event.remedy}"] += 1
                if event.by and Rank.parse(event.rank) > clause.rank:
                    yield _HIGHER_RANK.get(document.id, "")
                return
