"""A cashier's drawer from the float to the count: what lies in it, and what it must come to. Pure, as a round is."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from natural9.core.money import show_cents
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal.accounts import DESKS, TransferKind
from natural9.journal.venue_events import DrawerClosed, DrawerEvent, DrawerFilled, DrawerOpened, DrawerReturned
from natural9.store.contract import Meter, Transfer
from natural9.table.commands.refusals import TableCode

DRAWER: Final = "drawer/"  # under which an open one is kept beside the journal


class CashTotals(NamedTuple):
    """What went through a desk since its first day. Two of these differ by what went through it in between."""

    taken_in_cents: int = 0
    hand_paid_cents: int = 0
    vouchers_paid_cents: int = 0
    balance_cents: int = 0  # of its account: below zero by the cash that lies in the drawer

    def and_transfer(self, moved: Transfer) -> "CashTotals":
        """With one transfer more that the desk had a part in."""
        into_account = moved.cents if moved.target.startswith(DESKS) else -moved.cents
        total = self._replace(balance_cents=self.balance_cents + into_account)
        name = _NAMES.get(moved.kind)
        return total._replace(**{name: getattr(total, name) + moved.cents}) if name else total


_NAMES: Final = {
    str(TransferKind.BUY_IN): "taken_in_cents",
    str(TransferKind.HAND_PAY): "hand_paid_cents",
    str(TransferKind.VOUCHER_PAID): "vouchers_paid_cents",
}


def totals_of(meters: Iterable[Meter]) -> CashTotals:
    """From the meters of one desk's account."""
    totals = CashTotals()
    for meter in meters:
        totals = totals._replace(balance_cents=totals.balance_cents + meter.in_cents - meter.out_cents)
        if name := _NAMES.get(meter.kind):
            totals = totals._replace(**{name: getattr(totals, name) + meter.in_cents + meter.out_cents})
    return totals


class OpenDrawer(Struct, frozen=True, kw_only=True):
    desk: str
    opened_at_ms: int
    carried_cents: int  # what lay in it already
    float_cents: int
    filled_cents: int = 0
    returned_cents: int = 0
    before: CashTotals  # what had gone through it until then


def opened(desk: str, cents: int, signed_by: str, totals: CashTotals) -> DrawerOpened:
    return DrawerOpened(desk=desk, cents=cents, carried_cents=-totals.balance_cents, signed_by=signed_by)


def closed(drawer: OpenDrawer, counted_cents: int, signed_by: str, totals: CashTotals) -> DrawerClosed:
    """What went through it, what it must come to, and what was counted."""
    before = drawer.before
    return DrawerClosed(
        desk=drawer.desk,
        opened_at_ms=drawer.opened_at_ms,
        carried_cents=drawer.carried_cents,
        float_cents=drawer.float_cents,
        filled_cents=drawer.filled_cents,
        returned_cents=drawer.returned_cents,
        taken_in_cents=totals.taken_in_cents - before.taken_in_cents,
        hand_paid_cents=totals.hand_paid_cents - before.hand_paid_cents,
        vouchers_paid_cents=totals.vouchers_paid_cents - before.vouchers_paid_cents,
        expected_cents=-totals.balance_cents,
        counted_cents=counted_cents,
        signed_by=signed_by,
    )


def may_not(event: DrawerEvent, drawer: OpenDrawer | None, totals: CashTotals) -> Refusal | None:
    """Why this does not happen to a drawer that stands so."""
    match event:
        case DrawerOpened() if drawer is not None:
            return Refusal(TableCode.DRAWER_OPEN, say("Your drawer is open already: close it first"))
        case DrawerFilled() | DrawerReturned() | DrawerClosed() if drawer is None:
            return Refusal(TableCode.DRAWER_NOT_OPEN, say("Your drawer is not open: open it with its float first"))
        case DrawerFilled() | DrawerReturned() if event.cents <= 0:
            return Refusal(TableCode.BAD_AMOUNT, say("Say how much: more than nothing"))
        case DrawerReturned() if event.cents > -totals.balance_cents:
            holds = say("The drawer holds {cents}: return that much at most", cents=show_cents(-totals.balance_cents))
            return Refusal(TableCode.BAD_AMOUNT, holds)
        case _:
            return None


def no_box_moves(event: DrawerEvent, drawer: OpenDrawer | None, by: str) -> Refusal | None:
    """Why this does not happen to a cash box, whose bills nobody sits beside."""
    if not event.signed_by:
        two = say("Two people change and count a cash box: another person signs as well")
        return Refusal(TableCode.SIGNATURE_REQUIRED, two)
    if event.signed_by == by:
        return Refusal(TableCode.SIGNATURE_REQUIRED, say("Nobody signs for themselves: another person signs"))
    match event:
        case DrawerOpened() if not event.desk or drawer is not None:
            full = say("So many cash boxes of this acceptor wait to be counted: count one first")
            return Refusal(TableCode.DRAWER_OPEN, full)
        case DrawerClosed() if drawer is None:
            return Refusal(TableCode.DRAWER_NOT_OPEN, say("This cash box is counted already, and in no acceptor"))
        case _:
            return None


def after(event: DrawerEvent, drawer: OpenDrawer | None, totals: CashTotals, at_ms: int) -> OpenDrawer | None:
    """The drawer once this has happened; None when it is closed. `totals` are those before it."""
    match event:
        case DrawerOpened():
            return OpenDrawer(
                desk=event.desk,
                opened_at_ms=at_ms,
                carried_cents=event.carried_cents,
                float_cents=event.cents,
                before=totals,
            )
        case DrawerFilled():
            assert drawer is not None
            return replace(drawer, filled_cents=drawer.filled_cents + event.cents)
        case DrawerReturned():
            assert drawer is not None
            return replace(drawer, returned_cents=drawer.returned_cents + event.cents)
        case DrawerClosed():
            return None
