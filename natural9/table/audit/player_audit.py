"""Players' cards derived again, over all tables: who was open then, one place at a time, limits that came along, and
what every round counted as."""

from collections.abc import Mapping
from typing import Final, get_args

import msgspec

from natural9.core.events import Event
from natural9.core.money import show_cents
from natural9.core.round import events as round_events
from natural9.journal import card_events, player_events, session_events
from natural9.journal.card_events import OfCard, PlayerPlay
from natural9.journal.player_events import PlayerAccountEvent
from natural9.journal.visit_events import CreditTakenAlong
from natural9.table.audit.session_audit import Wrong
from natural9.table.commands.player_cards import play_after, play_of_this_day
from natural9.table.live.cards_in_play import PLAY
from natural9.table.state.sessions import has_money, stakes_cents
from natural9.table.state.state import TableState

ACCOUNT_TAGS: Final = frozenset(shape.TAG for shape in get_args(PlayerAccountEvent))


class PlayerAudit:
    def __init__(self) -> None:
        self._open: dict[str, bool] = {}  # by number: not closed
        self._excluded: set[str] = set()
        self._places: dict[str, tuple[str, int]] = {}
        self._barred: set[str] = set()  # of those who are carded in
        self._plays: dict[str, PlayerPlay] = {}
        self._takes: dict[tuple[str, int], PlayerPlay] = {}  # what a player takes along whose session has just ended

    def account(self, event: Event) -> Wrong | None:
        """What happened to an account."""
        match event:
            case player_events.PlayerAdded():
                if event.player in self._open:
                    return f"player {event.player} gets an account", "a number of its own"
                self._open[event.player] = True
            case player_events.PlayerReopened():
                self._open[event.player] = True
            case player_events.ExclusionLifted():
                self._excluded.discard(event.player)
            case player_events.PlayerClosed():
                self._open[event.player] = False
                return self._still_plays(event.player)
            case player_events.PlayerExcluded():
                self._excluded.add(event.player)
                return self._still_plays(event.player)
            case _:
                pass
        return None

    def _still_plays(self, player: str) -> Wrong | None:
        if player in self._places and player not in self._barred:
            table, seat = self._places[player]
            return f"player {player} may play no more", f"no card of theirs bets at table {table}, seat {seat}"
        return None

    def wrong(self, state: TableState, event: Event) -> Wrong | None:
        """Given the state before it."""
        match event:
            case round_events.BetPlaced() | round_events.InsurancePlaced() | CreditTakenAlong():
                card = state.terminal(event.seat).card
                if card and card.is_barred:
                    return f"seat {event.seat} bets", f"nothing: player {card.player} may bet no more"
            case session_events.SessionEnded():
                if card := state.terminal(event.seat).card:
                    took = play_after(state, event.seat, card, event.table_ms)
                    self._takes[state.table, event.seat] = took
            case card_events.PlayerCardedIn():
                return self._carded_in(state, event)
            case card_events.PlayerCardedOut():
                return self._carded_out(state, event)
            case card_events.PlayerBarred():
                self._barred.add(event.player)
                return _other_card(state, event.seat, event.player)
            case _:
                pass
        return None

    def _carded_in(self, state: TableState, event: card_events.PlayerCardedIn) -> Wrong | None:
        player = event.player
        says = f"player {player} cards in"
        if not self._open.get(player):
            return says, "nothing: there is no such account, or it is closed"
        if player in self._excluded:
            return says, "nothing: the player is excluded"
        if player in self._places:
            table, seat = self._places[player]
            return says, f"nothing: the card is in at table {table}, seat {seat}"
        if state.terminal(event.seat).card or stakes_cents(state, event.seat):
            return says, "nothing: a card or bets of somebody else are there"
        due = play_of_this_day(self._plays.get(player, PlayerPlay()), event.table_ms)
        if event.play != due:
            return f"{says} with {event.play}", f"with {due}"
        self._places[player] = (state.table, event.seat)
        return None

    def _carded_out(self, state: TableState, event: card_events.PlayerCardedOut) -> Wrong | None:
        if wrong := _other_card(state, event.seat, event.player):
            return wrong
        if has_money(state, event.seat):
            credit = show_cents(state.credit_cents(event.seat))
            return f"player {event.player} cards out", f"nothing: {credit} of credit, or a bet, is still there"
        card = state.terminal(event.seat).card
        due = self._takes.pop((state.table, event.seat), card.play if card else event.play)
        if event.play != due:
            return f"player {event.player} takes along {event.play}", f"{due}"
        self._places.pop(event.player, None)
        self._barred.discard(event.player)
        self._plays[event.player] = event.play
        return None

    def wrong_beside(self, stored: Mapping[str, bytes]) -> Wrong | None:
        """What is kept beside the journal is what each player took along last."""
        due = {PLAY + player: msgspec.json.encode(play) for player, play in self._plays.items()}
        if dict(stored) == due:
            return None
        key = min(key for key in {*stored, *due} if stored.get(key) != due.get(key))
        return f"of {key}: {stored.get(key, b'nothing').decode()}", due.get(key, b"nothing").decode()


def _other_card(state: TableState, seat: int, player: str) -> Wrong | None:
    card = state.terminal(seat).card
    if card is None or card.player != player:
        whose = f"that of player {card.player}" if card else "none"
        return f"the card of player {player} is in at seat {seat}", whose
    return None


def time_goes_back(state: TableState, event: Event) -> Wrong | None:
    if not isinstance(event, OfCard):
        return None
    table_ms: int = getattr(event, "table_ms", state.table_ms)
    if table_ms < state.table_ms:
        return f"the table has worked for {table_ms} ms", f"{state.table_ms} ms or more"
    return None
