"""What happens to the venue outside its tables: the program, and vouchers paid at a desk."""

from collections.abc import Mapping

from natural9.core.events import MONEY, NOTHING, ORDINARY, SIGNIFICANT, STAFF, Event, because, event
from natural9.core.money import show_cents


@event("program-started", STAFF, SIGNIFICANT, NOTHING)
class ProgramStarted(Event):
    version: str
    program_sha256: str
    venue_sha256: str
    rules: Mapping[str, str]  # each game's pack and document, by their hash
    changed: tuple[str, ...]  # what is not as it was at the last start: a modification
    stopped_cleanly: bool  # the time before

    def describe(self) -> str:
        changed = f"; changed since the last start: {', '.join(self.changed)}" if self.changed else ""
        stopped = "" if self.stopped_cleanly else " after an unplanned stop"
        return f"Program {self.version} started{stopped}{changed}"


@event("program-stopped", STAFF, SIGNIFICANT, NOTHING)
class ProgramStopped(Event):
    why: str

    def describe(self) -> str:
        return f"Program stopped{because(self.why)}"


@event("voucher-paid", STAFF, ORDINARY, MONEY, found_by="number")
class VoucherPaid(Event):
    """Redeemed at the cash desk."""

    number: str
    cents: int
    desk: str

    def describe(self) -> str:
        return f"Voucher {self.number} paid at the desk, {show_cents(self.cents)}"


VenueEvent = ProgramStarted | ProgramStopped | VoucherPaid
