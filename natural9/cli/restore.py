"""`natural9 restore`: a venue from its backup, verified first."""

from pathlib import Path
from typing import Annotated

import typer

from natural9.cli.backup import check_venue, copy_venue, make_folder
from natural9.core.errors import BadInput
from natural9.server.reports.examination import verify_records
from natural9.store.contract import StoreFailed


def restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="The folder that natural9 backup made.")],
    venue: Annotated[Path, typer.Argument(metavar="VENUE", help="A new folder for the venue.")],
) -> int:
    """Verify a backup from its first entry to its last, then make a venue of it.

    Nothing is overwritten, and nothing is restored from a backup that does not hold: exit 1 names the first line.

    Example: natural9 restore backups/monday my-venue
    """
    check_venue(backup)
    if venue.exists() and (not venue.is_dir() or any(venue.iterdir())):
        raise BadInput("folder-not-empty", f"{venue} is there already and not empty: choose a new folder")
    try:
        found = verify_records(backup)
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None
    if found.fault:
        print(f"{backup} does NOT hold, and nothing was restored. The first line that does not follow:")
        print(f"  {found.fault.words}")
        return 1
    make_folder(venue)
    copied = copy_venue(backup, venue)
    print(f"Verified: {found.entries:,} entries, {found.rounds:,} rounds, {found.transfers:,} transfers of money,")
    print(f"  {found.seats_settled:,} seats settled again, {found.shoes_revealed:,} shoes, every balance and meter.")
    if found.not_derived:
        print(f"  {found.not_derived:,} rounds were played under rules that are not at hand: chain and money only.")
    print(f"Head: {found.head}")
    print(f"{venue} holds {', '.join(copied)}. Start it: natural9 serve {venue}")
    return 0
