"""What a command would do to the money, said before it is given: nothing destructive happens unannounced."""

from msgspec import Struct
from msgspec.structs import replace

from natural9.core.round import Refusal
from natural9.core.round import events as round_events
from natural9.core.staff import Rank
from natural9.table.commands import commands
from natural9.table.commands.decide import Facts, Who, decide
from natural9.table.state.state import TableState

Foreseeable = commands.Settle | commands.Decide | commands.VoidRound | commands.CorrectCard | commands.CorrectResult
# Whoever may decide in the end: to foresee something takes no rank.
_ANYBODY = Who("foresight", rank=Rank.SHIFT_MANAGER)


class Consequences(Struct, frozen=True, kw_only=True):
    """`reversed` is taken back from seats, `returned` are stakes that go back, `paid` is what settlement gives."""

    reversed_cents: int = 0
    reversed_seats: int = 0
    returned_cents: int = 0
    returned_seats: int = 0
    paid_cents: int = 0
    paid_seats: int = 0
    collected_cents: int = 0


def consequences(state: TableState, command: Foreseeable) -> Consequences | Refusal:
    if isinstance(command, commands.Decide):
        command = replace(command, replace_shoe=False)  # cards are changed by it, no money
    happened = decide(state, command, _ANYBODY, Facts(at_ms=0))
    if isinstance(happened, Refusal):
        return happened
    taken = [one.cents for one in happened if isinstance(one, round_events.SettlementReversed) and one.cents]
    back = [(one.seat, one.cents) for one in happened if isinstance(one, round_events.BetsReturned)]
    back += [(one.seat, one.cents) for one in happened if isinstance(one, round_events.InsuranceReturned)]
    paid = [one.returned_cents for one in happened if isinstance(one, round_events.SeatSettled) and one.returned_cents]
    return Consequences(
        reversed_cents=sum(taken),
        reversed_seats=len(taken),
        returned_cents=sum([cents for _, cents in back]),
        returned_seats=len({seat for seat, _ in back}),
        paid_cents=sum(paid),
        paid_seats=len(paid),
        collected_cents=sum([one.collected_cents for one in happened if isinstance(one, round_events.RoundSettled)]),
    )
