"""`natural9 accept-loss`: a journal that has lost entries goes on, on a person's word."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from natural9.cli.records import VenueFolder, at_this_machine, check_venue, note_in_journal
from natural9.core.errors import BadInput, did_you_mean
from natural9.core.saying import verbatim
from natural9.journal.venue_events import LossAccepted
from natural9.server.people.records import STAFF
from natural9.store.contract import Access, Corrupt, LostEntries, Store, StoreFailed
from natural9.store.opening import open_store
from natural9.table.venue.venue import VENUE_FILE, load_venue

LONGEST_WHY = 500


def accept_loss(
    venue: VenueFolder,
    by: Annotated[str, typer.Option("--by", metavar="ID", help="Your staff id, for the journal.")],
    why: Annotated[str, typer.Option("--why", metavar="REASON", help="What happened, in a sentence.")],
) -> None:
    """Go on with a journal that has lost entries.

    The server refuses a journal that lacks acknowledged entries: its log was lost, or it is an old copy. First try to
    get the files back. If they are lost for good, this accepts the journal as it is, and writes into it who accepted
    it, why, and what is known to be lost.

    Example: natural9 accept-loss my-venue --by mei.tan --why "disk replaced"
    """
    check_venue(venue)
    head_copy = load_venue(venue / VENUE_FILE).head_copy
    why = " ".join(why.split())
    if not 1 <= len(why) <= LONGEST_WHY or not why.isprintable():  # what was typed in another encoding is not
        such = f"1 to {LONGEST_WHY} characters that can be printed"
        raise BadInput("bad-reason", f"--why takes {such}: say what happened")
    event = asyncio.run(_accept(venue, head_copy, by, why))
    print(f"{event.describe()}.")
    print(f"{venue} goes on from entry {event.last}.")


async def _accept(folder: Path, head_copy: Path | None, by: str, why: str) -> LossAccepted:
    try:
        await open_store(folder, Access.WRITE, head_copy=head_copy).close()
    except LostEntries as error:
        lost = error
    except (StoreFailed, Corrupt) as error:
        raise BadInput("store-failed", str(error)) from None
    else:
        raise BadInput(
            "nothing-lost", f"{folder} has lost nothing: it has every acknowledged entry, and serves as it is"
        )
    try:
        return await _go_on(folder, head_copy, lost, by, why)
    except (StoreFailed, Corrupt) as error:
        raise BadInput("store-failed", str(error)) from None


async def _go_on(folder: Path, head_copy: Path | None, lost: LostEntries, by: str, why: str) -> LossAccepted:
    store = open_store(folder, Access.WRITE, head_copy=head_copy, accept_loss=True)
    try:
        await _check_person(store, by)
        known = lost.known
        event = LossAccepted(
            person=by,
            why=verbatim(why),
            last=lost.head.seq,
            known=known.seq if known else 0,
            known_hash=known.hash.hex() if known else "",
        )
        await note_in_journal(folder, store, event, at_this_machine())
    finally:
        await store.close()
    return event


async def _check_person(store: Store, id: str) -> None:
    """Somebody of the venue; in a journal that has lost all of them, whoever it is."""
    people = [key.removeprefix(STAFF) for key in await store.documents(STAFF)]
    if people and id not in people:
        hint = did_you_mean(id, people) or ": name yourself by your staff id"
        raise BadInput("no-such-person", f"there is no account {id[:40]!r} in this journal{hint}")
