"""What moves from node to node, told in a line each."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Final

from natural9.store.contract import StoreFailed
from natural9.store.postgres.leases import SeenNodes, look

LOOK_S: Final = 0.25
OFFICE: Final = "venue"


class Moves:
    """As the database knows it; nobody else is asked."""

    def __init__(self, database: str, tell: Callable[[str], None]) -> None:
        self._database, self._tell = database, tell
        self._at: dict[str, str] = {}  # each stream's last node

    async def until_spread(self, nodes: int, streams: int, *, wait_s: float) -> None:
        """Until everything is somewhere, and everybody has as much as the others, or one more; or for so long."""
        try:
            async with asyncio.timeout(wait_s):
                while True:
                    owners = self._at = _owners(await self._look())
                    has = Counter(owners.values())
                    if len(owners) >= streams and len(has) == nodes and max(has.values()) - min(has.values()) <= 1:
                        return
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            return

    async def follow(self) -> None:
        while True:
            if seen := await self._look():
                for line in self.lines(seen):
                    self._tell(line)
            await asyncio.sleep(LOOK_S)

    def lines(self, seen: SeenNodes) -> list[str]:
        """What has moved since the last look: one line for all that went the same way."""
        moved = defaultdict(list)
        for stream, owner in _owners(seen).items():
            before = self._at.get(stream, owner)
            if before != owner:
                moved[before, owner].append(stream)
            self._at[stream] = owner
        return [_line(seen, before, owner, streams) for (before, owner), streams in moved.items()]

    async def _look(self) -> SeenNodes | None:
        try:
            return await look(self._database)
        except StoreFailed:
            return None


def _owners(seen: SeenNodes | None) -> dict[str, str]:
    if seen is None:
        return {}
    living = {node.card.name for node in seen.nodes if node.is_alive}
    return {one.stream: one.owner for one in seen.streams if one.owner in living}


def _line(seen: SeenNodes, before: str, owner: str, streams: list[str]) -> str:
    names = ", ".join("the office" if one == OFFICE else one.removeprefix("table/") for one in streams)
    last = next((node for node in seen.nodes if node.card.name == before), None)
    if last and last.is_alive:
        return f"{names}: from {before} to {owner}, between rounds"
    if last is None:
        return f"{names}: from {before}, which has left, to {owner}"
    taken_ms = max(one.since_ms for one in seen.streams if one.stream in streams)
    away_ms = max(0, taken_ms - (seen.now_ms - last.seen_ms_ago))
    return f"{names}: from {before}, which is dead, to {owner}, after {away_ms / 1000:.1f} s"
