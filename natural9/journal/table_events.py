"""What happens at a table around its rounds: opened and closed, limits, locks, faults, money, shoes.

Who did it stands beside every event in the journal, and is in the event where it must be shown with it.
"""

from collections.abc import Mapping
from typing import Final

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
    event,
)
from natural9.core.irregularities import Kind
from natural9.core.money import show_cents
from natural9.core.round.state import Limit
from natural9.core.saying import Said, because, countersigned, name_of, named, say

_MODES: Final = {"automatic": say("plays by itself"), "dealer": say("a dealer deals")}
_SHOES: Final = {"shuffler": say("shuffler"), "read": say("real cards")}
_FAULTS: Final = {
    "automatic": say("automatic play"),
    "program-changed": say("program changed"),
    "randomness": say("randomness"),
    "reading-shoe": say("reading shoe"),
    "shoe-seal": say("seal of the shoe"),
}


def fault_words(fault: str) -> Said:
    """A fault by its name; the sentence with it says what happened."""
    return _FAULTS.get(fault) or name_of(fault)


def report_alarm(report: int) -> str:
    """What the alarm of an irregularity is called that waits for a decision; that of a fault is called as the fault."""
    return f"report-{report}"


def alarm_words(alarm: str) -> Said:
    """
    >>> str(alarm_words("report-2")), str(alarm_words("reading-shoe"))
    ('irregularity 2', 'reading shoe')
    """
    head, _, report = alarm.rpartition("-")
    return say("irregularity {report}", report=report) if head == "report" else fault_words(alarm)


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
    joint_shoe: bool = False

    def describe(self) -> Said:
        return say("Table opened: {game}, {decks} decks, {mode}, {shoe}", **_settings(self))


@event("settings-changed", STAFF, SIGNIFICANT, NOTHING)
class SettingsChanged(OfTable):
    """The venue file has changed while the table was open: every setting that it runs under from its next shoe on."""

    game: str
    rules_sha256: str
    decks: int
    mode: str
    shoe: str
    optional: tuple[str, ...]
    joint_shoe: bool

    def describe(self) -> Said:
        return say("The venue file has changed: {game}, {decks} decks, {mode}, {shoe}", **_settings(self))


def _settings(said: TableOpened | SettingsChanged) -> dict[str, Said | int]:
    shoe = say("a shuffler, and the seats mix") if said.joint_shoe else _SHOES.get(said.shoe)
    return {
        "game": named(said.game),
        "decks": said.decks,
        "mode": _MODES.get(said.mode) or name_of(said.mode),
        "shoe": shoe or name_of(said.shoe),
    }


@event("table-paused", STAFF, SIGNIFICANT, NOTHING)
class TablePaused(OfTable):
    by: str
    why: str

    def describe(self) -> Said:
        return because(say("Table paused"), self.why)


@event("table-resumed", STAFF, SIGNIFICANT, NOTHING)
class TableResumed(OfTable):
    by: str

    def describe(self) -> Said:
        return say("Table resumed")


@event("table-closed", STAFF, SIGNIFICANT, NOTHING)
class TableClosed(OfTable):
    by: str
    why: str

    def describe(self) -> Said:
        return because(say("Table closed"), self.why)


@event("dealer-signed-on", STAFF, SIGNIFICANT, NOTHING)
class DealerSignedOn(OfTable):
    """Whoever was on before is off by it: a relief is one step."""

    dealer: str
    relieves: str  # "" where nobody was on

    def describe(self) -> Said:
        if self.relieves:
            return say("{dealer} signed on and relieves {relieves}", dealer=self.dealer, relieves=self.relieves)
        return say("{dealer} signed on", dealer=self.dealer)


@event("dealer-signed-off", STAFF, SIGNIFICANT, NOTHING)
class DealerSignedOff(OfTable):
    dealer: str
    by: str

    def describe(self) -> Said:
        if self.by != self.dealer:
            return say("{dealer} was signed off by {by}", dealer=self.dealer, by=self.by)
        return say("{dealer} signed off", dealer=self.dealer)


@event("table-held", STAFF, SIGNIFICANT, NOTHING)
class TableHeld(OfTable):
    """The program was stopped on purpose; the round, if one is open, waits as it is."""

    round: int

    def describe(self) -> Said:
        return say("Planned stop of the program: the table is on hold")


@event("table-continued", STAFF, SIGNIFICANT, NOTHING)
class TableContinued(OfTable):
    """The program is back after a stop on purpose; an open round goes on where it was held."""

    round: int

    def describe(self) -> Said:
        return say("The table continues where it stopped")


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
    from_file: bool  # taken from the venue file, with a shoe; what the pit changes lasts until the file changes

    def describe(self) -> Said:
        limits = tuple(
            say("{wager} {limits}", wager=name_of(wager), limits=limit.words) for wager, limit in self.limits.items()
        )
        why = say("the venue file has changed") if self.from_file else self.why
        return because(say("Limits changed: {limits}", limits=limits), why)


@event("terminal-locked", SEAT, SIGNIFICANT, NOTHING)
class TerminalLocked(OfTable):
    seat: int
    by: str
    why: str

    def describe(self) -> Said:
        return because(say("Terminal {seat} locked", seat=self.seat), self.why)


@event("terminal-unlocked", SEAT, SIGNIFICANT, OVERRIDE)
class TerminalUnlocked(OfTable):
    seat: int
    by: str
    why: str

    def describe(self) -> Said:
        return because(say("Terminal {seat} unlocked", seat=self.seat), self.why)


@event("attendant-called", SEAT, ORDINARY, NOTHING)
class AttendantCalled(OfTable):
    """A player calls somebody to the seat. It is no fault and no security event, so it is not significant."""

    seat: int
    called_at_ms: int  # as the entry: the age of a call outlives a restart

    def describe(self) -> Said:
        return say("Seat {seat} calls an attendant", seat=self.seat)


@event("call-withdrawn", SEAT, ORDINARY, NOTHING)
class CallWithdrawn(OfTable):
    seat: int

    def describe(self) -> Said:
        return say("Seat {seat} takes its call back", seat=self.seat)


@event("call-taken", STAFF, ORDINARY, NOTHING)
class CallTaken(OfTable):
    seat: int
    by: str

    def describe(self) -> Said:
        return say("{by} takes the call of seat {seat}", by=self.by, seat=self.seat)


@event("call-cleared", STAFF, ORDINARY, NOTHING)
class CallCleared(OfTable):
    seat: int
    by: str

    def describe(self) -> Said:
        return say("{by} clears the call of seat {seat}", by=self.by, seat=self.seat)


@event("fault-raised", STAFF, SIGNIFICANT, IRREGULAR)
class FaultRaised(OfTable):
    fault: str
    detail: Said

    def describe(self) -> Said:
        return because(say("Fault, {fault}", fault=fault_words(self.fault)), self.detail)


@event("fault-cleared", STAFF, SIGNIFICANT, IRREGULAR | OVERRIDE)
class FaultCleared(OfTable):
    fault: str
    by: str
    why: str

    def describe(self) -> Said:
        return because(say("Fault cleared, {fault}", fault=fault_words(self.fault)), self.why)


@event("alarm-taken", STAFF, ORDINARY, NOTHING)
class AlarmTaken(OfTable):
    """Somebody sees to a fault, or to an irregularity that waits. It ends when that is cleared, or decided."""

    alarm: str
    by: str

    def describe(self) -> Said:
        return say("{by} takes the alarm, {alarm}", by=self.by, alarm=alarm_words(self.alarm))


@event("round-frozen", STAFF, SIGNIFICANT, OVERRIDE)
class RoundFrozen(OfTable):
    """A dispute: who asked that this round's history be kept, and why."""

    round: int
    by: str
    why: str

    def describe(self) -> Said:
        return because(say("Round {round} frozen in a dispute", round=self.round), self.why)


@event("late-bet-refused", SEAT, QUIET, NOTHING)
class LateBetRefused(OfTable):
    """A bet that came after the close: never made, and logged (rws-nc 3.7, mbs 5.5)."""

    seat: int
    wager: str
    cents: int
    for_round: int

    def describe(self) -> Said:
        return say(
            "Seat {seat}: {stake} on {wager} came too late and was refused",
            seat=self.seat,
            stake=show_cents(self.cents),
            wager=name_of(self.wager),
        )


@event("bets-not-doubled", SEAT, QUIET, NOTHING)
class BetsNotDoubled(OfTable):
    """A terminal doubled its bets as far as limits and credit allow: the spots that stay, and why each does."""

    seat: int
    stays: Mapping[str, int]  # what lies on each, in cents
    reasons: Mapping[str, Said]

    def describe(self) -> Said:
        return say("Seat {seat} doubled what it could. {left}", seat=self.seat, left=self.for_player())

    def for_player(self) -> Said:
        return not_doubled(self.stays, self.reasons)


def not_doubled(stays: Mapping[str, int], reasons: Mapping[str, Said]) -> Said:
    """Which spots stay as they are, with what lies there, and why."""
    left = [
        say("{wager} stays at {stake} ({why})", wager=name_of(wager), stake=show_cents(cents), why=reasons[wager])
        for wager, cents in stays.items()
    ]
    return say("Not doubled: {left}", left=tuple(left))


@event("request-refused", SEAT, QUIET, NOTHING)
class RequestRefused(OfTable):
    """Nothing was done, and it stays so: the same request gets the same answer again. Also at the desk."""

    seat: int | None  # of the terminal that asked
    code: str
    message: Said
    paragraph: str

    def describe(self) -> Said:
        if self.seat is None:
            return say("A request was refused: {why}", why=self.message)
        return say("A request of seat {seat} was refused: {why}", seat=self.seat, why=self.message)


@event("credit-bought", SEAT, SIGNIFICANT, MONEY, version=2)
class CreditBought(OfTable):
    seat: int
    cents: int
    desk: str
    signed_by: str  # who signed besides; "" where one person suffices

    def describe(self) -> Said:
        return countersigned(self.describe_publicly(), self.signed_by)

    def describe_publicly(self) -> Said:
        return say("Seat {seat} bought {amount} of credit", seat=self.seat, amount=show_cents(self.cents))


@event("hand-paid", SEAT, SIGNIFICANT, MONEY | OVERRIDE, version=2)
class HandPaid(OfTable):
    seat: int
    cents: int
    desk: str
    signed_by: str
    why: str

    def describe(self) -> Said:
        return because(countersigned(self._paid, self.signed_by), self.why)

    def describe_publicly(self) -> Said:
        return because(self._paid, self.why)

    @property
    def _paid(self) -> Said:
        return say("Seat {seat}: hand-pay of {amount}", seat=self.seat, amount=show_cents(self.cents))


@event("voucher-issued", SEAT, ORDINARY, MONEY, found_by="number")
class VoucherIssued(OfTable):
    """The validation code is not here: it is made from the number with the venue's key."""

    number: str
    seat: int
    cents: int
    expires_at_ms: int

    def describe(self) -> Said:
        amount = show_cents(self.cents)
        return say("Seat {seat}: voucher {number} for {amount}", seat=self.seat, number=self.number, amount=amount)


@event("voucher-inserted", SEAT, ORDINARY, MONEY, found_by="number")
class VoucherInserted(OfTable):
    """Redeemed at a terminal."""

    number: str
    seat: int
    cents: int

    def describe(self) -> Said:
        return say(
            "Seat {seat}: voucher {number} inserted, {amount}",
            seat=self.seat,
            number=self.number,
            amount=show_cents(self.cents),
        )


@event("voucher-voided", SEAT, SIGNIFICANT, MONEY | OVERRIDE)
class VoucherVoided(OfTable):
    """Taken out of circulation; its money goes back to the terminal that it came from."""

    number: str
    seat: int
    cents: int
    by: str
    why: str

    def describe(self) -> Said:
        voided = say(
            "Voucher {number} voided, {amount} back to seat {seat}",
            number=self.number,
            amount=show_cents(self.cents),
            seat=self.seat,
        )
        return because(voided, self.why)


@event("wrong-voucher-codes", STAFF, SIGNIFICANT, NOTHING)
class WrongVoucherCodes(OfTable):
    """Told every few: so many wrong validation codes one after the other at a seat."""

    seat: int
    times: int

    def describe(self) -> Said:
        return say("Seat {seat}: {times} wrong voucher codes were entered", seat=self.seat, times=self.times)


@event("shoe-committed", ALL, ORDINARY, NOTHING, found_by="shoe")
class ShoeCommitted(OfTable):
    """The shuffler's order is fixed: its hash is known before the first card, the order after the last."""

    shoe: int
    decks: int
    commitment: str

    def describe(self) -> Said:
        return say("Shoe {shoe} committed to: {hash}", shoe=self.shoe, hash=self.commitment)


@event("shoe-revealed", ALL, ORDINARY, NOTHING, found_by="shoe")
class ShoeRevealed(OfTable):
    shoe: int
    decks: int
    commitment: str
    salt: str
    order: str
    dealt: int  # how many of its cards were drawn

    def describe(self) -> Said:
        return say("Shoe {shoe} revealed, {dealt} cards drawn", shoe=self.shoe, dealt=self.dealt)


@event("new-shoe-required", STAFF, SIGNIFICANT, NOTHING)
class NewShoeRequired(OfTable):
    """After cards that do not belong together, no round opens on the same set."""

    kind: Kind  # that the round was void for
    paragraph: str

    def describe(self) -> Said:
        return say("A new shoe is required: the last round was void, {kind}", kind=self.kind.words)


@event("debt-left", SEAT, SIGNIFICANT, IRREGULAR | OVERRIDE)
class DebtLeft(OfTable):
    """A correction took back more than the terminal still had; the pit settles the rest with the player."""

    seat: int
    cents: int

    def describe(self) -> Said:
        return say("Seat {seat} owes {amount} after a correction", seat=self.seat, amount=show_cents(self.cents))


TableEvent = (
    TableOpened
    | SettingsChanged
    | TablePaused
    | TableResumed
    | TableClosed
    | DealerSignedOn
    | DealerSignedOff
    | TableHeld
    | TableContinued
    | LimitsChanged
    | TerminalLocked
    | TerminalUnlocked
    | AttendantCalled
    | CallWithdrawn
    | CallTaken
    | AlarmTaken
    | CallCleared
    | FaultRaised
    | FaultCleared
    | RoundFrozen
    | LateBetRefused
    | BetsNotDoubled
    | RequestRefused
    | CreditBought
    | HandPaid
    | VoucherIssued
    | VoucherInserted
    | VoucherVoided
    | WrongVoucherCodes
    | ShoeCommitted
    | ShoeRevealed
    | NewShoeRequired
    | DebtLeft
)
