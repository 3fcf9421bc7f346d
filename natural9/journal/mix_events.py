"""Shoes that nobody chooses alone: what the seats of a table mix into the shuffler's order, and by which rule.

All commitments, the house's and the seats', stand in the journal before anything is revealed. What each hash is made
of, and how the nonces change the order, is specified byte by byte in `table/shoes/mixing.py`.
"""

from natural9.core.events import ALL, NOTHING, ORDINARY, QUIET, SEAT, Event, event
from natural9.core.saying import Said, say


class OfMix(Event):
    """All events of mixing a shoe; `MixEvent` names each."""

    __slots__ = ()


@event("nonce-committed", SEAT, QUIET, NOTHING)
class NonceCommitted(OfMix):
    """A seat has fixed what it mixes into a shoe that is still to come; a later one takes the place of this."""

    seat: int
    shoe: int
    commitment: str

    def describe(self) -> Said:
        return say("Seat {seat} takes part in mixing shoe {shoe}", seat=self.seat, shoe=self.shoe)


@event("shoe-mix-opened", ALL, ORDINARY, NOTHING, found_by="shoe")
class ShoeMixOpened(OfMix):
    """Everything that was committed to, before any of it is revealed. By the rule a seat that has not revealed within
    `reveal_ms` is left out, and takes part in the next shoe again."""

    shoe: int
    commitment: str  # the house's, of its order
    seats: tuple[tuple[int, str], ...]  # each with its commitment, by their numbers
    rule: str
    reveal_ms: int
    checkpoint: str  # the last that was cosigned, as "SIZE ROOT"; "" where there is none

    def describe(self) -> Said:
        if not self.seats:
            return say("Shoe {shoe} is mixed without any seat: none takes part", shoe=self.shoe)
        return say(
            "Shoe {shoe} is mixed by the house and {count} seats: who does not reveal within {seconds} s is left out",
            shoe=self.shoe,
            count=len(self.seats),
            seconds=f"{self.reveal_ms / 1000:g}",
        )


@event("nonce-revealed", ALL, QUIET, NOTHING, found_by="shoe")
class NonceRevealed(OfMix):
    seat: int
    shoe: int
    nonce: str

    def describe(self) -> Said:
        return say("Seat {seat} reveals what it mixes into shoe {shoe}", seat=self.seat, shoe=self.shoe)


@event("shoe-mixed", ALL, ORDINARY, NOTHING, found_by="shoe")
class ShoeMixed(OfMix):
    """The order is fixed. Nobody but the table's writer can know it before the house reveals its own."""

    shoe: int
    commitment: str
    seats: tuple[int, ...]  # that revealed
    left_out: tuple[int, ...]  # that did not, in time

    def describe(self) -> Said:
        if not self.left_out:
            return say("Shoe {shoe} is mixed, with {count} seats", shoe=self.shoe, count=len(self.seats))
        return say(
            "Shoe {shoe} is mixed, with {count} seats; {left_out} did not reveal and are left out",
            shoe=self.shoe,
            count=len(self.seats),
            left_out=len(self.left_out),
        )


MixEvent = NonceCommitted | ShoeMixOpened | NonceRevealed | ShoeMixed
