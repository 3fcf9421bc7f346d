"""Which documents there are, by their hashes: what an entry says of those written beside it, and its stream's sum.

An entry that writes documents names each with its SHA-256, and what all that its stream ever wrote, less all that it
overwrote or took away, comes to; both are hashed into the chain. The last such sums of all streams add up to one over
every document there is. So whoever opens a journal holds all documents against one entry of each stream, and a walk
over it says which document was changed, taken away or invented; and no stream waits for another to add to its own.

The hashes give nothing away. A document with a secret in it holds chance that cannot be guessed: the salt of a
password's hash, a code of 100 bits, the nonce of a sealed shoe. A voucher's has no secret: its code is stored nowhere.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from msgspec.json import Decoder, Encoder

from natural9.store.contract import Corrupt, Hashed

_MODULUS = 1 << 256
_encode = Encoder().encode
_decode = Decoder(tuple[str, Hashed]).decode


def hash_documents(documents: Iterable[tuple[str, bytes | None]]) -> Hashed:
    return tuple((key, None if value is None else sha256(value).hexdigest()) for key, value in documents)


def encode_documents(documents: Hashed, documents_sum: str) -> str:
    """As they stand in a row of the journal; a row whose entry writes none has an empty text there."""
    return _encode((documents_sum, documents)).decode()


def decode_documents(text: str) -> tuple[Hashed, str]:
    documents_sum, documents = _decode(text)
    return documents, documents_sum


class DocumentHashes(dict[str, str]):
    """The SHA-256 of every document by its key, and the sum of every stream that wrote any."""

    def __init__(self, hashed: Iterable[tuple[str, str]] = (), sums: Mapping[str, str] | None = None) -> None:
        super().__init__(hashed)
        self.sums = {stream: int(digits, 16) for stream, digits in (sums or {}).items()}

    def sum_of(self, stream: str) -> str:
        return f"{self.sums.get(stream, 0):064x}"

    def agree(self) -> bool:
        """Whether these documents are what the streams' sums come to."""
        kept = sum(_weight(key, digest) for key, digest in self.items())
        return (kept - sum(self.sums.values())) % _MODULUS == 0

    def change(self, stream: str, hashed: Hashed) -> Hashed:
        """By an entry of this stream. Returns what changes them back."""
        before = []
        added = self.sums.get(stream, 0)
        for key, digest in hashed:
            was = self.pop(key, None)
            before.append((key, was))
            if was is not None:
                added -= _weight(key, was)
            if digest is not None:
                self[key] = digest
                added += _weight(key, digest)
        self.sums[stream] = added % _MODULUS
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
