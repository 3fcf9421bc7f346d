"""`natural9 rekey`: a new key for a venue whose server is down."""

import asyncio
import shlex
from pathlib import Path
from typing import Annotated, Protocol, TypeVar

import typer

from natural9.cli.records import VenueFolder, at_this_machine, check_venue, journal_of
from natural9.core.errors import BadInput
from natural9.journal.line import Origin
from natural9.journal.venue_events import CheckpointKeySet, KeyChanged
from natural9.proof.signed_note import VerifierKey
from natural9.server.clock import Clock
from natural9.server.keyring import change_key
from natural9.server.proof.signing_key import change_checkpoint_key
from natural9.store.contract import Access, Corrupt, Store, StoreFailed
from natural9.store.opening import open_store
from natural9.table.venue.venue import VENUE_FILE, Venue, load_venue

Changed = TypeVar("Changed", KeyChanged, CheckpointKeySet, covariant=True)


def rekey(
    venue: VenueFolder,
    lost: Annotated[bool, typer.Option("--lost", help="The key is lost, and no backup has it.")] = False,
    checkpoint: Annotated[
        bool, typer.Option("--checkpoint", help="Change the key that signs checkpoints instead.")
    ] = False,
) -> None:
    """Give a venue a new key while its server is stopped.

    Printed vouchers keep their codes, shoes in play go on, and devices stay enrolled; people sign in again. If it is
    interrupted, the old key stays in use: run it again.

    With --lost, vouchers of the lost key cannot be checked, and shoes in play cannot go on.

    With --checkpoint, it changes the key that signs checkpoints instead. The old key vouches for the new one, so
    witnesses trust it; a lost key cannot, and they ask you.

    Example: natural9 rekey my-venue
    """
    check_venue(venue)
    house = load_venue(venue / VENUE_FILE)
    journal_of(venue)
    if checkpoint:
        key = VerifierKey.parse(asyncio.run(_change(venue, house, change_checkpoint_key, lost=lost)).key)
        print(f"{venue} signs checkpoints with a new key. Put it in the venue's papers:")
        print(f"    {key}")
        print(f"    fingerprint {key.fingerprint}")
        return
    changed = asyncio.run(_change(venue, house, change_key, lost=lost))
    kept = f"shoes sealed again: {changed.shoes}, vouchers that keep their codes: {changed.vouchers}"
    print(f"{venue} has a new key; {kept}.")
    print(f"Older backups have the old key. Make one: natural9 backup {shlex.quote(str(venue))} TARGET")


class _Changing(Protocol[Changed]):
    async def __call__(
        self, folder: Path, store: Store, venue: Venue, /, *, by: Origin, at_ms: int, lost: bool
    ) -> Changed: ...


async def _change(folder: Path, venue: Venue, change: _Changing[Changed], *, lost: bool) -> Changed:
    try:
        store = open_store(folder, Access.WRITE, head_copy=venue.head_copy)
    except (StoreFailed, Corrupt) as error:
        raise BadInput("store-failed", f"the key is not changed: {error}") from None
    try:
        at_ms = (await Clock.open(store)).record_ms()
        return await change(folder, store, venue, by=at_this_machine(), at_ms=at_ms, lost=lost)
    except StoreFailed as error:
        raise BadInput("store-failed", f"changing the key was interrupted: {error}; run it again") from None
    finally:
        await store.close()
