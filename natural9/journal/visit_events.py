"""A terminal plays at another table than its own: it is given a seat there, and credit goes there and comes home.

Money at a visited table never rests: a bet brings what it takes, and what is no longer at risk goes home at once.
"""

from natural9.core.events import MONEY, NOTHING, ORDINARY, QUIET, SEAT, Event, event
from natural9.core.money import show_cents
from natural9.core.saying import Said, say


class OfVisit(Event):
    """All events of visits; `VisitEvent` names each."""

    __slots__ = ()


@event("visitor-seated", SEAT, ORDINARY, NOTHING, found_by="home_seat")
class VisitorSeated(OfVisit):
    """The terminal of another table has a seat here, and the same one for ever."""

    seat: int
    home_table: str
    home_seat: int

    def describe(self) -> Said:
        return say(
            "Seat {seat} is for a visitor: {table} seat {home}",
            seat=self.seat,
            table=self.home_table,
            home=self.home_seat,
        )


@event("credit-taken-along", SEAT, QUIET, MONEY, found_by="transit")
class CreditTakenAlong(OfVisit):
    """At the terminal's own table: it bets elsewhere. What it takes along is at risk until it is told otherwise."""

    transit: str  # the number that both tables know it by
    seat: int
    cents: int
    to_table: str
    to_seat: int

    def describe(self) -> Said:
        return say(
            "Seat {seat} takes {amount} along to {table}",
            seat=self.seat,
            amount=show_cents(self.cents),
            table=self.to_table,
        )


@event("credit-brought", SEAT, QUIET, MONEY, found_by="transit")
class CreditBrought(OfVisit):
    """At the visited table: what was taken along has come."""

    transit: str
    seat: int
    cents: int

    def describe(self) -> Said:
        return say("Seat {seat}: the visitor brings {amount}", seat=self.seat, amount=show_cents(self.cents))


@event("credit-sent-home", SEAT, QUIET, MONEY, found_by="transit")
class CreditSentHome(OfVisit):
    """At the visited table: all credit of the visitor. `decided_cents` of what it brought is no longer at risk, won,
    lost or never bet; nothing may be left of it to send."""

    transit: str
    seat: int
    cents: int
    decided_cents: int
    staked_cents: int  # in the rounds that were settled since the last time; below zero if a settlement was reversed
    rounds: int

    def describe(self) -> Said:
        return say("Seat {seat}: {amount} goes home", seat=self.seat, amount=show_cents(self.cents))


@event("credit-came-home", SEAT, QUIET, MONEY, found_by="transit")
class CreditCameHome(OfVisit):
    """At the terminal's own table: what the visited table has sent, and what it said with it."""

    transit: str
    seat: int
    cents: int
    from_table: str
    from_seat: int
    decided_cents: int
    staked_cents: int
    rounds: int

    def describe(self) -> Said:
        return say(
            "Seat {seat}: {amount} comes home from {table}",
            seat=self.seat,
            amount=show_cents(self.cents),
            table=self.from_table,
        )


VisitEvent = VisitorSeated | CreditTakenAlong | CreditBrought | CreditSentHome | CreditCameHome
