"""A tree that is kept as a plain list of leaf hashes, for what proves and what is proved to."""

from collections.abc import Iterable
from hashlib import sha256

from natural9.proof.merkle import Range, consistency_ranges, inclusion_ranges, leaf_hash, root_of


def leaves(count: int, salt: str = "") -> list[bytes]:
    return [leaf_hash(sha256(f"{salt}{number}".encode()).digest()) for number in range(count)]


def hashes_of(tree: list[bytes], ranges: Iterable[Range]) -> list[bytes]:
    return [root_of(tree[start:end]) for start, end in ranges]


def inclusion(tree: list[bytes], index: int) -> list[bytes]:
    return hashes_of(tree, inclusion_ranges(index, len(tree)))


def consistency(tree: list[bytes], first: int) -> list[bytes]:
    return hashes_of(tree, consistency_ranges(first, len(tree)))
