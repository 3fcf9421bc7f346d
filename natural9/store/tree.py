"""The Merkle tree over all entries, kept so that a proof costs the same in a long journal as in a short one.

Of a tree whose leaves never change, a whole run of 256 leaves has one hash for ever, and so has a run of 256 of those:
these are kept (`level` 1, 2, ...), and all else is made from them and the hashes of the entries (`level` 0) when it is
asked for.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from natural9.proof.merkle import EMPTY_ROOT, leaf_hash, leaf_hashes, node_hash, root_of

FAN = 256  # how many hashes of one level make one of the next


class Node(NamedTuple):
    """The hash of a whole run: the `place`th of FAN ** level leaves."""

    level: int
    place: int
    hash: bytes


# The hashes of nodes at a level, from one place up to another.
Nodes = Callable[[int, int, int], Sequence[bytes]]


class Growing:
    """The right edge of a tree: what is not whole yet, level by level."""

    def __init__(self, size: int = 0, nodes: Nodes = lambda level, first, end: ()) -> None:
        """A tree of this size, whose nodes can be looked up."""
        self._edge: list[list[bytes]] = []
        self._places: list[int] = []
        level, many = 0, size
        while many:
            whole = many // FAN
            self._edge.append(list(nodes(level, whole * FAN, many)))
            self._places.append(whole)
            level, many = level + 1, whole

    def add(self, leaves: Sequence[bytes]) -> list[Node]:
        """Entries' hashes, in order; the nodes that they make whole."""
        made: list[Node] = []
        level, added = 0, leaves
        while added:
            if level == len(self._edge):
                self._edge.append([])
                self._places.append(0)
            edge = self._edge[level]
            edge += added
            whole: list[bytes] = []
            while len(edge) >= FAN:
                run = edge[:FAN]
                del edge[:FAN]
                whole.append(root_of(leaf_hashes(run) if level == 0 else run))
                made.append(Node(level + 1, self._places[level], whole[-1]))
                self._places[level] += 1
            level, added = level + 1, whole
        return made


class TreeInMemory:
    """All hashes of the entries, and what they make. Of an append nothing is made before it is asked for; the root
    costs what has come since the last, and not the whole tree."""

    def __init__(self) -> None:
        self._levels: list[list[bytes]] = [[]]  # of the entries, and of whole runs of FAN
        self._growing, self._grown = Growing(), 0
        self._runs: list[bytes] = []  # whole runs of leaves, each half as many as the one before or fewer
        self._in_runs = 0

    def __len__(self) -> int:
        return len(self._levels[0])

    def add(self, hashes: Iterable[bytes]) -> None:
        self._levels[0].extend(hashes)

    def copy(self) -> "TreeInMemory":
        copied = TreeInMemory()
        copied.add(self._levels[0])
        return copied

    def root(self) -> bytes:
        runs = self._runs
        for one in self._levels[0][self._in_runs :]:
            run, many = leaf_hash(one), self._in_runs
            while many & 1:  # a run of the same length is there
                run, many = node_hash(runs.pop(), run), many >> 1
            runs.append(run)
            self._in_runs += 1
        if not runs:
            return EMPTY_ROOT
        root = runs[-1]
        for run in reversed(runs[:-1]):
            root = node_hash(run, root)
        return root

    def hash_of(self, start: int, end: int) -> bytes:
        for level, _, hashed in self._growing.add(self._levels[0][self._grown :]):
            if level == len(self._levels):
                self._levels.append([])
            self._levels[level].append(hashed)
        self._grown = len(self)
        return hash_of(start, end, lambda level, first, last: self._levels[level][first:last])


def hash_of(start: int, end: int, nodes: Nodes) -> bytes:
    """The RFC 6962 hash of the leaves from `start` up to `end`: a few look-ups, however many leaves there are."""
    many = end - start
    if many <= FAN:
        return root_of(leaf_hashes(nodes(0, start, end)))
    half = 1 << (many - 1).bit_length() - 1  # the greatest power of two below it
    if many == 2 * half and start % many == 0:
        level, unit = 1, FAN
        while unit * FAN <= many:
            level, unit = level + 1, unit * FAN
        return root_of(nodes(level, start // unit, end // unit))
    return node_hash(hash_of(start, start + half, nodes), hash_of(start + half, end, nodes))
