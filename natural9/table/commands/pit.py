"""The pit's side of a table: opened, paused, closed, limits, locks, faults, disputes. Each is a journalled change."""

from natural9.core.errors import BadInput
from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.round.state import Limit
from natural9.journal import table_events
from natural9.table.commands import commands
from natural9.table.commands.refusals import Code
from natural9.table.state.state import Status, TableState
from natural9.table.venue.venue import TableLimits, check_limits, offered_wagers

Decision = list[Event] | Refusal


def floor(state: TableState, command: commands.StaffCommand, *, by: str) -> Decision:
    match command:
        case commands.OpenTable():
            return _open(state, by)
        case commands.PauseTable():
            return _pause(state, command, by)
        case commands.ResumeTable():
            return _resume(state, by)
        case commands.CloseTable():
            return _close(state, command, by)
        case commands.ChangeLimits():
            return _change_limits(state, command, by)
        case commands.LockTerminal():
            return _lock(state, command, by)
        case commands.UnlockTerminal():
            return _unlock(state, command, by)
        case commands.ClearFault():
            return _clear_fault(state, command, by)
        case commands.FreezeRound():
            return _freeze(state, command, by)
        case _:
            raise AssertionError(f"{commands.tag_of(command)} is not the floor's")


def opened(state: TableState, by: str) -> table_events.TableOpened:
    config = state.config
    offered = offered_wagers(config.game, config.optional)
    return table_events.TableOpened(
        game=config.game.id,
        rules_sha256=config.game.sha256,
        decks=config.decks,
        mode=config.mode,
        shoe=config.shoe,
        optional=tuple(wager.id for wager in config.game.wagers if wager.optional and wager.id in offered),
        by=by,
    )


def _open(state: TableState, by: str) -> Decision:
    if state.status is not Status.CLOSED:
        return Refusal(Code.TABLE_OPEN, f"Table {state.config.id} is {state.status} already")
    return [opened(state, by)]


def _pause(state: TableState, command: commands.PauseTable, by: str) -> Decision:
    if state.status is not Status.OPEN:
        return Refusal(Code.TABLE_NOT_OPEN, f"Table {state.config.id} is {state.status}: only an open one is paused")
    return [table_events.TablePaused(by=by, why=command.why)]


def _resume(state: TableState, by: str) -> Decision:
    if state.status is not Status.PAUSED:
        return Refusal(Code.TABLE_NOT_OPEN, f"Table {state.config.id} is {state.status}: only a paused one is resumed")
    return [table_events.TableResumed(by=by)]


def _close(state: TableState, command: commands.CloseTable, by: str) -> Decision:
    if state.status is Status.CLOSED:
        return Refusal(Code.TABLE_NOT_OPEN, f"Table {state.config.id} is closed already")
    if state.in_play:
        why = f"Round {state.round.number} is in play: pause the table, and close it when the round has ended"
        return Refusal(Code.TABLE_IN_PLAY, why)
    return [table_events.TableClosed(by=by, why=command.why)]


def may_change_limits(state: TableState) -> Refusal | None:
    if state.in_play:
        return Refusal(Code.TABLE_IN_PLAY, f"Round {state.round.number} is in play: limits change between rounds")
    return None


def _change_limits(state: TableState, command: commands.ChangeLimits, by: str) -> Decision:
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
        check_limits(state.config.game, limits, offered_wagers(state.config.game, state.config.optional))
    except BadInput as error:
        return Refusal.of(Code.BAD_LIMITS, error)
    if limits == state.limits:
        return Refusal(Code.BAD_LIMITS, "These are the limits in force: nothing would change")
    return [
        table_events.LimitsChanged(
            betting_unit_cents=limits.betting_unit_cents,
            limits=limits.by_wager,
            seat_min_cents=limits.seat_min_cents,
            seat_max_cents=limits.seat_max_cents,
            table_max_cents=limits.table_max_cents,
            by=by,
            why=command.why,
            from_file=False,
        )
    ]


def _or(value: int | None, otherwise: int | None) -> int | None:
    return otherwise if value is None else value


def _lock(state: TableState, command: commands.LockTerminal, by: str) -> Decision:
    if state.terminal(command.seat).locked:
        return Refusal(Code.TERMINAL_LOCKED, f"The terminal at seat {command.seat} is locked already")
    return [table_events.TerminalLocked(seat=command.seat, by=by, why=command.why)]


def _unlock(state: TableState, command: commands.UnlockTerminal, by: str) -> Decision:
    if not state.terminal(command.seat).locked:
        return Refusal(Code.TERMINAL_LOCKED, f"The terminal at seat {command.seat} is not locked")
    return [table_events.TerminalUnlocked(seat=command.seat, by=by, why=command.why)]


def _clear_fault(state: TableState, command: commands.ClearFault, by: str) -> Decision:
    if command.fault not in state.faults:
        known = ", ".join(state.faults) or "none"
        return Refusal(Code.NO_SUCH_FAULT, f"There is no fault {command.fault!r} at this table: there is {known}")
    return [table_events.FaultCleared(fault=command.fault, by=by, why=command.why)]


def _freeze(state: TableState, command: commands.FreezeRound, by: str) -> Decision:
    if command.round > state.round.number:
        why = f"Round {command.round} has not been dealt: the last one is {state.round.number}"
        return Refusal(Code.NO_SUCH_ROUND, why)
    return [table_events.RoundFrozen(round=command.round, by=by, why=command.why)]
