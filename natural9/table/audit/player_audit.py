"""Players' accounts and cards over the whole venue: who was open then, one place at a time, limits that came along."""

from collections.abc import Mapping
from typing import Final, get_args

import msgspec

from natural9.core.events import Event
from natural9.journal import player_events
from natural9.journal.card_events import PlayerPlay
from natural9.journal.player_events import PlayerAccountEvent
from natural9.table.audit.findings import Wrong
from natural9.table.commands.player_cards import play_of_this_day
from natural9.table.live.cards_in_play import PLAY
from natural9.table.state.visits import SeatPlace

ACCOUNT_TAGS: Final = frozenset(shape.TAG for shape in get_args(PlayerAccountEvent))


class PlayerAudit:
    def __init__(self) -> None:
        self._open: dict[str, bool] = {}  # by number: not closed
        self._excluded: set[str] = set()
        self._places: dict[str, SeatPlace] = {}
        self._barred: set[str] = set()  # of those who are carded in
        self._plays: dict[str, PlayerPlay] = {}

    def account(self, event: Event) -> Wrong:
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

    def _still_plays(self, player: str) -> Wrong:
        if player in self._places and player not in self._barred:
            table, seat = self._places[player]
            return f"player {player} may play no more", f"no card of theirs bets at table {table}, seat {seat}"
        return None

    def carded_in(self, player: str, place: SeatPlace, play: PlayerPlay, table_ms: int, *, is_taken: bool) -> Wrong:
        """`is_taken`: a card or bets of somebody else are at that seat."""
        says = f"player {player} cards in"
        if not self._open.get(player):
            return says, "nothing: there is no such account, or it is closed"
        if player in self._excluded:
            return says, "nothing: the player is excluded"
        if player in self._places:
            table, seat = self._places[player]
            return says, f"nothing: the card is in at table {table}, seat {seat}"
        if is_taken:
            return says, "nothing: a card or bets of somebody else are there"
        due = play_of_this_day(self._plays.get(player, PlayerPlay()), table_ms)
        if play != due:
            return f"{says} with {play}", f"with {due}"
        self._places[player] = place
        return None

    def carded_out(self, player: str, play: PlayerPlay) -> Wrong:
        self._places.pop(player, None)
        self._barred.discard(player)
        self._plays[player] = play
        return None

    def barred(self, player: str) -> Wrong:
        self._barred.add(player)
        return None

    def wrong_beside(self, stored: Mapping[str, bytes]) -> Wrong:
        """What is kept beside the journal is what each player took along last."""
        due = {PLAY + player: msgspec.json.encode(play) for player, play in self._plays.items()}
        if dict(stored) == due:
            return None
        key = min(key for key in {*stored, *due} if stored.get(key) != due.get(key))
        return f"of {key}: {stored.get(key, b'nothing').decode()}", due.get(key, b"nothing").decode()
