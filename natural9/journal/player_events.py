"""What happens to players' accounts. A player is known by a number alone: no name, card, PIN or hash is among it."""

from natural9.core.events import NOTHING, ORDINARY, SIGNIFICANT, STAFF, Event, event
from natural9.core.saying import Said, because, say


@event("player-added", STAFF, SIGNIFICANT, NOTHING)
class PlayerAdded(Event):
    """An account was opened, with a card and a PIN."""

    player: str

    def describe(self) -> Said:
        return say("Player {player} has an account", player=self.player)


@event("player-renamed", STAFF, SIGNIFICANT, NOTHING)
class PlayerRenamed(Event):
    """The player wants to be called otherwise."""

    player: str

    def describe(self) -> Said:
        return say("Player {player} is called otherwise now", player=self.player)


@event("player-card-issued", STAFF, SIGNIFICANT, NOTHING)
class PlayerCardIssued(Event):
    """The former card is worth nothing from now on."""

    player: str

    def describe(self) -> Said:
        return say("Player {player} has a new card", player=self.player)


@event("player-pin-issued", STAFF, SIGNIFICANT, NOTHING)
class PlayerPinIssued(Event):
    """At the desk; it ends a lock, too."""

    player: str

    def describe(self) -> Said:
        return say("Player {player} has a new PIN from the desk", player=self.player)


@event("player-pin-changed", STAFF, ORDINARY, NOTHING)
class PlayerPinChanged(Event):
    """By the player."""

    player: str

    def describe(self) -> Said:
        return say("Player {player} changed the PIN", player=self.player)


@event("player-pin-failed", STAFF, ORDINARY, NOTHING)
class PlayerPinFailed(Event):
    player: str
    device: str
    failures: int  # in a row

    def describe(self) -> Said:
        return say(
            "A wrong PIN for the card of player {player} at device {device}, {count} in a row",
            player=self.player,
            device=self.device,
            count=self.failures,
        )


@event("player-locked-out", STAFF, SIGNIFICANT, NOTHING)
class PlayerLockedOut(Event):
    player: str
    device: str  # where the last wrong PIN was typed

    def describe(self) -> Said:
        return say(
            "The card of player {player} is locked after wrong PINs at device {device}",
            player=self.player,
            device=self.device,
        )


@event("player-closed", STAFF, SIGNIFICANT, NOTHING)
class PlayerClosed(Event):
    player: str

    def describe(self) -> Said:
        return say("The account of player {player} was closed", player=self.player)


@event("player-reopened", STAFF, SIGNIFICANT, NOTHING)
class PlayerReopened(Event):
    player: str

    def describe(self) -> Said:
        return say("The account of player {player} was opened again", player=self.player)


@event("player-excluded", STAFF, SIGNIFICANT, NOTHING)
class PlayerExcluded(Event):
    """No play until somebody lifts it; one that the player asked for is not lifted before its day."""

    player: str
    until_day: str  # the gaming day from which it may be lifted; "" for ever
    own: bool  # the player asked for it
    why: str

    def describe(self) -> Said:
        excluded = say("Player {player} is excluded permanently", player=self.player)
        if self.until_day and self.own:
            excluded = say("Player {player} excluded themselves until {day}", player=self.player, day=self.until_day)
        elif self.until_day:
            excluded = say("Player {player} is excluded until {day}", player=self.player, day=self.until_day)
        elif self.own:
            excluded = say("Player {player} excluded themselves permanently", player=self.player)
        return because(excluded, self.why)


@event("exclusion-lifted", STAFF, SIGNIFICANT, NOTHING)
class ExclusionLifted(Event):
    player: str
    why: str

    def describe(self) -> Said:
        return because(say("Player {player} is no longer excluded", player=self.player), self.why)


@event("excluded-player-refused", STAFF, SIGNIFICANT, NOTHING)
class ExcludedPlayerRefused(Event):
    """Somebody who is excluded showed card and PIN at a terminal."""

    player: str
    table: str
    seat: int

    def describe(self) -> Said:
        return say(
            "Excluded player {player} tried to play at table {table}, seat {seat}",
            player=self.player,
            table=self.table,
            seat=self.seat,
        )


PlayerAccountEvent = (
    PlayerAdded
    | PlayerRenamed
    | PlayerCardIssued
    | PlayerPinIssued
    | PlayerPinChanged
    | PlayerPinFailed
    | PlayerLockedOut
    | PlayerClosed
    | PlayerReopened
    | PlayerExcluded
    | ExclusionLifted
    | ExcludedPlayerRefused
)
