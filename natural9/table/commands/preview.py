"""What a command would do to the money, said before it is given: nothing destructive happens unannounced."""

from dataclasses import replace
from typing import Final

from msgspec import Struct

from natural9.core.round import Refusal, RoundState, commands
from natural9.core.round import events as round_events
from natural9.core.staff import Rank
from natural9.journal.line import OriginKind
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
    commands.RuleOnBet,
)
# To preview something takes no rank and no reason.
_ANYBODY: Final = Who("", rank=Rank.SHIFT_MANAGER, kind=OriginKind.PROGRAM)


Moved = tuple[int, int]  # a seat, and how much


class Preview(Struct, frozen=True, kw_only=True):
    """`reversed` is taken back from seats, `returned` are stakes that go back, `paid` is what settlement gives,
    `staked` what is put back on the table."""

    reversed_cents: int = 0
    reversed_seats: int = 0
    returned_cents: int = 0
    returned_seats: int = 0
    staked_cents: int = 0
    staked_seats: int = 0
    paid_cents: int = 0
    paid_seats: int = 0
    collected_cents: int = 0


def preview(state: TableState, command: commands.Command, earlier: RoundState | None = None) -> Preview | Refusal:
    if isinstance(command, commands.DecideIrregularity):
        command = replace(command, replace_shoe=False)  # cards are changed by it, no money
    happened = decide(state, Order("", command, "preview"), _ANYBODY, Facts(at_ms=0, earlier=earlier))
    if isinstance(happened, Refusal):
        return happened
    taken, back, paid, staked = list[Moved](), list[Moved](), list[Moved](), list[Moved]()
    collected = 0
    for event in happened:
        match event:
            case round_events.SettlementReversed():
                taken.append((event.seat, event.cents))
            case round_events.EarlierSeatSettled():
                taken.append((event.seat, event.was_cents))
                paid.append((event.seat, event.returned_cents))
            case round_events.BetRuled():
                taken.append((event.seat, event.was_cents))
                paid.append((event.seat, event.returned_cents))
            case round_events.BetsReturned() | round_events.InsuranceReturned() | round_events.BetVoided():
                back.append((event.seat, event.cents))
            case round_events.BetRestored():
                staked.append((event.seat, event.cents))
            case round_events.SeatSettled():
                paid.append((event.seat, event.returned_cents))
            case round_events.RoundSettled():
                collected += event.collected_cents
            case _:
                pass
    return Preview(
        reversed_cents=_sum(taken),
        reversed_seats=_seats(taken),
        returned_cents=_sum(back),
        returned_seats=_seats(back),
        staked_cents=_sum(staked),
        staked_seats=_seats(staked),
        paid_cents=_sum(paid),
        paid_seats=_seats(paid),
        collected_cents=collected,
    )


def _sum(moved: list[Moved]) -> int:
    return sum([cents for _, cents in moved])


def _seats(moved: list[Moved]) -> int:
    return len({seat for seat, cents in moved if cents})
