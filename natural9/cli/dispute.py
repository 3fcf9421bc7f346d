"""`natural9 dispute`: one round on paper, with what proves it."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from natural9.cli.records import VenueArgument, read_records, zone_of
from natural9.cli.usage import within
from natural9.core.errors import BadInput
from natural9.server.dispute.pack import VenueFacts, dispute_pack
from natural9.server.reports.examination import games_beside, venue_file_beside
from natural9.table.venue.venue import load_venue


def dispute(
    venue: VenueArgument,
    table_id: Annotated[str, typer.Argument(metavar="TABLE", help="The id of a table.")],
    round_number: Annotated[int, typer.Argument(metavar="ROUND", help="The number of the round.")],
    out: Annotated[str, typer.Option(metavar="FILE", help="The file to write; it ends in .pdf.")],
    seat: Annotated[
        int | None, typer.Option(metavar="SEAT", help="Only this seat.", callback=within("--seat", 1, 100_000))
    ] = None,
) -> None:
    """Write a round as a PDF, for a dispute.

    It has the steps as pictures, the cards, the bets and settlement with the words of their rules, irregularities and
    who decided, vouchers and receipts, and the seal: what was verified, and the head of the journal. The same round at
    the same moment of the records gives the same bytes. It works while the server runs.

    Example: natural9 dispute my-venue nc-1 17 --seat 3 --out round-17.pdf
    """
    target = Path(out)
    if target.suffix.lower() != ".pdf":
        raise BadInput("bad-file", f"{out} is not a PDF: name a file that ends in .pdf")
    from natural9.server.dispute.pdf import pack_pdf  # slow to come

    facts = _facts(venue, table_id)
    load_game = games_beside(venue)
    pack = read_records(
        venue,
        lambda store: dispute_pack(store, table_id, round_number, seat=seat, facts=facts, load_game=load_game),
    )
    try:
        target.write_bytes(pack_pdf(pack))
    except OSError as error:
        raise BadInput("bad-file", f"{target} cannot be written: {error.strerror}") from None
    print(f"wrote {target}", file=sys.stderr)


def _facts(place: Path, table: str) -> VenueFacts:
    """As its file says; a journal by itself has no name but its folder's."""
    try:
        venue = load_venue(venue_file_beside(place))
    except BadInput:
        return VenueFacts(place.absolute().name, "", zone_of(place), f"Table {table}")
    config = venue.tables.get(table)
    return VenueFacts(venue.name, venue.currency, venue.zone, config.title if config else f"Table {table}")
