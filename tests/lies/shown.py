"""What a house shows, as an insider changes it: carelessly, or with every number, hash, sum and signature made anew."""

import copy
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Self

import msgspec

from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.merkle import leaf_hash, root_of
from natural9.proof.signed_note import SignedNote, SigningKey, VerifierKey
from natural9.store.balances import Counts, count, meters_of
from natural9.store.chain import GENESIS, link
from natural9.store.contract import Transfer
from natural9.store.documents import DocumentHashes
from tests.lies.house import KEYS, ORIGIN

Line = dict[str, Any]  # of an export
KEY_SET = "checkpoint-key-set"


@dataclass
class Shown:
    """An export, the documents beside the journal, and the receipts that were handed out."""

    head: Line
    lines: list[Line]  # entries, and checkpoints among them
    end: Line
    written: dict[str, bytes]  # every document there ever was, by its hash
    receipts: list[Line] = field(default_factory=list)
    documents: dict[str, bytes] = field(default_factory=dict)  # that are not what the end says

    @classmethod
    def of(cls, export: list[Line], written: dict[str, bytes]) -> Self:
        return cls(export[0], export[1:-1], export[-1]["end"], written)

    def copied(self) -> Self:
        """To be lied in."""
        return type(self)(
            dict(self.head),
            [_copied(line) for line in self.lines],
            copy.deepcopy(self.end),
            dict(self.written),
            copy.deepcopy(self.receipts),
            dict(self.documents),
        )

    @property
    def export(self) -> Iterator[bytes]:
        yield from (msgspec.json.encode(line) + b"\n" for line in (self.head, *self.lines, {"end": self.end}))

    @property
    def entries(self) -> list[Line]:
        return [line for line in self.lines if "checkpoint" not in line]

    @property
    def notes(self) -> list[SignedNote]:
        return [SignedNote.parse(line["checkpoint"]) for line in self.lines if "checkpoint" in line]

    @property
    def hashes(self) -> list[bytes]:
        return [bytes.fromhex(entry["hash"]) for entry in self.entries]


def _copied(line: Line) -> Line:
    """Bodies are texts, so that a shallow copy and new lists will do."""
    return {key: copy.copy(value) if isinstance(value, list) else value for key, value in line.items()}


def make_anew(shown: Shown) -> None:
    """All that an insider with the house's own keys can do for a lie: number, chain and count everything again, and
    sign every checkpoint again where it stands. Cosignatures are not theirs to make."""
    streams: defaultdict[str, tuple[int, bytes, int]] = defaultdict(lambda: (0, GENESIS, 0))
    documents, counts, leaves, key = DocumentHashes(), Counts(), list[bytes](), KEYS[0]
    balances: defaultdict[str, int] = defaultdict(int)
    for line in shown.lines:
        if "checkpoint" in line:
            line["checkpoint"] = signed(leaves, key)
            continue
        number, before, numbered = streams[line["stream"]]
        moved = tuple(Transfer(*one) for one in line["transfers"])
        line["seq"], line["number"], line["first_transfer"] = len(leaves) + 1, number + 1, numbered + 1
        hashed = tuple((name, digest) for name, digest in line["documents"])
        line["documents_sum"] = ""
        if hashed:
            documents.change(line["stream"], hashed)
            line["documents_sum"] = documents.sum_of(line["stream"])
        linked = link_of(before, line)
        line["hash"] = linked.hex()
        leaves.append(leaf_hash(linked))
        streams[line["stream"]] = number + 1, linked, numbered + len(moved)
        for one in moved:
            balances[one.source] -= one.cents
            balances[one.target] += one.cents
        count(counts, line["day"], moved)
        if line["kind"] == KEY_SET:
            key = _signer(msgspec.json.decode(line["body"])["record"]["key"]) or key
    shown.end = {
        "entries": len(leaves),
        "transfers": sum(numbered for *_, numbered in streams.values()),
        "streams": {name: [number, last.hex()] for name, (number, last, _) in streams.items()},
        "balances": {name: cents for name, cents in sorted(balances.items()) if cents},
        "meters": [list(one) for one in meters_of(counts)],
        "documents": dict(sorted(documents.items())),
    }


def link_of(before: bytes, line: Line) -> bytes:
    """The hash of an entry as it stands."""
    return link(
        before,
        line["stream"],
        line["number"],
        line["kind"],
        line["body"].encode(),
        line["at_ms"],
        line["day"],
        line["label"],
        line["request"],
        line["first_transfer"],
        tuple(Transfer(*one) for one in line["transfers"]),
        tuple((name, digest) for name, digest in line["documents"]),
        line["documents_sum"],
    )


def signed(
    leaves: list[bytes], key: SigningKey, *, size: int | None = None, root: bytes = b"", origin: str = ""
) -> str:
    """A checkpoint of these leaves; or one that says something else."""
    said = TreeHead(origin or ORIGIN, len(leaves) if size is None else size, root or root_of(leaves))
    return str(sign_checkpoint(said, key))


def _signer(vkey: str) -> SigningKey | None:
    return next((key for key in KEYS if key.verifier == VerifierKey.parse(vkey)), None)


def digest_of(shown: Shown, value: bytes) -> str:
    """Of a document that is written, too."""
    digest = sha256(value).hexdigest()
    shown.written[digest] = value
    return digest
