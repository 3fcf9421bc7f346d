"""How a venue protects its players: what a session begins with, what no limit goes beyond, how long things take."""

from dataclasses import dataclass
from typing import Final

from natural9.core.money import parse_cents
from natural9.games.source import Source
from natural9.table.venue.file import Amount, ProtectionSection

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
LONGEST_MINUTES: Final = 7 * 24 * 60
LONGEST_COOLING_H: Final = 7 * 24
# The least and the most of each: minutes, but for cooling_off, which is hours.
_RANGES: Final = {
    "reality_check": (0, 24 * 60),
    "pause_after": (0, 24 * 60),
    "session_ends_after": (1, 24 * 60),
    "cooling_off": (0, LONGEST_COOLING_H),
    "longest_break": (1, LONGEST_MINUTES),
    "default_time": (1, LONGEST_MINUTES),
    "most_time": (1, LONGEST_MINUTES),
}


@dataclass(frozen=True, kw_only=True)
class PlayLimits:
    """On one player's session: how long it may last, how much it may lose, how much it may stake in a round. None is
    no limit."""

    time_ms: int | None = None
    loss_cents: int | None = None
    stake_cents: int | None = None


NO_PLAY_LIMITS: Final = PlayLimits()


@dataclass(frozen=True, kw_only=True)
class Protection:
    check_ms: int = 60 * MINUTE_MS  # between two reality checks; 0 for none
    idle_ms: int = 15 * MINUTE_MS  # play pauses after so long without a bet; 0 for never
    empty_ms: int = 10 * MINUTE_MS  # a session ends when its seat has been empty for so long
    cooling_off_ms: int = 24 * HOUR_MS  # before a limit may be raised
    longest_break_ms: int = 24 * HOUR_MS
    default: PlayLimits = NO_PLAY_LIMITS  # what a session begins with
    most: PlayLimits = NO_PLAY_LIMITS  # what no player's own limit goes beyond


def read_protection(source: Source, section: ProtectionSection) -> Protection | None:
    """None where the venue says that there is none."""
    at = "$.protection"
    for key, (least, longest) in _RANGES.items():
        number = getattr(section, key)
        if number is not None and not least <= number <= longest:
            unit = "hours" if key == "cooling_off" else "minutes"
            source.refuse(f"{at}.{key}", f"{key} is from {least} to {longest} {unit}, not {number:g}")
    if not section.on:
        return None
    default = _limits(source, at, section, "default")
    most = _limits(source, at, section, "most")
    for what in ("time", "loss", "stake"):
        name = "time_ms" if what == "time" else f"{what}_cents"
        usual, ceiling = getattr(default, name), getattr(most, name)
        if usual is not None and ceiling is not None and usual > ceiling:
            source.refuse(f"{at}.default_{what}", f"default_{what} is over most_{what}: make it that much or less")
    return Protection(
        check_ms=round(section.reality_check * MINUTE_MS),
        idle_ms=round(section.pause_after * MINUTE_MS),
        empty_ms=round(section.session_ends_after * MINUTE_MS),
        cooling_off_ms=round(section.cooling_off * HOUR_MS),
        longest_break_ms=round(section.longest_break * MINUTE_MS),
        default=default,
        most=most,
    )


def _limits(source: Source, at: str, section: ProtectionSection, which: str) -> PlayLimits:
    def cents(what: str) -> int | None:
        amount: Amount | None = getattr(section, f"{which}_{what}")
        where = f"{at}.{which}_{what}"
        if amount is None:
            return None
        found = source.parse(where, lambda text: parse_cents(str(text)), amount)
        if found <= 0:
            source.refuse(where, f"{which}_{what} is 0, and nobody could play: leave it out for none")
        return found

    minutes: float | None = getattr(section, f"{which}_time")
    return PlayLimits(
        time_ms=None if minutes is None else round(minutes * MINUTE_MS),
        loss_cents=cents("loss"),
        stake_cents=cents("stake"),
    )
