"""The other nodes as far as they have been heard: who is there, and whether anything of what they told has been lost.

NATS delivers in order, once or not at all. So letters between two nodes are counted: a *conversation* begins with
number 1, and a number left out says that what was carried between the two cannot be relied on any more.
"""

from collections.abc import Callable
from dataclasses import dataclass

Claims = dict[str, tuple[int, int]]  # of each node that was told something: its run, and how many letters


@dataclass(slots=True)
class Peer:
    """One other node. Its `run` is one unbroken connection to NATS."""

    run: int
    heard_at: float
    told: int = 0  # letters to it
    last: int = 0  # the number of the last letter of it
    claimed: int = 0  # how many there were when it last said so


class Peers:
    """Every node that was heard. `lost` is told whose letters may be missing, or who is gone."""

    def __init__(self, silent_s: float, lost: Callable[[str], None]) -> None:
        self._silent_s, self._lost = silent_s, lost
        self._known: dict[str, Peer] = {}

    def __contains__(self, node: str) -> bool:
        return node in self._known

    def names(self) -> list[str]:
        return sorted(self._known)

    def next_letter(self, node: str) -> tuple[int, int]:
        """The run that a letter is for, and its number; zeros for a node that was not heard yet."""
        peer = self._known.get(node)
        if peer is None:
            return 0, 0
        peer.told += 1
        return peer.run, peer.told

    def letter(self, node: str, run: int, number: int, now: float) -> bool:
        """Whether it is to be read: not what a run has told that is over."""
        peer = self._known.get(node)
        if number == 0:
            return True
        if peer is None or peer.run != run:
            if number > 1 and peer is not None:
                return False
            peer = self._met(node, run, now)
        elif number == 1 and peer.last:  # it has lost sight of us, and begins anew
            self._break(node, peer)
        if number > peer.last + 1:
            self._break(node, peer)
        peer.last, peer.heard_at = number, now
        return True

    def alive(self, node: str, run: int, claimed: int, now: float) -> bool:
        """It says how many letters it has told us: those of its last word must have come by now. True if it is new."""
        peer = self._known.get(node)
        is_new = peer is None or peer.run != run
        if peer is None or is_new:
            peer = self._met(node, run, now)
        if peer.claimed > peer.last:
            peer.last = peer.claimed
            self._break(node, peer)
        peer.claimed, peer.heard_at = claimed, now
        return is_new

    def claims(self) -> Claims:
        return {node: (peer.run, peer.told) for node, peer in self._known.items()}

    def gone(self, node: str) -> None:
        if self._known.pop(node, None):
            self._lost(node)

    def all_gone(self) -> None:
        for node in self.names():
            self.gone(node)

    def look(self, now: float) -> None:
        """Who has been silent for too long is gone."""
        for node in [node for node, peer in self._known.items() if now - peer.heard_at > self._silent_s]:
            self.gone(node)

    def _met(self, node: str, run: int, now: float) -> Peer:
        self.gone(node)
        peer = self._known[node] = Peer(run, now)
        return peer

    def _break(self, node: str, peer: Peer) -> None:
        peer.claimed = 0
        self._lost(node)
