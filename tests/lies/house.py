"""The house that is not to be trusted: it keeps the journal and holds the keys that sign its checkpoints."""

from collections.abc import Sequence
from typing import Any

import msgspec

from natural9.journal.labels import label_of
from natural9.journal.line import BY_PROGRAM, encode_line
from natural9.proof.key_succession import HouseKey, new_house_key
from natural9.proof.merkle import inclusion_ranges
from natural9.proof.signed_note import COSIGNATURE, ED25519, SignedNote, SigningKey
from natural9.server.proof.checkpoints import Checkpoints
from natural9.server.proof.signing_key import CheckpointKeys
from natural9.store.contract import Entry, Store
from natural9.store.receipt import make_receipt
from natural9.store.streams import SharedStream
from natural9.table.audit.check_round import hash_before

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
    """Signs what its store holds as the server does, and hands out receipts."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.office = SharedStream(store, "venue")
        self.checkpoints = Checkpoints(store, self._keys(1), [WITNESS_KEY.verifier])

    @staticmethod
    def _keys(many: int) -> CheckpointKeys:
        return CheckpointKeys(KEYS[many - 1], tuple(house_keys(KEYS[:many])))

    async def set_key(self, place: int, at_ms: int) -> None:
        """The first key, or the second: from now on it signs."""
        keys = self.checkpoints.keys = self._keys(place)
        body, label = encode_line(keys.event, BY_PROGRAM), label_of("", keys.event)
        documents = (keys.document,)
        await self.office.append([Entry("venue", keys.event.TAG, body, at_ms, DAY, label, documents=documents)])

    async def sign(self) -> SignedNote:
        """A checkpoint of all there is."""
        return SignedNote.parse((await self.checkpoints.sign()).note)

    async def receipt(self, seq: int) -> dict[str, Any]:
        """What a player gets for entry `seq`, by the newest checkpoint."""
        kept = await self.checkpoints.through(seq)
        [written] = await self.store.entries(after=seq - 1, limit=1)
        hashes = await self.store.tree_hashes(inclusion_ranges(seq - 1, kept.size))
        keys = [key.verifier for key in KEYS]
        made = make_receipt(written, await hash_before(self.store, written), kept, hashes, keys)
        return msgspec.json.decode(msgspec.json.encode(made))  # type: ignore[no-any-return]
