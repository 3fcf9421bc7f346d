"""What the commands about a venue's records share: finding the journal, reading it beside a running server, times."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from natural9.core.errors import BadInput
from natural9.store.contract import Access, Corrupt, Store, StoreFailed
from natural9.store.opening import find_records, open_store
from natural9.table.venue import VENUE_FILE, load_venue

VenueArgument = Annotated[Path, typer.Argument(metavar="VENUE", help="The folder of the venue, or its journal file.")]

T = TypeVar("T")


def journal_of(place: Path) -> str:
    """Where the journal of a folder or a file lies, in words; it must be there."""
    journal = find_records(place)
    if journal is None:
        what = "nothing was ever recorded here" if place.is_dir() else "there is no such file or folder"
        raise BadInput("no-journal", f"{place}: {what}")
    return journal


def read_records(place: Path, read: Callable[[Store], Awaitable[T]]) -> T:
    """Read from the journal as it stands at this moment; a server may go on writing it."""
    journal = journal_of(place)

    async def reading() -> T:
        store = open_store(place, Access.READ)
        try:
            return await read(store)
        finally:
            await store.close()

    try:
        return asyncio.run(reading())
    except Corrupt as error:
        raise BadInput("corrupt", f"{journal}: {error}; natural9 verify tells more") from None
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None


def zone_of(place: Path) -> tzinfo:
    """The venue's own time, where its file lies beside the journal."""
    venue_file = (place if place.is_dir() else place.parent) / VENUE_FILE
    try:
        return load_venue(venue_file).zone
    except BadInput:
        return UTC


def show_time(at_ms: int, zone: tzinfo, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    return datetime.fromtimestamp(at_ms / 1000, zone).strftime(form)
