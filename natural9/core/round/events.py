"""Events: what has happened. Past tense, made only of plain values, and complete: `evolve` never has to judge.

Every event has a permanent tag and a version; a changed shape gets a new version, and the old one loads for ever.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeVar, dataclass_transform

from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round.state import Limit, Phase
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.table_of_play import Hand

EVENTS: dict[tuple[str, int], type["Event"]] = {}


class Event:
    """Something that happened. Cards are written as ``9H``, money in cents, people by their own id."""

    __slots__ = ()
    TAG: ClassVar[str]
    VERSION: ClassVar[int]


E = TypeVar("E", bound=Event)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def event(tag: str, version: int = 1) -> Callable[[type[E]], type[E]]:
    def register(shape: type[E]) -> type[E]:
        # Frozen to the type checker; freezing at run time as well would make each four times as dear to make.
        made: type[E] = dataclass(unsafe_hash=True, slots=True, kw_only=True)(shape)
        made.TAG, made.VERSION = tag, version
        assert (tag, version) not in EVENTS, f"event tag {tag} v{version} is taken"
        EVENTS[tag, version] = made
        return made

    return register


@event("shoe-loaded")
class ShoeLoaded(Event):
    shoe: int
    decks: int
    offered: tuple[str, ...]


@event("shoe-replaced")
class ShoeReplaced(Event):
    decks: int
    by: str
    paragraph: str


@event("betting-opened")
class BettingOpened(Event):
    round: int
    game: str
    rules_sha256: str
    betting_unit_cents: int
    limits: Mapping[str, Limit]
    boxes: int | None
    paragraph: str


@event("bet-placed")
class BetPlaced(Event):
    seat: int
    wager: str
    cents: int


@event("bet-increased")
class BetIncreased(Event):
    seat: int
    wager: str
    cents: int


@event("bet-taken-back")
class BetTakenBack(Event):
    seat: int
    wager: str
    cents: int


@event("bets-cleared")
class BetsCleared(Event):
    seat: int
    cents: int


@event("betting-closed")
class BettingClosed(Event):
    staked_cents: int
    paragraph: str


@event("card-dealt")
class CardDealt(Event):
    card: str
    hand: Hand
    put_at: Hand
    phase: Phase
    paragraph: str


@event("cut-card-appeared")
class CutCardAppeared(Event):
    paragraph: str


@event("insurance-opened")
class InsuranceOpened(Event):
    window: Window
    offers: Mapping[Hand, str]  # the odds on each hand
    paragraph: str


@event("insurance-placed")
class InsurancePlaced(Event):
    seat: int
    window: Window
    hand: Hand
    cents: int
    odds: str
    paragraph: str


@event("insurance-closed")
class InsuranceClosed(Event):
    window: Window
    phase: Phase


@event("insurance-waived")
class InsuranceWaived(Event):
    by: str
    paragraph: str


@event("insurance-returned")
class InsuranceReturned(Event):
    seat: int
    window: Window
    hand: Hand
    cents: int
    paragraph: str


@event("result-declared")
class ResultDeclared(Event):
    winner: Winner
    player_total: int
    banker_total: int
    paragraph: str


@event("seat-settled")
class SeatSettled(Event):
    seat: int
    lines: tuple[Line, ...]
    insurance: tuple[InsuranceLine, ...]
    staked_cents: int
    returned_cents: int


@event("round-settled")
class RoundSettled(Event):
    """`staked` is `stakes_returned` + `collected`; the house pays `winnings` on top."""

    staked_cents: int
    stakes_returned_cents: int
    collected_cents: int
    winnings_cents: int
    paragraph: str


@event("settlement-reversed")
class SettlementReversed(Event):
    seat: int
    cents: int  # what the reversed settlement had returned, now owed back
    paragraph: str


@event("irregularity-reported")
class IrregularityReported(Event):
    kind: Kind
    remedies: tuple[tuple[Remedy, str], ...]
    rank: str
    by: str
    detail: str
    cards: tuple[str, ...]
    seats: tuple[int, ...]
    about_round: int | None
    may_replace_shoe: str


@event("irregularity-decided")
class IrregularityDecided(Event):
    kind: Kind
    remedy: Remedy
    by: str
    rank: str
    why: str
    paragraph: str
    previous_stand: str


@event("cards-reconstructed")
class CardsReconstructed(Event):
    """Cards already registered now lie in the areas where they belong."""

    put_at: tuple[Hand, ...]
    paragraph: str


@event("cards-put-in-order")
class CardsPutInOrder(Event):
    """Cards drawn too soon wait, in this order, to be played before any other."""

    cards: tuple[str, ...]
    paragraph: str


@event("cards-corrected")
class CardsCorrected(Event):
    cards: tuple[str, ...]
    put_at: tuple[Hand, ...]
    held: tuple[str, ...]
    phase: Phase
    by: str
    why: str
    paragraph: str


@event("bets-returned")
class BetsReturned(Event):
    seat: int
    cents: int


@event("round-voided")
class RoundVoided(Event):
    returned_cents: int
    by: str
    why: str  # in the words of whoever voided it
    clause: str  # the paragraph that voids
    paragraph: str  # the paragraph that returns the bets
    kind: Kind | None = None  # the irregularity that it was voided for; None outside any clause
