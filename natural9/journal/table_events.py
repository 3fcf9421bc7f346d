"""What happens at a table around its rounds: opened and closed, limits, locks, faults, money, shoes.

Who did it stands beside every event in the journal, and is in the event where it must be shown with it.
"""

from collections.abc import Mapping

from natural9.core.events import (
    ALL,
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
from natural9.core.money import show_cents
from natural9.core.round.state import Limit


class OfTable(Event):
    """All events of a table around its rounds; `TableEvent` names each."""

    __slots__ = ()


@event("table-opened", STAFF, SIGNIFICANT, NOTHING)
class TableOpened(OfTable):
    """Also the record of every setting that the table runs under."""

    game: str
    rules_sha256: str
    decks: int
    mode: str
    shoe: str
    optional: tuple[str, ...]
    by: str

    def describe(self) -> str:
        return f"Table opened: {self.game}, {self.decks} decks, {self.mode}, {self.shoe}"


@event("table-paused", STAFF, SIGNIFICANT, NOTHING)
class TablePaused(OfTable):
    by: str
    why: str

    def describe(self) -> str:
        return f"Table paused{because(self.why)}"


@event("table-resumed", STAFF, SIGNIFICANT, NOTHING)
class TableResumed(OfTable):
    by: str

    def describe(self) -> str:
        return "Table resumed"


@event("table-closed", STAFF, SIGNIFICANT, NOTHING)
class TableClosed(OfTable):
    by: str
    why: str

    def describe(self) -> str:
        return f"Table closed{because(self.why)}"


@event("table-held", STAFF, SIGNIFICANT, NOTHING)
class TableHeld(OfTable):
    """The program was stopped on purpose; the round, if one is open, waits as it is."""

    round: int

    def describe(self) -> str:
        return "Planned stop of the program: the table is on hold"


@event("table-continued", STAFF, SIGNIFICANT, NOTHING)
class TableContinued(OfTable):
    """The program is back after a stop on purpose; an open round goes on where it was held."""

    round: int

    def describe(self) -> str:
        return "The table continues where it stopped"


@event("interruption-noted", STAFF, SIGNIFICANT, NOTHING)
class InterruptionNoted(OfTable):
    """The table was cut off while an irregularity waited: the interruption's clause is applied after that decision."""

    round: int

    def describe(self) -> str:
        return "The table was interrupted while a decision is pending: decide the interruption after it"


@event("limits-changed", STAFF, SIGNIFICANT, OVERRIDE)
class LimitsChanged(OfTable):
    """A modification. All limits as they are from now on."""

    betting_unit_cents: int
    limits: Mapping[str, Limit]
    seat_min_cents: int
    seat_max_cents: int | None
    table_max_cents: int | None
    by: str
    why: str
    from_file: bool  # the venue file has changed; what the pit changes lasts until it does

    def describe(self) -> str:
        limits = ", ".join(f"{wager} {limit.words}" for wager, limit in self.limits.items())
        return f"Limits changed: {limits}{because(self.why)}"


@event("terminal-locked", SEAT, SIGNIFICANT, NOTHING)
class TerminalLocked(OfTable):
    seat: int
    by: str
    why: str

    def describe(self) -> str:
        return f"Terminal {self.seat} locked{because(self.why)}"


@event("terminal-unlocked", SEAT, SIGNIFICANT, OVERRIDE)
class TerminalUnlocked(OfTable):
    seat: int
    by: str
    why: str

    def describe(self) -> str:
        return f"Terminal {self.seat} unlocked{because(self.why)}"


@event("fault-raised", STAFF, SIGNIFICANT, IRREGULAR)
class FaultRaised(OfTable):
    fault: str
    detail: str

    def describe(self) -> str:
        return f"Fault, {spoken(self.fault)}{because(self.detail)}"


@event("fault-cleared", STAFF, SIGNIFICANT, IRREGULAR | OVERRIDE)
class FaultCleared(OfTable):
    fault: str
    by: str
    why: str

    def describe(self) -> str:
        return f"Fault cleared, {spoken(self.fault)}{because(self.why)}"


@event("round-frozen", STAFF, SIGNIFICANT, OVERRIDE)
class RoundFrozen(OfTable):
    """A dispute: who asked that this round's history be kept, and why."""

    round: int
    by: str
    why: str

    def describe(self) -> str:
        return f"Round {self.round} frozen in a dispute{because(self.why)}"


@event("late-bet-refused", SEAT, QUIET, NOTHING)
class LateBetRefused(OfTable):
    """A bet that came after the close: never made, and logged (rws-nc 3.7, mbs 5.5)."""

    seat: int
    wager: str
    cents: int
    for_round: int

    def describe(self) -> str:
        return f"Seat {self.seat}: {show_cents(self.cents)} on {self.wager} came too late and was refused"


@event("credit-bought", SEAT, SIGNIFICANT, MONEY)
class CreditBought(OfTable):
    seat: int
    cents: int
    desk: str

    def describe(self) -> str:
        return f"Seat {self.seat} bought {show_cents(self.cents)} of credit"


@event("hand-paid", SEAT, SIGNIFICANT, MONEY | OVERRIDE)
class HandPaid(OfTable):
    seat: int
    cents: int
    desk: str
    why: str

    def describe(self) -> str:
        return f"Seat {self.seat}: hand-pay of {show_cents(self.cents)}{because(self.why)}"


@event("voucher-issued", SEAT, ORDINARY, MONEY, found_by="number")
class VoucherIssued(OfTable):
    """The validation code is not here: it is made from the number with the venue's key."""

    number: str
    seat: int
    cents: int
    expires_at_ms: int

    def describe(self) -> str:
        return f"Seat {self.seat}: voucher {self.number} for {show_cents(self.cents)}"


@event("voucher-inserted", SEAT, ORDINARY, MONEY, found_by="number")
class VoucherInserted(OfTable):
    """Redeemed at a terminal."""

    number: str
    seat: int
    cents: int

    def describe(self) -> str:
        return f"Seat {self.seat}: voucher {self.number} inserted, {show_cents(self.cents)}"


@event("voucher-voided", SEAT, SIGNIFICANT, MONEY | OVERRIDE)
class VoucherVoided(OfTable):
    """Taken out of circulation; its money goes back to the terminal that it came from."""

    number: str
    seat: int
    cents: int
    by: str
    why: str

    def describe(self) -> str:
        back = f"{show_cents(self.cents)} back to seat {self.seat}"
        return f"Voucher {self.number} voided, {back}{because(self.why)}"


@event("shoe-committed", ALL, ORDINARY, NOTHING, found_by="shoe")
class ShoeCommitted(OfTable):
    """The shuffler's order is fixed: its hash is known before the first card, the order after the last."""

    shoe: int
    decks: int
    commitment: str

    def describe(self) -> str:
        return f"Shoe {self.shoe} committed to: {self.commitment}"


@event("shoe-revealed", ALL, ORDINARY, NOTHING, found_by="shoe")
class ShoeRevealed(OfTable):
    shoe: int
    decks: int
    commitment: str
    salt: str
    order: str
    dealt: int  # how many of its cards were drawn

    def describe(self) -> str:
        return f"Shoe {self.shoe} revealed, {self.dealt} cards drawn"


@event("new-shoe-required", STAFF, SIGNIFICANT, NOTHING)
class NewShoeRequired(OfTable):
    """After cards that do not belong together, no round opens on the same set."""

    why: str
    paragraph: str

    def describe(self) -> str:
        return f"A new shoe is required{because(self.why)}"


@event("debt-left", SEAT, SIGNIFICANT, IRREGULAR | OVERRIDE)
class DebtLeft(OfTable):
    """A correction took back more than the terminal still had; the pit settles the rest with the player."""

    seat: int
    cents: int

    def describe(self) -> str:
        return f"Seat {self.seat} owes {show_cents(self.cents)} after a correction"


TableEvent = (
    TableOpened
    | TablePaused
    | TableResumed
    | TableClosed
    | TableHeld
    | TableContinued
    | InterruptionNoted
    | LimitsChanged
    | TerminalLocked
    | TerminalUnlocked
    | FaultRaised
    | FaultCleared
    | RoundFrozen
    | LateBetRefused
    | CreditBought
    | HandPaid
    | VoucherIssued
    | VoucherInserted
    | VoucherVoided
    | ShoeCommitted
    | ShoeRevealed
    | NewShoeRequired
    | DebtLeft
)
