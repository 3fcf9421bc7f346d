"""What the commands about a venue's folder share: finding it, reading its journal beside a running server, times."""

import asyncio
import os
import shlex
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from getpass import getuser
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from natural9.core.errors import BadInput, did_you_mean
from natural9.core.events import Event
from natural9.disk.seen import is_file, is_there
from natural9.journal.labels import label_of
from natural9.journal.line import Origin, OriginKind, encode_line
from natural9.server.clock import Clock
from natural9.store.contract import Access, Corrupt, Entry, Store, StoreFailed
from natural9.store.opening import find_records, open_store
from natural9.store.streams import SharedStream
from natural9.table.venue.venue import VENUE_FILE, load_venue

VenueArgument = Annotated[
    Path, typer.Argument(metavar="VENUE", help="The venue's folder, journal file, or database address.")
]
VenueFolder = Annotated[Path, typer.Argument(metavar="VENUE", help="The folder of the venue.")]

T = TypeVar("T")


def check_venue(folder: Path) -> None:
    """Refuse a folder that is not a venue, and say how to make it one."""
    make = f"natural9 init {shlex.quote(str(folder))}"
    if is_file(folder):
        raise BadInput("no-venue", f"{folder} is a file: name the folder of the venue, such as {folder.parent}")
    if not is_there(folder):
        raise BadInput("no-venue", f"there is no folder {folder}: {make} makes a venue there")
    if not os.access(folder, os.X_OK):
        raise BadInput("no-venue", f"{folder} is closed to this user: run this as its owner")
    if not is_file(folder / VENUE_FILE):
        raise BadInput("no-venue", f"{folder} is not a venue, because it has no {VENUE_FILE}: {make} makes one")


def journal_of(place: Path) -> str:
    """Where the journal of a folder or a file lies, in words; it must be there."""
    try:
        journal = find_records(place)
    except StoreFailed as error:
        raise BadInput("bad-address", str(error)) from None
    if journal is None:
        check_venue(place)
        start = f"natural9 serve {shlex.quote(str(place))}"
        raise BadInput("no-journal", f"{place} has no journal, because nothing was played yet: {start} starts it")
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
        verify = f"natural9 verify {shlex.quote(journal)}"
        raise BadInput("corrupt", f"{journal} is damaged: {error}; {verify} names the first wrong line") from None
    except StoreFailed as error:
        raise BadInput("store-failed", str(error)) from None


async def check_table(place: Path, store: Store, table: str) -> None:
    """Refuse a table that neither the records nor the venue file has ever had: that nothing is found there says
    nothing."""
    known = {name.partition("/")[2] for name in await store.stream_heads() if name.startswith("table/")}
    with suppress(BadInput):  # a journal by itself, or a database
        known |= load_venue(_venue_file(place)).tables.keys()
    if table not in known:
        hint = did_you_mean(table, known) or (f": there are {', '.join(sorted(known))}" if known else "")
        raise BadInput("no-such-table", f"there is no table {table!r}{hint}")


def zone_of(place: Path) -> tzinfo:
    """The venue's own time, where its file lies beside the journal."""
    try:
        return load_venue(_venue_file(place)).zone
    except BadInput:
        return UTC


def _venue_file(place: Path) -> Path:
    return (place if place.is_dir() else place.parent) / VENUE_FILE


def show_time(at_ms: int, zone: tzinfo, form: str = "%Y-%m-%d %H:%M:%S") -> str:
    return datetime.fromtimestamp(at_ms / 1000, zone).strftime(form)


async def note_in_journal(folder: Path, store: Store, event: Event, origin: Origin) -> None:
    """An entry of the venue's own, dated by its file if that can be read: a backup may lack what that names."""
    at_ms = (await Clock.open(store)).record_ms()
    try:
        day = load_venue(folder / VENUE_FILE).gaming_day(at_ms)
    except BadInput:
        day = datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()
    entry = Entry("venue", event.TAG, encode_line(event, origin), at_ms, day, label_of("", event))
    await SharedStream(store, entry.stream).append([entry])


def at_this_machine() -> Origin:
    """The person at this machine's command line, for the journal."""
    try:
        return Origin(OriginKind.COMMAND_LINE, getuser())
    except (KeyError, OSError):  # an account without a name, as containers have
        return Origin(OriginKind.COMMAND_LINE)
