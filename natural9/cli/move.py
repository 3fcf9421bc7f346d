"""`natural9 move`: a venue's records, carried from a file into a database or back."""

import asyncio
import shlex
from pathlib import Path
from typing import Annotated

import typer

from natural9.cli.records import journal_of
from natural9.core.errors import BadInput
from natural9.odds.workers import cores
from natural9.server.reports.examination import games_beside, verify_folder
from natural9.store.contract import Access, Corrupt, StoreFailed
from natural9.store.copying import RecordsCopy, copy_all
from natural9.store.opening import begin_copy, find_records, open_store, retire_records
from natural9.store.postgres.address import address_of
from natural9.table.audit.findings import Fault, Verified

PLACES = "the folder of a venue, its journal file, or postgresql://USER@HOST/DATABASE"


def move(
    source: Annotated[Path, typer.Argument(metavar="FROM", help=f"Where the records are: {PLACES}.")],
    target: Annotated[
        Path, typer.Argument(metavar="TO", help="Where they go: an address, or a folder without records.")
    ],
) -> int:
    """Move a venue's records from SQLite to PostgreSQL, or back.

    Stop its server first. It verifies the records, copies all of them, with their history, chains and checkpoints, and
    verifies the copy. Only then does the venue use the copy; the old records are kept, but no longer written. An
    interrupted move changes nothing: run it again. Exit 1: the records or the copy do not hold.

    Give a database's password in PGPASSWORD, or in a file that PGPASSFILE names.

    Example: natural9 move my-venue postgresql://natural9@db.example/venue
    """
    journal = journal_of(source)
    try:
        if not target.is_dir() and find_records(target) == journal:
            raise BadInput("same-place", f"{journal} is where the records are already")
        if not address_of(source) and (target.is_dir() or not address_of(target)):
            copies = "natural9 backup copies a venue, and natural9 restore makes one of a copy"
            raise BadInput("two-files", f"{journal} is a file, and {target} would be one: {copies}")
        moved = asyncio.run(_move(source, target))
    except (StoreFailed, Corrupt) as error:
        raise BadInput("store-failed", str(error)) from None
    if isinstance(moved, Fault):
        print("Nothing was moved. The first line that is wrong:")
        print(f"  {moved.words}")
        return 1
    retire_records(source, target)
    print(f"Moved and verified: {moved.entries:,} entries, {moved.transfers:,} transfers of money,")
    print(f"  {moved.documents:,} documents, {moved.checkpoints:,} checkpoints.")
    print(f"Checkpoint: {moved.entries} {moved.root}")
    there = find_records(target)
    print(f"The records are in {there} now. Check them: natural9 verify {shlex.quote(str(there))}")
    return 0


async def _move(source: Path, target: Path) -> Verified | Fault:
    before = await _verified(source, source)
    if before.fault:
        return before.fault
    store = open_store(source, Access.WRITE)  # so that nobody else does
    try:
        copy = await asyncio.to_thread(begin_copy, target)
        try:
            await copy_all(store, copy)
            return await _taken_over(source, before, copy)
        finally:
            await asyncio.to_thread(copy.close)
    finally:
        await store.close()


async def _taken_over(source: Path, before: Verified, copy: RecordsCopy) -> Verified | Fault:
    """The copy, opened if it holds, and is what was verified."""
    after = await _verified(source, copy.place)
    if after.fault:
        return after.fault
    if (after.entries, after.root, after.checkpoints) != (before.entries, before.root, before.checkpoints):
        return Fault(entry=0, says="the copy is another journal: somebody wrote while it was copied; run it again")
    await asyncio.to_thread(copy.open)
    return after


async def _verified(source: Path, place: Path) -> Verified:
    """The records at a place, by the venue's own rules and keys."""
    try:
        store = open_store(place, Access.READ)
    except Corrupt as error:
        return Verified(fault=Fault(entry=0, says=str(error)))
    try:
        return await verify_folder(source, store, load_game=games_beside(source), processes=cores())
    finally:
        await store.close()
