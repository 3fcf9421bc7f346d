"""`natural9 restore`: a venue from its backup, verified first."""

import asyncio
import shlex
from pathlib import Path
from typing import Annotated

import typer

from natural9.cli.backup import copy_venue, make_folder
from natural9.cli.doctor_records import missing_keys
from natural9.cli.records import at_this_machine, note_in_journal
from natural9.core.errors import BadInput
from natural9.journal.venue_events import VenueRestored
from natural9.server.reports.examination import verify_records
from natural9.store.contract import Access, StoreFailed
from natural9.store.opening import find_records, open_store
from natural9.table.venue.venue import VENUE_FILE


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="The folder that natural9 backup made.")],
    venue: Annotated[Path, typer.Argument(metavar="VENUE", help="A new folder for the venue.")],
) -> int:
    """Make a venue from a backup, after verifying it.

    It verifies the whole journal first. Exit 1: the backup does not hold, and nothing is restored. Nothing is ever
    overwritten. The journal gets an entry that says who restored it.

    Example: natural9 restore backups/monday my-venue
    """
    for name, there in ((VENUE_FILE, (backup / VENUE_FILE).is_file()), ("journal", find_records(backup))):
        if not there:
            raise BadInput(
                "no-backup", f"{backup} is not a backup, because it has no {name}: natural9 backup makes one"
            )
    if venue.exists() and (not venue.is_dir() or any(venue.iterdir())):
        raise BadInput("folder-not-empty", f"{venue} exists already and is not empty: name a new folder")
    try:
        found = verify_records(backup)
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None
    if found.fault:
        print(f"{backup} does NOT hold, and nothing is restored. The first line that is wrong:")
        print(f"  {found.fault.words}")
        return 1
    make_folder(venue)
    copied = copy_venue(backup, venue)
    asyncio.run(begin_again(venue, found.entries))
    print(f"Verified: {found.entries:,} entries, {found.rounds:,} rounds, {found.transfers:,} transfers of money,")
    print(f"  {found.seats_settled:,} seats settled again, {found.shoes_revealed:,} shoes, every balance and meter.")
    if found.not_derived:
        print(f"  {found.not_derived:,} rounds are checked for chain and money only, because their rules are missing.")
    print(f"Checkpoint: {found.entries} {found.root}")
    print(f"{venue} holds {', '.join(copied)}. Start it: natural9 serve {shlex.quote(str(venue))}")
    if lacks := missing_keys(venue):
        print(f"First bring what the backup leaves out: {lacks}")
    return 0


async def begin_again(venue: Path, entries: int) -> None:
    """From here on it goes as far as the backup did; what came after that is known to nobody here."""
    store = open_store(venue, Access.WRITE, accept_loss=True)
    try:
        await note_in_journal(venue, store, VenueRestored(last=entries), at_this_machine())
    finally:
        await store.close()
