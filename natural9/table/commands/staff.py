"""What the pit, the cashier and the console ask of a table, beside the round's own commands.

A command with a reason says here how it is refused without one. Which action of the permissions it takes stands in
`server/people/permissions.toml`.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Final

from msgspec import Struct

from natural9.core.money import MAX_CENTS
from natural9.core.round import commands as round_commands
from natural9.core.round.commands import STAFF_COMMANDS, Bounds, CardsNamed, Cents, Command, Reason, SeatNumber, command
from natural9.core.saying import Said, say
from natural9.table.commands import terminal
from natural9.table.commands.refusals import TableCode

Name = Annotated[str, Bounds(1, 40)]
VoucherNumber = Annotated[str, Bounds(1, 64)]


def _say_why(what: Said) -> Reason:
    return Reason(TableCode.BAD_REQUEST, say("Say why {what}: a reason is required", what=what))


# The console, where the table knows what the round wants to be told.


@command("open-betting", instead_of=round_commands.OpenBetting)
class StartRound(Command):
    """Open betting on the next round, under the table's limits."""


@command("new-shoe", instead_of=round_commands.LoadShoe)
class LoadNewShoe(Command):
    """Load the next shoe, with the decks and the optional wagers of the venue file. Cards that wait to be played first
    stay so, but for those that are burnt here by name."""

    discard: CardsNamed = ()


@command()
class MixShoe(Command):
    """No command of staff: the table itself mixes a shoe, once its seats have revealed or their time is up."""


# The pit.


@command("open-table")
class OpenTable(Command):
    pass


@command("pause-table")
class PauseTable(Command):
    """Finish the round, start no other."""


@command("resume-table")
class ResumeTable(Command):
    pass


@command("close-table")
class CloseTable(Command):
    pass


@command("sign-on")
class SignOn(Command):
    """Whoever asks deals from now on, and relieves whoever was on. Play does not stop."""


@command("sign-off")
class SignOff(Command):
    """Off the table; without a name, whoever asks. A supervisor names a dealer who left."""

    dealer: Name | None = None


class LimitChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    min_cents: terminal.Cents
    max_cents: terminal.Cents


@command("change-limits", reason=_say_why(say("the limits change")))
class ChangeLimits(Command):
    """Between rounds: the wagers named get new limits; the rest stay as they are."""

    limits: Mapping[Name, LimitChange] = field(default_factory=dict)
    seat_min_cents: Annotated[int, Bounds(0, MAX_CENTS)] | None = None
    seat_max_cents: Cents | None = None
    table_max_cents: Cents | None = None


@command("lock-terminal", reason=_say_why(say("the terminal is locked")))
class LockTerminal(Command):
    seat: SeatNumber


@command("unlock-terminal")
class UnlockTerminal(Command):
    seat: SeatNumber


@command("release-seat", reason=_say_why(say("the seat is released")))
class ReleaseSeat(Command):
    """End the session of an empty seat, with the limits that its player had set, for whoever comes next."""

    seat: SeatNumber


@command("take-call")
class TakeCall(Command):
    """The call of a seat for an attendant is in hand: whoever asks goes there."""

    seat: SeatNumber


@command("clear-call")
class ClearCall(Command):
    """The call of a seat for an attendant is answered."""

    seat: SeatNumber


@command("take-alarm")
class TakeAlarm(Command):
    """A fault, or an irregularity that waits, is in hand: whoever asks sees to it."""

    alarm: Name


@command("clear-fault", reason=_say_why(say("the fault is cleared")))
class ClearFault(Command):
    fault: Name


@command("freeze-round", reason=_say_why(say("the round is frozen")))
class FreezeRound(Command):
    """A dispute: the round's history is marked to be kept, and can be exported."""

    round: Annotated[int, Bounds(1, 2**53)]


# The cashier.


@command("credit-terminal")
class CreditTerminal(Command):
    seat: SeatNumber
    cents: Cents


@command("hand-pay")
class HandPay(Command):
    """Credit paid out by a person; without an amount, all of it."""

    seat: SeatNumber
    cents: Cents | None = None


@command("void-voucher", reason=_say_why(say("the voucher is voided")))
class VoidVoucher(Command):
    """Take a voucher that this table issued out of circulation; its money goes back to the terminal."""

    number: VoucherNumber


BY_TAG: Final = STAFF_COMMANDS  # the round's own commands and these
