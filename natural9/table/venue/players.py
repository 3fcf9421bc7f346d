"""Whether a venue has players with names and cards, and what points they get."""

from dataclasses import dataclass
from typing import Final

from natural9.games.source import Source
from natural9.table.venue.file import PlayersSection

MOST_POINTS: Final = 1_000


@dataclass(frozen=True, kw_only=True)
class CardedPlay:
    points_per_100: int = 0  # for each 100.00 staked on bets that were decided; 0: there are no points


def read_players(source: Source, section: PlayersSection) -> CardedPlay | None:
    """None where everybody plays without a name, as they do unless the venue says otherwise."""
    points = section.points_per_100
    if not 0 <= points <= MOST_POINTS:
        why = f"points_per_100 is from 0 (no points) to {MOST_POINTS} points for each 100.00 staked, not {points}"
        source.refuse("$.players.points_per_100", why)
    return CardedPlay(points_per_100=points) if section.on else None
