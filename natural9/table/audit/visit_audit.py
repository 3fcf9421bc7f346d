"""Visits at one table derived again: seats of visitors without gaps, what is sent numbered, all that goes home."""

from natural9.journal import visit_events
from natural9.journal.visit_events import VisitEvent
from natural9.table.audit.derive import quote
from natural9.table.audit.findings import Wrong
from natural9.table.audit.venue_audit import Tell, VenueAudit
from natural9.table.commands.visiting import goes_home, next_transit, parcel_of, seat_visitor
from natural9.table.state.state import TableState
from natural9.table.state.visits import SeatPlace


def wrong_visit(state: TableState, event: VisitEvent, tell: Tell) -> Wrong:
    """Given the state before it."""
    match event:
        case visit_events.VisitorSeated():
            return _seated(state, event, tell)
        case visit_events.CreditTakenAlong():
            return _taken_along(state, event, tell)
        case visit_events.CreditSentHome():
            return _sent_home(state, event, tell)
        case visit_events.CreditBrought() | visit_events.CreditCameHome():
            return tell(VenueAudit.received, state.table, event)


def _seated(state: TableState, event: visit_events.VisitorSeated, tell: Tell) -> Wrong:
    home = SeatPlace(event.home_table, event.home_seat)
    if home in state.visitors or home.table == state.table:
        return f"{home.table} seat {home.seat} is seated", "nobody: it has a seat here"
    due = seat_visitor(state, home)
    if event != due:
        return f"the visitor has seat {event.seat}", f"seat {due.seat}: they are numbered without gaps"
    return tell(VenueAudit.seated, SeatPlace(state.table, event.seat), home)


def _taken_along(state: TableState, event: visit_events.CreditTakenAlong, tell: Tell) -> Wrong:
    nothing = (f"{event.cents} cents are taken along", "an amount") if event.cents <= 0 else None
    parcel = parcel_of(state, event)
    assert parcel is not None, "what is taken along is on its way"
    return tell(VenueAudit.taken_along, parcel, event, nothing or _other_number(state, event))


def _sent_home(state: TableState, event: visit_events.CreditSentHome, tell: Tell) -> Wrong:
    due = goes_home(state, event.seat) if state.home_of(event.seat) else None
    if event != due:
        return quote(event), quote(due) if due else "nothing"
    parcel = parcel_of(state, event)
    assert parcel is not None, "what is sent home is on its way"
    return _other_number(state, event) or tell(VenueAudit.sent, parcel, event)


def _other_number(state: TableState, event: visit_events.CreditTakenAlong | visit_events.CreditSentHome) -> Wrong:
    due = next_transit(state, event.seat)
    if event.transit != due:
        return f"{event.transit} is sent", f"{due}: what is sent is numbered without gaps"
    return None
