"""A bill in escrow at a seat's bill acceptor: it becomes credit, or goes back to the player, and why."""

from typing import Final, NamedTuple

from natural9.core.events import Event
from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal import table_events
from natural9.table.commands import player_cards
from natural9.table.commands.cage import CashSigners, no_terminal, over_limit, too_much
from natural9.table.commands.protection import refuses_credit
from natural9.table.commands.refusals import TableCode
from natural9.table.state.state import TableState
from natural9.table.venue.cash import NO_CASH_LIMITS, CashLimits


class BillFacts(NamedTuple):
    """What lies outside the table when a bill comes."""

    cash_box: str = ""  # that is in the acceptor, as a desk is called; "" where none is
    most_credit_cents: int = MAX_CENTS  # up to which bills are taken
    cash: CashLimits = NO_CASH_LIMITS
    has_terminal: bool = True


NO_BILLS: Final = BillFacts()


def insert_bill(state: TableState, seat: int, cents: int, facts: BillFacts, table_ms: int) -> list[Event] | Refusal:
    """Credit that nobody counted but the device; the terminal's own state was looked at before."""
    at_seat = state.terminal(seat)
    if at_seat.card and at_seat.card.is_barred:
        return player_cards.is_barred()
    if at_seat.session and (refusal := refuses_credit(state, seat, at_seat.session, table_ms)):
        return refusal
    if not facts.has_terminal:
        return no_terminal(seat)
    if not facts.cash_box:
        none = say("No cash box is in the bill acceptor: ask the staff, or buy credit at the cash desk")
        return Refusal(TableCode.DRAWER_NOT_OPEN, none)
    if refusal := over_limit(facts.cash, cents, CashSigners(facts.cash_box)):
        return refusal
    if at_seat.credit_cents + cents > facts.most_credit_cents:
        most = show_cents(facts.most_credit_cents)
        why = say("Bills are taken up to {most} of credit: buy more at the cash desk", most=most)
        return Refusal(TableCode.BAD_AMOUNT, why)
    return too_much(state, seat, cents) or [
        table_events.CreditBought(seat=seat, cents=cents, desk=facts.cash_box, signed_by="")
    ]
