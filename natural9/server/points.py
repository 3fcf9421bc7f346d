"""Players' points: all that was ever counted, read once and then only what is new."""

from typing import Final

from natural9.journal.card_events import PlayCounted
from natural9.journal.labels import player_label
from natural9.journal.line import read_line
from natural9.store.contract import Store

PAGE: Final = 100  # entries read in one turn: half a millisecond, so that no table waits


class Points:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, tuple[int, int]] = {}  # by player: up to which entry, and how many

    async def of(self, player: str) -> int:
        """In hundredths."""
        through, points = self._known.get(player, (0, 0))
        newest, before, is_more = through, None, True
        while is_more:
            page = await self._store.labelled(player_label(player), before=before, limit=PAGE)
            new = [one for one in page if one.seq > through]
            counted = [read_line(one).event for one in new if one.kind == PlayCounted.TAG]
            points += sum([one.points for one in counted if isinstance(one, PlayCounted)])
            if new:
                newest, before = max(newest, new[0].seq), new[-1].seq
            is_more = len(new) == PAGE
        self._known[player] = newest, points
        return points
