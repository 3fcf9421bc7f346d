"""Commands: what somebody asks of the round. Imperative, and nothing happens until `decide` agrees."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

from natural9.core.cards import Card
from natural9.core.irregularities import Kind, Remedy
from natural9.core.outcome import Winner
from natural9.core.round.state import Limit
from natural9.core.staff import HOUSE_SYSTEM, Staff
from natural9.core.table_of_play import Hand

C = TypeVar("C")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def command(shape: type[C]) -> type[C]:
    # Frozen to the type checker, as events are: a bet passes through one of each.
    return dataclass(unsafe_hash=True, slots=True, kw_only=True)(shape)


@command
class LoadShoe:
    """A new set of cards, and which optional wagers are on for as long as it lasts; None means all."""

    shoe: int
    decks: int
    optional: frozenset[str] | None = None


@command
class OpenBetting:
    """Begin a round. Without boxes there are as many seats as terminals."""

    round: int
    betting_unit_cents: int
    limits: Mapping[str, Limit] = field(default_factory=dict)
    boxes: int | None = None


@command
class PlaceBet:
    seat: int
    wager: str
    cents: int


@command
class IncreaseBet:
    seat: int
    wager: str
    cents: int


@command
class TakeBackBet:
    """Take back part of a bet; without an amount, all of it."""

    seat: int
    wager: str
    cents: int | None = None


@command
class ClearBets:
    seat: int


@command
class CloseBetting:
    pass


@command
class DealCard:
    """The next card, and the area of the table that it was physically put in."""

    card: Card
    put_at: Hand


@command
class ReportCutCard:
    pass


@command
class OpenInsurance:
    pass


@command
class PlaceInsurance:
    seat: int
    hand: Hand
    cents: int


@command
class CloseInsurance:
    pass


@command
class WaiveInsurance:
    """The house lets a player see or squeeze the Banker's third card first."""

    by: Staff


@command
class DeclareResult:
    winner: Winner
    player_total: int
    banker_total: int


@command
class Settle:
    pass


@command
class ReportIrregularity:
    """What happened. `cards` are those drawn but not registered; `about_round` an earlier round that it concerns."""

    kind: Kind
    by: Staff = HOUSE_SYSTEM
    detail: str = ""
    cards: tuple[Card, ...] = ()
    seats: tuple[int, ...] = ()
    about_round: int | None = None


@command
class DecideIrregularity:
    """The remedy, by the person whose rank the clause names. `cards`: the order, or the cards as they lie."""

    remedy: Remedy
    by: Staff
    why: str = ""
    cards: tuple[Card, ...] = ()
    replace_shoe: bool = False


@command
class VoidRound:
    """Void by authority, for what no clause covers."""

    by: Staff
    why: str


@command
class CorrectCard:
    """Put one registered card right; places count from 1 in dealt order."""

    place: int
    card: Card
    by: Staff
    why: str = ""


@command
class CorrectResult:
    """Put the registered result right, from all the cards as they lie on the table, in dealt order."""

    cards: tuple[Card, ...]
    by: Staff
    why: str = ""


Command = (
    LoadShoe
    | OpenBetting
    | PlaceBet
    | IncreaseBet
    | TakeBackBet
    | ClearBets
    | CloseBetting
    | DealCard
    | ReportCutCard
    | OpenInsurance
    | PlaceInsurance
    | CloseInsurance
    | WaiveInsurance
    | DeclareResult
    | Settle
    | ReportIrregularity
    | DecideIrregularity
    | VoidRound
    | CorrectCard
    | CorrectResult
)
