"""A receipt: one entry of the journal, and what proves without the house that it stands there.

Its format is in docs/journal.md, so that other programs can check one.
"""

import json
from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct

from natural9.proof.checkpoint import TreeHead
from natural9.proof.cosignature import Cosigned, cosigned_by
from natural9.proof.merkle import BadProof, leaf_hash
from natural9.proof.signed_note import ED25519, BadNote, SignedNote, VerifierKey
from natural9.proof.tlog_proof import LogProof
from natural9.store.chain import link
from natural9.store.contract import Checkpoint, Hashed, Transfer, Written

Count = Annotated[int, Meta(ge=0, le=2**53)]
_HASH_DIGITS: Final = 64


class BadReceipt(ValueError):
    """This is no receipt at all; what one says that does not hold is a BadProof or a BadNote."""


class ReceiptEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An entry as it is exported, and the hash before it in its stream."""

    seq: Count
    stream: str
    number: Count
    kind: str
    at_ms: Count
    day: str
    label: str
    request: str
    first_transfer: Count
    transfers: tuple[Transfer, ...]
    documents: Hashed
    documents_sum: str
    body: str
    hash: str
    previous_hash: str


class EntryReceipt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whoever has it needs nobody else but for the house's public key: to compare it with the one in here."""

    natural9: Literal["receipt"] = "receipt"
    format: Literal[1]
    entry: ReceiptEntry
    proof: str
    key: str


class ReceiptHolds(NamedTuple):
    """The checkpoint that proves it, whose key has signed that, and who of those asked for has cosigned it."""

    head: TreeHead
    key: VerifierKey
    cosigned: list[Cosigned]


def make_receipt(
    written: Written, previous: bytes, checkpoint: Checkpoint, hashes: Sequence[bytes], keys: Sequence[VerifierKey]
) -> EntryReceipt:
    """Of an entry, by the hash before it, a checkpoint that covers it, and the hashes of `inclusion_ranges`; `keys` are
    the house's, one of which has signed."""
    note = SignedNote.parse(checkpoint.note)
    signed = next((key for key in keys if note.signed_by(key)), None)
    if signed is None:
        raise BadNote(f"no key of the house has signed the checkpoint of {checkpoint.size} entries")
    entry = {name: getattr(written, name) for name in written._fields if name not in ("body", "hash")}
    return EntryReceipt(
        format=1,
        entry=ReceiptEntry(**entry, body=written.body.decode(), hash=written.hash.hex(), previous_hash=previous.hex()),
        proof=str(LogProof(written.seq - 1, tuple(hashes), note)),
        key=str(signed),
    )


def read_receipt(written: bytes) -> EntryReceipt:
    """As it was written, with nothing checked yet; or BadReceipt."""
    try:
        receipt = _decode(written)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadReceipt(f"this is no receipt: {error}") from None
    json.loads(written, object_pairs_hook=_each_once)
    return receipt


def _each_once(pairs: list[tuple[str, object]]) -> None:
    """Of two values under one name, one program may show the first and another one the last."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise BadReceipt("this is no receipt: a name comes twice in it")


def check_receipt(
    receipt: EntryReceipt, key: VerifierKey | None = None, witnesses: Sequence[VerifierKey] = ()
) -> ReceiptHolds:
    """That the entry is in the journal which the checkpoint is of; BadProof or BadNote says what does not hold.

    `key` is the house's, known from elsewhere. Without it the receipt's own is believed, and whoever reads the answer
    must compare that one: anybody can make a journal and a key to it.
    """
    entry = receipt.entry
    if entry_hash(entry) != entry.hash:
        raise BadProof("the entry was changed: its hash is another one")
    proof = LogProof.parse(receipt.proof)
    if proof.index != entry.seq - 1 or proof.extra is not None:
        raise BadProof("the proof is of another entry")
    named = VerifierKey.parse(receipt.key)
    if key is not None and named != key:
        raise BadNote("the receipt names another key than the one that is known for this house")
    if named.kind != ED25519:
        raise BadNote("the receipt names the key of a witness as the house's")
    head = proof.check(leaf_hash(bytes.fromhex(entry.hash)), named.name, [named])
    return ReceiptHolds(head, named, cosigned_by(proof.checkpoint, witnesses))


def entry_hash(entry: ReceiptEntry) -> str:
    """What the hash must be, in hexadecimal digits."""
    previous = entry.previous_hash
    if len(previous) != _HASH_DIGITS or not set(previous) <= set("0123456789abcdef"):
        raise BadProof(f"the hash before the entry is not {_HASH_DIGITS} hexadecimal digits")
    return link(
        bytes.fromhex(previous),
        entry.stream,
        entry.number,
        entry.kind,
        entry.body.encode(),
        entry.at_ms,
        entry.day,
        entry.label,
        entry.request,
        entry.first_transfer,
        entry.transfers,
        entry.documents,
        entry.documents_sum,
    ).hex()


_decode = msgspec.json.Decoder(EntryReceipt).decode
