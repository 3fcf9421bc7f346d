"""A proof on one page: whole, it holds; with anything changed it does not."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.merkle import BadProof, leaf_hash, root_of
from natural9.proof.signed_note import ED25519, BadNote, SigningKey
from natural9.proof.tlog_proof import LogProof
from tests.proof.trees import inclusion, leaves

ORIGIN = "marina.natural9/0badcafe"
HOUSE = SigningKey(ORIGIN, ED25519, b"h" * 32)
TREE = leaves(11)
CHECKPOINT = sign_checkpoint(TreeHead(ORIGIN, 11, root_of(TREE)), HOUSE)
PROOF = LogProof(4, tuple(inclusion(TREE, 4)), CHECKPOINT)
PAGE = str(PROOF)


def test_the_page_has_the_form_that_was_published() -> None:
    first, index, *hashes = PAGE.partition("\n\n")[0].split("\n")
    assert (first, index, len(hashes)) == ("c2sp.org/tlog-proof@v1", "index 4", 4)
    assert all(len(line) == 44 and line.endswith("=") for line in hashes)
    assert PAGE.partition("\n\n")[2] == str(CHECKPOINT)
    assert LogProof.parse(PAGE) == PROOF


def test_it_proves_its_own_entry_and_no_other() -> None:
    assert PROOF.check(TREE[4], ORIGIN, [HOUSE.verifier]).size == 11
    with pytest.raises(BadProof, match="does not lead from leaf 4"):
        PROOF.check(TREE[5], ORIGIN, [HOUSE.verifier])
    with pytest.raises(BadNote, match="not of"):
        PROOF.check(TREE[4], "other", [HOUSE.verifier])
    with pytest.raises(BadNote, match="nobody who is known"):
        PROOF.check(TREE[4], ORIGIN, [])


def test_extra_data_travels_along() -> None:
    with_extra = replace(PROOF, extra=b"table nc-1")
    assert "\nextra dGFibGUgbmMtMQ==\n" in str(with_extra)
    assert LogProof.parse(str(with_extra)) == with_extra


def test_a_proof_of_the_only_entry_has_no_hashes() -> None:
    only = [leaf_hash(b"first")]
    note = sign_checkpoint(TreeHead(ORIGIN, 1, root_of(only)), HOUSE)
    page = str(LogProof(0, (), note))
    assert LogProof.parse(page).check(only[0], ORIGIN, [HOUSE.verifier]).size == 1


@pytest.mark.parametrize(
    ("page", "why"),
    [
        ("", "no proof"),
        (PAGE.replace("@v1", "@v2"), "no proof"),
        (PAGE.replace("\n\n", "\n"), "no proof"),
        (PAGE.replace("index 4\n", ""), "which entry"),
        (PAGE.replace("index 4", "index 04"), "not a number"),
        (PAGE.replace("index 4", "extra ?\nindex 4"), "not base64"),
        (PAGE.replace("index 4", "index 4" + "\n" + "A" * 43 + "?"), "not base64"),
        (PAGE.replace("index 4", "index 4" + f"\n{'A' * 43}=" * 60), "64 hashes"),
        (PAGE[:-1], "cut off"),
        (PAGE * 200, "longer than"),
        ("c2sp.org/tlog-proof@v1\n\nx\n", "which entry"),
    ],
)
def test_what_is_no_proof_is_refused_with_the_reason(page: str, why: str) -> None:
    with pytest.raises(BadProof, match=why):
        LogProof.parse(page)


@given(st.data())
def test_any_changed_bit_is_found(data: st.DataObject) -> None:
    whole = bytearray(PAGE.encode())
    bit = data.draw(st.integers(0, len(whole) * 8 - 1))
    whole[bit // 8] ^= 1 << bit % 8
    with pytest.raises((BadProof, BadNote)):
        LogProof.parse(whole.decode(errors="surrogateescape")).check(TREE[4], ORIGIN, [HOUSE.verifier])
