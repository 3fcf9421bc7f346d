"""The pit's side of a table: opened, paused, closed, limits, locks, faults, disputes. Each is a journalled change.

`RULES` says what each command of these leads to, by whom and why.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.round.commands import Command
from natural9.core.round.state import Limit
from natural9.core.saying import say
from natural9.journal import table_events
from natural9.table.commands import alarms, attendant, shift, staff
from natural9.table.commands.refusals import TableCode
from natural9.table.state.state import Status, TableSettings, TableState
from natural9.table.venue.venue import TableLimits, check_limits

Decision = list[Event] | Refusal


def opened(state: TableState, by: str) -> table_events.TableOpened:
    return table_events.TableOpened(by=by, **TableSettings.of(state.config)._asdict())


def changed_settings(state: TableState) -> list[table_events.SettingsChanged]:
    """Those of the venue file, where an open table has run under others; a closed one says them when it opens."""
    settings = TableSettings.of(state.config)
    if state.status is Status.CLOSED or settings == state.settings:
        return []
    return [table_events.SettingsChanged(**settings._asdict())]


def _open(state: TableState, command: staff.OpenTable, by: str, why: str) -> Decision:
    if state.status is not Status.CLOSED:
        already = say("Table {table} is already {status}", table=state.config.id, status=state.status.words)
        return Refusal(TableCode.TABLE_OPEN, already)
    return [opened(state, by)]


def _pause(state: TableState, command: staff.PauseTable, by: str, why: str) -> Decision:
    if state.status is not Status.OPEN:
        closed = say(
            "Table {table} is {status}: only an open table can be paused",
            table=state.config.id,
            status=state.status.words,
        )
        return Refusal(TableCode.TABLE_NOT_OPEN, closed)
    return [table_events.TablePaused(by=by, why=why)]


def _resume(state: TableState, command: staff.ResumeTable, by: str, why: str) -> Decision:
    if state.status is not Status.PAUSED:
        not_paused = say(
            "Table {table} is {status}: only a paused table can be resumed",
            table=state.config.id,
            status=state.status.words,
        )
        return Refusal(TableCode.TABLE_NOT_OPEN, not_paused)
    return [table_events.TableResumed(by=by)]


def _close(state: TableState, command: staff.CloseTable, by: str, why: str) -> Decision:
    if state.status is Status.CLOSED:
        already = say("Table {table} is already {status}", table=state.config.id, status=state.status.words)
        return Refusal(TableCode.TABLE_NOT_OPEN, already)
    if state.in_play:
        playing = say(
            "Round {round} is in play: pause the table, and close it when the round has ended",
            round=state.round.number,
        )
        return Refusal(TableCode.TABLE_IN_PLAY, playing)
    return [*shift.signed_off(state, by), table_events.TableClosed(by=by, why=why)]


def may_change_limits(state: TableState) -> Refusal | None:
    if state.in_play:
        playing = say("Round {round} is in play: change the limits between rounds", round=state.round.number)
        return Refusal(TableCode.TABLE_IN_PLAY, playing)
    return None


def _change_limits(state: TableState, command: staff.ChangeLimits, by: str, why: str) -> Decision:
    if refusal := may_change_limits(state):
        return refusal
    changed = {wager: Limit(limit.min_cents, limit.max_cents) for wager, limit in command.limits.items()}
    limits = TableLimits(
        betting_unit_cents=state.limits.betting_unit_cents,
        by_wager={**state.limits.by_wager, **changed},
        seat_min_cents=_or(command.seat_min_cents, state.limits.seat_min_cents) or 0,
        seat_max_cents=_or(command.seat_max_cents, state.limits.seat_max_cents),
        table_max_cents=_or(command.table_max_cents, state.limits.table_max_cents),
    )
    try:
        check_limits(state.config.game, limits, state.offered_next)
    except BadInput as error:
        return Refusal.of(TableCode.BAD_LIMITS, error)
    if limits == state.limits:
        same = say("These limits are already in force: change one of them")
        return Refusal(TableCode.BAD_LIMITS, same)
    return [_limits_changed(limits, by=by, why=why, from_file=False)]


def the_files_limits(state: TableState) -> list[table_events.LimitsChanged]:
    """Those of the venue file, if they are not yet taken over: they come with a shoe, as its wagers do."""
    limits = state.config.limits
    if limits == state.file_limits:
        return []
    return [_limits_changed(limits, by="", why="", from_file=True)]


def _limits_changed(limits: TableLimits, *, by: str, why: str, from_file: bool) -> table_events.LimitsChanged:
    """All limits as they are from now on, by the pit or by the venue file."""
    return table_events.LimitsChanged(
        betting_unit_cents=limits.betting_unit_cents,
        limits=limits.by_wager,
        seat_min_cents=limits.seat_min_cents,
        seat_max_cents=limits.seat_max_cents,
        table_max_cents=limits.table_max_cents,
        by=by,
        why=why,
        from_file=from_file,
    )


def _or(value: int | None, otherwise: int | None) -> int | None:
    return otherwise if value is None else value


def _lock(state: TableState, command: staff.LockTerminal, by: str, why: str) -> Decision:
    if state.terminal(command.seat).locked:
        already = say("The terminal at seat {seat} is already locked", seat=command.seat)
        return Refusal(TableCode.TERMINAL_LOCKED, already)
    return [table_events.TerminalLocked(seat=command.seat, by=by, why=why)]


def _unlock(state: TableState, command: staff.UnlockTerminal, by: str, why: str) -> Decision:
    if not state.terminal(command.seat).locked:
        not_locked = say("The terminal at seat {seat} is not locked", seat=command.seat)
        return Refusal(TableCode.TERMINAL_LOCKED, not_locked)
    return [table_events.TerminalUnlocked(seat=command.seat, by=by, why=why)]


def _clear_fault(state: TableState, command: staff.ClearFault, by: str, why: str) -> Decision:
    if command.fault not in state.faults:
        known = tuple(state.faults) or say("none")
        none = say("This table has no fault {fault}: it has {known}", fault=repr(command.fault), known=known)
        return Refusal(TableCode.NO_SUCH_FAULT, none)
    return [table_events.FaultCleared(fault=command.fault, by=by, why=why)]


def _freeze(state: TableState, command: staff.FreezeRound, by: str, why: str) -> Decision:
    if command.round > state.round.number:
        not_dealt = say(
            "Round {round} has not been dealt: the last one is {last}", round=command.round, last=state.round.number
        )
        return Refusal(TableCode.NO_SUCH_ROUND, not_dealt)
    return [table_events.RoundFrozen(round=command.round, by=by, why=why)]


RULES: Final[Mapping[type[Command], Callable[[TableState, Any, str, str], Decision]]] = {
    staff.OpenTable: _open,
    staff.PauseTable: _pause,
    staff.ResumeTable: _resume,
    staff.CloseTable: _close,
    staff.ChangeLimits: _change_limits,
    staff.LockTerminal: _lock,
    staff.UnlockTerminal: _unlock,
    staff.ClearFault: _clear_fault,
    staff.TakeCall: attendant.take_call,
    staff.ClearCall: attendant.clear_call,
    staff.TakeAlarm: alarms.take_alarm,
    staff.FreezeRound: _freeze,
}
