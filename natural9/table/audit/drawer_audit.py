"""Every drawer counted again: what its opening and closing say must follow from the cash that went through it."""

from collections.abc import Iterable, Mapping

import msgspec

from natural9.journal.accounts import DESKS, cash_box
from natural9.journal.venue_events import DrawerClosed, DrawerEvent, DrawerFilled, DrawerOpened, DrawerReturned
from natural9.store.contract import Transfer, Written
from natural9.table.state.drawers import DRAWER, CashTotals, OpenDrawer, after, closed, may_not, no_box_moves, opened
from natural9.table.state.postings import drawer_moves


class DrawerAudit:
    def __init__(self) -> None:
        self._totals: dict[str, CashTotals] = {}
        self._open: dict[str, OpenDrawer] = {}

    def note(self, transfers: Iterable[Transfer]) -> None:
        """The cash that any entry moved at a desk."""
        for moved in transfers:
            account = moved.source if moved.source.startswith(DESKS) else moved.target
            if account.startswith(DESKS):
                desk = account.removeprefix(DESKS)
                self._totals[desk] = self._of(desk).and_transfer(moved)

    def wrong(self, event: DrawerEvent, written: Written, by: str) -> tuple[str, str] | None:
        """What the entry says and what it should, if those are two things; before its own cash is noted."""
        desk, totals = event.desk, self._of(event.desk)
        drawer = self._open.get(desk)
        if refusal := may_not(event, drawer, totals):
            return f"{event.describe()}", f"nothing: {refusal.message}"
        if wrong := _wrong_hands(event, drawer, by):
            return wrong
        due: DrawerEvent = event
        if isinstance(event, DrawerOpened):
            due = opened(desk, event.cents, event.signed_by, totals)
        elif isinstance(event, DrawerClosed) and drawer is not None:
            due = closed(drawer, event.counted_cents, event.signed_by, totals)
        if due != event:
            return f"{event}", f"{due}"
        if written.transfers != drawer_moves(event):
            return f"it moves {list(written.transfers)}", f"it moves {list(drawer_moves(event))}"
        now = after(event, drawer, totals, written.at_ms)
        self._open.pop(desk, None)
        if now is not None:
            self._open[desk] = now
        return None

    def wrong_beside(self, stored: Mapping[str, bytes]) -> tuple[str, str] | None:
        """The open drawers that are kept beside the journal are those that it opened and did not close."""
        due = {DRAWER + desk: msgspec.json.encode(drawer) for desk, drawer in self._open.items()}
        if dict(stored) == due:
            return None
        names = sorted(key for key in {*stored, *due} if stored.get(key) != due.get(key))
        return f"of {names[0]}: {stored.get(names[0], b'nothing').decode()}", due.get(names[0], b"nothing").decode()

    def _of(self, desk: str) -> CashTotals:
        return self._totals.get(desk, CashTotals())


def _wrong_hands(event: DrawerEvent, drawer: OpenDrawer | None, by: str) -> tuple[str, str] | None:
    """A drawer is its cashier's own; a cash box is nobody's, and takes two."""
    box = cash_box(event.desk)
    if box is None:
        return None if by == event.desk else (f"{by} moves the drawer of {event.desk}", "everybody moves their own")
    if refusal := no_box_moves(event, drawer, by):
        return f"{event.describe()}", f"nothing: {refusal.message}"
    if isinstance(event, DrawerFilled | DrawerReturned) or (isinstance(event, DrawerOpened) and event.cents):
        return f"{event.describe()}", "nothing but bills goes into a cash box, and its count takes all"
    return None
