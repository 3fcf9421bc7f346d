"""The Merkle tree as it is kept: whole runs of 256, and the edge that grows."""

from collections.abc import Iterable
from hashlib import sha256

import pytest

from natural9.store.tree import FAN, Growing, Node, TreeInMemory, hash_of

SIZES = (0, 1, 2, 255, 256, 257, 511, 512, 513, 1000, 65_535, 65_536, 65_537, 70_000, 2 * 65_536)
LEAVES = [sha256(b"%d" % place).digest() for place in range(max(SIZES))]


def plain_root(leaves: list[bytes]) -> bytes:
    """Row by row, a last one without a partner going up as it is."""
    row = [sha256(b"\0" + leaf).digest() for leaf in leaves] or [sha256().digest()]
    while len(row) > 1:
        pairs = [sha256(b"\1" + row[at] + row[at + 1]).digest() for at in range(0, len(row) - 1, 2)]
        row = pairs + row[2 * len(pairs) :]
    return row[0]


class KeptTree:
    """Nodes by level, and how many were looked up."""

    def __init__(self, leaves: list[bytes], nodes: Iterable[Node]) -> None:
        self.levels: dict[int, list[bytes]] = {0: leaves}
        self.looked_up = 0
        for node in nodes:
            assert node.place == len(self.levels.setdefault(node.level, []))
            self.levels[node.level].append(node.hash)

    def nodes(self, level: int, first: int, end: int) -> list[bytes]:
        self.looked_up += end - first
        return self.levels[level][first:end]


@pytest.mark.parametrize("size", SIZES)
def test_the_root_follows_from_few_nodes(size: int) -> None:
    leaves = LEAVES[:size]
    kept = KeptTree(leaves, Growing().add(leaves))
    assert hash_of(0, size, kept.nodes) == plain_root(leaves)
    assert kept.looked_up <= 3 * FAN


def test_a_tree_that_goes_on_later_is_the_same() -> None:
    """However it was divided, and taken up again from its nodes."""
    whole = Growing().add(LEAVES)
    assert [node.level for node in whole if node.level > 1] == [2, 2]
    for cut in (1, 255, 256, 700, 65_536, 65_537, 100_000):
        before = Growing().add(LEAVES[:cut])
        kept = KeptTree(LEAVES, whole)
        assert sorted(before + Growing(cut, kept.nodes).add(LEAVES[cut:])) == sorted(whole)


@pytest.mark.parametrize(("start", "end"), [(0, 65_536), (65_536, 131_072), (512, 1024), (3, 4), (300, 900)])
def test_any_run_of_leaves_has_its_hash(start: int, end: int) -> None:
    kept = KeptTree(LEAVES, Growing().add(LEAVES))
    assert hash_of(start, end, kept.nodes) == plain_root(LEAVES[start:end])


def test_in_memory_the_root_goes_on_from_the_last() -> None:
    tree, size = TreeInMemory(), 0
    for more in (0, 1, 1, 1, 4, 0, 249, 1, 300, 143):  # up to 700
        tree.add(LEAVES[size : size + more])
        size += more
        assert (len(tree), tree.root()) == (size, plain_root(LEAVES[:size]))
        assert tree.hash_of(0, size) == tree.copy().root() == tree.root()
    assert tree.hash_of(256, 512) == plain_root(LEAVES[256:512])
