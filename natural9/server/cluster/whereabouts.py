"""Who has which table now, and who the office, as far as this node knows: what it asks goes there.

It may be wrong for a moment. Whoever is asked for what it does not have says so, and the database lets only the owner
write.
"""

from collections.abc import Mapping
from typing import Final

OFFICE: Final = "venue"


def table_stream(table: str) -> str:
    return f"table/{table}"


class Whereabouts:
    def __init__(self, here: str) -> None:
        self.here = here
        self._owners: dict[str, str] = {}

    def owner_of(self, stream: str) -> str | None:
        """The node that has it; None while nobody does."""
        return self._owners.get(stream)

    @property
    def owners(self) -> Mapping[str, str]:
        return self._owners

    def learn(self, owners: Mapping[str, str]) -> None:
        """As the database has it; what is here is known here first."""
        mine = {stream: node for stream, node in self._owners.items() if node == self.here}
        self._owners = {stream: node for stream, node in owners.items() if node != self.here} | mine

    def took(self, stream: str, node: str) -> None:
        self._owners[stream] = node

    def left(self, stream: str, node: str) -> None:
        if self._owners.get(stream) == node:
            del self._owners[stream]
