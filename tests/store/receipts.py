"""A receipt of a small journal, whose checkpoint is signed by hand."""

import msgspec

from natural9.proof.checkpoint import TreeHead, sign_checkpoint
from natural9.proof.merkle import inclusion_ranges
from natural9.proof.signed_note import ED25519, SigningKey
from natural9.store.chain import GENESIS
from natural9.store.contract import Checkpoint, Store
from natural9.store.memory import MemoryStore
from natural9.store.receipt import EntryReceipt, make_receipt
from tests.store.opening import append, buy, entry

ORIGIN = "test.natural9/0badcafe"
KEY = SigningKey(ORIGIN, ED25519, bytes(range(32)))
SOLD = (
    '{"event":"credit-bought","v":2,"record":{"seat":3,"cents":500,"desk":"张三","signed_by":""},"from":"staff",'
    '"by":"张三","request":"r-1","command":{"request":"r-1"},"type":"credit-terminal"}'
)


async def small_journal() -> Store:
    """Seven entries of two tables; the fourth moves money and writes a document."""
    store = MemoryStore()
    for number in range(1, 8):
        sold = entry(
            buy(3, 500),
            kind="credit-bought",
            body=SOLD.encode(),
            label="significant",
            request="table/1 staff/张三 r-1",
            documents=(("drawer/张三", b"{}"), ("gone", None)),
        )
        await append(store, [sold if number == 4 else entry(stream=f"table/{1 + number % 2}")])
    return store


async def receipt_of(store: Store, seq: int, size: int | None = None, key: SigningKey = KEY) -> EntryReceipt:
    [written] = await store.entries(after=seq - 1, limit=1)
    before = await store.entry(written.stream, written.number - 1)
    size = size or (await store.tree()).size
    [root] = await store.tree_hashes([(0, size)])
    note = sign_checkpoint(TreeHead(key.name, size, root), key)
    hashes = await store.tree_hashes(inclusion_ranges(seq - 1, size))
    previous = before.hash if before else GENESIS
    return make_receipt(written, previous, Checkpoint(size, str(note)), hashes, [KEY.verifier])


def as_file(receipt: EntryReceipt) -> bytes:
    return msgspec.json.encode(receipt)
