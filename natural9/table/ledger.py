"""What each event moves: a stake is reserved, then lost, won or returned, and every transfer balances.

`transfers` is the only place where money moves. The writer posts what it says in the same transaction as the event,
and `verify` asks it again for every event of the journal.
"""

from collections.abc import Callable
from typing import Any, Final

from natural9.core.round import events as e
from natural9.core.wagers import Result
from natural9.store.contract import Transfer
from natural9.table import events as t
from natural9.table.accounts import (
    credit_account,
    desk_account,
    house_account,
    owed_account,
    stake_account,
    voucher_account,
)
from natural9.table.state import TableState

Transfers = tuple[Transfer, ...]


def transfers(state: TableState, event: e.Event) -> Transfers:
    """What this event moves, given the state before it."""
    move = _MOVES.get(type(event))
    return move(state, event) if move else ()


def _bet(state: TableState, seat: int, cents: int) -> Transfers:
    return (Transfer("bet", state.terminal(seat).account, state.stakes, cents),)


def _back(state: TableState, kind: str, seat: int, cents: int) -> Transfers:
    return (Transfer(kind, state.stakes, state.terminal(seat).account, cents),)


def _seat_settled(state: TableState, event: e.SeatSettled) -> Transfers:
    """Lost stakes go to the house, the others back with what the house pays on them; a debt is paid off first."""
    table, seat = state.config.id, event.seat
    credit, stake, house = credit_account(table, seat), stake_account(table), house_account(table)
    lost = sum([line.stake for line in (*event.lines, *event.insurance) if line.result is Result.LOSE])
    kept = event.staked - lost
    moved = []
    if lost:
        moved.append(Transfer("stake-lost", stake, house, lost))
    if kept:
        moved.append(Transfer("stake-returned", stake, credit, kept))
    if event.returned > kept:
        moved.append(Transfer("winnings", house, credit, event.returned - kept))
    if state.terminal(seat).owed and (repaid := _repaid(state, seat, event.returned)).cents:
        moved.append(repaid)
    return tuple(moved)


def _bets_returned(state: TableState, event: e.BetsReturned) -> Transfers:
    moved = (*_back(state, "bet-returned", event.seat, event.returned), _repaid(state, event.seat, event.returned))
    return tuple([transfer for transfer in moved if transfer.cents])


def _repaid(state: TableState, seat: int, returned: int) -> Transfer:
    """What goes to a debt, of the credit that there is and what comes to it now."""
    terminal, table = state.terminal(seat), state.config.id
    cents = min(terminal.owed, terminal.credit + returned)
    return Transfer("owed-repaid", credit_account(table, seat), owed_account(table, seat), cents)


def _settlement_reversed(state: TableState, event: e.SettlementReversed) -> Transfers:
    """The whole stake lies on the table again; what the terminal no longer has is owed."""
    table, seat = state.config.id, event.seat
    credit, stake, house = credit_account(table, seat), stake_account(table), house_account(table)
    staked = state.round.seats[seat].staked
    short = max(0, event.returned - state.terminal(seat).credit)
    back = min(event.returned, staked)
    moved = (
        Transfer("owed", owed_account(table, seat), credit, short),
        Transfer("stake-returned-reversed", credit, stake, back),
        Transfer("winnings-reversed", credit, house, event.returned - back),
        Transfer("stake-lost-reversed", house, stake, staked - back),
    )
    return tuple([transfer for transfer in moved if transfer.cents])


def _voucher_issued(state: TableState, event: t.VoucherIssued) -> Transfers:
    credit = credit_account(state.config.id, event.seat)
    return (Transfer("voucher-out", credit, voucher_account(event.number), event.cents),)


def _voucher_in(state: TableState, event: t.VoucherInserted | t.VoucherVoided) -> Transfers:
    kind = "voucher-in" if isinstance(event, t.VoucherInserted) else "voucher-voided"
    credit = credit_account(state.config.id, event.seat)
    return (Transfer(kind, voucher_account(event.number), credit, event.cents),)


def _credit_bought(state: TableState, event: t.CreditBought) -> Transfers:
    credit = credit_account(state.config.id, event.seat)
    return (Transfer("buy-in", desk_account(event.desk), credit, event.cents),)


def _hand_paid(state: TableState, event: t.HandPaid) -> Transfers:
    credit = credit_account(state.config.id, event.seat)
    return (Transfer("hand-pay", credit, desk_account(event.desk), event.cents),)


def voucher_paid(event: t.VoucherPaid) -> Transfers:
    """A voucher paid at the desk moves no table's money."""
    return (Transfer("voucher-paid", voucher_account(event.number), desk_account(event.desk), event.cents),)


_MOVES: Final[dict[type[e.Event], Callable[[TableState, Any], Transfers]]] = {
    e.BetPlaced: lambda state, event: _bet(state, event.seat, event.stake),
    e.BetIncreased: lambda state, event: _bet(state, event.seat, event.more),
    e.InsurancePlaced: lambda state, event: _bet(state, event.seat, event.stake),
    e.BetTakenBack: lambda state, event: _back(state, "bet-taken-back", event.seat, event.amount),
    e.BetsCleared: lambda state, event: _back(state, "bet-taken-back", event.seat, event.returned),
    e.InsuranceReturned: lambda state, event: _back(state, "bet-returned", event.seat, event.stake),
    e.BetsReturned: _bets_returned,
    e.SeatSettled: _seat_settled,
    e.SettlementReversed: _settlement_reversed,
    t.CreditBought: _credit_bought,
    t.HandPaid: _hand_paid,
    t.VoucherIssued: _voucher_issued,
    t.VoucherInserted: _voucher_in,
    t.VoucherVoided: _voucher_in,
    t.VoucherPaid: lambda state, event: voucher_paid(event),
}
