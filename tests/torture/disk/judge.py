"""Whether what a power cut left is opened as it must be, by the way that the program itself opens it."""

from collections.abc import Sequence
from pathlib import Path

from natural9.store.contract import Access, Corrupt, Store, StoreFailed
from natural9.store.opening import open_store
from tests.store.opening import append, buy, entry
from tests.torture.disk.recording import Durable, Recording


async def wrong_journal(recording: Recording, acknowledged: Sequence[object], root: Path) -> str:
    """What is wrong with a journal in the image of a disk.

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
        wrong = await wrong_history(recording, acknowledged, store)
        entries = (await store.head()).seq
        await append(store, [entry(buy(1, 5))])
        if (await store.head()).seq != entries + 1:
            return "the next entry is not the next"
    finally:
        await store.close()
    return wrong


async def wrong_history(recording: Recording, acknowledged: Sequence[object], store: Store) -> str:
    """It holds all that was acknowledged, and nothing but what was recorded."""
    due = {one.stream: one.number for one in acknowledged if isinstance(one, Durable)}
    reached = {stream: head.number for stream, head in (await store.stream_heads()).items()}
    for stream in {**due, **reached}:
        number = due.get(stream, 0) if recording.may_differ else reached.get(stream, 0)
        kept = await store.entry(stream, number)
        if reached.get(stream, 0) < due.get(stream, 0):
            return f"lost: entry {due[stream]} of {stream} was acknowledged, and it has {reached.get(stream, 0)}"
        if kept and kept.hash != recording.history.get((stream, number)):
            return f"changed: entry {number} of {stream} is another one"
    return ""
