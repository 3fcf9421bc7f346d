"""Players' sessions derived again: no accepted bet goes beyond a limit, and every statement adds up."""

from natural9.core.events import Event
from natural9.core.money import show_cents
from natural9.core.round import events as round_events
from natural9.journal import session_events
from natural9.journal.session_events import OfSession, SeatReleased, SessionStarted
from natural9.journal.visit_events import CreditTakenAlong
from natural9.table.audit.findings import Wrong
from natural9.table.state.sessions import SEAT_OWNS, room_cents, session_ended, stakes_cents
from natural9.table.state.state import TableState


def wrong_session(state: TableState, event: Event) -> Wrong:
    """Given the state before it."""
    if isinstance(event, round_events.BetPlaced | round_events.InsurancePlaced | CreditTakenAlong):
        return _beyond_a_limit(state, event)
    if not isinstance(event, OfSession):
        return None
    table_ms: int = getattr(event, "table_ms", state.table_ms)
    if table_ms < state.table_ms:
        return f"the table has worked for {table_ms} ms", f"{state.table_ms} ms or more"
    seat: int | None = getattr(event, "seat", None)
    return None if seat is None else _wrong_at_seat(state, seat, event)


def _beyond_a_limit(
    state: TableState, event: round_events.BetPlaced | round_events.InsurancePlaced | CreditTakenAlong
) -> Wrong:
    session = state.terminal(event.seat).session
    if session is None or not session.is_watched:
        return None
    if session.waits_for:
        return f"seat {event.seat} bets", "nothing: play waits until the player has answered"
    room = room_cents(state, event.seat)
    if room is not None and event.cents > room:
        return f"seat {event.seat} bets {show_cents(event.cents)}", f"at most {show_cents(room)}, by its own limits"
    return None


def _wrong_at_seat(state: TableState, seat: int, event: OfSession) -> Wrong:
    session = state.terminal(seat).session
    if isinstance(event, SessionStarted):
        money = state.credit_cents(seat) + stakes_cents(state, seat)
        card = state.terminal(seat).card
        said = (event.session, event.in_cents, session is None, event.owner)
        should = (state.sessions + 1, money, True, card.player if card else SEAT_OWNS)
        return None if said == should else (_start(*said), _start(*should))
    if isinstance(event, SeatReleased) and state.terminal(seat).card:
        return None
    if session is None:
        return f"seat {seat} has a session", "it has none"
    if isinstance(event, SeatReleased):
        return None
    number: int = getattr(event, "session", 0)
    if number != session.number:
        return f"session {number}", f"session {session.number}"
    if isinstance(event, session_events.SessionEnded):
        should_end = session_ended(state, seat, session, event.table_ms)
        return None if event == should_end else (str(event), str(should_end))
    return None


def _start(number: int, cents: int, is_free: bool, owner: str) -> str:
    at = "without one" if is_free else "that has one"
    whose = "" if owner == SEAT_OWNS else f" for player {owner}"
    return f"session {number} begins with {show_cents(cents)} at a seat {at}{whose}"
