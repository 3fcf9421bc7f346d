"""The house that is not to be trusted: it keeps the journal and holds the keys that sign its checkpoints."""

from collections.abc import Sequence
from typing import Any

import msgspec

from natural9.cli.export import exported
from natural9.journal.labels import SIGNIFICANT
from natural9.journal.line import BY_PROGRAM, encode_line
from natural9.journal.venue_events import CheckpointKeySet
from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.key_succession import HouseKey, new_house_key
from natural9.proof.merkle import inclusion_ranges
from natural9.proof.signed_note import COSIGNATURE, ED25519, SignedNote, SigningKey
from natural9.proof.tlog_proof import LogProof
from natural9.store.contract import Checkpoint, Entry, Store
from natural9.store.streams import SharedStream

ORIGIN = "marina.natural9/0badcafe"
URL = "https://marina.example"
FIRST_KEY = SigningKey(ORIGIN, ED25519, b"1" * 32)  # printed in the venue's papers
SECOND_KEY = SigningKey(ORIGIN, ED25519, b"2" * 32)
KEYS = (FIRST_KEY, SECOND_KEY)
THIEFS_KEY = SigningKey(ORIGIN, ED25519, b"t" * 32)  # whoever has broken in calls it by the house's name
WITNESS_KEY = SigningKey("regulator.example/w1", COSIGNATURE, b"w" * 32)
DAY = "2027-01-15"


def house_keys(keys: Sequence[SigningKey] = KEYS) -> list[HouseKey]:
    """Oldest first, each signed by the one before it."""
    return [new_house_key(key, before) for key, before in zip(keys, [None, *keys[:-1]], strict=True)]


def key_record(one: HouseKey) -> dict[str, str]:
    """What `checkpoint-key-set` says."""
    return {
        "key": str(one.key),
        "origin": one.key.name,
        "signature": one.signature,
        "signature_before": one.signature_before,
    }


class House:
    """Signs what its store holds, and hands out receipts."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.office = SharedStream(store, "venue")
        self.key = FIRST_KEY

    async def set_key(self, key: HouseKey, at_ms: int) -> None:
        event = CheckpointKeySet(**key_record(key))
        await self.office.append([Entry("venue", event.TAG, encode_line(event, BY_PROGRAM), at_ms, DAY, SIGNIFICANT)])
        self.key = next(one for one in KEYS if one.verifier == key.key)

    async def sign(self) -> SignedNote:
        """A checkpoint of all there is."""
        size, root = await self.store.tree()
        note = sign_checkpoint(TreeHead(ORIGIN, size, root), self.key)
        await self.store.keep_checkpoint(Checkpoint(size, str(note)))
        return note

    async def receipt(self, seq: int) -> dict[str, Any]:
        """What a player gets for entry `seq`, by the newest checkpoint."""
        kept = await self.store.checkpoint()
        assert kept is not None
        [one] = await self.store.entries(after=seq - 1, limit=1)
        before = await self.store.entry(one.stream, one.number - 1)
        hashes = await self.store.tree_hashes(inclusion_ranges(seq - 1, kept.size))
        proof = LogProof(seq - 1, tuple(hashes), SignedNote.parse(kept.note))
        entry = {**exported(one), "previous_hash": (before.hash if before else bytes(32)).hex()}
        receipt = {
            "natural9": "receipt",
            "format": 1,
            "entry": entry,
            "proof": str(proof),
            "key": str(self.key.verifier),
        }
        return msgspec.json.decode(msgspec.json.encode(receipt))  # type: ignore[no-any-return]
