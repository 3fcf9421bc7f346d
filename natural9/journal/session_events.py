"""What happens to a player's session at a seat: it begins and ends, its limits, its checks and breaks.

Moments here (`table_ms`, `until_ms`, `from_ms`) are by the table's own time, which counts while the table is at work
and which nobody can set; when something happened by the venue's clock stands beside every event.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from natural9.core.events import NOTHING, OVERRIDE, QUIET, SEAT, SIGNIFICANT, STAFF, Event, event
from natural9.core.money import show_cents
from natural9.core.saying import Said, because, say

_MINUTE_MS: Final = 60_000


def how_long(ms: int) -> Said:
    """Whole minutes, as people are told.

    >>> how_long(30 * 60_000), how_long(90 * 60_000)
    ('30 min', '1 h 30 min')
    """
    hours, minutes = divmod(ms // _MINUTE_MS, 60)
    if hours and not minutes:
        return say("{hours} h", hours=hours)
    if hours:
        return say("{hours} h {minutes} min", hours=hours, minutes=minutes)
    return say("{minutes} min", minutes=minutes)


class Raise(NamedTuple):
    """A limit that waits to be raised to `value`, or to be removed, from a moment on."""

    value: int | None
    from_ms: int


class OfSession(Event):
    """All events of players' sessions; `SessionEvent` names each."""

    __slots__ = ()


def _limits(time_ms: int | None, loss_cents: int | None, stake_cents: int | None) -> tuple[Said, ...]:
    said = (
        time_ms is not None and say("time {limit}", limit=how_long(time_ms)),
        loss_cents is not None and say("loss {limit}", limit=show_cents(loss_cents)),
        stake_cents is not None and say("stake {limit}", limit=show_cents(stake_cents)),
    )
    return tuple(one for one in said if one) or (say("none"),)


@event("session-started", SEAT, QUIET, NOTHING, found_by="session")
class SessionStarted(OfSession):
    """Money came to a seat that had no session. All that the session goes by is here."""

    session: int  # its number at the table
    seat: int
    owner: str  # who its limits belong to: "seat", while players have no names
    table_ms: int
    in_cents: int  # what lay at the seat
    owed_cents: int  # a debt from before, which is no loss of this session
    check_ms: int
    idle_ms: int
    time_ms: int | None
    loss_cents: int | None
    stake_cents: int | None

    def describe(self) -> Said:
        return say("Seat {seat}: a session begins with {amount}", seat=self.seat, amount=show_cents(self.in_cents))


@event("session-ended", SEAT, QUIET, NOTHING, found_by="session")
class SessionEnded(OfSession):
    """The whole statement of it."""

    session: int
    seat: int
    table_ms: int
    played_ms: int
    rounds: int
    staked_cents: int
    in_cents: int
    out_cents: int

    def describe(self) -> Said:
        return say(
            "Seat {seat}: the session ends after {time}, {money_in} in and {money_out} out",
            seat=self.seat,
            time=how_long(self.played_ms),
            money_in=show_cents(self.in_cents),
            money_out=show_cents(self.out_cents),
        )


@event("seat-released", SEAT, SIGNIFICANT, OVERRIDE)
class SeatReleased(OfSession):
    """A person ends the session of an empty seat, for whoever comes next."""

    seat: int
    by: str
    why: str

    def describe(self) -> Said:
        return because(say("Seat {seat} released for the next player", seat=self.seat), self.why)


@event("play-limits-set", SEAT, QUIET, NOTHING, found_by="session")
class PlayLimitsSet(OfSession):
    """All limits of the session as they are from now on, and what waits to be raised."""

    session: int
    seat: int
    table_ms: int
    time_ms: int | None
    loss_cents: int | None
    stake_cents: int | None
    waiting: Mapping[str, Raise]  # by the name of the field

    def describe(self) -> Said:
        limits = _limits(self.time_ms, self.loss_cents, self.stake_cents)
        if self.waiting:
            return say("Seat {seat}: own limits {limits}; a higher one waits", seat=self.seat, limits=limits)
        return say("Seat {seat}: own limits {limits}", seat=self.seat, limits=limits)


@event("reality-check-due", SEAT, QUIET, NOTHING, found_by="session")
class RealityCheckDue(OfSession):
    """Play at the seat waits until the player has seen it."""

    session: int
    seat: int
    table_ms: int
    played_ms: int
    net_cents: int

    def describe(self) -> Said:
        return say(
            "Seat {seat}: reality check after {time}, net {amount}",
            seat=self.seat,
            time=how_long(self.played_ms),
            amount=show_cents(self.net_cents),
        )


@event("play-paused", SEAT, QUIET, NOTHING, found_by="session")
class PlayPaused(OfSession):
    """Nobody has bet for a while."""

    session: int
    seat: int
    table_ms: int

    def describe(self) -> Said:
        return say("Seat {seat}: play pauses, nobody has bet for a while", seat=self.seat)


@event("play-continued", SEAT, QUIET, NOTHING, found_by="session")
class PlayContinued(OfSession):
    """The player has seen a reality check, or is back."""

    session: int
    seat: int
    table_ms: int
    after: str  # what play waited for: "check" or "idle"

    def describe(self) -> Said:
        if self.after == "check":
            return say("Seat {seat}: the reality check was confirmed", seat=self.seat)
        return say("Seat {seat}: play continues", seat=self.seat)


@event("break-taken", SEAT, QUIET, NOTHING, found_by="session")
class BreakTaken(OfSession):
    """The player's own betting is locked until a moment."""

    session: int
    seat: int
    table_ms: int
    until_ms: int

    def describe(self) -> Said:
        return say("Seat {seat}: a break of {time}", seat=self.seat, time=how_long(self.until_ms - self.table_ms))


@event("play-time-noted", STAFF, QUIET, NOTHING)
class PlayTimeNoted(OfSession):
    """Every minute while anybody is in a session: so a restart goes on from here."""

    table_ms: int

    def describe(self) -> Said:
        return say("Time at work noted: {time}", time=how_long(self.table_ms))


SessionEvent = (
    SessionStarted
    | SessionEnded
    | SeatReleased
    | PlayLimitsSet
    | RealityCheckDue
    | PlayPaused
    | PlayContinued
    | BreakTaken
    | PlayTimeNoted
)
