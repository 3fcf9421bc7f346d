"""Checkpoints and cosignatures: the examples of the pages that define them, and all that they refuse."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from natural9.proof.checkpoint import TreeHead, sign_checkpoint, verify_checkpoint
from natural9.proof.cosignature import Cosigned, check_cosignature, cosign, cosigned_by, parse_cosignatures
from natural9.proof.merkle import EMPTY_ROOT, MOST_LEAVES
from natural9.proof.signed_note import COSIGNATURE, ED25519, BadNote, SignedNote, SigningKey

# c2sp.org/tlog-cosignature
COSIGNED = """\
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa \
Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 \
jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
"""
ORIGIN = "marina.natural9/0badcafe"
HOUSE = SigningKey(ORIGIN, ED25519, b"h" * 32)
WITNESS = SigningKey("regulator.example/w1", COSIGNATURE, b"w" * 32)
HEAD = TreeHead(ORIGIN, 7, bytes(range(32)))
NOTE = sign_checkpoint(HEAD, HOUSE)


def test_the_example_of_the_page_that_defines_checkpoints_is_read() -> None:
    note = SignedNote.parse(COSIGNED)
    head = TreeHead.parse(note.text)
    assert (head.origin, head.size, head.root[:2].hex()) == ("example.com/behind-the-sofa", 20852163, "0ac5")
    assert head.text == note.text
    assert int.from_bytes(note.signatures[1].signature[:8]) == 1679315147  # the page names this time
    assert str(note) == COSIGNED


def test_a_checkpoint_is_believed_by_origin_and_key() -> None:
    assert verify_checkpoint(NOTE, ORIGIN, [HOUSE.verifier]) == HEAD
    with pytest.raises(BadNote, match="not of 'other'"):
        verify_checkpoint(NOTE, "other", [HOUSE.verifier])
    with pytest.raises(BadNote, match="nobody who is known"):
        verify_checkpoint(NOTE, ORIGIN, [SigningKey(ORIGIN, ED25519, b"x" * 32).verifier])


def test_extension_lines_are_kept_because_they_are_signed() -> None:
    head = HEAD._replace(extensions=("more",))
    assert TreeHead.parse(head.text) == head


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a\n1\n", "no checkpoint"),
        ("\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "no checkpoint"),
        ("a\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=", "no checkpoint"),
        ("a\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n", "no checkpoint"),
        ("a\n01\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "not a number: '01'"),
        ("a\n-1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "not a number"),
        ("a\n٣\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "not a number"),
        (f"a\n{'9' * 5000}\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "not a number"),
        (f"a\n{MOST_LEAVES + 1}\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n", "too large"),
        ("a\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=\n", "not base64"),
        ("a\n1\nCsUYapGG\n", "has 6 bytes"),
    ],
)
def test_what_is_no_checkpoint_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(BadNote, match=why):
        TreeHead.parse(text)


def test_a_cosignature_is_verified_by_cryptography_alone() -> None:
    """By the words of its page, with nothing of ours."""
    line = str(cosign(NOTE.text, WITNESS, 1700000000))
    _, name, encoded = line.split(" ")
    signed = base64.b64decode(encoded)
    material = base64.b64decode(str(WITNESS.verifier).split("+", 2)[2])
    assert (name, material[0], signed[4:12]) == ("regulator.example/w1", 4, (1700000000).to_bytes(8, "big"))
    message = f"cosignature/v1\ntime 1700000000\n{NOTE.text}".encode()
    Ed25519PublicKey.from_public_bytes(material[1:]).verify(signed[12:], message)


def test_a_note_tells_who_cosigned_it_and_when() -> None:
    other = SigningKey("player.example", COSIGNATURE, b"p" * 32)
    note = NOTE.with_signatures([cosign(NOTE.text, WITNESS, 5)])
    assert cosigned_by(note, [WITNESS.verifier, other.verifier]) == [Cosigned(WITNESS.verifier, 5)]
    assert verify_checkpoint(note, ORIGIN, [HOUSE.verifier]) == HEAD
    assert SignedNote.parse(str(note)) == note


def test_a_cosignature_of_another_checkpoint_or_time_or_witness_is_refused() -> None:
    line = cosign(NOTE.text, WITNESS, 5)
    assert check_cosignature(NOTE.text, line, WITNESS.verifier) == 5
    longer = HEAD._replace(size=8).text
    later = line._replace(signature=(6).to_bytes(8) + line.signature[8:])
    other = SigningKey("regulator.example/w1", COSIGNATURE, b"x" * 32)
    for text, shown, key in (
        (longer, line, WITNESS),
        (NOTE.text, later, WITNESS),
        (NOTE.text, line, other),
        (NOTE.text, line._replace(signature=b"short"), WITNESS),
        (NOTE.text, line._replace(signature=b"\xff" * 72), WITNESS),
    ):
        with pytest.raises(BadNote, match="is wrong"):
            check_cosignature(text, shown, key.verifier)


def test_the_lines_that_a_witness_sends_are_read() -> None:
    line = cosign(NOTE.text, WITNESS, 5)
    assert parse_cosignatures(f"{line}\n") == [line]
    for sent, why in (
        ("", "ends with"),
        (str(line), "ends with"),
        ("\n", "not a signature"),
        (f"{line}\n" * 101, "101"),
    ):
        with pytest.raises(BadNote, match=why):
            parse_cosignatures(sent)
    with pytest.raises(BadNote, match="longer"):
        parse_cosignatures("x" * 100_000)


@given(st.data())
def test_any_changed_bit_of_a_cosigned_checkpoint_is_found(data: st.DataObject) -> None:
    whole = bytearray(str(NOTE.with_signatures([cosign(NOTE.text, WITNESS, 5)])).encode())
    bit = data.draw(st.integers(0, len(whole) * 8 - 1))
    whole[bit // 8] ^= 1 << bit % 8
    try:
        note = SignedNote.parse(bytes(whole))
        verify_checkpoint(note, ORIGIN, [HOUSE.verifier])
        assert cosigned_by(note, [WITNESS.verifier]) == []  # it is no longer the witness's line at all
    except BadNote:
        pass


@given(st.integers(0, MOST_LEAVES), st.binary(min_size=32, max_size=32))
def test_checkpoints_are_read_as_they_were_written(size: int, root: bytes) -> None:
    head = TreeHead(ORIGIN, size, root)
    assert TreeHead.parse(head.text) == head


def test_the_empty_tree_has_a_checkpoint() -> None:
    note = sign_checkpoint(TreeHead(ORIGIN, 0, EMPTY_ROOT), HOUSE)
    assert verify_checkpoint(note, ORIGIN, [HOUSE.verifier]).size == 0
