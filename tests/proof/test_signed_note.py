"""Signed notes: Go's published test note and the C2SP page's own, by our code and by `cryptography` alone."""

import base64
from hashlib import sha256

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from natural9.proof.signed_note import (
    COSIGNATURE,
    ED25519,
    LONGEST_NOTE,
    BadNote,
    NoteSignature,
    SignedNote,
    SigningKey,
    VerifierKey,
    sign,
    verify,
)

# golang.org/x/mod/sumdb/note, as published with its documentation and tests.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETERS_SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
ENOCH = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
PETERS = "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM="
ENOCHS = "rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ="
PETERS_LINE, ENOCHS_LINE = f"— PeterNeumann {PETERS}\n", f"— EnochRoot {ENOCHS}\n"
NOTE = f"{TEXT}\n{PETERS_LINE}"
# c2sp.org/signed-note
EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLE = (
    "This is an example message.\n\n— example.com/foo "
    "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
POEM = """\
Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore \
NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
"""


def test_gos_note_is_verified_by_cryptography_alone() -> None:
    """Nothing of ours takes part: what we hold our code against is itself right."""
    public = base64.b64decode(PETER.split("+", 2)[2])
    signed = base64.b64decode(PETERS)
    assert sha256(b"PeterNeumann\n" + public).digest()[:4] == signed[:4] == bytes.fromhex("c74f20a3")
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(signed[4:], TEXT.encode())
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(public[1:]).verify(signed[4:], TEXT.upper().encode())


def test_gos_note_is_verified_and_signed_by_us_to_the_byte() -> None:
    peter = VerifierKey.parse(PETER)
    assert str(peter) == PETER
    assert verify(SignedNote.parse(NOTE), [peter]) == (peter,)
    secret = SigningKey.parse(PETERS_SECRET)
    assert secret.verifier == peter
    assert secret.written == PETERS_SECRET
    assert str(sign(TEXT, secret)) == NOTE


def test_what_we_sign_is_verified_by_cryptography_alone() -> None:
    key = SigningKey("marina.natural9/0badcafe", ED25519, bytes(range(32)))
    text, _, line = str(sign("a\nb\n", key)).rpartition("\n\n")
    dash, name, encoded = line.strip().split(" ")
    vkey_name, id, material = str(key.verifier).split("+", 2)
    signed, public = base64.b64decode(encoded), base64.b64decode(material)
    assert (dash, name, vkey_name, public[0]) == ("—", "marina.natural9/0badcafe", name, 1)
    assert sha256(f"{name}\n".encode() + public).hexdigest()[:8] == id == signed[:4].hex()
    Ed25519PublicKey.from_public_bytes(public[1:]).verify(signed[4:], f"{text}\n".encode())


def test_the_examples_of_the_page_that_defines_notes_hold() -> None:
    key = VerifierKey.parse(EXAMPLE_KEY)
    assert verify(SignedNote.parse(EXAMPLE), [key]) == (key,)
    poem = SignedNote.parse(POEM)
    assert poem.text.count("\n\n") == 1, "the last empty line ends the text, not the first"
    assert str(poem) == POEM


def test_each_known_key_is_asked_and_others_are_passed_over() -> None:
    peter, enoch = VerifierKey.parse(PETER), VerifierKey.parse(ENOCH)
    both = SignedNote.parse(f"{TEXT}\n{PETERS_LINE}{ENOCHS_LINE}")
    assert verify(both, [peter]) == (peter,)
    assert verify(both, [peter, enoch]) == (peter, enoch)
    with pytest.raises(BadNote, match="nobody who is known here has signed the note, only PeterNeumann, EnochRoot"):
        verify(both, [])
    misnamed = SignedNote.parse(NOTE.replace("PeterNeumann", "CarmenSandiego"))
    with pytest.raises(BadNote, match="only CarmenSandiego"):
        verify(misnamed, [peter])


def test_one_wrong_signature_of_a_known_key_spoils_the_note() -> None:
    peter, enoch = VerifierKey.parse(PETER), VerifierKey.parse(ENOCH)
    wrong = ENOCHS[:60] + "ABCD" + ENOCHS[60:]
    note = SignedNote.parse(f"{TEXT}\n{PETERS_LINE}— EnochRoot {wrong}\n")
    with pytest.raises(BadNote, match="the signature of EnochRoot is wrong"):
        verify(note, [peter, enoch])
    assert verify(note, [peter]) == (peter,)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (TEXT, "no signed note"),
        (f"{TEXT}\n", "cut off"),
        (f"{TEXT}\n\n", "cut off"),
        (f"{TEXT}\n{PETERS_LINE}\n", "cut off"),
        (f"\n\n{PETERS_LINE}", "no signed note"),
        (NOTE[:-1], "cut off"),
        (f"\x01{NOTE}", "control character"),
        (b"\xff" + NOTE.encode(), "not UTF-8"),
        ("\ud800" + NOTE, "not UTF-8"),
        (f"{TEXT}\n— Bad Name {PETERS}\n", "not base64"),
        (f"{TEXT}\n— Bad+Name {PETERS}\n", "not a signature line"),
        (f"{TEXT}\n— Bad\u2003Name {PETERS}\n", "not a signature line"),
        (f"{NOTE}Unexpected line.\n", "'Unexpected line.' is not a signature line"),
        (f"{TEXT}\n-- PeterNeumann {PETERS}\n", "not a signature line"),
        (f"{TEXT}\n— PeterNeumann x08gow==\n", "too short"),
        (f"{TEXT}\n— PeterNeumann {PETERS[:-2]}N=\n", "not base64"),  # the same bytes, written another way
        (f"{TEXT}\n{PETERS_LINE * 101}", "101 signatures"),
        (f"{TEXT * 2000}\n{PETERS_LINE}", f"longer than {LONGEST_NOTE} bytes"),
        ("", "no signed note"),
    ],
)
def test_what_is_no_note_is_refused_with_the_reason(written: str | bytes, why: str) -> None:
    with pytest.raises(BadNote, match=why):
        SignedNote.parse(written)


def test_no_part_of_a_key_and_no_changed_character_passes_for_it() -> None:
    for whole, parse in ((PETER, VerifierKey.parse), (PETERS_SECRET, SigningKey.parse)):
        mangled = {whole[start:end] for start in range(len(whole)) for end in range(start + 1, len(whole) + 1)} - {
            whole
        }
        mangled |= {whole[:at] + chr(ord(one) + 1) + whole[at + 1 :] for at, one in enumerate(whole)}
        for key in mangled:
            with pytest.raises(BadNote):
                parse(key)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==", "not base64|bytes, and 32"),
        ("PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "of type 101"),
        ("Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "no name for a key"),
        ("PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "wrong id"),
        ("PeterNeumann+c74f20a3+", "NAME\\+ID\\+KEY"),
        ("", "NAME\\+ID\\+KEY"),
    ],
)
def test_a_bad_key_is_refused_with_the_reason(key: str, why: str) -> None:
    with pytest.raises(BadNote, match=why):
        VerifierKey.parse(key)


def test_a_secret_is_not_shown_by_accident() -> None:
    key = SigningKey.parse(PETERS_SECRET)
    assert "AYEK" not in f"{key} {key!r} {[key]}"
    with pytest.raises(BadNote, match="PRIVATE"):
        SigningKey.parse(PETER)
    with pytest.raises(BadNote, match="32 bytes"):
        SigningKey("x", ED25519, b"short")


def test_text_that_a_note_cannot_hold_is_not_signed() -> None:
    key = SigningKey.parse(PETERS_SECRET)
    for text in ("abc", "", "\n", "a\tb\n"):
        with pytest.raises(BadNote):
            sign(text, key)


def test_a_signature_added_again_takes_the_place_of_the_one_before() -> None:
    note = SignedNote.parse(f"{TEXT}\n{PETERS_LINE}{ENOCHS_LINE}")
    peters, enochs = note.signatures
    again = NoteSignature("PeterNeumann", peters.key_id, b"anew")
    assert note.with_signatures([again]).signatures == (again, enochs)
    assert note.with_signatures([peters]) == note


names = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="+"), min_size=1, max_size=30)
texts = st.lists(st.text(st.characters(exclude_categories=("C", "Zl", "Zp"))), min_size=1, max_size=4).map(
    lambda lines: "x" + "\n".join(lines) + "\n"
)


@given(names, texts, st.binary(min_size=32, max_size=32), st.sampled_from([ED25519, COSIGNATURE]))
def test_notes_and_keys_are_read_as_they_were_written(name: str, text: str, secret: bytes, kind: int) -> None:
    key = SigningKey(name, kind, secret)
    assert SigningKey.parse(key.written) == key
    assert VerifierKey.parse(str(key.verifier)) == key.verifier
    note = sign(text, SigningKey(name, ED25519, secret))
    assert SignedNote.parse(str(note)) == SignedNote.parse(str(note).encode()) == note


@given(st.data())
def test_any_changed_bit_of_a_note_is_found(data: st.DataObject) -> None:
    whole = bytearray(NOTE.encode())
    bit = data.draw(st.integers(0, len(whole) * 8 - 1))
    whole[bit // 8] ^= 1 << bit % 8
    with pytest.raises(BadNote):
        verify(SignedNote.parse(bytes(whole)), [VerifierKey.parse(PETER)])
