"""What a table adds to the rules of the round: each check gives what an entry says and what it should, or nothing."""

from natural9.core.events import Event
from natural9.core.money import MAX_CENTS, show_cents
from natural9.core.round import events as round_events
from natural9.core.round.loading import is_spent
from natural9.core.round.state import BETWEEN_ROUNDS
from natural9.core.staff import Rank
from natural9.journal import table_events
from natural9.journal.accounts import cash_box, terminal_id
from natural9.journal.line import Origin, OriginKind
from natural9.table.audit.derive import quote
from natural9.table.audit.findings import Wrong
from natural9.table.audit.venue_audit import Tell, VenueAudit
from natural9.table.commands.cage import Voucher
from natural9.table.state.state import TableState


def in_a_fault(state: TableState, event: Event) -> Wrong:
    """A fault holds the table where it is."""
    return quote(event), f"nothing: the table had a fault ({', '.join(state.faults)})"


def wrong_opening(state: TableState, event: round_events.BettingOpened, *, has_rules: bool) -> Wrong:
    now = state.round
    if event.round != now.number + 1:
        return f"round {event.round} opens", f"round {now.number + 1} opens: rounds are numbered without gaps"
    if event.dealer != state.dealer:
        return f"{event.dealer or 'nobody'} is signed on", f"{state.dealer or 'nobody'} is signed on"
    limits = state.limits
    if event.betting_unit_cents != limits.betting_unit_cents:
        unit = show_cents(limits.betting_unit_cents)
        return f"a betting unit of {show_cents(event.betting_unit_cents)}", f"one of {unit}, as last changed"
    if event.limits != limits.by_wager and dict(event.limits) != dict(limits.by_wager):
        return f"limits {dict(event.limits)}", f"limits {dict(limits.by_wager)}, as last changed"
    new = now.new_shoe
    if new and has_rules:
        now.game.check_decks(new.decks)
        due = tuple(wager.id for wager in now.game.wagers if not wager.optional or wager.id in new.offered)
        if new.offered != due:
            return f"shoe {new.number} offers {', '.join(new.offered)}", f"it offers {', '.join(due)}"
    return None


def wrong_shoe(state: TableState, event: round_events.ShoeLoaded, origin: Origin, *, loaded_before: str) -> Wrong:
    """`loaded_before`: the rules of the shoe before it."""
    now = state.round
    early = not is_spent(now) and state.shoe_required is None
    # Cards of other rules, played or only loaded, are no set that these replace.
    same = event.rules_sha256 == state.rules_sha256 and loaded_before in ("", event.rules_sha256)
    same = same and bool(state.commitment) == bool(state.next_commitment)  # real cards after a shuffler's, or before
    if early and same and not _is_supervisor(origin):
        by = f"a {origin.rank}" if origin.rank else origin.words
        return f"shoe {event.shoe} is loaded by {by}", "a pit supervisor or above, before the cut card"
    if now.phase not in BETWEEN_ROUNDS:
        return f"shoe {event.shoe} is loaded during round {now.number}", "a shoe is loaded between rounds"
    replaced = now.new_shoe and event.shoe == now.new_shoe.number + 1  # its order could not be read
    if event.shoe != now.shoe_number + 1 and not replaced:
        return f"shoe {event.shoe} is loaded", f"shoe {now.shoe_number + 1}: shoes are numbered without gaps"
    return None


def _is_supervisor(origin: Origin) -> bool:
    return origin.rank in [rank.tag for rank in Rank if rank >= Rank.PIT_SUPERVISOR]


def wrong_bet(state: TableState, event: round_events.BetPlaced | round_events.InsurancePlaced, origin: Origin) -> Wrong:
    """Nobody bets for a seat but its terminal; no credit is taken in a fault or lock-up, nor beyond the limits for a
    seat and for the table."""
    if origin.kind is not OriginKind.TERMINAL or origin.by != terminal_id(state.table, event.seat):
        return f"{origin.words} bets for seat {event.seat}", "its own terminal does"
    terminal = state.terminals.get(event.seat)
    if terminal and terminal.locked:
        return quote(event), f"nothing: the terminal was locked ({terminal.locked})"
    if state.faults:
        return in_a_fault(state, event)
    limits = state.limits
    if limits.seat_max_cents is None and limits.table_max_cents is None:
        return None
    for most, staked, whose in (
        (limits.seat_max_cents, state.round.seats[event.seat].staked_cents, "seat"),
        (limits.table_max_cents, state.round.staked_cents, "table"),
    ):
        if most is not None and staked + event.cents > most:
            return quote(event), f"nothing: {show_cents(most)} is the maximum for a {whose}"
    return None


def wrong_closing(state: TableState) -> Wrong:
    dealer = state.dealer
    return (f"the table closes with {dealer} signed on", f"{dealer} is signed off first") if dealer else None


def limits_in_play(state: TableState) -> Wrong:
    if state.in_play:
        return f"limits changed in round {state.round.number}", "limits change between rounds"
    return None


def wrong_debt(state: TableState, event: table_events.DebtLeft) -> Wrong:
    terminal = state.terminals.get(event.seat)
    owed = terminal.owed_cents if terminal else 0
    return (f"{event.cents} cents are owed", f"{owed} cents are owed") if event.cents != owed else None


def wrong_purchase(state: TableState, event: table_events.CreditBought, origin: Origin) -> Wrong:
    is_bill, box = origin.kind is OriginKind.ACCEPTOR, cash_box(event.desk)
    at_seat = box is not None and (box.table, box.seat) == (state.table, event.seat)
    is_own = at_seat and origin.by == terminal_id(state.table, event.seat) and not event.signed_by
    if (is_bill or box) and not (is_bill and is_own):
        return f"{origin.words} put money into {event.desk}", "the bill acceptor of the seat, into its own cash box"
    if not 0 < event.cents <= MAX_CENTS:
        return f"{event.cents} cents are bought", "an amount that a terminal takes"
    return None


def wrong_voucher(state: TableState, event: table_events.VoucherIssued, at_ms: int, tell: Tell) -> Wrong:
    terminal = state.terminals.get(event.seat)
    number = f"{terminal_id(state.table, event.seat)}-{(terminal.vouchers if terminal else 0) + 1}"
    if event.number != number:
        return f"voucher {event.number} is issued", f"voucher {number}: vouchers are numbered without gaps"
    voucher = Voucher(
        number=number,
        cents=event.cents,
        table=state.table,
        seat=event.seat,
        issued_at_ms=at_ms,
        expires_at_ms=event.expires_at_ms,
    )
    return tell(VenueAudit.issued, voucher)
