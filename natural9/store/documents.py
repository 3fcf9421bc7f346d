"""Which documents there are, by their hashes: what an entry says of those written beside it, and one sum over all.

An entry that writes documents names each with its SHA-256, and the sum over every document there is once it is
written; both are hashed into the chain. So whoever opens a journal holds all documents against one entry, and a walk
over it says which document was changed, taken away or invented.

The hashes give nothing away. A document with a secret in it holds chance that cannot be guessed: the salt of a
password's hash, a code of 100 bits, the nonce of a sealed shoe. A voucher's has no secret: its code is stored nowhere.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from natural9.store.contract import Corrupt, Hashed

_MODULUS = 1 << 256


def hash_documents(documents: Iterable[tuple[str, bytes | None]]) -> Hashed:
    return tuple((key, None if value is None else sha256(value).hexdigest()) for key, value in documents)


class DocumentHashes(dict[str, str]):
    """The SHA-256 of every document by its key."""

    def __init__(self, hashed: Iterable[tuple[str, str]] = ()) -> None:
        super().__init__(hashed)
        self._sum = sum(_weight(key, digest) for key, digest in self.items())

    @property
    def digest(self) -> str:
        """Of all of them, whatever their order: a sum, so that a change costs what it changes and no more."""
        return f"{self._sum % _MODULUS:064x}"

    def change(self, hashed: Hashed) -> Hashed:
        """Returns what changes them back."""
        before = []
        for key, digest in hashed:
            was = self.pop(key, None)
            before.append((key, was))
            if was is not None:
                self._sum -= _weight(key, was)
            if digest is not None:
                self[key] = digest
                self._sum += _weight(key, digest)
        return tuple(reversed(before))


def compare_documents(stored: Mapping[str, str], derived: Mapping[str, str]) -> None:
    """Corrupt names the first document that is not what the journal says."""
    for key in sorted(stored.keys() | derived.keys()):
        if key not in stored:
            raise Corrupt(f"{_in_words(key)} is missing, though the journal says that it was written")
        if key not in derived:
            raise Corrupt(f"{_in_words(key)} is there, though the journal says that there is none")
        if stored[key] != derived[key]:
            raise Corrupt(f"{_in_words(key)} is not what the journal says was written")


def _in_words(key: str) -> str:
    """staff/anna is the staff record of anna."""
    kind, _, name = key.partition("/")
    return f"the {kind} record of {name}" if name else f"the {kind} record"


def _weight(key: str, digest: str) -> int:
    return int.from_bytes(sha256(f"{digest} {key}".encode()).digest(), "big")
