"""Calling an attendant: a key of the terminal, in any state of the table, and what staff answer to it.

A call stands until the player takes it back or staff clear it; who has it in hand is known to everybody who could.
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Final

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal import table_events
from natural9.table.commands import staff, terminal
from natural9.table.commands.refusals import TableCode
from natural9.table.state.state import TableState

MOST_PRESSES: Final = 6  # of one seat in a minute: no key fills the journal
_MINUTE_MS: Final = 60_000

Decision = list[Event] | Refusal


def call(state: TableState, seat: int, tap: terminal.CallAttendant, *, at_ms: int) -> Decision:
    standing = state.call_of(seat)
    if tap.wanted and standing:
        return Refusal(TableCode.CALL_STANDS, say("An attendant is called already"))
    if tap.wanted:
        return [table_events.AttendantCalled(seat=seat, called_at_ms=at_ms)]
    if standing is None:
        return Refusal(TableCode.NO_SUCH_CALL, say("No attendant is called"))
    return [table_events.CallWithdrawn(seat=seat)]


def take_call(state: TableState, command: staff.TakeCall, by: str, why: str) -> Decision:
    standing = state.call_of(command.seat)
    if standing is None:
        return _no_call(command.seat)
    if standing.taken_by == by:
        return Refusal(TableCode.CALL_STANDS, say("You have the call of seat {seat} already", seat=command.seat))
    return [table_events.CallTaken(seat=command.seat, by=by)]


def clear_call(state: TableState, command: staff.ClearCall, by: str, why: str) -> Decision:
    if state.call_of(command.seat) is None:
        return _no_call(command.seat)
    return [table_events.CallCleared(seat=command.seat, by=by)]


def _no_call(seat: int) -> Refusal:
    return Refusal(TableCode.NO_SUCH_CALL, say("Seat {seat} calls nobody any more", seat=seat))


@dataclass(slots=True)
class CallKeys:
    """How often the key of each seat was pressed of late, by the play clock."""

    pressed: defaultdict[int, deque[int]] = field(
        default_factory=lambda: defaultdict(lambda: deque(maxlen=MOST_PRESSES))
    )

    def refusal(self, seat: int, now_ms: int) -> Refusal | None:
        """Why nothing is decided now; where there is no reason, the press counts."""
        pressed = self.pressed[seat]
        if len(pressed) == MOST_PRESSES and 0 <= now_ms - pressed[0] < _MINUTE_MS:
            often = say("This key was pressed {times} times in a minute: wait a moment", times=MOST_PRESSES)
            return Refusal(TableCode.TOO_MANY_REQUESTS, often)
        pressed.append(now_ms)
        return None
