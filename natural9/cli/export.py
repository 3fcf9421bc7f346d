"""`natural9 export`: the journal as JSON lines, for whoever checks it without this program."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from natural9.cli.records import VenueArgument, read_records
from natural9.core.errors import BadInput
from natural9.journal.export import journal_lines
from natural9.server.reports.examination import venue_file_beside
from natural9.store.contract import Store
from natural9.table.venue.venue import load_venue


def export(
    venue: VenueArgument,
    stream: Annotated[
        str, typer.Option("--stream", metavar="STREAM", help="Only this stream: venue, or table/ID.")
    ] = "",
) -> None:
    """Write the journal as JSON lines, for another verifier.

    It goes to standard output: every entry with its hash, every checkpoint, and the final balances, meters and
    documents. It works while the server runs. docs/journal.md says what each line means, and
    verifier/natural9_verify.py checks them without this program.

    Example: natural9 export my-venue | gzip > journal.jsonl.gz
    """

    async def write(store: Store) -> None:
        progress = _Progress()
        async for line in journal_lines(store, _name_of(venue), stream, step=progress.step):
            sys.stdout.buffer.write(line)
        progress.done()

    read_records(venue, write)
    sys.stdout.buffer.flush()


class _Progress:
    """How far it is, on the terminal that waits for it."""

    def __init__(self) -> None:
        self._entries = self._written = 0
        self._shown = sys.stderr.isatty()

    def step(self, entries: int) -> None:
        self._entries, self._written = entries, self._written + 1
        if self._shown and self._written % 5000 == 0:
            print(f"\r{self._written:,} of {self._entries:,} entries", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        if self._shown:
            print(f"\r{self._written:,} of {self._entries:,} entries", file=sys.stderr, flush=True)


def _name_of(venue: Path) -> str:
    try:
        return load_venue(venue_file_beside(venue)).name
    except BadInput:  # a journal by itself
        return ""
