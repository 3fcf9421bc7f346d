"""The dealer's shift: who is signed on. It may change in any phase of a round, and no round waits for it."""

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.round.refusal import rank_too_low
from natural9.core.saying import say
from natural9.core.staff import Rank, Staff
from natural9.journal import table_events
from natural9.table.commands import staff
from natural9.table.commands.refusals import TableCode
from natural9.table.state.state import Status, TableState

Decision = list[Event] | Refusal


def sign_on(state: TableState, by: Staff) -> Decision:
    """Whoever was on is relieved in the same step."""
    if state.status is Status.CLOSED:
        return Refusal(
            TableCode.TABLE_NOT_OPEN, say("Table {table} is closed: sign on once it is open", table=state.table)
        )
    if state.dealer == by.id:
        why = say("{dealer} is already signed on at table {table}", dealer=by.id, table=state.table)
        return Refusal(TableCode.DEALER_SIGNED_ON, why)
    return [table_events.DealerSignedOn(dealer=by.id, relieves=state.dealer)]


def sign_off(state: TableState, command: staff.SignOff, by: Staff) -> Decision:
    """A dealer signs off themselves; who left without it is signed off by a supervisor or above."""
    dealer = command.dealer or by.id
    if not state.dealer:
        why = say("Nobody is signed on at table {table}", table=state.table)
        return Refusal(TableCode.DEALER_NOT_SIGNED_ON, why)
    if dealer != state.dealer:
        why = say(
            "{dealer} is not signed on at table {table}: {other} is",
            dealer=dealer,
            table=state.table,
            other=state.dealer,
        )
        return Refusal(TableCode.DEALER_NOT_SIGNED_ON, why)
    if dealer != by.id and (
        refusal := rank_too_low(by, Rank.PIT_SUPERVISOR, say("sign another dealer off"), "requirement 46")
    ):
        return refusal
    return [*signed_off(state, by.id)]


def signed_off(state: TableState, by: str) -> list[table_events.DealerSignedOff]:
    """Whoever is on is off; nothing where nobody is."""
    return [table_events.DealerSignedOff(dealer=state.dealer, by=by)] if state.dealer else []
