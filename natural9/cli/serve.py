"""`natural9 serve`: run a venue's tables."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from natural9.cli.records import VenueFolder, check_venue

if TYPE_CHECKING:
    from natural9.server.house import House


def serve(
    folder: VenueFolder,
    plain_logs: Annotated[bool, typer.Option("--plain-logs", help="Write logs for people instead of JSON.")] = False,
) -> None:
    """Run the tables of a venue.

    Ctrl-C or SIGTERM stops it. A bet that was acknowledged is never lost. The first start prints a code: with it the
    first administrator opens their account.

    Example: natural9 serve my-venue
    """
    check_venue(folder)
    import uvloop

    from natural9.server.logs import configure_logs
    from natural9.server.serve import serve as serve_venue

    configure_logs(as_json=not plain_logs)
    uvloop.run(serve_venue(folder, started=_say))


async def _say(house: "House", address: str) -> None:
    print(f"{house.venue.name}: {len(house.rooms)} tables at {address}", file=sys.stderr)
    from natural9.server.people.accounts import no_administrator

    if code := house.accounts.first_code():
        print(no_administrator(code), file=sys.stderr)
    sys.stderr.flush()
