"""Credit between tables derived again: what is received was sent, once, whole, to that seat; what goes home is all."""

from collections.abc import Mapping

import msgspec

from natural9.core.events import Event
from natural9.journal import visit_events
from natural9.table.audit.derive import quote
from natural9.table.commands.visiting import (
    TRANSIT,
    Parcel,
    Transit,
    goes_home,
    next_transit,
    parcel_of,
    received,
    seat_visitor,
)
from natural9.table.state.state import TableState
from natural9.table.state.visits import SeatPlace

Wrong = tuple[str, str]  # what it says, and what it should say


class VisitAudit:
    """All that is on its way, as the journal tells it, and which seats are whose."""

    def __init__(self) -> None:
        self._transit = Transit()
        self._seats: dict[SeatPlace, SeatPlace] = {}  # a visitor's seat, and where the visitor belongs

    def wrong(self, state: TableState, event: Event) -> Wrong | None:
        """Given the state before it."""
        match event:
            case visit_events.VisitorSeated():
                return self._seated(state, event)
            case visit_events.CreditTakenAlong():
                return self._taken_along(state, event)
            case visit_events.CreditSentHome():
                due = goes_home(state, event.seat) if state.home_of(event.seat) else None
                return self._sent(state, event) if event == due else (quote(event), quote(due) if due else "nothing")
            case visit_events.CreditBrought() | visit_events.CreditCameHome():
                return self._received(state, event)
            case _:
                return None

    def _seated(self, state: TableState, event: visit_events.VisitorSeated) -> Wrong | None:
        home = SeatPlace(event.home_table, event.home_seat)
        if home in state.visitors or home.table == state.table:
            return f"{home.table} seat {home.seat} is seated", "nobody: it has a seat here"
        due = seat_visitor(state, home)
        if event != due:
            return f"the visitor has seat {event.seat}", f"seat {due.seat}: they are numbered without gaps"
        self._seats[SeatPlace(state.table, event.seat)] = home
        return None

    def _taken_along(self, state: TableState, event: visit_events.CreditTakenAlong) -> Wrong | None:
        to, home = SeatPlace(event.to_table, event.to_seat), SeatPlace(state.table, event.seat)
        if self._seats.get(to) != home:
            return (
                f"credit is taken along to {to.table} seat {to.seat}",
                "a seat of its own there",
            )
        if event.cents <= 0:
            return f"{event.cents} cents are taken along", "an amount"
        return self._sent(state, event)

    def _sent(
        self, state: TableState, event: visit_events.CreditTakenAlong | visit_events.CreditSentHome
    ) -> Wrong | None:
        due = next_transit(state, event.seat)
        if event.transit != due:
            return f"{event.transit} is sent", f"{due}: what is sent is numbered without gaps"
        self._transit.evolve(parcel_of(state, event), event)
        return None

    def _received(
        self, state: TableState, event: visit_events.CreditBrought | visit_events.CreditCameHome
    ) -> Wrong | None:
        parcel = self._transit.parcels.get(event.transit)
        if parcel is None:
            return f"{event.transit} is received", "nothing: it is not on its way"
        if parcel.receiver.table != state.table:
            return f"{event.transit} is received", f"it was sent to {parcel.receiver.table}"
        if event != received(parcel):
            return quote(event), quote(received(parcel))
        self._transit.evolve(None, event)
        return None

    def wrong_beside(self, stored: Mapping[str, bytes]) -> Wrong | None:
        """What is kept to be delivered is what is on its way."""
        for number in sorted({key.removeprefix(TRANSIT) for key in stored} | self._transit.parcels.keys()):
            kept, due = stored.get(TRANSIT + number), self._transit.parcels.get(number)
            if kept is None or due is None or kept != msgspec.json.encode(due):
                return f"of {number}, on its way: {_kept(kept)}", _due(due)
        return None


def _kept(kept: bytes | None) -> str:
    return "it is not kept" if kept is None else kept.decode(errors="replace")


def _due(due: Parcel | None) -> str:
    return "nothing is on its way" if due is None else msgspec.json.encode(due).decode()
