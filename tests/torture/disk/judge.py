"""Whether what a power cut left is opened as it must be, by the way that the program itself opens it."""

from collections.abc import Sequence
from pathlib import Path

from natural9.store.contract import Access, Corrupt, StoreFailed
from natural9.store.opening import open_store
from tests.store.opening import append, buy, entry
from tests.torture.disk.recording import Durable, Recording


async def wrong_journal(recording: Recording, acknowledged: Sequence[object], root: Path) -> str:
    """What is wrong with the image of a disk under this root; nothing if all is as it must be.

    Opening checks the chain, the balances, the meters, the documents, every index and every page, since it is short.
    """
    of = recording.tape.root
    folder = root / recording.folder.relative_to(of)
    copy = recording.head_copy and root / recording.head_copy.relative_to(of)
    try:
        store = open_store(folder, Access.WRITE, head_copy=copy)
    except (Corrupt, StoreFailed) as refused:
        return f"refused: {refused}"
    try:
        head = await store.head()
        reached = await store.stream_heads()
        for one in acknowledged:
            if isinstance(one, Durable) and (one.stream not in reached or reached[one.stream].number < one.number):
                return (
                    f"lost: entry {one.number} of {one.stream} was acknowledged, and the journal has {head.seq} entries"
                )
        if head.seq and head != recording.heads.get(head.seq):
            return f"changed: entry {head.seq} is another one"
        await append(store, [entry(buy(1, 5))])
        if (await store.head()).seq != head.seq + 1:
            return "the next entry is not the next"
    finally:
        await store.close()
    return ""
