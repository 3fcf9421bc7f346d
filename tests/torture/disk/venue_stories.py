"""What is recorded of whole venues: made, played, given another key, backed up and restored, by the house itself."""

import asyncio
import io
import logging
import random
from collections.abc import Sequence
from contextlib import redirect_stdout
from itertools import count
from pathlib import Path

import structlog

from bench.bit_flips import VENUE, play
from natural9.cli.backup import backup
from natural9.cli.restore import restore
from natural9.core.errors import BadInput
from natural9.disk.durable import make_durable, make_durable_folder, write_new
from natural9.journal.line import BY_PROGRAM
from natural9.server.clock import Clock
from natural9.server.house import House
from natural9.server.keyring import change_key
from natural9.server.people.keys import venue_keys
from natural9.server.proof.signing_key import change_checkpoint_key, held_keys
from natural9.store.contract import Access, Corrupt, StoreFailed
from natural9.store.opening import open_store
from natural9.table.venue.venue import VENUE_FILE, load_venue
from tests.torture.disk.judge import wrong_history
from tests.torture.disk.recorders import recording
from tests.torture.disk.recording import History, Recording
from tests.torture.disk.tape import Tape
from tests.torture.disk.telling import history, telling

MADE, BACKED_UP, RESTORED = "the venue is made", "it is backed up", "the backup is restored"


def quiet() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    logging.getLogger("natural9").setLevel(logging.CRITICAL)


async def opened(folder: Path, tape: Tape | None = None) -> House:
    store = open_store(folder, Access.WRITE)
    return await House.of(folder, load_venue(folder / VENUE_FILE), telling(store, tape) if tape else store)


async def _played(folder: Path, tape: Tape, request: "count[int]", rounds: int) -> History:
    house = await opened(folder, tape)
    await house.start()
    await play(house, request, rounds)
    await house.stop("enough")
    store = open_store(folder, Access.READ)
    found = await history(store)
    await store.close()
    return found


async def _rekeyed(folder: Path, tape: Tape, *, checkpoint: bool) -> None:
    store = telling(open_store(folder, Access.WRITE), tape)
    change = change_checkpoint_key if checkpoint else change_key
    at_ms, venue = (await Clock.open(store)).record_ms(), load_venue(folder / VENUE_FILE)
    await change(folder, store, venue, by=BY_PROGRAM, at_ms=at_ms, lost=False)
    await store.close()


def _make(folder: Path, tape: Tape) -> None:
    """As `natural9 init` does, with a shorter file."""
    make_durable_folder(folder)
    write_new(folder / VENUE_FILE, VENUE.encode())
    make_durable(folder)
    tape.acknowledge(MADE)


async def venue_story(root: Path, chance: random.Random) -> Recording:
    """Made, played, both keys changed, and played once more."""
    quiet()
    folder, request = root.resolve() / "venues" / "venue", count(1)
    with recording(root.resolve(), sqlite_syncs_folders=chance.random() < 0.5) as tape:
        _make(folder, tape)
        await _played(folder, tape, request, 1)
        await _rekeyed(folder, tape, checkpoint=False)
        await _rekeyed(folder, tape, checkpoint=True)
        found = await _played(folder, tape, request, 1)
    return Recording(tape, folder, found, wrong_venue)


async def wrong_venue(recording: Recording, acknowledged: Sequence[object], root: Path) -> str:
    """The house opens it: keys, people, tables, shoes, vouchers; and it can be closed again."""
    quiet()
    folder = root / recording.folder.relative_to(recording.tape.root)
    if MADE not in acknowledged:
        return ""
    if (folder / VENUE_FILE).read_bytes() != VENUE.encode():
        return f"{VENUE_FILE} is not as it was written"
    try:
        house = await opened(folder)
    except (Corrupt, StoreFailed, BadInput) as refused:
        return f"refused: {refused}"
    wrong = await wrong_history(recording, acknowledged, house.store)
    try:
        await house.start()
    except (Corrupt, StoreFailed, BadInput) as refused:
        wrong = wrong or f"refused at the start: {refused}"
    await house.stop("looked at")
    return wrong


async def backup_story(root: Path, chance: random.Random) -> Recording:
    """A venue that was played yesterday is backed up and restored."""
    quiet()
    root = root.resolve()
    venue, copy, again = root / "venue", root / "backups" / "monday", root / "again"
    with recording(root) as before:
        _make(venue, before)
        found = await _played(venue, before, count(1), 1)
    with recording(root, sqlite_syncs_folders=chance.random() < 0.5) as tape, redirect_stdout(io.StringIO()):
        await asyncio.to_thread(backup, venue, copy)
        tape.acknowledge(BACKED_UP)
        assert await asyncio.to_thread(restore, copy, again) == 0
        tape.acknowledge(RESTORED)
    return Recording(tape, venue, found, wrong_backup)


async def wrong_backup(recording: Recording, acknowledged: Sequence[object], root: Path) -> str:
    """A copy that has a journal is whole; one that was said to be there is there."""
    quiet()
    copy, again = root / "backups" / "monday", root / "again"
    wrong = ""
    if BACKED_UP in acknowledged or (copy / "journal.db").exists():
        wrong = await _wrong_copy(recording, copy)
    if RESTORED in acknowledged:
        try:
            house = await opened(again)
        except (Corrupt, StoreFailed, BadInput) as refused:
            return f"what was restored is refused: {refused}"
        await house.stop("looked at")
    return wrong


async def _wrong_copy(recording: Recording, copy: Path) -> str:
    try:
        if not (venue_keys(copy) and held_keys(copy)) or (copy / VENUE_FILE).read_bytes() != VENUE.encode():
            return "the backup lacks a key, or the venue file"
        store = open_store(copy, Access.READ)
    except (Corrupt, StoreFailed, BadInput, OSError) as refused:
        return f"the backup is refused: {refused}"
    head = await store.head()
    await store.close()
    return "" if head.seq == len(recording.history) else f"the backup ends with entry {head.seq}"
