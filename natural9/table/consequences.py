"""What a command would do to the money, said before it is given: nothing destructive happens unannounced."""

from msgspec import Struct
from msgspec.structs import replace

from natural9.core.round import Refusal
from natural9.core.round import events as e
from natural9.core.staff import Rank
from natural9.table import commands as w
from natural9.table.decide import Facts, Who, decide
from natural9.table.state import TableState

Foreseeable = w.Settle | w.Decide | w.VoidRound | w.CorrectCard | w.CorrectResult
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
    if isinstance(command, w.Decide):
        command = replace(command, replace_shoe=False)  # cards are changed by it, no money
    happened = decide(state, command, _ANYBODY, Facts(at_ms=0))
    if isinstance(happened, Refusal):
        return happened
    taken = [one.returned for one in happened if isinstance(one, e.SettlementReversed) and one.returned]
    back = [(one.seat, one.returned) for one in happened if isinstance(one, e.BetsReturned)]
    back += [(one.seat, one.stake) for one in happened if isinstance(one, e.InsuranceReturned)]
    paid = [one.returned for one in happened if isinstance(one, e.SeatSettled) and one.returned]
    return Consequences(
        reversed_cents=sum(taken),
        reversed_seats=len(taken),
        returned_cents=sum([cents for _, cents in back]),
        returned_seats=len({seat for seat, _ in back}),
        paid_cents=sum(paid),
        paid_seats=len(paid),
        collected_cents=sum([one.collected for one in happened if isinstance(one, e.RoundSettled)]),
    )
