"""The tree against RFC 6962's definition, Certificate Transparency's published vectors, and pymerkle."""

import pymerkle  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.proof.merkle import (
    EMPTY_ROOT,
    MOST_LEAVES,
    BadProof,
    check_consistency,
    check_inclusion,
    consistency_ranges,
    inclusion_ranges,
    leaf_hash,
    node_hash,
    root_of,
)
from tests.proof.trees import consistency, hashes_of, inclusion, leaves

# The eight leaves that Certificate Transparency's implementations are tested with, and the root after each.
INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
TREE = [leaf_hash(bytes.fromhex(text)) for text in INPUTS]
# Proofs as they are published with those leaves: (leaf, size, hashes) and (first, second, hashes).
INCLUSIONS = [
    (0, 1, []),
    (
        0,
        8,
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        5,
        8,
        [
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (2, 3, ["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]),
    (
        1,
        5,
        [
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
]
CONSISTENCIES = [
    (1, 1, []),
    (
        1,
        8,
        [
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
        ],
    ),
    (
        6,
        8,
        [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
    (
        2,
        5,
        [
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
        ],
    ),
    (
        6,
        7,
        [
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
            "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        ],
    ),
]

sizes = st.integers(1, 70)


@pytest.mark.parametrize("size", range(9))
def test_the_published_roots_are_ours(size: int) -> None:
    assert root_of(TREE[:size]).hex() == ROOTS[size]


@pytest.mark.parametrize(("index", "size", "hashes"), INCLUSIONS)
def test_the_published_inclusion_proofs_are_ours(index: int, size: int, hashes: list[str]) -> None:
    assert [one.hex() for one in inclusion(TREE[:size], index)] == hashes
    check_inclusion(TREE[index], index, size, [bytes.fromhex(one) for one in hashes], bytes.fromhex(ROOTS[size]))


@pytest.mark.parametrize(("first", "second", "hashes"), CONSISTENCIES)
def test_the_published_consistency_proofs_are_ours(first: int, second: int, hashes: list[str]) -> None:
    assert [one.hex() for one in consistency(TREE[:second], first)] == hashes
    roots = bytes.fromhex(ROOTS[first]), bytes.fromhex(ROOTS[second])
    check_consistency(first, roots[0], second, roots[1], [bytes.fromhex(one) for one in hashes])


def test_the_example_of_rfc_6962_needs_these_parts() -> None:
    """Section 2.1.3: seven leaves d0 to d6, whose nodes it names a, b, ... k, l."""
    a, b, c, d, f, j = (0, 1), (1, 2), (2, 3), (3, 4), (5, 6), (6, 7)
    g, h, i, k, l = (0, 2), (2, 4), (4, 6), (0, 4), (4, 7)  # noqa: E741 - the RFC's own letter
    assert inclusion_ranges(0, 7) == [b, h, l]
    assert inclusion_ranges(3, 7) == [c, g, l]
    assert inclusion_ranges(4, 7) == [f, j, k]
    assert inclusion_ranges(6, 7) == [i, k]
    assert consistency_ranges(3, 7) == [c, d, g, l]
    assert consistency_ranges(4, 7) == [l]
    assert consistency_ranges(6, 7) == [i, j, k]
    assert a not in consistency_ranges(3, 7)


def test_pymerkle_has_the_same_roots_and_proofs() -> None:
    data = [bytes([number]) * 32 for number in range(40)]
    theirs = pymerkle.InmemoryTree.init_from_entries(data)
    ours = [leaf_hash(one) for one in data]
    for size in range(1, 41):
        assert theirs.get_root(size) == root_of(ours[:size])
        for index in range(size):
            proof = theirs.prove_inclusion(index + 1, size)
            assert proof.path == [ours[index], *inclusion(ours[:size], index)]
            check_inclusion(ours[index], index, size, proof.path[1:], theirs.get_root(size))
        for first in range(1, size + 1):  # its consistency proofs have their own order of hashes, not the RFC's
            check_consistency(
                first, theirs.get_root(first), size, theirs.get_root(size), consistency(ours[:size], first)
            )
            proved = theirs.prove_consistency(first, size)
            pymerkle.verify_consistency(root_of(ours[:first]), root_of(ours[:size]), proved, first, size)


def test_pymerkle_believes_a_proof_of_ours() -> None:
    tree = leaves(21)
    rule = pymerkle.InmemoryTree.init_from_entries([b"x"] * 21).prove_inclusion(10, 21).rule
    proof = pymerkle.InclusionProof("sha256", True, 21, 10, rule, [tree[9], *inclusion(tree, 9)])
    pymerkle.verify_inclusion(tree[9], root_of(tree), proof, index=10, size=21)
    with pytest.raises(pymerkle.InvalidProof):
        pymerkle.verify_inclusion(tree[9], root_of(leaves(21, "other")), proof, index=10, size=21)


@given(st.data(), sizes)
def test_every_leaf_of_every_tree_can_be_proved_and_no_other(data: st.DataObject, size: int) -> None:
    tree = leaves(size)
    index = data.draw(st.integers(0, size - 1))
    hashes = inclusion(tree, index)
    check_inclusion(tree[index], index, size, hashes, root_of(tree))
    other = data.draw(st.integers(0, size).filter(lambda one: one != index))
    with pytest.raises(BadProof):
        check_inclusion(tree[index], other, size, hashes, root_of(tree))
    with pytest.raises(BadProof):
        check_inclusion(leaf_hash(b"other"), index, size, hashes, root_of(tree))


@given(st.data(), sizes)
def test_every_tree_is_proved_to_begin_with_every_smaller_one(data: st.DataObject, second: int) -> None:
    tree = leaves(second)
    first = data.draw(st.integers(0, second))
    hashes = consistency(tree, first)
    check_consistency(first, root_of(tree[:first]), second, root_of(tree), hashes)
    if first:
        with pytest.raises(BadProof):
            check_consistency(first, root_of(leaves(first, "other")), second, root_of(tree), hashes)


@given(st.data(), sizes)
def test_any_changed_bit_breaks_a_proof(data: st.DataObject, size: int) -> None:
    tree = leaves(size)
    index = data.draw(st.integers(0, size - 1))
    proved = [tree[index], root_of(tree), *inclusion(tree, index)]
    leaf, root, *hashes = _with_a_bit_changed(data, proved)
    with pytest.raises(BadProof):
        check_inclusion(leaf, index, size, hashes, root)
    first = data.draw(st.integers(1, size))
    proved = [root_of(tree[:first]), root_of(tree), *consistency(tree, first)]
    first_root, root, *hashes = _with_a_bit_changed(data, proved)
    with pytest.raises(BadProof):
        check_consistency(first, first_root, size, root, hashes)


def _with_a_bit_changed(data: st.DataObject, hashes: list[bytes]) -> list[bytes]:
    changed = [bytearray(one) for one in hashes]
    which = data.draw(st.integers(0, len(changed) - 1))
    bit = data.draw(st.integers(0, 255))
    changed[which][bit // 8] ^= 1 << bit % 8
    return [bytes(one) for one in changed]


@given(st.data(), sizes)
def test_a_hash_too_many_or_missing_breaks_a_proof(data: st.DataObject, size: int) -> None:
    tree = leaves(size)
    index = data.draw(st.integers(0, size - 1))
    hashes, root = inclusion(tree, index), root_of(tree)
    with pytest.raises(BadProof, match="hashes, and"):
        check_inclusion(tree[index], index, size, [*hashes, root], root)
    if hashes:
        with pytest.raises(BadProof, match="hashes, and"):
            check_inclusion(tree[index], index, size, hashes[1:], root)
        with pytest.raises(BadProof, match="32 bytes"):
            check_inclusion(tree[index], index, size, [hashes[0][:31], *hashes[1:]], root)


def test_trees_that_cannot_be_are_refused() -> None:
    for index, size in ((0, 0), (1, 1), (-1, 3), (0, MOST_LEAVES + 1)):
        with pytest.raises(BadProof, match="no leaf"):
            inclusion_ranges(index, size)
    for first, second in ((2, 1), (-1, 1), (0, MOST_LEAVES + 1)):
        with pytest.raises(BadProof, match="cannot continue"):
            consistency_ranges(first, second)
    assert len(inclusion_ranges(0, MOST_LEAVES)) == 63


def test_the_empty_tree_is_the_beginning_of_every_tree_and_no_other_root_is() -> None:
    check_consistency(0, EMPTY_ROOT, 0, EMPTY_ROOT, [])
    check_consistency(0, EMPTY_ROOT, 3, root_of(TREE[:3]), [])
    with pytest.raises(BadProof):
        check_consistency(0, TREE[0], 3, root_of(TREE[:3]), [])
    with pytest.raises(BadProof):
        check_consistency(0, TREE[0], 0, TREE[0], [])


def test_a_node_never_passes_for_a_leaf() -> None:
    assert node_hash(TREE[0], TREE[1]) != leaf_hash(TREE[0] + TREE[1])
    assert hashes_of(TREE, [(0, 2)]) == [node_hash(TREE[0], TREE[1])]
