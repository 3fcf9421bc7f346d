"""What happens with a player's card at a table: in and out, and what each round came to for whoever it belongs to.

Between a card-in and its card-out every bet of the seat is that player's. A player is known by a number alone.
Moments (`table_ms` and those of `PlayerPlay`) are by the tables' own time, which is one for the whole venue.
"""

from msgspec import Struct

from natural9.core.events import NOTHING, QUIET, SIGNIFICANT, STAFF, Event, event
from natural9.core.money import show_cents
from natural9.core.saying import Said, say
from natural9.journal.session_events import Raise


class PlayerPlay(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player brings to a terminal and takes to the next: own limits, what waits, a break, and how much was
    played and lost since `since_ms`, for the limits on both count over a whole day."""

    own: bool = False  # the limits are the player's own; else the venue's defaults hold
    time_ms: int | None = None
    loss_cents: int | None = None
    stake_cents: int | None = None
    waiting: dict[str, Raise] = {}
    break_until_ms: int = 0
    since_ms: int = 0
    played_ms: int = 0
    lost_cents: int = 0


class OfCard(Event):
    """All events of players' cards at a table; `CardEvent` names each."""

    __slots__ = ()


@event("player-carded-in", STAFF, QUIET, NOTHING, found_by="player")
class PlayerCardedIn(OfCard):
    seat: int
    player: str
    table_ms: int
    play: PlayerPlay
    points_per_100: int  # as the venue gives them

    def describe(self) -> Said:
        return say("Seat {seat}: player {player} carded in", seat=self.seat, player=self.player)


@event("player-carded-out", STAFF, QUIET, NOTHING, found_by="player")
class PlayerCardedOut(OfCard):
    seat: int
    player: str
    table_ms: int
    how: str  # "key", "collected", "idle", "released" for another player, or "barred"
    play: PlayerPlay

    def describe(self) -> Said:
        return say("Seat {seat}: player {player} carded out", seat=self.seat, player=self.player)


@event("player-barred", STAFF, SIGNIFICANT, NOTHING)
class PlayerBarred(OfCard):
    """The player was excluded, or the account closed, while the card was in: no bet is taken any more."""

    seat: int
    player: str

    def describe(self) -> Said:
        return say("Seat {seat}: player {player} may bet no more", seat=self.seat, player=self.player)


@event("play-counted", STAFF, QUIET, NOTHING, found_by="player")
class PlayCounted(OfCard):
    """What a round came to for a player, or by how much a correction changed it. Points are in hundredths, for bets
    that were decided."""

    seat: int
    player: str
    of_round: int
    rounds: int  # 1, -1 where its settlement was reversed, 0 where only its amounts changed
    staked_cents: int
    returned_cents: int
    decided_cents: int
    points: int
    points_per_100: int

    def describe(self) -> Said:
        return say(
            "Player {player}, round {round}: staked {staked}, returned {returned}",
            player=self.player,
            round=self.of_round,
            staked=show_cents(self.staked_cents),
            returned=show_cents(self.returned_cents),
        )


CardEvent = PlayerCardedIn | PlayerCardedOut | PlayerBarred | PlayCounted
