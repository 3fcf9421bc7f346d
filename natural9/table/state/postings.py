"""What each event moves: a stake is reserved, then lost, won or returned, and every transfer balances.

`transfers` is the only place where money moves. The writer posts what it says in the same transaction as the event,
and `verify` asks it again for every event of the journal.
"""

from collections.abc import Callable
from typing import Any, Final

from natural9.core.round import events as round_events
from natural9.core.wagers import Result
from natural9.journal import table_events
from natural9.journal.accounts import (
    TransferKind,
    credit_account,
    desk_account,
    house_account,
    owed_account,
    stake_account,
    voucher_account,
)
from natural9.store.contract import Transfer
from natural9.table.state.state import TableState

Transfers = tuple[Transfer, ...]


def transfers(state: TableState, event: round_events.Event) -> Transfers:
    """What this event moves, given the state before it."""
    move = _MOVES.get(type(event))
    return move(state, event) if move else ()


def _bet(state: TableState, seat: int, cents: int) -> Transfers:
    return (Transfer(TransferKind.BET, state.terminal(seat).account, state.stakes, cents),)


def _back(state: TableState, kind: TransferKind, seat: int, cents: int) -> Transfers:
    return (Transfer(kind, state.stakes, state.terminal(seat).account, cents),)


def _seat_settled(state: TableState, event: round_events.SeatSettled) -> Transfers:
    """Lost stakes go to the house, the others back with what the house pays on them; a debt is paid off first."""
    table, seat = state.config.id, event.seat
    credit, stake, house = credit_account(table, seat), stake_account(table), house_account(table)
    lost = sum([line.stake_cents for line in (*event.lines, *event.insurance) if line.result is Result.LOSE])
    kept = event.staked_cents - lost
    moved = []
    if lost:
        moved.append(Transfer(TransferKind.STAKE_LOST, stake, house, lost))
    if kept:
        moved.append(Transfer(TransferKind.STAKE_RETURNED, stake, credit, kept))
    if event.returned_cents > kept:
        moved.append(Transfer(TransferKind.WINNINGS, house, credit, event.returned_cents - kept))
    if state.terminal(seat).owed_cents and (repaid := _repaid(state, seat, event.returned_cents)).cents:
        moved.append(repaid)
    return tuple(moved)


def _bets_returned(state: TableState, event: round_events.BetsReturned) -> Transfers:
    moved = (*_back(state, TransferKind.BET_RETURNED, event.seat, event.cents), _repaid(state, event.seat, event.cents))
    return tuple([transfer for transfer in moved if transfer.cents])


def _repaid(state: TableState, seat: int, returned: int) -> Transfer:
    """What goes to a debt, of the credit that there is and what comes to it now."""
    terminal, table = state.terminal(seat), state.config.id
    cents = min(terminal.owed_cents, terminal.credit_cents + returned)
    return Transfer(TransferKind.OWED_REPAID, credit_account(table, seat), owed_account(table, seat), cents)


def _settlement_reversed(state: TableState, event: round_events.SettlementReversed) -> Transfers:
    """The whole stake lies on the table again; what the terminal no longer has is owed."""
    table, seat = state.config.id, event.seat
    credit, stake, house = credit_account(table, seat), stake_account(table), house_account(table)
    staked = state.round.seats[seat].staked_cents
    short = max(0, event.cents - state.terminal(seat).credit_cents)
    back = min(event.cents, staked)
    moved = (
        Transfer(TransferKind.OWED, owed_account(table, seat), credit, short),
        Transfer(TransferKind.STAKE_RETURNED_REVERSED, credit, stake, back),
        Transfer(TransferKind.WINNINGS_REVERSED, credit, house, event.cents - back),
        Transfer(TransferKind.STAKE_LOST_REVERSED, house, stake, staked - back),
    )
    return tuple([transfer for transfer in moved if transfer.cents])


def _voucher_issued(state: TableState, event: table_events.VoucherIssued) -> Transfers:
    credit = credit_account(state.config.id, event.seat)
    return (Transfer(TransferKind.VOUCHER_OUT, credit, voucher_account(event.number), event.cents),)


def _voucher_in(state: TableState, event: table_events.VoucherInserted | table_events.VoucherVoided) -> Transfers:
    kind = TransferKind.VOUCHER_IN if isinstance(event, table_events.VoucherInserted) else TransferKind.VOUCHER_VOIDED
    credit = credit_account(state.config.id, event.seat)
    return (Transfer(kind, voucher_account(event.number), credit, event.cents),)


def _credit_bought(state: TableState, event: table_events.CreditBought) -> Transfers:
    credit = credit_account(state.config.id, event.seat)
    return (Transfer(TransferKind.BUY_IN, desk_account(event.desk), credit, event.cents),)


def _hand_paid(state: TableState, event: table_events.HandPaid) -> Transfers:
    credit = credit_account(state.config.id, event.seat)
    return (Transfer(TransferKind.HAND_PAY, credit, desk_account(event.desk), event.cents),)


def voucher_paid(event: table_events.VoucherPaid) -> Transfers:
    """A voucher paid at the desk moves no table's money."""
    return (Transfer(TransferKind.VOUCHER_PAID, voucher_account(event.number), desk_account(event.desk), event.cents),)


_MOVES: Final[dict[type[round_events.Event], Callable[[TableState, Any], Transfers]]] = {
    round_events.BetPlaced: lambda state, event: _bet(state, event.seat, event.cents),
    round_events.BetIncreased: lambda state, event: _bet(state, event.seat, event.cents),
    round_events.InsurancePlaced: lambda state, event: _bet(state, event.seat, event.cents),
    round_events.BetTakenBack: lambda state, event: _back(state, TransferKind.BET_TAKEN_BACK, event.seat, event.cents),
    round_events.BetsCleared: lambda state, event: _back(state, TransferKind.BET_TAKEN_BACK, event.seat, event.cents),
    round_events.InsuranceReturned: lambda state, event: _back(
        state, TransferKind.BET_RETURNED, event.seat, event.cents
    ),
    round_events.BetsReturned: _bets_returned,
    round_events.SeatSettled: _seat_settled,
    round_events.SettlementReversed: _settlement_reversed,
    table_events.CreditBought: _credit_bought,
    table_events.HandPaid: _hand_paid,
    table_events.VoucherIssued: _voucher_issued,
    table_events.VoucherInserted: _voucher_in,
    table_events.VoucherVoided: _voucher_in,
    table_events.VoucherPaid: lambda state, event: voucher_paid(event),
}
