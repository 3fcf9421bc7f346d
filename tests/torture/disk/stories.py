"""What is recorded: a journal from its first moment on, as the program itself makes it, opens it and writes it."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

from natural9.store.contract import Access, Checkpoint, Store, StoreFailed
from natural9.store.opening import open_store
from tests.store.opening import append, bet, buy, closing_store, entry
from tests.torture.disk.judge import wrong_journal
from tests.torture.disk.power_cut import DiskInTime, write_image
from tests.torture.disk.recorders import recording
from tests.torture.disk.recording import History, Recording
from tests.torture.disk.telling import history, kill, telling
from tests.torture.disk.venue_stories import backup_story, venue_story
from tests.torture.disk.witness_stories import witness_story

OTHER_DISK = "other-disk"  # where the copy of the last head is


async def _write(store: Store, chance: random.Random, groups: int, body: int) -> None:
    """Groups of appends of one to three entries to several streams, with documents, and now and then a checkpoint."""
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
    found: History = {}
    with recording(root, sqlite_syncs_folders=chance.random() < 0.5) as tape:
        for _ in range(openings):
            store = telling(open_store(folder, Access.WRITE, head_copy=copy), tape)
            await _write(store, chance, groups, body)
            found = await history(store)
            await store.close()
    return Recording(tape, folder, found, wrong_journal, copy)


async def again_story(root: Path, chance: random.Random) -> Recording:
    """What a power cut left is opened and written, and the power is cut again."""
    first, second = root / "first", root.resolve() / "second"
    first.mkdir()
    second.mkdir()
    before = await short(first, chance)
    disk = DiskInTime(before.tape, chance)
    disk.go_to(chance.randint(before.tape.begins, before.tape.now))
    write_image(disk.cut(), before.tape.root, second)
    folder = second / "venue"
    copy = before.head_copy and second / before.head_copy.relative_to(before.tape.root)
    with recording(second, sqlite_syncs_folders=chance.random() < 0.5) as tape:
        for one in disk.acknowledged:
            tape.acknowledge(one)
        store = telling(open_store(folder, Access.WRITE, head_copy=copy), tape)
        await _write(store, chance, 2, 40)
        found = await history(store)
        await store.close()
    return Recording(tape, folder, found, wrong_journal, copy)


async def failed_sync_story(root: Path, chance: random.Random) -> Recording:
    """A sync fails once, and the store with it; it is opened again and written, and then the power is cut."""
    root = root.resolve()
    folder = root / "venue"
    folder.mkdir()
    async with closing_store(open_store(folder, Access.WRITE)) as store:
        await _write(store, chance, 2, 40)
    with recording(root, failing_sync=chance.randint(1, 12)) as tape:
        for _ in range(3):
            with suppress(StoreFailed):
                async with closing_store(telling(open_store(folder, Access.WRITE), tape)) as store:
                    kill(store)
                    await _write(store, chance, 4, 40)
    async with closing_store(open_store(folder, Access.READ)) as store:
        found = await history(store)
    return Recording(tape, folder, found, wrong_journal, may_differ=True)


Story = Callable[[Path, random.Random], Coroutine[Any, Any, Recording]]


def short(root: Path, chance: random.Random) -> Coroutine[Any, Any, Recording]:
    """A small journal: much of it is how it begins."""
    return journal_story(root, chance, openings=3, groups=4, body=40, head_copy=chance.random() < 0.5)


def checkpointed(root: Path, chance: random.Random) -> Coroutine[Any, Any, Recording]:
    """Enough for SQLite to move its log into the file by itself, and to begin the log again."""
    return journal_story(root, chance, openings=1, groups=60, body=20_000, head_copy=False)


STORIES: dict[str, Story] = {
    "a new journal": short,
    "a log that begins again": checkpointed,
    "a power cut, and another": again_story,
    "a sync that failed": failed_sync_story,
    "a venue at play": venue_story,
    "a backup restored": backup_story,
    "a witness": witness_story,
}
