"""Credit between tables over the whole venue: what is received was sent, once, whole, to that seat."""

from collections.abc import Mapping

import msgspec

from natural9.journal import visit_events
from natural9.table.audit.derive import quote
from natural9.table.audit.findings import Wrong
from natural9.table.commands.visiting import TRANSIT, Parcel, Transit, received
from natural9.table.state.visits import SeatPlace


class TransitAudit:
    """All that is on its way, as the journal tells it, and which seats are whose."""

    def __init__(self) -> None:
        self._transit = Transit()
        self._seats: dict[SeatPlace, SeatPlace] = {}  # a visitor's seat, and where the visitor belongs

    def seated(self, place: SeatPlace, home: SeatPlace) -> Wrong:
        self._seats[place] = home
        return None

    def taken_along(self, parcel: Parcel, event: visit_events.CreditTakenAlong, otherwise: Wrong) -> Wrong:
        """`otherwise`: what its own table finds wrong with it."""
        if self._seats.get(parcel.receiver) != parcel.sender:
            table, seat = parcel.receiver
            return f"credit is taken along to {table} seat {seat}", "a seat of its own there"
        return otherwise or self.sent(parcel, event)

    def sent(self, parcel: Parcel, event: visit_events.CreditTakenAlong | visit_events.CreditSentHome) -> Wrong:
        self._transit.evolve(parcel, event)
        return None

    def received(self, table: str, event: visit_events.CreditBrought | visit_events.CreditCameHome) -> Wrong:
        parcel = self._transit.parcels.get(event.transit)
        if parcel is None:
            return f"{event.transit} is received", "nothing: it is not on its way"
        if parcel.receiver.table != table:
            return f"{event.transit} is received", f"it was sent to {parcel.receiver.table}"
        if event != received(parcel):
            return quote(event), quote(received(parcel))
        self._transit.evolve(None, event)
        return None

    def wrong_beside(self, stored: Mapping[str, bytes]) -> Wrong:
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
