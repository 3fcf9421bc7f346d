"""What each event moves: a stake is reserved, then lost, won or returned, and every transfer balances.

`transfers` is the only place where money moves. The writer posts what it says in the same transaction as the event,
and `verify` asks it again for every event of the journal.
"""

from typing import Final, cast

from natural9.core.events import Event
from natural9.core.round import events as round_events
from natural9.core.wagers import Result
from natural9.journal import table_events
from natural9.journal.accounts import (
    VAULT,
    TransferKind,
    credit_account,
    desk_account,
    house_account,
    owed_account,
    short_account,
    stake_account,
    voucher_account,
)
from natural9.journal.venue_events import (
    DrawerClosed,
    DrawerEvent,
    DrawerFilled,
    DrawerOpened,
    DrawerReturned,
    VoucherPaid,
)
from natural9.journal.visit_events import OfVisit, VisitEvent
from natural9.store.contract import Transfer
from natural9.table.state.state import TableState
from natural9.table.state.visits import visit_transfers

Transfers = tuple[Transfer, ...]
# A plain text is written faster, and most transfers are these.
_BET: Final = TransferKind.BET.value
_LOST: Final = TransferKind.STAKE_LOST.value
_RETURNED: Final = TransferKind.STAKE_RETURNED.value
_WINNINGS: Final = TransferKind.WINNINGS.value


def transfers(state: TableState, event: Event) -> Transfers:
    """What this event moves, given the state before it."""
    if not event.MOVES_MONEY:
        return ()
    match event:
        case round_events.BetPlaced() | round_events.InsurancePlaced():
            return (bet_transfer(state.terminal(event.seat).account, state.stakes, event.cents),)
        case round_events.SeatSettled():
            return _seat_settled(state, event)
        case round_events.BetTakenBack() | round_events.BetsCleared():
            return _back(state, TransferKind.BET_TAKEN_BACK, event.seat, event.cents)
        case round_events.BetVoided():
            return _bets_returned(state, event)
        case round_events.BetRestored():
            return _taken(state, event.seat, event.cents, TransferKind.BET_RESTORED, state.stakes)
        case round_events.BetRuled():
            return _ruled(state, event)
        case round_events.EarlierSeatSettled():
            return _earlier_seat_settled(state, event)
        case round_events.InsuranceReturned():
            return _back(state, TransferKind.BET_RETURNED, event.seat, event.cents)
        case round_events.BetsReturned():
            return _bets_returned(state, event)
        case round_events.SettlementReversed():
            return _settlement_reversed(state, event)
        case table_events.CreditBought():
            return (Transfer(TransferKind.BUY_IN, desk_account(event.desk), _credit(state, event.seat), event.cents),)
        case table_events.HandPaid():
            return (Transfer(TransferKind.HAND_PAY, _credit(state, event.seat), desk_account(event.desk), event.cents),)
        case table_events.VoucherIssued():
            return (
                Transfer(
                    TransferKind.VOUCHER_OUT, _credit(state, event.seat), voucher_account(event.number), event.cents
                ),
            )
        case table_events.VoucherInserted():
            return (
                Transfer(
                    TransferKind.VOUCHER_IN, voucher_account(event.number), _credit(state, event.seat), event.cents
                ),
            )
        case table_events.VoucherVoided():
            return (
                Transfer(
                    TransferKind.VOUCHER_VOIDED, voucher_account(event.number), _credit(state, event.seat), event.cents
                ),
            )
        case OfVisit():
            return visit_transfers(state, cast(VisitEvent, event))
        case _:
            raise AssertionError(f"{event.TAG} is declared to move money, and nothing here says which")


def bet_transfer(account: str, stakes: str, cents: int) -> Transfer:
    """What a bet reserves. (As a call of `Transfer` would make it, in a third of the time.)"""
    return tuple.__new__(Transfer, (_BET, account, stakes, cents))


def _credit(state: TableState, seat: int) -> str:
    return state.terminal(seat).account


def _back(state: TableState, kind: TransferKind, seat: int, cents: int) -> Transfers:
    return (Transfer(kind, state.stakes, state.terminal(seat).account, cents),)


def _seat_settled(state: TableState, event: round_events.SeatSettled) -> Transfers:
    """Lost stakes go to the house, the others back with what the house pays on them; a debt is paid off first."""
    terminal = state.terminal(event.seat)
    credit, stake, house = terminal.account, state.stakes, state.house
    lost = sum([line.stake_cents for line in (*event.lines, *event.insurance) if line.result is Result.LOSE])
    kept = event.staked_cents - lost
    moved = []
    if lost:
        moved.append(Transfer(_LOST, stake, house, lost))
    if kept:
        moved.append(Transfer(_RETURNED, stake, credit, kept))
    if event.returned_cents > kept:
        moved.append(Transfer(_WINNINGS, house, credit, event.returned_cents - kept))
    if terminal.owed_cents and (repaid := _repaid(state, event.seat, event.returned_cents)).cents:
        moved.append(repaid)
    return tuple(moved)


def _taken(state: TableState, seat: int, cents: int, kind: TransferKind, target: str) -> Transfers:
    """From a terminal's credit; what it no longer has is owed."""
    credit = _credit(state, seat)
    short = max(0, cents - state.terminal(seat).credit_cents)
    moved = (
        Transfer(TransferKind.OWED, owed_account(state.table, seat), credit, short),
        Transfer(kind, credit, target, cents),
    )
    return tuple([transfer for transfer in moved if transfer.cents])


def _ruled(state: TableState, event: round_events.BetRuled) -> Transfers:
    """The difference to what the bet had returned."""
    house, more = house_account(state.table), event.returned_cents - event.was_cents
    if more < 0:
        return _taken(state, event.seat, -more, TransferKind.RULING, house)
    moved = (Transfer(TransferKind.RULING, house, _credit(state, event.seat), more), _repaid(state, event.seat, more))
    return tuple([transfer for transfer in moved if transfer.cents])


def _earlier_seat_settled(state: TableState, event: round_events.EarlierSeatSettled) -> Transfers:
    """The old settlement is reversed and the new one made, in one step: only the difference touches the credit."""
    table, seat = state.table, event.seat
    credit, stake, house = credit_account(table, seat), stake_account(table), house_account(table)
    was_back, is_back = min(event.was_cents, event.staked_cents), min(event.returned_cents, event.staked_cents)
    stake_more = is_back - was_back
    win_more = (event.returned_cents - is_back) - (event.was_cents - was_back)
    short = max(0, -(stake_more + win_more) - state.terminal(seat).credit_cents)
    moved = (  # what comes to the credit before what is taken from it
        Transfer(TransferKind.STAKE_LOST_REVERSED, house, stake, max(0, stake_more)),
        Transfer(TransferKind.STAKE_RETURNED, stake, credit, max(0, stake_more)),
        Transfer(TransferKind.WINNINGS, house, credit, max(0, win_more)),
        Transfer(TransferKind.OWED, owed_account(table, seat), credit, short),
        Transfer(TransferKind.STAKE_RETURNED_REVERSED, credit, stake, max(0, -stake_more)),
        Transfer(TransferKind.STAKE_LOST, stake, house, max(0, -stake_more)),
        Transfer(TransferKind.WINNINGS_REVERSED, credit, house, max(0, -win_more)),
    )
    more = stake_more + win_more
    repaid = [_repaid(state, seat, more)] if more >= 0 else []  # what is taken leaves no more for a debt than there is
    return tuple([transfer for transfer in (*moved, *repaid) if transfer.cents])


def _bets_returned(state: TableState, event: round_events.BetsReturned | round_events.BetVoided) -> Transfers:
    moved = (*_back(state, TransferKind.BET_RETURNED, event.seat, event.cents), _repaid(state, event.seat, event.cents))
    return tuple([transfer for transfer in moved if transfer.cents])


def _repaid(state: TableState, seat: int, returned: int) -> Transfer:
    """What goes to a debt, of the credit that there is and what comes to it now."""
    terminal, table = state.terminal(seat), state.table
    cents = min(terminal.owed_cents, terminal.credit_cents + returned)
    return Transfer(TransferKind.OWED_REPAID, credit_account(table, seat), owed_account(table, seat), cents)


def _settlement_reversed(state: TableState, event: round_events.SettlementReversed) -> Transfers:
    """The whole stake lies on the table again; what the terminal no longer has is owed."""
    table, seat = state.table, event.seat
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


def drawer_moves(event: DrawerEvent) -> Transfers:
    """Between a drawer and the vault. What a count finds missing or too much is the cashier's own account's."""
    desk, moved = desk_account(event.desk), list[Transfer]()
    match event:
        case DrawerOpened():
            moved = [Transfer(TransferKind.DRAWER_FLOAT, desk, VAULT, event.cents)]
        case DrawerFilled():
            moved = [Transfer(TransferKind.DRAWER_FILL, desk, VAULT, event.cents)]
        case DrawerReturned():
            moved = [Transfer(TransferKind.DRAWER_RETURN, VAULT, desk, event.cents)]
        case DrawerClosed():
            short, expected, over = short_account(event.desk), event.expected_cents, event.over_cents
            moved = [  # of each two, one is nothing
                Transfer(TransferKind.DRAWER_CLOSED, VAULT, desk, expected),
                Transfer(TransferKind.DRAWER_CLOSED, desk, VAULT, -expected),
                Transfer(TransferKind.DRAWER_SHORT, short, VAULT, -over),
                Transfer(TransferKind.DRAWER_OVER, VAULT, short, over),
            ]
    return tuple([transfer for transfer in moved if transfer.cents > 0])


def voucher_paid(event: VoucherPaid) -> Transfers:
    """A voucher paid at the desk moves no table's money."""
    return (Transfer(TransferKind.VOUCHER_PAID, voucher_account(event.number), desk_account(event.desk), event.cents),)
