"""Players' cards at one table derived again: whose card is in at a seat, whether it may bet, what it takes along."""

from natural9.core.events import Event
from natural9.core.money import show_cents
from natural9.core.round import events as round_events
from natural9.journal import card_events, session_events
from natural9.journal.card_events import OfCard, PlayerPlay
from natural9.journal.visit_events import CreditTakenAlong
from natural9.table.audit.findings import Wrong
from natural9.table.audit.venue_audit import Tell, VenueAudit
from natural9.table.commands.player_cards import play_after
from natural9.table.state.sessions import has_money, stakes_cents
from natural9.table.state.state import TableState
from natural9.table.state.visits import SeatPlace


class CardAudit:
    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._takes: dict[int, PlayerPlay] = {}  # by seat: what a player takes along whose session has just ended

    def wrong(self, state: TableState, event: Event) -> Wrong:
        """Given the state before it."""
        match event:
            case round_events.BetPlaced() | round_events.InsurancePlaced() | CreditTakenAlong():
                card = state.terminal(event.seat).card
                if card and card.is_barred:
                    return f"seat {event.seat} bets", f"nothing: player {card.player} may bet no more"
            case session_events.SessionEnded():
                if card := state.terminal(event.seat).card:
                    self._takes[event.seat] = play_after(state, event.seat, card, event.table_ms)
            case card_events.PlayerCardedIn():
                return self._carded_in(state, event)
            case card_events.PlayerCardedOut():
                return self._carded_out(state, event)
            case card_events.PlayerBarred():
                return self._tell(VenueAudit.barred, event.player) or _other_card(state, event.seat, event.player)
            case _:
                pass
        return None

    def _carded_in(self, state: TableState, event: card_events.PlayerCardedIn) -> Wrong:
        is_taken = bool(state.terminal(event.seat).card or stakes_cents(state, event.seat))
        place = SeatPlace(state.table, event.seat)
        return self._tell(VenueAudit.carded_in, event.player, place, event.play, event.table_ms, is_taken=is_taken)

    def _carded_out(self, state: TableState, event: card_events.PlayerCardedOut) -> Wrong:
        if wrong := _other_card(state, event.seat, event.player):
            return wrong
        if has_money(state, event.seat):
            credit = show_cents(state.credit_cents(event.seat))
            return f"player {event.player} cards out", f"nothing: {credit} of credit, or a bet, is still there"
        card = state.terminal(event.seat).card
        due = self._takes.pop(event.seat, card.play if card else event.play)
        if event.play != due:
            return f"player {event.player} takes along {event.play}", f"{due}"
        return self._tell(VenueAudit.carded_out, event.player, event.play)


def _other_card(state: TableState, seat: int, player: str) -> Wrong:
    card = state.terminal(seat).card
    if card is None or card.player != player:
        whose = f"that of player {card.player}" if card else "none"
        return f"the card of player {player} is in at seat {seat}", whose
    return None


def time_goes_back(state: TableState, event: Event) -> Wrong:
    if not isinstance(event, OfCard):
        return None
    table_ms: int = getattr(event, "table_ms", state.table_ms)
    if table_ms < state.table_ms:
        return f"the table has worked for {table_ms} ms", f"{state.table_ms} ms or more"
    return None
