"""Evolve a table's state by one event, in place. It never refuses: the journal is replayed through it."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from natural9.core.irregularities import Kind
from natural9.core.round import events as e
from natural9.core.round.evolve import evolve as evolve_round
from natural9.core.round.state import Limit
from natural9.store.contract import Transfer
from natural9.table import events as t
from natural9.table.state import Change, Status, TableState
from natural9.table.venue import Terms


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where an event came from: who asked, by which request, for what, and in which rank of the pit."""

    by: str
    request: str = ""
    command: str = ""
    rank: str = ""


def evolve(state: TableState, event: e.Event, moved: tuple[Transfer, ...], origin: Origin, at_ms: int) -> None:
    """The event has happened and this money has moved."""
    for _, source, target, cents in moved:
        _change_credit(state, source, -cents)
        _change_credit(state, target, cents)
    step = _STEPS.get(type(event))
    if step:
        step(state, event, origin)
    if type(event) in _OF_THE_ROUND:
        state.round = evolve_round(state.round, event)
        if type(event) not in _QUIET:
            state.since_ms = at_ms
    after = _AFTER.get(type(event))
    if after:
        after(state, event)


def _change_credit(state: TableState, account: str, cents: int) -> None:
    if terminal := state.by_account.get(account):
        terminal.credit += cents
        return
    if account == state.stakes:  # no terminal's: most transfers have it on one side
        return
    kind, _, owner = account.partition("/")
    if kind == "credit":
        state.terminal(_seat(owner)).credit += cents
    elif kind == "owed":  # a debt is an account below zero
        state.terminal(_seat(owner)).owed -= cents


def _seat(terminal_id: str) -> int:
    return int(terminal_id.rpartition("-")[2])


# Bets, and what undoing them takes.


def _laid(state: TableState, seat: int, wager: str, cents: int, origin: Origin) -> None:
    state.laid[wager] = state.laid.get(wager, 0) + cents
    terminal = state.terminal(seat)
    changes = terminal.changes
    if origin.command != "undo":
        changes.append(Change(origin.request, wager, cents))
    elif terminal.undone != origin.request:  # one undo may take several events
        del changes[-len(terminal.last_changes()) :]
        terminal.undone = origin.request


def _bets_cleared(state: TableState, event: e.BetsCleared, origin: Origin) -> None:
    for wager, stake in state.round.seats[event.seat].bets.items():
        _laid(state, event.seat, wager, -stake, origin)


def _bets_returned(state: TableState, event: e.BetsReturned, origin: Origin) -> None:
    terminal = state.terminal(event.seat)
    terminal.returned, terminal.settled = event.returned, None
    terminal.last_bets = dict(state.round.seats[event.seat].bets)  # a void round's bets can be laid again, too


def _betting_opened(state: TableState, event: e.BettingOpened, origin: Origin) -> None:
    for seat, at_seat in state.round.seats.items():
        state.terminal(seat).last_bets = dict(at_seat.bets)
    for terminal in state.terminals.values():
        terminal.changes, terminal.undone = [], ""
        terminal.settled = None
        terminal.returned = 0
    if state.round.new_shoe:
        state.results = []
        state.commitment, state.next_commitment = state.next_commitment, ""
        state.shoe_required = None
    state.laid, state.voided, state.interrupted = {}, None, False
    state.rules_sha256 = event.rules_sha256


def _settlement_reversed(state: TableState, event: e.SettlementReversed, origin: Origin) -> None:
    state.terminal(event.seat).settled = None


def _seat_settled(state: TableState, event: e.SeatSettled, origin: Origin) -> None:
    state.terminal(event.seat).settled = event


def _round_voided(state: TableState, event: e.RoundVoided, origin: Origin) -> None:
    state.voided = event
    state.laid = {}
    state.results = [result for result in state.results if result.round != state.round.number]


def _cards_corrected(state: TableState, event: e.CardsCorrected) -> None:
    """The round may be open again; if it is only a suit that was wrong, its result stands."""
    if state.in_play:
        state.results = [result for result in state.results if result.round != state.round.number]


def _round_settled(state: TableState, event: e.RoundSettled) -> None:
    state.results.append(state.result())


# The table around the round.


def _opened(state: TableState, event: t.TableOpened, origin: Origin) -> None:
    state.status, state.why = Status.OPEN, ""


def _paused(state: TableState, event: t.TablePaused, origin: Origin) -> None:
    state.status, state.why = Status.PAUSED, event.why


def _resumed(state: TableState, event: t.TableResumed, origin: Origin) -> None:
    state.status, state.why = Status.OPEN, ""


def _closed(state: TableState, event: t.TableClosed, origin: Origin) -> None:
    state.status, state.why = Status.CLOSED, event.why


def _held(state: TableState, event: t.TableHeld, origin: Origin) -> None:
    state.held = True


def _continued(state: TableState, event: t.TableContinued, origin: Origin) -> None:
    state.held = False


def _limits_changed(state: TableState, event: t.LimitsChanged, origin: Origin) -> None:
    state.terms = Terms(
        betting_unit_cents=event.betting_unit_cents,
        limits={wager: Limit(*limit) for wager, limit in event.limits.items()},
        seat_min_cents=event.seat_min_cents,
        seat_max_cents=event.seat_max_cents,
        table_max_cents=event.table_max_cents,
    )
    if event.from_file:
        state.file_terms = state.terms


def _interruption_noted(state: TableState, event: t.InterruptionNoted, origin: Origin) -> None:
    state.interrupted = True


def _irregularity_reported(state: TableState, event: e.IrregularityReported, origin: Origin) -> None:
    if event.kind is Kind.TABLE_INTERRUPTION:
        state.interrupted = False


def _locked(state: TableState, event: t.TerminalLocked, origin: Origin) -> None:
    state.terminal(event.seat).locked = event.why


def _unlocked(state: TableState, event: t.TerminalUnlocked, origin: Origin) -> None:
    state.terminal(event.seat).locked = ""


def _voucher_issued(state: TableState, event: t.VoucherIssued, origin: Origin) -> None:
    state.terminal(event.seat).vouchers += 1


def _fault_raised(state: TableState, event: t.FaultRaised, origin: Origin) -> None:
    state.faults[event.fault] = event.detail


def _fault_cleared(state: TableState, event: t.FaultCleared, origin: Origin) -> None:
    state.faults.pop(event.fault, None)


def _shoe_committed(state: TableState, event: t.ShoeCommitted, origin: Origin) -> None:
    state.next_commitment = event.commitment


def _shoe_required(state: TableState, event: t.NewShoeRequired, origin: Origin) -> None:
    state.shoe_required = (event.why, event.paragraph)


_STEPS: Final[dict[type[e.Event], Callable[[TableState, Any, Origin], None]]] = {
    e.BettingOpened: _betting_opened,
    e.BetPlaced: lambda state, event, origin: _laid(state, event.seat, event.wager, event.stake, origin),
    e.BetIncreased: lambda state, event, origin: _laid(state, event.seat, event.wager, event.more, origin),
    e.BetTakenBack: lambda state, event, origin: _laid(state, event.seat, event.wager, -event.amount, origin),
    e.BetsCleared: _bets_cleared,
    e.BetsReturned: _bets_returned,
    e.SeatSettled: _seat_settled,
    e.SettlementReversed: _settlement_reversed,
    e.RoundVoided: _round_voided,
    t.TableOpened: _opened,
    t.TablePaused: _paused,
    t.TableResumed: _resumed,
    t.TableClosed: _closed,
    t.TableHeld: _held,
    t.TableContinued: _continued,
    t.LimitsChanged: _limits_changed,
    t.InterruptionNoted: _interruption_noted,
    e.IrregularityReported: _irregularity_reported,
    t.TerminalLocked: _locked,
    t.TerminalUnlocked: _unlocked,
    t.VoucherIssued: _voucher_issued,
    t.FaultRaised: _fault_raised,
    t.FaultCleared: _fault_cleared,
    t.ShoeCommitted: _shoe_committed,
    t.NewShoeRequired: _shoe_required,
}
_AFTER: Final[dict[type[e.Event], Callable[[TableState, Any], None]]] = {
    e.CardsCorrected: _cards_corrected,
    e.RoundSettled: _round_settled,
}
_OF_THE_ROUND: Final = frozenset(shape for shape in e.EVENTS.values() if shape.__module__ == e.__name__)
# The round does not move by these, so its timers do not start again.
_QUIET: Final = frozenset({e.BetPlaced, e.BetIncreased, e.BetTakenBack, e.BetsCleared, e.InsurancePlaced})
