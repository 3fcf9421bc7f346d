"""What happens at a table around its rounds: opened and closed, limits, locks, faults, money, shoes.

They are events like the round's own: past tense, plain values, permanent tags with versions.
"""

from collections.abc import Mapping

from natural9.core.round.events import Event, event
from natural9.core.round.state import Limit

# Who did it stands beside every event in the journal, and is in the event where it must be shown with it.


@event("table-opened")
class TableOpened(Event):
    """Also the record of every setting that the table runs under."""

    game: str
    rules_sha256: str
    decks: int
    mode: str
    shoe: str
    optional: tuple[str, ...]
    by: str


@event("table-paused")
class TablePaused(Event):
    by: str
    why: str


@event("table-resumed")
class TableResumed(Event):
    by: str


@event("table-closed")
class TableClosed(Event):
    by: str
    why: str


@event("table-held")
class TableHeld(Event):
    """The program was stopped on purpose; the round, if one is open, waits as it is."""

    round: int


@event("table-continued")
class TableContinued(Event):
    """The program is back after a stop on purpose; an open round goes on where it was held."""

    round: int


@event("interruption-noted")
class InterruptionNoted(Event):
    """The table was cut off while an irregularity waited: the interruption's clause is applied after that decision."""

    round: int


@event("limits-changed")
class LimitsChanged(Event):
    """A modification. All limits as they are from now on, each as least and most in cents."""

    betting_unit_cents: int
    limits: Mapping[str, Limit]
    seat_min_cents: int
    seat_max_cents: int | None
    table_max_cents: int | None
    by: str
    why: str
    from_file: bool  # the venue file has changed; what the pit changes lasts until it does


@event("terminal-locked")
class TerminalLocked(Event):
    seat: int
    by: str
    why: str


@event("terminal-unlocked")
class TerminalUnlocked(Event):
    seat: int
    by: str
    why: str


@event("fault-raised")
class FaultRaised(Event):
    fault: str
    detail: str


@event("fault-cleared")
class FaultCleared(Event):
    fault: str
    by: str
    why: str


@event("round-frozen")
class RoundFrozen(Event):
    """A dispute: who asked that this round's history be kept, and why."""

    round: int
    by: str
    why: str


@event("late-bet-refused")
class LateBetRefused(Event):
    """A bet that came after the close: never made, and logged (rws-nc 3.7, mbs 5.5)."""

    seat: int
    wager: str
    cents: int
    for_round: int


@event("credit-bought")
class CreditBought(Event):
    seat: int
    cents: int
    desk: str


@event("hand-paid")
class HandPaid(Event):
    seat: int
    cents: int
    desk: str
    why: str


@event("voucher-issued")
class VoucherIssued(Event):
    """The validation code is not here: it is made from the number with the venue's key."""

    number: str
    seat: int
    cents: int
    expires_at_ms: int


@event("voucher-inserted")
class VoucherInserted(Event):
    """Redeemed at a terminal."""

    number: str
    seat: int
    cents: int


@event("voucher-voided")
class VoucherVoided(Event):
    """Taken out of circulation; its money goes back to the terminal that it came from."""

    number: str
    seat: int
    cents: int
    by: str
    why: str


@event("shoe-committed")
class ShoeCommitted(Event):
    """The shuffler's order is fixed: its hash is known before the first card, the order after the last."""

    shoe: int
    decks: int
    commitment: str


@event("shoe-revealed")
class ShoeRevealed(Event):
    shoe: int
    decks: int
    commitment: str
    salt: str
    order: str
    dealt: int  # how many of its cards were drawn


@event("new-shoe-required")
class NewShoeRequired(Event):
    """After cards that do not belong together, no round opens on the same set."""

    why: str
    paragraph: str


@event("debt-left")
class DebtLeft(Event):
    """A correction took back more than the terminal still had; the pit settles the rest with the player."""

    seat: int
    cents: int


# The venue's own stream.


@event("program-started")
class ProgramStarted(Event):
    version: str
    program_sha256: str
    venue_sha256: str
    rules: Mapping[str, str]  # each game's pack and document, by their hash
    changed: tuple[str, ...]  # what is not as it was at the last start: a modification
    stopped_cleanly: bool  # the time before


@event("program-stopped")
class ProgramStopped(Event):
    why: str


@event("voucher-paid")
class VoucherPaid(Event):
    """Redeemed at the cash desk."""

    number: str
    cents: int
    desk: str
