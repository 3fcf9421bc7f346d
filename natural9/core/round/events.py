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
    event,
)
from natural9.core.insurance import Window
from natural9.core.irregularities import Kind, Remedy
from natural9.core.money import show_cents
from natural9.core.outcome import Winner
from natural9.core.round.state import Limit, Phase
from natural9.core.saying import Said, because, name_of, say
from natural9.core.settlement import InsuranceLine, Line
from natural9.core.table_of_play import Hand


class OfRound(Event):
    """All events of a round; `RoundEvent` names each."""

    __slots__ = ()


@event("shoe-loaded", STAFF, ORDINARY, NOTHING)
class ShoeLoaded(OfRound):
    """A set of cards is at the table, for the next round."""

    shoe: int
    rules_sha256: str  # under which it was loaded
    decks: int
    offered: tuple[str, ...]
    burns: bool = False
    counts_burnt: bool = False

    def describe(self) -> Said:
        return say("Shoe {shoe} loaded, {decks} decks", shoe=self.shoe, decks=self.decks)


@event("cards-burnt", ALL, ORDINARY, NOTHING)
class CardsBurnt(OfRound):
    """The first card of a new shoe was shown and burnt, with as many face down as it has points. A second one before
    the first round corrects the first, and says why."""

    shoe: int
    card: str
    face_down: int
    to_come: int  # of those face down, where a device reads them one by one
    why: str
    paragraph: str

    def describe(self) -> Said:
        if self.why:
            return say("{burnt}, corrected: {why}", burnt=self.describe_publicly(), why=self.why)
        return self.describe_publicly()

    def describe_publicly(self) -> Said:
        return say("Burnt: {card} and {count} face down", card=self.card, count=self.face_down)


@event("face-down-burnt", ALL, ORDINARY, NOTHING)
class FaceDownBurnt(OfRound):
    """So many of the cards that are burnt face down are out, and so many are still to come."""

    shoe: int
    cards: int
    left: int

    def describe(self) -> Said:
        if self.left:
            return say("{count} burnt face down, {left} to come", count=self.cards, left=self.left)
        return say("All burnt cards of shoe {shoe} are out", shoe=self.shoe)


@event("shoe-replaced", ALL, SIGNIFICANT, IRREGULAR | OVERRIDE)
class ShoeReplaced(OfRound):
    """In the middle of a shoe, other cards took the place of those at the table."""

    shoe: int
    decks: int
    by: str
    paragraph: str

    def describe(self) -> Said:
        return say("Shoe replaced: {decks} other decks", decks=self.decks)


@event("betting-opened", ALL, ORDINARY, EVERY_SEAT, found_by="round")
class BettingOpened(OfRound):
    """A round begins, with all that it is played under."""

    round: int
    shoe: int
    game: str
    rules_sha256: str
    held: tuple[str, ...]  # cards that were drawn before, and come first
    from_old_set: int  # how many of them came from another set of cards
    offered: tuple[str, ...]
    betting_unit_cents: int
    limits: Mapping[str, Limit]
    boxes: int | None
    paragraph: str
    dealer: str = ""  # who was signed on

    def describe(self) -> Said:
        return say("Round {round}: betting opens", round=self.round)


@event("bet-placed", SEAT, QUIET, MONEY, version=2)
class BetPlaced(OfRound):
    """On top of what lies there."""

    seat: int
    wager: str
    cents: int

    def describe(self) -> Said:
        amount, wager = show_cents(self.cents), name_of(self.wager)
        return say("Seat {seat} bets {amount} on {wager}", seat=self.seat, amount=amount, wager=wager)


@event("bet-taken-back", SEAT, QUIET, MONEY)
class BetTakenBack(OfRound):
    """Part of a bet, or all of it, went back."""

    seat: int
    wager: str
    cents: int

    def describe(self) -> Said:
        amount, wager = show_cents(self.cents), name_of(self.wager)
        return say("Seat {seat} takes back {amount} from {wager}", seat=self.seat, amount=amount, wager=wager)


@event("bets-cleared", SEAT, QUIET, MONEY)
class BetsCleared(OfRound):
    """All bets of a seat went back."""

    seat: int
    cents: int

    def describe(self) -> Said:
        return say("Seat {seat} takes back all bets, {amount}", seat=self.seat, amount=show_cents(self.cents))


@event("betting-closed", ALL, ORDINARY, NOTHING)
class BettingClosed(OfRound):
    """No more bets."""

    staked_cents: int
    paragraph: str

    def describe(self) -> Said:
        return say("No more bets: {amount} at stake", amount=show_cents(self.staked_cents))

    def describe_publicly(self) -> Said:
        return say("No more bets")


@event("card-dealt", ALL, ORDINARY, NOTHING)
class CardDealt(OfRound):
    """A card came: the hand it belongs to, the area it was put in, and where the round stands now."""

    card: str
    hand: Hand
    put_at: Hand
    phase: Phase
    paragraph: str

    def describe(self) -> Said:
        if self.put_at is self.hand:
            return say("{card} to the {hand} hand", card=self.card, hand=self.hand.words)
        return say(
            "{card} to the {hand} hand, put in the {area} area",
            card=self.card,
            hand=self.hand.words,
            area=self.put_at.words,
        )


@event("cut-card-appeared", ALL, ORDINARY, NOTHING)
class CutCardAppeared(OfRound):
    """The shoe ends with this round."""

    paragraph: str

    def describe(self) -> Said:
        return say("The cut card appears: this round is the last of the shoe")


@event("insurance-opened", ALL, ORDINARY, EVERY_SEAT)
class InsuranceOpened(OfRound):
    """An insurance window is open."""

    window: Window
    offers: Mapping[Hand, str]  # the odds on each hand
    paragraph: str

    def describe(self) -> Said:
        offers = tuple(say("{hand} at {odds}", hand=hand.words, odds=odds) for hand, odds in self.offers.items())
        return say("Insurance opens {when}: {offers}", when=self.window.words, offers=offers)


@event("insurance-placed", SEAT, QUIET, MONEY)
class InsurancePlaced(OfRound):
    """A seat insured a hand."""

    seat: int
    window: Window
    hand: Hand
    cents: int
    odds: str
    paragraph: str

    def describe(self) -> Said:
        return say(
            "Seat {seat} insures {hand} with {amount} at {odds}",
            seat=self.seat,
            hand=self.hand.words,
            amount=show_cents(self.cents),
            odds=self.odds,
        )


@event("insurance-closed", ALL, ORDINARY, EVERY_SEAT)
class InsuranceClosed(OfRound):
    """The insurance window is closed."""

    window: Window
    phase: Phase

    def describe(self) -> Said:
        return say("Insurance {when} closes", when=self.window.words)


@event("insurance-skipped", ALL, ORDINARY, EVERY_SEAT)
class InsuranceSkipped(OfRound):
    """The next card lies exposed already: there is nothing left to insure against."""

    window: Window
    phase: Phase
    paragraph: str

    def describe(self) -> Said:
        return say("No insurance {window}: the next card is known", window=self.window.words)


@event("insurance-waived", ALL, SIGNIFICANT, OVERRIDE | EVERY_SEAT)
class InsuranceWaived(OfRound):
    """The second window is given up, for a squeeze that the player of this seat asked for."""

    seat: int
    by: str
    phase: Phase
    paragraph: str

    def describe(self) -> Said:
        return say("The second insurance window is waived: seat {seat} asks for a squeeze", seat=self.seat)

    def describe_publicly(self) -> Said:
        return say("The second insurance window is waived for a squeeze")


@event("waiver-taken-back", ALL, SIGNIFICANT, OVERRIDE | EVERY_SEAT)
class WaiverTakenBack(OfRound):
    """The squeeze is off: the second window comes after all."""

    by: str
    why: str
    phase: Phase
    paragraph: str

    def describe(self) -> Said:
        return say("The waiver of the second insurance window is taken back: {why}", why=self.why)

    def describe_publicly(self) -> Said:
        return say("The second insurance window is not waived after all")


@event("insurance-returned", SEAT, ORDINARY, MONEY | IRREGULAR)
class InsuranceReturned(OfRound):
    """Insurance on a situation that did not exist went back."""

    seat: int
    window: Window
    hand: Hand
    cents: int
    paragraph: str

    def describe(self) -> Said:
        return say(
            "Seat {seat} gets back {amount} of insurance on {hand}",
            seat=self.seat,
            amount=show_cents(self.cents),
            hand=self.hand.words,
        )


@event("result-declared", ALL, ORDINARY, NOTHING)
class ResultDeclared(OfRound):
    """The result as the cards show it."""

    winner: Winner
    player_total: int
    banker_total: int
    won: tuple[str, ...]  # the wagers on offer that it pays
    paragraph: str

    def describe(self) -> Said:
        return say(
            "Result: {winner}, Player {player}, Banker {banker}",
            winner=self.winner.words,
            player=self.player_total,
            banker=self.banker_total,
        )


@event("seat-settled", SEAT, ORDINARY, MONEY)
class SeatSettled(OfRound):
    """What each bet of a seat came to."""

    seat: int
    lines: tuple[Line, ...]
    insurance: tuple[InsuranceLine, ...]
    staked_cents: int
    returned_cents: int

    def describe(self) -> Said:
        staked, returned = show_cents(self.staked_cents), show_cents(self.returned_cents)
        return say(
            "Seat {seat} staked {staked} and gets back {returned}", seat=self.seat, staked=staked, returned=returned
        )


@event("round-settled", ALL, ORDINARY, NOTHING)
class RoundSettled(OfRound):
    """`staked_cents` is `stakes_returned_cents` + `collected_cents`; the house pays `winnings_cents` on top."""

    staked_cents: int
    stakes_returned_cents: int
    collected_cents: int
    winnings_cents: int
    paragraph: str

    def describe(self) -> Said:
        return say(
            "Round settled: {staked} staked, {collected} collected, {paid} paid",
            staked=show_cents(self.staked_cents),
            collected=show_cents(self.collected_cents),
            paid=show_cents(self.winnings_cents),
        )

    def describe_publicly(self) -> Said:
        return say("Round settled")


@event("settlement-reversed", SEAT, ORDINARY, MONEY | IRREGULAR)
class SettlementReversed(OfRound):
    """A seat's settlement was taken back."""

    seat: int
    cents: int  # what the reversed settlement had returned, now owed back
    paragraph: str

    def describe(self) -> Said:
        return say("Seat {seat}: settlement of {amount} reversed", seat=self.seat, amount=show_cents(self.cents))


@event("bet-voided", SEAT, ORDINARY, MONEY | IRREGULAR | OVERRIDE)
class BetVoided(OfRound):
    """A bet, or the part of it that came late, went back before the round was settled."""

    seat: int
    wager: str
    cents: int
    why: str
    paragraph: str

    def describe(self) -> Said:
        return say(
            "Seat {seat}: {cents} on {wager} is void and goes back: {why}",
            seat=self.seat,
            cents=show_cents(self.cents),
            wager=name_of(self.wager),
            why=self.why,
        )


@event("bet-restored", SEAT, ORDINARY, MONEY | IRREGULAR | OVERRIDE)
class BetRestored(OfRound):
    """A bet that was taken away after the call lies again; what the credit lacks is owed."""

    seat: int
    wager: str
    cents: int
    why: str
    paragraph: str

    def describe(self) -> Said:
        return say(
            "Seat {seat}: {cents} on {wager} stands and is put back: {why}",
            seat=self.seat,
            cents=show_cents(self.cents),
            wager=name_of(self.wager),
            why=self.why,
        )


@event("bet-ruled", SEAT, SIGNIFICANT, MONEY | IRREGULAR | OVERRIDE)
class BetRuled(OfRound):
    """The manager's ruling on a settled bet: it returns this much in all, whatever the pay table says."""

    round: int
    seat: int
    wager: str
    stake_cents: int
    was_cents: int  # what it had returned
    returned_cents: int
    by: str
    why: str
    paragraph: str

    def describe(self) -> Said:
        return say(
            "Ruling on round {round}, seat {seat}, {wager}: {returned} instead of {was}: {why}",
            round=self.round,
            seat=self.seat,
            wager=name_of(self.wager),
            returned=show_cents(self.returned_cents),
            was=show_cents(self.was_cents),
            why=self.why,
        )


@event("round-taken-up", STAFF, ORDINARY, IRREGULAR, found_by="about_round")
class RoundTakenUp(OfRound):
    """What follows is about an earlier round; this is found by its number."""

    about_round: int

    def describe(self) -> Said:
        return say("Round {round} is taken up again", round=self.about_round)


@event("earlier-cards-corrected", ALL, SIGNIFICANT, IRREGULAR | OVERRIDE)
class EarlierCardsCorrected(OfRound):
    """The cards of an earlier round are now those that lay on the table."""

    round: int
    shoe: int
    was: tuple[str, ...]
    cards: tuple[str, ...]
    from_old_set: int  # how many of the first of them came from a set of cards since replaced
    won: tuple[str, ...]  # the wagers that the cards pay; of a void round, none
    by: str
    why: str
    paragraph: str

    def describe(self) -> Said:
        return say(
            "Cards of round {round} corrected: {cards} instead of {was}: {why}",
            round=self.round,
            cards=" ".join(self.cards),
            was=" ".join(self.was),
            why=self.why,
        )

    def describe_publicly(self) -> Said:
        return say("Cards of round {round} corrected: {cards}", round=self.round, cards=" ".join(self.cards))


@event("earlier-seat-settled", SEAT, ORDINARY, MONEY | IRREGULAR)
class EarlierSeatSettled(OfRound):
    """A seat's settlement of an earlier round was taken back and made again."""

    round: int
    seat: int
    staked_cents: int  # insurance that goes back included
    was_cents: int  # what the settlement had returned, now taken back
    lines: tuple[Line, ...]
    insurance: tuple[InsuranceLine, ...]
    insurance_back_cents: int  # on situations that did not exist
    ruled_cents: int  # what the manager's rulings add, or take
    returned_cents: int  # in all

    def describe(self) -> Said:
        return say(
            "Seat {seat}, round {round}: gets back {returned} instead of {was}",
            seat=self.seat,
            round=self.round,
            returned=show_cents(self.returned_cents),
            was=show_cents(self.was_cents),
        )


@event("round-interrupted", ALL, SIGNIFICANT, IRREGULAR | EVERY_SEAT)
class RoundInterrupted(OfRound):
    """The table was cut off in the middle of a round, and is back. One that was brief, with nothing missing and no real
    cards to look at, goes on where it stood."""

    away_ms: int
    brief: bool
    real_cards: bool

    @property
    def goes_on(self) -> bool:
        """Whether the round simply goes on."""
        return self.brief and not self.real_cards

    def describe(self) -> Said:
        seconds = f"{self.away_ms / 1000:.1f}"
        if self.goes_on:
            return say("The table was away for {seconds} s and goes on where it stood", seconds=seconds)
        return say("The table was cut off for {seconds} s", seconds=seconds)


@event("irregularity-reported", STAFF, SIGNIFICANT, IRREGULAR | EVERY_SEAT)
class IrregularityReported(OfRound):
    """Something went wrong: what the clause allows as things stand, and who decides."""

    report: int
    kind: Kind
    remedies: tuple[tuple[Remedy, str], ...]
    rank: str
    by: str
    by_rank: str
    detail: Said  # what was seen, in the words of whoever reported it or of the program
    cards: tuple[str, ...]
    seats: tuple[int, ...]
    about_round: int | None
    bet_seat: int | None
    wager: str
    cents: int | None
    confirm: bool
    brief: bool

    def describe(self) -> Said:
        what = self.kind.words
        if self.cards:
            what = say("{what} ({cards})", what=what, cards=" ".join(self.cards))
        if self.bet_seat is not None:
            what = say("{what}, seat {seat}, {wager}", what=what, seat=self.bet_seat, wager=name_of(self.wager))
        if self.about_round is not None:
            what = say("{what}, round {round}", what=what, round=self.about_round)
        return say(
            "Irregularity reported: {what}; a {rank} or above decides",
            what=because(what, self.detail),
            rank=name_of(self.rank),
        )


@event("report-withdrawn", STAFF, SIGNIFICANT, IRREGULAR | OVERRIDE | EVERY_SEAT)
class ReportWithdrawn(OfRound):
    """It was a mistake: the table is as before."""

    report: int
    kind: Kind
    by: str
    rank: str
    why: str
    paragraph: str

    def describe(self) -> Said:
        return say("Report withdrawn ({kind}): {why}", kind=self.kind.words, why=self.why)


@event("irregularity-decided", STAFF, SIGNIFICANT, IRREGULAR | OVERRIDE | EVERY_SEAT)
class IrregularityDecided(OfRound):
    """What was decided, by whom, in which rank, by which paragraph."""

    report: int
    kind: Kind
    remedy: Remedy
    by: str
    rank: str
    why: str
    paragraph: str
    previous_stand: str

    def describe(self) -> Said:
        return say(
            "Irregularity ({kind}) decided by a {rank}: {what}",
            kind=self.kind.words,
            rank=name_of(self.rank),
            what=because(self.remedy.words, self.why),
        )


@event("cards-reconstructed", ALL, ORDINARY, IRREGULAR)
class CardsReconstructed(OfRound):
    """Cards already registered now lie in the areas where they belong."""

    put_at: tuple[Hand, ...]
    paragraph: str

    def describe(self) -> Said:
        return say("Cards reconstructed: each lies in the area where it belongs")


@event("cards-put-in-order", ALL, ORDINARY, IRREGULAR)
class CardsPutInOrder(OfRound):
    """Cards drawn too soon wait, in this order, to be played before any other."""

    cards: tuple[str, ...]
    paragraph: str

    def describe(self) -> Said:
        return say("{cards} come next, in this order", cards=" ".join(self.cards))


@event("cards-discarded", ALL, SIGNIFICANT, IRREGULAR | OVERRIDE)
class CardsDiscarded(OfRound):
    """Cards that were drawn for a round to come are burnt."""

    cards: tuple[str, ...]
    waited: bool  # to be played first; else they were only reported
    by: str
    why: str
    paragraph: str

    def describe(self) -> Said:
        return say("{cards} burnt: {why}", cards=" ".join(self.cards), why=self.why)

    def describe_publicly(self) -> Said:
        return say("{cards} burnt", cards=" ".join(self.cards))


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

    def describe(self) -> Said:
        cards, held = " ".join(self.cards), " ".join(self.held)
        corrected = say("Cards corrected: {cards}", cards=cards)
        if held:
            corrected = say("Cards corrected: {cards}, next {held}", cards=cards, held=held)
        return because(corrected, self.why)

    def describe_publicly(self) -> Said:
        return say("Cards corrected: {cards}", cards=" ".join(self.cards))


@event("bets-returned", SEAT, ORDINARY, MONEY)
class BetsReturned(OfRound):
    """All bets of a seat went back, because the round is void."""

    seat: int
    cents: int

    def describe(self) -> Said:
        return say("Seat {seat} gets {amount} back", seat=self.seat, amount=show_cents(self.cents))


@event("round-voided", ALL, SIGNIFICANT, IRREGULAR | OVERRIDE)
class RoundVoided(OfRound):
    """The round is void."""

    returned_cents: int
    by: str
    why: str  # in the words of whoever voided it
    clause: str  # the paragraph that voids
    paragraph: str  # the paragraph that returns the bets
    kind: Kind | None = None  # the irregularity that it was voided for; None outside any clause

    def describe(self) -> Said:
        return because(say("Round void: {amount} returned", amount=show_cents(self.returned_cents)), self.reason)

    def describe_publicly(self) -> Said:
        return because(say("Round void"), self.reason)

    @property
    def reason(self) -> str:
        """The irregularity, if a clause voided the round, and what was said about it."""
        if self.kind and self.why:
            return say("{kind}. {why}", kind=self.kind.words, why=self.why)
        return self.kind.words if self.kind else self.why


RoundEvent = (
    ShoeLoaded
    | CardsBurnt
    | FaceDownBurnt
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
    | InsuranceSkipped
    | InsuranceWaived
    | WaiverTakenBack
    | InsuranceReturned
    | ResultDeclared
    | SeatSettled
    | RoundSettled
    | SettlementReversed
    | BetVoided
    | BetRestored
    | BetRuled
    | RoundTakenUp
    | EarlierCardsCorrected
    | EarlierSeatSettled
    | RoundInterrupted
    | IrregularityReported
    | ReportWithdrawn
    | IrregularityDecided
    | CardsReconstructed
    | CardsPutInOrder
    | CardsDiscarded
    | CardsCorrected
    | BetsReturned
    | RoundVoided
)
