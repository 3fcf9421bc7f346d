"""The Merkle tree of RFC 6962: its hashes, which parts of it a proof is made of, and whether a proof holds.

A part of the tree is a range of its leaves, `(start, end)`. Whoever makes a proof asks for the ranges that it needs and
has any store supply their hashes, so that nothing here knows how a tree is kept.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

HASH_BYTES: Final = 32
EMPTY_ROOT: Final = sha256().digest()
MOST_LEAVES: Final = 2**63 - 1

# How every leaf and every node begins. A copy is cheaper than a new one, which looks SHA-256 up each time.
_LEAF: Final = sha256(b"\x00")
_NODE: Final = sha256(b"\x01")

Range = tuple[int, int]


class BadProof(ValueError):
    """A proof that does not hold, or is none; the message says which."""


def leaf_hash(data: bytes) -> bytes:
    """One leaf; the first byte keeps a leaf from ever passing for a node.

    >>> leaf_hash(b"").hex()
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'
    """
    return sha256(b"\x00" + data).digest()


def leaf_hashes(data: Iterable[bytes]) -> list[bytes]:
    """As `leaf_hash`, written out: a call for every leaf would cost as much as the hash."""
    hashed: list[bytes] = []
    begin = _LEAF.copy
    for one in data:
        leaf = begin()
        leaf.update(one)
        hashed.append(leaf.digest())
    return hashed


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root over these leaf hashes."""
    if not leaves:
        return EMPTY_ROOT
    row = list(leaves)
    begin = _NODE.copy
    while len(row) > 1:
        # A last one without a partner goes up as it is: that is where the definition's largest power of two cuts.
        above = row[len(row) & ~1 :]
        pairs: list[bytes] = []
        for left, right in zip(row[::2], row[1::2], strict=False):
            node = begin()  # `node_hash`, written out, too
            node.update(left + right)
            pairs.append(node.digest())
        row = pairs + above
    return row[0]


def inclusion_ranges(index: int, size: int) -> list[Range]:
    """The ranges whose hashes prove that leaf `index` is in the tree of this size, the leaf's sibling first.

    >>> inclusion_ranges(2, 7)
    [(3, 4), (0, 2), (4, 7)]
    """
    if not 0 <= index < size <= MOST_LEAVES:
        raise BadProof(f"there is no leaf {index} in a tree of {size}")
    return _beside(index, 0, size)


def consistency_ranges(first: int, second: int) -> list[Range]:
    """The ranges whose hashes prove that the tree of size `first` is how the one of size `second` began.

    >>> consistency_ranges(3, 7)
    [(2, 3), (3, 4), (0, 2), (4, 7)]
    """
    _check_sizes(first, second)
    if first in (0, second):
        return []  # every tree began empty, and is itself
    return _subproof(first, 0, second, is_known=True)


def check_inclusion(leaf: bytes, index: int, size: int, hashes: Sequence[bytes], root: bytes) -> None:
    """BadProof unless these hashes lead from the leaf's hash to the root."""
    _check_hashes(hashes, inclusion_ranges(index, size), leaf, root)
    if _climb(leaf, index, size, hashes) != root:
        raise BadProof(f"the proof does not lead from leaf {index} to the root of the tree of {size}")


def check_consistency(first: int, first_root: bytes, second: int, second_root: bytes, hashes: Sequence[bytes]) -> None:
    """BadProof unless these hashes lead to both roots, so that the second tree begins with the whole first."""
    _check_hashes(hashes, consistency_ranges(first, second), first_root, second_root)
    if first == second:
        roots = first_root, first_root
    elif first:
        roots = _climb_both(first, second, hashes, first_root)
    else:
        roots = EMPTY_ROOT, second_root
    if roots != (first_root, second_root) or (not second and second_root != EMPTY_ROOT):
        raise BadProof(f"the tree of {second} does not begin with the tree of {first}")


def whole_ranges(start: int, end: int) -> list[Range]:
    """The leaves from `start` up to `end` as the whole subtrees that they are, as few as possible.

    >>> whole_ranges(3, 9)
    [(3, 4), (4, 8), (8, 9)]
    """
    found: list[Range] = []
    while start < end:
        aligned = start & -start if start else MOST_LEAVES
        width = min(aligned, 1 << ((end - start).bit_length() - 1))
        found.append((start, start + width))
        start += width
    return found


class TreeEdge:
    """A tree that grows by whole subtrees, of which only the right edge is held: its root at any size on the way."""

    def __init__(self) -> None:
        self.size = 0
        self._edge: list[tuple[int, bytes]] = []  # width and hash of each whole subtree, the widest first

    def add(self, hashes: Sequence[bytes], ranges: Sequence[Range]) -> None:
        """What `whole_ranges(self.size, ...)` names."""
        for hashed, (start, end) in zip(hashes, ranges, strict=True):
            assert start == self.size
            width = end - start
            while self._edge and self._edge[-1][0] == width:
                hashed = node_hash(self._edge.pop()[1], hashed)
                width *= 2
            self._edge.append((width, hashed))
            self.size = end

    @property
    def root(self) -> bytes:
        if not self._edge:
            return EMPTY_ROOT
        (_, root), *left = reversed(self._edge)
        for _, hashed in left:
            root = node_hash(hashed, root)
        return root


def _split(size: int) -> int:
    """How many leaves go to the left: the largest power of two below the size."""
    return 1 << ((size - 1).bit_length() - 1)


def _beside(index: int, start: int, end: int) -> list[Range]:
    if end - start == 1:
        return []
    middle = start + _split(end - start)
    if index < middle:
        return [*_beside(index, start, middle), (middle, end)]
    return [*_beside(index, middle, end), (start, middle)]


def _subproof(first: int, start: int, end: int, *, is_known: bool) -> list[Range]:
    """RFC 6962 calls it SUBPROOF; `is_known` while this part of the first tree is the whole of it."""
    if first == end:
        return [] if is_known else [(start, end)]
    middle = start + _split(end - start)
    if first <= middle:
        return [*_subproof(first, start, middle, is_known=is_known), (middle, end)]
    return [*_subproof(first, middle, end, is_known=False), (start, middle)]


def _climb(leaf: bytes, index: int, size: int, hashes: Sequence[bytes]) -> bytes:
    if size == 1:
        return leaf
    left = _split(size)
    if index < left:
        return node_hash(_climb(leaf, index, left, hashes[:-1]), hashes[-1])
    return node_hash(hashes[-1], _climb(leaf, index - left, size - left, hashes[:-1]))


def _climb_both(first: int, second: int, hashes: Sequence[bytes], known: bytes | None) -> tuple[bytes, bytes]:
    """The roots of the first and of the second tree, as far as this part of them goes."""
    if first == second:
        same = hashes[0] if known is None else known
        return same, same
    left = _split(second)
    if first <= left:
        old, new = _climb_both(first, left, hashes[:-1], known)
        return old, node_hash(new, hashes[-1])
    old, new = _climb_both(first - left, second - left, hashes[:-1], None)
    return node_hash(hashes[-1], old), node_hash(hashes[-1], new)


def _check_sizes(first: int, second: int) -> None:
    if not 0 <= first <= second <= MOST_LEAVES:
        raise BadProof(f"a tree of {second} cannot continue one of {first}")


def _check_hashes(hashes: Sequence[bytes], ranges: Sequence[Range], *ends: bytes) -> None:
    if len(hashes) != len(ranges):
        raise BadProof(f"the proof has {len(hashes)} hashes, and {len(ranges)} are due")
    if any(len(one) != HASH_BYTES for one in (*hashes, *ends)):
        raise BadProof(f"a hash of the proof is not {HASH_BYTES} bytes long")
