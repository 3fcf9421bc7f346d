"""Credit between a terminal's own table and those it visits: what may be taken along, and what goes home."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec

from natural9.core.events import Event
from natural9.core.round import Refusal
from natural9.core.saying import say
from natural9.journal import visit_events
from natural9.journal.accounts import terminal_id
from natural9.table.commands import protection, terminal
from natural9.table.commands.betting import has_time_to_bet, stakes_asked_for
from natural9.table.commands.player_cards import is_barred
from natural9.table.commands.refusals import TableCode, not_enough_credit, terminal_locked
from natural9.table.state.sessions import room_cents, stakes_cents
from natural9.table.state.state import TableState
from natural9.table.state.visits import SeatPlace, next_visitors_seat

TRANSIT: Final = "transit/"  # how the names of documents begin
MOST_RECEIVED: Final = 10_000


class Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """Credit on its way from one table to another. On the way home, with what the visited table says of it."""

    number: str
    cents: int
    sender: SeatPlace
    receiver: SeatPlace
    is_homeward: bool = False
    decided_cents: int = 0
    staked_cents: int = 0
    rounds: int = 0


@dataclass(slots=True)
class Transit:
    """All that is on its way, venue-wide. It changes in the same step as what is decided, as vouchers do."""

    parcels: dict[str, Parcel] = field(default_factory=dict)
    received: dict[str, str] = field(default_factory=dict)  # the last that were, by their numbers, and at which table

    @classmethod
    def load(cls, stored: Mapping[str, bytes]) -> "Transit":
        parcels = [msgspec.json.decode(parcel, type=Parcel) for parcel in stored.values()]
        return cls({parcel.number: parcel for parcel in parcels})

    def bring(self, parcel: Parcel) -> None:
        """One that came from elsewhere. Whoever read of it before it was received here comes too late."""
        if parcel.number not in self.received:
            self.parcels[parcel.number] = parcel

    def forget_received(self, table: str) -> None:
        """It has come here anew: what was decided there before, and never became durable, is not so."""
        for number in [number for number, at in self.received.items() if at == table]:
            del self.received[number]

    def evolve(self, parcel: Parcel | None, event: Event) -> tuple[tuple[str, bytes | None], ...]:
        """What is kept beside the journal of this event, which sent the parcel or received one."""
        match event:
            case visit_events.CreditTakenAlong() | visit_events.CreditSentHome() if parcel:
                self.parcels[parcel.number] = parcel
                return ((TRANSIT + parcel.number, msgspec.json.encode(parcel)),)
            case visit_events.CreditBrought() | visit_events.CreditCameHome():
                self.received[event.transit] = self.parcels.pop(event.transit).receiver.table
                if len(self.received) > MOST_RECEIVED:
                    del self.received[next(iter(self.received))]
                return ((TRANSIT + event.transit, None),)
            case _:
                return ()


def parcel_of(state: TableState, event: Event) -> Parcel | None:
    """What this event sends, from the table whose state this is."""
    match event:
        case visit_events.CreditTakenAlong():
            return Parcel(
                number=event.transit,
                cents=event.cents,
                sender=SeatPlace(state.table, event.seat),
                receiver=SeatPlace(event.to_table, event.to_seat),
            )
        case visit_events.CreditSentHome():
            home = state.home_of(event.seat)
            assert home is not None, f"seat {event.seat} is no visitor's"
            return Parcel(
                number=event.transit,
                cents=event.cents,
                sender=SeatPlace(state.table, event.seat),
                receiver=home,
                is_homeward=True,
                decided_cents=event.decided_cents,
                staked_cents=event.staked_cents,
                rounds=event.rounds,
            )
        case _:
            return None


def received(parcel: Parcel) -> visit_events.CreditBrought | visit_events.CreditCameHome:
    """What its coming is, at the table that it was sent to."""
    if not parcel.is_homeward:
        return visit_events.CreditBrought(transit=parcel.number, seat=parcel.receiver.seat, cents=parcel.cents)
    return visit_events.CreditCameHome(
        transit=parcel.number,
        seat=parcel.receiver.seat,
        cents=parcel.cents,
        from_table=parcel.sender.table,
        from_seat=parcel.sender.seat,
        decided_cents=parcel.decided_cents,
        staked_cents=parcel.staked_cents,
        rounds=parcel.rounds,
    )


def next_transit(state: TableState, seat: int) -> str:
    """Numbered without gaps at each seat."""
    return f"{terminal_id(state.table, seat)}-{state.terminal(seat).sent + 1}"


class WantedCredit(NamedTuple):
    """What a visitor's bet lacks. `in_part`: less than all of it is of use, too."""

    cents: int
    in_part: bool


class Fetched(NamedTuple):
    """What came of asking for it: the credit, and why it is not all."""

    parcel: Parcel | None = None
    why_not: Refusal | None = None


def seat_visitor(state: TableState, home: SeatPlace) -> visit_events.VisitorSeated:
    return visit_events.VisitorSeated(seat=next_visitors_seat(state), home_table=home.table, home_seat=home.seat)


def wanted_from_home(
    state: TableState, seat: int, tap: terminal.BetTap, decided: list[Event] | Refusal
) -> WantedCredit | None:
    """What has to be brought before this tap of a visitor is decided; None if it can be as it stands."""
    in_part = isinstance(tap, terminal.Double)
    if in_part:
        if not has_time_to_bet(state, tap):
            return None
    elif not isinstance(decided, Refusal) or decided.code is not TableCode.NOT_ENOUGH_CREDIT:
        return None
    lays = sum([cents for _, cents in stakes_asked_for(state, seat, tap)])
    if isinstance(tap, terminal.Undo):
        lays = -sum([change.cents for change in state.terminal(seat).last_changes()])
    short = lays - state.credit_cents(seat)
    return WantedCredit(short, in_part) if short > 0 else None


def take_along(state: TableState, seat: int, wanted: WantedCredit, table_ms: int) -> tuple[int, Refusal | None]:
    """How much the terminal's own table lets go, and why not all. What is let go counts as a bet of its session."""
    at_home = state.terminal(seat)
    if at_home.locked:
        return 0, terminal_locked(at_home.locked)
    if at_home.card and at_home.card.is_barred:
        return 0, is_barred()
    refusal, credit = None, at_home.credit_cents
    if wanted.cents > credit:
        refusal = not_enough_credit(credit, wanted.cents)
    elif at_home.session:
        refusal = protection.refuses_more(state, seat, at_home.session, wanted.cents, table_ms)
    if refusal is None:
        return wanted.cents, None
    if not wanted.in_part or (at_home.session and protection.refuses_more(state, seat, at_home.session, 1, table_ms)):
        return 0, refusal
    room = room_cents(state, seat)
    return min(wanted.cents, credit) if room is None else min(wanted.cents, credit, room), refusal


def taken_along(state: TableState, seat: int, cents: int, to: SeatPlace) -> visit_events.CreditTakenAlong:
    return visit_events.CreditTakenAlong(
        transit=next_transit(state, seat), seat=seat, cents=cents, to_table=to.table, to_seat=to.seat
    )


def goes_home(state: TableState, seat: int) -> visit_events.CreditSentHome | None:
    """All of a visitor's credit, and word of what is no longer at risk; None where there is neither."""
    visitor, at_risk = state.terminal(seat), stakes_cents(state, seat)
    decided = max(0, visitor.brought_cents - at_risk)
    news = (visitor.visit_staked_cents or visitor.visit_rounds) and not at_risk
    if not visitor.credit_cents and not decided and not news:
        return None
    return visit_events.CreditSentHome(
        transit=next_transit(state, seat),
        seat=seat,
        cents=visitor.credit_cents,
        decided_cents=decided,
        staked_cents=visitor.visit_staked_cents,
        rounds=visitor.visit_rounds,
    )


def not_here() -> Refusal:
    """A visitor only bets: all else is asked at the terminal's own table."""
    return Refusal(TableCode.NOT_HERE, say("You are a visitor at this table: do this at your own"))
