"""A signed note (c2sp.org/signed-note): text with signature lines, and the keys that sign and verify it.

Go's module database, Certificate Transparency and Sigstore sign their checkpoints in the same form.
"""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Final, NamedTuple, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519: Final = 1  # signs the note's text
COSIGNATURE: Final = 4  # signs it with the time (see `cosignature`)
KEY_BYTES: Final = 32
ID_BYTES: Final = 4
MOST_SIGNATURES: Final = 100
LONGEST_NOTE: Final = 64 * 1024  # bytes
DASH: Final = "— "
_PRIVATE: Final = "PRIVATE+KEY+"


class BadNote(ValueError):
    """A note or a key that cannot be used; the message says what is wrong with it."""


class NoteSignature(NamedTuple):
    """One signature line: whose key, and what it signed; which key that is, its name and id say together."""

    name: str
    key_id: bytes
    signature: bytes

    @classmethod
    def parse(cls, line: str) -> Self:
        name, space, encoded = line.removeprefix(DASH).partition(" ")
        if not line.startswith(DASH) or not space or not is_key_name(name):
            raise BadNote(f"{line[:80]!r} is not a signature line: an em dash, a key's name and a signature are due")
        signed = from_base64(encoded, f"the signature of {name}")
        if len(signed) <= ID_BYTES:
            raise BadNote(f"the signature of {name} is too short")
        return cls(name, signed[:ID_BYTES], signed[ID_BYTES:])

    def __str__(self) -> str:
        return f"{DASH}{self.name} {to_base64(self.key_id + self.signature)}"


class SignedNote(NamedTuple):
    """Nothing in it is to be believed before `verify` has said who signed it."""

    text: str  # ends with a newline
    signatures: tuple[NoteSignature, ...]

    @classmethod
    def parse(cls, written: str | bytes) -> Self:
        """A note as it came, or BadNote."""
        whole = _decoded(written)
        text, blank, signed = whole.rpartition("\n\n")
        if not blank or not text:
            raise BadNote("this is no signed note: text, an empty line and signatures are due")
        if not signed.endswith("\n"):
            raise BadNote("the note is cut off: its last line has no end")
        lines = signed[:-1].split("\n")
        if len(lines) > MOST_SIGNATURES:
            raise BadNote(f"the note has {len(lines)} signatures, and {MOST_SIGNATURES} at most may be")
        return cls(text + "\n", tuple(NoteSignature.parse(line) for line in lines))

    def __str__(self) -> str:
        return "\n".join([self.text, *map(str, self.signatures), ""])

    def signed_by(self, key: "VerifierKey") -> NoteSignature | None:
        """The line that claims to be this key's; whether it is, only verifying can say."""
        return next((one for one in self.signatures if (one.name, one.key_id) == (key.name, key.key_id)), None)

    def with_signatures(self, added: Iterable[NoteSignature]) -> Self:
        """The same text with these lines as well; a key's line that was there before gives way to its new one."""
        lines = {(one.name, one.key_id): one for one in (*self.signatures, *added)}
        return self._replace(signatures=tuple(lines.values()))


@dataclass(frozen=True)
class VerifierKey:
    """A public key with its name, written as `NAME+ID+KEY` (a vkey)."""

    name: str
    kind: int  # the signature's type: ED25519, COSIGNATURE
    public: bytes

    def __post_init__(self) -> None:
        if not is_key_name(self.name):
            raise BadNote(f"{self.name[:80]!r} is no name for a key: it has 1 to 200 characters, no space and no plus")
        if self.kind not in (ED25519, COSIGNATURE):
            raise BadNote(f"the key of {self.name} is of type {self.kind}, and only Ed25519 is known here (1 and 4)")
        if len(self.public) != KEY_BYTES:
            raise BadNote(f"the key of {self.name} has {len(self.public)} bytes, and {KEY_BYTES} are due")

    @classmethod
    def parse(cls, vkey: str) -> Self:
        """
        >>> VerifierKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").key_id.hex()
        'c74f20a3'
        """
        name, id, material = _parts(vkey, "a public key is written as NAME+ID+KEY")
        key = cls(name, material[0], material[1:])
        _check_id(key, id)
        return key

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{to_base64(bytes([self.kind]) + self.public)}"

    @cached_property
    def key_id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:ID_BYTES]

    @cached_property
    def fingerprint(self) -> str:
        """What two people compare over a telephone, or with a paper: 32 digits of the SHA-256 of all of it.

        >>> VerifierKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW").fingerprint
        'a82f 24c4 8c9e e106 dd11 952a 8026 e14f'
        """
        digits = sha256(str(self).encode()).hexdigest()[:32]
        return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))

    @cached_property
    def _ed25519(self) -> Ed25519PublicKey:
        return Ed25519PublicKey.from_public_bytes(self.public)

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        try:
            self._ed25519.verify(signature, message)
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class SigningKey:
    """A private key with its name; `parse` and `written` are in Go's form, for a file that its owner alone reads."""

    name: str
    kind: int
    secret: bytes

    def __post_init__(self) -> None:
        if len(self.secret) != KEY_BYTES:
            raise BadNote(f"a private key has {KEY_BYTES} bytes, not {len(self.secret)}")
        _ = self.verifier  # which checks the name and the kind

    @classmethod
    def parse(cls, skey: str) -> Self:
        form = "a private key is written as PRIVATE+KEY+NAME+ID+KEY"
        if not skey.startswith(_PRIVATE):
            raise BadNote(form)
        name, id, material = _parts(skey.removeprefix(_PRIVATE), form)
        key = cls(name, material[0], material[1:])
        _check_id(key.verifier, id)
        return key

    @property
    def written(self) -> str:
        """With the secret in it: for its file alone."""
        encoded = to_base64(bytes([self.kind]) + self.secret)
        return f"{_PRIVATE}{self.name}+{self.verifier.key_id.hex()}+{encoded}"

    def __repr__(self) -> str:
        return f"SigningKey({self.name!r})"  # a secret never gets into a log

    @cached_property
    def _ed25519(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.secret)

    @cached_property
    def verifier(self) -> VerifierKey:
        return VerifierKey(self.name, self.kind, self._ed25519.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        return self._ed25519.sign(message)


def sign(text: str, key: SigningKey) -> SignedNote:
    """The text as a note with this key's signature."""
    assert key.kind == ED25519, "a cosignature needs the time"
    if not text.endswith("\n") or text == "\n":
        raise BadNote("the text of a note ends with a newline")
    _decoded(text)
    return SignedNote(text, (NoteSignature(key.name, key.verifier.key_id, key.sign(text.encode())),))


def verify(note: SignedNote, keys: Iterable[VerifierKey]) -> tuple[VerifierKey, ...]:
    """Which of these keys have signed the text: one at least, and none of them wrongly, or it is a BadNote."""
    good: list[VerifierKey] = []
    for key in keys:
        assert key.kind == ED25519, "cosignatures are checked by `cosignature`"
        line = note.signed_by(key)
        if line is None:
            continue
        if not key.has_signed(note.text.encode(), line.signature):
            raise BadNote(f"the signature of {key.name} is wrong: the note was changed, or somebody else signed it")
        good.append(key)
    if not good:
        named = ", ".join(dict.fromkeys(one.name for one in note.signatures))
        raise BadNote(f"nobody who is known here has signed the note, only {named[:200]}")
    return tuple(good)


def is_key_name(name: str) -> bool:
    return 1 <= len(name) <= 200 and name.isprintable() and not any(one == "+" or one.isspace() for one in name)


def to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def from_base64(encoded: str, what: str) -> bytes:
    """The one way to write these bytes, or BadNote: no second text can pass for the same signature."""
    try:
        data = base64.b64decode(encoded.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise BadNote(f"{what} is not base64") from None
    if to_base64(data) != encoded:
        raise BadNote(f"{what} is not base64")
    return data


def _decoded(written: str | bytes) -> str:
    try:
        as_bytes = written.encode() if isinstance(written, str) else written
        text = as_bytes[: LONGEST_NOTE + 1].decode()
    except UnicodeError:
        raise BadNote("the note is not UTF-8") from None
    if len(as_bytes) > LONGEST_NOTE:
        raise BadNote(f"the note is longer than {LONGEST_NOTE} bytes")
    if any(one < " " and one != "\n" for one in text):
        raise BadNote("the note has a control character in it")
    return text


def _parts(key: str, form: str) -> tuple[str, str, bytes]:
    name, plus, rest = key.partition("+")
    id, second, encoded = rest.partition("+")
    if not (plus and second and name):
        raise BadNote(f"{form}; this is not one")
    material = from_base64(encoded, f"the key of {name[:80]}")
    if not material:
        raise BadNote(f"{form}; this is not one")
    return name, id, material


def _check_id(key: VerifierKey, id: str) -> None:
    if key.key_id.hex() != id:
        raise BadNote(f"the key of {key.name} has a wrong id ({id[:16]}): a character is wrong or missing")
