"""What is recorded: a journal from its first moment on, as the program itself makes it, opens it and writes it."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from natural9.store.contract import Access, Checkpoint, Entry, Head, Store, StreamHead
from natural9.store.opening import open_store
from natural9.store.sqlite.store import SqliteStore
from natural9.store.threaded import ThreadedStore
from tests.store.opening import append, bet, buy, entry
from tests.torture.disk.judge import wrong_journal
from tests.torture.disk.recorders import recording
from tests.torture.disk.recording import Durable, Recording
from tests.torture.disk.tape import Tape

OTHER_DISK = "other-disk"  # where the copy of the last head is


class _Telling(SqliteStore):
    """Tells a tape how far the journal goes by every answer that it gives."""

    tape: Tape

    def append(self, entries: Sequence[Entry], after: StreamHead) -> Awaitable[int]:
        stream, many = entries[0].stream, len(entries)
        answer = asyncio.ensure_future(super().append(entries, after))

        def answered(done: "asyncio.Future[int]") -> None:
            if not done.cancelled() and done.exception() is None:
                self.tape.acknowledge(Durable(stream, done.result() + many - 1))

        answer.add_done_callback(answered)
        return answer


def telling(store: Store, tape: Tape) -> Store:
    assert isinstance(store, ThreadedStore)
    store.__class__ = _Telling
    assert isinstance(store, _Telling)
    store.tape = tape
    return store


async def history(store: Store) -> dict[int, Head]:
    heads, transfers = {}, 0
    while page := await store.entries(after=len(heads)):
        for written in page:
            transfers += len(written.transfers)
            heads[written.seq] = Head(written.seq, written.hash, transfers)
    return heads


async def _write(store: Store, chance: random.Random, groups: int, body: int) -> None:
    """Groups of appends, each of one to three entries of several streams, with documents, and now and then a checkpoint."""
    for _ in range(groups):
        sent = []
        for _ in range(chance.choice((1, 1, 2, 5, 12))):
            terminal = chance.randrange(1, 9)
            stream = f"table/{chance.randrange(3)}"
            documents = ((f"shoe/{stream}", chance.randbytes(60)),) if chance.random() < 0.3 else ()
            text = b'{"note":"%s"}' % (b"x" * chance.randrange(body))
            some = [entry(buy(terminal, 500), stream=stream, body=text, documents=documents)]
            some += [entry(bet(terminal, 100), stream=stream, label=f"round/{terminal}")] * chance.randrange(3)
            sent.append(append(store, some))
        await asyncio.gather(*sent)
        if chance.random() < 0.3:
            await store.keep_checkpoint(Checkpoint((await store.head()).seq, "signed"))


async def journal_story(
    root: Path, chance: random.Random, *, openings: int, groups: int, body: int, head_copy: bool
) -> Recording:
    """A new journal, opened and closed several times, by the real committer."""
    root = root.resolve()
    folder = root / "venue"
    copy = root / OTHER_DISK / "natural9.head" if head_copy else None
    for one in (folder, *([copy.parent] if copy else [])):
        one.mkdir()
    heads: dict[int, Head] = {}
    with recording(root, sqlite_syncs_folders=chance.random() < 0.5) as tape:
        for _ in range(openings):
            store = telling(open_store(folder, Access.WRITE, head_copy=copy), tape)
            await _write(store, chance, groups, body)
            heads = await history(store)
            await store.close()
    return Recording(tape, folder, heads, wrong_journal, copy)


Story = Callable[[Path, random.Random], Awaitable[Recording]]


def short(root: Path, chance: random.Random) -> Awaitable[Recording]:
    """A small journal: much of it is how it begins."""
    return journal_story(root, chance, openings=3, groups=4, body=40, head_copy=chance.random() < 0.5)


def checkpointed(root: Path, chance: random.Random) -> Awaitable[Recording]:
    """Enough for SQLite to move its log into the file by itself, and to begin the log again."""
    return journal_story(root, chance, openings=1, groups=60, body=20_000, head_copy=False)


STORIES: dict[str, Story] = {"a new journal": short, "a log that begins again": checkpointed}
