"""What happens in a round. `evolve` never has to judge: an event carries all that folding it needs."""

from collections.abc import Mapping

from natural9.core.events import (
    ALL,
    EVERY_SEAT,
    IRREGULAR,
    MONEY,
    NOTHING,
    ORDINARY,
    OVERRIDE,
    QUIET,
    SEAT,
    SIGNIFICANT,
    STAFF,
    Event,
    because,
    event,
    spoken,
)
from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.money import show_cents
from natural9.core.outcome import Winner
from natural9.core.round.state import Limit, Phase
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.table_of_play import Hand


class OfRound(Event):
    """All events of a round; `RoundEvent` names each."""

    __slots__ = ()


@event("shoe-loaded", STAFF, ORDINARY, NOTHING)
class ShoeLoaded(OfRound):
    """A set of cards is at the table, for the next round."""

    shoe: int
    decks: int
    offered: tuple[str, ...]

    def describe(self) -> str:
        return f"Shoe {self.shoe} loaded, {self.decks} decks"


@event("shoe-replaced", ALL, SIGNIFICANT, IRREGULAR | OVERRIDE)
class ShoeReplaced(OfRound):
    """In the middle of a shoe, other cards took the place of those at the table."""

    decks: int
    by: str
    paragraph: str

    def describe(self) -> str:
        return f"Shoe replaced: {self.decks} other decks"


@event("betting-opened", ALL, ORDINARY, EVERY_SEAT, found_by="round")
class BettingOpened(OfRound):
    """A round begins, with all that it is played under."""

    round: int
    game: str
    rules_sha256: str
    offered: tuple[str, ...]
    betting_unit_cents: int
    limits: Mapping[str, Limit]
    boxes: int | None
    paragraph: str

    def describe(self) -> str:
        return f"Round {self.round}: betting opens"


@event("bet-placed", SEAT, QUIET, MONEY, version=2)
class BetPlaced(OfRound):
    """On top of what lies there."""

    seat: int
    wager: str
    cents: int

    def describe(self) -> str:
        return f"Seat {self.seat} bets {show_cents(self.cents)} on {self.wager}"


@event("bet-taken-back", SEAT, QUIET, MONEY)
class BetTakenBack(OfRound):
    """Part of a bet, or all of it, went back."""

    seat: int
    wager: str
    cents: int

    def describe(self) -> str:
        return f"Seat {self.seat} takes back {show_cents(self.cents)} from {self.wager}"


@event("bets-cleared", SEAT, QUIET, MONEY)
class BetsCleared(OfRound):
    """All bets of a seat went back."""

    seat: int
    cents: int

    def describe(self) -> str:
        return f"Seat {self.seat} takes back all bets, {show_cents(self.cents)}"


@event("betting-closed", ALL, ORDINARY, NOTHING)
class BettingClosed(OfRound):
    """No more bets."""

    staked_cents: int
    paragraph: str

    def describe(self) -> str:
        return f"No more bets: {show_cents(self.staked_cents)} at stake"

    def describe_publicly(self) -> str:
        return "No more bets"


@event("card-dealt", ALL, ORDINARY, NOTHING)
class CardDealt(OfRound):
    """A card came: the hand it belongs to, the area it was put in, and where the round stands now."""

    card: str
    hand: Hand
    put_at: Hand
    phase: Phase
    paragraph: str

    def describe(self) -> str:
        astray = f", put in the {self.put_at} area" if self.put_at is not self.hand else ""
        return f"{self.card} to the {self.hand} hand{astray}"


@event("cut-card-appeared", ALL, ORDINARY, NOTHING)
class CutCardAppeared(OfRound):
    """The shoe ends with this round."""

    paragraph: str

    def describe(self) -> str:
        return "The cut card appears: this round is the last of the shoe"


@event("insurance-opened", ALL, ORDINARY, EVERY_SEAT)
class InsuranceOpened(OfRound):
    """An insurance window is open."""

    window: Window
    offers: Mapping[Hand, str]  # the odds on each hand
    paragraph: str

    def describe(self) -> str:
        offers = " and ".join(f"{hand} at {odds}" for hand, odds in self.offers.items())
        return f"Insurance opens {self.window.words}: {offers}"


@event("insurance-placed", SEAT, QUIET, MONEY)
class InsurancePlaced(OfRound):
    """A seat insured a hand."""

    seat: int
    window: Window
    hand: Hand
    cents: int
    odds: str
    paragraph: str

    def describe(self) -> str:
        return f"Seat {self.seat} insures {self.hand} with {show_cents(self.cents)} at {self.odds}"


@event("insurance-closed", ALL, ORDINARY, EVERY_SEAT)
class InsuranceClosed(OfRound):
    """The insurance window is closed."""

    window: Window
    phase: Phase

    def describe(self) -> str:
        return f"Insurance {self.window.words} closes"


@event("insurance-waived", ALL, ORDINARY, NOTHING)
class InsuranceWaived(OfRound):
    """The second window is given up, for a squeeze."""

    by: str
    paragraph: str

    def describe(self) -> str:
        return "The second insurance window is waived for a squeeze"


@event("insurance-returned", SEAT, ORDINARY, MONEY | IRREGULAR)
class InsuranceReturned(OfRound):
    """Insurance on a situation that did not exist went back."""

    seat: int
    window: Window
    hand: Hand
    cents: int
    paragraph: str

    def describe(self) -> str:
        return f"Seat {self.seat} gets back {show_cents(self.cents)} of insurance on {self.hand}"


@event("result-declared", ALL, ORDINARY, NOTHING)
class ResultDeclared(OfRound):
    """The result as the cards show it."""

    winner: Winner
    player_total: int
    banker_total: int
    won: tuple[str, ...]  # the wagers on offer that it pays
    paragraph: str

    def describe(self) -> str:
        return f"Result: {self.winner}, Player {self.player_total}, Banker {self.banker_total}"


@event("seat-settled", SEAT, ORDINARY, MONEY)
class SeatSettled(OfRound):
    """What each bet of a seat came to."""

    seat: int
    lines: tuple[Line, ...]
    insurance: tuple[InsuranceLine, ...]
    staked_cents: int
    returned_cents: int

    def describe(self) -> str:
        staked, returned = show_cents(self.staked_cents), show_cents(self.returned_cents)
        return f"Seat {self.seat} staked {staked} and gets back {returned}"


@event("round-settled", ALL, ORDINARY, NOTHING)
class RoundSettled(OfRound):
    """`staked_cents` is `stakes_returned_cents` + `collected_cents`; the house pays `winnings_cents` on top."""

    staked_cents: int
    stakes_returned_cents: int
    collected_cents: int
    winnings_cents: int
    paragraph: str

    def describe(self) -> str:
        collected, winnings = show_cents(self.collected_cents), show_cents(self.winnings_cents)
        return f"Round settled: {show_cents(self.staked_cents)} staked, {collected} collected, {winnings} paid"

    def describe_publicly(self) -> str:
        return "Round settled"


@event("settlement-reversed", SEAT, ORDINARY, MONEY | IRREGULAR)
class SettlementReversed(OfRound):
    """A seat's settlement was taken back."""

    seat: int
    cents: int  # what the reversed settlement had returned, now owed back
    paragraph: str

    def describe(self) -> str:
        return f"Seat {self.seat}: settlement of {show_cents(self.cents)} reversed"


@event("irregularity-reported", STAFF, SIGNIFICANT, IRREGULAR | EVERY_SEAT)
class IrregularityReported(OfRound):
    """Something went wrong: what the clause allows, and who decides."""

    kind: Kind
    remedies: tuple[tuple[Remedy, str], ...]
    rank: str
    by: str
    detail: str
    cards: tuple[str, ...]
    seats: tuple[int, ...]
    about_round: int | None
    may_replace_shoe: str

    def describe(self) -> str:
        cards = f" ({' '.join(self.cards)})" if self.cards else ""
        what = f"{self.kind.words}{cards}{because(self.detail)}"
        return f"Irregularity reported: {what}; a {spoken(self.rank)} or above decides"


@event("irregularity-decided", STAFF, SIGNIFICANT, IRREGULAR | OVERRIDE | EVERY_SEAT)
class IrregularityDecided(OfRound):
    """What was decided, by whom, in which rank, by which paragraph."""

    kind: Kind
    remedy: Remedy
    by: str
    rank: str
    why: str
    paragraph: str
    previous_stand: str

    def describe(self) -> str:
        what = f"{self.remedy.words}{because(self.why)}"
        return f"Irregularity ({self.kind.words}) decided by a {spoken(self.rank)}: {what}"


@event("cards-reconstructed", ALL, ORDINARY, IRREGULAR)
class CardsReconstructed(OfRound):
    """Cards already registered now lie in the areas where they belong."""

    put_at: tuple[Hand, ...]
    paragraph: str

    def describe(self) -> str:
        return "Cards reconstructed: each lies in the area where it belongs"


@event("cards-put-in-order", ALL, ORDINARY, IRREGULAR)
class CardsPutInOrder(OfRound):
    """Cards drawn too soon wait, in this order, to be played before any other."""

    cards: tuple[str, ...]
    paragraph: str

    def describe(self) -> str:
        return f"{' '.join(self.cards)} come next, in this order"


@event("cards-corrected", ALL, SIGNIFICANT, IRREGULAR | OVERRIDE | EVERY_SEAT)
class CardsCorrected(OfRound):
    """The registered cards are now those on the table."""

    cards: tuple[str, ...]
    put_at: tuple[Hand, ...]
    held: tuple[str, ...]
    phase: Phase
    by: str
    why: str
    paragraph: str

    def describe(self) -> str:
        held = f", next {' '.join(self.held)}" if self.held else ""
        return f"Cards corrected: {' '.join(self.cards)}{held}{because(self.why)}"

    def describe_publicly(self) -> str:
        return f"Cards corrected: {' '.join(self.cards)}"


@event("bets-returned", SEAT, ORDINARY, MONEY)
class BetsReturned(OfRound):
    """All bets of a seat went back, because the round is void."""

    seat: int
    cents: int

    def describe(self) -> str:
        return f"Seat {self.seat} gets {show_cents(self.cents)} back"


@event("round-voided", ALL, SIGNIFICANT, IRREGULAR | OVERRIDE)
class RoundVoided(OfRound):
    """The round is void."""

    returned_cents: int
    by: str
    why: str  # in the words of whoever voided it
    clause: str  # the paragraph that voids
    paragraph: str  # the paragraph that returns the bets
    kind: Kind | None = None  # the irregularity that it was voided for; None outside any clause

    def describe(self) -> str:
        return f"Round void: {show_cents(self.returned_cents)} returned{because(self.reason)}"

    def describe_publicly(self) -> str:
        return f"Round void{because(self.reason)}"

    @property
    def reason(self) -> str:
        """The irregularity, if a clause voided the round, and what was said about it."""
        kind = self.kind.words if self.kind else ""
        return ". ".join([part for part in (kind, self.why) if part])


RoundEvent = (
    ShoeLoaded
    | ShoeReplaced
    | BettingOpened
    | BetPlaced
    | BetTakenBack
    | BetsCleared
    | BettingClosed
    | CardDealt
    | CutCardAppeared
    | InsuranceOpened
    | InsurancePlaced
    | InsuranceClosed
    | InsuranceWaived
    | InsuranceReturned
    | ResultDeclared
    | SeatSettled
    | RoundSettled
    | SettlementReversed
    | IrregularityReported
    | IrregularityDecided
    | CardsReconstructed
    | CardsPutInOrder
    | CardsCorrected
    | BetsReturned
    | RoundVoided
)
