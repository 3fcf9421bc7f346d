"""Evolve a table's state by one event, in place. It never refuses: the journal is replayed through it."""

from collections.abc import Callable
from typing import Any, Final

from natural9.core.irregularities import Kind
from natural9.core.round import events as round_events
from natural9.core.round.evolve import evolve as evolve_round
from natural9.journal import table_events
from natural9.journal.line import Origin
from natural9.store.contract import Transfer
from natural9.table.state.state import Change, Status, TableState
from natural9.table.venue.venue import TableLimits


def evolve(
    state: TableState, event: round_events.Event, moved: tuple[Transfer, ...], origin: Origin, at_ms: int
) -> None:
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
        terminal.credit_cents += cents
        return
    if account == state.stakes:  # no terminal's: most transfers have it on one side
        return
    kind, _, owner = account.partition("/")
    if kind == "credit":
        state.terminal(_seat(owner)).credit_cents += cents
    elif kind == "owed":  # a debt is an account below zero
        state.terminal(_seat(owner)).owed_cents -= cents


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


def _bets_cleared(state: TableState, event: round_events.BetsCleared, origin: Origin) -> None:
    for wager, stake in state.round.seats[event.seat].bets.items():
        _laid(state, event.seat, wager, -stake, origin)


def _bets_returned(state: TableState, event: round_events.BetsReturned, origin: Origin) -> None:
    terminal = state.terminal(event.seat)
    terminal.returned_cents, terminal.settled = event.cents, None
    terminal.last_bets = dict(state.round.seats[event.seat].bets)  # a void round's bets can be laid again, too


def _betting_opened(state: TableState, event: round_events.BettingOpened, origin: Origin) -> None:
    for seat, at_seat in state.round.seats.items():
        state.terminal(seat).last_bets = dict(at_seat.bets)
    for terminal in state.terminals.values():
        terminal.changes, terminal.undone = [], ""
        terminal.settled = None
        terminal.returned_cents = 0
    if state.round.new_shoe:
        state.results = []
        state.commitment, state.next_commitment = state.next_commitment, ""
        state.shoe_required = None
    state.laid, state.voided, state.interrupted = {}, None, False
    state.rules_sha256 = event.rules_sha256


def _settlement_reversed(state: TableState, event: round_events.SettlementReversed, origin: Origin) -> None:
    state.terminal(event.seat).settled = None


def _seat_settled(state: TableState, event: round_events.SeatSettled, origin: Origin) -> None:
    state.terminal(event.seat).settled = event


def _round_voided(state: TableState, event: round_events.RoundVoided, origin: Origin) -> None:
    state.voided = event
    state.laid = {}
    state.results = [result for result in state.results if result.round != state.round.number]


def _cards_corrected(state: TableState, event: round_events.CardsCorrected) -> None:
    """The round may be open again; if it is only a suit that was wrong, its result stands."""
    if state.in_play:
        state.results = [result for result in state.results if result.round != state.round.number]


def _round_settled(state: TableState, event: round_events.RoundSettled) -> None:
    state.results.append(state.result())


# The table around the round.


def _opened(state: TableState, event: table_events.TableOpened, origin: Origin) -> None:
    state.status, state.why = Status.OPEN, ""


def _paused(state: TableState, event: table_events.TablePaused, origin: Origin) -> None:
    state.status, state.why = Status.PAUSED, event.why


def _resumed(state: TableState, event: table_events.TableResumed, origin: Origin) -> None:
    state.status, state.why = Status.OPEN, ""


def _closed(state: TableState, event: table_events.TableClosed, origin: Origin) -> None:
    state.status, state.why = Status.CLOSED, event.why


def _held(state: TableState, event: table_events.TableHeld, origin: Origin) -> None:
    state.held = True


def _continued(state: TableState, event: table_events.TableContinued, origin: Origin) -> None:
    state.held = False


def _limits_changed(state: TableState, event: table_events.LimitsChanged, origin: Origin) -> None:
    state.limits = TableLimits(
        betting_unit_cents=event.betting_unit_cents,
        by_wager=event.limits,
        seat_min_cents=event.seat_min_cents,
        seat_max_cents=event.seat_max_cents,
        table_max_cents=event.table_max_cents,
    )
    if event.from_file:
        state.file_limits = state.limits


def _interruption_noted(state: TableState, event: table_events.InterruptionNoted, origin: Origin) -> None:
    state.interrupted = True


def _irregularity_reported(state: TableState, event: round_events.IrregularityReported, origin: Origin) -> None:
    if event.kind is Kind.TABLE_INTERRUPTION:
        state.interrupted = False


def _locked(state: TableState, event: table_events.TerminalLocked, origin: Origin) -> None:
    state.terminal(event.seat).locked = event.why


def _unlocked(state: TableState, event: table_events.TerminalUnlocked, origin: Origin) -> None:
    state.terminal(event.seat).locked = ""


def _voucher_issued(state: TableState, event: table_events.VoucherIssued, origin: Origin) -> None:
    state.terminal(event.seat).vouchers += 1


def _fault_raised(state: TableState, event: table_events.FaultRaised, origin: Origin) -> None:
    state.faults[event.fault] = event.detail


def _fault_cleared(state: TableState, event: table_events.FaultCleared, origin: Origin) -> None:
    state.faults.pop(event.fault, None)


def _shoe_committed(state: TableState, event: table_events.ShoeCommitted, origin: Origin) -> None:
    state.next_commitment = event.commitment


def _shoe_required(state: TableState, event: table_events.NewShoeRequired, origin: Origin) -> None:
    state.shoe_required = (event.why, event.paragraph)


_STEPS: Final[dict[type[round_events.Event], Callable[[TableState, Any, Origin], None]]] = {
    round_events.BettingOpened: _betting_opened,
    round_events.BetPlaced: lambda state, event, origin: _laid(state, event.seat, event.wager, event.cents, origin),
    round_events.BetIncreased: lambda state, event, origin: _laid(state, event.seat, event.wager, event.cents, origin),
    round_events.BetTakenBack: lambda state, event, origin: _laid(state, event.seat, event.wager, -event.cents, origin),
    round_events.BetsCleared: _bets_cleared,
    round_events.BetsReturned: _bets_returned,
    round_events.SeatSettled: _seat_settled,
    round_events.SettlementReversed: _settlement_reversed,
    round_events.RoundVoided: _round_voided,
    table_events.TableOpened: _opened,
    table_events.TablePaused: _paused,
    table_events.TableResumed: _resumed,
    table_events.TableClosed: _closed,
    table_events.TableHeld: _held,
    table_events.TableContinued: _continued,
    table_events.LimitsChanged: _limits_changed,
    table_events.InterruptionNoted: _interruption_noted,
    round_events.IrregularityReported: _irregularity_reported,
    table_events.TerminalLocked: _locked,
    table_events.TerminalUnlocked: _unlocked,
    table_events.VoucherIssued: _voucher_issued,
    table_events.FaultRaised: _fault_raised,
    table_events.FaultCleared: _fault_cleared,
    table_events.ShoeCommitted: _shoe_committed,
    table_events.NewShoeRequired: _shoe_required,
}
_AFTER: Final[dict[type[round_events.Event], Callable[[TableState, Any], None]]] = {
    round_events.CardsCorrected: _cards_corrected,
    round_events.RoundSettled: _round_settled,
}
_OF_THE_ROUND: Final = frozenset(
    shape for shape in round_events.EVENTS.values() if shape.__module__ == round_events.__name__
)
# The round does not move by these, so its timers do not start again.
_QUIET: Final = frozenset(
    {
        round_events.BetPlaced,
        round_events.BetIncreased,
        round_events.BetTakenBack,
        round_events.BetsCleared,
        round_events.InsurancePlaced,
    }
)
