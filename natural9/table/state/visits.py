"""Visits: who sits here that belongs to another table, and what a terminal of this one has at others.

Changed by events only. A visitor's seats are numbered above all own seats, and given once and for ever.
"""

from typing import TYPE_CHECKING, NamedTuple

from natural9.core.round import events as round_events
from natural9.journal import visit_events
from natural9.journal.accounts import TransferKind, transit_account
from natural9.journal.visit_events import VisitEvent
from natural9.store.contract import Transfer
from natural9.table.venue.tables import MOST_OWN_SEATS

if TYPE_CHECKING:
    from natural9.table.state.state import TableState


class SeatPlace(NamedTuple):
    """A seat of the floor."""

    table: str
    seat: int


def next_visitors_seat(state: "TableState") -> int:
    return MOST_OWN_SEATS + 1 + len(state.visitors)


def visit_transfers(state: "TableState", event: VisitEvent) -> tuple[Transfer, ...]:
    """What a visit moves, given the state before it; nothing where all was lost."""
    if isinstance(event, visit_events.VisitorSeated) or not event.cents:
        return ()
    credit, table = state.terminal(event.seat).account, state.table
    match event:
        case visit_events.CreditTakenAlong():
            way = transit_account(event.to_table, event.to_seat)
            return (Transfer(TransferKind.CREDIT_SENT, credit, way, event.cents),)
        case visit_events.CreditSentHome():
            return (Transfer(TransferKind.CREDIT_SENT, credit, transit_account(table, event.seat), event.cents),)
        case visit_events.CreditBrought():
            return (Transfer(TransferKind.CREDIT_RECEIVED, transit_account(table, event.seat), credit, event.cents),)
        case visit_events.CreditCameHome():
            way = transit_account(event.from_table, event.from_seat)
            return (Transfer(TransferKind.CREDIT_RECEIVED, way, credit, event.cents),)


def evolve_visit(state: "TableState", event: VisitEvent) -> None:
    """The money itself has moved already."""
    terminal = state.terminal(event.seat)
    terminal.session_view = None
    match event:
        case visit_events.VisitorSeated():
            terminal.home = SeatPlace(event.home_table, event.home_seat)
            state.visitors[terminal.home] = event.seat
        case visit_events.CreditTakenAlong():
            terminal.sent += 1
            terminal.away_cents += event.cents
        case visit_events.CreditBrought():
            terminal.brought_cents += event.cents
        case visit_events.CreditSentHome():
            terminal.sent += 1
            terminal.brought_cents -= event.decided_cents
            terminal.visit_staked_cents -= event.staked_cents
            terminal.visit_rounds -= event.rounds
        case visit_events.CreditCameHome():
            terminal.away_cents -= event.decided_cents
            if session := terminal.session:
                session.staked_cents += event.staked_cents
                session.rounds = max(0, session.rounds + event.rounds)


def visitor_was_settled(state: "TableState", event: round_events.SeatSettled | round_events.SettlementReversed) -> None:
    """What the own table of a visitor will be told of the round."""
    terminal = state.terminal(event.seat)
    if terminal.home is None:
        return
    if isinstance(event, round_events.SeatSettled):
        terminal.visit_staked_cents += event.staked_cents
        terminal.visit_rounds += 1
    else:
        terminal.visit_staked_cents -= state.round.seats[event.seat].staked_cents
        terminal.visit_rounds -= 1
