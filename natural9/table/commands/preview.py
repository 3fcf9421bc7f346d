"""What a command would do to the money, said before it is given: nothing destructive happens unannounced."""

from dataclasses import replace
from typing import Final

from msgspec import Struct

from natural9.core.round import Refusal, commands
from natural9.core.round import events as round_events
from natural9.core.staff import Rank
from natural9.table.commands.decide import Facts, Who, decide
from natural9.table.commands.orders import Order
from natural9.table.state.state import TableState

# What can be known before it is done: the next card cannot.
PREVIEWED: Final = (
    commands.Settle,
    commands.DecideIrregularity,
    commands.VoidRound,
    commands.CorrectCard,
    commands.CorrectResult,
)
# To preview something takes no rank and no reason.
_ANYBODY: Final = Who("preview", rank=Rank.SHIFT_MANAGER)


class Preview(Struct, frozen=True, kw_only=True):
    """`reversed` is taken back from seats, `returned` are stakes that go back, `paid` is what settlement gives."""

    reversed_cents: int = 0
    reversed_seats: int = 0
    returned_cents: int = 0
    returned_seats: int = 0
    paid_cents: int = 0
    paid_seats: int = 0
    collected_cents: int = 0


def preview(state: TableState, command: commands.Command) -> Preview | Refusal:
    if isinstance(command, commands.DecideIrregularity):
        command = replace(command, replace_shoe=False)  # cards are changed by it, no money
    happened = decide(state, Order("", command, "preview"), _ANYBODY, Facts(at_ms=0))
    if isinstance(happened, Refusal):
        return happened
    taken = [one.cents for one in happened if isinstance(one, round_events.SettlementReversed) and one.cents]
    back = [(one.seat, one.cents) for one in happened if isinstance(one, round_events.BetsReturned)]
    back += [(one.seat, one.cents) for one in happened if isinstance(one, round_events.InsuranceReturned)]
    paid = [one.returned_cents for one in happened if isinstance(one, round_events.SeatSettled) and one.returned_cents]
    return Preview(
        reversed_cents=sum(taken),
        reversed_seats=len(taken),
        returned_cents=sum([cents for _, cents in back]),
        returned_seats=len({seat for seat, _ in back}),
        paid_cents=sum(paid),
        paid_seats=len(paid),
        collected_cents=sum([one.collected_cents for one in happened if isinstance(one, round_events.RoundSettled)]),
    )
