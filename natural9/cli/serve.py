"""`natural9 serve`: run a venue's tables."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from natural9.server.house import House

VenueFolder = Annotated[Path, typer.Argument(metavar="VENUE", help="The folder made by `natural9 init`.")]


def serve(
    folder: VenueFolder,
    plain_logs: Annotated[bool, typer.Option("--plain-logs", help="Logs for eyes, not for programs.")] = False,
) -> None:
    """Run the tables of a venue until SIGTERM or Ctrl-C; what was acknowledged is never lost.

    Example: natural9 serve my-venue

    The first time it prints a code by which the first administrator makes their account.
    """
    import uvloop

    from natural9.server.logs import configure_logs
    from natural9.server.serve import serve as serve_venue

    configure_logs(as_json=not plain_logs)
    uvloop.run(serve_venue(folder, started=_say))


async def _say(house: "House", address: str) -> None:
    print(f"{house.venue.name}: {len(house.rooms)} tables at {address}", file=sys.stderr)
    if code := house.accounts.first_code():
        print(f"There is no administrator yet. Claim the account once, with this code: {code}", file=sys.stderr)
    sys.stderr.flush()
